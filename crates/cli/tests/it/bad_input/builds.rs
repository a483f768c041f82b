//! `tile build`: output files, which errors leave unchanged.

use crate::harness::Folder;
use std::fs;

const PROGRAM: &str = "cuda_tile.module @m {\n  entry @k(%x: tile<f32>) {\n    %a = atan2 %x, %x : tile<f32>\n  }\n}\n";
const MAGIC: &[u8] = b"\x7fTileIR\0\x0d";

#[test]
fn bytecode_is_written_next_to_its_program() {
    let folder = Folder::of(PROGRAM);
    let output = folder.tile(&["build", "a.tile"]);
    assert_eq!((output.status, output.out.as_str(), output.err.as_str()), (Some(0), "", ""));
    assert!(fs::read(folder.path("a.tileirbc")).expect("the file exists").starts_with(MAGIC));
}

#[test]
fn bytecode_is_written_to_the_output_file() {
    let folder = Folder::of(PROGRAM);
    assert_eq!(folder.tile(&["build", "a.tile", "-o", "b"]).status, Some(0));
    let bytecode = fs::read(folder.path("b")).expect("the file exists");
    let output =
        folder.command(&["build", "a.tile", "--emit", "bytecode", "-o", "-"]).output().expect("the command runs");
    assert_eq!(output.stdout, bytecode);
    assert!(!folder.path("a.tileirbc").exists());
}

#[test]
fn a_program_from_standard_input_requires_an_output_file() {
    let folder = Folder::of("");
    let output = folder.tile_reading(PROGRAM.as_bytes(), &["build", "-"]);
    assert!(output.status == Some(2) && output.err.contains("`-o`"), "{output:?}");
    let output = folder.tile_reading(PROGRAM.as_bytes(), &["build", "-", "-o", "b"]);
    assert!(output.status == Some(0) && folder.path("b").exists(), "{output:?}");
}

#[test]
fn a_program_with_errors_leaves_the_output_file_unchanged() {
    let folder = Folder::with_bytes(&[
        ("a.tile", b"cuda_tile.module @m {\n  entry @k() {\n    %a = iota\n  }\n}\n"),
        ("b", b"old"),
    ]);
    let output = folder.tile(&["build", "a.tile", "-o", "b"]);
    assert!(output.status == Some(1) && output.err.contains("error[E0001]"), "{output:?}");
    assert_eq!(fs::read(folder.path("b")).expect("the file exists"), b"old");
}

#[test]
fn ops_newer_than_the_bytecode_version_are_errors() {
    let folder = Folder::of(PROGRAM);
    let output = folder.tile(&["build", "a.tile", "--bytecode-version", "13.1"]);
    let expected = "`atan2` needs version 13.2, but the target is 13.1";
    assert!(
        output.status == Some(1) && output.err.contains(expected) && output.err.contains("a.tile:3:10"),
        "{output:?}"
    );
    assert!(!folder.path("a.tileirbc").exists());
}

/// Bytecode contains no op names, so a program can use those of any version. Hints are not shown.
#[test]
fn op_names_of_every_version_are_accepted() {
    let folder =
        Folder::of("entry @k(%x: tile<f32>) {\n  %a = pow %x, %x : tile<f32>\n  %b = fpowf %x, %a : tile<f32>\n}\n");
    for version in ["13.1", "13.3", "13.4", "13.5"] {
        let output = folder.tile(&["build", "a.tile", "--bytecode-version", version]);
        assert!(output.status == Some(0) && output.err.is_empty(), "{version}: {output:?}");
    }
    let output = folder.tile(&["check", "a.tile", "--target-version", "13.3"]);
    assert!(output.status == Some(1) && output.out.contains("`fpowf` is called `pow` before 13.4"), "{output:?}");
}

#[test]
fn bytecode_contains_one_module() {
    let one = "cuda_tile.module @a {\n  entry @k() {\n  }\n}\n";
    let inner = "cuda_tile.module @a {\n  cuda_tile.module @b {\n    entry @k() {\n    }\n  }\n}\n";
    for (program, location) in
        [(format!("{one}{}", one.replace("@a", "@b")), "a.tile:5:1"), (inner.to_string(), "a.tile:2:3")]
    {
        let output = Folder::of(&program).tile(&["build", "a.tile"]);
        let is_reported =
            output.err.contains("error[E0802]: bytecode can contain only one module") && output.err.contains(location);
        assert!(output.status == Some(1) && is_reported, "{output:?}");
    }
}

#[test]
fn wrong_usage_is_reported() {
    let folder = Folder::of(PROGRAM);
    let cases: &[(&[&str], &str)] = &[
        (&["build", "a.tile", "--bytecode-version", "13.9"], "13.1, 13.2, 13.3, 13.4, 13.5"),
        (&["build", "a.tile", "--bytecode-version", "x"], "13.1, 13.2, 13.3, 13.4"),
        (&["build", "a.tile", "-o", "missing/b"], "cannot write `missing/b`"),
        (&["build", "missing.tile"], "file `missing.tile` not found"),
        (&["build", "a.tile", "--emit", "poetry"], "bytecode"),
    ];
    for (arguments, expected) in cases {
        let output = folder.tile(arguments);
        assert!(output.status == Some(2) && output.err.contains(expected), "{arguments:?}: {output:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::of(PROGRAM);
    fs::write(folder.path("real"), "old").expect("files can be written");
    fs::set_permissions(folder.path("real"), fs::Permissions::from_mode(0o640)).expect("permissions can be set");
    symlink(folder.path("real"), folder.path("link")).expect("links are supported");
    assert_eq!(folder.tile(&["build", "a.tile", "-o", "link"]).status, Some(0));
    assert!(fs::symlink_metadata(folder.path("link")).expect("the file exists").is_symlink());
    assert!(fs::read(folder.path("real")).expect("the file exists").starts_with(MAGIC));
    assert_eq!(fs::metadata(folder.path("real")).expect("the file exists").permissions().mode() & 0o777, 0o640);
    assert_eq!(folder.tile(&["build", "a.tile", "-o", "/dev/null"]).status, Some(0));
    assert!(!fs::metadata("/dev/null").expect("the file exists").is_file());
}
