//! Lists the files of `src/diagnostics/`, so that a diagnostic is named only once, as a module in `mod.rs`.

use std::path::Path;
use std::{env, fs, io};

const FOLDER: &str = "src/diagnostics";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut modules = Vec::new();
    for entry in fs::read_dir(FOLDER)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        modules.extend(name.strip_suffix(".rs").filter(|name| has_code(name)).map(str::to_string));
    }
    modules.sort();
    let folder = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("diagnostics.rs"), format!("diagnostics! {{\n{}\n}}\n", modules.join("\n")))
}

/// Whether the name starts with a code, such as `e0101`.
fn has_code(name: &str) -> bool {
    name.get(1..5).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_digit()))
}
