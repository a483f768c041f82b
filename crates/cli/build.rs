//! Link options that make the program start faster: short commands spend most of their time starting the process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = ["CARGO_CFG_TARGET_OS", "CARGO_CFG_TARGET_ENV"].map(|name| env::var(name).unwrap_or_default());
    if target != ["linux", "gnu"] {
        return;
    }
    // At a fixed address, the thousands of pointers in the tables need no relocation at startup.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    if let Some(folder) = static_unwinder() {
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
}

/// Creates a folder in which the name of the shared unwinding library refers to the static one, so that the program
/// loads one shared library fewer. `None` if the compiler has no static one.
fn static_unwinder() -> Option<PathBuf> {
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let found = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output().ok()?;
    // A compiler that lacks the library prints only its name instead of an absolute path.
    let library = String::from_utf8(found.stdout).ok()?;
    if !Path::new(library.trim()).is_absolute() {
        return None;
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR")?);
    fs::write(folder.join("libgcc_s.so"), "INPUT ( -lgcc_eh -lc )\n").ok()?;
    Some(folder)
}
