//! Atomic writes: readers of a file see either its old content or the new one, also after a crash or a power failure.

use super::busy::Busy;
use super::read::read;
use rustc_hash::FxBuildHasher;
use std::fs::{self, File, Metadata};
use std::hash::BuildHasher;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// A file that was read and can be replaced.
pub struct Original {
    /// Kept open on Unix: see [`new_file_near`]. Windows cannot replace an open file.
    file: Option<File>,
    metadata: Metadata,
    /// The hash of the content that was read.
    hash: u64,
}

/// The outcome of [`Original::replace`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Replaced {
    /// The file has the new content.
    Done,
    /// The file has changed since it was read, and is left unchanged.
    Changed,
}

/// Replaces the content of a file atomically, or creates the file.
///
/// Writes a new file in the same folder and renames it. The new file keeps the permissions and, if the system allows
/// it, the owner. If the path is a link, replaces the file that it leads to. A file with several hard links, or one
/// that is not regular, such as a pipe, is written in place.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (target, old) = match fs::metadata(path) {
        Ok(found) if !found.is_file() => return write_to(path, bytes),
        Ok(found) => (resolve_links(path)?.0, Some(found)),
        Err(_) => (path.to_path_buf(), None),
    };
    let _busy = Busy::begin();
    let new = new_file_near(&target, bytes, old.as_ref())?;
    if old.is_some_and(|old| has_other_names(&old)) {
        write_in_place(&target, bytes, new, |_| Ok(true)).map(|_| ())
    } else {
        new.persist(target).map(|_| ()).map_err(io::Error::from)
    }
}

/// Checks whether [`replace`] could write a file now, without changing it.
pub fn can_replace(path: &Path) -> io::Result<()> {
    let (target, old) = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        // Opening a pipe would wait for its reader.
        Ok(found) if !found.is_file() => return Ok(()),
        Ok(found) => (resolve_links(path)?.0, Some(found)),
        Err(_) => (path.to_path_buf(), None),
    };
    let _busy = Busy::begin();
    new_file_near(&target, b"", old.as_ref()).map(drop)
}

impl Original {
    /// Reads a file, or a pipe or terminal, which has no content to replace and therefore no original.
    pub fn read(path: &Path) -> io::Result<(Vec<u8>, Option<Original>)> {
        let (mut file, metadata) = tile_input::open_given(path)?;
        let bytes = read(&mut file, metadata.len())?;
        let hash = hash(&bytes);
        let original = Original { file: Some(file).filter(|_| cfg!(unix)), metadata, hash };
        Ok((bytes, Some(original).filter(|original| original.metadata.is_file())))
    }

    /// Replaces the file as [`replace`] does, unless it has changed since it was read.
    ///
    /// No system call renames a file only if its target is unchanged. So a change between the last check and the
    /// rename, which is the next system call on Unix, is lost; so is what a program that has opened the file before
    /// writes after it, and what another program writes while a file with several names is written in place.
    pub fn replace(mut self, path: &Path, bytes: &[u8]) -> io::Result<Replaced> {
        let (target, now) = resolve_links(path)?;
        if !is_same(&self.metadata, &now) {
            return Ok(Replaced::Changed);
        }
        let _busy = Busy::begin();
        let new = new_file_near(&target, bytes, Some(&now))?;
        if has_other_names(&now) {
            let is_unchanged = |file: &mut File| {
                let is_this = is_same(&self.metadata, &file.metadata()?);
                Ok(is_this && hash(&read(file, self.metadata.len())?) == self.hash)
            };
            return write_in_place(&target, bytes, new, is_unchanged);
        }
        if !self.has_same_content(&target)? || !is_same(&self.metadata, &fs::symlink_metadata(&target)?) {
            return Ok(Replaced::Changed);
        }
        new.persist(target)?;
        drop(self.file);
        Ok(Replaced::Done)
    }

    /// Whether the file still has the content that was read. Its times can be the same after a change: clocks of file
    /// systems have a resolution of some milliseconds. On Windows, this also recognizes a replaced file, which has no
    /// number.
    fn has_same_content(&mut self, path: &Path) -> io::Result<bool> {
        let mut opened;
        let file = match &mut self.file {
            Some(file) => {
                file.seek(SeekFrom::Start(0))?;
                file
            }
            None => {
                opened = File::open(path)?;
                &mut opened
            }
        };
        Ok(hash(&read(file, self.metadata.len())?) == self.hash)
    }
}

/// Whether a file has several hard links.
fn has_other_names(found: &Metadata) -> bool {
    #[cfg(unix)]
    let names = std::os::unix::fs::MetadataExt::nlink(found);
    #[cfg(not(unix))]
    let names = {
        let _ = found;
        1
    };
    names > 1
}

/// Writes a file in place if `is_unchanged` returns true, because renaming another file over it would break its hard
/// links. If writing fails halfway, the file `new` in the same folder keeps the complete new content.
fn write_in_place(
    path: &Path,
    bytes: &[u8],
    new: NamedTempFile,
    is_unchanged: impl FnOnce(&mut File) -> io::Result<bool>,
) -> io::Result<Replaced> {
    // Another thread can write the same file by another name.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut file = File::options().read(true).write(true).open(path)?;
    // The complete new content must be found after a power failure in the middle.
    sync_folder(path)?;
    if !is_unchanged(&mut file)? {
        return Ok(Replaced::Changed);
    }
    let mut write = || {
        file.seek(SeekFrom::Start(0))?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)?;
        file.sync_data()
    };
    match write() {
        Ok(()) => Ok(Replaced::Done),
        Err(error) => {
            let (_, kept) = new.keep()?;
            let why = format!("{error}; the new content is in `{}`", kept.display());
            Err(io::Error::new(error.kind(), why))
        }
    }
}

/// Writes the entries of the folder of a file to disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = folder_of(path);
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn hash(bytes: &[u8]) -> u64 {
    FxBuildHasher.hash_one(bytes)
}

fn write_to(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(path)?.write_all(bytes)
}

/// Resolves links. Returns the path and the metadata of the file.
fn resolve_links(path: &Path) -> io::Result<(PathBuf, Metadata)> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        let path = fs::canonicalize(path)?;
        let found = fs::symlink_metadata(&path)?;
        return Ok((path, found));
    }
    Ok((path.to_path_buf(), found))
}

/// Whether a file has probably not changed in between. On Unix, a change of its permissions counts too.
fn is_same(before: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: &Metadata| {
            (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec(), metadata.mode())
        };
        if identity(before) != identity(now) {
            return false;
        }
    }
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

/// Creates a file in the folder of `path`, to be renamed over the file at `path`, whose metadata is `old`.
///
/// The content is on disk when this returns: otherwise some file systems would rename an empty file if the power fails
/// afterwards. Freeing the old content during a rename would lock the folder, so the caller keeps the old file open
/// until after the rename.
fn new_file_near(path: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    if let Some(old) = old {
        check_writable(path, old)?;
    }
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tile-");
    #[cfg(unix)]
    builder.permissions(old.map_or_else(|| std::os::unix::fs::PermissionsExt::from_mode(0o666), Metadata::permissions));
    let mut file = builder.tempfile_in(folder).map_err(|error| in_folder(folder, &error))?;
    // Write through `as_file_mut`: errors of `NamedTempFile` include the temporary name.
    file.as_file_mut().write_all(bytes)?;
    if let Some(old) = old {
        keep_owner_and_permissions(file.as_file(), old)?;
    }
    file.as_file().sync_data()?;
    Ok(file)
}

/// Checks that a file is writable: a rename requires only a writable folder, but a read-only file should not be
/// replaced. A file without any write permission is protected even from root.
#[allow(unsafe_code)]
fn check_writable(path: &Path, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let mode = std::os::unix::fs::MetadataExt::mode(old) & 0o777;
        if mode & 0o222 == 0 {
            let why = format!("it is read-only (mode {mode:03o}); `chmod u+w` makes it writable");
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        let path = std::ffi::CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: `path` is a C string that outlives the call.
        let is_writable = unsafe { libc::access(path.as_ptr(), libc::W_OK) } == 0;
        if is_writable { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        if old.permissions().readonly() { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
    }
}

/// Copies the owner and the permissions. A new file has permissions reduced by the umask, and belongs to the user who
/// creates it: root can format the files of others. Most files need no change.
fn keep_owner_and_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    let new = file.metadata()?;
    #[cfg(unix)]
    let owner_changed = {
        use std::os::unix::fs::{MetadataExt, fchown};
        let (user, group) = (old.uid(), old.gid());
        let differs = (user, group) != (new.uid(), new.gid());
        // A user who cannot change the owner can perhaps change the group.
        differs && (fchown(file, Some(user), Some(group)).is_ok() || fchown(file, None, Some(group)).is_ok())
    };
    #[cfg(not(unix))]
    let owner_changed = false;
    if owner_changed || new.permissions() != old.permissions() {
        file.set_permissions(old.permissions())?;
    }
    Ok(())
}

/// The error for a folder in which no file can be created, without the temporary name, which means nothing to the user.
fn in_folder(folder: &Path, error: &io::Error) -> io::Error {
    let is_there =
        || io::Error::new(error.kind(), format!("cannot create a file in the same folder: {}", error.kind()));
    fs::metadata(folder).err().unwrap_or_else(is_there)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.tile");
        fs::write(&path, text).expect("the file can be written");
        (folder, path)
    }

    fn read_original(path: &Path) -> (Vec<u8>, Original) {
        let (bytes, original) = Original::read(path).expect("the file can be read");
        (bytes, original.expect("it is a regular file"))
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).expect("the file can be read")
    }

    #[cfg(unix)]
    #[test]
    fn root_keeps_the_owner_of_a_file() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let (_folder, path) = file("old");
        let ids =
            || fs::metadata(&path).map(|found| (found.uid(), found.gid(), found.permissions().mode() & 0o7777)).ok();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o2664)).expect("we own the file");
        if std::os::unix::fs::chown(&path, Some(1234), Some(4321)).is_ok() {
            fs::set_permissions(&path, PermissionsExt::from_mode(0o2664)).expect("root can change permissions");
        }
        let before = ids();
        replace(&path, b"new").expect("the file can be replaced");
        assert_eq!((text(&path).as_str(), ids()), ("new", before));
    }

    #[test]
    fn an_unchanged_file_is_replaced() {
        let (folder, path) = file("old");
        let (bytes, original) = read_original(&path);
        assert_eq!(bytes, b"old");
        assert_eq!(original.replace(&path, b"new").ok(), Some(Replaced::Done));
        assert_eq!(text(&path), "new");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }

    #[test]
    fn a_file_changed_in_the_meantime_is_kept() {
        let changes: [fn(&Path); 5] = [
            |path| fs::write(path, "longer").expect("the file can be written"),
            |path| replace(path, b"own").expect("the file can be replaced"),
            |path| {
                let later = std::time::SystemTime::now() + std::time::Duration::from_secs(9);
                let file = File::options().write(true).open(path).expect("the file exists");
                file.set_modified(later).expect("we own the file");
            },
            |path| fs::remove_file(path).expect("the file exists"),
            // Within the resolution of the clock, only the content differs.
            |path| {
                let before = fs::metadata(path).and_then(|found| found.modified()).expect("a time");
                let mut file = File::options().write(true).open(path).expect("the file exists");
                file.write_all(b"OLD").and_then(|()| file.set_modified(before)).expect("we own the file");
            },
        ];
        for change in changes {
            let (folder, path) = file("old");
            let (_, original) = read_original(&path);
            change(&path);
            let before = fs::read(&path).ok();
            assert_ne!(original.replace(&path, b"new").ok(), Some(Replaced::Done));
            assert_eq!(fs::read(&path).ok(), before);
            assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), usize::from(before.is_some()));
        }
    }

    #[cfg(unix)]
    #[test]
    fn changed_permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, path) = file("old");
        let (_, original) = read_original(&path);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o700)).expect("we own the file");
        assert_eq!(original.replace(&path, b"new").ok(), Some(Replaced::Changed));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_with_another_target_has_changed() {
        let (folder, path) = file("old");
        let (link, other) = (folder.path().join("link"), folder.path().join("other"));
        fs::write(&other, "other").expect("the file can be written");
        std::os::unix::fs::symlink(&path, &link).expect("links are supported");
        let (_, original) = read_original(&link);
        fs::remove_file(&link).expect("the file exists");
        std::os::unix::fs::symlink(&other, &link).expect("links are supported");
        assert_eq!(original.replace(&link, b"new").ok(), Some(Replaced::Changed));
        assert_eq!((text(&path), text(&other)), ("old".to_string(), "other".to_string()));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_hard_links() {
        let (folder, path) = file("old one");
        let other = folder.path().join("b.tile");
        fs::hard_link(&path, &other).expect("links are supported");
        let (_, original) = read_original(&path);
        assert_eq!(original.replace(&path, b"new").ok(), Some(Replaced::Done));
        assert_eq!((text(&path), text(&other)), ("new".to_string(), "new".to_string()));
        replace(&other, b"newer").expect("the file can be replaced");
        assert_eq!((text(&path), text(&other)), ("newer".to_string(), "newer".to_string()));
        // A change that keeps the size and the time is detected by the hash.
        let (_, original) = read_original(&path);
        let before = fs::metadata(&path).and_then(|found| found.modified()).expect("a time");
        let mut file = File::options().write(true).open(&other).expect("the file exists");
        file.write_all(b"NEWER").and_then(|()| file.set_modified(before)).expect("we own the file");
        assert_eq!(original.replace(&path, b"lost").ok(), Some(Replaced::Changed));
        assert_eq!((text(&path), text(&other)), ("NEWER".to_string(), "NEWER".to_string()));
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 2);
    }
}
