//! `tile reduce`, and the reports of compiler crashes.
//!
//! A script replaces NVIDIA's compiler.

use crate::compiler::ABOUT;
use crate::harness::{CommandOutput, Folder, HELLO};
use crate::waiting::with_time_limit;
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

fn folder(compiler: &str) -> Folder {
    let folder = Folder::with_compiler(compiler);
    folder.write("a.tile", PROGRAM);
    folder
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path(name)).expect("the file was written")
}

/// Unpacks the only crash report. Returns the folder with its files.
fn report(folder: &Folder, output: &CommandOutput) -> PathBuf {
    let reports = folder.path("state/tile");
    let files: Vec<_> =
        fs::read_dir(&reports).expect("the folder of reports exists").flatten().map(|file| file.path()).collect();
    let [path] = &files[..] else { panic!("{files:?}") };
    assert!(output.err.contains(&format!("the report was written to {}", path.display())), "{}", output.err);
    assert!(
        Command::new("tar")
            .arg("-xf")
            .arg(path)
            .current_dir(folder.root())
            .status()
            .expect("tar is installed")
            .success()
    );
    folder.path("crash")
}

#[test]
fn a_crash_of_the_compiler_leaves_a_report() {
    let folder = folder(CRASHES);
    let build = ["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90", "--opt-level=1"];
    let output = folder.tile(&build);
    assert!(output.status == Some(2) && output.err.contains("crashed (signal: 11"), "{}", output.err);
    assert!(output.err.contains("`tile reduce a.tile --gpu sm_90 --opt-level=1`"), "{}", output.err);
    let files = report(&folder, &output);
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
    let folder = folder("");
    let name = "tool's $place/tileiras";
    folder.script(name, &format!("{ABOUT}{CRASHES}\n"));
    let compiler = folder.path(name);
    let mut build = folder.command(&["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90"]);
    let output = CommandOutput::from(build.env("TILE_TILEIRAS", compiler).output().expect("the command runs"));
    let files = report(&folder, &output);
    let again = Command::new("sh").arg("command.sh").current_dir(&files).output().expect("the shell starts");
    assert!(String::from_utf8_lossy(&again.stderr).contains("Assertion"), "{}", String::from_utf8_lossy(&again.stderr));
}

#[test]
fn a_crash_of_the_compiler_is_preserved() {
    let folder = folder(CRASHES);
    let output = folder.tile(&["reduce", "a.tile", "--gpu", "sm_90"]);
    assert_eq!(output.status, Some(0), "{}", output.err);
    let left = "cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    print_tko \"boom %i\\n\", %n : tile<i32> -> token
  }
}
";
    assert_eq!(read(&folder, "a.reduced.tile"), left, "{}", output.err);
    assert!(
        output.err.contains("crashed (signal: 11") && output.err.contains("reduced 20 lines to 5 lines"),
        "{}",
        output.err
    );
    assert_eq!(fs::read_to_string(report(&folder, &output).join("program.tile")).expect("the file exists"), left);
    // The result does not depend on the number of cores.
    for jobs in ["-j1", "-j5"] {
        assert_eq!(folder.tile(&["reduce", "a.tile", "--gpu", "sm_90", jobs, "-o", "-"]).out, left);
    }
}

#[test]
fn another_failure_of_the_compiler_is_distinguished() {
    // Without the print, the compiler fails in another way.
    let other = "echo 'error: no such thing' >&2; echo 'error: failed to compile Tile IR program' >&2; exit 5";
    for (does, stays) in [(format!("grep -q boom \"$1\" && kill -SEGV $$; {other}"), "boom"), (other.to_string(), "")] {
        let folder = folder(&does);
        let output = folder.tile(&["reduce", "a.tile", "--gpu", "sm_90", "-o", "-"]);
        assert!(output.status == Some(0) && output.out.contains(stays), "{}{}", output.out, output.err);
        assert_eq!(output.out.contains("boom"), !stays.is_empty(), "{}", output.out);
        assert_eq!(
            output.err.contains("refuses the program for sm_90: no such thing"),
            stays.is_empty(),
            "{}",
            output.err
        );
    }
}

#[test]
fn a_compiler_that_does_not_end_is_a_failure() {
    // A small program, because every failing attempt takes the full time limit.
    let folder = folder("grep -q boom \"$1\" && sleep 300; echo > \"$out\"");
    folder.write("a.tile", HELLO.replace("hello", "boom").replace("entry @k", "entry @other() {\n  }\n  entry @k"));
    let reduce = |seconds: u32| {
        folder.tile(&["reduce", "a.tile", "--gpu", "sm_90", "-o", "-", "-j8", "--timeout", &seconds.to_string()])
    };
    // Other programs must compile within the limit.
    let (seconds, output) = with_time_limit(2, reduce, |output| !output.out.contains("boom"));
    assert!(output.out.contains("boom") && output.out.lines().count() <= 6, "{}{}", output.out, output.err);
    assert!(output.err.contains(&format!("did not finish within {seconds}s")), "{}", output.err);
}

#[test]
fn the_failure_of_a_command_is_preserved() {
    let folder = folder("");
    folder.script("test.sh", "#!/bin/sh\ngrep -q quiet \"$1\" && echo found && exit 3\nexit 4\n");
    let left = "cuda_tile.module @m {\n  entry @k() {\n    print_tko \"quiet\\n\" -> token\n  }\n}\n";
    for command in [&["--", "./test.sh"][..], &["--", "sh", "./test.sh", "{}"], &["--says", "found", "--", "./test.sh"]]
    {
        let output = folder.tile(&[&["reduce", "a.tile"], command].concat());
        assert_eq!((output.status, read(&folder, "a.reduced.tile")), (Some(0), left.to_string()), "{}", output.err);
        assert!(output.err.contains("the command ends with exit status: 3"), "{}", output.err);
    }
    // Launches are kept if the command needs them.
    let tile = env!("CARGO_BIN_EXE_tile");
    let output = folder.tile(&["reduce", "a.tile", "-o", "-", "--says", "boom 6", "--", tile, "run"]);
    assert!(output.out.contains("//@   %n = 4") && !output.out.contains("%p"), "{}{}", output.out, output.err);
}

#[test]
fn data_files_of_launches_are_available_to_every_attempt() {
    let folder = folder("");
    let tile = env!("CARGO_BIN_EXE_tile");
    folder.write("a.tile", PROGRAM.replace("f32[4] zeros", "f32[4] iota"));
    fs::create_dir(folder.path("data")).expect("folders can be created");
    let saved = folder.tile(&["run", "a.tile", "--save", "%p=data/p.npy"]);
    assert_eq!(saved.status, Some(0), "{}", saved.err);
    let text = PROGRAM.replace("f32[4] zeros", "f32[4] npy(\"data/p.npy\")");
    let text = text.replace("entry @k", "//@ expect %p == 7\n  entry @k");
    folder.write("a.tile", &text);
    let output = folder.tile(&["reduce", "a.tile", "-o", "-", "--says", "largest absolute error 7", "--", tile, "run"]);
    assert!(
        output.status == Some(0) && output.out.contains("npy(") && !output.out.contains("print_tko"),
        "{}",
        output.out
    );
}

#[test]
fn a_diagnostic_is_preserved() {
    let folder = folder("");
    folder.write("a.tile", PROGRAM.replace("addi %i, %i", "addf %i, %i"));
    let output = folder.tile(&["check", "a.tile", "--output-format", "concise"]);
    let code =
        output.out.split_once("error[").and_then(|(_, rest)| rest.split(']').next()).expect("the program has an error");
    let left = folder.tile(&["reduce", "a.tile", "--code", code, "-o", "-"]);
    assert!(left.out.contains("addf") && left.out.lines().count() <= 6, "{}{}", left.out, left.err);
    folder.write("b.tile", &left.out);
    let still = folder.tile(&["check", "b.tile", "--output-format", "concise"]).out;
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
    let folder = folder("");
    let newer = ABOUT.replace("13.3", "13.5");
    folder.script("bin/tileiras", &format!("{newer}{CRASHES}\n"));
    let fits: String =
        CALLS.lines().filter(|line| !line.contains("f8E8M0FNU")).map(|line| format!("{line}\n")).collect();
    folder.write("a.tile", &fits);
    folder.write("math.tilelib", "math");
    let reduce = ["reduce", "a.tile", "--gpu", "sm_90", "-o", "-"];
    let output = folder.tile(&reduce);
    assert!(output.status == Some(2) && output.err.contains("it has E0805"), "{}", output.err);
    let left = "cuda_tile.module @m {\n  entry @k() {\n    print_tko \"boom\" -> token\n  }\n}\n";
    let output = folder.tile(&[&reduce[..], &["--preview=simt", "-l", "math.tilelib"]].concat());
    assert_eq!((output.status, output.out.as_str()), (Some(0), left), "{}", output.err);
    assert!(folder.calls().iter().all(|call| call.contains("--preview=simt -l ")), "{:?}", folder.calls());
    // The message of a crash suggests the command that shrinks the program.
    let build = ["build", "a.tile", "--emit=cubin", "--gpu=sm_90", "--preview=simt", "-l", "math.tilelib"];
    let output = folder.tile(&build);
    let again = "`tile reduce a.tile --gpu sm_90 --preview=simt -l math.tilelib`";
    assert!(output.status == Some(2) && output.err.contains(again), "{}", output.err);
    folder.write("tile.toml", "preview = [\"simt\"]\n");
    assert_eq!(folder.tile(&[&reduce[..], &["-l", "math.tilelib"]].concat()).out, left);
}

#[test]
fn a_diagnostic_that_depends_on_the_project_is_preserved() {
    let folder = folder("");
    folder.write("a.tile", CALLS);
    for (project, code, stays) in [
        ("", "E0805", "preview$call"),
        ("preview = [\"simt\"]\ntarget-version = \"13.1\"\n", "E0801", "atan2"),
        ("preview = [\"simt\"]\ngpu = \"sm_90\"\n", "E0804", "f8E8M0FNU"),
    ] {
        folder.write("tile.toml", project);
        let output = folder.tile(&["reduce", "a.tile", "--code", code, "-o", "-"]);
        assert!(output.status == Some(0) && output.out.contains(stays), "{code}: {}{}", output.out, output.err);
        assert!(!output.out.contains("boom"), "{}", output.out);
    }
}

#[test]
fn a_missing_failure_is_reported() {
    let folder = folder("echo > \"$out\"");
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
        let output = folder.tile(&[&["reduce"], arguments].concat());
        assert!(
            output.status == Some(2) && output.err.contains(words),
            "{arguments:?}: {:?} {}",
            output.status,
            output.err
        );
    }
    assert!(!folder.path("a.reduced.tile").exists());
}

#[test]
fn the_time_limit_keeps_the_smallest_program_found() {
    let reduce = |seconds: u32| {
        let folder = folder("");
        // The attempt after the first success takes the whole time.
        let script = format!(
            "#!/bin/sh\ngrep -q boom \"$1\" || exit 1\n[ $(wc -c < \"$1\") -lt {} ] || exit 0\ncd '{}'\n\
             mkdir found 2> /dev/null || ! mkdir waited 2> /dev/null || sleep {seconds}\n",
            PROGRAM.len(),
            folder.root().display(),
        );
        folder.script("slow.sh", &script);
        let output = folder.tile(&["reduce", "a.tile", "-j1", "--budget", &seconds.to_string(), "--", "./slow.sh"]);
        (folder, output)
    };
    let (_, (folder, output)) = with_time_limit(2, reduce, |(folder, _)| !folder.path("found").exists());
    assert!(output.status == Some(0) && output.err.contains("stopped by the time limit"), "{}", output.err);
    let left = read(&folder, "a.reduced.tile");
    assert!(left.contains("boom") && left.len() < PROGRAM.len(), "{left}");
}
