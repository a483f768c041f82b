//! Errors on the command line.

use crate::harness::{Folder, Running, entry};
use std::fs;

/// Two entries: `@k`, with a pointer, a number, and the launches `small` and `large`; and `@other`, without launches.
fn two_entries() -> Folder {
    let launches =
        ["launch \"small\"", "  %p = f32[4] zeros", "  %n = 1", "launch \"large\"", "  %p = f32[8] zeros", "  %n = 2"];
    let first = entry(&launches, "%p: tile<ptr<f32>>, %n: tile<i32>", &[]);
    Folder::of(&first.replace("\n}\n", "\n  entry @other(%q: tile<ptr<f16>>, %x: tile<f32>) {\n  }\n}\n"))
}

#[test]
fn an_unknown_entry_is_refused_with_a_suggestion() {
    let folder = two_entries();
    let run = |name: &str| folder.tile(&["run", "a.tile", "--entry", name]);
    run("oter").refuses(2, "`a.tile` has no entry `@oter`: did you mean `other`?");
    run("@Other").refuses(2, "`a.tile` has no entry `@Other`: did you mean `other`?");
    run("banana").refuses(2, "`a.tile` has no entry `@banana`: expected one of `k`, `other`");
    run("").refuses(2, "`a.tile` has no entry `@`: expected one of `k`, `other`");
}

#[test]
fn an_unknown_launch_is_refused_with_a_suggestion() {
    let folder = two_entries();
    folder.tile(&["run", "a.tile", "--launch=smal"]).refuses(2, "`a.tile` has no launch `smal`: did you mean `small`?");
    let output = folder.tile(&["run", "a.tile", "--launch=banana"]);
    output.refuses(2, "`a.tile` has no launch `banana`: expected one of `small`, `large`");
    let output = folder.tile(&["run", "a.tile", "--entry=other", "--launch=small"]);
    output.refuses(2, "`@other` has no launch `small`: add one with a `//@ launch` comment above an entry");
}

#[test]
fn an_entry_without_a_launch_lists_its_missing_values() {
    let output = two_entries().tile(&["run", "a.tile", "--entry=other"]);
    output.refuses(
        2,
        "`@other` has no values for `%q` and `%x`: it has no launch directive
  help: write a launch directive, or add --arg '%q=f16[1024] zeros' --arg '%x=1.0'",
    );
    let folder = two_entries();
    folder.tile(&["run", "a.tile", "--entry=other", "--arg=%q=f16[4] zeros"]).refuses(
        2,
        "`@other` has no values for `%x`: it has no launch directive\n  help: write a launch directive, or add --arg '%x=1.0'",
    );
    let both = ["run", "a.tile", "--entry=other", "--arg=%q=f16[1024] zeros", "--arg=%x=1.0"];
    folder.tile(&both).is(0, "", "");
}

/// Runs the launch `small` with `--arg` of this value.
fn arg(value: &str) -> crate::harness::CommandOutput {
    two_entries().tile(&["run", "a.tile", "--launch=small", "--arg", value])
}

#[test]
fn a_malformed_argument_is_refused() {
    for value in ["n", "%n", "", "=3", "%=3", " = 3"] {
        arg(value).refuses(2, &format!("`--arg {value}` is not of the form '%name=SPEC'"));
    }
    arg("%n=").refuses(
        2,
        "`--arg %n=`: expected a number or a buffer, but the line ends here
  help: a scalar gets a number, a pointer a buffer such as `f32[1024] zeros`",
    );
    arg("%p=f32[4] zerso")
        .refuses(2, "`--arg %p=f32[4] zerso`: unknown initializer `zerso`\n  help: did you mean `zeros`?");
    arg("%p=float[4] zeros")
        .refuses(2, "`--arg %p=float[4] zeros`: unknown element type `float`\n  help: did you mean `f32`?");
    for value in
        ["%p=f32", "%p=f32[", "%p=f32[-1] zeros", "%p=f32[4] zeros zeros", "%p=f32[4] [1, 2]", "%n=1 2", "%n=🙂"]
    {
        arg(value).refuses_with(2, &format!("`--arg {value}`: "));
    }
}

#[test]
fn an_argument_that_does_not_match_its_parameter_is_refused() {
    arg("%m=3").refuses(2, "the entry `@k` has no parameter `%m`\n  help: its parameters are `%p`, `%n`");
    arg("%p=4")
        .refuses(2, "`%p` is a pointer, so it needs a buffer, not a number\n  help: write `%p = f32[1024] zeros`");
    arg("%n=i32[1] zeros")
        .refuses(2, "`%n` is a `tile<i32>`, so it needs a number, not a buffer\n  help: write `%n = 1`");
    arg("%p=f64[4] zeros")
        .refuses(2, "`%p` points to `f32`, but its buffer holds `f64`\n  help: write `%p = f32[4] zeros`");
    arg("%n=2.5").refuses(
        2,
        "the number for `%n` does not fit: 2.5 is not a whole number, and the element type is i32\n  help: write `%n = 1`",
    );
    arg("%n=4294967296").refuses_with(2, "the number for `%n` does not fit: ");
}

#[test]
fn a_buffer_that_is_too_large_is_refused_before_it_is_allocated() {
    for (shape, takes) in [
        ("9999999999999", "36.3 TiB, more than the 8 GiB allowed"),
        ("9223372036854775807", "more than 2^64 bytes, but only 8 GiB are allowed"),
        ("9999999999, 9999999999, 9999999999", "more than 2^64 bytes, but only 8 GiB are allowed"),
        ("2147483649", "slightly more than the 8 GiB allowed"),
    ] {
        let help = "make it smaller, or raise the limit: `tile run --max-memory 16GiB`";
        let output = arg(&format!("%p=f32[{shape}] zeros"));
        output.refuses(2, &format!("the buffer of `%p` takes {takes}\n  help: {help}"));
    }
    arg("%p=f32[9223372036854775808] zeros").refuses_with(2, "`--arg %p=f32[9223372036854775808] zeros`: ");
}

#[test]
fn a_bad_grid_is_wrong_usage() {
    let folder = two_entries();
    let run = |grid: &str| folder.tile(&["run", "a.tile", "--launch=small", "--grid", grid]);
    for grid in ["x", "", "1,2,3,4", "-1", "1,,1", "1.5", "1,-99999999999"] {
        run(grid)
            .refuses_with(2, &format!("invalid value '{grid}' for '--grid <X,Y,Z>': expected one to three numbers"));
    }
    for grid in ["0", "1,0", "16777216", "1,1,4294967295", "99999999999", "1,99999999999999999999"] {
        run(grid).refuses_with(
            2,
            &format!("invalid value '{grid}' for '--grid <X,Y,Z>': each number must be between 1 and 16777215"),
        );
    }
    assert_eq!(run(" 2 , 1").status, Some(0));
}

#[test]
fn a_bad_timeout_is_wrong_usage() {
    let folder = two_entries();
    for command in ["run", "test"] {
        for timeout in ["0", "-3", "soon", "nan", "inf", "1e300", ""] {
            let output = folder.tile(&[command, "a.tile", "--timeout", timeout]);
            output.refuses_with(
                2,
                &format!("invalid value '{timeout}' for '--timeout <SECONDS>': expected a positive number of seconds"),
            );
        }
    }
}

#[test]
fn an_invalid_save_is_refused_before_the_run() {
    let folder = two_entries();
    let run = |value: &str| folder.tile(&["run", "a.tile", "--launch=small", "--save", value]);
    run("%p").refuses(2, "`--save %p` is not of the form '%name=FILE.npy'");
    run("%q=x.npy").refuses(2, "`--save %q=x.npy`: `@k` has no parameter `%q`: expected one of `%p`, `%n`");
    run("%n=x.npy").refuses(2, "`--save %n=x.npy`: `%n` is a number; only buffers can be saved");
    run("%p=").refuses(2, "`--save %p=`: missing file name");
    #[cfg(unix)]
    run("%p=no/such/x.npy").refuses(2, "cannot write `no/such/x.npy`: No such file or directory (os error 2)");
}

/// The program is in a subfolder of the current folder.
#[test]
fn files_on_the_command_line_are_relative_to_the_current_folder() {
    let launches = ["launch", "  %p = f32[2] npy(\"p.npy\")", "expect %p == npy(\"p.npy\")"];
    let folder = Folder::with_bytes(&[]);
    fs::create_dir(folder.path("deep")).expect("a folder");
    fs::write(folder.path("deep/a.tile"), entry(&launches, "%p: tile<ptr<f32>>", &[])).expect("a file");
    let save = |numbers: &str, to: &str| {
        let arg = format!("%p=f32[2] {numbers}");
        folder.tile(&["run", "deep/a.tile", "--arg", &arg, "--save", &format!("%p={to}")])
    };
    save("[1, 2]", "deep/p.npy").is(0, "", "");
    save("[3, 4]", "p.npy").is(0, "", "");
    let read = |path: &str| fs::read(folder.path(path)).expect("the file was saved");
    // Files in directives are relative to the program.
    folder.tile(&["run", "deep/a.tile", "--save=%p=same.npy"]).is(0, "", "1 of 1 expectations met\n");
    assert_eq!(read("same.npy"), read("deep/p.npy"));
    save("npy(\"p.npy\")", "other.npy").is(0, "", "");
    assert_eq!(read("other.npy"), read("p.npy"));
    assert_ne!(read("other.npy"), read("same.npy"));
}

/// Asserts that nothing is printed, because the kernel does not run.
#[cfg(unix)]
#[test]
fn an_unwritable_file_is_refused_before_the_run() {
    let program = entry(&["launch", "  %p = f32[2] zeros"], "%p: tile<ptr<f32>>", &["print_tko \"ran\\n\" -> token"]);
    let folder = Folder::of(&program);
    fs::create_dir(folder.path("folder")).expect("a folder");
    fs::write(folder.path("kept.npy"), "old").expect("a file");
    let run = |path: &str| folder.tile(&["run", "a.tile", "--save", &format!("%p={path}")]);
    run("folder").refuses_with(2, "cannot write `folder`: ");
    run("/proc/none/x.npy").refuses_with(2, "cannot write `/proc/none/x.npy`: ");
    assert_eq!(fs::read(folder.path("kept.npy")).ok().as_deref(), Some(&b"old"[..]));
    run("kept.npy").is(0, "ran\n", "");
    assert!(fs::read(folder.path("kept.npy")).is_ok_and(|bytes| bytes.starts_with(b"\x93NUMPY")));
}

#[test]
fn a_trace_of_an_op_is_not_corrected() {
    let program = entry(&["launch"], "%n: tile<i32>", &["print_tko \"hello\\n\" -> token"]);
    let program = program.replace("//@ launch\n", "//@ launch\n  //@   %n = 1\n");
    let output = Folder::of(&program).tile(&["run", "a.tile", "--trace=%print_tko"]);
    output.refuses(2, "`--trace`: `@k` has no value `%print_tko`: expected `%n`");
}

#[test]
fn an_unknown_target_is_refused() {
    let folder = two_entries();
    for command in ["run", "test"] {
        let output = folder.tile(&[command, "a.tile", "--target=gpu"]);
        output.refuses_with(2, "invalid value 'gpu' for '--target <TARGET>': expected `cpu`, `cuda`, or `cuda:N`");
    }
}

#[test]
fn options_of_the_cpu_engine_are_refused_on_a_gpu() {
    for (command, option) in
        [("run", "--sanitize"), ("run", "--schedule=seed=1"), ("run", "--profile"), ("test", "--schedule=seed=1")]
    {
        let output = two_entries().tile(&[command, "a.tile", "--target=cuda", option]);
        let name = option.split('=').next().unwrap_or(option);
        output.refuses_with(2, &format!("`{name}` is only supported by the CPU engine; remove `--target`"));
    }
}

#[test]
fn a_missing_compiler_is_reported() {
    let folder = Folder::of(&entry(&["launch"], "", &[]));
    let run = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        Running::start(command.env("TILE_TILEIRAS", "no/such/tileiras")).finish()
    };
    let build = ["build", "a.tile", "--emit=cubin", "--gpu=sm_90"];
    run(&build).refuses(2, "TILE_TILEIRAS names `no/such/tileiras`, which is not a file");
    // A missing driver is reported first, because no compiler would help.
    let test = run(&["test", "a.tile", "--target=cuda"]);
    assert!(
        test.out.starts_with("FAIL a.tile @k: no NVIDIA driver found: install ") && test.status == Some(2),
        "{}",
        test.out
    );
}

#[test]
fn wrong_usage_has_status_2() {
    let folder = Folder::with_bytes(&[]);
    let commands: [&[&str]; 6] =
        [&[], &["frob"], &["check"], &["run"], &["check", "--frob"], &["check", "--output-format=xml", "a.tile"]];
    for arguments in commands {
        let output = folder.tile(arguments);
        assert_eq!((output.status, output.out.as_str()), (Some(2), ""), "{arguments:?}: {}", output.err);
    }
    folder.tile(&["check", "--target-version=12.0", "a.tile"]).refuses_with(2, "invalid value '12.0'");
}

#[test]
fn a_term_has_a_page_or_a_choice_of_pages() {
    let folder = Folder::with_bytes(&[]);
    for (arguments, begins) in [
        (&["doc"][..], "## Ops: core"),
        (&["doc", "partition_view"], "**`partition_view`** · type"),
        (&["doc", "rounding<zero>"], "**`zero`** · rounding mode"),
        (&["doc", "tile", "sizes"], "**`tile sizes`** · concept"),
        (&["doc", "formula", "function", "softmax"], "**`softmax`** · formula function"),
        (&["doc", "zero"], "`zero` has 2 meanings:"),
    ] {
        let output = folder.tile(arguments);
        assert_eq!((output.status, output.err.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(output.out.starts_with(begins), "{arguments:?}: {}", output.out);
    }
}

#[test]
fn an_unknown_term_or_code_is_refused_with_a_suggestion() {
    let folder = Folder::with_bytes(&[]);
    folder.tile(&["doc", "adi"]).refuses(2, "unknown term `adi`; did you mean `addi`?");
    folder.tile(&["doc", "qqqqqqqqqq"]).refuses(2, "unknown term `qqqqqqqqqq`; `tile doc` lists all terms");
    folder.tile(&["doc", ""]).refuses(2, "unknown term ``; `tile doc` lists all terms");
    folder.tile(&["doc", "--output-format=json", "adi"]).refuses(2, "unknown term `adi`; did you mean `addi`?");
    folder.tile(&["explain", "--output-format=json", "E010"]).refuses_with(2, "unknown diagnostic `E010`: ");
    folder.tile(&["doc", "tensor"]).refuses_with(2, "unknown term `tensor`; similar terms: `tensor_view`, ");
    folder.tile(&["explain", "E010"]).refuses_with(2, "unknown diagnostic `E010`: did you mean `E");
    let suggestion = "unknown diagnostic `type-mismatc`: did you mean `type-mismatch`?";
    folder.tile(&["explain", "type-mismatc"]).refuses(2, suggestion);
    folder.tile(&["explain", "Q9999"]).refuses(2, "unknown diagnostic `Q9999`: `tile explain` lists them all");
}

/// Widening with a directed rounding is valid since 13.4. `--upstream-tests` implies 13.3.
#[test]
fn an_explicit_version_applies() {
    let widens = "%w = ftof %n rounding<negative_inf> : tile<f32> -> tile<f64>";
    let folder = Folder::of(&entry(&[], "%n: tile<f32>", &[widens]));
    let cases: [(&[&str], i32); 5] = [
        (&[], 0),
        (&["--target-version=13.3"], 1),
        (&["--upstream-tests"], 1),
        (&["--upstream-tests", "--target-version=13.4"], 0),
        (&["--upstream-tests", "--target-version=13.1"], 1),
    ];
    for (options, status) in cases {
        let output = folder.tile(&[&["check", "a.tile"], options].concat());
        assert_eq!(output.status, Some(status), "{options:?}: {}{}", output.out, output.err);
    }
}
