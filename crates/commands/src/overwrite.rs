//! Protection of input files against being overwritten by output files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Rejects an output file that is also an input. Compares files by identity, not by path.
pub(crate) fn refuse_input<'a>(output: &Path, inputs: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    let output_identity = Identity::of(output);
    let is_output = |input: &&str| *input != "-" && Identity::of(Path::new(input)) == output_identity;
    match inputs.into_iter().find(is_output) {
        Some(input) if output_identity != Identity::Device => {
            Err(format!("`{}` would overwrite the input `{input}`; name another output file", output.display()))
        }
        _ => Ok(()),
    }
}

/// Rejects saves that overwrite the program, and two buffers saved to one file. Compares files by identity, not by
/// path. Saving to a file that the launch reads is allowed, so that each run can advance a state.
pub(crate) fn refuse_saves(saves: &[(String, String)], program: &str) -> Result<(), String> {
    let running = (program != "-").then(|| Identity::of(Path::new(program)));
    let mut taken: HashMap<Identity, &str> = HashMap::new();
    for (name, path) in saves {
        let refused = |why: String| Err(format!("`--save %{name}={path}`: {why}"));
        let identity = Identity::of(Path::new(path));
        if Some(&identity) == running.as_ref() {
            return refused(format!("this would overwrite the program `{program}`; name another file"));
        }
        if identity != Identity::Device
            && let Some(other) = taken.insert(identity, name)
        {
            return refused(format!("`%{other}` is already saved to this file; name another file"));
        }
    }
    Ok(())
}

/// The identity of a file, independent of its path.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    /// Device and inode number.
    #[cfg(unix)]
    Number(u64, u64),
    /// Canonical path of a file that may not exist yet.
    Path(PathBuf),
    /// A pipe or device, whose content cannot be overwritten.
    Device,
}

impl Identity {
    fn of(path: &Path) -> Identity {
        match path.metadata() {
            Ok(found) if !found.is_file() => Identity::Device,
            #[cfg(unix)]
            Ok(found) => {
                use std::os::unix::fs::MetadataExt;
                Identity::Number(found.dev(), found.ino())
            }
            #[cfg(not(unix))]
            Ok(_) => Identity::Path(path.canonicalize().unwrap_or_else(|_| path.to_path_buf())),
            Err(_) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
                Identity::Path(folder.join(path.file_name().unwrap_or_default()))
            }
        }
    }
}
