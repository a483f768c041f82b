//! The data files of a launch.

use std::io;
use std::path::Path;

/// The maximum total size of the files of a launch in bytes. They are sent to the worker in one message.
pub const MAX_DATA: u64 = 1000 << 20;

/// Reads the files of one launch, up to [`MAX_DATA`] in total.
#[derive(Debug)]
pub struct DataFiles {
    /// The remaining bytes.
    left: u64,
}

impl DataFiles {
    /// Creates a reader that has read nothing.
    pub fn new() -> DataFiles {
        DataFiles { left: MAX_DATA }
    }

    /// Reads a regular file.
    pub fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = tile_input::read(path, self.left).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => {
                let message = format!("the files of a launch exceed the limit of {} MiB", MAX_DATA >> 20);
                io::Error::new(io::ErrorKind::FileTooLarge, message)
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
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.npy");
        std::fs::write(&path, "12345").expect("the folder is writable");
        let mut files = DataFiles { left: 9 };
        assert_eq!(files.read(&path).expect("the file is below the limit"), b"12345");
        let refused = files.read(&path).expect_err("the limit is exceeded").to_string();
        assert_eq!(refused, "the files of a launch exceed the limit of 1000 MiB");
    }
}
