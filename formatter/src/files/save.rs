//! Writing a file so that whoever reads it sees either the old text or the new one.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Replaces what a file holds. The new text is written beside the file, which then gives way to it; the permissions
/// stay. Where the path is a link, the file it leads to is replaced, not the link.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return exchange(&fs::canonicalize(path)?, fs::metadata(path)?.permissions(), text);
    }
    exchange(path, found.permissions(), text)
}

fn exchange(path: &Path, permissions: fs::Permissions, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tile-");
    #[cfg(unix)]
    builder.permissions(permissions.clone());
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    // A file is made without what the process takes from all files that it makes. Most need no second step.
    if file.as_file().metadata()?.permissions() != permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path)?;
    Ok(())
}
