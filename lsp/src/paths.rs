//! Conversion of URIs to paths.

use std::path::{Component, Path, PathBuf};
use tower_lsp::ls_types::Uri;

/// The path of a `file:` URI.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    uri.as_str().starts_with("file:").then(|| uri.to_file_path().map(std::borrow::Cow::into_owned))?
}

/// Removes `.` and `..` from a path without looking at the disk. `None` if it leads above the root.
pub(crate) fn normalize(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if !out.pop() => return None,
            Component::ParentDir => {}
            other => out.push(other),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized_without_the_disk() {
        assert_eq!(normalize(Path::new("/a/./b/../c.npy")).as_deref(), Some(Path::new("/a/c.npy")));
        assert_eq!(normalize(Path::new("/a/../../etc/passwd")), None);
    }
}
