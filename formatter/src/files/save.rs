//! Writing a file so that whoever reads it sees either the old text or the new one.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Replaces what a file holds. The new text is written beside the file, which then gives way to it; the permissions
/// stay. Where the path is a link, the file it leads to is replaced, not the link.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(fs::metadata(&path)?.permissions())?;
    file.persist(&path)?;
    Ok(())
}
