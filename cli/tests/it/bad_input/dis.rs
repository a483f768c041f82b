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
    let place = Folder::of(PROGRAM);
    assert_eq!(place.tile(&["build", "a.tile"]).status, Some(0));
    place
}

#[test]
fn bytecode_is_printed_as_text() {
    let place = built();
    place.tile(&["dis", "a.tileirbc"]).is(0, PROGRAM, "");
    let bytes = fs::read(place.path("a.tileirbc")).expect("the file exists");
    place.tile_reading(&bytes, &["dis", "-"]).is(0, PROGRAM, "");
    place.tile(&["dis", "a.tileirbc", "-o", "b.tile"]).is(0, "", "");
    assert_eq!(fs::read_to_string(place.path("b.tile")).expect("the file exists"), PROGRAM);
}

#[test]
fn locations_are_printed_on_request() {
    let place = built();
    let said = place.tile(&["dis", "--debug-info", "a.tileirbc"]);
    assert!(said.status == Some(0) && said.out.contains("%0 = absf %arg0 : tile<f32> loc(#loc)"), "{said:?}");
    assert!(said.out.contains("\n#loc = #cuda_tile.di_loc<loc(\"a.tile\":3:10) in #di_subprogram>\n"), "{said:?}");
    fs::write(place.path("b.tile"), &said.out).expect("files can be written");
    place.tile(&["check", "b.tile"]).is(0, "1 file checked, nothing found\n", "");
}

#[test]
fn generic_form_prints_all_types() {
    let said = built().tile(&["dis", "--generic", "a.tileirbc"]);
    let op = "%0 = \"cuda_tile.absf\"(%arg0) : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>";
    assert!(said.status == Some(0) && said.out.contains(op), "{said:?}");
}

#[test]
fn errors_in_bytecode_have_offsets() {
    let place = Folder::with_bytes(&[("a", b"entry @k() {}"), ("b", b"\x7fTileIR\0\x0d\x04\0\0\x7f"), ("c", b"")]);
    let no_bytecode = "not Tile IR bytecode: expected the bytes `7F TileIR 00` at the start";
    place.tile(&["dis", "a"]).refuses(1, &format!("`a`, byte 0: {no_bytecode}"));
    place.tile(&["dis", "b"]).refuses(1, "`b`, byte 12: unknown section kind 127");
    place.tile(&["dis", "c"]).refuses(1, &format!("`c`, byte 0: {no_bytecode}"));
    place.tile(&["dis", "d"]).refuses(2, "file `d` not found");
    place.tile(&["dis", "."]).refuses(2, "`.` is a folder, not a file");
    place.tile_reading(b"x", &["dis", "-"]).refuses(1, &format!("standard input, byte 0: {no_bytecode}"));
}

/// An invalid program is printed, and its errors are reported.
#[test]
fn an_invalid_program_is_printed_and_reported() {
    let place = built();
    let mut bytes = fs::read(place.path("a.tileirbc")).expect("the file exists");
    // The body is `absf`, its type, its operand; then `return`, which becomes a `yield`.
    let body = [0x5c, 0, 0];
    let at = bytes.windows(3).position(|window| window == body).expect("the program contains a return");
    bytes[at] = 0x6d;
    fs::write(place.path("b"), bytes).expect("files can be written");
    let said = place.tile(&["dis", "b"]);
    assert!(said.status == Some(1) && said.out.contains("    yield\n"), "{said:?}");
    assert!(said.err.contains("error[E0602]") && said.err.contains("b in generic form:"), "{said:?}");
}

/// Bytecode of a newer version is read as the newest known, and an unreadable part affects only its entry.
#[test]
fn newer_bytecode_is_read_as_far_as_possible() {
    let two = "cuda_tile.module @kernels {\n  entry @a(%arg0: tile<f32>) {\n    %0 = absf %arg0 : tile<f32>\n    return\n  }\n\n  \
        entry @b() {\n    return\n  }\n}\n";
    let place = Folder::of(two);
    place.tile(&["build", "--no-debug-info", "a.tile"]);
    let mut bytes = fs::read(place.path("a.tileirbc")).expect("the file exists");
    bytes[9] = 6;
    fs::write(place.path("b"), &bytes).expect("files can be written");
    let warning =
        "warning: `b`, byte 8: bytecode version 13.6 is newer than 13.5, the newest known; reading it as 13.5\n";
    place.tile(&["dis", "b"]).is(0, two, warning);
    let end = bytes.windows(3).position(|window| window == [0x5c, 0, 0]).expect("the program contains a return");
    bytes[end] = 0x7e;
    fs::write(place.path("b"), &bytes).expect("files can be written");
    let cut = two.replacen("    return\n", "", 1);
    let cut = cut.replacen("  entry", &format!("  // incomplete from byte {end} on: unknown opcode 0x7e\n  entry"), 1);
    place.tile(&["dis", "b"]).is(1, &cut, &format!("{warning}error: `b`, byte {end}: unknown opcode 0x7e\n"));
    place.tile(&["dis", "b", "-o", "c.tile"]);
    assert_eq!(fs::read_to_string(place.path("c.tile")).expect("the file exists"), cut);
    for (major, minor) in [(13, 0), (14, 0)] {
        (bytes[8], bytes[9]) = (major, minor);
        fs::write(place.path("b"), &bytes).expect("files can be written");
        let message = format!("`b`, byte 8: unsupported bytecode version {major}.{minor}: expected 13.1 to 13.5");
        place.tile(&["dis", "b"]).refuses(1, &message);
    }
}

#[test]
fn a_private_entry_is_printed_as_such() {
    let place =
        Folder::of("cuda_tile.module @kernels {\n  entry @k() {\n    return\n  } {sym_visibility = \"private\"}\n}\n");
    let arguments = ["build", "--no-debug-info", "--bytecode-version", "13.4", "a.tile"];
    let said = place.tile(&arguments);
    assert!(said.status == Some(0) && said.err.contains("warning[L0013]"), "{said:?}");
    let said = place.tile(&["dis", "a.tileirbc"]);
    assert!(said.out.contains("  } {sym_visibility = \"private\"}\n"), "{said:?}");
    assert!(said.status == Some(0) && said.err.contains("warning[L0013]: the entry `@k` is private"), "{said:?}");
    let said = place.tile(&["build", "a.tile"]);
    assert!(said.status == Some(1) && said.err.contains("error[E0612]"), "{said:?}");
}

#[test]
fn a_closed_output_is_not_an_error() {
    let place = built();
    let said = place.tile_unread(&["dis", "a.tileirbc"]);
    assert!(said.status == Some(0) && said.err.is_empty(), "{said:?}");
}
