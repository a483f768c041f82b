//! Restricts the files that a run started by an editor can read, because launches in an untrusted workspace can name
//! any path.

use std::path::{Component, Path, PathBuf};

/// The files that a run can read.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    folders: Vec<PathBuf>,
    everywhere: bool,
}

impl Reach {
    /// Allows every file.
    pub fn everywhere() -> Reach {
        Reach { folders: Vec::new(), everywhere: true }
    }

    /// Allows the files in these folders. Programs outside all of them can read the files in their own folder.
    pub fn within(folders: impl IntoIterator<Item = PathBuf>) -> Reach {
        Reach { folders: folders.into_iter().map(|folder| settled(&folder)).collect(), everywhere: false }
    }

    /// Resolves the path of a file that a launch names, in a program in `folder`. The error for a forbidden file says
    /// that `unless` allows it.
    pub fn path(&self, folder: &Path, name: &str, unless: &str) -> Result<PathBuf, String> {
        let path = folder.join(name);
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if self.everywhere {
            return Ok(path);
        }
        let folder = settled(folder);
        // The outermost opened folder.
        let opened = self.folders.iter().filter(|opened| folder.starts_with(opened));
        let opened = opened.min_by_key(|opened| opened.components().count()).unwrap_or(&folder);
        if settled(&path).starts_with(opened) {
            return Ok(path);
        }
        Err(format!(
            "`{name}` is outside `{}`: a run started by an editor can read only files in the opened folder, unless \
             {unless} allows more (`tile run` has no such restriction)",
            opened.display()
        ))
    }
}

/// Resolves `..` and links, as far as the path exists.
fn settled(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let (mut settled, mut missing) = (PathBuf::new(), false);
    for part in path.components() {
        match part {
            Component::ParentDir => _ = settled.pop(),
            Component::CurDir => {}
            part => settled.push(part),
        }
        // Links in the existing part are followed, even if the file itself is missing.
        missing = missing || settled.canonicalize().map(|found| settled = found).is_err();
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_reads_files_in_the_opened_folder() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path();
        let (inside, kernels) = (folder.join("opened"), folder.join("opened/kernels"));
        std::fs::create_dir_all(&kernels).expect("a folder");
        std::fs::write(folder.join("secret.npy"), "x").expect("a file");
        let (alone, opened) = (Reach::default(), Reach::within([inside.clone()]));
        let path = |reach: &Reach, name: &str| reach.path(&kernels, name, "`--all`");
        for name in ["a.npy", "deeper/a.npy", "./deeper/../a.npy", "../kernels/a.npy"] {
            assert_eq!(path(&alone, name), Ok(kernels.join(name)));
        }
        assert!(path(&alone, "../a.npy").is_err());
        assert!(path(&opened, "../a.npy").is_ok());
        let secret = folder.join("secret.npy");
        for name in ["../../secret.npy", "../../no such file.npy", "/etc/passwd", &secret.display().to_string()] {
            let refused = path(&opened, name).expect_err("the file is outside");
            assert!(refused.contains("unless `--all` allows"), "{refused}");
            assert!(path(&Reach::everywhere(), name).is_ok());
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&secret, kernels.join("link.npy")).expect("a link");
            std::os::unix::fs::symlink(folder, kernels.join("up")).expect("a link");
            assert!(path(&opened, "link.npy").is_err(), "a link leads outside");
            assert!(path(&opened, "up/new.npy").is_err(), "a link leads outside");
        }
    }
}
