//! The directory for files that the server writes for an editor to open. It is in the system's directory for temporary
//! files, readable by the user alone, and exists as long as the server runs.
//!
//! A killed server leaves its directory behind, and the next server that creates one removes it. To tell abandoned
//! directories from used ones, a server holds a lock on a file in its directory, which the system releases however the
//! server ends.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, Metadata};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The prefix of the directories' names.
const PREFIX: &str = "tile-shown-";

/// The file in a directory that its server holds a lock on.
const LOCK: &str = "lock";

/// The minimum age of a directory to be removed. A new one may not be locked yet.
const AGE: Duration = Duration::from_secs(60);

/// The directory of this server, created on first use.
#[derive(Default)]
pub(crate) struct Scratch(Mutex<State>);

#[derive(Default)]
enum State {
    #[default]
    None,
    Made(Folder),
    /// The server is shutting down.
    Gone,
}

struct Folder {
    path: PathBuf,
    /// Held as long as the directory is used.
    lock: File,
}

impl Scratch {
    /// Returns the directory, and creates it if necessary.
    pub(crate) fn path(&self) -> Result<PathBuf, String> {
        let mut state = self.lock();
        if let State::None = *state {
            let all = std::env::temp_dir();
            let folder = Folder::make(&all)?;
            let own = folder.path.clone();
            *state = State::Made(folder);
            // The removal runs in the background.
            std::thread::spawn(move || remove_abandoned(&all, &own));
        }
        match &*state {
            State::Made(folder) => Ok(folder.path.clone()),
            _ => Err("the server is shutting down".to_string()),
        }
    }

    /// Removes the directory, which cannot be created again.
    pub(crate) fn remove(&self) {
        if let State::Made(Folder { path, lock }) = std::mem::replace(&mut *self.lock(), State::Gone) {
            // Windows cannot remove an open file.
            drop(lock);
            // If this fails, the system or the next server removes it.
            let _ = fs::remove_dir_all(path);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.remove();
    }
}

impl Folder {
    /// Creates a directory that did not exist before, and locks it.
    fn make(all: &Path) -> Result<Folder, String> {
        let path = all.join(format!("{PREFIX}{:016x}", RandomState::new().hash_one(std::process::id())));
        let cannot = |error| format!("cannot create the directory `{}`: {error}", path.display());
        let mut builder = fs::DirBuilder::new();
        builder.recursive(false);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path).map_err(cannot)?;
        let lock = File::create_new(path.join(LOCK)).map_err(cannot)?;
        // On systems without file locks, no server treats a directory as abandoned either.
        let _ = lock.try_lock();
        Ok(Folder { path, lock })
    }
}

/// Removes the directories of ended servers that belong to the same user as this server's `own`.
fn remove_abandoned(all: &Path, own: &Path) {
    let Ok(own) = fs::metadata(own) else { return };
    let found = fs::read_dir(all).into_iter().flatten().flatten();
    found.filter(|entry| is_abandoned(entry, &own).unwrap_or(false)).for_each(|entry| {
        // If this fails, a later server tries again.
        let _ = fs::remove_dir_all(entry.path());
    });
}

/// Whether a directory is one of ours and unused.
fn is_abandoned(entry: &DirEntry, own: &Metadata) -> io::Result<bool> {
    let is_named = |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with(PREFIX));
    if !is_named(&entry.file_name()) {
        return Ok(false);
    }
    // Links are not followed.
    let found = entry.metadata()?;
    if !found.is_dir() || !is_of_same_user(&found, own) {
        return Ok(false);
    }
    let (lock, metadata) = tile_input::open_regular(&entry.path().join(LOCK))?;
    let is_old = metadata.modified()?.elapsed().is_ok_and(|age| age >= AGE);
    Ok(is_old && lock.try_lock().is_ok())
}

#[cfg(unix)]
fn is_of_same_user(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.uid() == other.uid()
}

/// On other systems each user has a separate directory for temporary files.
#[cfg(not(unix))]
fn is_of_same_user(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    /// Makes a directory look old.
    fn age(folder: &Path) {
        let lock = File::options().write(true).open(folder.join(LOCK)).expect("the lock file exists");
        lock.set_modified(SystemTime::now() - 2 * AGE).expect("the lock file is ours");
    }

    /// Creates a directory as a killed server leaves it.
    fn abandoned(all: &Path) -> PathBuf {
        let folder = Folder::make(all).expect("it can be made");
        fs::write(folder.path.join("a.ptx"), "text").expect("it can be written");
        age(&folder.path);
        folder.path
    }

    #[test]
    fn directories_of_ended_servers_are_removed() {
        let all = tempfile::tempdir().expect("a folder");
        let gone = abandoned(all.path());
        let used = Folder::make(all.path()).expect("it can be made");
        age(&used.path);
        let new = all.path().join(format!("{PREFIX}new"));
        fs::create_dir(&new).expect("it can be made");
        fs::write(new.join(LOCK), "").expect("it can be written");
        let unknown = all.path().join(format!("{PREFIX}unknown"));
        fs::create_dir(&unknown).expect("it can be made");
        let other = all.path().join("tile-other");
        fs::create_dir(&other).expect("it can be made");
        remove_abandoned(all.path(), &used.path);
        assert!(!gone.exists());
        for kept in [&used.path, &new, &unknown, &other] {
            assert!(kept.exists(), "{}", kept.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (all, elsewhere) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let target = abandoned(elsewhere.path());
        std::os::unix::fs::symlink(&target, all.path().join(format!("{PREFIX}link"))).expect("links are supported");
        remove_abandoned(all.path(), all.path());
        assert!(target.join("a.ptx").exists());
    }

    #[test]
    fn a_directory_is_removed_with_its_server() {
        let scratch = Scratch::default();
        let path = scratch.path().expect("it can be made");
        assert_eq!(scratch.path().as_ref(), Ok(&path));
        fs::write(path.join("a.ptx"), "text").expect("it can be written");
        scratch.remove();
        assert!(!path.exists());
        assert!(scratch.path().is_err());
    }
}
