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
    let folder = Folder::with_bytes(&[("a.tile", bytes)]);
    for command in ["check", "run", "test"] {
        folder.tile(&[command, "a.tile"]).refuses(2, message);
    }
}

#[test]
fn a_missing_file_is_named() {
    let folder = Folder::with_bytes(&[]);
    for command in ["check", "run", "test"] {
        folder.tile(&[command, "nope.tile"]).refuses(2, "file `nope.tile` not found");
    }
    folder.tile(&["check", ""]).refuses(2, "file `` not found");
}

#[test]
fn a_folder_without_programs_is_named() {
    let folder = Folder::with_bytes(&[("readme.md", b"# Kernels"), ("other.mlir", b"func.func @f()")]);
    fs::create_dir(folder.path(".hidden")).expect("a folder");
    fs::write(folder.path(".hidden/a.tile"), FINE).expect("a file");
    let message = "the folder `.` contains no programs: no `.tile` files, and no `.mlir` files with a `cuda_tile.module`, \
                   apart from those that `.gitignore` or `tile.toml` excludes";
    folder.tile(&["check", "."]).refuses(2, message);
    folder.tile(&["test", "."]).refuses(2, message);
    folder.tile(&["test"]).refuses(2, message);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_is_reported() {
    let folder = Folder::of(FINE);
    let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"n\xffn.tile");
    fs::write(folder.path("").join(name), FINE).expect("a file");
    let message = "cannot read `./n\u{fffd}n.tile`: the file name is not valid UTF-8";
    folder.tile(&["check", "."]).is(2, "1 file checked, nothing found\n", &format!("error: {message}\n"));
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
    let output = Folder::with_bytes(&[("a.tile", bytes)]).tile(&["fmt", "a.tile"]);
    output.refuses(2, "cannot format `a.tile`: it is bytecode, not text; `tile dis` prints it as text");
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
        let output = Folder::with_bytes(&[("a.tile", bytes)]).tile(&["fmt", "a.tile"]);
        output.refuses(2, "cannot format `a.tile`: it is UTF-16; save it as UTF-8");
    }
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_program() {
    let folder = Folder::of(&format!("\u{feff}{WRONG}"));
    let output = folder.tile(&["check", "--output-format=concise", "a.tile"]);
    output.is(1, "a.tile:2:43: error[E0101]: unknown value `%z`\n", "");
}

#[test]
fn an_empty_file_is_a_program_without_entries() {
    for text in ["", "\n", "\r\n\r\n", "// only a comment", "//", "/"] {
        let folder = Folder::of(text);
        if text != "/" {
            folder.tile(&["check", "a.tile"]).is(0, "1 file checked, nothing found\n", "");
            let nothing = "nothing to run: no entry has a launch directive (`//@ launch`)\n";
            folder.tile(&["test", "a.tile"]).is(2, "0 passed, 0 failed\n", nothing);
            let output = folder.tile(&["test", "--allow-empty", "a.tile"]);
            output.is(0, "0 passed, 0 failed\n", nothing);
            folder.tile(&["run", "a.tile"]).refuses(2, "`a.tile` has no entry");
        } else {
            assert_eq!(folder.tile(&["check", "a.tile"]).status, Some(1));
        }
    }
}

#[test]
fn one_bad_path_does_not_hide_the_others() {
    let folder = Folder::with_bytes(&[("wrong.tile", WRONG.as_bytes()), ("fine.tile", FINE.as_bytes())]);
    fs::create_dir(folder.path("empty")).expect("a folder");
    let output = folder.tile(&["check", "--output-format=concise", "no.tile", "wrong.tile", "fine.tile"]);
    let found = "wrong.tile:2:43: error[E0101]: unknown value `%z`\n";
    output.is(2, found, "error: file `no.tile` not found\n");
    let output = folder.tile(&["check", "--output-format=concise", "empty", "wrong.tile"]);
    assert_eq!((output.status, output.out.as_str(), output.messages()), (Some(2), found, 1), "{}", output.err);
    let output = folder.tile(&["check", "no.tile", "fine.tile"]);
    output.is(2, "1 file checked, nothing found\n", "error: file `no.tile` not found\n");
}

#[test]
fn one_bad_path_does_not_stop_the_tests_of_the_others() {
    let good = entry(&["launch"], "", &[]);
    let folder = Folder::with_bytes(&[("good.tile", good.as_bytes()), ("bad.tile", b"\xff")]);
    let output = folder.tile(&["test", "no.tile", "bad.tile", "good.tile"]);
    assert_eq!((output.status, output.messages()), (Some(2), 2), "{}", output.err);
    assert!(
        output.out.starts_with("ok   good.tile @k (") && output.out.ends_with("1 passed, 0 failed\n"),
        "{}",
        output.out
    );
}

#[test]
fn standard_input_is_a_file_like_any_other() {
    let folder = Folder::with_bytes(&[]);
    folder.tile_reading(FINE.as_bytes(), &["check", "-"]).is(0, "1 file checked, nothing found\n", "");
    folder.tile_reading(b"", &["check", "-"]).is(0, "1 file checked, nothing found\n", "");
    let output = folder.tile_reading(WRONG.as_bytes(), &["check", "--output-format=concise", "-"]);
    output.is(1, "-:2:43: error[E0101]: unknown value `%z`\n", "");
    let output = folder.tile_reading(b"\0", &["check", "-"]);
    output.refuses(2, "standard input contains binary data, not UTF-8 text");
    let hello = entry(&["launch"], "", &["print_tko \"hello\\n\" -> token"]);
    folder.tile_reading(hello.as_bytes(), &["run", "-"]).is(0, "hello\n", "");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::of(FINE);
    let path = folder.path("a.tile");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
    if fs::read(&path).is_err() {
        folder.tile(&["check", "a.tile"]).refuses_with(2, "cannot read `a.tile`: ");
    }
    // With the permissions restored, the file is read again.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
    assert_eq!(folder.tile(&["check", "a.tile"]).status, Some(0));
}

#[test]
fn a_program_with_errors_is_shown_and_not_run() {
    let folder = Folder::of(WRONG);
    let shown = "error[E0101]: unknown value `%z`
  ┌─ a.tile:2:43
  │
2 │   entry @k(%x: tile<i32>) { %y = addi %x, %z : tile<i32> }
  │                                           ^^

";
    folder.tile(&["run", "a.tile"]).is(1, "", shown);
    let failed = format!("FAIL a.tile: the program has errors\n{shown}0 passed, 1 failed\n");
    folder.tile(&["test", "a.tile"]).is(1, &failed, "");
    folder.tile(&["check", "a.tile"]).is(1, &format!("{shown}1 error, 0 warnings in 1 file\n"), "");
}

#[test]
fn no_command_overwrites_its_input() {
    let program = entry(&[], "", &["return"]);
    let folder = Folder::with_bytes(&[("a.tile", program.as_bytes()), ("a.tileirbc", program.as_bytes())]);
    let commands: &[&[&str]] = &[
        &["check", "a.tile", "--output-file", "a.tile"],
        &["check", ".", "--output-file", "./a.tile"],
        &["build", "a.tile", "-o", "a.tile"],
        &["build", "a.tileirbc"],
        &["dis", "a.tile", "-o", "./a.tile"],
        &["reduce", "a.tile", "-o", "a.tile"],
    ];
    for command in commands {
        let output = folder.tile(command);
        assert!(
            output.status == Some(2) && output.err.contains("would overwrite the input `"),
            "{command:?}: {output:?}"
        );
        assert!(output.err.contains("name another output file"), "{command:?}: {output:?}");
        assert_eq!(fs::read_to_string(folder.path("a.tile")).expect("the file exists"), program);
        assert_eq!(fs::read_to_string(folder.path("a.tileirbc")).expect("the file exists"), program);
    }
}
