//! `tile build`: output files, which errors leave unchanged.

use crate::harness::Folder;
use std::fs;

const PROGRAM: &str = "cuda_tile.module @m {\n  entry @k(%x: tile<f32>) {\n    %a = atan2 %x, %x : tile<f32>\n  }\n}\n";
const MAGIC: &[u8] = b"\x7fTileIR\0\x0d";

#[test]
fn bytecode_is_written_beside_its_program() {
    let place = Folder::of(PROGRAM);
    let reported = place.tile(&["build", "a.tile"]);
    assert_eq!((reported.status, reported.out.as_str(), reported.err.as_str()), (Some(0), "", ""));
    assert!(fs::read(place.path("a.tileirbc")).expect("the file exists").starts_with(MAGIC));
}

#[test]
fn bytecode_is_written_to_the_output_file() {
    let place = Folder::of(PROGRAM);
    assert_eq!(place.tile(&["build", "a.tile", "-o", "b"]).status, Some(0));
    let there = fs::read(place.path("b")).expect("the file exists");
    let output =
        place.command(&["build", "a.tile", "--emit", "bytecode", "-o", "-"]).output().expect("the command runs");
    assert_eq!(output.stdout, there);
    assert!(!place.path("a.tileirbc").exists());
}

#[test]
fn a_program_from_standard_input_requires_an_output_file() {
    let place = Folder::of("");
    let reported = place.tile_reading(PROGRAM.as_bytes(), &["build", "-"]);
    assert!(reported.status == Some(2) && reported.err.contains("`-o`"), "{reported:?}");
    let reported = place.tile_reading(PROGRAM.as_bytes(), &["build", "-", "-o", "b"]);
    assert!(reported.status == Some(0) && place.path("b").exists(), "{reported:?}");
}

#[test]
fn a_program_with_errors_leaves_the_output_file_unchanged() {
    let place = Folder::with_bytes(&[
        ("a.tile", b"cuda_tile.module @m {\n  entry @k() {\n    %a = iota\n  }\n}\n"),
        ("b", b"old"),
    ]);
    let reported = place.tile(&["build", "a.tile", "-o", "b"]);
    assert!(reported.status == Some(1) && reported.err.contains("error[E0001]"), "{reported:?}");
    assert_eq!(fs::read(place.path("b")).expect("the file exists"), b"old");
}

#[test]
fn ops_newer_than_the_bytecode_version_are_errors() {
    let place = Folder::of(PROGRAM);
    let reported = place.tile(&["build", "a.tile", "--bytecode-version", "13.1"]);
    let expected = "`atan2` needs version 13.2, but the target is 13.1";
    assert!(
        reported.status == Some(1) && reported.err.contains(expected) && reported.err.contains("a.tile:3:10"),
        "{reported:?}"
    );
    assert!(!place.path("a.tileirbc").exists());
}

/// Bytecode contains no op names, so a program can use those of any version. Hints are not shown.
#[test]
fn op_names_of_every_version_are_accepted() {
    let place =
        Folder::of("entry @k(%x: tile<f32>) {\n  %a = pow %x, %x : tile<f32>\n  %b = fpowf %x, %a : tile<f32>\n}\n");
    for version in ["13.1", "13.3", "13.4", "13.5"] {
        let reported = place.tile(&["build", "a.tile", "--bytecode-version", version]);
        assert!(reported.status == Some(0) && reported.err.is_empty(), "{version}: {reported:?}");
    }
    let reported = place.tile(&["check", "a.tile", "--target-version", "13.3"]);
    assert!(reported.status == Some(1) && reported.out.contains("`fpowf` is called `pow` before 13.4"), "{reported:?}");
}

#[test]
fn bytecode_contains_one_module() {
    let one = "cuda_tile.module @a {\n  entry @k() {\n  }\n}\n";
    let inner = "cuda_tile.module @a {\n  cuda_tile.module @b {\n    entry @k() {\n    }\n  }\n}\n";
    for (program, place) in
        [(format!("{one}{}", one.replace("@a", "@b")), "a.tile:5:1"), (inner.to_string(), "a.tile:2:3")]
    {
        let reported = Folder::of(&program).tile(&["build", "a.tile"]);
        let is_reported =
            reported.err.contains("error[E0802]: bytecode can contain only one module") && reported.err.contains(place);
        assert!(reported.status == Some(1) && is_reported, "{reported:?}");
    }
}

#[test]
fn wrong_usage_is_reported() {
    let place = Folder::of(PROGRAM);
    let cases: &[(&[&str], &str)] = &[
        (&["build", "a.tile", "--bytecode-version", "13.9"], "13.1, 13.2, 13.3, 13.4, 13.5"),
        (&["build", "a.tile", "--bytecode-version", "x"], "13.1, 13.2, 13.3, 13.4"),
        (&["build", "a.tile", "-o", "missing/b"], "cannot write `missing/b`"),
        (&["build", "missing.tile"], "file `missing.tile` not found"),
        (&["build", "a.tile", "--emit", "poetry"], "bytecode"),
    ];
    for (arguments, expected) in cases {
        let reported = place.tile(arguments);
        assert!(reported.status == Some(2) && reported.err.contains(expected), "{arguments:?}: {reported:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Folder::of(PROGRAM);
    fs::write(place.path("real"), "old").expect("files can be written");
    fs::set_permissions(place.path("real"), fs::Permissions::from_mode(0o640)).expect("permissions can be set");
    symlink(place.path("real"), place.path("link")).expect("links are supported");
    assert_eq!(place.tile(&["build", "a.tile", "-o", "link"]).status, Some(0));
    assert!(fs::symlink_metadata(place.path("link")).expect("the file exists").is_symlink());
    assert!(fs::read(place.path("real")).expect("the file exists").starts_with(MAGIC));
    assert_eq!(fs::metadata(place.path("real")).expect("the file exists").permissions().mode() & 0o777, 0o640);
    assert_eq!(place.tile(&["build", "a.tile", "-o", "/dev/null"]).status, Some(0));
    assert!(!fs::metadata("/dev/null").expect("the file exists").is_file());
}
