//! Finds the compiler.

use super::environment::{TOOLKITS, VARIABLE};
use super::error::CompileError;
use std::path::{Path, PathBuf};

/// Finds the compiler: named by [`VARIABLE`], on `PATH`, in the folders of CUDA toolkits, or in the packages of the
/// active Python environment.
pub(super) fn compiler() -> Result<PathBuf, CompileError> {
    if let Some(path) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        return if path.is_file() { Ok(path) } else { Err(CompileError::Named(path)) };
    }
    program("tileiras").ok_or(CompileError::Missing)
}

/// Finds a program of the toolkit on `PATH`, in the folders of CUDA toolkits, or in the packages of the active Python
/// environment.
pub fn program(name: &str) -> Option<PathBuf> {
    folders().map(|folder| folder.join(with_suffix(name))).find(|path| path.is_file())
}

/// The file name of a program.
pub(super) fn with_suffix(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// The folders on `PATH`. Relative ones are ignored, because the current folder is often one that the user has only
/// opened, and an empty entry stands for it.
pub(super) fn on_path() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect()
}

/// The folders to search, in order.
fn folders() -> impl Iterator<Item = PathBuf> {
    let toolkits = TOOLKITS.into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let standard = ["/usr/local/cuda", "/opt/cuda"].into_iter().map(PathBuf::from);
    let pythons = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(std::env::var_os);
    let toolkits = toolkits.chain(standard).map(|toolkit| toolkit.join("bin"));
    let all = on_path().into_iter().chain(toolkits).chain(pythons.flat_map(|python| packages(Path::new(&python))));
    all.filter(|folder| folder.is_absolute())
}

/// The folders with the toolkit's programs among the packages of a Python environment.
fn packages(python: &Path) -> Vec<PathBuf> {
    let lib = python.join("lib");
    let versions = std::fs::read_dir(&lib).into_iter().flatten().flatten().map(|entry| entry.path());
    let unix = versions.map(|version| version.join("site-packages"));
    let all = unix.chain([python.join("Lib").join("site-packages")]);
    all.map(|packages| packages.join("nvidia").join("cu13").join("bin")).collect()
}
