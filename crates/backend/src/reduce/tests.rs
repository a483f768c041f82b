//! Tests of shrinking programs.

use super::*;
use std::path::Path;
use tile_analysis::lower::Lowered;
use tile_dialect::Mnemonic;

fn reduced(text: &str, jobs: usize, fails: &(dyn Fn(&str) -> bool + Sync)) -> Reduced {
    reduce(text, Options::default(), fails, Limits { jobs, until: None }, &mut |_, _| {})
}

fn options() -> Options {
    Options { any_names: true, ..Options::default() }
}

fn mistakes(text: &str) -> program::Codes {
    program::mistakes(text, options())
}

/// Whether an entry of a program has an op.
fn has(text: &str, op: Mnemonic) -> bool {
    let has = |lowered: &Lowered| lowered.body.ops.iter().any(|other| other.op == op);
    program::ParsedProgram::new(text, options()).items.iter().any(|item| has(&item.lowered))
}

/// Names, programs with an `exp` that must be preserved, and the expected results.
const CASES: &[(&str, &str, &str)] = &[
    (
        "an operand replaces a result, and a shape shrinks",
        "entry @k() {
            %a = constant <f32: 2.0> : tile<16x8xf32>
            %b = addf %a, %a : tile<16x8xf32>
            %c = mulf %b, %a : tile<16x8xf32>
            %d = exp %c : tile<16x8xf32>
        }",
        "entry @k() {
            %a = constant <f32: 2.0> : tile<1x1xf32>
            %d = exp %a : tile<1x1xf32>
        }",
    ),
    (
        "a loop is replaced by its body, and a carried value by its initial value",
        "entry @k(%n: tile<i32>) {
            %x = constant <f32: 2.0> : tile<f32>
            %r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%v = %x) -> (tile<f32>) {
                %y = exp %v : tile<f32>
                continue %y : tile<f32>
            }
            print_tko \"%f\", %r : tile<f32> -> token
        }",
        "entry @k() {
            %x = constant <f32: 2.0> : tile<f32>
            %y = exp %x : tile<f32>
        }",
    ),
    (
        "one branch of an `if` remains, and constants replace packs of results",
        "entry @k(%c: tile<i1>, %p: tile<ptr<f32>>) {
            %r:2 = if %c -> (tile<f32>, tile<f32>) {
                %a, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
                yield %a, %a : tile<f32>, tile<f32>
            } else {
                %one = constant <f32: 1.0> : tile<f32>
                yield %one, %one : tile<f32>, tile<f32>
            }
            %e = exp %r#1 : tile<f32>
        }",
        "entry @k() {
            %r_1 = constant <f32: 1.0> : tile<f32>
            %e = exp %r_1 : tile<f32>
        }",
    ),
    (
        "hints, tokens and rounding modes are removed",
        "entry @k(%p: tile<ptr<f32>>) optimization_hints=<sm_90 = {num_cta_in_cga = 2}> {
            %t = make_token : token
            %a, %u = load_ptr_tko weak %p token = %t optimization_hints = <sm_90 = {latency = 3}> : tile<ptr<f32>> -> tile<f32>, token
            %s = addf %a, %a rounding<zero> flush_to_zero : tile<f32>
            %e = exp %s : tile<f32> loc(\"x.py\":3:4)
        }",
        "entry @k(%p: tile<ptr<f32>>) {
            %a, %u = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
            %e = exp %a : tile<f32>
        }",
    ),
    (
        "ops in generic form are removed too",
        "entry @k(%a: tile<f32>) {
            %b = \"cuda_tile.addf\"(%a, %a) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
            %c = exp %b : tile<f32>
        }",
        "entry @k(%a: tile<f32>) { %c = exp %a : tile<f32> }",
    ),
];

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn only_the_required_parts_remain() {
    for (name, program, expected) in CASES {
        let [program, expected] = [program, expected].map(|entry| format!("cuda_tile.module @m {{\n{entry}\n}}\n"));
        assert_eq!(mistakes(&program), program::Codes::new(), "{name}");
        // A load in the expected result must be preserved too.
        let load = if expected.contains("load") { Mnemonic::LoadPtrTko } else { Mnemonic::Exp };
        let left = reduced(&program, 1, &|text| has(text, Mnemonic::Exp) && has(text, load));
        assert_eq!(words(&left.text), words(&expected), "{name}:\n{}", left.text);
    }
}

#[test]
fn a_program_with_errors_gets_no_new_ones() {
    let program = "cuda_tile.module @m {\n entry @k(%a: tile<f32>) {\n  %b = addf %a, %c : tile<f32>\n  %d = exp %b : tile<f32>\n \
                   %e = exp %a : tile<f16>\n }\n}\n";
    let allowed = mistakes(program);
    assert!(allowed.len() == 2, "{allowed:?}");
    let left = reduced(program, 2, &|text| mistakes(text).contains("E0101"));
    assert!(left.text.contains("%c") && !left.text.contains("f16") && !left.text.contains("%d"), "{}", left.text);
    assert!(mistakes(&left.text).is_subset(&allowed));
}

/// Shrinks every example while preserving one of its ops.
#[test]
fn every_example_shrinks_to_any_of_its_ops() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder of examples exists").flatten().map(|file| file.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "tile"));
    files.sort();
    assert!(files.len() > 20);
    for (number, path) in files.iter().enumerate() {
        let text = std::fs::read_to_string(path).expect("the example is UTF-8");
        let program = program::ParsedProgram::new(&text, options());
        let ops: Vec<Mnemonic> =
            program.items.iter().flat_map(|item| item.lowered.body.ops.iter().map(|op| op.op)).collect();
        let op = ops[(number * 7 + 5) % ops.len()];
        let left = reduced(&text, 2, &|text| has(text, op));
        let name = format!("{} in {}:\n{}", op.row().name, path.display(), left.text);
        assert_eq!(mistakes(&left.text), program::Codes::new(), "{name}");
        assert!(has(&left.text, op) && left.is_finished && left.text.lines().count() <= 25, "{name}");
        assert_eq!(reduced(&text, 1, &|text| has(text, op)).text, left.text, "{name}");
    }
}
