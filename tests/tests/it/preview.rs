//! The SIMT preview: our own programs survive printing, formatting and bytecode, and NVIDIA's tools agree about them;
//! what NVIDIA's tools wrote or refused, where `../shared` has it, is printed, written and refused alike.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tile_analysis::context::Options;
use tile_analysis::print;
use tile_backend::bytecode::{self, decode, decode_with, has_preview};
use tile_dialect::PREVIEW_VERSION;
use tile_tests::programs::{Lowered, lower};
use tile_tests::{tile, tools};

const OPTIONS: Options = Options {
    version: PREVIEW_VERSION,
    bytecode: PREVIEW_VERSION,
    gpu: None,
    upstream_tests: false,
    any_names: false,
    rules: true,
    preview: true,
};

/// The files of a folder with this ending, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort();
    paths
}

/// The files of a folder of programs that NVIDIA's tools wrote, with this ending.
fn shared(folder: &str, ending: &str) -> Vec<PathBuf> {
    let found = files(&tile_tests::root().join("../shared/conformance-13.5").join(folder), ending);
    if found.is_empty() {
        tile_tests::skipped("no preview programs in ../shared/conformance-13.5, which are not part of the project");
    }
    found
}

fn own() -> Vec<(String, String)> {
    let paths = files(&tile_tests::root().join("tests/preview"), "tile");
    assert!(!paths.is_empty(), "the programs are there");
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).expect("it can be read"));
    paths.into_iter().map(read).collect()
}

fn lowered(text: &str, name: &str) -> Lowered {
    lower(text, name, OPTIONS).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// Text without what formatting may change: blanks, and how a number is written.
fn bare(text: &str) -> String {
    text.replace("0.000000e+00", "0.0").split_whitespace().collect()
}

/// The module's inside.
fn inside(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("cuda_tile.module @kernels {").and_then(|text| text.strip_suffix('}'));
    inner.unwrap_or(text)
}

/// What NVIDIA's disassembler prints; `None` where it is not installed.
fn disassembled(bytecode: &[u8]) -> Option<String> {
    let newest = tools::releases().first()?;
    let tool = tools::find("tileirdisasm").filter(|_| newest.version >= PREVIEW_VERSION)?;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.tileirbc");
    fs::write(&path, bytecode).expect("it takes a file");
    let output = Command::new(tool).arg("--preview=simt").arg(&path).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn our_programs_are_printed_and_written_without_loss() {
    for (name, text) in own() {
        let program = lowered(&text, &name);
        let bytes = bytecode::encode(&program.module, None, PREVIEW_VERSION).expect(&name);
        assert!(has_preview(&bytes), "{name}: the header announces it");
        let decoded = decode_with(&bytes, true).unwrap_or_else(|error| panic!("{name}: {error}"));
        let printed = print::module(&decoded.module, None, print::Options::default());
        let again = lowered(&printed, &name);
        let bytes_again = bytecode::encode(&again.module, None, PREVIEW_VERSION).expect(&name);
        let decoded_again = decode_with(&bytes_again, true).expect(&name);
        assert_eq!(decoded_again.module, decoded.module, "{name}\n{printed}");
        assert!(print::check(&decoded.module, None).is_ok(), "{name}: in generic form");
        let formatted = tile_fmt::format(&text, &tile_fmt::Options::default());
        assert_eq!(formatted, text, "{name}: formatted");
        let squeezed = tile_fmt::format(&printed, &tile_fmt::Options { width: 40 });
        assert_eq!(bare(&squeezed), bare(&printed), "{name}: in narrow lines");
        lowered(&squeezed, &name);
    }
}

#[test]
fn nvidias_disassembler_prints_our_bytecode_as_we_do() {
    for (name, text) in own() {
        let bytes = bytecode::encode(&lowered(&text, &name).module, None, PREVIEW_VERSION).expect(&name);
        let decoded = decode_with(&bytes, true).expect(&name);
        let printed = print::module(&decoded.module, None, print::Options::default());
        let Some(theirs) = disassembled(&bytes) else { return };
        assert_eq!(bare(inside(&printed)), bare(&theirs), "{name}");
    }
}

/// What would overflow the stack if it were read, checked or dropped by unlimited recursion.
#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, inner: &str, close: &str| open.repeat(100_000) + inner + &close.repeat(100_000);
    for ty in [
        deep("!cuda_tile.tile<[", "4", "]xf32>"),
        format!("tile<[{}]xf32>", deep("(", "4", ")")),
        format!("tile<[{}]xf32>", deep("-", "4", "")),
        format!("tile<[{}]xf32>", deep("1+", "4", "")),
        format!("tile<[{}]xf32>", deep("2*", "4", "")),
        format!("tile<i32> {{a.b = {}}}", deep("!cuda_tile<preview$fragment<[", "4", "]xf32, local>>")),
        format!("tile<i32> {{a.b = {}}}", deep("#cuda_tile<preview$expr_neg<", "4", ">>")),
        format!("tile<i32> {{a.b = {}}}", deep("[", "4", "]")),
        format!("tile<i32> {{a.b = {}}}", deep("{a = ", "4", "}")),
    ] {
        let text = format!("cuda_tile.module @m {{\n  entry @k(%a: {ty}) {{\n  }}\n}}\n");
        assert!(lower(&text, "deep", OPTIONS).is_err(), "{}", &text[..80]);
    }
}

#[test]
fn bytecode_that_is_damaged_is_refused_without_a_panic() {
    for (name, text) in own() {
        let bytes = bytecode::encode(&lowered(&text, &name).module, None, PREVIEW_VERSION).expect(&name);
        for at in 0..bytes.len() {
            _ = decode_with(&bytes[..at], true);
            for value in [0, 1, 0x7F, 0x80, 0xD8, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                // Whatever comes of it, nothing goes wrong.
                _ = decode_with(&damaged, true)
                    .map(|found| print::module(&found.module, None, print::Options::default()));
            }
        }
    }
}

#[test]
fn without_the_option_the_header_decides() {
    let (name, text) = own().swap_remove(0);
    let mut bytes = bytecode::encode(&lowered(&text, &name).module, None, PREVIEW_VERSION).expect(&name);
    let refused = |bytes: &[u8]| decode(bytes).expect_err("it is refused").to_string();
    assert!(refused(&bytes).contains("--preview simt"), "{}", refused(&bytes));
    bytes[10] = 0;
    assert!(refused(&bytes).contains("does not announce preview content"), "{}", refused(&bytes));
    bytes[10] = 3;
    assert!(refused(&bytes).contains("unknown bits 0x2"), "{}", refused(&bytes));
    (bytes[9], bytes[10]) = (4, 1);
    assert!(refused(&bytes).contains("belongs to the SIMT preview"), "{}", refused(&bytes));
}

/// Runs `tile` and returns its exit status, what it prints, and its messages.
fn run(arguments: &[&str], path: &Path) -> (Option<i32>, String, String) {
    let output = Command::new(tile()).args(arguments).arg(path).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_preview_is_printed_checked_and_written_as_nvidias_tools_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = folder.path().join("built.tileirbc");
    for path in shared("preview", "tileirbc") {
        let text = path.with_extension("tile");
        let theirs = fs::read_to_string(&text).expect("its text is there");
        let (status, ours, said) = run(&["dis", "--preview", "simt"], &path);
        assert_eq!((status, bare(inside(&ours))), (Some(0), bare(&theirs)), "{path:?}\n{said}");
        let (status, said, _) = run(&["check", "--preview", "simt"], &text);
        assert_eq!(status, Some(0), "{text:?}\n{said}");
        let output = built.to_str().expect("a name");
        let (status, _, said) = run(&["build", "--preview", "simt", "--no-debug-info", "-o", output], &text);
        assert_eq!(status, Some(0), "{text:?}\n{said}");
        if let Some(again) = disassembled(&fs::read(&built).expect("it was built")) {
            assert_eq!(bare(&again), bare(&theirs), "{text:?}");
        }
    }
}

#[test]
fn what_nvidias_tools_refuse_of_the_preview_is_refused() {
    for path in shared("preview_reject", "tileirbc") {
        let is_allowed = path.file_stem().is_some_and(|name| name != "fn_no_option");
        let arguments: &[&str] = if is_allowed { &["dis", "--preview", "simt"] } else { &["dis"] };
        let (status, _, said) = run(arguments, &path);
        assert!(status == Some(1) && said.starts_with("error"), "{path:?}: {status:?}\n{said}");
    }
}

#[test]
fn a_tile_library_shows_its_interface_and_its_implementation() {
    for path in shared("preview", "tilelib") {
        let (status, text, said) = run(&["dis", "--preview", "simt"], &path);
        assert_eq!(status, Some(0), "{path:?}\n{said}");
        assert!(text.contains("// interface") && text.contains("preview$func extern"), "{path:?}\n{text}");
        assert!(text.contains("// implementation") && text.contains("preview$extern_impl"), "{path:?}\n{text}");
    }
}

#[test]
fn the_engine_says_at_the_call_that_it_cannot_run_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("call.tile");
    let program = "cuda_tile.module @m {\n  //@ launch\n  entry @k() {\n    preview$call @f() : () -> ()\n  }\n}\n";
    fs::write(&path, program).expect("it takes a file");
    let (status, _, said) = run(&["run", "--preview", "simt"], &path);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("R0602") && said.contains("cannot run `@f`") && said.contains("call.tile:4:5"), "{said}");
    let (status, _, said) = run(&["run"], &path);
    assert!(status == Some(1) && said.contains("E0805"), "{said}");
    fs::write(folder.path().join("tile.toml"), "preview = [\"simt\"]\n").expect("it takes a file");
    let (_, _, said) = run(&["run"], &path);
    assert!(said.contains("R0602"), "{said}");
    let (status, said, _) = run(&["check"], &path);
    assert_eq!(status, Some(0), "{said}");
    fs::write(folder.path().join("tile.toml"), "preview = [\"simd\"]\n").expect("it takes a file");
    let (_, _, said) = run(&["check"], &path);
    assert!(said.contains("tile.toml:1: unknown preview `simd`; expected `simt`"), "{said}");
}

#[test]
fn code_for_a_call_needs_a_library() {
    let path = tile_tests::root().join("tests/preview/calls.tile");
    let (status, _, said) = run(&["build", "--preview", "simt", "-l", "math.tilelib"], &path);
    assert!(status == Some(2) && said.contains("`--library` has no effect on bytecode"), "{said}");
    let missing = ["build", "--preview", "simt", "--emit", "cubin", "--gpu", "sm_100", "-l", "missing.tilelib"];
    let (status, _, said) = run(&missing, &path);
    assert!(status == Some(2) && said.contains("cannot read the library `missing.tilelib`"), "{said}");
}
