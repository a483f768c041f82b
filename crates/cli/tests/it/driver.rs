//! A stand-in for the CUDA driver, a library.

use crate::harness::Folder;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

impl Folder {
    /// The folder of [`Folder::with_compiler`], with the stand-in for the driver, `driver/libcuda.rs`.
    pub(crate) fn with_gpu(script: &str) -> Folder {
        let folder = Folder::with_compiler(script);
        symlink(driver(), folder.path("driver")).expect("links are supported");
        folder
    }

    /// The recorded calls of the driver.
    pub(crate) fn driver_calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("driver.calls")).unwrap_or_default();
        text.lines().map(str::to_string).collect()
    }
}

/// The folder of the library that stands in for the driver, which is compiled once.
fn driver() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| compiled(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/driver/libcuda.rs"))).clone()
}

fn compiled(source: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    fs::read(source).expect("the source exists").hash(&mut hasher);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("driver-{:016x}", hasher.finish()));
    let library = folder.join("libcuda.so.1");
    if !library.exists() {
        // Other processes may compile the library at the same time, so the folder gets its name only when it is
        // complete.
        let new = folder.with_extension(format!("new-{}", std::process::id()));
        fs::create_dir_all(&new).expect("folders can be created");
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        command.args(["--edition", "2021", "--crate-type", "cdylib", "-C", "strip=symbols", "-o"]);
        let built = command.arg(new.join("libcuda.so.1")).arg(source).status();
        assert!(built.expect("rustc is installed").success());
        if fs::rename(&new, &folder).is_err() {
            assert!(library.exists(), "another test has created the folder");
            let _ = fs::remove_dir_all(new);
        }
    }
    folder
}
