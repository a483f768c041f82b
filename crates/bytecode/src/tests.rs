//! Tests of unsupported constructs and of known bytes.

use super::*;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::debug_info::DebugAttr;
use tile_analysis::lines::Lines;
use tile_analysis::print;

/// A program with one entry of these statements.
fn entry(statements: &str) -> String {
    format!(
        "cuda_tile.module @m {{\nentry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %n: tile<i32>) {{\n{statements}\n}}\n}}\n"
    )
}

/// The diagnostics of encoding a program: the line and the message.
fn messages(text: &str, version: Version) -> Vec<String> {
    let db = Database::default();
    // Checked by the newest rules, so that only the encoder reports anything.
    let file = File::new(&db, Arc::from(text), Options::default());
    assert_eq!(db::diagnostics(&db, file), [], "{text}");
    let lines = Lines::new(text);
    let found = of_program(&Program::of(&db, file), Some("a.tile"), version).err().unwrap_or_default();
    found.into_iter().map(|found| format!("{}: {}", lines.place(found.range.start, text).row, found.message)).collect()
}

/// Statements, the last version that does not support them, and the expected messages.
const NEWER: &[(&str, Version, &[&str])] = &[
    ("%a = atan2 %x, %x : tile<f32>", Version::V13_1, &["3: bytecode 13.1 does not support `atan2` (added in 13.2)"]),
    (
        "%a = negi %n overflow<no_signed_wrap> : tile<i32>",
        Version::V13_1,
        &["3: bytecode 13.1 does not support `overflow` of `negi` (added in 13.2)"],
    ),
    (
        "for unsigned %i in (%n to %n, step %n) : tile<i32> {\n}",
        Version::V13_1,
        &["3: bytecode 13.1 does not support `unsigned` of `for` (added in 13.2)"],
    ),
    (
        "%a = tanh %x rounding<approx> : tile<f32>",
        Version::V13_1,
        &["3: bytecode 13.1 does not support `rounding_mode` of `tanh` (added in 13.2)"],
    ),
    (
        "%a = print_tko \"a\" -> token\n%b = join_tokens %a, %a : token",
        Version::V13_1,
        &[
            "4: bytecode 13.1 does not support the `result_token` of `print_tko` (added in 13.2)",
            "4: bytecode 13.1 does not support the `result_token` of `print_tko` (added in 13.2)",
        ],
    ),
    (
        "%a = make_token : token\n%b = print_tko \"a\" token=%a -> token",
        Version::V13_1,
        &["4: bytecode 13.1 does not support the operand `token` of `print_tko` (added in 13.2)"],
    ),
    (
        "%a = constant <f8E8M0FNU: 1.0> : tile<2xf8E8M0FNU>\n%b = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>",
        Version::V13_1,
        &["3: bytecode 13.1 does not support the element type `f8E8M0FNU` (added in 13.2)"],
    ),
    (
        "%a = exp %x rounding<approx> : tile<f32>",
        Version::V13_2,
        &["3: bytecode 13.2 does not support `rounding_mode` of `exp` (added in 13.3)"],
    ),
    (
        "%a = alloca num_elem = 4, alignment = 4 : tile<ptr<f32>>",
        Version::V13_2,
        &["3: bytecode 13.2 does not support `alloca` (added in 13.3)"],
    ),
    (
        "%a = constant <f16: 1.0> : tile<4x4xf16>\n%b = mmaf %a, %a, %a fast_acc : tile<4x4xf16>, tile<4x4xf16>, tile<4x4xf16>",
        Version::V13_2,
        &["4: bytecode 13.2 does not support `fast_acc` of `mmaf` (added in 13.3)"],
    ),
    (
        "%a = ftoi %x signed saturating : tile<f32> -> tile<i32>",
        Version::V13_3,
        &["3: bytecode 13.3 does not support `saturating` of `ftoi` (added in 13.4)"],
    ),
    (
        "%a = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f32, <none>>>",
        Version::V13_3,
        &["3: bytecode 13.3 does not support the pointer attribute `none` (added in 13.4)"],
    ),
    (
        "%a = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f32, <multicast>>>",
        Version::V13_4,
        &["3: bytecode 13.4 does not support the pointer attribute `multicast` (added in 13.5)"],
    ),
    (
        "%a = fpowi %x, %n : tile<f32>, tile<i32>\n%b = gdc_wait_tko -> token",
        Version::V13_3,
        &[
            "3: bytecode 13.3 does not support `fpowi` (added in 13.4)",
            "4: bytecode 13.3 does not support `gdc_wait_tko` (added in 13.4)",
        ],
    ),
];

#[test]
fn unsupported_constructs_are_reported_until_the_version_that_added_them() {
    for (statements, version, expected) in NEWER {
        let text = entry(statements);
        assert_eq!(messages(&text, *version), *expected, "{statements}");
        let next = VERSIONS.into_iter().find(|next| next > version).expect("a later version");
        assert_eq!(messages(&text, next), [""; 0], "{statements}");
    }
}

#[test]
fn globals_are_reported_at_their_location() {
    let text =
        "cuda_tile.module @m attributes {producer = \"p\"} {\n  global private constant @g <i32: 1> : tile<1xi32>\n}\n";
    let expected = [
        "2: bytecode 13.2 does not support `constant` of the global `@g` (added in 13.3)",
        "2: bytecode 13.2 does not support `private` of the global `@g` (added in 13.3)",
    ];
    assert_eq!(messages(text, Version::V13_2), expected);
    assert_eq!(messages(text, Version::V13_3), [""; 0]);
}

#[test]
fn attributes_of_parameters_need_13_5() {
    let text = "cuda_tile.module @m {
  entry @k(
    %a: tile<i32>,
    %b: tile<i32> {my.name = 1}
  ) {
  }
}
";
    let expected = "4: bytecode 13.4 does not support attributes of a parameter (added in 13.5)";
    assert_eq!(messages(text, Version::V13_4), [expected]);
    assert_eq!(messages(text, Version::V13_5), [""; 0]);
    let without_value = text.replace("my.name = 1", "my.name");
    let expected = ["4: bytecode cannot represent the attribute `my.name` of a parameter, which has no value"];
    assert_eq!(messages(&without_value, Version::V13_5), expected);
    let symbol = text.replace("my.name = 1", "my.name = @k");
    let expected = ["4: bytecode cannot represent the value `@k` of the attribute `my.name` of a parameter"];
    assert_eq!(messages(&symbol, Version::V13_5), expected);
}

#[test]
fn declared_subprograms_need_13_5() {
    let text = "#f = #cuda_tile.di_file<\"a.py\" in \"/d\">
#u = #cuda_tile.di_compile_unit<file = #f>
#s = #cuda_tile.di_subprogram<file = #f, line = 2, name = \"k\", linkageName = \"k\", compileUnit = #u, scopeLine = 2, flags = declaration>
cuda_tile.module @m {
  entry @k() {
    return loc(#cuda_tile.di_loc<loc(\"a.py\":3:5) in #s>)
  } loc(#cuda_tile.di_loc<loc(\"a.py\":2:1) in #s>)
}
";
    let expected = "5: bytecode 13.4 does not support `flags = declaration` of its `di_subprogram` (added in 13.5)";
    assert_eq!(messages(text, Version::V13_4), [expected]);
    let db = Database::default();
    let program = File::new(&db, Arc::from(text), Options::default());
    let bytes = of_program(&Program::of(&db, program), Some("a.tile"), Version::V13_5).expect("13.5 supports it");
    let attrs =
        super::decode(&bytes).expect("the bytecode can be decoded").debug.expect("the bytecode has locations").attrs;
    let is_declared = |attr: &DebugAttr| matches!(attr, DebugAttr::Subprogram { declaration: true, .. });
    assert!(attrs.iter().any(is_declared), "{attrs:?}");
}

#[test]
fn the_smallest_program_has_known_bytes() {
    let db = Database::default();
    let file = File::new(&db, Arc::from("cuda_tile.module @m {\nentry @k() {\n}\n}\n"), Options::default());
    let bytes = of_program(&Program::of(&db, file), None, Version::V13_1).expect("the program can be encoded");
    let expected: &[&[u8]] = &[
        b"\x7fTileIR\0\x0d\x01\0\0",
        // Functions: one, with name 0 and type 0, a kernel without a location, three bytes long: return, no results, no
        // operands.
        &[0x82, 9, 8, 0xcb, 1, 0, 0, 2, 0, 3, 0x5c, 0, 0],
        // Types: one, at offset 0: a function without parameters and results.
        &[0x85, 11, 4, 1, 0xcb, 0xcb, 0xcb, 0, 0, 0, 0, 16, 0, 0],
        // Strings: one, at offset 0.
        &[0x81, 9, 4, 0xcb, 0xcb, 1, 0xcb, 0xcb, 0xcb, 0, 0, 0, 0, b'k', 0],
    ];
    assert_eq!(bytes, expected.concat());
}

#[test]
fn strings_of_hints_keep_their_bytes() {
    let hints = r#"optimization_hints = <default = {"a b" = "tab\t, quote \", byte \FF"}>"#;
    let text = format!("cuda_tile.module @m {{\n  entry @k() {hints} {{\n  }}\n}}\n");
    let db = Database::default();
    let file = File::new(&db, Arc::from(&*text), Options::default());
    let bytes = of_program(&Program::of(&db, file), None, Version::NEWEST).expect("the program can be encoded");
    let decoded = decode(&bytes).unwrap_or_else(|error| panic!("{error}"));
    let printed = print::module(&decoded.module, None, print::Options::default());
    assert!(printed.contains(hints), "{printed}");
}

#[test]
fn a_load_can_have_padding_without_a_mask() {
    let load = "%l:2 = \"cuda_tile.load_ptr_tko\"(%p, %x) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 1, 0>}> \
                : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<f32>) -> (!cuda_tile.tile<f32>, !cuda_tile.token)";
    let db = Database::default();
    let file = File::new(&db, Arc::from(entry(load)), Options::default());
    assert_eq!(db::diagnostics(&db, file), []);
    let bytes = of_program(&Program::of(&db, file), None, Version::V13_4).expect("the program can be encoded");
    // The op, two result types, the presence bit of the padding, weak, and the values 0 and 1.
    let is_load = |window: &[u8]| window[0] == 0x3d && window[3..] == [0b01000, 0, 0, 1];
    assert!(bytes.windows(7).any(is_load), "{bytes:x?}");
}

/// Encodes every prefix of a program with errors.
#[test]
fn invalid_programs_do_not_panic() {
    let text = entry(
        "%a = addf %x, %y : tile<f32>\n%b = addf %a, %x : tile<f33>\nif %c {\n yield %q : tile<f32>\n}\n%d, %e = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>",
    );
    for end in 0..text.len() {
        let db = Database::default();
        let file = File::new(&db, Arc::from(&text[..end]), Options::default());
        for version in VERSIONS {
            _ = of_program(&Program::of(&db, file), Some("a.tile"), version);
        }
    }
}
