//! Finding and reading the files that a command is about.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file that has been read.
pub(crate) struct SourceFile {
    /// Its name, as the user gave it.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Reads one file; `-` is standard input.
pub(crate) fn read(path: &str) -> Result<SourceFile, String> {
    let bytes = if path == "-" { read_standard_input() } else { fs::read(path) };
    let bytes = bytes.map_err(|error| unreadable(path, &error))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(SourceFile { name: path.to_string(), text }),
        Err(_) => Err(format!("`{path}` holds binary data, not the text of a program")),
    }
}

fn read_standard_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(path: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file `{path}`"),
        io::ErrorKind::IsADirectory => format!("`{path}` is a folder"),
        _ => format!("cannot read `{path}`: {error}"),
    }
}

/// The files that paths stand for: files themselves, and the programs below folders.
pub(crate) fn find(paths: &[String]) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for path in paths {
        if path == "-" || !Path::new(path).is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        search(Path::new(path), &mut found).map_err(|error| unreadable(path, &error))?;
        if found.len() == before {
            return Err(format!(
                "the folder `{path}` holds no programs: no `.tile` file, and no `.mlir` file with a `cuda_tile.module`"
            ));
        }
        found[before..].sort();
    }
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && !hidden {
            search(&path, found)?;
        } else if kind.is_file() && is_program(&path) {
            found.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

fn is_program(path: &PathBuf) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("tile") => true,
        Some("mlir") => fs::read(path).is_ok_and(|bytes| holds(&bytes, b"cuda_tile.module")),
        _ => false,
    }
}

fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}
