//! The on-disk cache of compiled code and compiler facts, in the user's cache folder.
//!
//! The content is not trusted: each entry contains its full key and a checksum, and an entry that does not match is
//! deleted and created again. A folder that other users can write to is not used.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The variable that names the folder.
pub const FOLDER_VARIABLE: &str = "TILE_CACHE_DIR";

/// The variable that limits the size of the cache, such as `512MiB`; `0` disables the cache.
pub const SIZE_VARIABLE: &str = "TILE_CACHE_SIZE";

/// The default size limit in bytes.
const DEFAULT_LIMIT: u64 = 1 << 30;

/// The magic number of an entry, which includes the version of its layout.
const MAGIC: &[u8; 8] = b"tile-c01";

/// The file extension of entries.
const SUFFIX: &str = "entry";

/// The name prefix of files that are being written.
const UNFINISHED: &str = ".new-";

/// The age after which an unfinished file counts as abandoned.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

/// A cache in a folder.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    limit: u64,
}

/// The amount of cached data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The number of entries.
    pub entries: usize,
    /// Their total size in bytes.
    pub bytes: u64,
}

impl Cache {
    /// The user's cache; `None` if it is disabled or its folder cannot be determined.
    pub fn of_user() -> Option<Cache> {
        let limit = match std::env::var(SIZE_VARIABLE) {
            Ok(text) if text.trim() == "0" => return None,
            Ok(text) => tile_input::size::parse(&text).unwrap_or(DEFAULT_LIMIT),
            Err(_) => DEFAULT_LIMIT,
        };
        Some(Cache::at(user_folder()?.join("compiled"), limit))
    }

    /// A cache in a folder, which is created when needed.
    pub fn at(folder: PathBuf, limit: u64) -> Cache {
        Cache { folder, limit }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The size limit in bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the value stored under a key.
    pub fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        if !is_own(&self.folder) {
            return None;
        }
        let path = self.path(key);
        let file = tile_input::read(&path, self.limit).ok()?;
        let Some(value) = value_of(&file, key) else {
            // The entry is damaged, or another key has the same hash.
            let _ = fs::remove_file(&path);
            return None;
        };
        let value = value.to_vec();
        // The modification time records the last use. If it cannot be set, the entry is evicted earlier.
        let _ = fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(value)
    }

    /// Stores a value under a key. Evicts the least recently used entries if the cache is full.
    pub fn put(&self, key: &[u8], value: &[u8]) -> io::Result<()> {
        make_folder(&self.folder)?;
        if !is_own(&self.folder) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "other users can write to the cache folder"));
        }
        let file = entry(key, value);
        if file.len() as u64 > self.limit {
            return Ok(());
        }
        let mut new = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.folder)?;
        io::Write::write_all(&mut new, &file)?;
        new.persist(self.path(key)).map_err(|error| error.error)?;
        self.evict()
    }

    /// Returns the number and size of the entries.
    pub fn contents(&self) -> io::Result<Contents> {
        let entries = self.entries()?;
        Ok(Contents { entries: entries.len(), bytes: entries.iter().map(|(_, bytes, _)| bytes).sum() })
    }

    /// Deletes all entries. Returns their number and size.
    pub fn clear(&self) -> io::Result<Contents> {
        let mut deleted = Contents::default();
        for (_, bytes, path) in self.entries()? {
            fs::remove_file(path)?;
            deleted = Contents { entries: deleted.entries + 1, bytes: deleted.bytes + bytes };
        }
        Ok(deleted)
    }

    fn path(&self, key: &[u8]) -> PathBuf {
        let [a, b] = hashes(key);
        self.folder.join(format!("{a:016x}{b:016x}.{SUFFIX}"))
    }

    /// All entries: the time of the last use, the size and the path.
    fn entries(&self) -> io::Result<Vec<(SystemTime, u64, PathBuf)>> {
        let files = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            files => files?,
        };
        let mut found = Vec::new();
        for file in files {
            let path = file?.path();
            // Another process may have removed it.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(UNFINISHED) && used.elapsed().is_ok_and(|age| age > ABANDONED_AFTER) {
                let _ = fs::remove_file(&path);
            } else if metadata.is_file() && path.extension().is_some_and(|end| end == SUFFIX) {
                found.push((used, metadata.len(), path));
            }
        }
        Ok(found)
    }

    fn evict(&self) -> io::Result<()> {
        let mut entries = self.entries()?;
        let mut bytes: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        entries.sort();
        for (_, size, path) in entries {
            if bytes <= self.limit {
                break;
            }
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => bytes -= size,
            }
        }
        Ok(())
    }
}

/// The cache folder of this program.
fn user_folder() -> Option<PathBuf> {
    let named = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = named(FOLDER_VARIABLE) {
        return Some(folder);
    }
    if cfg!(windows) {
        return Some(named("LOCALAPPDATA")?.join("tile").join("cache"));
    }
    let home = || named("HOME");
    if cfg!(target_os = "macos") {
        return Some(home()?.join("Library/Caches/tile"));
    }
    let caches = named("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    Some(caches.or_else(|| Some(home()?.join(".cache")))?.join("tile"))
}

/// Creates a folder that only the user can access.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whether the user owns the folder and no one else can write to it.
fn is_own(folder: &Path) -> bool {
    let Ok(metadata) = fs::metadata(folder) else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let is_private = metadata.mode() & 0o022 == 0;
        metadata.is_dir() && is_private && metadata.uid() == rustix::process::geteuid().as_raw()
    }
    #[cfg(not(unix))]
    metadata.is_dir()
}

/// Two independent hashes.
fn hashes(bytes: &[u8]) -> [u64; 2] {
    [0u8, 1].map(|salt| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(bytes);
        hasher.finish()
    })
}

/// Encodes an entry: magic number, checksum, length of the key, key, value.
fn entry(key: &[u8], value: &[u8]) -> Vec<u8> {
    let mut rest = Vec::with_capacity(8 + key.len() + value.len());
    rest.extend((key.len() as u64).to_le_bytes());
    rest.extend(key);
    rest.extend(value);
    let [a, b] = hashes(&rest);
    [&MAGIC[..], &a.to_le_bytes(), &b.to_le_bytes(), &rest].concat()
}

/// The value of an entry, if it is intact and has this key.
fn value_of<'f>(file: &'f [u8], key: &[u8]) -> Option<&'f [u8]> {
    let (checksum, rest) = file.strip_prefix(MAGIC)?.split_at_checked(16)?;
    let [a, b] = hashes(rest);
    let is_intact = checksum == [a.to_le_bytes(), b.to_le_bytes()].concat();
    let (length, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (own, value) = rest.split_at_checked(length)?;
    (is_intact && own == key).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(limit: u64) -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::at(folder.path().join("a").join("b"), limit);
        (folder, cache)
    }

    #[test]
    fn stored_values_are_returned() {
        let (_folder, cache) = cache(1 << 20);
        assert_eq!(cache.contents().expect("a missing folder counts as empty"), Contents::default());
        assert_eq!(cache.get(b"k"), None);
        cache.put(b"k", b"value").expect("the value is stored");
        cache.put(b"empty", b"").expect("the value is stored");
        assert_eq!((cache.get(b"k"), cache.get(b"empty")), (Some(b"value".to_vec()), Some(vec![])));
        assert_eq!(cache.get(b"other"), None);
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let mode = |path: &Path| fs::metadata(path).expect("the file exists").mode() & 0o777;
            assert_eq!((mode(cache.folder()), mode(&cache.path(b"k"))), (0o700, 0o600));
        }
        assert_eq!(cache.clear().expect("all entries can be deleted").entries, 2);
        assert_eq!(cache.contents().expect("the folder exists"), Contents::default());
    }

    #[test]
    fn a_damaged_entry_is_deleted() {
        let (_folder, cache) = cache(1 << 20);
        cache.put(b"k", b"some value").expect("the value is stored");
        let path = cache.path(b"k");
        let whole = fs::read(&path).expect("the file exists");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert_eq!(value_of(&damaged, b"k"), None, "byte {at}");
            assert_eq!(value_of(&whole[..at], b"k"), None, "cut at {at}");
        }
        // An entry of another key in the same file.
        fs::write(&path, entry(b"other", b"x")).expect("the folder is writable");
        assert_eq!(cache.get(b"k"), None);
        assert!(!path.exists());
    }

    #[test]
    fn the_least_recently_used_entry_is_evicted() {
        let (_folder, cache) = cache(3 * 1100);
        let value = [7; 1000];
        let age = |key: &[u8], seconds: u64| {
            let file = fs::File::options().append(true).open(cache.path(key)).expect("the file exists");
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds))
                .expect("the modification time can be set");
        };
        for (key, seconds) in [(b"a", 300), (b"b", 200), (b"c", 100)] {
            cache.put(key, &value).expect("the value is stored");
            age(key, seconds);
        }
        assert!(cache.get(b"a").is_some());
        cache.put(b"d", &value).expect("the value is stored");
        assert_eq!(cache.get(b"b"), None);
        assert!(cache.get(b"a").is_some() && cache.get(b"c").is_some() && cache.get(b"d").is_some());
        cache.put(b"huge", &[0; 4000]).expect("a value above the limit is ignored");
        assert_eq!((cache.get(b"huge"), cache.contents().expect("the folder can be read").entries), (None, 3));
    }

    #[test]
    fn abandoned_files_are_deleted() {
        let (_folder, cache) = cache(1 << 20);
        cache.put(b"k", b"value").expect("the value is stored");
        let [old, new] = ["old", "now"].map(|name| cache.folder().join(format!("{UNFINISHED}{name}")));
        for path in [&old, &new] {
            fs::write(path, "half").expect("the folder is writable");
        }
        let file = fs::File::options().append(true).open(&old).expect("the file exists");
        file.set_modified(SystemTime::now() - 2 * ABANDONED_AFTER).expect("the modification time can be set");
        drop(file);
        assert_eq!(cache.contents().expect("the folder can be read").entries, 1);
        assert!(!old.exists() && new.exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_others_can_write_to_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, cache) = cache(1 << 20);
        cache.put(b"k", b"value").expect("the value is stored");
        fs::set_permissions(cache.folder(), fs::Permissions::from_mode(0o777)).expect("the test owns the folder");
        assert_eq!(cache.get(b"k"), None);
        assert!(cache.put(b"k", b"value").is_err());
    }
}
