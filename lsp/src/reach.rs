//! Which files a run may read. A workspace that somebody else wrote names files in its launches; a run that an editor
//! starts reads those that lie in the opened folder, and no others unless the user allows it.

use std::path::{Component, Path, PathBuf};
use tower_lsp::ls_types::InitializeParams;

/// The setting, as the initialization options of the server name it.
const SETTING: &str = "filesOutsideFolder";

/// Which files a run may read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    folders: Vec<PathBuf>,
    everywhere: bool,
}

impl Reach {
    /// Reads the parameters of `initialize`.
    pub(crate) fn new(params: &InitializeParams) -> Reach {
        let folders = params.workspace_folders.iter().flatten().filter_map(|folder| folder.uri.to_file_path());
        let folders = folders.map(|folder| settled(&folder)).collect();
        let options = params.initialization_options.as_ref();
        let everywhere = options.and_then(|options| options.get(SETTING)?.as_bool()).unwrap_or(false);
        Reach { folders, everywhere }
    }

    /// The path of a file that a launch names, in a document that lies in this folder; or why it may not be read.
    pub(crate) fn path(&self, folder: &Path, name: &str) -> Result<PathBuf, String> {
        let path = folder.join(name);
        let folder = settled(folder);
        // The outermost opened folder; a document that lies in none of them has its own.
        let opened = self.folders.iter().filter(|opened| folder.starts_with(opened));
        let opened = opened.min_by_key(|opened| opened.components().count()).unwrap_or(&folder);
        if self.everywhere || settled(&path).starts_with(opened) {
            return Ok(path);
        }
        Err(format!(
            "`{name}` lies outside `{}`: a run that an editor starts reads only what lies in the opened folder, unless \
             the setting `tile.run.{SETTING}` allows more (`tile run` reads it without asking)",
            opened.display()
        ))
    }
}

/// A path without `..` and links; where there is no such file, as far as its words tell.
fn settled(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let (mut settled, mut missing) = (PathBuf::new(), false);
    for part in path.components() {
        match part {
            Component::ParentDir => _ = settled.pop(),
            Component::CurDir => {}
            part => settled.push(part),
        }
        // Links in what exists are followed, even where the file itself is missing.
        missing = missing || settled.canonicalize().map(|found| settled = found).is_err();
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_reads_what_lies_in_the_opened_folder() {
        let folder = std::env::temp_dir().join(format!("tile-reach-{}", std::process::id()));
        let (inside, kernels) = (folder.join("opened"), folder.join("opened/kernels"));
        std::fs::create_dir_all(&kernels).expect("a folder");
        std::fs::write(folder.join("secret.npy"), "x").expect("a file");
        let reach = |folders: &[&Path], everywhere| Reach {
            folders: folders.iter().map(|folder| settled(folder)).collect(),
            everywhere,
        };
        let (alone, opened) = (reach(&[], false), reach(&[&inside], false));
        for name in ["a.npy", "deeper/a.npy", "./deeper/../a.npy", "../kernels/a.npy"] {
            assert_eq!(alone.path(&kernels, name), Ok(kernels.join(name)));
        }
        assert!(alone.path(&kernels, "../a.npy").is_err());
        assert!(opened.path(&kernels, "../a.npy").is_ok());
        let secret = folder.join("secret.npy");
        for name in ["../../secret.npy", "../../no such file.npy", "/etc/passwd", &secret.display().to_string()] {
            let refused = opened.path(&kernels, name).expect_err("it lies outside");
            assert!(refused.contains("tile.run.filesOutsideFolder"), "{refused}");
            assert!(reach(&[&inside], true).path(&kernels, name).is_ok());
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&secret, kernels.join("link.npy")).expect("a link");
            std::os::unix::fs::symlink(&folder, kernels.join("up")).expect("a link");
            assert!(opened.path(&kernels, "link.npy").is_err(), "a link leads outside");
            assert!(opened.path(&kernels, "up/new.npy").is_err(), "a link leads outside");
        }
        std::fs::remove_dir_all(&folder).expect("it goes");
    }
}
