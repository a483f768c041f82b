//! `tile opt`.

use crate::harness::Folder;
use std::fs;

const PROGRAM: &str = "// A program.
cuda_tile.module @m {
  //@ launch
  //@   %y = f32[1] zeros
  //@ expect %y == [7]
  entry @k(%y: tile<ptr<f32>>) {
    // Six and one.
    %two = constant <f32: 2.0> : tile<f32>
    %three = constant <f32: 3.0> : tile<f32>
    %one = constant <f32: 1.0> : tile<f32>
    %six = mulf %two, %three : tile<f32>
    %seven = addf %six, %one : tile<f32> // seven
    print_tko \"done\\n\" -> token
    %t = store_ptr_tko weak %y, %seven : tile<ptr<f32>>, tile<f32> -> token
  }
}
";

/// 0.1 * 10 is 1 after rounding, and 1.49e-8 more before.
const ROUNDED: &str = "cuda_tile.module @m {
  //@ launch
  //@   %a = f32[1] [0.1]
  //@   %b = f32[1] [10]
  //@   %y = f32[1] zeros
  entry @k(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %x, %t0 = load_ptr_tko weak %a : tile<ptr<f32>> -> tile<f32>, token
    %n, %t1 = load_ptr_tko weak %b : tile<ptr<f32>> -> tile<f32>, token
    %minus_one = constant <f32: -1.0> : tile<f32>
    %product = mulf %x, %n : tile<f32>
    %rest = addf %product, %minus_one : tile<f32>
    %t2 = store_ptr_tko weak %y, %rest : tile<ptr<f32>>, tile<f32> -> token
  }
}
";

fn folder() -> Folder {
    Folder::with(&[("a.tile", PROGRAM), ("rounded.tile", ROUNDED)])
}

#[test]
fn a_program_is_optimized() {
    let folder = folder();
    let output = folder.tile(&["opt", "a.tile"]);
    assert_eq!((output.status, output.err.as_str()), (Some(0), "changes: fold 2, dce 4\n"));
    let constants = PROGRAM.lines().filter(|line| line.contains("constant") || line.contains("mulf"));
    let expected = constants.fold(PROGRAM.to_string(), |text, line| text.replace(&format!("{line}\n"), ""));
    assert_eq!(output.out, expected.replace("addf %six, %one", "constant <f32: 7.0>"));
    let verified = folder.tile(&["opt", "--verify", "a.tile", "-o", "b.tile"]);
    assert_eq!(verified.err, "verified: the same results in 1 launch\nchanges: fold 2, dce 4\n");
    assert_eq!((verified.status, verified.out.as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(folder.path("b.tile")).expect("the file was written"), output.out);
    assert_eq!(folder.tile(&["test", "b.tile"]).status, Some(0));
    let again = folder.tile(&["opt", "b.tile"]);
    assert_eq!((again.out, again.err.as_str()), (output.out, "no changes\n"));
}

#[test]
fn passes_are_chosen_and_shown() {
    let folder = folder();
    let listed = folder.tile(&["opt", "--list-passes"]).out;
    assert!(listed.lines().count() == 6 && listed.contains("\nfold         compute ops whose"), "{listed}");
    let output = folder.tile(&["opt", "--passes", "dce,fold", "--print-after-each", "a.tile"]);
    let headings: Vec<&str> = output.err.lines().filter(|line| line.starts_with("// -----")).collect();
    let changes = ["dce: no changes", "fold: 2 changes", "dce: 4 changes", "fold: no changes"];
    assert_eq!(headings, changes.map(|changes| format!("// ----- after {changes}")));
    let last =
        output.err.rsplit("// ----- after fold: 2 changes\n").next().and_then(|rest| rest.split("// -----").next());
    assert!(
        last.is_some_and(|text| text.contains("%seven = constant <f32: 7.0> : tile<f32> // seven")),
        "{}",
        output.err
    );
    let unknown = folder.tile(&["opt", "--passes", "inline", "a.tile"]);
    assert_eq!(unknown.status, Some(2));
    assert!(unknown.err.contains("expected one of canonicalize, fold, cse, licm, fma, dce"), "{}", unknown.err);
}

#[test]
fn results_change_only_on_request() {
    let folder = folder();
    let kept = folder.tile(&["opt", "--verify", "rounded.tile"]);
    assert_eq!((kept.status, kept.err.as_str()), (Some(0), "verified: the same results in 1 launch\nno changes\n"));
    assert_eq!(kept.out, ROUNDED);
    let fused = folder.tile(&["opt", "--allow", "contract", "rounded.tile"]);
    assert!(fused.out.contains("%rest = fma %x, %n, %minus_one : tile<f32>\n"), "{}", fused.out);
    let different = folder.tile(&["opt", "--allow", "contract", "--verify", "rounded.tile", "-o", "c.tile"]);
    assert_eq!(different.status, Some(1));
    assert_eq!(different.err, "@k: `%y` differs\nerror: different results in 1 launch\nchanges: fma 1\n");
    assert!(!folder.path("c.tile").exists());
}

#[test]
fn launches_without_defined_results_are_not_compared() {
    let folder = folder();
    for (from, to, reason) in [
        ("//@ expect %y == [7]", "//@ expect error R0101", "it expects R0101"),
        ("f32[1] zeros", "f32[x] zeros", "expected a number, found `x`"),
        ("%y, %seven", "%null, %seven", "R0101: this writes through a null pointer"),
    ] {
        let null =
            "    %zero = constant <i64: 0> : tile<i64>\n    %null = int_to_ptr %zero : tile<i64> -> tile<ptr<f32>>\n";
        let text = PROGRAM.replace(from, to).replace("    // Six", &format!("{null}    // Six"));
        folder.write("other.tile", &text);
        let output = folder.tile(&["opt", "--verify", "other.tile"]);
        let expected = format!("@k: not compared: {reason}");
        assert!(output.status == Some(0) && output.err.starts_with(&expected), "{}", output.err);
        assert!(output.err.contains("\nverified nothing: no launch to run\n"), "{}", output.err);
    }
}

#[test]
fn invalid_programs_are_refused() {
    let folder = folder();
    folder.write("bad.tile", PROGRAM.replace("mulf", "mull"));
    let output = folder.tile(&["opt", "bad.tile"]);
    assert_eq!((output.status, output.out.as_str()), (Some(1), ""));
    assert!(output.err.contains("error[E0002]"), "{}", output.err);
    assert_eq!(folder.tile(&["opt", "missing.tile"]).status, Some(2));
    assert_eq!(folder.tile(&["opt", "a.tile", "-o", "a.tile"]).status, Some(2));
    assert_eq!(folder.tile(&["opt"]).status, Some(2));
}
