//! Lists the files of `src/findings/`, so that a finding is named only once, as a module in `mod.rs`.

use std::path::Path;
use std::{env, fs, io};

const FOLDER: &str = "src/findings";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut modules = Vec::new();
    for entry in fs::read_dir(FOLDER)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        modules.extend(name.strip_suffix(".rs").filter(|name| *name != "mod").map(str::to_string));
    }
    modules.sort();
    let listed: Vec<String> = modules.iter().map(|name| format!("{name} as {}", without_code(name))).collect();
    let folder = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("findings.rs"), format!("findings! {{\n{}\n}}\n", listed.join("\n")))
}

/// Removes the code from a module name: `r0101_null_pointer` becomes `null_pointer`.
fn without_code(name: &str) -> &str {
    name.split_once('_').map_or(name, |(_, name)| name)
}
