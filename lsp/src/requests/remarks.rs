//! The command that compiles a document and shows the optimizations that NVIDIA's compiler did not make, as diagnostics
//! with fixes. Those of an entry stay until its text changes.

use super::compile::{Compilation, Compiled, compile, locations};
use crate::checks;
use crate::commands::ShowRequest;
use crate::outbox::Message;
use crate::shared::Shared;
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::program::Program;
use tile_backend::cuda::compiler::Options;
use tile_backend::cuda::notes::{Origin, Wanted};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{MessageType, ProgressToken};

/// Compiles a document and shows the remarks. The answer contains the GPU and the number of remarks. Dropping the
/// future stops the compiler.
pub(crate) async fn show(shared: &Arc<Shared>, wanted: &ShowRequest, token: Option<ProgressToken>) -> Result<Value> {
    let compilation = Compilation {
        title: "Compiling for remarks".to_string(),
        name: format!("tile.remarks {}", wanted.uri),
        options: Options { remarks: true, ..Options::default() },
    };
    let Compiled { snapshot, gpu, encoded, code, .. } = compile(shared, wanted, compilation, token, |it| it).await?;
    let (code, name) = (Arc::new(code), encoded.name.clone());
    let edit = snapshot.edit;
    let found = shared.answer(&snapshot.uri, move |db, file, now| {
        if now.edit != edit {
            return None;
        }
        let program = Program::of(db, file);
        let mut found = Origin::new(&program, &locations(&program, &name)).notes(&code, Wanted::Missed);
        now.findings.lock().unwrap_or_else(PoisonError::into_inner).set_remarks(db, file, &found);
        now.project.levels.apply(&mut found);
        Some(found)
    });
    let found: Vec<Diagnostic> = found.await?.flatten().ok_or_else(Error::content_modified)?;
    checks::check(shared, snapshot);
    if wanted.show {
        shared.outbox.put(Message::ShowUser(MessageType::INFO, summary(&found, &encoded.name, &gpu)));
    }
    Ok(json!({ "gpu": gpu, "remarks": found.len() }))
}

fn summary(found: &[Diagnostic], file: &str, gpu: &str) -> String {
    let missed = match found.len() {
        0 => "no missed optimizations".to_string(),
        1 => "1 missed optimization".to_string(),
        count => format!("{count} missed optimizations"),
    };
    format!("`tileiras` reports {missed} in {file} for {gpu}")
}
