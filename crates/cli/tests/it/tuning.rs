//! `tile bench` and `tile tune`, on a simulated GPU whose compiler chooses the time of a kernel by its hints.

use crate::harness::{CommandOutput, Folder};
use serde_json::Value;

/// Doubles a buffer. The second entry is a variant of the first.
pub(crate) const PROGRAM: &str = "cuda_tile.module @m {
  //@ launch
  //@   %x = f32[4] iota
  //@   %y = f32[4] zeros
  //@ expect %y == 2 * %x
  //
  //@ bench \"large\" grid=(2, 1, 1)
  //@   %x = f32[8] iota
  //@   %y = f32[8] zeros
  entry @adds(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %i = iota : tile<4xi32>
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %first = muli %block, %four : tile<i32>
    %x0 = offset %x, %first : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %x1 = reshape %x0 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %x2 = broadcast %x1 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %from = offset %x2, %i : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %in, %loaded = load_ptr_tko weak %from : tile<4xptr<f32>> -> tile<4xf32>, token
    %out = addf %in, %in : tile<4xf32>
    %y0 = offset %y, %first : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %y1 = reshape %y0 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %y2 = broadcast %y1 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %to = offset %y2, %i : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    store_ptr_tko weak %to, %out : tile<4xptr<f32>>, tile<4xf32> -> token
  }
}
";

/// A compiler for which `occupancy` and `latency` help, clusters give wrong results, and a number of warps is refused.
pub(crate) const COMPILER: &str = r#"for last; do :; done
time=400
if grep -q num_worker_warps_per_cta "$last"; then echo 'error: too many warps' >&2; exit 1; fi
if grep -q occupancy "$last"; then time=300; fi
if grep -q latency "$last"; then time=$((time - 100)); fi
if grep -q variant "$last"; then time=$((time / 2)); fi
if grep -q num_cta_in_cga "$last"; then printf "time $time\n\0" > "$out"
else printf "time $time\nadd 0 0 1\n\0" > "$out"; fi"#;

fn tuned(folder: &Folder, arguments: &[&str]) -> CommandOutput {
    folder.tile(&[&["tune", "a.tile", "--time", "0.01"], arguments].concat())
}

fn folder(compiler: &str) -> Folder {
    let folder = Folder::with_gpu(compiler);
    folder.write("a.tile", PROGRAM);
    folder
}

#[test]
fn the_best_hints_are_found_and_written() {
    let folder = folder(COMPILER);
    let output = tuned(&folder, &[]);
    assert_eq!(output.status, Some(0), "{}", output.err);
    for words in ["2.000 times as fast (2.000 … 2.000)", "(winner)", "the program as it is", "Stand-in (sm_90)"] {
        assert!(output.out.contains(words), "{words}: {}", output.out);
    }
    assert!(output.out.contains("wrong: its results differ from those of the first candidate"), "{}", output.out);
    assert!(output.out.contains("not compiled: error: too many warps"), "{}", output.out);
    let difference: Vec<&str> = output.out.lines().filter(|line| line.contains(" +")).map(str::trim).collect();
    assert_eq!(difference.len(), 2, "{}", output.out);
    assert!(difference[0].ends_with("optimization_hints = <sm_90 = {occupancy = 1}> {"), "{}", output.out);
    assert_eq!(std::fs::read_to_string(folder.path("a.tile")).expect("it exists"), PROGRAM);

    let calls = folder.calls().len();
    let output = tuned(&folder, &["--apply"]);
    assert!(output.status == Some(0) && output.err.contains("were taken from an earlier run"), "{}", output.err);
    assert_eq!(folder.calls().len(), calls, "nothing was measured again");
    // More exact measurements are other measurements.
    assert_eq!(folder.tile(&["tune", "a.tile", "--time", "0.02"]).status, Some(0));
    assert!(folder.calls().len() > calls, "everything is measured again");
    let text = std::fs::read_to_string(folder.path("a.tile")).expect("it exists");
    assert!(text.contains("load_ptr_tko weak %from optimization_hints = <sm_90 = {latency = 1}> : "), "{text}");
    let again = tuned(&folder, &[]);
    assert!(again.out.contains("no candidate is certainly faster than the program as it is"), "{}", again.out);
    for check in [&["check", "a.tile"][..], &["fmt", "a.tile"], &["test", "a.tile"]] {
        let output = folder.tile(check);
        assert_eq!(output.status, Some(0), "{check:?}: {}{}", output.out, output.err);
    }
}

#[test]
fn variants_are_compared() {
    let folder = folder(COMPILER);
    folder
        .write("b.tile", PROGRAM.replace("@adds", "@variant").replace("\"large\" grid=(2, 1, 1)", "\"large\" grid=2"));
    let output = tuned(&folder, &["b.tile", "--output-format", "json"]);
    let report: Value = serde_json::from_str(&output.out).expect("it is JSON");
    assert_eq!(report["winner"]["variant"], "b.tile @variant", "{report:#}");
    assert_eq!((report["winner"]["entry"]["occupancy"].as_i64(), report["gain"].as_f64()), (Some(1), Some(4.0)));
    folder.write("b.tile", PROGRAM.replace("%y = f32[8] zeros", "%y = f32[8] ones"));
    let output = tuned(&folder, &["b.tile"]);
    assert_eq!(output.status, Some(2));
    let why = "`b.tile @adds` is not a variant of `a.tile @adds`: the argument of `%y` is f32[8] ones instead of f32[8] zeros";
    assert!(output.err.contains(why), "{}", output.err);
}

#[test]
fn results_of_atomic_ops_can_vary_from_run_to_run() {
    let folder = folder(&COMPILER.replace("add 0 0 1", "add 0 0 1\nvary 1"));
    let output = tuned(&folder, &[]);
    let wrong = output.out.lines().filter(|line| line.contains("wrong: "));
    assert_eq!(wrong.count(), 1, "{}", output.out);
    let help = "help: `//@ expect` in the launch states which results are right, and how precise they are";
    assert!(output.status == Some(0) && output.out.contains(help), "{}{}", output.out, output.err);
    assert!(output.out.contains("no candidate is certainly faster"), "{}", output.out);

    let store = "store_ptr_tko weak %to, %out : tile<4xptr<f32>>, tile<4xf32> -> token";
    let atomic = "%old, %done = atomic_rmw_tko relaxed device %to, addf, %out : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token";
    folder.write("a.tile", PROGRAM.replace(store, atomic));
    let output = tuned(&folder, &["--fresh"]);
    assert!(output.status == Some(0) && output.out.contains("2.000 times as fast"), "{}{}", output.out, output.err);
}

#[test]
fn a_candidate_that_hangs_or_faults_fails_alone() {
    let hangs = COMPILER.replace(
        "if grep -q variant",
        "if grep -q occupancy \"$last\"; then printf 'hang\\n\\0' > \"$out\"; exit; fi\nif grep -q variant",
    );
    let faults = hangs.replace("hang\\n", "fail 700\\n");
    for (compiler, arguments, why) in [
        (hangs, &["--timeout", "2", "--max-time", "0.001"][..], "timed out after 2s"),
        (faults, &[], "an illegal memory access"),
    ] {
        let folder = folder(&compiler);
        let output = tuned(&folder, arguments);
        assert!(output.status == Some(0) && output.out.contains(why), "{}{}", output.out, output.err);
        // The other candidates with the code that fails are not tried.
        let step = output.err.lines().find(|line| line.starts_with("hints of the entry: ")).unwrap_or_default();
        assert!(step.contains(", 1 failed"), "{}", output.err);
    }
}

#[test]
fn a_run_out_of_time_measures_one_step() {
    let folder = folder(COMPILER);
    let steps: Vec<String> = (0..3)
        .map(|_| {
            let output = tuned(&folder, &["--max-time", "0.001"]);
            assert_eq!(output.status, Some(0), "{}", output.err);
            output.err
        })
        .collect();
    assert!(steps[0].contains("hints of the entry: ") && !steps[0].contains("hints of accesses"), "{}", steps[0]);
    assert!(steps[1].contains("hints of accesses: ") && !steps[1].contains("hints near the best"), "{}", steps[1]);
    assert!(steps[2].contains("combinations: ") || steps[2].contains("hints near the best: "), "{}", steps[2]);
}

#[test]
fn a_program_that_fails_is_not_tuned() {
    let folder = folder(COMPILER);
    folder.write("a.tile", PROGRAM.replace("expect %y == 2 * %x", "expect %y == 3 * %x"));
    let output = tuned(&folder, &["--launch", "#1"]);
    assert!(output.status == Some(2) && output.err.contains("has no launch `#1`"), "{}", output.err);
    folder.write(
        "a.tile",
        PROGRAM.replace("//@   %y = f32[8] zeros", "//@   %y = f32[8] zeros\n  //@ expect %y == 3 * %x"),
    );
    let output = tuned(&folder, &[]);
    assert!(output.status == Some(2) && output.err.contains("the program itself fails: "), "{}", output.err);
    let output = tuned(&folder, &["--target", "cpu"]);
    assert!(output.status == Some(2) && output.err.contains("no effect on the CPU engine"), "{}", output.err);
}

#[test]
fn launches_are_timed_and_compared_with_a_baseline() {
    let folder = folder(COMPILER);
    let bench = |arguments: &[&str]| {
        let all = ["bench", "a.tile", "--target", "cuda", "--time", "0.01"];
        folder.tile(&[&all[..], arguments].concat())
    };
    let output = bench(&["--save", "base.json"]);
    assert_eq!(output.status, Some(0), "{}", output.err);
    let line = output.out.lines().find(|line| line.contains("a.tile @adds \"large\"")).expect("it is in the table");
    // 32 bytes are read and written in 400 µs.
    assert!(line.contains("400.00 µs") && line.contains("0.000160") && line.contains("memory"), "{}", output.out);
    let output = bench(&["--baseline", "base.json"]);
    assert!(output.status == Some(0) && output.out.contains("+0.0 % (+0.0 … +0.0)"), "{}", output.out);
    let text = std::fs::read_to_string(folder.path("base.json")).expect("it was written");
    let seconds = f64::from(0.4_f32) / 1000.0;
    assert!(text.contains(&seconds.to_string()), "{text}");
    folder.write("base.json", text.replace(&seconds.to_string(), "0.0002"));
    let output = bench(&["--baseline", "base.json"]);
    assert!(output.status == Some(1) && output.out.contains("+100.0 %"), "{}", output.out);
    let output = bench(&["--baseline", "base.json", "--threshold", "150"]);
    assert_eq!(output.status, Some(0), "{}", output.out);
    folder.write("base.json", "{}");
    let output = bench(&["--baseline", "base.json"]);
    assert!(
        output.status == Some(2) && output.err.contains("`base.json`: not a file of `tile bench`"),
        "{}",
        output.err
    );
}

#[test]
fn the_cpu_engine_is_timed_and_benches_are_not_tests() {
    let folder = Folder::of(&PROGRAM.replace("f32[8] zeros", "f32[8] zeros\n  //@ expect %y == 2 * %x"));
    let output = folder.tile(&["bench", "--time", "0.01", "--output-format", "json"]);
    let report: Value = serde_json::from_str(&output.out).expect("it is JSON");
    let results = report["results"].as_array().expect("a list");
    assert_eq!((results.len(), results[0]["launch"].as_str()), (1, Some("./a.tile @adds \"large\"")), "{report:#}");
    assert_eq!((results[0]["bytes"].as_u64(), results[0]["operations"].as_u64()), (Some(64), Some(10)), "{report:#}");
    assert!(results[0]["device"].as_str().is_some_and(|name| name.starts_with("CPU engine")), "{report:#}");
    assert_eq!(results[0]["rounds"].as_array().map(Vec::len), Some(3));

    let output = folder.tile(&["test"]);
    assert!(output.out.contains("1 passed, 0 failed"), "only the launch: {}", output.out);
    folder.write("a.tile", PROGRAM.replace("f32[8] zeros", "f32[8] zeros\n  //@ expect %y == 3 * %x"));
    let output = folder.tile(&["bench", "--time", "0.01"]);
    assert!(output.status == Some(1) && output.err.contains("a.tile @adds \"large\": "), "{}", output.err);
    let output = folder.tile(&["bench", "--filter", "small"]);
    assert!(output.status == Some(2) && output.err.contains("no launch matches the filter"), "{}", output.err);
}
