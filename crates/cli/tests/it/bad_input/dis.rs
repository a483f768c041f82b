//! `tile dis`: its output is valid, and invalid bytecode is reported.

use crate::harness::Folder;
use std::fs;

const PROGRAM: &str = "cuda_tile.module @kernels {
  entry @k(%arg0: tile<f32>) {
    %0 = absf %arg0 : tile<f32>
    return
  }
}
";

/// A folder with `a.tile` and its bytecode, `a.tileirbc`.
fn built() -> Folder {
    let folder = Folder::of(PROGRAM);
    assert_eq!(folder.tile(&["build", "a.tile"]).status, Some(0));
    folder
}

#[test]
fn bytecode_is_printed_as_text() {
    let folder = built();
    folder.tile(&["dis", "a.tileirbc"]).is(0, PROGRAM, "");
    let bytes = fs::read(folder.path("a.tileirbc")).expect("the file exists");
    folder.tile_reading(&bytes, &["dis", "-"]).is(0, PROGRAM, "");
    folder.tile(&["dis", "a.tileirbc", "-o", "b.tile"]).is(0, "", "");
    assert_eq!(fs::read_to_string(folder.path("b.tile")).expect("the file exists"), PROGRAM);
}

#[test]
fn locations_are_printed_on_request() {
    let folder = built();
    let output = folder.tile(&["dis", "--debug-info", "a.tileirbc"]);
    assert!(output.status == Some(0) && output.out.contains("%0 = absf %arg0 : tile<f32> loc(#loc)"), "{output:?}");
    assert!(output.out.contains("\n#loc = #cuda_tile.di_loc<loc(\"a.tile\":3:10) in #di_subprogram>\n"), "{output:?}");
    fs::write(folder.path("b.tile"), &output.out).expect("files can be written");
    folder.tile(&["check", "b.tile"]).is(0, "1 file checked, nothing found\n", "");
}

#[test]
fn generic_form_prints_all_types() {
    let output = built().tile(&["dis", "--generic", "a.tileirbc"]);
    let op = "%0 = \"cuda_tile.absf\"(%arg0) : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>";
    assert!(output.status == Some(0) && output.out.contains(op), "{output:?}");
}

#[test]
fn errors_in_bytecode_have_offsets() {
    let folder = Folder::with_bytes(&[("a", b"entry @k() {}"), ("b", b"\x7fTileIR\0\x0d\x04\0\0\x7f"), ("c", b"")]);
    let no_bytecode = "not Tile IR bytecode: expected the bytes `7F TileIR 00` at the start";
    folder.tile(&["dis", "a"]).refuses(1, &format!("`a`, byte 0: {no_bytecode}"));
    folder.tile(&["dis", "b"]).refuses(1, "`b`, byte 12: unknown section kind 127");
    folder.tile(&["dis", "c"]).refuses(1, &format!("`c`, byte 0: {no_bytecode}"));
    folder.tile(&["dis", "d"]).refuses(2, "file `d` not found");
    folder.tile(&["dis", "."]).refuses(2, "`.` is a folder, not a file");
    folder.tile_reading(b"x", &["dis", "-"]).refuses(1, &format!("standard input, byte 0: {no_bytecode}"));
}

/// An invalid program is printed, and its errors are reported.
#[test]
fn an_invalid_program_is_printed_and_reported() {
    let folder = built();
    let mut bytes = fs::read(folder.path("a.tileirbc")).expect("the file exists");
    // The body is `absf`, its type, its operand; then `return`, which becomes a `yield`.
    let body = [0x5c, 0, 0];
    let at = bytes.windows(3).position(|window| window == body).expect("the program contains a return");
    bytes[at] = 0x6d;
    fs::write(folder.path("b"), bytes).expect("files can be written");
    let output = folder.tile(&["dis", "b"]);
    assert!(output.status == Some(1) && output.out.contains("    yield\n"), "{output:?}");
    assert!(output.err.contains("error[E0602]") && output.err.contains("b in generic form:"), "{output:?}");
}

/// Bytecode of a newer version is read as the newest known, and an unreadable part affects only its entry.
#[test]
fn newer_bytecode_is_read_as_far_as_possible() {
    let two = "cuda_tile.module @kernels {\n  entry @a(%arg0: tile<f32>) {\n    %0 = absf %arg0 : tile<f32>\n    return\n  }\n\n  \
        entry @b() {\n    return\n  }\n}\n";
    let folder = Folder::of(two);
    folder.tile(&["build", "--no-debug-info", "a.tile"]);
    let mut bytes = fs::read(folder.path("a.tileirbc")).expect("the file exists");
    bytes[9] = 6;
    fs::write(folder.path("b"), &bytes).expect("files can be written");
    let warning =
        "warning: `b`, byte 8: bytecode version 13.6 is newer than 13.5, the newest known; reading it as 13.5\n";
    folder.tile(&["dis", "b"]).is(0, two, warning);
    let end = bytes.windows(3).position(|window| window == [0x5c, 0, 0]).expect("the program contains a return");
    bytes[end] = 0x7e;
    fs::write(folder.path("b"), &bytes).expect("files can be written");
    let cut = two.replacen("    return\n", "", 1);
    let cut = cut.replacen("  entry", &format!("  // incomplete from byte {end} on: unknown opcode 0x7e\n  entry"), 1);
    folder.tile(&["dis", "b"]).is(1, &cut, &format!("{warning}error: `b`, byte {end}: unknown opcode 0x7e\n"));
    folder.tile(&["dis", "b", "-o", "c.tile"]);
    assert_eq!(fs::read_to_string(folder.path("c.tile")).expect("the file exists"), cut);
    for (major, minor) in [(13, 0), (14, 0)] {
        (bytes[8], bytes[9]) = (major, minor);
        fs::write(folder.path("b"), &bytes).expect("files can be written");
        let message = format!("`b`, byte 8: unsupported bytecode version {major}.{minor}: expected 13.1 to 13.5");
        folder.tile(&["dis", "b"]).refuses(1, &message);
    }
}

#[test]
fn a_private_entry_is_printed_as_such() {
    let folder =
        Folder::of("cuda_tile.module @kernels {\n  entry @k() {\n    return\n  } {sym_visibility = \"private\"}\n}\n");
    let arguments = ["build", "--no-debug-info", "--bytecode-version", "13.4", "a.tile"];
    let output = folder.tile(&arguments);
    assert!(output.status == Some(0) && output.err.contains("warning[L0013]"), "{output:?}");
    let output = folder.tile(&["dis", "a.tileirbc"]);
    assert!(output.out.contains("  } {sym_visibility = \"private\"}\n"), "{output:?}");
    assert!(output.status == Some(0) && output.err.contains("warning[L0013]: the entry `@k` is private"), "{output:?}");
    let output = folder.tile(&["build", "a.tile"]);
    assert!(output.status == Some(1) && output.err.contains("error[E0612]"), "{output:?}");
}

#[test]
fn a_closed_output_is_not_an_error() {
    let folder = built();
    let output = folder.tile_unread(&["dis", "a.tileirbc"]);
    assert!(output.status == Some(0) && output.err.is_empty(), "{output:?}");
}
