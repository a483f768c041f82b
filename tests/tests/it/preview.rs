//! The SIMT preview: our programs survive printing, formatting and encoding, and NVIDIA's tools read them the same way.
//! Files that NVIDIA's tools wrote or rejected, if `../shared` contains them, are treated alike.

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

/// The files of a folder with this extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("the folder is readable").path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    paths.sort();
    paths
}

/// The files with this extension in a folder of programs that NVIDIA's tools wrote.
fn shared(folder: &str, extension: &str) -> Vec<PathBuf> {
    let found = files(&tile_tests::root().join("../shared/conformance-13.5").join(folder), extension);
    if found.is_empty() {
        tile_tests::skipped("no preview programs in ../shared/conformance-13.5, which are not part of the project");
    }
    found
}

fn our_programs() -> Vec<(String, String)> {
    let paths = files(&tile_tests::root().join("tests/preview"), "tile");
    assert!(!paths.is_empty(), "no programs in tests/preview");
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).expect("the file is readable"));
    paths.into_iter().map(read).collect()
}

fn lowered(text: &str, name: &str) -> Lowered {
    lower(text, name, OPTIONS).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// Text without what formatting can change: whitespace and the notation of numbers.
fn bare(text: &str) -> String {
    text.replace("0.000000e+00", "0.0").split_whitespace().collect()
}

/// The text inside the module.
fn inside(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("cuda_tile.module @kernels {").and_then(|text| text.strip_suffix('}'));
    inner.unwrap_or(text)
}

/// The output of NVIDIA's disassembler; `None` if it is not installed.
fn disassembled(bytecode: &[u8]) -> Option<String> {
    let newest = tools::releases().first()?;
    let tool = tools::find("tileirdisasm").filter(|_| newest.version >= PREVIEW_VERSION)?;
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let path = folder.path().join("program.tileirbc");
    fs::write(&path, bytecode).expect("the file is written");
    let output = Command::new(tool).arg("--preview=simt").arg(&path).output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn our_programs_survive_printing_and_encoding() {
    for (name, text) in our_programs() {
        let program = lowered(&text, &name);
        let bytes = bytecode::encode(&program.module, None, PREVIEW_VERSION).expect(&name);
        assert!(has_preview(&bytes), "{name}: the header does not announce the preview");
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
    for (name, text) in our_programs() {
        let bytes = bytecode::encode(&lowered(&text, &name).module, None, PREVIEW_VERSION).expect(&name);
        let decoded = decode_with(&bytes, true).expect(&name);
        let printed = print::module(&decoded.module, None, print::Options::default());
        let Some(theirs) = disassembled(&bytes) else { return };
        assert_eq!(bare(inside(&printed)), bare(&theirs), "{name}");
    }
}

/// These would overflow the stack if they were parsed, checked or dropped with unlimited recursion.
#[test]
fn deep_nesting_is_rejected() {
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
fn damaged_bytecode_does_not_panic() {
    for (name, text) in our_programs() {
        let bytes = bytecode::encode(&lowered(&text, &name).module, None, PREVIEW_VERSION).expect(&name);
        for at in 0..bytes.len() {
            _ = decode_with(&bytes[..at], true);
            for value in [0, 1, 0x7F, 0x80, 0xD8, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                // The result does not matter as long as nothing panics.
                _ = decode_with(&damaged, true)
                    .map(|found| print::module(&found.module, None, print::Options::default()));
            }
        }
    }
}

#[test]
fn without_the_option_the_header_decides() {
    let (name, text) = our_programs().swap_remove(0);
    let mut bytes = bytecode::encode(&lowered(&text, &name).module, None, PREVIEW_VERSION).expect(&name);
    let refused = |bytes: &[u8]| decode(bytes).expect_err("the bytecode is rejected").to_string();
    assert!(refused(&bytes).contains("--preview simt"), "{}", refused(&bytes));
    bytes[10] = 0;
    assert!(refused(&bytes).contains("does not announce preview content"), "{}", refused(&bytes));
    bytes[10] = 3;
    assert!(refused(&bytes).contains("unknown bits 0x2"), "{}", refused(&bytes));
    (bytes[9], bytes[10]) = (4, 1);
    assert!(refused(&bytes).contains("is part of the SIMT preview"), "{}", refused(&bytes));
}

/// Runs `tile` and returns its exit status, its standard output and its standard error.
fn run(arguments: &[&str], path: &Path) -> (Option<i32>, String, String) {
    let output = Command::new(tile()).args(arguments).arg(path).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn nvidias_preview_programs_are_printed_checked_and_encoded_alike() {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let built = folder.path().join("built.tileirbc");
    for path in shared("preview", "tileirbc") {
        let text = path.with_extension("tile");
        let theirs = fs::read_to_string(&text).expect("the text of the program exists");
        let (status, ours, messages) = run(&["dis", "--preview", "simt"], &path);
        assert_eq!((status, bare(inside(&ours))), (Some(0), bare(&theirs)), "{path:?}\n{messages}");
        let (status, messages, _) = run(&["check", "--preview", "simt"], &text);
        assert_eq!(status, Some(0), "{text:?}\n{messages}");
        let output = built.to_str().expect("the path is UTF-8");
        let (status, _, messages) = run(&["build", "--preview", "simt", "--no-debug-info", "-o", output], &text);
        assert_eq!(status, Some(0), "{text:?}\n{messages}");
        if let Some(again) = disassembled(&fs::read(&built).expect("the bytecode was written")) {
            assert_eq!(bare(&again), bare(&theirs), "{text:?}");
        }
    }
}

#[test]
fn preview_programs_that_nvidias_tools_reject_are_rejected() {
    for path in shared("preview_reject", "tileirbc") {
        let is_allowed = path.file_stem().is_some_and(|name| name != "fn_no_option");
        let arguments: &[&str] = if is_allowed { &["dis", "--preview", "simt"] } else { &["dis"] };
        let (status, _, messages) = run(arguments, &path);
        assert!(status == Some(1) && messages.starts_with("error"), "{path:?}: {status:?}\n{messages}");
    }
}

#[test]
fn dis_prints_the_interface_and_the_implementation_of_a_library() {
    for path in shared("preview", "tilelib") {
        let (status, text, messages) = run(&["dis", "--preview", "simt"], &path);
        assert_eq!(status, Some(0), "{path:?}\n{messages}");
        assert!(text.contains("// interface") && text.contains("preview$func extern"), "{path:?}\n{text}");
        assert!(text.contains("// implementation") && text.contains("preview$extern_impl"), "{path:?}\n{text}");
    }
}

#[test]
fn the_engine_reports_calls_that_it_cannot_run() {
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let path = folder.path().join("call.tile");
    let program = "cuda_tile.module @m {\n  //@ launch\n  entry @k() {\n    preview$call @f() : () -> ()\n  }\n}\n";
    fs::write(&path, program).expect("the file is written");
    let (status, _, messages) = run(&["run", "--preview", "simt"], &path);
    assert_eq!(status, Some(1), "{messages}");
    assert!(
        messages.contains("R0602") && messages.contains("cannot run `@f`") && messages.contains("call.tile:4:5"),
        "{messages}"
    );
    let (status, _, messages) = run(&["run"], &path);
    assert!(status == Some(1) && messages.contains("E0805"), "{messages}");
    fs::write(folder.path().join("tile.toml"), "preview = [\"simt\"]\n").expect("the file is written");
    let (_, _, messages) = run(&["run"], &path);
    assert!(messages.contains("R0602"), "{messages}");
    let (status, messages, _) = run(&["check"], &path);
    assert_eq!(status, Some(0), "{messages}");
    fs::write(folder.path().join("tile.toml"), "preview = [\"simd\"]\n").expect("the file is written");
    let (_, _, messages) = run(&["check"], &path);
    assert!(messages.contains("tile.toml:1: unknown preview `simd`; expected `simt`"), "{messages}");
}

#[test]
fn code_for_a_call_needs_a_library() {
    let path = tile_tests::root().join("tests/preview/calls.tile");
    let (status, _, messages) = run(&["build", "--preview", "simt", "-l", "math.tilelib"], &path);
    assert!(status == Some(2) && messages.contains("`--library` has no effect on bytecode"), "{messages}");
    let missing = ["build", "--preview", "simt", "--emit", "cubin", "--gpu", "sm_100", "-l", "missing.tilelib"];
    let (status, _, messages) = run(&missing, &path);
    assert!(status == Some(2) && messages.contains("cannot read the library `missing.tilelib`"), "{messages}");
}
