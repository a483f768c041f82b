//! `tile check` and `tile fmt` on whole projects.

use crate::harness::{CommandOutput, Folder, native};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// A module with an entry that has this body.
fn program(body: &str) -> String {
    format!("cuda_tile.module @m {{\n  entry @k(%x: tile<f32>) {{\n    {body}\n  }}\n}}\n")
}

const OLD: &str = "%a = pow %x, %x : tile<f32>";
const NEW: &str = "%a = fpowf %x, %x : tile<f32>";
const WRONG: &str = "%b = addf %x, %y : tile<f32>";
const WARNED: &str = "print \"hello\"";

/// Runs a command in a project. Returns its exit status, standard output and standard error.
fn tile(folder: &Folder, arguments: &[&str]) -> (i32, String, String) {
    let CommandOutput { status, out, err } = folder.tile(arguments);
    (status.expect("no signal terminates the command"), out, err)
}

#[test]
fn searches_respect_the_project_file() {
    let (old, wrong) = (program(OLD), program(WRONG));
    let folder = Folder::with(&[
        ("a.tile", &wrong),
        ("b.mlir", &wrong),
        ("c.mlir", "module {}"),
        ("out/d.tile", &wrong),
        ("gen/e.tile", &wrong),
        ("deep/f.tile", &old),
        (".gitignore", "out/\n"),
        ("tile.toml", "exclude = [\"gen\"]\n"),
    ]);
    let (status, out, err) = tile(&folder, &["check", "--output-format", "concise", "."]);
    assert_eq!((status, err.as_str()), (1, ""));
    let files: Vec<&str> = out.lines().map(|line| line.split(':').next().unwrap_or_default()).collect();
    assert_eq!(files, ["./a.tile", "./b.mlir"].map(native), "{out}");
    // Named files are checked even if they are excluded.
    assert_eq!(tile(&folder, &["check", "out/d.tile"]).0, 1);
    let (_, out, _) = tile(&folder, &["fmt", "--check", "."]);
    assert!(!out.contains("gen") && !out.contains("out"), "{out}");
}

#[test]
fn a_project_sets_the_levels_of_lints() {
    let old = program(OLD);
    let folder =
        Folder::with(&[("a.tile", &old), ("inner/b.tile", &old), ("inner/tile.toml", "[lints]\nL0006 = \"off\"\n")]);
    let levels =
        [("off", 0, ""), ("hint", 0, ""), ("info", 0, "info["), ("warning", 0, "warning["), ("error", 1, "error[")];
    for (level, status, shown) in levels {
        fs::write(folder.path("tile.toml"), format!("[lints]\nrenamed-op = \"{level}\"\n")).expect("a file");
        let (found, out, err) = tile(&folder, &["check", "--output-format", "concise", "."]);
        assert_eq!((found, err.as_str()), (status, ""), "{level}");
        assert_eq!(out.lines().count(), usize::from(!shown.is_empty()), "{level}: {out}");
        assert!(out.contains(shown), "{level}: {out}");
    }
    for (text, message) in [
        ("[lints]\nE0101 = \"off\"\n", "tile.toml:2: `E0101` has no level: it is a rule of the language, not a lint"),
        ("[lints]\nrenamed-ops = \"off\"\n", "tile.toml:2: unknown lint `renamed-ops`; did you mean `renamed-op`?"),
        ("lint = 1\n", "tile.toml:1: unknown key `lint`; did you mean `lints`?"),
        ("target-version = \"12.0\"\n", "tile.toml:1: expected one of 13.1, 13.2, 13.3, 13.4"),
        ("gpu = \"sm_91\"\n", "tile.toml:1: unknown GPU `sm_91`; expected one of sm_80, sm_86"),
    ] {
        fs::write(folder.path("tile.toml"), text).expect("a file");
        let (status, _, err) = tile(&folder, &["check", "a.tile"]);
        assert_eq!(status, 2);
        assert!(err.contains(message), "{err}");
    }
    fs::write(folder.path("c.tile"), &old).expect("a file");
    for command in ["check", "fmt"] {
        let (status, out, err) = tile(&folder, &[command, "a.tile", "c.tile"]);
        let once = err.lines().filter(|line| line.contains("tile.toml:1: ")).count();
        assert_eq!((status, once), (2, 1), "{out}{err}");
    }
    fs::write(folder.path("tile.toml"), "line-width = 1\n").expect("a file");
    for command in ["check", "fmt"] {
        let (status, _, err) = tile(&folder, &[command, "a.tile", "c.tile"]);
        assert_eq!((status, err.lines().count()), (2, 1), "{err}");
    }
    fs::remove_file(folder.path("c.tile")).expect("the file exists");
    fs::write(folder.path("tile.toml"), "target-version = \"13.3\"\n").expect("a file");
    assert_eq!(tile(&folder, &["check", "a.tile"]).1, "1 file checked, nothing found\n", "13.3 calls the op `pow`");
}

#[test]
fn unsupported_types_of_a_named_gpu_are_errors() {
    let scales = program("%a = constant <f8E8M0FNU: 1.0> : tile<8xf8E8M0FNU>");
    let folder = Folder::with(&[("a.tile", &scales)]);
    let check = |arguments: &[&str]| tile(&folder, &[&["check", "--output-format", "concise"], arguments].concat());
    assert_eq!(check(&["a.tile"]).0, 0, "without a GPU every type is supported");
    let (status, out, _) = check(&["--gpu", "sm_90", "a.tile"]);
    let message = "E0804]: `f8E8M0FNU` needs sm_100 or later, but the target is sm_90";
    assert!(status == 1 && out.contains(message), "{out}");
    assert_eq!(check(&["--gpu", "sm_100", "a.tile"]).0, 0);
    fs::write(folder.path("tile.toml"), "gpu = \"sm_89\"\n").expect("a file");
    let (status, out, _) = check(&["a.tile"]);
    assert!(status == 1 && out.contains("the target is sm_89"), "{out}");
    assert_eq!(check(&["--gpu", "sm_120", "a.tile"]).0, 0, "the command line has priority");
    let (status, _, err) = check(&["--gpu", "h100", "a.tile"]);
    assert!(status == 2 && err.contains("unknown GPU `h100`; expected one of sm_80, sm_86"), "{err}");
    // The GPU on the command line supports this type.
    assert_eq!(tile(&folder, &["build", "a.tile", "--gpu", "sm_100"]).0, 0);
    let (status, _, err) = tile(&folder, &["build", "a.tile"]);
    assert!(status == 1 && err.contains("E0804") && err.contains("the target is sm_89"), "{err}");
}

#[test]
fn safe_fixes_are_applied_and_unsafe_ones_on_request() {
    let folder = Folder::with(&[("a.tile", &program(OLD)), ("b.tile", &program("%a = adff %x, %x : tile<f32>"))]);
    let (status, out, _) = tile(&folder, &["check", "--diff", "."]);
    assert_eq!(status, 1);
    assert!(out.contains("-    %a = pow") && out.contains("+    %a = fpowf") && !out.contains("addf"), "{out}");
    assert_eq!(folder.read("a.tile"), program(OLD), "--diff changes nothing");
    let (status, out, _) = tile(&folder, &["check", "--fix", "."]);
    assert_eq!(status, 1);
    assert!(out.ends_with("made 1 edit; 1 error, 0 warnings in 2 files\n"), "{out}");
    assert_eq!(folder.read("a.tile"), program(NEW));
    let (status, out, _) = tile(&folder, &["check", "--fix", "--unsafe-fixes", "."]);
    assert_eq!((status, out.as_str()), (0, "made 1 edit; 2 files checked, nothing found\n"));
    assert_eq!(folder.read("b.tile"), program("%a = addf %x, %x : tile<f32>"));
}

#[test]
fn a_fixed_file_keeps_its_byte_order_mark_and_line_ends() {
    let written = |op: &str| format!("\u{feff}{}", program(op)).replace('\n', "\r\n");
    let folder = Folder::with(&[("a.tile", &written(OLD)), ("b.tile", &written(NEW))]);
    let before = fs::metadata(folder.path("b.tile")).and_then(|found| found.modified()).expect("a time");
    let (_, out, _) = tile(&folder, &["check", "--diff", "."]);
    assert!(out.contains("\n \u{feff}cuda_tile.module"), "{out:?}");
    let (status, out, _) = tile(&folder, &["check", "--fix", "."]);
    assert_eq!((status, out.as_str()), (0, "made 1 edit; 2 files checked, nothing found\n"));
    assert_eq!(folder.read("a.tile"), written(NEW));
    assert_eq!(fs::metadata(folder.path("b.tile")).and_then(|found| found.modified()).expect("a time"), before);
    assert_eq!(fs::read_dir(folder.root()).expect("the folder").count(), 2, "nothing else remains");
}

#[test]
fn standard_input_cannot_be_fixed_in_place() {
    let folder = Folder::with(&[]);
    let (status, out, err) = tile(&folder, &["check", "--fix", "-"]);
    let message = "error: standard input cannot be fixed in place; name a file, or use --diff\n";
    assert_eq!((status, out.as_str(), err.as_str()), (2, "", message));
}

#[test]
fn the_output_file_can_be_standard_output() {
    let folder = Folder::of(&program(WRONG));
    let [file, standard] = [&["check", "a.tile"][..], &["check", "--output-file", "-", "a.tile"]]
        .map(|arguments| folder.tile(arguments).out);
    assert_eq!(file, standard);
    assert!(!folder.path("-").exists() && !file.is_empty());
}

#[test]
fn counts_have_no_format_of_lists() {
    for format in ["github", "sarif"] {
        let output = Folder::of(&program(WRONG)).tile(&["check", "--statistics", "--output-format", format, "a.tile"]);
        output.refuses_with(2, "`--statistics` counts diagnostics instead of listing them");
    }
}

#[test]
fn statistics_count_codes() {
    let folder = Folder::with(&[("a.tile", &program(WRONG)), ("b.tile", &program(&format!("{WARNED}\n    {WRONG}")))]);
    let (status, out, _) = tile(&folder, &["check", "--statistics", "."]);
    assert_eq!((status, out.as_str()), (1, "2  E0101  undeclared-value\n1  L0001  old-spelling (1 with a fix)\n"));
    let (_, out, _) = tile(&folder, &["check", "--statistics", "--output-format", "json", "."]);
    let rows: Value = serde_json::from_str(&out).expect("the output is JSON");
    assert_eq!((&rows[0]["code"], &rows[0]["count"]), (&"E0101".into(), &2.into()));
}

#[test]
fn formats_for_code_hosts_have_relative_paths() {
    let folder = Folder::with(&[("in/a.tile", &program(WRONG))]);
    let (_, out, _) = tile(&folder, &["check", "--output-format", "github", "."]);
    assert!(out.starts_with("::error file=in/a.tile,line=3,"), "{out}");
    let (_, out, _) = tile(&folder, &["check", "--output-format", "sarif", "."]);
    assert!(out.contains("\"uri\": \"in/a.tile\""), "{out}");
}

#[test]
fn sarif_is_written_to_a_file() {
    let folder = Folder::with(&[("a b.tile", &program(&format!("{WARNED}\n    {WRONG}")))]);
    let (status, out, _) =
        tile(&folder, &["check", "--output-format", "sarif", "--output-file", "log.sarif", "a b.tile"]);
    assert_eq!((status, out.as_str()), (1, ""));
    let log: Value = serde_json::from_str(&folder.read("log.sarif")).expect("the output is JSON");
    let run = &log["runs"][0];
    let result = &run["results"][1];
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(run["tool"]["driver"]["rules"][1]["id"], "E0101");
    assert_eq!(
        (&result["ruleId"], &result["ruleIndex"], &result["level"]),
        (&"E0101".into(), &1.into(), &"error".into())
    );
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(
        (&location["artifactLocation"]["uri"], &location["region"]["startLine"]),
        (&"a%20b.tile".into(), &4.into())
    );
    assert_eq!(
        run["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"],
        "print_tko"
    );
}

#[test]
fn many_files_are_reported_in_order() {
    let files: Vec<(String, String)> = (0..600).map(|index| (format!("f{index:03}.tile"), program(WRONG))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = Folder::with(&files);
    let (status, out, _) = tile(&folder, &["check", "--output-format", "concise", "."]);
    let names: Vec<&str> = out.lines().map(|line| line.split(':').next().unwrap_or_default()).collect();
    assert_eq!((status, names.len()), (1, 600));
    assert!(names.is_sorted());
}

#[test]
fn a_watched_file_is_checked_again() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::with(&[("in/a.tile", &program(WRONG)), ("in/deep/b.tile", &program(NEW))]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tile"))
        .args(["check", "--watch", "--output-format", "concise", "in"])
        .current_dir(folder.root())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    // Atomically: a partly written file would count as another change.
    let replace = |name: &str, text: &str| {
        let (new, target) = (folder.path("new"), folder.root().join(name));
        fs::write(&new, text).and_then(|()| fs::rename(new, target)).expect("a file");
    };
    let mut reported = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut next = || reported.next().expect("a line").expect("text");
    assert_eq!(next(), "watching 2 files; press Ctrl-C to stop");
    replace("in/a.tile", &program(&format!("{WRONG}\n    {WARNED}")));
    assert_eq!(next(), "watching 2 files; press Ctrl-C to stop");
    // Project files are watched too.
    replace("in/deep/tile.toml", "line-width = 1\n");
    assert!(next().contains("tile.toml:1: "));
    assert_eq!(next(), "watching 2 files; press Ctrl-C to stop");
    fs::remove_file(folder.path("in/deep/tile.toml")).expect("the file exists");
    assert_eq!(next(), "watching 2 files; press Ctrl-C to stop");
    child.kill().expect("the command is still running");
    child.wait().expect("the command ends");
    let out = BufReader::new(child.stdout.take().expect("a pipe")).lines().count();
    assert!(out >= 3, "one finding, then at least two: {out}");
}

#[test]
fn the_summary_counts_fixable_hints() {
    // Hints are not shown, but can have fixes.
    let folder = Folder::with(&[("a.tile", "entry @k() {\n}\n")]);
    let (status, diff, _) = tile(&folder, &["check", "--diff", "a.tile"]);
    assert!(status == 1 && diff.contains("+cuda_tile.module @kernels {"), "{diff}");
    let (status, out, _) = tile(&folder, &["check", "a.tile"]);
    assert_eq!((status, out.as_str()), (0, "1 file checked, no errors or warnings; --fix applies 1 hint\n"));
    let (_, out, _) = tile(&folder, &["check", "--fix", "a.tile"]);
    assert_eq!(out, "made 2 edits; 1 file checked, nothing found\n");
}

#[test]
fn codes_are_listed_in_order() {
    let folder = Folder::with(&[]);
    let (_, out, _) = tile(&folder, &["explain"]);
    let codes: Vec<&str> = out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(codes.len() > 50 && codes.is_sorted(), "{codes:?}");
}

#[test]
fn colors_are_used_on_request() {
    let folder = Folder::with(&[("a.tile", &program(WRONG))]);
    for (color, has) in [("always", true), ("never", false), ("auto", false)] {
        for command in ["check", "test"] {
            let (_, out, _) = tile(&folder, &[command, "--color", color, "a.tile"]);
            assert_eq!(out.contains('\u{1b}'), has, "{command} {color}: {out:?}");
        }
    }
    let (_, out, _) = tile(&folder, &["--color=always", "fmt", "--diff", "a.tile"]);
    assert_eq!(out, "", "the file is already formatted");
    // Markdown is rendered only on a terminal.
    let (_, out, _) = tile(&folder, &["explain", "E0101"]);
    assert!(out.starts_with("# E0101: ") && out.contains("```tile\n"), "{out}");
}
