//! `tile dis`: what it prints can be checked, and what is no bytecode is told.

use crate::support::Place;
use std::fs;

const PROGRAM: &str = "cuda_tile.module @kernels {
  entry @k(%arg0: tile<f32>) {
    %0 = absf %arg0 : tile<f32>
    return
  }
}
";

/// A folder with `a.tile` and its bytecode, `a.tileirbc`.
fn built() -> Place {
    let place = Place::of(PROGRAM);
    assert_eq!(place.tile(&["build", "a.tile"]).status, Some(0));
    place
}

#[test]
fn bytecode_is_printed_as_text() {
    let place = built();
    place.tile(&["dis", "a.tileirbc"]).is(0, PROGRAM, "");
    let bytes = fs::read(place.path("a.tileirbc")).expect("it is there");
    place.tile_reading(&bytes, &["dis", "-"]).is(0, PROGRAM, "");
    place.tile(&["dis", "a.tileirbc", "-o", "b.tile"]).is(0, "", "");
    assert_eq!(fs::read_to_string(place.path("b.tile")).expect("it is there"), PROGRAM);
}

#[test]
fn locations_are_printed_where_they_are_wanted() {
    let place = built();
    let said = place.tile(&["dis", "--debug-info", "a.tileirbc"]);
    assert!(said.status == Some(0) && said.out.contains("%0 = absf %arg0 : tile<f32> loc(#loc)"), "{said:?}");
    assert!(said.out.contains("\n#loc = #cuda_tile.di_loc<loc(\"a.tile\":3:10) in #di_subprogram>\n"), "{said:?}");
    fs::write(place.path("b.tile"), &said.out).expect("it takes a file");
    place.tile(&["check", "b.tile"]).is(0, "1 file checked, nothing found\n", "");
}

#[test]
fn generic_form_says_everything() {
    let said = built().tile(&["dis", "--generic", "a.tileirbc"]);
    let op = "%0 = \"cuda_tile.absf\"(%arg0) : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>";
    assert!(said.status == Some(0) && said.out.contains(op), "{said:?}");
}

#[test]
fn what_is_no_bytecode_has_a_place() {
    let place = Place::with(&[("a", b"entry @k() {}"), ("b", b"\x7fTileIR\0\x0d\x04\0\0\x7f"), ("c", b"")]);
    let no_bytecode = "this is no Tile IR bytecode: it does not start with the bytes `7F TileIR 00`";
    place.tile(&["dis", "a"]).refuses(1, &format!("`a`, byte 0: {no_bytecode}"));
    place.tile(&["dis", "b"]).refuses(1, "`b`, byte 12: there is no section of kind 127");
    place.tile(&["dis", "c"]).refuses(1, &format!("`c`, byte 0: {no_bytecode}"));
    place.tile(&["dis", "d"]).refuses(2, "there is no file `d`");
    place.tile(&["dis", "."]).refuses(2, "`.` is a folder, not a file");
    place.tile_reading(b"x", &["dis", "-"]).refuses(1, &format!("standard input, byte 0: {no_bytecode}"));
}

/// A program that breaks rules is printed all the same, and what is wrong is told.
#[test]
fn a_broken_program_is_printed_and_told() {
    let place = built();
    let mut bytes = fs::read(place.path("a.tileirbc")).expect("it is there");
    // The body is `absf`, its type, its operand; then `return`, which becomes a `yield`.
    let body = [0x5c, 0, 0];
    let at = bytes.windows(3).position(|window| window == body).expect("a return");
    bytes[at] = 0x6d;
    fs::write(place.path("b"), bytes).expect("it takes a file");
    let said = place.tile(&["dis", "b"]);
    assert!(said.status == Some(1) && said.out.contains("    yield\n"), "{said:?}");
    assert!(said.err.contains("error[E0602]") && said.err.contains("b in generic form:"), "{said:?}");
}

#[test]
fn nobody_need_read_the_text() {
    let place = built();
    let said = place.tile_unread(&["dis", "a.tileirbc"]);
    assert!(said.status == Some(0) && said.err.is_empty(), "{said:?}");
}
