//! Writing a file so that whoever reads it sees either the old content or the new one.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::Path;

/// Puts `bytes` into a file, which has either its old content or the new one, whatever happens on the way. They are written
/// beside the file, which then gives way to them; the permissions stay. Where the path is a link, the file it leads to is
/// replaced, not the link. What is no ordinary file, such as a pipe, is written to.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => fs::OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Ok(found) if fs::symlink_metadata(path)?.is_symlink() => {
            exchange(&fs::canonicalize(path)?, bytes, Some(found.permissions()))
        }
        Ok(found) => exchange(path, bytes, Some(found.permissions())),
        Err(_) => exchange(path, bytes, None),
    }
}

fn exchange(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tile-");
    #[cfg(unix)]
    builder.permissions(permissions.clone().unwrap_or(std::os::unix::fs::PermissionsExt::from_mode(0o666)));
    let mut file = builder.tempfile_in(folder).map_err(|error| in_folder(folder, &error))?;
    file.write_all(bytes)?;
    // A file is made without what the process takes from all files that it makes. Most need no second step.
    if let Some(permissions) = permissions
        && file.as_file().metadata()?.permissions() != permissions
    {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path).map(|_| ()).map_err(|error| error.error)
}

/// Why no file can be made in a folder, without the name of the file, which means nothing to the user.
fn in_folder(folder: &Path, error: &io::Error) -> io::Error {
    fs::metadata(folder).err().unwrap_or_else(|| io::Error::from(error.kind()))
}
