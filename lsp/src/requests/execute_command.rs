//! `workspace/executeCommand`

use crate::run;
use crate::server::Shared;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::ExecuteCommandParams;

/// The command that runs a launch. Its one argument is a [`Target`].
pub(crate) const RUN: &str = "tile.run";

/// What to run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// The document.
    pub(crate) uri: String,
    /// The entry, without `@`.
    pub(crate) entry: String,
    /// The launch, by its name; the first one where there is none.
    #[serde(default)]
    pub(crate) launch: Option<String>,
}

impl Target {
    /// The token under which the progress of its run is told.
    pub(crate) fn token(&self) -> String {
        format!("tile.run {} @{} {}", self.uri, self.entry, self.launch.as_deref().unwrap_or_default())
    }
}

pub(crate) async fn handle(shared: &Shared, params: ExecuteCommandParams) -> Result<Option<Value>> {
    if params.command != RUN {
        return Err(Error::invalid_params(format!("there is no command `{}`", params.command)));
    }
    let token = params.work_done_progress_params.work_done_token;
    let target = params.arguments.into_iter().next().map(serde_json::from_value::<Target>);
    let Some(Ok(target)) = target else {
        return Err(Error::invalid_params(format!("`{RUN}` takes one argument: {{\"uri\", \"entry\", \"launch\"}}")));
    };
    if !shared.session().trusted {
        return Err(refused("kernels run only in a workspace that you trust".to_string()));
    }
    run::run(shared, target, token).await.map(Some)
}

/// The request is understood, but cannot be carried out.
pub(crate) fn refused(message: String) -> Error {
    const REQUEST_FAILED: i64 = -32803;
    Error { message: message.into(), ..Error::new(ErrorCode::ServerError(REQUEST_FAILED)) }
}
