//! What was made before: code and facts in the user's cache folder, so that a second run compiles nothing.
//!
//! Nothing in it is trusted. An entry holds its whole key and a checksum of itself; one that does not fit is thrown away
//! and made again. A folder that others may write to is not used.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The variable that names the folder.
pub const FOLDER_VARIABLE: &str = "TILE_CACHE_DIR";

/// The variable that says how large the cache may become, such as `512MiB`; `0` is no cache at all.
pub const SIZE_VARIABLE: &str = "TILE_CACHE_SIZE";

/// How large it may become where nobody says otherwise.
const DEFAULT_LIMIT: u64 = 1 << 30;

/// What an entry begins with: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"tile-c01";

/// What the name of an entry ends with.
const SUFFIX: &str = "entry";

/// What the name of a file begins with that is being written.
const UNFINISHED: &str = ".new-";

/// After how long a file that is being written is one that was given up.
const GIVEN_UP: Duration = Duration::from_secs(3600);

/// A folder of entries.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    limit: u64,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// How many entries.
    pub entries: usize,
    /// How many bytes they take.
    pub bytes: u64,
}

impl Cache {
    /// The user's cache; none where there is no folder for it or it is turned off.
    pub fn of_user() -> Option<Cache> {
        let limit = match std::env::var(SIZE_VARIABLE) {
            Ok(text) if text.trim() == "0" => return None,
            Ok(text) => tile_input::size::parse(&text).unwrap_or(DEFAULT_LIMIT),
            Err(_) => DEFAULT_LIMIT,
        };
        Some(Cache::at(user_folder()?.join("compiled"), limit))
    }

    /// A cache in a folder, which need not be there yet.
    pub fn at(folder: PathBuf, limit: u64) -> Cache {
        Cache { folder, limit }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many bytes it may take.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// What was kept under a key.
    pub fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        if !is_own(&self.folder) {
            return None;
        }
        let path = self.path(key);
        let file = tile_input::read(&path, self.limit).ok()?;
        let Some(value) = value_of(&file, key) else {
            // It is damaged, or another key has the same name: it is made again either way.
            let _ = fs::remove_file(&path);
            return None;
        };
        let value = value.to_vec();
        // Those that are used are the last to go. Where the time cannot be set they go earlier.
        let _ = fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(value)
    }

    /// Keeps something under a key. What was not used for longest makes room.
    pub fn put(&self, key: &[u8], value: &[u8]) -> io::Result<()> {
        make_folder(&self.folder)?;
        if !is_own(&self.folder) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "others may write to the folder of the cache"));
        }
        let file = entry(key, value);
        if file.len() as u64 > self.limit {
            return Ok(());
        }
        let mut new = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.folder)?;
        io::Write::write_all(&mut new, &file)?;
        new.persist(self.path(key)).map_err(|error| error.error)?;
        self.make_room()
    }

    /// How much there is.
    pub fn contents(&self) -> io::Result<Contents> {
        let entries = self.entries()?;
        Ok(Contents { entries: entries.len(), bytes: entries.iter().map(|(_, bytes, _)| bytes).sum() })
    }

    /// Throws all entries away. Returns how much that was.
    pub fn clear(&self) -> io::Result<Contents> {
        let mut gone = Contents::default();
        for (_, bytes, path) in self.entries()? {
            fs::remove_file(path)?;
            gone = Contents { entries: gone.entries + 1, bytes: gone.bytes + bytes };
        }
        Ok(gone)
    }

    fn path(&self, key: &[u8]) -> PathBuf {
        let [a, b] = hashes(key);
        self.folder.join(format!("{a:016x}{b:016x}.{SUFFIX}"))
    }

    /// Every entry with when it was last used, and how large it is.
    fn entries(&self) -> io::Result<Vec<(SystemTime, u64, PathBuf)>> {
        let files = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            files => files?,
        };
        let mut found = Vec::new();
        for file in files {
            let path = file?.path();
            // Another process may have removed it meanwhile.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(UNFINISHED) && used.elapsed().is_ok_and(|age| age > GIVEN_UP) {
                let _ = fs::remove_file(&path);
            } else if metadata.is_file() && path.extension().is_some_and(|end| end == SUFFIX) {
                found.push((used, metadata.len(), path));
            }
        }
        Ok(found)
    }

    fn make_room(&self) -> io::Result<()> {
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

/// The folder for what this program keeps.
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

/// Makes a folder that is the user's alone.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whether a folder is the user's, and nobody else may write to it.
fn is_own(folder: &Path) -> bool {
    let Ok(metadata) = fs::metadata(folder) else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let is_closed = metadata.mode() & 0o022 == 0;
        metadata.is_dir() && is_closed && metadata.uid() == rustix::process::geteuid().as_raw()
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

/// An entry: what it is, its checksum, how long its key is, the key, the value.
fn entry(key: &[u8], value: &[u8]) -> Vec<u8> {
    let mut rest = Vec::with_capacity(8 + key.len() + value.len());
    rest.extend((key.len() as u64).to_le_bytes());
    rest.extend(key);
    rest.extend(value);
    let [a, b] = hashes(&rest);
    [&MAGIC[..], &a.to_le_bytes(), &b.to_le_bytes(), &rest].concat()
}

/// The value of an entry, if it is whole and has this key.
fn value_of<'f>(file: &'f [u8], key: &[u8]) -> Option<&'f [u8]> {
    let (checksum, rest) = file.strip_prefix(MAGIC)?.split_at_checked(16)?;
    let [a, b] = hashes(rest);
    let is_whole = checksum == [a.to_le_bytes(), b.to_le_bytes()].concat();
    let (length, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (own, value) = rest.split_at_checked(length)?;
    (is_whole && own == key).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(limit: u64) -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path().join("a").join("b"), limit);
        (folder, cache)
    }

    #[test]
    fn what_is_kept_comes_back() {
        let (_folder, cache) = cache(1 << 20);
        assert_eq!(cache.contents().expect("no folder is no entry"), Contents::default());
        assert_eq!(cache.get(b"k"), None);
        cache.put(b"k", b"value").expect("it is kept");
        cache.put(b"empty", b"").expect("it is kept");
        assert_eq!((cache.get(b"k"), cache.get(b"empty")), (Some(b"value".to_vec()), Some(vec![])));
        assert_eq!(cache.get(b"other"), None);
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let mode = |path: &Path| fs::metadata(path).expect("it is there").mode() & 0o777;
            assert_eq!((mode(cache.folder()), mode(&cache.path(b"k"))), (0o700, 0o600));
        }
        assert_eq!(cache.clear().expect("all can go").entries, 2);
        assert_eq!(cache.contents().expect("the folder is there"), Contents::default());
    }

    #[test]
    fn a_damaged_entry_is_thrown_away() {
        let (_folder, cache) = cache(1 << 20);
        cache.put(b"k", b"some value").expect("it is kept");
        let path = cache.path(b"k");
        let whole = fs::read(&path).expect("it is there");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert_eq!(value_of(&damaged, b"k"), None, "byte {at}");
            assert_eq!(value_of(&whole[..at], b"k"), None, "cut at {at}");
        }
        // An entry of another key under this name.
        fs::write(&path, entry(b"other", b"x")).expect("it takes a file");
        assert_eq!(cache.get(b"k"), None);
        assert!(!path.exists());
    }

    #[test]
    fn what_was_not_used_for_longest_makes_room() {
        let (_folder, cache) = cache(3 * 1100);
        let value = [7; 1000];
        let age = |key: &[u8], seconds: u64| {
            let file = fs::File::options().append(true).open(cache.path(key)).expect("it is there");
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).expect("it takes a time");
        };
        for (key, seconds) in [(b"a", 300), (b"b", 200), (b"c", 100)] {
            cache.put(key, &value).expect("it is kept");
            age(key, seconds);
        }
        assert!(cache.get(b"a").is_some());
        cache.put(b"d", &value).expect("it is kept");
        assert_eq!(cache.get(b"b"), None);
        assert!(cache.get(b"a").is_some() && cache.get(b"c").is_some() && cache.get(b"d").is_some());
        cache.put(b"huge", &[0; 4000]).expect("it is not kept, which is no error");
        assert_eq!((cache.get(b"huge"), cache.contents().expect("it can be read").entries), (None, 3));
    }

    #[test]
    fn what_was_given_up_half_written_goes() {
        let (_folder, cache) = cache(1 << 20);
        cache.put(b"k", b"value").expect("it is kept");
        let [old, new] = ["old", "now"].map(|name| cache.folder().join(format!("{UNFINISHED}{name}")));
        for path in [&old, &new] {
            fs::write(path, "half").expect("it takes a file");
        }
        let file = fs::File::options().append(true).open(&old).expect("it is there");
        file.set_modified(SystemTime::now() - 2 * GIVEN_UP).expect("it takes a time");
        assert_eq!(cache.contents().expect("it can be read").entries, 1);
        assert!(!old.exists() && new.exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_others_may_write_to_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, cache) = cache(1 << 20);
        cache.put(b"k", b"value").expect("it is kept");
        fs::set_permissions(cache.folder(), fs::Permissions::from_mode(0o777)).expect("it is ours");
        assert_eq!(cache.get(b"k"), None);
        assert!(cache.put(b"k", b"value").is_err());
    }
}
