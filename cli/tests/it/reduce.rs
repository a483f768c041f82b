//! `tile reduce`, and the reports of compiler crashes.
//!
//! A script replaces NVIDIA's compiler.

use crate::compiler::ABOUT;
use crate::harness::{CommandOutput, Folder, HELLO};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const PROGRAM: &str = "// Says something.
cuda_tile.module @m {
  global @unused <f32: [1.0, 2.0]> : tile<2xf32>
  entry @other() {
    return
  }
  //@ launch
  //@   %n = 4
  //@   %p = f32[4] zeros
  entry @k(%n: tile<i32>, %p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %twice = addi %i, %i : tile<i32>
      // Here it happens.
      print_tko \"boom %i\\n\", %twice : tile<i32> -> token
    }
    print_tko \"quiet\\n\" -> token
  }
}
";

/// A compiler that crashes on programs that contain `boom`.
const CRASHES: &str =
    "grep -q boom \"$1\" && { echo \"f.cpp:$$: Assertion \\`a < 3 failed.\" >&2; kill -SEGV $$; }; echo > \"$out\"";

fn place(compiler: &str) -> Folder {
    let place = Folder::with_compiler(compiler);
    place.write("a.tile", PROGRAM);
    place
}

fn read(place: &Folder, name: &str) -> String {
    fs::read_to_string(place.path(name)).expect("the file was written")
}

/// Unpacks the only crash report. Returns the folder with its files.
fn report(place: &Folder, output: &CommandOutput) -> PathBuf {
    let folder = place.path("state/tile");
    let files: Vec<_> =
        fs::read_dir(&folder).expect("the folder of reports exists").flatten().map(|file| file.path()).collect();
    let [path] = &files[..] else { panic!("{files:?}") };
    assert!(output.err.contains(&format!("the report was written to {}", path.display())), "{}", output.err);
    assert!(
        Command::new("tar")
            .arg("-xf")
            .arg(path)
            .current_dir(place.root())
            .status()
            .expect("tar is installed")
            .success()
    );
    place.path("crash")
}

#[test]
fn a_crash_of_the_compiler_leaves_a_report() {
    let place = place(CRASHES);
    let build = ["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90", "--opt-level=1"];
    let reported = place.tile(&build);
    assert!(reported.status == Some(2) && reported.err.contains("crashed (signal: 11"), "{}", reported.err);
    assert!(reported.err.contains("`tile reduce a.tile --gpu sm_90 --opt-level=1`"), "{}", reported.err);
    let files = report(&place, &reported);
    let read = |name: &str| fs::read(files.join(name)).expect("the report contains the file");
    let text = |name: &str| String::from_utf8(read(name)).expect("the file is UTF-8");
    assert_eq!(text("program.tile"), PROGRAM);
    assert_eq!(read("program.tileirbc")[..8], *b"\x7fTileIR\0");
    let (command, about) = (text("command.sh"), text("about.txt"));
    let words = "--gpu-name=sm_90 --opt-level=1 --lineinfo -o program.cubin program.tileirbc";
    assert!(command.contains(words), "{command}");
    assert!(about.contains("V13.3.7") && about.contains("Assertion `a < 3") && about.contains("tile 0."), "{about}");
    // The command in the report reproduces the crash.
    let again = Command::new("sh").arg("command.sh").current_dir(&files).output().expect("the shell starts");
    assert!(String::from_utf8_lossy(&again.stderr).contains("Assertion"));
}

#[test]
fn the_command_of_a_report_is_quoted_for_the_shell() {
    let place = place("");
    let name = "tool's $place/tileiras";
    place.script(name, &format!("{ABOUT}{CRASHES}\n"));
    let compiler = place.path(name);
    let mut build = place.command(&["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90"]);
    let reported = CommandOutput::from(build.env("TILE_TILEIRAS", compiler).output().expect("the command runs"));
    let files = report(&place, &reported);
    let again = Command::new("sh").arg("command.sh").current_dir(&files).output().expect("the shell starts");
    assert!(String::from_utf8_lossy(&again.stderr).contains("Assertion"), "{}", String::from_utf8_lossy(&again.stderr));
}

#[test]
fn a_crash_of_the_compiler_is_preserved() {
    let place = place(CRASHES);
    let reported = place.tile(&["reduce", "a.tile", "--gpu", "sm_90"]);
    assert_eq!(reported.status, Some(0), "{}", reported.err);
    let left = "cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    print_tko \"boom %i\\n\", %n : tile<i32> -> token
  }
}
";
    assert_eq!(read(&place, "a.reduced.tile"), left, "{}", reported.err);
    assert!(
        reported.err.contains("crashed (signal: 11") && reported.err.contains("reduced 20 lines to 5 lines"),
        "{}",
        reported.err
    );
    assert_eq!(fs::read_to_string(report(&place, &reported).join("program.tile")).expect("the file exists"), left);
    // The result does not depend on the number of cores.
    for jobs in ["-j1", "-j5"] {
        assert_eq!(place.tile(&["reduce", "a.tile", "--gpu", "sm_90", jobs, "-o", "-"]).out, left);
    }
}

#[test]
fn another_failure_of_the_compiler_is_distinguished() {
    // Without the print, the compiler fails in another way.
    let other = "echo 'error: no such thing' >&2; echo 'error: failed to compile Tile IR program' >&2; exit 5";
    for (does, stays) in [(format!("grep -q boom \"$1\" && kill -SEGV $$; {other}"), "boom"), (other.to_string(), "")] {
        let place = place(&does);
        let reported = place.tile(&["reduce", "a.tile", "--gpu", "sm_90", "-o", "-"]);
        assert!(reported.status == Some(0) && reported.out.contains(stays), "{}{}", reported.out, reported.err);
        assert_eq!(reported.out.contains("boom"), !stays.is_empty(), "{}", reported.out);
        assert_eq!(
            reported.err.contains("refuses the program for sm_90: no such thing"),
            stays.is_empty(),
            "{}",
            reported.err
        );
    }
}

#[test]
fn a_compiler_that_does_not_end_is_a_failure() {
    // A small program, because every failing attempt takes the full time limit.
    let place = place("grep -q boom \"$1\" && sleep 60; echo > \"$out\"");
    place.write("a.tile", HELLO.replace("hello", "boom").replace("entry @k", "entry @other() {\n  }\n  entry @k"));
    let reported = place.tile(&["reduce", "a.tile", "--gpu", "sm_90", "-o", "-", "--timeout", "3", "-j8"]);
    assert!(reported.out.contains("boom") && reported.out.lines().count() <= 6, "{}{}", reported.out, reported.err);
    assert!(reported.err.contains("did not finish within 3s"), "{}", reported.err);
}

#[test]
fn the_failure_of_a_command_is_preserved() {
    let place = place("");
    place.script("test.sh", "#!/bin/sh\ngrep -q quiet \"$1\" && echo found && exit 3\nexit 4\n");
    let left = "cuda_tile.module @m {\n  entry @k() {\n    print_tko \"quiet\\n\" -> token\n  }\n}\n";
    for command in [&["--", "./test.sh"][..], &["--", "sh", "./test.sh", "{}"], &["--says", "found", "--", "./test.sh"]]
    {
        let reported = place.tile(&[&["reduce", "a.tile"], command].concat());
        assert_eq!((reported.status, read(&place, "a.reduced.tile")), (Some(0), left.to_string()), "{}", reported.err);
        assert!(reported.err.contains("the command ends with exit status: 3"), "{}", reported.err);
    }
    // Launches are kept if the command needs them.
    let tile = env!("CARGO_BIN_EXE_tile");
    let reported = place.tile(&["reduce", "a.tile", "-o", "-", "--says", "boom 6", "--", tile, "run"]);
    assert!(reported.out.contains("//@   %n = 4") && !reported.out.contains("%p"), "{}{}", reported.out, reported.err);
}

#[test]
fn data_files_of_launches_are_available_to_every_attempt() {
    let place = place("");
    let tile = env!("CARGO_BIN_EXE_tile");
    place.write("a.tile", PROGRAM.replace("f32[4] zeros", "f32[4] iota"));
    fs::create_dir(place.path("data")).expect("folders can be created");
    let saved = place.tile(&["run", "a.tile", "--save", "%p=data/p.npy"]);
    assert_eq!(saved.status, Some(0), "{}", saved.err);
    let text = PROGRAM.replace("f32[4] zeros", "f32[4] npy(\"data/p.npy\")");
    let text = text.replace("entry @k", "//@ expect %p == 7\n  entry @k");
    place.write("a.tile", &text);
    let reported =
        place.tile(&["reduce", "a.tile", "-o", "-", "--says", "largest absolute error 7", "--", tile, "run"]);
    assert!(
        reported.status == Some(0) && reported.out.contains("npy(") && !reported.out.contains("print_tko"),
        "{}",
        reported.out
    );
}

#[test]
fn a_diagnostic_is_preserved() {
    let place = place("");
    place.write("a.tile", PROGRAM.replace("addi %i, %i", "addf %i, %i"));
    let reported = place.tile(&["check", "a.tile", "--output-format", "concise"]);
    let code = reported
        .out
        .split_once("error[")
        .and_then(|(_, rest)| rest.split(']').next())
        .expect("the program has an error");
    let left = place.tile(&["reduce", "a.tile", "--code", code, "-o", "-"]);
    assert!(left.out.contains("addf") && left.out.lines().count() <= 6, "{}{}", left.out, left.err);
    place.write("b.tile", &left.out);
    let still = place.tile(&["check", "b.tile", "--output-format", "concise"]).out;
    assert!(still.contains(code) && !still.contains("E01"), "{still}");
}

/// A program with a call into a tile library, a type that sm_90 lacks, and an op that 13.1 lacks.
const CALLS: &str = "cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    %y = preview$call @f(%x) : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    %z = atan2 %y, %y : tile<f32>
    %s = constant <f8E8M0FNU: 1.0> : tile<f8E8M0FNU>
    print_tko \"boom\" -> token
  }
}
";

#[test]
fn preview_features_and_libraries_are_passed_to_the_compiler() {
    let place = place("");
    let newer = ABOUT.replace("13.3", "13.5");
    place.script("bin/tileiras", &format!("{newer}{CRASHES}\n"));
    let fits: String =
        CALLS.lines().filter(|line| !line.contains("f8E8M0FNU")).map(|line| format!("{line}\n")).collect();
    place.write("a.tile", &fits);
    place.write("math.tilelib", "math");
    let reduce = ["reduce", "a.tile", "--gpu", "sm_90", "-o", "-"];
    let reported = place.tile(&reduce);
    assert!(reported.status == Some(2) && reported.err.contains("it has E0805"), "{}", reported.err);
    let left = "cuda_tile.module @m {\n  entry @k() {\n    print_tko \"boom\" -> token\n  }\n}\n";
    let reported = place.tile(&[&reduce[..], &["--preview=simt", "-l", "math.tilelib"]].concat());
    assert_eq!((reported.status, reported.out.as_str()), (Some(0), left), "{}", reported.err);
    assert!(place.calls().iter().all(|call| call.contains("--preview=simt -l ")), "{:?}", place.calls());
    // The message of a crash suggests the command that shrinks the program.
    let build = ["build", "a.tile", "--emit=cubin", "--gpu=sm_90", "--preview=simt", "-l", "math.tilelib"];
    let reported = place.tile(&build);
    let again = "`tile reduce a.tile --gpu sm_90 --preview=simt -l math.tilelib`";
    assert!(reported.status == Some(2) && reported.err.contains(again), "{}", reported.err);
    place.write("tile.toml", "preview = [\"simt\"]\n");
    assert_eq!(place.tile(&[&reduce[..], &["-l", "math.tilelib"]].concat()).out, left);
}

#[test]
fn a_diagnostic_that_depends_on_the_project_is_preserved() {
    let place = place("");
    place.write("a.tile", CALLS);
    for (project, code, stays) in [
        ("", "E0805", "preview$call"),
        ("preview = [\"simt\"]\ntarget-version = \"13.1\"\n", "E0801", "atan2"),
        ("preview = [\"simt\"]\ngpu = \"sm_90\"\n", "E0804", "f8E8M0FNU"),
    ] {
        place.write("tile.toml", project);
        let reported = place.tile(&["reduce", "a.tile", "--code", code, "-o", "-"]);
        assert!(reported.status == Some(0) && reported.out.contains(stays), "{code}: {}{}", reported.out, reported.err);
        assert!(!reported.out.contains("boom"), "{}", reported.out);
    }
}

#[test]
fn a_missing_failure_is_reported() {
    let place = place("echo > \"$out\"");
    for (arguments, words) in [
        (&["a.tile", "--gpu", "sm_90"][..], "compiles the program for sm_90 without a failure"),
        (&["a.tile"], "no failure to preserve: expected `--gpu` with one of sm_80, sm_90"),
        (&["a.tile", "--code", "E0301"], "E0301 is not reported for the program"),
        (&["a.tile", "--code", "E9999"], "unknown diagnostic `E9999`"),
        (&["a.tile", "--", "/no/such"], "cannot start"),
        (&["a.tile", "--says", "x", "--", "true"], "does not contain `x`"),
        (&["none.tile", "--", "true"], "file `none.tile` not found"),
        (&["a.tile", "--gpu", "sm_75"], "Tile IR needs sm_80 or later"),
    ] {
        let reported = place.tile(&[&["reduce"], arguments].concat());
        assert!(
            reported.status == Some(2) && reported.err.contains(words),
            "{arguments:?}: {:?} {}",
            reported.status,
            reported.err
        );
    }
    assert!(!place.path("a.reduced.tile").exists());
}

#[test]
fn the_time_limit_keeps_the_smallest_program_found() {
    let place = place("");
    place.script("slow.sh", "#!/bin/sh\nsleep 0.75\ngrep -q boom \"$1\"\n");
    let reported = place.tile(&["reduce", "a.tile", "-j1", "--budget", "6", "--", "./slow.sh"]);
    assert!(reported.status == Some(0) && reported.err.contains("stopped by the time limit"), "{}", reported.err);
    let left = read(&place, "a.reduced.tile");
    assert!(left.contains("boom") && left.len() < PROGRAM.len(), "{left}");
}
