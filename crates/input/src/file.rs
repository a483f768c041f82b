//! Reading files up to a size limit.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// The size limit of a program, as text or bytecode, in bytes.
pub const MAX_PROGRAM: u64 = 1 << 30;

/// The size limit of settings files, such as `tile.toml` and `.gitignore`, in bytes.
pub const MAX_SETTINGS: u64 = 1 << 20;

/// The size of the pieces that [`contains`] searches, in bytes.
const PIECE: usize = 64 << 10;

/// Why a readable file is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// The file is not regular; its kind, with an article.
    NotRegular(&'static str),
    /// The file is larger than this number of bytes.
    TooLarge(u64),
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Refusal::NotRegular(kind) => write!(f, "it is {kind}, not a regular file"),
            Refusal::TooLarge(limit) => write!(f, "it is larger than the limit of {}", size(limit)),
        }
    }
}

impl Error for Refusal {}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> io::Error {
        let kind = match refusal {
            Refusal::NotRegular(_) => io::ErrorKind::InvalidInput,
            Refusal::TooLarge(_) => io::ErrorKind::FileTooLarge,
        };
        io::Error::new(kind, refusal)
    }
}

/// Whether a file was rejected because it is too large or not a regular file.
pub fn is_refused(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Refusal>())
}

/// Reads a regular file of at most `limit` bytes. Links are followed.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (mut file, metadata) = open_regular(path)?;
    read_open(&mut file, metadata.len(), limit)
}

/// Reads a regular file of at most `limit` bytes as UTF-8 text. Links are followed.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Opens a file if it is regular, so that neither opening nor reading it waits for another process.
pub fn open_regular(path: &Path) -> io::Result<(File, Metadata)> {
    // Opening a device can have side effects, so the type is checked before as well as after.
    regular(&path.metadata()?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    Ok((file, metadata))
}

/// Opens a file named on the command line, which can also be a pipe or a terminal, such as `/dev/stdin` or the
/// expansion of `<(command)`.
pub fn open_given(path: &Path) -> io::Result<(File, Metadata)> {
    let file = match File::open(path) {
        // Windows cannot open folders.
        Err(_) if cfg!(windows) && path.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        opened => opened?,
    };
    let metadata = file.metadata()?;
    match regular(&metadata) {
        Err(_) if is_pipe(metadata.file_type()) || file.is_terminal() => {}
        other => other?,
    }
    Ok((file, metadata))
}

/// Reads the rest of a file or stream of about `expected` bytes. Fails if it has more than `limit`.
pub fn read_open(input: &mut dyn Read, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
    if expected > limit {
        return Err(Refusal::TooLarge(limit).into());
    }
    let mut bytes = Vec::with_capacity(expected as usize + 1);
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(Refusal::TooLarge(limit).into()) } else { Ok(bytes) }
}

/// Whether the first `limit` bytes of a regular file contain these bytes. Keeps only one piece of the file in memory.
pub fn contains(path: &Path, wanted: &[u8], limit: u64) -> io::Result<bool> {
    let file = open_regular(path)?.0;
    let finder = memchr::memmem::Finder::new(wanted);
    let overlap = wanted.len().saturating_sub(1);
    let (mut input, mut window) = (file.take(limit), Vec::new());
    loop {
        if input.by_ref().take(PIECE as u64).read_to_end(&mut window)? == 0 {
            return Ok(false);
        }
        if finder.find(&window).is_some() {
            return Ok(true);
        }
        window.drain(..window.len().saturating_sub(overlap));
    }
}

fn regular(found: &Metadata) -> io::Result<()> {
    match found.file_type() {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        kind => Err(Refusal::NotRegular(name(kind)).into()),
    }
}

fn is_pipe(kind: FileType) -> bool {
    #[cfg(unix)]
    let is_pipe = std::os::unix::fs::FileTypeExt::is_fifo(&kind);
    #[cfg(not(unix))]
    let is_pipe = !kind.is_dir();
    is_pipe
}

fn name(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    let _ = kind;
    "a special file"
}

/// Formats a limit in the largest unit that it is a multiple of.
fn size(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let unit = units.into_iter().find(|(_, bits)| bytes > 0 && bytes.is_multiple_of(1 << bits));
    unit.map_or_else(|| format!("{bytes} bytes"), |(unit, bits)| format!("{} {unit}", bytes >> bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn regular_files_are_read_up_to_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, "123456789").expect("a file");
        assert_eq!(read(&path, 9).expect("it fits"), b"123456789");
        assert_eq!(read_text(&path, 1 << 20).expect("it is text"), "123456789");
        let error = read(&path, 8).expect_err("it is larger");
        assert!(is_refused(&error));
        assert_eq!(error.to_string(), "it is larger than the limit of 8 bytes");
        let missing = read(&folder.path().join("b"), 8).expect_err("the file is missing");
        assert!(!is_refused(&missing) && missing.kind() == io::ErrorKind::NotFound);
        assert_eq!(read(folder.path(), 8).expect_err("a folder").kind(), io::ErrorKind::IsADirectory);
        assert_eq!(open_given(folder.path()).expect_err("a folder").kind(), io::ErrorKind::IsADirectory);
        assert_eq!(size(MAX_PROGRAM) + &size(MAX_SETTINGS), "1 GiB1 MiB");
    }

    #[test]
    fn an_endless_stream_is_read_up_to_the_limit() {
        assert!(is_refused(&read_open(&mut io::repeat(b'x'), 0, 9).expect_err("it is longer")));
        assert_eq!(read_open(&mut &b"123456789"[..], 0, 9).expect("it fits"), b"123456789");
    }

    #[test]
    fn words_are_found_across_pieces() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        for before in [0, 1, PIECE - 3, PIECE, PIECE + 1, 3 * PIECE - 1] {
            fs::write(&path, "x".repeat(before) + "word" + &"x".repeat(before)).expect("a file");
            assert!(contains(&path, b"word", 1 << 30).expect("it can be read"), "{before}");
            assert!(!contains(&path, b"wordy", 1 << 30).expect("it can be read"), "{before}");
            assert!(!contains(&path, b"word", before as u64 + 3).expect("it can be read"), "{before}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_and_sockets_are_refused_even_through_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        for (path, kind) in [(&link, "a device"), (&socket, "a socket")] {
            let error = read(path, MAX_SETTINGS).expect_err(kind);
            assert!(is_refused(&error), "{error}");
            assert_eq!(error.to_string(), format!("it is {kind}, not a regular file"));
            assert!(contains(path, b"x", MAX_SETTINGS).is_err());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    #[allow(unsafe_code)]
    fn a_named_pipe_is_refused_at_once() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let name = std::ffi::CString::new(path.as_os_str().as_bytes()).expect("the path contains no zero byte");
        // SAFETY: `name` is a C string that outlives the call.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        let error = read(&path, MAX_SETTINGS).expect_err("a pipe is refused");
        assert_eq!(error.to_string(), "it is a named pipe, not a regular file");
    }
}
