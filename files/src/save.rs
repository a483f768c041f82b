//! Writes a file atomically: readers see either the old content or the new one.

use super::busy::Busy;
use super::read::read;
use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// A file that was read and can be replaced by new content.
pub struct Original {
    /// Still open: see [`write_next_to`].
    file: File,
    metadata: Metadata,
    /// The metadata when it was read.
    hash: u64,
}

/// The result of saving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Replaced {
    /// The file has the new content.
    Done,
    /// Another program has changed the file since it was read, so it was not saved.
    Changed,
}

/// Replaces the content of a file with `bytes` atomically. Writes them to a temporary file in the same folder and
/// renames it; keeps the permissions and, where the system allows it, the owner. If the path is a link, its target is
/// replaced, not the link. Special files such as pipes are written to directly, and so are files with several hard
/// links, which all keep referring to the file.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (place, old) = match fs::metadata(path) {
        Ok(found) if !found.is_file() => return write_to(path, bytes),
        Ok(found) => (place(path)?.0, Some(found)),
        Err(_) => (path.to_path_buf(), None),
    };
    let _busy = Busy::begin();
    let new = write_next_to(&place, bytes, old.as_ref())?;
    if old.is_some_and(|old| has_other_names(&old)) {
        write_in_place(&place, bytes, new, |_| Ok(true)).map(|_| ())
    } else {
        new.persist(place).map(|_| ()).map_err(io::Error::from)
    }
}

/// Whether [`replace`] could write a file now. Does not change it.
pub fn can_replace(path: &Path) -> io::Result<()> {
    let (place, old) = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        // Opening a pipe would wait for its reader.
        Ok(found) if !found.is_file() => return Ok(()),
        Ok(found) => (place(path)?.0, Some(found)),
        Err(_) => (path.to_path_buf(), None),
    };
    let _busy = Busy::begin();
    write_next_to(&place, b"", old.as_ref()).map(drop)
}

impl Original {
    /// Reads a file.
    pub fn read(path: &Path) -> io::Result<(Vec<u8>, Original)> {
        let (mut file, metadata) = tile_input::open_given(path)?;
        let bytes = read(&mut file, metadata.len())?;
        let hash = hash(&bytes);
        Ok((bytes, Original { file, metadata, hash }))
    }

    /// Like [`replace`], unless the file has changed since it was read.
    pub fn replace(self, path: &Path, bytes: &[u8]) -> io::Result<Replaced> {
        if !self.metadata.is_file() {
            // This process has the pipe open, so no other process reads from it.
            drop(self);
            return write_to(path, bytes).map(|()| Replaced::Done);
        }
        let (place, now) = place(path)?;
        if !is_same(&self.metadata, &now) {
            return Ok(Replaced::Changed);
        }
        let _busy = Busy::begin();
        let new = write_next_to(&place, bytes, Some(&now))?;
        // Little time passes between this check and the renaming.
        if !is_same(&self.metadata, &fs::symlink_metadata(&place)?) {
            return Ok(Replaced::Changed);
        }
        if has_other_names(&now) {
            let is_still = |file: &mut File| {
                let is_this = is_same(&self.metadata, &file.metadata()?);
                Ok(is_this && hash(&read(file, self.metadata.len())?) == self.hash)
            };
            return write_in_place(&place, bytes, new, is_still);
        }
        // On other systems than Unix, an open file cannot be replaced.
        let read = Some(self.file).filter(|_| cfg!(unix));
        new.persist(place)?;
        drop(read);
        Ok(Replaced::Done)
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

/// Writes into the file itself unless `is_still` returns false: renaming another file over it would break its hard
/// links. If writing fails halfway, the new content stays in `new`, in the same folder.
fn write_in_place(
    path: &Path,
    bytes: &[u8],
    new: NamedTempFile,
    is_still: impl FnOnce(&mut File) -> io::Result<bool>,
) -> io::Result<Replaced> {
    // Another thread can be writing the same file by another name.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut file = File::options().read(true).write(true).open(path)?;
    if !is_still(&mut file)? {
        return Ok(Replaced::Changed);
    }
    let mut write = || {
        file.seek(SeekFrom::Start(0))?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)
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

fn hash(bytes: &[u8]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(bytes)
}

fn write_to(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(path)?.write_all(bytes)
}

/// The target of a path.
fn place(path: &Path) -> io::Result<(PathBuf, Metadata)> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        let path = fs::canonicalize(path)?;
        let found = fs::symlink_metadata(&path)?;
        return Ok((path, found));
    }
    Ok((path.to_path_buf(), found))
}

/// Whether the file is unchanged since it was read.
fn is_same(before: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    let number = |metadata: &Metadata| {
        use std::os::unix::fs::MetadataExt;
        (metadata.dev(), metadata.ino())
    };
    #[cfg(not(unix))]
    let number = |_: &Metadata| ();
    number(before) == number(now) && before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

/// Creates a file in the same folder that can replace the one at `path`, whose metadata is `old`.
///
/// Renaming locks the folder for everybody, so slow work is done outside of it. The content is already on its way to
/// the disk, because some file systems would only start writing it when the file is renamed. The old file is freed when
/// it is closed, by the program that has it open.
fn write_next_to(path: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    if let Some(old) = old {
        may_write(path, old)?;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tile-");
    #[cfg(unix)]
    builder.permissions(old.map_or_else(|| std::os::unix::fs::PermissionsExt::from_mode(0o666), Metadata::permissions));
    let mut file = builder.tempfile_in(folder).map_err(|error| in_folder(folder, &error))?;
    // Checks the file itself, whose errors would not name it.
    file.as_file_mut().write_all(bytes)?;
    if let Some(old) = old {
        keep_owner_and_permissions(file.as_file(), old)?;
    }
    begin_to_store(file.as_file());
    Ok(file)
}

/// A file without write permission must not be replaced, although the system only requires write permission for the
/// folder. A file that has no write permission at all is protected from root too.
#[allow(unsafe_code)]
fn may_write(path: &Path, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let mode = std::os::unix::fs::MetadataExt::mode(old) & 0o777;
        if mode & 0o222 == 0 {
            let why = format!("it is read-only (mode {mode:03o}); `chmod u+w` makes it writable");
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        let path = std::ffi::CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: the path is null-terminated and lives as long as the call.
        let may = unsafe { libc::access(path.as_ptr(), libc::W_OK) } == 0;
        if may { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        if old.permissions().readonly() { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
    }
}

/// Copies the owner and permissions. A new file belongs to its creator (root can format other users' files) and lacks
/// the permissions in the umask. Most files need no second step.
fn keep_owner_and_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    let new = file.metadata()?;
    #[cfg(unix)]
    let is_given = {
        use std::os::unix::fs::{MetadataExt, fchown};
        let (user, group) = (old.uid(), old.gid());
        let differs = (user, group) != (new.uid(), new.gid());
        // A user who may not change the owner may still be allowed to change the group.
        differs && (fchown(file, Some(user), Some(group)).is_ok() || fchown(file, None, Some(group)).is_ok())
    };
    #[cfg(not(unix))]
    let is_given = false;
    if is_given || new.permissions() != old.permissions() {
        file.set_permissions(old.permissions())?;
    }
    Ok(())
}

/// Starts writing a file to disk without waiting.
#[allow(unsafe_code)]
fn begin_to_store(file: &File) {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // If this fails, the file is written later.
        // SAFETY: the call takes numbers only; the file is open while it is borrowed.
        let _ = unsafe { libc::sync_file_range(file.as_raw_fd(), 0, 0, libc::SYNC_FILE_RANGE_WRITE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

/// Why no file can be created in a folder, without the temporary file's name, which means nothing to the user.
fn in_folder(folder: &Path, error: &io::Error) -> io::Error {
    let is_there =
        || io::Error::new(error.kind(), format!("cannot create a temporary file next to it: {}", error.kind()));
    fs::metadata(folder).err().unwrap_or_else(is_there)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.tile");
        fs::write(&path, text).expect("it can be written");
        (folder, path)
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).expect("it can be read")
    }

    #[cfg(unix)]
    #[test]
    fn a_file_stays_its_owners_where_root_writes() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let (_folder, path) = file("old");
        let ids =
            || fs::metadata(&path).map(|found| (found.uid(), found.gid(), found.permissions().mode() & 0o7777)).ok();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o2664)).expect("it is ours");
        if std::os::unix::fs::chown(&path, Some(1234), Some(4321)).is_ok() {
            fs::set_permissions(&path, PermissionsExt::from_mode(0o2664)).expect("root may");
        }
        let before = ids();
        replace(&path, b"new").expect("it can be replaced");
        assert_eq!((text(&path).as_str(), ids()), ("new", before));
    }

    #[test]
    fn what_was_read_is_replaced() {
        let (folder, path) = file("old");
        let (bytes, original) = Original::read(&path).expect("it can be read");
        assert_eq!(bytes, b"old");
        assert_eq!(original.replace(&path, b"new").ok(), Some(Replaced::Done));
        assert_eq!(text(&path), "new");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }

    #[test]
    fn what_somebody_has_changed_meanwhile_stays() {
        let changes: [fn(&Path); 4] = [
            |path| fs::write(path, "longer").expect("it can be written"),
            |path| replace(path, b"own").expect("it can be replaced"),
            |path| {
                let later = std::time::SystemTime::now() + std::time::Duration::from_secs(9);
                let file = File::options().write(true).open(path).expect("it is there");
                file.set_modified(later).expect("it is ours");
            },
            |path| fs::remove_file(path).expect("it is there"),
        ];
        for change in changes {
            let (folder, path) = file("old");
            let (_, original) = Original::read(&path).expect("it can be read");
            change(&path);
            let before = fs::read(&path).ok();
            assert_ne!(original.replace(&path, b"new").ok(), Some(Replaced::Done));
            assert_eq!(fs::read(&path).ok(), before);
            assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), usize::from(before.is_some()));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_elsewhere_now_has_changed() {
        let (folder, path) = file("old");
        let (link, other) = (folder.path().join("link"), folder.path().join("other"));
        fs::write(&other, "other").expect("it can be written");
        std::os::unix::fs::symlink(&path, &link).expect("it takes links");
        let (_, original) = Original::read(&link).expect("it can be read");
        fs::remove_file(&link).expect("it is there");
        std::os::unix::fs::symlink(&other, &link).expect("it takes links");
        assert_eq!(original.replace(&link, b"new").ok(), Some(Replaced::Changed));
        assert_eq!((text(&path), text(&other)), ("old".to_string(), "other".to_string()));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_with_several_names_keeps_them() {
        let (folder, path) = file("old one");
        let other = folder.path().join("b.tile");
        fs::hard_link(&path, &other).expect("it takes links");
        let (_, original) = Original::read(&path).expect("it can be read");
        assert_eq!(original.replace(&path, b"new").ok(), Some(Replaced::Done));
        assert_eq!((text(&path), text(&other)), ("new".to_string(), "new".to_string()));
        replace(&other, b"newer").expect("it can be replaced");
        assert_eq!((text(&path), text(&other)), ("newer".to_string(), "newer".to_string()));
        // A change of the content alone is detected too.
        let (_, original) = Original::read(&path).expect("it can be read");
        let before = fs::metadata(&path).and_then(|found| found.modified()).expect("a time");
        let mut file = File::options().write(true).open(&other).expect("it is there");
        file.write_all(b"NEWER").and_then(|()| file.set_modified(before)).expect("it is ours");
        assert_eq!(original.replace(&path, b"lost").ok(), Some(Replaced::Changed));
        assert_eq!((text(&path), text(&other)), ("NEWER".to_string(), "NEWER".to_string()));
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 2);
    }
}
