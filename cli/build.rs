//! How the program is linked. Most of what a short command takes is the start of its process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = ["CARGO_CFG_TARGET_OS", "CARGO_CFG_TARGET_ENV"].map(|name| env::var(name).unwrap_or_default());
    if target != ["linux", "gnu"] {
        return;
    }
    // The tables hold thousands of pointers. At a fixed address they need no work when the program starts.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    if let Some(folder) = static_unwinder() {
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
}

/// A folder in which the library for unwinding is its static form, so that there is one library less to load.
/// `None` where the compiler has none.
fn static_unwinder() -> Option<PathBuf> {
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let found = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output().ok()?;
    // A compiler that has it prints its whole path.
    let library = String::from_utf8(found.stdout).ok()?;
    if !Path::new(library.trim()).is_absolute() {
        return None;
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR")?);
    fs::write(folder.join("libgcc_s.so"), "INPUT ( -lgcc_eh -lc )\n").ok()?;
    Some(folder)
}
