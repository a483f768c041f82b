//! What was encoded decodes to the same program, of every version, and what decodes can be checked and encoded again.

use tile_analysis::context::Options;
use tile_analysis::print;
use tile_backend::bytecode::decode::decode_readable;
use tile_backend::bytecode::{self, VERSIONS, decode};
use tile_dialect::Version;
use tile_tests::programs;
use tile_tests::shape::{difference, shape};
use tile_tests::tools;

#[test]
fn what_was_encoded_decodes_to_the_same_program() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, program) in &programs::valid() {
        for version in VERSIONS {
            // What a version cannot hold is told, which other tests are about.
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
            // A file without locations says nothing about any.
            let said = debug.map(|_| &program.debug);
            if let Some(difference) = difference(&shape(&before, said), &shape(&after, debug)) {
                wrong.push(format!("{name} at {version}: {difference}"));
            }
            let again = bytecode::encode(&decoded.module, debug, version);
            if again.as_ref() != Ok(&bytes) {
                wrong.push(format!("{name} at {version} is encoded in another way when it was decoded"));
            }
            if let Err(broken) = print::check(&decoded.module, debug) {
                wrong.push(format!("{name} at {version} breaks rules: {:?}\n{}", broken.diagnostics, broken.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 100, "only {count} files were decoded");
}

/// NVIDIA's disassembler and ours read the same program, with the same locations, out of the same bytes.
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
            // Theirs is a comment.
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

/// Whatever bytes decode to can be printed, checked and encoded. What keeps the rules reads back as the same program.
fn survives(name: &str, bytes: &[u8]) {
    let Ok(decoded) = decode_readable(bytes, false) else { return };
    let debug = decoded.debug.as_ref();
    let text = print::module(&decoded.module, debug, print::Options::default());
    for version in VERSIONS {
        // Most of what a wrong file holds is told here, which is fine: nothing may panic.
        let _ = bytecode::encode(&decoded.module, debug, version);
    }
    // What lacks a part keeps rules by chance only.
    if decoded.unread.is_empty() && print::check(&decoded.module, debug).is_ok() {
        match programs::lower(&text, name, Default::default()) {
            Ok(again) => {
                assert_eq!(difference(&shape(&decoded.module, None), &shape(&again.module, None)), None, "{text}")
            }
            Err(errors) => panic!("{name}: {errors:?} only in custom form:\n{text}"),
        }
    }
}

#[test]
fn a_file_cut_short_is_an_error() {
    let mut files = files(Version::NEWEST);
    files.sort_by_key(|(_, bytes)| bytes.len());
    for (name, bytes) in files.iter().step_by(7) {
        for length in 0..bytes.len() {
            let error = decode(&bytes[..length]).err();
            let error = error.unwrap_or_else(|| panic!("{name} is read although only {length} bytes are left"));
            assert!(error.offset <= length, "{name}: {error} lies behind the end, {length}");
        }
    }
}

/// Numbers that look random and are the same every time.
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[test]
fn wrong_bytes_do_no_harm() {
    let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
    for (name, bytes) in &files(Version::NEWEST) {
        for _ in 0..60 {
            let mut bytes = bytes.clone();
            for _ in 0..=noise.below(3) {
                let at = noise.below(bytes.len());
                match noise.below(6) {
                    0 => bytes[at] = noise.below(256) as u8,
                    1 => bytes[at] ^= 1 << noise.below(8),
                    2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][noise.below(5)],
                    3 => bytes[at] = bytes[at].wrapping_add(1),
                    4 => _ = bytes.remove(at),
                    _ => bytes.insert(at, noise.below(256) as u8),
                }
            }
            survives(name, &bytes);
        }
    }
}

#[test]
fn noise_does_no_harm() {
    let mut noise = Noise(42);
    for length in 0..2000 {
        let mut bytes = b"\x7fTileIR\0\x0d\x04\0\0".to_vec();
        bytes.extend((0..length % 200).map(|_| noise.below(if length % 3 == 0 { 256 } else { 9 }) as u8));
        survives("noise", &bytes);
    }
}

/// The frozen files of upstream's tests, where they lie beside this checkout.
#[test]
fn upstreams_frozen_files_are_read_or_refused() {
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
                assert!(message.is_empty(), "{name} is read");
                assert!(print::check(&decoded.module, None).is_ok(), "{name} keeps the rules");
            }
            Err(error) if name.contains("excessive") => assert!(error.offset > 11, "{name}: {error}"),
            Err(error) => assert!(!message.is_empty() && error.message.contains(message), "{name}: {error}"),
        }
    }
}

/// Files that stay as they are, with the programs that they hold: bytecode that was written once is read for ever.
/// Those called `cutile` were written with the writer of cuTile Python, which orders sections in another way.
#[test]
fn frozen_files_keep_their_meaning() {
    let folder = tile_tests::root().join("tests/frozen");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
        let path = entry.expect("its entries too").path();
        if path.extension().is_none_or(|extension| extension != "tileirbc") {
            continue;
        }
        let name = path.display().to_string();
        let decoded =
            decode(&std::fs::read(&path).expect("it can be read")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = std::fs::read_to_string(path.with_extension("tile")).expect("its program lies beside it");
        let read =
            programs::lower(&text, &name, Default::default()).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let debug = decoded.debug.as_ref();
        let said = debug.map(|_| &read.debug);
        assert_eq!(difference(&shape(&decoded.module, debug), &shape(&read.module, said)), None, "{name}");
        assert!(name.contains(decoded.version.name()), "{name} is of version {}", decoded.version);
        count += 1;
    }
    assert!(count >= 6, "only {count} files are frozen");
}

/// As many truth values as indices, also where all are false: NVIDIA's verifier refuses any other number.
#[test]
fn flags_of_another_number_of_indices_are_refused() {
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
        let program = programs::lower(&program(inbounds), "inbounds", options).expect("without rules nothing is wrong");
        let bytes = bytecode::encode(&program.module, None, Version::NEWEST).expect("it can be written");
        let decoded = decode(&bytes).expect("it can be read");
        assert_eq!(print::check(&decoded.module, None).is_ok(), fits, "[{inbounds}]");
    }
}
