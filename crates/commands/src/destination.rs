//! Where a command writes its result.

use crate::messages::output_failed;
use crate::overwrite;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Standard output or a file.
pub(crate) enum Destination {
    Standard,
    File(PathBuf),
}

impl Destination {
    /// A file, or standard output for `-`. Rejects a file that is also the input.
    pub(crate) fn of(path: &str, input: &str) -> Result<Destination, String> {
        match path {
            "-" => Ok(Destination::Standard),
            _ => Destination::file(Path::new(path), input),
        }
    }

    /// A file. Rejects one that is also the input.
    pub(crate) fn file(path: &Path, input: &str) -> Result<Destination, String> {
        overwrite::refuse_input(path, [input])?;
        Ok(Destination::File(path.to_path_buf()))
    }

    /// Writes the result. Returns the exit status.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<u8, String> {
        match self {
            Destination::File(path) => tile_files::replace(path, bytes)
                .map(|()| 0)
                .map_err(|error| format!("cannot write `{}`: {error}", path.display())),
            Destination::Standard => {
                let written = io::stdout().write_all(bytes).and_then(|()| io::stdout().flush());
                Ok(written.map_or_else(|error| output_failed(&error), |()| 0))
            }
        }
    }
}
