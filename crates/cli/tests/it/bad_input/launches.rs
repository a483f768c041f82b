//! Launch directives that cannot be run.

use crate::harness::{CommandOutput, Folder, entry};
use crate::waiting::with_time_limit;
use std::fs::{self, File};

/// Runs a launch of `@k(%p: tile<ptr<f32>>, %n: tile<i32>)`.
fn run(directives: &[&str]) -> CommandOutput {
    folder(directives).tile(&["run", "a.tile"])
}

fn folder(directives: &[&str]) -> Folder {
    Folder::of(&entry(directives, "%p: tile<ptr<f32>>, %n: tile<i32>", &[]))
}

/// The text of a diagnostic with its place, the number of marked columns, and its note.
fn shown(message: &str, row: usize, column: usize, line: &str, marked: usize, note: &str) -> String {
    let carets = format!("{}{}", " ".repeat(column - 1), "^".repeat(marked));
    let note = if note.is_empty() { String::new() } else { format!("  │\n  = {note}\n") };
    format!("error[L0101]: {message}\n  ┌─ a.tile:{row}:{column}\n  │\n{row} │ {line}\n  │ {carets}\n{note}\n")
}

#[test]
fn a_launch_that_names_an_unknown_argument() {
    let err = shown("the entry `@k` has no parameter `%q`", 5, 9, "  //@   %q = 3", 6, "its parameters are `%p`, `%n`");
    run(&["launch", "  %p = f32[4] zeros", "  %n = 1", "  %q = 3"]).is(1, "", &err);
}

#[test]
fn a_misspelled_argument_is_one_mistake() {
    let program = entry(&["launch", "  %cuont = 3"], "%count: tile<i32>", &[]);
    let err =
        shown("the entry `@k` has no parameter `%cuont`", 3, 9, "  //@   %cuont = 3", 10, "did you mean `%count`?");
    Folder::of(&program).tile(&["run", "a.tile"]).is(1, "", &err);
}

#[test]
fn a_parameter_without_an_argument() {
    let message = "this launch has no argument for the parameter `%n` of `@k`";
    let err = shown(message, 2, 7, "  //@ launch", 6, "add a line such as `//@   %n = 1`");
    run(&["launch", "  %p = f32[4] zeros"]).is(1, "", &err);
    let message = "this launch has no argument for the parameters `%p` and `%n` of `@k`";
    let note = "add lines such as `//@   %p = f32[1024] zeros` and `//@   %n = 1`";
    run(&["launch"]).is(1, "", &shown(message, 2, 7, "  //@ launch", 6, note));
}

#[test]
fn a_buffer_of_a_wrong_element_type() {
    let message = "`%p` points to `f32`, but its buffer holds `f16`";
    let err = shown(message, 3, 9, "  //@   %p = f16[4] zeros", 17, "write `%p = f32[4] zeros`");
    run(&["launch", "  %p = f16[4] zeros", "  %n = 1"]).is(1, "", &err);
}

#[test]
fn a_number_for_a_pointer_and_a_buffer_for_a_number() {
    let message = "`%p` is a pointer, so it needs a buffer, not a number";
    let err = shown(message, 3, 9, "  //@   %p = 4", 6, "write `%p = f32[1024] zeros`");
    run(&["launch", "  %p = 4", "  %n = 1"]).is(1, "", &err);
    let message = "`%n` is a `tile<i32>`, so it needs a number, not a buffer";
    let err = shown(message, 4, 9, "  //@   %n = i32[1] ones", 16, "write `%n = 1`");
    run(&["launch", "  %p = f32[4] zeros", "  %n = i32[1] ones"]).is(1, "", &err);
}

#[test]
fn a_line_in_error_is_one_mistake() {
    let err = shown("unknown initializer `zerso`", 3, 21, "  //@   %p = f32[4] zerso", 5, "did you mean `zeros`?");
    let folder = folder(&["launch", "  %p = f32[4] zerso", "  %n = 1"]);
    folder.tile(&["run", "a.tile"]).is(1, "", &err);
    let failed = format!("FAIL a.tile: the launch directives have errors\n{err}0 passed, 1 failed\n");
    folder.tile(&["test", "a.tile"]).is(1, &failed, "");
    // A directive is a comment in the language, so the program is valid.
    let warning = format!("{}0 errors, 1 warning in 1 file\n", err.replace("error[", "warning["));
    folder.tile(&["check", "a.tile"]).is(0, &warning, "");
}

#[test]
fn an_empty_grid() {
    let output = run(&["launch grid=(8, 0)", "  %p = f32[4] zeros", "  %n = 1"]);
    let message = "an extent of the grid must be between 1 and 16777215, found 0";
    output.is(1, "", &shown(message, 2, 23, "  //@ launch grid=(8, 0)", 1, ""));
}

#[test]
fn a_grid_of_more_blocks_than_64_bits_count() {
    let output = folder(&["launch grid=(8388608, 8388608, 262144)", "  %p = f32[4] zeros", "  %n = 1"]).tile(&[
        "run",
        "--timeout=0.2",
        "a.tile",
    ]);
    assert!(output.status == Some(1) && output.err.contains("the run timed out after 200ms"), "{}", output.err);
}

#[test]
fn a_buffer_that_is_too_large_is_reported_at_its_line() {
    let output = run(&["launch", "  %p = f32[9999999999999] zeros", "  %n = 1"]);
    let message = "the buffer of `%p` takes 36.3 TiB, more than the 8 GiB allowed";
    let help = "make it smaller, or raise the limit: `tile run --max-memory 16GiB`";
    output.is(1, "", &shown(message, 3, 9, "  //@   %p = f32[9999999999999] zeros", 29, help));
}

#[test]
#[cfg(target_os = "linux")]
fn buffers_beyond_the_free_memory_are_refused() {
    // 64 TiB, more than any machine has.
    let folder = folder(&["launch", "  %p = f32[17592186044416] zeros", "  %n = 1"]);
    let output = folder.tile(&["run", "--max-memory=100000GiB", "a.tile"]);
    assert_eq!((output.status, output.out.as_str()), (Some(1), ""), "{}", output.err);
    let begins = "error[L0101]: the buffers up to `%p` take 128 TiB of memory, but only ";
    assert!(output.err.starts_with(begins) && output.err.contains(" are free\n"), "{}", output.err);
}

#[test]
fn a_missing_npy_file_is_reported_at_its_line() {
    let folder = folder(&["launch", "  %p = f32[2] npy(\"x.npy\")", "  %n = 1"]);
    let line = "  //@   %p = f32[2] npy(\"x.npy\")";
    let missing = shown("file `x.npy` not found", 3, 9, line, 24, "");
    folder.tile(&["run", "a.tile"]).is(2, "", &missing);
    let failed = format!("FAIL a.tile @k\n{missing}0 passed, 1 failed\n");
    folder.tile(&["test", "a.tile"]).is(1, &failed, "");
    fs::create_dir(folder.path("x.npy")).expect("a folder");
    folder.tile(&["run", "a.tile"]).is(2, "", &shown("`x.npy` is a folder, not a file", 3, 9, line, 24, ""));
}

#[test]
fn a_missing_npy_file_of_a_formula_is_reported_at_its_line() {
    let output = run(&["launch", "  %p = f32[2] zeros", "  %n = 1", "expect %p == npy(\"x.npy\")"]);
    output.is(2, "", &shown("file `x.npy` not found", 5, 7, "  //@ expect %p == npy(\"x.npy\")", 25, ""));
}

/// A `.npy` file with this header, followed by this number of bytes.
fn npy(descr: &str, shape: &str, bytes: usize) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(vec![0; bytes]);
    file
}

#[test]
fn an_npy_file_that_does_not_fit_is_reported_at_its_line() {
    let folder = folder(&["launch", "  %p = f32[2] npy(\"x.npy\")", "  %n = 1"]);
    let cases = [
        (npy("<f8", "(2,)", 16), "the file holds float64[2], but f32[2] (float32) is required"),
        (npy("<f4", "(3,)", 12), "the file holds float32[3], but f32[2] (float32) is required"),
        (npy("<f4", "(2,)", 5), "the file ends after 5 of 8 bytes"),
        (npy("<c8", "(2,)", 16), "the file holds `<c8`, which is not a supported number type"),
        (npy("<f4", "(x,)", 8), "the file's shape (x,) contains an invalid extent"),
        (b"\x93NUMPY".to_vec(), "the file ends within its header"),
        (b"1, 2, 3\n".to_vec(), "not a .npy file"),
        (Vec::new(), "not a .npy file"),
    ];
    for (file, why) in cases {
        fs::write(folder.path("x.npy"), file).expect("a file");
        let line = "  //@   %p = f32[2] npy(\"x.npy\")";
        let err = shown(&format!("`x.npy`: {why}"), 3, 9, line, 24, "");
        folder.tile(&["run", "a.tile"]).is(1, "", &err);
    }
}

#[test]
fn a_huge_npy_file_is_not_read() {
    let folder = folder(&["launch", "  %p = f32[2] npy(\"x.npy\")", "  %n = 1"]);
    File::create(folder.path("x.npy")).and_then(|file| file.set_len(64 << 30)).expect("a sparse file");
    let message = "cannot read `x.npy`: the files of a launch exceed the limit of 1000 MiB";
    let err = shown(message, 3, 9, "  //@   %p = f32[2] npy(\"x.npy\")", 24, "");
    folder.tile(&["run", "a.tile"]).is(2, "", &err);
}

#[test]
fn a_failed_expectation_has_status_1() {
    let folder = folder(&["launch", "  %p = f32[2] ones", "  %n = 1", "expect %p == 2"]);
    let output = folder.tile(&["run", "a.tile"]);
    assert_eq!((output.status, output.out.as_str()), (Some(1), ""));
    assert!(output.err.starts_with("a.tile:5: expectation failed\n"), "{}", output.err);
    let output = folder.tile(&["test", "a.tile"]);
    assert_eq!((output.status, output.err.as_str()), (Some(1), ""));
    assert!(output.out.starts_with("FAIL a.tile @k\n     a.tile:5: expectation failed\n"), "{}", output.out);
}

#[test]
fn saves_do_not_overwrite_the_program() {
    let program = entry(
        &["launch", "  %a = f32[4] iota", "  %b = f32[4] npy(\"in.npy\")"],
        "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>",
        &["return"],
    );
    let folder = Folder::of(&program);
    fs::create_dir(folder.path("sub")).expect("a folder");
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.tile", folder.path("link.npy")).expect("a link");
    #[cfg(unix)]
    fs::hard_link(folder.path("a.tile"), folder.path("hard.npy")).expect("a link");
    let names = if cfg!(unix) { &["a.tile", "./sub/../a.tile", "link.npy", "hard.npy"][..] } else { &["a.tile"] };
    for name in names {
        let save = format!("%a={name}");
        let made = ["run", "a.tile", "--arg", "%b=f32[4] iota", "--save", &save];
        let why = "this would overwrite the program `a.tile`; name another file";
        folder.tile(&made).refuses(2, &format!("`--save %a={name}`: {why}"));
        assert_eq!(fs::read_to_string(folder.path("a.tile")).expect("the file exists"), program);
    }
    let twice = ["run", "a.tile", "--arg", "%b=f32[4] iota", "--save", "%a=x.npy", "--save", "%b=sub/../x.npy"];
    let why = "`%a` is already saved to this file; name another file";
    folder.tile(&twice).refuses(2, &format!("`--save %b=sub/../x.npy`: {why}"));
    assert!(!folder.path("x.npy").exists());
    // A file that the launch reads can be replaced, so that each run advances a state.
    folder.tile(&["run", "a.tile", "--arg", "%b=f32[4] iota", "--save", "%a=in.npy"]).is(0, "", "");
    folder.tile(&["run", "a.tile", "--save", "%b=in.npy"]).is(0, "", "");
}

/// The square of an element, and a launch of its derivative.
const FORWARD: &str = "cuda_tile.module @m {
  entry @square(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %a, %loaded = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %limit = constant <f32: 3.2> : tile<f32>
    %fits = cmpf less_than ordered %a, %limit : tile<f32> -> tile<i1>
    assert %fits, \"too large\" : tile<i1>
    %b = mulf %a, %a : tile<f32>
    %stored = store_ptr_tko weak %y, %b : tile<ptr<f32>>, tile<f32> -> token
  }

  //@ launch
  //@   %x = f32[1] [0.5]
  //@   %y = f32[1] zeros
  //@   %dx = f32[1] zeros
  //@ forward @square
  //@ expect grad(%y, %x) ~= %dx
  entry @twice(%x: tile<ptr<f32>>, %dx: tile<ptr<f32>>) {
    %a, %loaded = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %b = addf %a, %a : tile<f32>
    %stored = store_ptr_tko weak %dx, %b : tile<ptr<f32>>, tile<f32> -> token
  }
}
";

#[test]
fn a_forward_kernel_that_cannot_be_run() {
    let check = |from: &str, to: &str, message: &str, row: usize, column: usize, marked: usize, note: &str| {
        let program = FORWARD.replacen(from, to, 1);
        let line = program.lines().nth(row - 1).expect("the line is there");
        let err = shown(message, row, column, line, marked, note).replace("  ┌", "   ┌").replace("\n  │", "\n   │");
        let err = err.replace("\n  =", "\n   =");
        Folder::of(&program).tile(&["run", "a.tile", "--entry", "twice"]).is(1, "", &err);
    };
    check("@square\n", "@squar\n", "unknown entry `@squar`", 15, 15, 6, "did you mean `@square`?");
    let message = "`%y` points to `f32`, but its buffer holds `f64` (in the forward kernel `@square`)";
    check("%y = f32[1]", "%y = f64[1]", message, 13, 9, 17, "write `%y = f32[1] zeros`");
    let message = "`%x` has shape [2], but only one element can be differentiated";
    let program = FORWARD.replacen("grad(%y, %x)", "grad(%x, %y)", 1).replacen("f32[1] [0.5]", "f32[2] ones", 1);
    let output = Folder::of(&program).tile(&["run", "a.tile", "--entry", "twice"]);
    assert!(
        output.err.contains(message) && output.err.contains("weight the elements: `grad(%x, %y, %dy)`"),
        "{}",
        output.err
    );
}

#[test]
fn a_forward_kernel_that_stops() {
    let folder = Folder::of(FORWARD);
    folder.tile(&["run", "a.tile", "--entry", "twice"]).is(0, "", "1 of 1 expectations met\n");
    folder.write("a.tile", FORWARD.replace("[0.5]", "[3]"));
    let output = folder.tile(&["test", "a.tile"]);
    let note = "in a run of the forward kernel `@square` for `grad(%y, %x)`, with `%x[0]` changed from 3 to 4";
    assert!(output.out.contains("error[R0301]: assertion failed: too large\n  ┌─ a.tile:6:5"), "{}", output.out);
    assert!(output.status == Some(1) && output.out.contains(note), "{}", output.out);
    folder.write("a.tile", FORWARD.replace("[0.5]", "[4]"));
    let output = folder.tile(&["test", "a.tile"]).out;
    assert!(output.contains("in a run of the forward kernel `@square` for `grad(%y, %x)`\n"), "{output}");
}

#[test]
fn a_gradient_that_does_not_exist() {
    let report = |value: &str, body: &str| {
        let program = FORWARD.replace("[0.5]", value).replace("%b = mulf %a, %a", body);
        Folder::of(&program).tile(&["test", "a.tile"]).out
    };
    let infinite = report("[-inf]", "%b = mulf %a, %a");
    assert!(
        infinite.contains("a.tile:16: expectation failed\n     `%x[0]` is -inf, so no derivative exists there"),
        "{infinite}"
    );
    let output = report("[-1]", "%b = sqrt %a");
    assert!(output.contains("`%y` is not finite, so it has no derivative"), "{output}");
    let edge = report("[0]", "%b = sqrt %a");
    assert!(edge.contains("`%y` is not finite if `%x[0]` changes slightly, so it has no derivative"), "{edge}");
}

#[test]
fn the_time_limit_includes_the_runs_of_the_forward_kernel() {
    let endless = "%first = constant <i64: 0> : tile<i64>
    %step = constant <i64: 1> : tile<i64>
    %last = constant <i64: 9223372036854775807> : tile<i64>
    %b = for %i in (%first to %last, step %step) : tile<i64> iter_values(%sum = %a) -> (tile<f32>) {
      %next = addf %sum, %a : tile<f32>
      continue %next : tile<f32>
    }";
    let program = FORWARD.replace("%b = mulf %a, %a : tile<f32>", endless);
    let folder = Folder::of(&program);
    let run = |seconds: u32| folder.tile(&["run", "a.tile", "--entry", "twice", "--timeout", &seconds.to_string()]);
    let place = "in a run of the forward kernel `@square` for `grad(%y, %x)`";
    // The forward kernel must begin within the limit.
    let (seconds, output) = with_time_limit(1, run, |output| !output.err.contains(place));
    assert!(output.err.contains(&format!("error[R0402]: the run timed out after {seconds}s")), "{}", output.err);
    assert!(output.err.contains(place), "{}", output.err);
}
