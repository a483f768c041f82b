//! Tests that run rewritten programs on the CPU engine, which prints them like a GPU.

use super::*;
use tile_analysis::context;
use tile_analysis::db::{self, Database, File};
use tile_analysis::print;
use tile_analysis::program::Program;
use tile_engine::Memory;

const GRID: [u32; 3] = [3, 1, 2];

/// Prints in a loop, in a branch, ordered by tokens, with and without operands.
const PROGRAM: &str = r#"cuda_tile.module @m {
  global @tile_print_lock <i64: [7]> : tile<1xi64>
  entry @k() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %wide = exti %x signed : tile<i32> -> tile<i64>
    %four = iota : tile<4xi32>
    %square = reshape %four : tile<4xi32> -> tile<2x2xi32>
    %first = print_tko "block <%, %> of it\n", %x, %z : tile<i32>, tile<i32> -> token
    %last = for %i in (%zero to %three, step %one) : tile<i32> iter_values(%before = %first) -> (token) {
      %even = cmpi equal %i, %one, signed : tile<i32> -> tile<i1>
      if %even {
        print_tko "100%% %d of %x\n", %wide, %square : tile<i64>, tile<2x2xi32> -> token
      }
      %after = print_tko "round %5i, ", %i token = %before : tile<i32> -> token
      continue %after : token
    }
    %end = print_tko "end\n" token = %last -> token
  }
}
"#;

fn program(text: &str) -> Module {
    let db = Database::default();
    let file = File::new(&db, text.into(), context::Options::default());
    let found = db::diagnostics(&db, file);
    let errors = found.iter().filter(|found| found.severity == tile_analysis::diagnostic::Severity::Error);
    assert_eq!(errors.map(|error| &error.message).collect::<Vec<_>>(), Vec::<&String>::new());
    Program::of(&db, file).module()
}

fn printed(module: &Module, seed: Option<u64>) -> Vec<u8> {
    let options = tile_engine::Options { grid: GRID, schedule: seed, ..tile_engine::Options::default() };
    let mut text = Vec::new();
    let entry = module.entries[0].clone();
    tile_engine::run(module, &entry, &[], &mut Memory::new(), &options, &mut text).expect("the program runs");
    text
}

fn rewritten(module: &Module, grid: [u32; 3], version: Version) -> (Module, Vec<OpId>) {
    let mut module = module.clone();
    let origins = rewrite(&mut module, "k", grid, version).expect("the entry prints");
    assert_eq!(origins.len(), module.entries[0].ops.len());
    (module, origins)
}

#[test]
fn a_rewritten_program_prints_the_same() {
    let module = program(PROGRAM);
    let (new, _) = rewritten(&module, GRID, Version::NEWEST);
    if let Err(broken) = print::check(&new, None) {
        panic!("{broken:?}\n{}", print::module(&new, None, print::Options::default()));
    }
    let expected = String::from_utf8(printed(&module, None)).unwrap();
    assert!(
        expected
            .contains("block <2, 1> of it\nround     0, 100% 2 of [[0, 1], [2, 3]]\nround     1, round     2, end\n")
    );
    for seed in [None, Some(1), Some(2)] {
        let pieces = marks::cut(&printed(&new, seed), GRID);
        let got: Vec<u8> = pieces.iter().flat_map(|print| print.text.clone()).collect();
        assert_eq!(String::from_utf8(got).unwrap(), expected, "{seed:?}");
        for print in pieces {
            let op = module.entries[0].op(print.op.expect("all text is marked"));
            assert_eq!(op.op, Mnemonic::PrintTko);
        }
    }
}

#[test]
fn ops_originate_from_ops_of_the_program() {
    let module = program(PROGRAM);
    let (new, origins) = rewritten(&module, GRID, Version::NEWEST);
    let (old, new) = (&module.entries[0], &new.entries[0]);
    for (op, origin) in new.ops.iter().zip(&origins) {
        let from = old.op(*origin).op;
        let is_added = matches!(from, Mnemonic::PrintTko) || origin.0 == 0;
        assert!(op.op == from || is_added, "{:?} from {from:?}", op.op);
    }
    assert!(origins.iter().any(|origin| old.op(*origin).op == Mnemonic::For));
}

#[test]
fn the_lock_is_used_if_several_blocks_print() {
    let module = program(PROGRAM);
    let text = |grid, version| {
        let (module, _) = rewritten(&module, grid, version);
        print::module(&module, None, print::Options::default())
    };
    insta::assert_snapshot!(text([2, 1, 1], Version::NEWEST));
    let alone = text([1; 3], Version::NEWEST);
    assert!(
        !alone.contains("atomic") && alone.contains(r#"print_tko "\01"#) && alone.contains("%lld of %x"),
        "{alone}"
    );
    assert!(!text(GRID, Version::V13_1).contains("atomic"), "prints have no tokens in 13.1");
}

/// Prints floats of all types with a signed NaN, and of some without.
const FLOATS: &str = r#"cuda_tile.module @m {
  entry @k(%a: tile<f32>, %n: tile<i32>) {
    %minus = negf %a : tile<f32>
    %half = ftof %minus : tile<f32> -> tile<f16>
    %brain = ftof %minus : tile<f32> -> tile<bf16>
    %double = ftof %minus : tile<f32> -> tile<f64>
    %short = ftof %minus : tile<f32> -> tile<tf32>
    %byte = ftof %minus : tile<f32> -> tile<f8E4M3FN>
    %other = ftof %minus : tile<f32> -> tile<f8E5M2>
    %scale = constant <f8E8M0FNU: 1.0> : tile<f8E8M0FNU>
    %tile = constant <f32: [1.0, 0xFFC00000]> : tile<2xf32>
    print_tko "%f % %i %e\n", %minus, %tile, %n, %half : tile<f32>, tile<2xf32>, tile<i32>, tile<f16> -> token
    print_tko "%f %f %f %f %f %f\n", %brain, %double, %short, %byte, %other, %scale
        : tile<bf16>, tile<f64>, tile<tf32>, tile<f8E4M3FN>, tile<f8E5M2>, tile<f8E8M0FNU> -> token
  }
}
"#;

#[test]
fn nan_is_printed_without_its_sign() {
    let module = program(FLOATS);
    let (new, _) = rewritten(&module, [1; 3], Version::NEWEST);
    if let Err(broken) = print::check(&new, None) {
        panic!("{broken:?}");
    }
    insta::assert_snapshot!(print::module(&new, None, print::Options::default()));
    for bits in [f32::NAN.to_bits(), 1.5f32.to_bits(), f32::INFINITY.to_bits(), 0] {
        let arguments = [tile_engine::Argument::Scalar(bits.into()), tile_engine::Argument::Scalar(7)];
        let text = |module: &Module| {
            let mut text = Vec::new();
            let options = tile_engine::Options::default();
            let entry = module.entries[0].clone();
            tile_engine::run(module, &entry, &arguments, &mut Memory::new(), &options, &mut text).expect("it runs");
            text
        };
        let pieces = marks::cut(&text(&new), [1; 3]);
        let got: Vec<u8> = pieces.into_iter().flat_map(|print| print.text).collect();
        assert_eq!(String::from_utf8(got), String::from_utf8(text(&module)));
    }
}

#[test]
fn programs_that_do_not_print_are_unchanged() {
    let module = program("cuda_tile.module @m {\n  entry @k() {\n    return\n  }\n}\n");
    assert_eq!(rewrite(&mut module.clone(), "k", GRID, Version::NEWEST), None);
}

#[test]
fn a_conversion_without_an_operand_is_literal_text() {
    assert_eq!(lock::text(b"%i and %i", &[None]), b"%i and %%i");
    assert_eq!(lock::text(b"100%% %", &[]), b"100%% %%");
}
