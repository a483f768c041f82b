//! The commands that show a document's bytecode as text, or write it to a file.

use super::shown::name;
use crate::commands::{ShowRequest, refused};
use crate::outbox::Message;
use crate::shared::Shared;
use serde_json::{Value, json};
use tile_analysis::db::{self, Database, File};
use tile_analysis::print;
use tile_analysis::program::Program;
use tile_backend::base64::base64;
use tile_backend::bytecode;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::MessageType;

/// Shows the bytecode of a document as `tile dis` prints it. The answer contains the path of that text.
pub(crate) async fn show(shared: &Shared, wanted: &ShowRequest) -> Result<Value> {
    let (bytes, options) = encoded(shared, &wanted.uri).await?;
    let decoded = bytecode::decode_with(&bytes, true).map_err(|error| refused(error.to_string()))?;
    let text = print::module(&decoded.module, None, options);
    let head =
        format!("// {} bytes of bytecode, version {}, as printed by `tile dis`.\n", bytes.len(), options.version);
    let text = tile_fmt::format(&(head + &text), &tile_fmt::Options::default());
    shared.show(wanted, "bytecode.tile", text)
}

/// Writes the bytecode of a document to a file, and returns it for clients that can copy it to the clipboard.
pub(crate) async fn copy(shared: &Shared, uri: &str) -> Result<Value> {
    let (bytes, _) = encoded(shared, uri).await?;
    let path = shared.scratch.path().map_err(refused)?.join(name(uri, "tileirbc"));
    std::fs::write(&path, &bytes).map_err(|error| refused(format!("cannot write `{}`: {error}", path.display())))?;
    shared.outbox.put(Message::ShowUser(
        MessageType::INFO,
        format!("wrote {} bytes of bytecode to {}", bytes.len(), path.display()),
    ));
    Ok(json!({ "path": path, "bytes": bytes.len(), "base64": base64(&bytes) }))
}

/// Returns the bytecode of a document, and the options to print it in its version.
async fn encoded(shared: &Shared, uri: &str) -> Result<(Vec<u8>, print::Options)> {
    let Some(snapshot) = shared.documents.get(uri) else {
        return Err(refused("the document is not open".to_string()));
    };
    let file_name = uri.rsplit('/').next().unwrap_or(uri).to_string();
    let encoded = shared.answer(&snapshot.uri, move |db, file, _| encode(db, file, &file_name)).await?;
    encoded.unwrap_or_else(|| Err("the document is not open".to_string())).map_err(refused)
}

fn encode(db: &Database, file: File, name: &str) -> std::result::Result<(Vec<u8>, print::Options), String> {
    let found = db::diagnostics(db, file);
    if let Some(error) = found.iter().find(|found| found.is_error_everywhere()) {
        return Err(format!("the program has an error: {}", error.message));
    }
    let mut options = print::Options::default();
    if bytecode::VERSIONS.contains(&file.options(db).version) {
        options.version = file.options(db).version;
    }
    let bytes = bytecode::of_program(&Program::of(db, file), Some(name), options.version);
    let bytes = bytes.map_err(|found| found.first().map_or(String::new(), |found| found.message.clone()))?;
    Ok((bytes, options))
}
