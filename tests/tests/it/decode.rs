//! Decoding: encoded programs of every version decode to the same program, which can be checked and encoded again.

use fastrand::Rng;
use tile_analysis::context::Options;
use tile_analysis::print::{self, Style};
use tile_backend::bytecode::decode::decode_readable;
use tile_backend::bytecode::{self, VERSIONS, decode};
use tile_dialect::Version;
use tile_tests::programs;
use tile_tests::shape::{difference, shape};
use tile_tests::tools;

#[test]
fn encoded_programs_decode_to_the_same_program() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, program) in &programs::valid() {
        for version in VERSIONS {
            // Other tests check the errors for features that a version lacks.
            let Ok(bytes) = bytecode::encode(&program.module, Some(&program.debug), version) else { continue };
            count += 1;
            let decoded = match decode(&bytes) {
                Ok(decoded) => decoded,
                Err(error) => {
                    wrong.push(format!("{name} at {version}: {error}"));
                    continue;
                }
            };
            assert_eq!(decoded.version, version, "{name}");
            let debug = decoded.debug.as_ref();
            let (mut before, mut after) = (program.module.clone(), decoded.module.clone());
            if version < Version::V13_3 {
                (before.producer, after.producer) = (None, None);
            }
            // A file without locations decodes without debug information.
            let expected_debug = debug.map(|_| &program.debug);
            if let Some(difference) = difference(&shape(&before, expected_debug), &shape(&after, debug)) {
                wrong.push(format!("{name} at {version}: {difference}"));
            }
            let again = bytecode::encode(&decoded.module, debug, version);
            if again.as_ref() != Ok(&bytes) {
                wrong.push(format!("{name} at {version}: encoding the decoded program gives other bytes"));
            }
            if let Err(broken) = print::check(&decoded.module, debug) {
                wrong.push(format!("{name} at {version} breaks rules: {:?}\n{}", broken.diagnostics, broken.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 100, "only {count} files were decoded");
}

/// In both forms, the text of a version contains nothing newer, and encodes to the same bytes.
#[test]
fn disassembled_programs_are_valid_in_their_version() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, program) in &programs::valid() {
        for version in VERSIONS {
            let Ok(bytes) = bytecode::encode(&program.module, None, version) else { continue };
            let decoded = decode(&bytes).expect("encoded programs can be decoded");
            for style in [Style::Custom, Style::Generic] {
                count += 1;
                let text = print::module(&decoded.module, None, print::Options { style, version });
                let again = programs::lower(&text, name, Options { version, ..Options::default() });
                let again = again.map(|again| bytecode::encode(&again.module, None, version));
                if again.as_ref() != Ok(&Ok(bytes.clone())) {
                    let found = again.map(|_| "other bytes");
                    wrong.push(format!("{name} at {version} as {style:?}: {found:?}\n{text}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 200, "only {count} programs were disassembled");
}

/// NVIDIA's disassembler and ours read the same program and locations from the same bytes.
#[test]
fn the_disassemblers_agree() {
    let Some(release) = tools::releases().first() else { return };
    let mut wrong = Vec::new();
    for (name, bytes) in &files(release.version) {
        let decoded = decode(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let theirs = match release.disassemble(bytes) {
            Ok(text) => text,
            Err(message) => {
                wrong.push(format!("{name}: {message}"));
                continue;
            }
        };
        let ours = print::module(&decoded.module, decoded.debug.as_ref(), print::Options::default());
        let read = |text: &str| {
            let read = programs::lower(text, name, Default::default());
            let mut read = read.unwrap_or_else(|errors| panic!("{name}: {errors:?}\n{text}"));
            // NVIDIA's disassembler prints the producer as a comment.
            read.module.producer = None;
            shape(&read.module, Some(&read.debug))
        };
        if let Some(difference) = difference(&read(&ours), &read(&theirs)) {
            wrong.push(format!("{name}: {difference}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

/// The bytecode of every valid program, with locations.
fn files(version: Version) -> Vec<(String, Vec<u8>)> {
    let programs = programs::valid().into_iter();
    let files = programs.filter_map(|(name, program)| {
        Some((name, bytecode::encode(&program.module, Some(&program.debug), version).ok()?))
    });
    files.collect()
}

/// Checks that whatever the bytes decode to can be printed, checked and encoded without a panic, and that a valid
/// program reads back unchanged.
fn survives(name: &str, bytes: &[u8]) {
    let Ok(decoded) = decode_readable(bytes, false) else { return };
    let debug = decoded.debug.as_ref();
    let text = print::module(&decoded.module, debug, print::Options::default());
    for version in VERSIONS {
        // An error is expected for most damaged files; it must not panic.
        let _ = bytecode::encode(&decoded.module, debug, version);
    }
    // A partially decoded program is valid only by chance.
    if decoded.unread.is_empty() && print::check(&decoded.module, debug).is_ok() {
        match programs::lower(&text, name, Default::default()) {
            Ok(again) => {
                assert_eq!(difference(&shape(&decoded.module, None), &shape(&again.module, None)), None, "{text}")
            }
            Err(errors) => panic!("{name}: the generic form is valid, the custom form is not: {errors:?}\n{text}"),
        }
    }
}

#[test]
fn a_truncated_file_is_an_error() {
    let mut files = files(Version::NEWEST);
    files.sort_by_key(|(_, bytes)| bytes.len());
    for (name, bytes) in files.iter().step_by(7) {
        for length in 0..bytes.len() {
            let error = decode(&bytes[..length]).err();
            let error = error.unwrap_or_else(|| panic!("{name}: the first {length} bytes decode without an error"));
            assert!(error.offset <= length, "{name}: {error} is beyond the end, {length}");
        }
    }
}

#[test]
fn damaged_files_do_not_panic() {
    let mut random = Rng::with_seed(0x9E37_79B9_7F4A_7C15);
    for (name, bytes) in &files(Version::NEWEST) {
        for _ in 0..60 {
            let mut bytes = bytes.clone();
            for _ in 0..=random.usize(..3) {
                let at = random.usize(..bytes.len());
                match random.usize(..6) {
                    0 => bytes[at] = random.usize(..256) as u8,
                    1 => bytes[at] ^= 1 << random.usize(..8),
                    2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.usize(..5)],
                    3 => bytes[at] = bytes[at].wrapping_add(1),
                    4 => _ = bytes.remove(at),
                    _ => bytes.insert(at, random.usize(..256) as u8),
                }
            }
            survives(name, &bytes);
        }
    }
}

#[test]
fn random_bytes_do_not_panic() {
    let mut random = Rng::with_seed(42);
    for length in 0..2000 {
        let mut bytes = b"\x7fTileIR\0\x0d\x04\0\0".to_vec();
        bytes.extend((0..length % 200).map(|_| random.usize(..if length % 3 == 0 { 256 } else { 9 }) as u8));
        survives("noise", &bytes);
    }
}

/// The frozen files of the upstream tests, if `../shared` contains them.
#[test]
fn upstreams_frozen_files_are_read_or_rejected() {
    let folder = tile_tests::root().join("../shared/conformance/upstream/Bytecode");
    let expected = [
        ("versioning/Inputs/13.1/negi-op-13.1.tileirbc", ""),
        ("versioning/Inputs/13.1/print-op-13.1.tileirbc", ""),
        ("versioning/Inputs/13.1/f4e2m1fn-in-13.1.tileirbc", "the element type `f4E2M1FN` was added in 13.3"),
        ("invalid/invalid_magic_number.tileirbc", "not Tile IR bytecode"),
        ("invalid/unsupported_version.tileirbc", "unsupported bytecode version 18.0: expected 13.1 to 13.5"),
        ("invalid/excessive_section_length.tileirbc", ""),
        ("invalid/invalid_section_id.tileirbc", "unknown section kind 127"),
        ("invalid/invalid_attribute_name.bc", "entry 0 of the strings"),
    ];
    for (name, message) in expected {
        let Ok(bytes) = std::fs::read(folder.join(name)) else {
            return tile_tests::skipped_without_upstream();
        };
        match decode(&bytes) {
            Ok(decoded) => {
                assert!(message.is_empty(), "{name} is read without an error");
                assert!(print::check(&decoded.module, None).is_ok(), "{name} is invalid");
            }
            Err(error) if name.contains("excessive") => assert!(error.offset > 11, "{name}: {error}"),
            Err(error) => assert!(!message.is_empty() && error.message.contains(message), "{name}: {error}"),
        }
    }
}

/// Bytecode files and their programs, which never change: bytecode written by older releases remains readable. Those
/// named `cutile` were written by cuTile Python, which orders sections differently.
#[test]
fn frozen_files_keep_their_meaning() {
    let folder = tile_tests::root().join("tests/frozen");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.extension().is_none_or(|extension| extension != "tileirbc") {
            continue;
        }
        let name = path.display().to_string();
        let decoded = decode(&std::fs::read(&path).expect("the file is readable"))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = std::fs::read_to_string(path.with_extension("tile")).expect("the program is next to the bytecode");
        let read =
            programs::lower(&text, &name, Default::default()).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let debug = decoded.debug.as_ref();
        let expected_debug = debug.map(|_| &read.debug);
        assert_eq!(difference(&shape(&decoded.module, debug), &shape(&read.module, expected_debug)), None, "{name}");
        assert!(name.contains(decoded.version.name()), "{name} has version {}", decoded.version);
        count += 1;
    }
    assert!(count >= 6, "only {count} frozen files");
}

/// `inbounds` must have one value for each index, even if all are false: NVIDIA's verifier rejects any other number.
#[test]
fn inbounds_with_a_wrong_number_of_values_are_rejected() {
    let program = |inbounds: &str| {
        format!(
            "cuda_tile.module @m {{ entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {{
               %t = make_tensor_view %p, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
               %v = make_partition_view %t : partition_view<tile=(8x8), tensor_view<32x32xf32, strides=[32,1]>>
               %x, %done = load_view_tko weak %v[%i, %i] inbounds = [{inbounds}]
                 : partition_view<tile=(8x8), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> tile<8x8xf32>, token
             }} }}"
        )
    };
    for (inbounds, fits) in [("false, false", true), ("false", false), ("false, false, false", false)] {
        let options = Options { rules: false, ..Options::default() };
        let program =
            programs::lower(&program(inbounds), "inbounds", options).expect("without rules there are no errors");
        let bytes = bytecode::encode(&program.module, None, Version::NEWEST).expect("the program can be encoded");
        let decoded = decode(&bytes).expect("the bytecode is valid");
        assert_eq!(print::check(&decoded.module, None).is_ok(), fits, "[{inbounds}]");
    }
}
