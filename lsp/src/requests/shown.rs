//! Texts that were made from a document, put where an editor can open them.

use super::execute_command::{Shown, refused};
use crate::outbox::Message;
use crate::server::Shared;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{MessageType, Uri};

impl Shared {
    /// Shows a text in the editor, or says where it is, unless the client does that itself. Nobody shall write to it: what
    /// is made again later would take the place of what was written.
    pub(super) fn show(&self, wanted: &Shown, extension: &str, text: String) -> Result<Value> {
        let path = path(&wanted.uri, extension).and_then(|path| read_only(&path, &text).map(|()| path));
        let path = path.map_err(refused)?;
        let uri = Uri::from_file_path(&path).filter(|_| self.session().shows_documents);
        match uri {
            _ if !wanted.show => {}
            Some(uri) => self.outbox.put(Message::Show(uri)),
            None => {
                self.outbox.put(Message::Tell(MessageType::INFO, format!("the text is in {}", path.display())));
            }
        }
        Ok(json!({ "path": path, "text": text }))
    }
}

/// Writes a file named after a document into a folder that only the user can read.
pub(super) fn write(uri: &str, extension: &str, content: &[u8]) -> std::result::Result<PathBuf, String> {
    let path = path(uri, extension)?;
    std::fs::write(&path, content).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    Ok(path)
}

/// Where a file that is named after a document lies.
fn path(uri: &str, extension: &str) -> std::result::Result<PathBuf, String> {
    let stem = uri.rsplit('/').next().unwrap_or("").split('.').next().unwrap_or("");
    let safe: String = stem.chars().filter(|c| c.is_ascii_alphanumeric() || "_-".contains(*c)).collect();
    let name = if safe.is_empty() { "program" } else { &safe };
    Ok(folder()?.join(format!("{name}.{extension}")))
}

/// Puts a text into a file that editors open for reading only.
fn read_only(path: &Path, text: &str) -> std::result::Result<(), String> {
    let new = path.with_extension("new");
    let put = || {
        std::fs::write(&new, text)?;
        #[cfg(unix)]
        std::fs::set_permissions(&new, std::os::unix::fs::PermissionsExt::from_mode(0o400))?;
        // An editor that reads it meanwhile has the whole of the old text.
        std::fs::rename(&new, path)
    };
    put().map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// A new folder for what this server writes, which nobody else can have made before.
fn folder() -> std::result::Result<&'static Path, String> {
    static FOLDER: OnceLock<std::result::Result<PathBuf, String>> = OnceLock::new();
    let made = FOLDER.get_or_init(|| {
        use std::hash::{BuildHasher, RandomState};
        let path = std::env::temp_dir().join(format!("tile-{:016x}", RandomState::new().hash_one(std::process::id())));
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(false);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path).map_err(|error| format!("cannot make the folder `{}`: {error}", path.display()))?;
        Ok(path)
    });
    made.as_deref().map_err(String::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_takes_the_place_of_an_older_one() {
        let path = path("file:///a/odd%20name.tile", "ptx").expect("a folder");
        assert!(path.ends_with("odd20name.ptx"), "{}", path.display());
        for text in ["one", "two"] {
            read_only(&path, text).expect("it can be written");
            assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some(text));
            #[cfg(unix)]
            assert!(std::fs::metadata(&path).expect("it is there").permissions().readonly());
        }
    }
}
