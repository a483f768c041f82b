//! Every op computes the results that `exact/generate.py` expects: bit for bit if the language defines the bits,
//! otherwise within its error bound. `exact/README.md` describes how the programs are generated.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use tile_dialect::{Group, ops};
use tile_tests::tile;

/// Results that hold on every target, and results of the engine where targets can differ.
const FOLDERS: [&str; 3] = ["exact", "exact/before-13.5", "engine"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("exact")
}

fn programs() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = FOLDERS.iter().flat_map(|name| std::fs::read_dir(tests.join(name)).expect("the folder exists"));
    let paths = entries.map(|entry| entry.expect("the folder is readable").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "tile")).collect();
    paths.sort();
    paths
}

#[test]
fn every_result_is_exact() {
    let output = Command::new(tile()).arg("test").args(programs()).output().expect("the program runs");
    let report = String::from_utf8_lossy(&output.stdout);
    let faults = report.split("FAIL").skip(1).map(|fault| fault.split("\nok ").next().unwrap_or(fault));
    // The C library of MinGW, which no release uses, rounds `fma` twice.
    let is_mingw = cfg!(all(windows, target_env = "gnu"));
    let failed: Vec<&str> = faults.filter(|fault| !(is_mingw && fault.contains(" @fma_f"))).collect();
    let passed = output.status.success() || is_mingw && failed.is_empty();
    assert!(passed, "{}\n{}", failed.join("\n"), String::from_utf8_lossy(&output.stderr));
    assert!(report.lines().filter(|line| line.starts_with("ok ")).count() > 250, "{report}");
}

/// The sanitizer keeps values alive, which could hide that an op overwrites a tile that is still needed.
#[test]
fn results_are_the_same_without_the_sanitizer() {
    for name in ["mixtures.tile", "structure.tile", "control.tile", "folds.tile", "before-13.5/halves.tile"] {
        let path = folder().join(name);
        let text = std::fs::read_to_string(&path).expect("the program is readable");
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
    let out = tempfile::tempdir().expect("a temporary folder is created");
    let mut generate = Command::new("python3");
    generate.arg(folder().join("generate.py")).arg("--out").arg(out.path()).env("PYTHONDONTWRITEBYTECODE", "1");
    let errors = match generate.output() {
        Err(error) => return tile_tests::skipped(format_args!("cannot run `python3`: {error}")),
        Ok(output) if output.status.success() => String::new(),
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    if errors.contains("No module named 'mpmath'") {
        return tile_tests::skipped("python3 lacks the module `mpmath`; install it with pip");
    }
    assert_eq!(errors, "");
    for path in programs() {
        let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("the path is below `tests`");
        let [kept, written] = [&path, &out.path().join(name)].map(|path| std::fs::read_to_string(path).ok());
        assert!(kept == written, "{} differs from the output of generate.py", path.display());
    }
}

/// The words of a program outside comments.
fn words(program: &str) -> impl Iterator<Item = &str> {
    let code = program.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '%' || c == '@')))
}

#[test]
fn every_op_has_a_case() {
    let texts: Vec<String> =
        programs().iter().map(|path| std::fs::read_to_string(path).expect("the program is readable")).collect();
    let named: HashSet<&str> = texts.iter().flat_map(|text| words(text)).collect();
    // Functions of the upstream tests and calls of tile libraries cannot be run.
    let missing: Vec<&str> = ops()
        .iter()
        .filter(|row| row.group != Group::Testing && !row.is_preview())
        .map(|row| row.name)
        .filter(|name| !named.contains(name))
        .collect();
    assert_eq!(missing, [""; 0], "ops without a case: add one to exact/generate.py");
}
