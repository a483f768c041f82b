//! Every op gives what `exact/generate.py` computed for it: bit for bit where the language says which bits, within its
//! bound where it does not. The programs hold inputs and results; `exact/README.md` says how they came about.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use tile_dialect::{Group, ops};
use tile_tests::tile;

/// What every target has to give, and what the engine gives where targets may differ.
const FOLDERS: [&str; 3] = ["exact", "exact/before-13.5", "engine"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("exact")
}

fn programs() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = FOLDERS.iter().flat_map(|name| std::fs::read_dir(tests.join(name)).expect("the folder is there"));
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "tile")).collect();
    paths.sort();
    paths
}

#[test]
fn every_result_is_exact() {
    let output = Command::new(tile()).arg("test").args(programs()).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let failed: Vec<&str> =
        said.split("FAIL").skip(1).map(|fault| fault.split("\nok ").next().unwrap_or(fault)).collect();
    assert!(output.status.success(), "{}\n{}", failed.join("\n"), String::from_utf8_lossy(&output.stderr));
    assert!(said.lines().filter(|line| line.starts_with("ok ")).count() > 250, "{said}");
}

/// The sanitizer holds on to values, which might hide that an op writes into a tile which another still needs.
#[test]
fn results_are_the_same_without_the_sanitizer() {
    for name in ["mixtures.tile", "structure.tile", "control.tile", "folds.tile", "before-13.5/halves.tile"] {
        let path = folder().join(name);
        let text = std::fs::read_to_string(&path).expect("a program is text");
        let entries = text.lines().filter_map(|line| line.trim().strip_prefix("entry @")?.split('(').next());
        for entry in entries {
            let output = Command::new(tile()).arg("run").arg(&path).args(["--entry", entry]).output();
            let output = output.expect("the program runs");
            assert!(output.status.success(), "{name} @{entry}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_generator_writes_the_programs() {
    let out = tempfile::tempdir().expect("a folder for the programs");
    let mut generate = Command::new("python3");
    generate.arg(folder().join("generate.py")).arg("--out").arg(out.path()).env("PYTHONDONTWRITEBYTECODE", "1");
    let said = match generate.output() {
        Err(error) => return tile_tests::skipped(format_args!("cannot run `python3`: {error}")),
        Ok(output) if output.status.success() => String::new(),
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    if said.contains("No module named 'mpmath'") {
        return tile_tests::skipped("python3 lacks the module `mpmath`; install it with pip");
    }
    assert_eq!(said, "");
    for path in programs() {
        let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("it is one of the tests");
        let [kept, written] = [&path, &out.path().join(name)].map(|path| std::fs::read_to_string(path).ok());
        assert!(kept == written, "{} is not what generate.py writes", path.display());
    }
}

/// The words of a program, without those of its comments.
fn words(program: &str) -> impl Iterator<Item = &str> {
    let code = program.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '%' || c == '@')))
}

#[test]
fn every_op_has_a_case() {
    let texts: Vec<String> =
        programs().iter().map(|path| std::fs::read_to_string(path).expect("a program is text")).collect();
    let named: HashSet<&str> = texts.iter().flat_map(|text| words(text)).collect();
    // Functions of upstream's tests and calls of tile libraries do not run.
    let missing: Vec<&str> = ops()
        .iter()
        .filter(|row| row.group != Group::Testing && !row.is_preview())
        .map(|row| row.name)
        .filter(|name| !named.contains(name))
        .collect();
    assert_eq!(missing, [""; 0], "ops without a case: add one to exact/generate.py");
}
