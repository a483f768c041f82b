//! Runs of kernels that call functions of tile libraries, with stand-ins for the driver and the compiler.

use crate::compiler::ABOUT;
use crate::harness::Folder;
use std::fs;

const PROGRAM: &str = "cuda_tile.module @m {
  //@ launch
  //@   %x = f32[4] iota
  //@   %y = f32[4] zeros
  //@ expect %y ~= 2 * %x
  entry @twice(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %t = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %v = make_partition_view %t : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %i = constant <i32: 0> : tile<i32>
    %a, %read = load_view_tko weak %v[%i]
        : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %b, %done = preview$call @double<[4]>(%a, %read)
        : (!cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
    return
  }
}
";

/// The row of the call in [`PROGRAM`].
const CALL: &str = "a.tile:12:";

/// The arguments for running the program on a GPU.
const ON_GPU: [&str; 4] = ["a.tile", "--target", "cuda", "--preview=simt"];

/// A folder with a compiler of 13.5 that records the contents of its libraries.
fn folder() -> Folder {
    let folder = Folder::with_gpu("");
    let keep = "for last; do :; done\ncat \"$(dirname \"$last\")\"/library*.tilelib >> \"$0.libraries\"\nwhile [";
    let about = ABOUT.replace("13.3", "13.5").replacen("while [", keep, 1);
    folder.script("bin/tileiras", &format!("{about}printf 'add 0 0 1\\n\\0' > \"$out\"\n"));
    folder.write("a.tile", PROGRAM);
    folder.write("one.tilelib", "one,");
    folder.write("two.tilelib", "two,");
    folder
}

/// The contents of the libraries of all calls of the compiler.
fn library_contents(folder: &Folder) -> String {
    fs::read_to_string(folder.path("bin/tileiras.libraries")).unwrap_or_default()
}

#[test]
fn libraries_are_passed_to_the_compiler() {
    let folder = folder();
    let libraries = ["-l", "one.tilelib", "--library", "two.tilelib"];
    for (command, calls) in [("run", 1), ("test", 1)] {
        let output = folder.tile(&[&[command][..], &ON_GPU, &libraries].concat());
        assert_eq!(output.status, Some(0), "{command}: {}{}", output.out, output.err);
        // `test` reuses what `run` has compiled.
        assert_eq!((folder.calls().len(), library_contents(&folder).as_str()), (calls, "one,two,"), "{command}");
    }
    let call = &folder.calls()[0];
    assert!(call.contains("--preview=simt -l ") && call.matches(" -l ").count() == 2, "{call}");
    // Another content of a library requires another compilation.
    folder.write("two.tilelib", "three,");
    let output = folder.tile(&[&["run"][..], &ON_GPU, &libraries].concat());
    assert_eq!((output.status, library_contents(&folder).as_str()), (Some(0), "one,two,one,three,"), "{}", output.err);
}

#[test]
fn a_project_allows_calls_too() {
    let folder = folder();
    folder.write("tile.toml", "preview = [\"simt\"]\n");
    let output = folder.tile(&["test", "a.tile", "--target", "cuda", "-l", "one.tilelib"]);
    assert_eq!((output.status, library_contents(&folder).as_str()), (Some(0), "one,"), "{}{}", output.out, output.err);
}

#[test]
fn missing_libraries_are_reported_at_the_call() {
    let folder = folder();
    for (options, words) in [
        (&[][..], "`@double` is called, but no tile library is given"),
        (&["-l", "one.tilelib", "--compare", "cpu"], "nothing to compare with: the CPU engine cannot run `@double`"),
    ] {
        let output = folder.tile(&[&["run"][..], &ON_GPU, options].concat());
        assert!(output.status == Some(1) && output.err.contains(words) && output.err.contains(CALL), "{}", output.err);
    }
    let output = folder.tile(&[&["test"][..], &ON_GPU].concat());
    assert!(
        output.status == Some(1) && output.out.contains("add a library: `tile run --target cuda -l LIBRARY`"),
        "{}{}",
        output.out,
        output.err
    );
    // The engine reports the call when it reaches it.
    let output = folder.tile(&["run", "a.tile", "--preview=simt"]);
    assert!(output.status == Some(1) && output.err.contains("R0602") && output.err.contains(CALL), "{}", output.err);
    assert!(output.err.contains("`tile run --target cuda -l LIBRARY`"), "{}", output.err);
    assert!(folder.calls().is_empty() && !folder.driver_calls().iter().any(|call| call.starts_with("launch")));
}

#[test]
fn libraries_require_a_gpu() {
    let folder = folder();
    for command in ["run", "test"] {
        let output = folder.tile(&[command, "a.tile", "-l", "one.tilelib"]);
        let words = "error: `--library` is only supported on GPUs; add `--target cuda`\n";
        assert_eq!((output.status, output.err.as_str()), (Some(2), words), "{command}");
        let output = folder.tile(&[&[command][..], &ON_GPU, &["-l", "none.tilelib"]].concat());
        assert!(
            output.status == Some(2) && output.err.contains("cannot read the library `none.tilelib`"),
            "{}",
            output.err
        );
    }
}
