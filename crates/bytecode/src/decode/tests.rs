//! Tests with invalid files, and with unusual files that few writers produce.

mod readable;

use super::{Decoded, decode};
use crate::format::{MAGIC, PADDING_BYTE, attr_tag, function_flag, section, version_bytes};
use crate::{encode, varint};
use std::sync::Arc;
use tile_analysis::build::BodyBuilder;
use tile_analysis::ir::{Attr, Module};
use tile_analysis::print::{self, Options};
use tile_analysis::types::Type;
use tile_dialect::{Element, Mnemonic, Version};

/// A file under construction, section by section.
struct FileBuilder {
    bytes: Vec<u8>,
}

impl FileBuilder {
    fn of(version: Version) -> FileBuilder {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(version_bytes(version));
        bytes.extend([0, 0]);
        FileBuilder { bytes }
    }

    fn section(mut self, id: u8, content: &[u8]) -> FileBuilder {
        self.bytes.push(id | section::ALIGNED);
        varint::write(&mut self.bytes, content.len() as u64);
        self.bytes.push(8);
        let end = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(end, PADDING_BYTE);
        self.bytes.extend_from_slice(content);
        self
    }

    fn table(self, id: u8, width: usize, entries: &[&[u8]]) -> FileBuilder {
        let mut content = Vec::new();
        varint::write(&mut content, entries.len() as u64);
        content.resize(content.len().next_multiple_of(width), PADDING_BYTE);
        let mut start = 0usize;
        for entry in entries {
            content.extend_from_slice(&start.to_le_bytes()[..width]);
            start += entry.len();
        }
        content.extend(entries.concat());
        self.section(id, &content)
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(section::END);
        self.bytes
    }
}

/// Numbers of the types in the files below.
const I32: u8 = 0;
const TILE: u8 = 1;
const FUNCTION: u8 = 2;
const TRUTH: u8 = 4;

/// A file with one entry, which has this body and a parameter of type `tile<i32>`.
fn with_body(version: Version, body: &[u8]) -> Vec<u8> {
    let mut function = vec![1, 0, FUNCTION, 2, 0];
    varint::write(&mut function, body.len() as u64);
    function.extend_from_slice(body);
    let rank_0 = [0x0d, I32, 0];
    FileBuilder::of(version)
        .table(section::STRING, 4, &[b"k", b"%i\n"])
        .table(section::TYPE, 4, &[&[3], &rank_0, &[16, 1, TILE, 0], &[0], &[0x0d, 3, 0], &[17]])
        .table(section::CONSTANT, 8, &[&[4, 1, 0, 0, 0], &[1, 1]])
        .section(section::FUNCTION, &function)
        .end()
}

const RETURN: [u8; 3] = [0x5c, 0, 0];

fn error(file: &[u8]) -> String {
    decode(file).expect_err("the file is invalid").to_string()
}

/// The text of the statements in a file.
fn text(file: &[u8]) -> String {
    let Decoded { module, debug, .. } = decode(file).unwrap_or_else(|error| panic!("{error}"));
    if let Err(broken) = print::check(&module, debug.as_ref()) {
        panic!("{:?}\n{}", broken.diagnostics, broken.text);
    }
    let text = print::module(&module, None, Options::default());
    let lines = text.lines().filter(|line| line.starts_with("    ")).map(str::trim_start);
    lines.filter(|line| *line != "return").collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn body_fails(body: &[u8], message: &str) {
    let error = error(&with_body(Version::V13_4, body));
    assert!(error.contains(message), "{error}");
}

#[test]
fn ops_are_read_by_their_layouts() {
    let add = [0x03, TILE, 0, 0, 0];
    assert_eq!(text(&with_body(Version::V13_1, &[&add[..], &RETURN].concat())), "%0 = addi %arg0, %arg0 : tile<i32>");
}

/// NVIDIA's writer stores a Boolean as a one-bit number, and its printer writes a keyword.
#[test]
fn booleans_of_hints_are_keywords() {
    const I1: u8 = 3;
    for (value, word) in [(0, "false"), (1, "true"), (16, "true")] {
        hint_is_printed(&[attr_tag::INTEGER, I1, value], word);
    }
}

/// No op has such a hint, but NVIDIA's readers accept any attribute.
#[test]
fn hints_can_be_any_attribute() {
    hint_is_printed(&[attr_tag::DIV_BY, 16, 0], "#cuda_tile.div_by<16>");
    hint_is_printed(&[attr_tag::DICTIONARY, 0], "{}");
}

/// Decodes and prints an entry with one hint.
#[track_caller]
fn hint_is_printed(value: &[u8], word: &str) {
    let hints = [&[attr_tag::HINTS, 1, 0, attr_tag::DICTIONARY, 1, 0][..], value].concat();
    let head = [1, 0, FUNCTION, function_flag::KERNEL | function_flag::HINTS, 0];
    let file = FileBuilder::of(Version::V13_4)
        .table(section::STRING, 4, &[b"k"])
        .table(section::TYPE, 4, &[&[3], &[0x0d, 0, 0], &[16, 1, TILE, 0], &[0]])
        .section(section::FUNCTION, &[&head[..], &hints, &[3], &RETURN].concat())
        .end();
    let Decoded { module, .. } = decode(&file).unwrap_or_else(|error| panic!("{error}"));
    let text = print::module(&module, None, Options::default());
    assert!(text.contains(&format!("k = {{k = {word}}}")), "{text}");
}

/// NVIDIA's readers ignore unknown presence bits of an op, so such files are read with a warning.
#[test]
fn unknown_presence_bits_are_ignored() {
    let file = with_body(Version::V13_4, &[&[0x77, 5, 2][..], &RETURN].concat());
    let decoded = decode(&file).unwrap_or_else(|error| panic!("{error}"));
    assert!(decoded.warnings.iter().any(|warning| warning.message.contains("unknown presence bits 0x2")));
}

/// The number of dictionaries can differ from that of the parameters if all are empty.
#[test]
fn attributes_of_parameters_can_be_empty() {
    let file = |attrs: &[u8]| {
        let record = [&[1, 0, FUNCTION, 2, 0, attr_tag::HINTS, 0][..], attrs, &[RETURN.len() as u8], &RETURN].concat();
        FileBuilder::of(Version::V13_5)
            .table(section::STRING, 4, &[b"k"])
            .table(section::TYPE, 4, &[&[3], &[0x0d, 0, 0], &[16, 1, TILE, 0]])
            .section(section::FUNCTION, &record)
            .end()
    };
    const EMPTY: [u8; 2] = [attr_tag::DICTIONARY, 0];
    const FULL: [u8; 5] = [attr_tag::DICTIONARY, 1, 0, attr_tag::BOOL, 1];
    let list = |count: u8, entries: &[&[u8]]| [&[attr_tag::ARRAY, count][..], &entries.concat()].concat();
    for attrs in [list(0, &[]), list(1, &[&EMPTY]), list(2, &[&EMPTY, &EMPTY])] {
        assert_eq!(text(&file(&attrs)), "", "{attrs:?}");
    }
    let message = error(&file(&list(2, &[&EMPTY, &FULL])));
    assert!(message.contains("expected a dictionary for each of 1 parameters, found 2"), "{message}");
}

/// A function with a location in a file without a debug section.
#[test]
fn a_location_needs_the_debug_section() {
    let mut file = with_body(Version::V13_4, &RETURN);
    let record = [1, 0, FUNCTION, 2, 0, RETURN.len() as u8];
    let start = file.windows(record.len()).position(|bytes| bytes == record).expect("the file has a function");
    file[start + 4] = 1;
    assert!(error(&file).contains("function 1 has no locations"), "{}", error(&file));
}

#[test]
fn invalid_bodies_are_reported() {
    body_fails(&[], "the body of an entry must end with a `return`");
    body_fails(&[0x03, TILE, 0, 0, 0], "the body of an entry must end with a `return`");
    body_fails(&[0xff, 1], "unknown opcode 0xff");
    body_fails(&[0x4b], "unknown opcode 0x4b");
    body_fails(&[0x03, TILE, 0, 0, 1], "value 1 is out of range: 1 values are in scope");
    body_fails(&[0x03, TILE, 7, 0, 0], "unknown overflow behavior 7");
    body_fails(&[0x03, 9, 0, 0, 0], "index 9 is out of range: the file has 6 types");
    body_fails(&[0x03, I32, 0, 0, 0], "the result `result` of `addi` cannot be a `i32`");
    body_fails(&[0x03, FUNCTION, 0, 0, 0], "unexpected function type");
    body_fails(&[0x03, TILE], "unexpected end of the body of an entry");
    body_fails(&[0x02, TILE, 0, 0, 0, 0], "the operand `lhs` of `addf` cannot be a `tile<i32>`");
    body_fails(&[0x10, TILE, 1], "a constant of type `tile<i32>` cannot have 1 bytes");
    body_fails(&[0x10, TILE, 2], "index 2 is out of range: the file has 2 constants");
    body_fails(&[0x06, TILE, 3, 0, 0], "expected a predicate of `assume`");
    body_fails(&[0x58, 0xff, 0xff, 3], "results do not fit into the rest of the body of an entry");
    body_fails(&[0x43, 2, TILE, TILE], "`make_tensor_view` has 1 results, not 2");
    body_fails(&[0x29, 0, 0, 2, 0, 0], "`for` has at least 3 operands, not 2");
}

#[test]
fn regions_have_one_terminated_block() {
    let truth = [0x10, TRUTH, 1];
    let branch = |regions: &[u8]| [&truth[..], &[0x32, 0, 1], regions, &RETURN].concat();
    let empty_yield = [0x6d, 0, 0];
    let then = [&[1, 0, 1][..], &empty_yield].concat();
    let absent = [&[2][..], &then, &[0]].concat();
    let alone = [&[1][..], &then].concat();
    let both = [&[2][..], &then, &then].concat();
    let one_branch = "%true = constant <i1: true> : tile<i1>\nif %true {\n}";
    assert_eq!(text(&with_body(Version::V13_4, &branch(&absent))), one_branch);
    assert_eq!(text(&with_body(Version::V13_4, &branch(&alone))), one_branch);
    assert_eq!(text(&with_body(Version::V13_4, &branch(&both))), one_branch.to_string() + " else {\n}");
    body_fails(&branch(&[3, 0, 0, 0]), "`if` has 2 regions, not 3");
    body_fails(&branch(&[2, 2]), "a region of `if` has 2 blocks; it must have one");
    body_fails(&branch(&[2, 0]), "a region of `if` has 0 blocks; it must have one");
    body_fails(&branch(&[2, 1, 0, 0]), "a block must end with a terminator");
    body_fails(&branch(&[2, 1, 200, 1]), "200 block arguments do not fit");
}

#[test]
fn a_value_is_not_in_scope_after_its_region() {
    let truth = [0x10, TRUTH, 1];
    let inner = [0x03, TILE, 0, 0, 0, 0x6d, 0, 0];
    let branch = [&[0x32, 0, 1, 1, 1, 0, 2][..], &inner].concat();
    // Value 2 is defined inside and used outside.
    let body = [&truth[..], &branch, &[0x03, TILE, 0, 2, 2], &RETURN].concat();
    body_fails(&body, "value 2 is out of range: 2 values are in scope");
}

#[test]
fn nesting_is_limited() {
    let nested = |depth: usize| {
        let mut body = vec![0x10, TRUTH, 1];
        (0..depth).for_each(|_| body.extend([0x32, 0, 1, 1, 1, 0, 2]));
        (0..depth).for_each(|_| body.extend([0x6d, 0, 0]));
        body.extend(RETURN);
        // The innermost region contains only its `yield`.
        let innermost = 3 + 7 * depth - 1;
        body[innermost] = 1;
        body
    };
    let deep = decode(&with_body(Version::V13_4, &nested(127))).expect("the nesting is at the limit");
    assert!(print::check(&deep.module, None).is_ok());
    body_fails(&nested(128), "regions are nested more than 128 deep");
    body_fails(&nested(100_000), "regions are nested more than 128 deep");
}

#[test]
fn older_versions_lack_later_additions() {
    let file = |version, body: &[u8]| with_body(version, &[body, &RETURN].concat());
    let atan2 = [0x6e, TILE, 0, 0];
    let message = error(&file(Version::V13_1, &atan2));
    assert!(message.contains("the op `atan2` was added in 13.2, but this is bytecode 13.1"), "{message}");
    // In 13.1, a print has no token, so its result has no number.
    let print = [0x55, 0, 1, 1, 0];
    let add = [0x03, TILE, 0, 0, 0];
    let old = text(&file(Version::V13_1, &[&print[..], &add].concat()));
    assert_eq!(old, "%0 = print_tko \"%i\\n\", %arg0 : tile<i32> -> token\n%1 = addi %arg0, %arg0 : tile<i32>");
    let new = [0x55, 1, 5, 0, 1, 1, 0];
    assert_eq!(text(&file(Version::V13_2, &[&new[..], &add[..3], &[0, 0]].concat())), old);
    // In 13.1, `negi` has no overflow attribute.
    assert_eq!(text(&file(Version::V13_1, &[0x50, TILE, 0])), "%0 = negi %arg0 : tile<i32>");
    assert_eq!(
        text(&file(Version::V13_2, &[0x50, TILE, 1, 0])),
        "%0 = negi %arg0 overflow<no_signed_wrap> : tile<i32>"
    );
}

/// A file with an entry that has a parameter of the last of these types.
fn with_types(version: Version, types: &[&[u8]]) -> Vec<u8> {
    let last = types.len() as u8 - 1;
    let function = [16, 1, last, 0];
    let all: Vec<&[u8]> = types.iter().copied().chain([&function[..]]).collect();
    // Since 13.5, hints and attributes of parameters are always present.
    let more: &[u8] = if version < Version::V13_5 { &[] } else { &[attr_tag::HINTS, 0, attr_tag::ARRAY, 0] };
    let function_record = [&[1, 0, last + 1, 2, 0], more, &[3, 0x5c, 0, 0]].concat();
    FileBuilder::of(version)
        .table(section::STRING, 4, &[b"k"])
        .table(section::TYPE, 4, &all)
        .section(section::FUNCTION, &function_record)
        .end()
}

#[track_caller]
fn type_fails(types: &[&[u8]], message: &str) {
    let error = error(&with_types(Version::V13_4, types));
    assert!(error.contains(message), "{error}");
}

fn long(value: i64) -> [u8; 8] {
    value.to_le_bytes()
}

#[test]
fn types_follow_the_rules_of_the_textual_form() {
    let tile = |element: u8, extent: i64| [&[13, element, 1][..], &long(extent)].concat();
    type_fails(&[&[3], &tile(0, 3)], "`tile<3xi32>` is not a valid type");
    type_fails(&[&[3], &tile(0, -4)], "`tile<-4xi32>` is not a valid type");
    type_fails(&[&[3], &tile(0, 1 << 40)], "is not a valid type");
    type_fails(&[&[3], &[13, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]], "4294967295 extents do not fit");
    type_fails(&[&[99]], "unknown type tag 99");
    type_fails(&[&[3], &[13, 0, 0, 0]], "extra bytes at the end of");
    type_fails(&[&[]], "unexpected end of an entry of a table");
    type_fails(&[&[17], &[13, 0, 0]], "`token` cannot be the element type of a tile");
    let newer = error(&with_types(Version::V13_5, &[&[3], &[12, 2, 0]]));
    assert!(newer.contains("unknown presence bits 0x2 in a type"), "{newer}");
    let tensor = [&[14, 0, 0, 1][..], &long(i64::MIN), &[1], &long(1)].concat();
    type_fails(
        &[&[7], &tensor, &[15, 0, 1, 4, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0, 0, 0]],
        "does not fit a tensor of rank 1",
    );
    type_fails(&[&[7], &tensor, &[15, 0, 1, 3, 0, 0, 0, 1, 1, 0, 0, 0, 0]], "is not a valid type");
    type_fails(&[&[7], &[15, 0, 1, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0]], "expected a tensor view, found `f32`");
}

#[test]
fn recursive_types_are_rejected() {
    type_fails(&[&[13, 0, 0]], "types are nested too deeply");
    type_fails(&[&[13, 1, 0], &[13, 0, 0]], "types are nested too deeply");
    let chain: Vec<[u8; 3]> = (0..100).map(|index| [13, index + 1, 0]).collect();
    let mut chain: Vec<&[u8]> = chain.iter().map(|entry| &entry[..]).collect();
    chain.push(&[13, 0, 0]);
    type_fails(&chain, "types are nested too deeply");
}

#[test]
fn older_versions_lack_later_types() {
    let message = |version, types: &[&[u8]]| error(&with_types(version, types));
    let scale: &[u8] = &[18];
    let found = message(Version::V13_1, &[scale, &[13, 0, 0]]);
    assert!(found.contains("the element type `f8E8M0FNU` was added in 13.2"), "{found}");
    let found = message(Version::V13_2, &[&[7], &[20]]);
    assert!(found.contains("this kind of view was added in 13.3"), "{found}");
}

#[test]
fn invalid_sections_are_reported() {
    let head = || FileBuilder::of(Version::V13_4);
    let mut other = FileBuilder::of(Version::NEWEST);
    other.bytes[8] += 1;
    let strings = |file: FileBuilder| file.table(section::STRING, 4, &[b"k"]);
    let functions = |file: FileBuilder| file.section(section::FUNCTION, &[0]);
    assert!(decode(&functions(strings(head())).end()).is_ok());
    assert!(decode(&strings(functions(head())).end()).is_ok(), "in any order");
    let cases: [(Vec<u8>, &str); 9] = [
        (functions(head()).end(), "the string section is missing"),
        (strings(head()).end(), "the function section is missing"),
        (strings(strings(head())).end(), "the string section occurs twice"),
        (functions(strings(head())).bytes, "unexpected end of the file"),
        ([functions(strings(head())).end(), vec![0]].concat(), "extra bytes at the end of the file"),
        ([head().bytes, vec![0x80]].concat(), "the end marker must not have an alignment"),
        ([head().bytes, vec![0x81, 1, 3]].concat(), "alignment 3 is not a power of two"),
        (
            [head().bytes, vec![1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]].concat(),
            "is longer than the file",
        ),
        (other.bytes, "unsupported bytecode version 14.5: expected 13.1 to 13.5"),
    ];
    for (file, message) in cases {
        assert!(error(&file).contains(message), "{} instead of {message}", error(&file));
    }
}

#[test]
fn tables_must_be_within_their_sections() {
    let with_strings = |content: &[u8]| {
        let file = FileBuilder::of(Version::V13_4).section(section::STRING, content);
        let file = file.table(section::TYPE, 4, &[&[16, 0, 0]]);
        file.section(section::FUNCTION, &[1, 0, 0, 2, 0, 3, 0x5c, 0, 0]).end()
    };
    assert!(decode(&with_strings(&[1, 0xcb, 0xcb, 0xcb, 0, 0, 0, 0, b'k'])).is_ok());
    let cases: [(&[u8], &str); 5] = [
        (&[0xff, 0xff, 0xff, 0xff, 0x0f], "4294967295 strings do not fit"),
        (&[2, 0xcb, 0xcb, 0xcb, 0, 0, 0, 0], "2 strings do not fit"),
        (&[1, 0xcb, 0xcb, 0xcb, 9, 0, 0, 0, b'k'], "entry 0 of the strings is not within its section"),
        (&[1, 0xcb, 0xcb, 0xcb, 0, 0, 0, 0], "a name is empty"),
        (&[1, 0xcb, 0xcb, 0xcb, 0, 0, 0, 0, 0xff], "a name is not valid UTF-8"),
    ];
    for (content, message) in cases {
        let file = with_strings(content);
        assert!(error(&file).contains(message), "{} instead of {message}", error(&file));
    }
}

/// Constants can share their bytes, so a small file could fill the memory.
#[test]
fn the_size_of_shared_constants_is_limited() {
    let count = 1 << 16;
    let mut blob = Vec::new();
    varint::write(&mut blob, count / 8);
    blob.extend((0..count / 8).map(|index| index as u8));
    let mut body: Vec<u8> = (0..60_000).flat_map(|_| [0x10, 1, 0]).collect();
    body.extend(RETURN);
    let mut function = vec![1, 0, 2, 2, 0];
    varint::write(&mut function, body.len() as u64);
    function.extend(body);
    let file = FileBuilder::of(Version::V13_4)
        .table(section::STRING, 4, &[b"k"])
        .table(section::TYPE, 4, &[&[0], &[&[13, 0, 1][..], &long(count as i64)].concat(), &[16, 0, 0]])
        .table(section::CONSTANT, 8, &[&blob])
        .section(section::FUNCTION, &function)
        .end();
    assert!(error(&file).contains("the constants are far larger than the file"));
}

#[test]
fn debug_attributes_can_be_in_any_order_but_not_in_cycles() {
    // One function, with attribute 1 as its only location, which is in the scope of attribute 2, …
    let with_debug = |table: &[&[u8]]| {
        let mut content = vec![1, 0xcb, 0xcb, 0xcb, 0, 0, 0, 0, 2, 0xcb, 0xcb, 0xcb, 0xcb, 0xcb, 0xcb, 0xcb];
        content.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let start = content.len();
        content.push(table.len() as u8);
        content.resize(start + 4, 0xcb);
        let mut at = 0u32;
        for entry in table {
            content.extend(at.to_le_bytes());
            at += entry.len() as u32;
        }
        content.extend(table.concat());
        FileBuilder::of(Version::V13_4)
            .table(section::STRING, 4, &[b"k"])
            .table(section::TYPE, 4, &[&[16, 0, 0]])
            .section(section::DEBUG, &content)
            .section(section::FUNCTION, &[1, 0, 0, 2, 1, 3, 0x5c, 0, 0])
            .end()
    };
    let unit: [&[u8]; 3] = [&[5, 4, 1, 0, 0, 3, 1], &[1, 4], &[2, 0, 0]];
    let valid = with_debug(&[&[4, 2, 0, 3, 4], unit[0], unit[1], unit[2]]);
    let decoded = decode(&valid).expect("the file is valid");
    let text = print::module(&decoded.module, decoded.debug.as_ref(), Options::default());
    assert!(text.contains("#loc = #cuda_tile.di_loc<loc(\"k\":3:4) in #di_subprogram>"), "{text}");
    assert!(text.contains("  return loc(unknown)\n  } loc(#loc)"), "{text}");
    let cycle = with_debug(&[&[4, 2, 0, 3, 4], &[3, 3, 4, 1, 1], &[3, 2, 4, 1, 1], &[2, 0, 0]]);
    assert!(error(&cycle).contains("a debug attribute refers to itself"), "{}", error(&cycle));
    let wrong = with_debug(&[&[4, 2, 0, 3, 4], &[2, 0, 0]]);
    assert!(error(&wrong).contains("the debug attribute 2 is not a scope"), "{}", error(&wrong));
    let none = with_debug(&[&[4, 9, 0, 3, 4]]);
    assert!(error(&none).contains("unknown debug attribute 9"), "{}", error(&none));
    let no_location = with_debug(&[&[2, 0, 0]]);
    assert!(error(&no_location).contains("the debug attribute 1 is not a location"), "{}", error(&no_location));
}

/// cuTile writes loads that have padding but no mask. In custom form, the padding would be read as a mask.
#[test]
fn padding_without_a_mask_needs_generic_form() {
    let pointers = tile_analysis::read::type_of("tile<8xptr<f32>>").expect("the type is valid");
    let values = Type::tile(&[8], Element::F32);
    let mut builder = BodyBuilder::new("k");
    let (pointers, padding) = (builder.add_param("p", pointers), builder.add_param("x", values));
    let attrs = [Attr::Enum(0), Attr::Absent, Attr::Absent];
    let groups: [&[_]; 4] = [&[pointers], &[], &[padding], &[]];
    let results = [values, Type::token()];
    builder.push_op(BodyBuilder::ENTRY, Mnemonic::LoadPtrTko, &groups, attrs, &results, &[]);
    builder.push_op(BodyBuilder::ENTRY, Mnemonic::Return, &[&[]], [], &[], &[]);
    let module = Module { entries: vec![Arc::new(builder.finish())], ..Module::default() };
    let bytes = encode(&module, None, Version::V13_4).expect("the module can be encoded");
    let decoded = decode(&bytes).expect("the file can be decoded").module;
    let text = print::module(&decoded, None, Options::default());
    let load = "%result, %result_token = \"cuda_tile.load_ptr_tko\"(%arg0, %arg1) <{memory_ordering_semantics = 0 : i32, \
operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (!cuda_tile.tile<8xptr<f32>>, !cuda_tile.tile<8xf32>) \
-> (!cuda_tile.tile<8xf32>, !cuda_tile.token)";
    assert!(text.contains(load), "{text}");
    assert!(text.contains("    return\n"), "only the load is in generic form: {text}");
}

/// A file of 13.5 with one entry. Its record has these bytes after the type.
fn with_record(record: &[u8]) -> Vec<u8> {
    let function = [&[1, 0, 2], record].concat();
    let rank_0 = [0x0d, 1, 0];
    FileBuilder::of(Version::V13_5)
        .table(section::STRING, 4, &[b"k", b"a.b"])
        .table(section::TYPE, 4, &[&rank_0, &[3], &[16, 1, 0, 0]])
        .section(section::FUNCTION, &function)
        .end()
}

#[test]
fn records_of_13_5_have_a_form_hints_and_attributes() {
    let body: &[u8] = &[3, 0x5c, 0, 0];
    let read = |record: &[&[u8]]| decode(&with_record(&record.concat()));
    assert!(read(&[&[2, 0, 0x0b, 0, 6, 0], body]).is_ok(), "an entry without hints and attributes");
    let attrs = read(&[&[2, 0, 0x0b, 0, 6, 1, 10, 1, 1, 8, 16, 0], body]).expect("an attribute");
    let text = print::module(&attrs.module, None, print::Options::default());
    assert!(text.contains("(%arg0: tile<i32> {a.b = #cuda_tile.div_by<16>})"), "{text}");
    let cases: [(&[&[u8]], &str); 9] = [
        (&[&[6, 0, 0x0b, 0, 6, 0], body], "the form of the entry `k` must be that of a function with a body"),
        (&[&[0x0e, 0, 0x0b, 0, 6, 0], body], "the form of the entry `k` must be that of a function with a body"),
        (&[&[0x12, 0, 0x0b, 0, 6, 0], body], "unknown bits 0x10 in the form of the function `k`"),
        (&[&[1, 0, 6, 0, 0, 6, 0]], "the function `k` without a body is part of the SIMT preview"),
        (&[&[2, 0, 6, 0], body], "expected optimization hints, found an attribute of kind 6"),
        (&[&[2, 0, 0x0b, 0, 3, 1], body], "the attributes of parameters must be a list"),
        (&[&[2, 0, 0x0b, 0, 6, 1, 3, 1], body], "the attributes of each parameter must be a dictionary"),
        (
            &[&[2, 0, 0x0b, 0, 6, 2, 10, 0, 10, 1, 1, 3, 1], body],
            "expected a dictionary for each of 1 parameters, found 2",
        ),
        (&[&[2, 0, 0x0b, 0, 6, 1, 10, 1, 1, 7, 0, 0], body], "unsupported attribute of kind 7"),
    ];
    for (record, message) in cases {
        let error = read(record).expect_err(message);
        assert!(error.message.contains(message), "{} instead of {message}", error.message);
    }
    let nested = [vec![2, 0, 0x0b, 0, 6, 1, 10, 1, 1], [6, 1].repeat(1000), vec![6, 0]].concat();
    let error = read(&[&nested, body]).expect_err("lists are nested too deeply");
    assert!(error.message.contains("attributes are nested more than"), "{}", error.message);
    // The limit applies to lists and preview attributes together.
    let mixed = [[6, 1].repeat(50), vec![0xdc, 1]].concat().repeat(1000);
    let mut file = with_record(&[&[2, 0, 0x0b, 0, 6, 1, 10, 1, 1][..], &mixed, &[6, 0], body].concat());
    file[10] = 1;
    let error = super::decode_with(&file, true).expect_err("lists and expressions are nested too deeply");
    assert!(error.message.contains("attributes are nested more than"), "{}", error.message);
}

#[test]
fn pointer_attributes_depend_on_the_version() {
    let pointer = |version: Version, attr: u8| {
        decode(&with_types(version, &[&[7], &[12, 1, 0, attr], &[13, 1, 0]])).map(|_| ()).map_err(|error| error.message)
    };
    assert_eq!(pointer(Version::V13_5, 2), Ok(()));
    assert_eq!(pointer(Version::V13_4, 0), Ok(()));
    let early = pointer(Version::V13_4, 1).expect_err("13.4 does not have the attribute");
    assert!(early.contains("the pointer attribute `unicast` was added in 13.5"), "{early}");
    let unknown = pointer(Version::V13_5, 3).expect_err("the attribute does not exist");
    assert!(unknown.contains("unknown pointer attribute 3"), "{unknown}");
    let flags = decode(&with_types(Version::V13_5, &[&[7], &[12, 5, 0, 0], &[13, 1, 0]])).expect_err("unknown bits");
    assert!(flags.message.contains("unknown presence bits 0x4"), "{}", flags.message);
}
