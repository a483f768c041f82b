//! `workspace/executeCommand`

use super::{add_launch, bytecode, listing, remarks, tune};
use crate::commands::{
    ADD_LAUNCH, AddLaunchRequest, BENCH, COPY_BYTECODE, Observe, PROFILE, REMARKS, RUN, RUN_SANITIZED, RunRequest,
    SHOW_BYTECODE, SHOW_PTX, SHOW_SASS, ShowRequest, TEST_ALL, TRACE, TUNE, refused,
};
use crate::run;
use crate::settings::CPU;
use crate::shared::Shared;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use tile_backend::cuda::listing::Listing;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::ExecuteCommandParams;

/// The argument of a command for a document.
#[derive(Deserialize)]
struct Document {
    uri: String,
}

pub(crate) async fn handle(shared: &Arc<Shared>, params: ExecuteCommandParams) -> Result<Option<Value>> {
    let ExecuteCommandParams { command, arguments, work_done_progress_params } = params;
    let token = work_done_progress_params.work_done_token;
    let argument = arguments.into_iter().next().unwrap_or_default();
    let trusted = |action: &str| {
        if shared.session().trusted { Ok(()) } else { Err(refused(format!("{action} only in a trusted workspace"))) }
    };
    let may_run = || trusted("kernels run");
    match command.as_str() {
        RUN | RUN_SANITIZED | PROFILE | TRACE | BENCH => {
            let mut target =
                read::<RunRequest>(argument, "{\"uri\", \"entry\", \"launch\", \"sanitize\", \"target\"}")?;
            match command.as_str() {
                RUN_SANITIZED => target.sanitize = true,
                PROFILE => target.observe = Observe::Profile,
                TRACE => target.observe = Observe::Trace,
                BENCH => target.observe = Observe::Bench,
                _ => {}
            }
            if command == RUN_SANITIZED || target.observe.needs_cpu() {
                target.target = Some(CPU.to_string());
            }
            may_run()?;
            run::run(shared, target, token).await.map(Some)
        }
        TUNE => {
            let wanted = read::<RunRequest>(argument, "{\"uri\", \"entry\", \"launch\", \"target\"}")?;
            may_run()?;
            tune::tune(shared, wanted, token).await.map(Some)
        }
        TEST_ALL => {
            let document = read::<Document>(argument, "{\"uri\"}")?;
            may_run()?;
            run::test_all(shared, &document.uri).await.map(Some)
        }
        ADD_LAUNCH => {
            let wanted = read::<AddLaunchRequest>(argument, "{\"uri\", \"entry\"}")?;
            add_launch::add(shared, wanted).await.map(Some)
        }
        SHOW_BYTECODE => bytecode::show(shared, &read::<ShowRequest>(argument, SHOW_REQUEST)?).await.map(Some),
        SHOW_PTX | SHOW_SASS => {
            let wanted = read::<ShowRequest>(argument, SHOW_REQUEST)?;
            trusted("the compiler is started")?;
            let listing = if command == SHOW_PTX { Listing::Ptx } else { Listing::Sass };
            listing::show(shared, &wanted, listing, token).await.map(Some)
        }
        REMARKS => {
            let wanted = read::<ShowRequest>(argument, SHOW_REQUEST)?;
            trusted("the compiler is started")?;
            remarks::show(shared, &wanted, token).await.map(Some)
        }
        COPY_BYTECODE => bytecode::copy(shared, &read::<Document>(argument, "{\"uri\"}")?.uri).await.map(Some),
        other => Err(Error::invalid_params(format!("unknown command `{other}`"))),
    }
}

/// The members of [`ShowRequest`].
const SHOW_REQUEST: &str = "{\"uri\", \"gpu\", \"show\"}";

/// Parses the one argument of a command.
fn read<T: serde::de::DeserializeOwned>(argument: Value, shape: &str) -> Result<T> {
    serde_json::from_value(argument)
        .map_err(|_| Error::invalid_params(format!("the command takes one argument: {shape}")))
}
