//! Paths that are not valid programs.

use crate::harness::{Folder, entry};
use std::fs;

/// A valid program without entries.
const FINE: &str = "cuda_tile.module @m {\n}\n";

/// A program with one error, in row 2.
const WRONG: &str = "cuda_tile.module @m {\n  entry @k(%x: tile<i32>) { %y = addi %x, %z : tile<i32> }\n}\n";

/// Asserts that every command that reads programs refuses a file with the same message.
#[track_caller]
fn refused(bytes: &[u8], message: &str) {
    let place = Folder::with_bytes(&[("a.tile", bytes)]);
    for command in ["check", "run", "test"] {
        place.tile(&[command, "a.tile"]).refuses(2, message);
    }
}

#[test]
fn a_missing_file_is_named() {
    let place = Folder::with_bytes(&[]);
    for command in ["check", "run", "test"] {
        place.tile(&[command, "nope.tile"]).refuses(2, "file `nope.tile` not found");
    }
    place.tile(&["check", ""]).refuses(2, "file `` not found");
}

#[test]
fn a_folder_without_programs_is_named() {
    let place = Folder::with_bytes(&[("readme.md", b"# Kernels"), ("other.mlir", b"func.func @f()")]);
    fs::create_dir(place.path(".hidden")).expect("a folder");
    fs::write(place.path(".hidden/a.tile"), FINE).expect("a file");
    let message = "the folder `.` contains no programs: no `.tile` files, and no `.mlir` files with a `cuda_tile.module`, \
                   apart from those that `.gitignore` or `tile.toml` excludes";
    place.tile(&["check", "."]).refuses(2, message);
    place.tile(&["test", "."]).refuses(2, message);
    place.tile(&["test"]).refuses(2, message);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_is_reported() {
    let place = Folder::of(FINE);
    let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"n\xffn.tile");
    fs::write(place.path("").join(name), FINE).expect("a file");
    let message = "cannot read `./n\u{fffd}n.tile`: the file name is not valid UTF-8";
    place.tile(&["check", "."]).is(2, "1 file checked, nothing found\n", &format!("error: {message}\n"));
}

#[test]
fn a_folder_is_not_run() {
    Folder::of(FINE).tile(&["run", "."]).refuses(2, "`.` is a folder, not a file");
}

#[test]
fn binary_data_is_refused() {
    let message = "`a.tile` contains binary data, not UTF-8 text";
    refused(b"cuda_tile.module @m {\n\0\0\0\n}\n", message);
    refused(&[0; 4096], message);
    let noise: Vec<u8> = (0..4096u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    refused(&noise, message);
}

#[test]
fn bytecode_is_refused() {
    let bytes = b"\x7fTileIR\x00\x0d\x01\x00\x00\x00";
    refused(bytes, "`a.tile` is bytecode, not the text of a program; `tile dis a.tile` prints it as text");
    let said = Folder::with_bytes(&[("a.tile", bytes)]).tile(&["fmt", "a.tile"]);
    said.refuses(2, "cannot format `a.tile`: it is bytecode, not text; `tile dis` prints it as text");
}

#[test]
fn text_in_another_encoding_is_refused() {
    refused(b"cuda_tile.module @m {\n  // caf\xe9\n}\n", "`a.tile` is not valid UTF-8: invalid byte 0xe9 in line 2");
    refused(b"// \xe2\x82", "`a.tile` is not valid UTF-8: invalid byte 0xe2 in line 1");
    let utf16: Vec<u8> = "\u{feff}module".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(&utf16, "`a.tile` is UTF-16; save it as UTF-8");
    // Without a byte order mark, and in the other byte order.
    refused(&utf16[2..], "`a.tile` is UTF-16; save it as UTF-8");
    let swapped: Vec<u8> = utf16.chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect();
    refused(&swapped, "`a.tile` is UTF-16; save it as UTF-8");
    for bytes in [&utf16[..], &utf16[2..], &swapped] {
        let said = Folder::with_bytes(&[("a.tile", bytes)]).tile(&["fmt", "a.tile"]);
        said.refuses(2, "cannot format `a.tile`: it is UTF-16; save it as UTF-8");
    }
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_program() {
    let place = Folder::of(&format!("\u{feff}{WRONG}"));
    let said = place.tile(&["check", "--output-format=concise", "a.tile"]);
    said.is(1, "a.tile:2:43: error[E0101]: unknown value `%z`\n", "");
}

#[test]
fn an_empty_file_is_a_program_without_entries() {
    for text in ["", "\n", "\r\n\r\n", "// only a comment", "//", "/"] {
        let place = Folder::of(text);
        if text != "/" {
            place.tile(&["check", "a.tile"]).is(0, "1 file checked, nothing found\n", "");
            let nothing = "nothing to run: no entry has a launch directive (`//@ launch`)\n";
            place.tile(&["test", "a.tile"]).is(2, "0 passed, 0 failed\n", nothing);
            let said = place.tile(&["test", "--allow-empty", "a.tile"]);
            said.is(0, "0 passed, 0 failed\n", nothing);
            place.tile(&["run", "a.tile"]).refuses(2, "`a.tile` has no entry to run");
        } else {
            assert_eq!(place.tile(&["check", "a.tile"]).status, Some(1));
        }
    }
}

#[test]
fn one_bad_path_does_not_hide_the_others() {
    let place = Folder::with_bytes(&[("wrong.tile", WRONG.as_bytes()), ("fine.tile", FINE.as_bytes())]);
    fs::create_dir(place.path("empty")).expect("a folder");
    let said = place.tile(&["check", "--output-format=concise", "no.tile", "wrong.tile", "fine.tile"]);
    let found = "wrong.tile:2:43: error[E0101]: unknown value `%z`\n";
    said.is(2, found, "error: file `no.tile` not found\n");
    let said = place.tile(&["check", "--output-format=concise", "empty", "wrong.tile"]);
    assert_eq!((said.status, said.out.as_str(), said.messages()), (Some(2), found, 1), "{}", said.err);
    let said = place.tile(&["check", "no.tile", "fine.tile"]);
    said.is(2, "1 file checked, nothing found\n", "error: file `no.tile` not found\n");
}

#[test]
fn one_bad_path_does_not_stop_the_tests_of_the_others() {
    let good = entry(&["launch"], "", &[]);
    let place = Folder::with_bytes(&[("good.tile", good.as_bytes()), ("bad.tile", b"\xff")]);
    let said = place.tile(&["test", "no.tile", "bad.tile", "good.tile"]);
    assert_eq!((said.status, said.messages()), (Some(2), 2), "{}", said.err);
    assert!(said.out.starts_with("ok   good.tile @k (") && said.out.ends_with("1 passed, 0 failed\n"), "{}", said.out);
}

#[test]
fn standard_input_is_a_file_like_any_other() {
    let place = Folder::with_bytes(&[]);
    place.tile_reading(FINE.as_bytes(), &["check", "-"]).is(0, "1 file checked, nothing found\n", "");
    place.tile_reading(b"", &["check", "-"]).is(0, "1 file checked, nothing found\n", "");
    let said = place.tile_reading(WRONG.as_bytes(), &["check", "--output-format=concise", "-"]);
    said.is(1, "-:2:43: error[E0101]: unknown value `%z`\n", "");
    let said = place.tile_reading(b"\0", &["check", "-"]);
    said.refuses(2, "standard input contains binary data, not UTF-8 text");
    let hello = entry(&["launch"], "", &["print_tko \"hello\\n\" -> token"]);
    place.tile_reading(hello.as_bytes(), &["run", "-"]).is(0, "hello\n", "");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = Folder::of(FINE);
    let path = place.path("a.tile");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
    if fs::read(&path).is_err() {
        place.tile(&["check", "a.tile"]).refuses_with(2, "cannot read `a.tile`: ");
    }
    // With the permissions restored, the file is read again.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
    assert_eq!(place.tile(&["check", "a.tile"]).status, Some(0));
}

#[test]
fn a_program_with_errors_is_shown_and_not_run() {
    let place = Folder::of(WRONG);
    let shown = "error[E0101]: unknown value `%z`
  ┌─ a.tile:2:43
  │
2 │   entry @k(%x: tile<i32>) { %y = addi %x, %z : tile<i32> }
  │                                           ^^

";
    place.tile(&["run", "a.tile"]).is(1, "", shown);
    let failed = format!("FAIL a.tile: the program has errors\n{shown}0 passed, 1 failed\n");
    place.tile(&["test", "a.tile"]).is(1, &failed, "");
    place.tile(&["check", "a.tile"]).is(1, &format!("{shown}1 error, 0 warnings in 1 file\n"), "");
}

#[test]
fn no_command_overwrites_its_input() {
    let program = entry(&[], "", &["return"]);
    let place = Folder::with_bytes(&[("a.tile", program.as_bytes()), ("a.tileirbc", program.as_bytes())]);
    let commands: &[&[&str]] = &[
        &["check", "a.tile", "--output-file", "a.tile"],
        &["check", ".", "--output-file", "./a.tile"],
        &["build", "a.tile", "-o", "a.tile"],
        &["build", "a.tileirbc"],
        &["dis", "a.tile", "-o", "./a.tile"],
        &["reduce", "a.tile", "-o", "a.tile"],
    ];
    for command in commands {
        let said = place.tile(command);
        assert!(said.status == Some(2) && said.err.contains("would overwrite the input `"), "{command:?}: {said:?}");
        assert!(said.err.contains("name another output file"), "{command:?}: {said:?}");
        assert_eq!(fs::read_to_string(place.path("a.tile")).expect("the file exists"), program);
        assert_eq!(fs::read_to_string(place.path("a.tileirbc")).expect("the file exists"), program);
    }
}
