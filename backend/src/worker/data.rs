//! The files that a launch names.

use std::io;
use std::path::Path;

/// How many bytes the files of one launch may take together: they go to the worker in one message.
pub const MAX_DATA: u64 = 1000 << 20;

/// Reads the files of one launch, up to [`MAX_DATA`] together.
#[derive(Debug)]
pub struct DataFiles {
    /// How many bytes may still be read.
    left: u64,
}

impl DataFiles {
    /// Has read nothing yet.
    pub fn new() -> DataFiles {
        DataFiles { left: MAX_DATA }
    }

    /// Reads a file, which must be a regular one.
    pub fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = tile_input::read(path, self.left).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => {
                let why = format!("the files of a launch may take {} MiB together", MAX_DATA >> 20);
                io::Error::new(io::ErrorKind::FileTooLarge, why)
            }
            _ => error,
        })?;
        self.left -= bytes.len() as u64;
        Ok(bytes)
    }
}

impl Default for DataFiles {
    fn default() -> DataFiles {
        DataFiles::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_share_one_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.npy");
        std::fs::write(&path, "12345").expect("a file");
        let mut files = DataFiles { left: 9 };
        assert_eq!(files.read(&path).expect("it fits"), b"12345");
        let refused = files.read(&path).expect_err("it does not fit any more").to_string();
        assert_eq!(refused, "the files of a launch may take 1000 MiB together");
    }
}
