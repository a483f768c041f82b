//! Generated texts, written to files that an editor can open.

use crate::commands::{ShowRequest, refused};
use crate::outbox::Message;
use crate::shared::Shared;
use serde_json::{Value, json};
use std::path::Path;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{MessageType, Uri};

impl Shared {
    /// Opens a text in the editor, or shows a message with its path, unless the client shows the text itself. The file
    /// is read-only, since generating it again would overwrite changes.
    pub(super) fn show(&self, wanted: &ShowRequest, extension: &str, text: String) -> Result<Value> {
        let path = self.scratch.path().map_err(refused)?.join(name(&wanted.uri, extension));
        read_only(&path, &text).map_err(refused)?;
        let uri = Uri::from_file_path(&path).filter(|_| self.session().shows_documents);
        match uri {
            _ if !wanted.show => {}
            Some(uri) => self.outbox.put(Message::ShowDocument(uri)),
            None => {
                self.outbox.put(Message::ShowUser(MessageType::INFO, format!("wrote the text to {}", path.display())));
            }
        }
        Ok(json!({ "path": path, "text": text }))
    }
}

/// The name of a file generated from a document. Untitled documents have URIs such as `untitled:Untitled-1`.
pub(super) fn name(uri: &str, extension: &str) -> String {
    let file = uri.rsplit(['/', ':']).next().unwrap_or("");
    let stem = file.split('.').next().unwrap_or("").replace("%20", "_");
    let safe: String = stem.chars().filter(|c| c.is_ascii_alphanumeric() || "_-".contains(*c)).collect();
    let stem = if safe.is_empty() { "program" } else { &safe };
    format!("{stem}.{extension}")
}

/// Writes a text to a file that editors open as read-only.
fn read_only(path: &Path, text: &str) -> std::result::Result<(), String> {
    let new = path.with_extension("new");
    let put = || {
        std::fs::write(&new, text)?;
        #[cfg(unix)]
        std::fs::set_permissions(&new, std::os::unix::fs::PermissionsExt::from_mode(0o400))?;
        // Renaming keeps an editor from reading a partial text.
        std::fs::rename(&new, path)
    };
    put().map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_replaces_an_older_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = name("file:///a/odd%20name.tile", "ptx");
        assert_eq!(name, "odd_name.ptx");
        assert_eq!(super::name("untitled:Untitled-1", "bytecode.tile"), "Untitled-1.bytecode.tile");
        let path = folder.path().join(name);
        for text in ["one", "two"] {
            read_only(&path, text).expect("the file can be written");
            assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some(text));
            #[cfg(unix)]
            assert!(std::fs::metadata(&path).expect("the file exists").permissions().readonly());
        }
    }
}
