//! Tests with files of a newer version and with partly readable files.

use super::{FUNCTION, FileBuilder, I32, RETURN, TILE};
use crate::decode::{Decoded, decode, decode_readable};
use crate::format::{function_flag, section};
use crate::{encode, varint};
use tile_analysis::print::{self, Options};
use tile_dialect::Version;

const ADD: [u8; 5] = [0x03, TILE, 0, 0, 0];

/// An opcode that no version has.
const UNKNOWN_OPCODE: [u8; 2] = [0xff, 0x7f];

/// A file with functions `a`, `b`, …, which have these bodies and a parameter of type `tile<i32>`.
fn with_bodies(version: Version, bodies: &[&[u8]]) -> Vec<u8> {
    let functions: Vec<Vec<u8>> = bodies.iter().map(|body| record(version, FUNCTION, body)).collect();
    with_functions(version, &functions)
}

/// The record of a function after its name.
fn record(version: Version, ty: u8, body: &[u8]) -> Vec<u8> {
    let no_hints_no_attributes: &[u8] = if version >= Version::V13_5 { &[0x0b, 0, 0x06, 0] } else { &[] };
    let mut record = [&[ty, function_flag::KERNEL, 0], no_hints_no_attributes].concat();
    varint::write(&mut record, body.len() as u64);
    [record, body.to_vec()].concat()
}

fn with_functions(version: Version, records: &[Vec<u8>]) -> Vec<u8> {
    let mut functions = vec![records.len() as u8];
    for (name, record) in (0..).zip(records) {
        functions.push(name);
        functions.extend(record);
    }
    const UNKNOWN_TYPE: &[u8] = &[99, 1, 2, 3];
    let types: [&[u8]; 5] = [&[3], &[0x0d, I32, 0], &[16, 1, TILE, 0], UNKNOWN_TYPE, &[16, 1, 3, 0]];
    FileBuilder::of(version)
        .table(section::STRING, 4, &[b"a", b"b", b"c"])
        .table(section::TYPE, 4, &types)
        .section(section::FUNCTION, &functions)
        .end()
}

/// The number of a function type in the table above that has a parameter of an unknown type.
const UNKNOWN_SIGNATURE: u8 = 4;

/// Changes the minor version of a file.
fn as_minor(mut file: Vec<u8>, minor: u8) -> Vec<u8> {
    file[9] = minor;
    file
}

fn readable(file: &[u8]) -> Decoded {
    decode_readable(file, false).unwrap_or_else(|error| panic!("{error}"))
}

fn entries(decoded: &Decoded) -> Vec<&str> {
    decoded.module.entries.iter().map(|entry| &*entry.name).collect()
}

fn warnings(decoded: &Decoded) -> Vec<String> {
    decoded.warnings.iter().map(|warning| warning.to_string()).collect()
}

fn unread(decoded: &Decoded) -> Vec<(String, Option<usize>)> {
    decoded.unread.iter().map(|unread| (unread.error.to_string(), unread.cut_entry)).collect()
}

/// The offset of bytes in a file.
fn offset(file: &[u8], bytes: &[u8]) -> usize {
    file.windows(bytes.len()).position(|window| window == bytes).expect("the file contains the bytes")
}

#[test]
fn a_newer_minor_version_is_read_by_the_newest_known_rules() {
    let body = [&ADD[..], &RETURN].concat();
    let file = with_bodies(Version::NEWEST, &[&body, &RETURN]);
    let known = readable(&file);
    assert_eq!((warnings(&known), unread(&known)), (vec![], vec![]));
    for minor in [6, 7, 255] {
        let newer = readable(&as_minor(file.clone(), minor));
        assert_eq!(newer.module, known.module);
        assert_eq!((newer.version, unread(&newer)), (Version::NEWEST, vec![]));
        let warning =
            format!("byte 8: bytecode version 13.{minor} is newer than 13.5, the newest known; reading it as 13.5");
        assert_eq!(warnings(&newer), [warning]);
        assert!(decode(&as_minor(file.clone(), minor)).is_ok(), "nothing is missing");
    }
}

#[test]
fn other_major_and_older_minor_versions_are_rejected() {
    let file = with_bodies(Version::NEWEST, &[&RETURN]);
    for (major, minor) in [(13, 0), (14, 0), (14, 6), (12, 5), (0, 0), (255, 255)] {
        let mut file = file.clone();
        (file[8], file[9]) = (major, minor);
        let error = decode_readable(&file, false).expect_err("the version is unknown").to_string();
        let expected = format!("byte 8: unsupported bytecode version {major}.{minor}: expected 13.1 to 13.5");
        assert_eq!(error, expected);
    }
}

#[test]
fn an_unknown_opcode_truncates_only_its_entry() {
    let cut = [&ADD[..], &UNKNOWN_OPCODE, &[1, 2, 3]].concat();
    for minor in [5, 6] {
        let file = as_minor(with_bodies(Version::V13_5, &[&RETURN, &cut, &RETURN]), minor);
        let decoded = readable(&file);
        assert_eq!(entries(&decoded), ["a", "b", "c"]);
        let message = format!("byte {}: unknown opcode 0x3fff", offset(&file, &UNKNOWN_OPCODE));
        assert_eq!(unread(&decoded), [(message.clone(), Some(1))]);
        let text = print::annotated(&decoded.module, None, Options::default(), &[(1, message.clone())]);
        let expected =
            format!("  // {message}\n  entry @b(%arg0: tile<i32>) {{\n    %0 = addi %arg0, %arg0 : tile<i32>\n  }}\n");
        assert!(text.contains(&expected), "{text}");
        assert_eq!(decode(&file).map_err(|error| error.to_string()), Err(message), "the entry is truncated");
    }
}

#[test]
fn an_unknown_opcode_in_a_region_keeps_the_ops_before_it() {
    // A `loop` with one block of two ops and no arguments.
    let nested = [&[0x42, 0, 0, 1, 1, 0, 2][..], &ADD, &UNKNOWN_OPCODE].concat();
    let file = with_bodies(Version::V13_5, &[&nested, &RETURN]);
    let decoded = readable(&file);
    assert_eq!(unread(&decoded).len(), 1);
    assert_eq!(decoded.unread[0].cut_entry, Some(0), "{:?}", decoded.unread);
    let text = print::module(&decoded.module, None, Options::default());
    assert!(text.contains("entry @b("), "{text}");
    assert_eq!(text.contains("addi"), text.contains("loop"), "{text}");
}

#[test]
fn an_entry_of_an_unknown_type_is_left_out() {
    let other = record(Version::V13_5, UNKNOWN_SIGNATURE, &RETURN);
    let known = record(Version::V13_5, FUNCTION, &RETURN);
    let file = with_functions(Version::V13_5, &[known.clone(), other, known]);
    let decoded = readable(&file);
    assert_eq!(entries(&decoded), ["a", "c"]);
    let message = format!("byte {}: unknown type tag 99", offset(&file, &[99, 1, 2, 3]));
    assert_eq!(unread(&decoded), [(message, None)]);
}

#[test]
fn a_record_of_an_unknown_form_ends_the_list() {
    let known = record(Version::V13_5, FUNCTION, &RETURN);
    let mut other = known.clone();
    other[1] |= 0x40;
    let file = with_functions(Version::V13_5, &[known.clone(), other, known]);
    let decoded = readable(&file);
    assert_eq!(entries(&decoded), ["a"]);
    let [(message, None)] = &unread(&decoded)[..] else { panic!("{:?}", decoded.unread) };
    assert!(
        message.contains("unknown bits 0x40 in the form of the function `b`; the function after it cannot be read")
    );
}

#[test]
fn an_unknown_section_is_skipped_in_newer_files_only() {
    let mut bytes = with_bodies(Version::V13_5, &[&RETURN]);
    assert_eq!(bytes.pop(), Some(section::END));
    let at = bytes.len();
    let file = FileBuilder { bytes }.section(0x21, &[1, 2, 3]).end();
    let message = format!("byte {at}: unknown section kind 33");
    assert_eq!(decode_readable(&file, false).map_err(|error| error.to_string()).err(), Some(message.clone()));
    let decoded = readable(&as_minor(file, 6));
    assert_eq!(warnings(&decoded)[1], message + "; the section is skipped");
    assert_eq!(entries(&decoded), ["a"]);
}

#[test]
fn a_private_entry_is_read_and_reported() {
    let mut private = record(Version::V13_4, FUNCTION, &RETURN);
    private[1] |= 1;
    let file = with_functions(Version::V13_4, &[private]);
    let decoded = decode(&file).expect("13.4 accepts private entries");
    assert!(decoded.module.entries[0].private);
    let text = print::module(&decoded.module, None, Options::default());
    assert!(text.contains("  } {sym_visibility = \"private\"}\n"), "{text}");
    let warned = print::check_bytecode(&decoded.module, None, decoded.version).expect("13.4 accepts private entries");
    assert_eq!(warned.expect("newer tools refuse it").diagnostics[0].page.code, "L0013");
    for version in Version::ALL {
        let again = encode(&decoded.module, None, version).expect("every version can encode it");
        assert_eq!(decode(&again).map(|again| again.module), Ok(decoded.module.clone()), "{version}");
    }
    let mut private = record(Version::V13_5, FUNCTION, &RETURN);
    private[1] |= 1;
    let decoded = decode(&with_functions(Version::V13_5, &[private])).expect("the form is valid");
    let broken = print::check_bytecode(&decoded.module, None, decoded.version).expect_err("13.5 refuses it");
    assert_eq!(broken.diagnostics[0].page.code, "E0612");
}

#[test]
fn unknown_bits_of_a_form_are_rejected() {
    for version in Version::ALL {
        for bit in [0x08, 0x10, 0x20, 0x40, 0x80] {
            let mut record = record(version, FUNCTION, &RETURN);
            record[1] |= bit;
            let refused = decode(&with_functions(version, &[record])).is_err();
            assert!(refused, "{bit:#x} in {version}");
        }
    }
}

#[test]
fn tags_of_the_header_are_ignored_before_13_5() {
    for (version, tag) in [(Version::V13_1, 1u16), (Version::V13_4, 2), (Version::V13_4, 0x100)] {
        let mut file = with_bodies(version, &[&RETURN]);
        file[10..12].copy_from_slice(&tag.to_le_bytes());
        let decoded = readable(&file);
        let warning = format!("byte 10: tag {tag:#x} in the header is ignored; tools since 13.5 refuse it");
        assert_eq!((entries(&decoded), warnings(&decoded)), (vec!["a"], vec![warning]));
    }
    let mut file = with_bodies(Version::V13_5, &[&RETURN]);
    file[10] = 2;
    let error = decode_readable(&file, false).expect_err("13.5 refuses it").to_string();
    assert_eq!(error, "byte 10: unknown bits 0x2 in the tag of the header");
}

#[test]
fn presence_bits_of_types_are_ignored_before_13_5() {
    let file = |version| {
        // A pointer with flags 4, a tile of such pointers, and an entry with that tile as a parameter.
        FileBuilder::of(version)
            .table(section::STRING, 4, &[b"a"])
            .table(section::TYPE, 4, &[&[7], &[12, 4, 0], &[13, 1, 0], &[16, 1, 2, 0]])
            .section(section::FUNCTION, &[&[1, 0][..], &record(version, 3, &RETURN)].concat())
            .end()
    };
    let decoded = readable(&file(Version::V13_4));
    let [warning] = &warnings(&decoded)[..] else { panic!("{:?}", decoded.warnings) };
    assert!(warning.contains("unknown presence bits 0x4 in a type are ignored; tools since 13.5 refuse them"));
    assert_eq!(entries(&decoded), ["a"]);
    let error = decode(&file(Version::V13_5)).expect_err("13.5 refuses it").to_string();
    assert!(error.contains("unknown presence bits 0x4 in a type"), "{error}");
}
