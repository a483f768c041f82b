//! The pages of diagnostics as files, so that every editor can open them. A page is written to the user's cache
//! directory when its code is first reported.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tile_analysis::diagnostic::Page;
use tower_lsp::ls_types::Uri;

/// The pages written so far; `None` for a page that could not be written.
static WRITTEN: Mutex<Option<HashMap<&'static str, Option<Uri>>>> = Mutex::new(None);

/// The URI of a diagnostic's page, or `None` if the page cannot be written.
pub(crate) fn page(page: &'static Page) -> Option<Uri> {
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = written.get_or_insert_with(HashMap::new);
    known.entry(page.code).or_insert_with(|| write(&folder()?, page)).clone()
}

fn write(folder: &Path, page: &Page) -> Option<Uri> {
    let (path, text) = (folder.join(format!("{}.md", page.code)), page.markdown());
    if tile_input::read_text(&path, tile_input::MAX_SETTINGS).ok().as_ref() != Some(&text) {
        std::fs::create_dir_all(folder).ok()?;
        // Another server may write or read the page at the same time; renaming a complete file keeps it from seeing
        // half of it.
        let new = folder.join(format!(".{}.{}", page.code, std::process::id()));
        std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &path)).ok()?;
    }
    Uri::from_file_path(&path)
}

/// The directory of the pages, one for each version of the program.
fn folder() -> Option<PathBuf> {
    Some(cache()?.join("tile").join("explain").join(env!("CARGO_PKG_VERSION")))
}

/// The user's cache directory.
fn cache() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        return variable("LOCALAPPDATA");
    }
    let home = variable("HOME");
    if cfg!(target_os = "macos") {
        return Some(home?.join("Library").join("Caches"));
    }
    variable("XDG_CACHE_HOME").or_else(|| Some(home?.join(".cache")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_written_once_and_when_it_has_changed() {
        let folder = std::env::temp_dir().join(format!("tile-explain-{}", std::process::id()));
        let page = tile_analysis::diagnostics::PAGES[0];
        let uri = write(&folder, page).expect("the page can be written");
        assert!(uri.as_str().starts_with("file:///") && uri.as_str().ends_with(&format!("{}.md", page.code)));
        let path = folder.join(format!("{}.md", page.code));
        std::fs::write(&path, "old").expect("the page can be written");
        write(&folder, page).expect("the page can be written");
        assert_eq!(std::fs::read_to_string(&path).ok(), Some(page.markdown()));
        assert_eq!(std::fs::read_dir(&folder).expect("the folder exists").count(), 1);
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
        assert_eq!(write(Path::new("/dev/null/no"), page), None);
    }
}
