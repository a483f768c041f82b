//! The ranges of optimization hints match those of NVIDIA's compiler, if it is installed.

use std::fmt::Write;
use std::process::Command;
use tile_backend::bytecode;
use tile_backend::cuda::compiler::Compiler;
use tile_dialect::{ARCHITECTURES, HINTS, HintRange, HintRow, Mnemonic, Version};
use tile_tests::{programs, tools};

/// Values at and beyond the ends of all ranges.
const VALUES: [i64; 13] = [-1, 0, 1, 2, 3, 4, 8, 10, 11, 16, 32, 33, 64];

#[test]
fn the_table_has_the_ranges_of_the_compiler() {
    let (Some(path), Some(_)) = (tools::find("tileiras"), tools::find("ptxas")) else { return };
    let compiler = Compiler::at(path, None).expect("the compiler reports its version");
    let version = compiler.facts().version(Version::NEWEST).expect("a known version");
    for hint in HINTS.iter().filter(|hint| hint.range(version) != HintRange::Bool) {
        // One program tests one value for each architecture, because warnings name the architecture, not the entry.
        for turn in (0..VALUES.len()).step_by(4) {
            let value = |index: usize| VALUES[(turn + index) % VALUES.len()];
            let stated: Vec<(usize, i64)> = (0..ARCHITECTURES.len()).map(|index| (index, value(index))).collect();
            let mut expected: Vec<String> = stated.iter().filter_map(|&at| warning(hint, at, version)).collect();
            let mut found = warnings(&compiler, &program(hint, &stated));
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{}", program(hint, &stated));
        }
    }
}

/// The warning about a value that the table predicts.
fn warning(hint: &HintRow, (architecture, value): (usize, i64), version: Version) -> Option<String> {
    let architecture = &ARCHITECTURES[architecture];
    let alone = hint.of_clusters && !architecture.has_clusters;
    let range = if alone { HintRange::PowerOfTwo(1, 1) } else { hint.range(version) };
    let place = format!("{}.{}", architecture.name, hint.name);
    match range.clamped(value) {
        Some(used) if used == value => None,
        Some(used) => Some(format!("warning: value {value} clamped to {used} for {place}")),
        None => Some(format!("warning: power-of-2 expected for {place}")),
    }
}

fn program(hint: &HintRow, stated: &[(usize, i64)]) -> String {
    let mut hints = String::new();
    for (architecture, value) in stated {
        let comma = if hints.is_empty() { "" } else { ", " };
        let _ = write!(hints, "{comma}{} = {{{} = {value}}}", ARCHITECTURES[*architecture].name, hint.name);
    }
    if hint.ops.contains(&Mnemonic::Entry) {
        return format!("cuda_tile.module @m {{\n  entry @k() optimization_hints = <{hints}> {{\n  }}\n}}\n");
    }
    format!(
        "cuda_tile.module @m {{\n  entry @k(%p: tile<ptr<f32>>) {{\n    %x, %t = load_ptr_tko weak %p optimization_hints = \
         <{hints}> : tile<ptr<f32>> -> tile<f32>, token\n  }}\n}}\n"
    )
}

fn warnings(compiler: &Compiler, text: &str) -> Vec<String> {
    let program = programs::lower(text, "hints", Default::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    let version = compiler.facts().version(Version::NEWEST).expect("a known version");
    let bytes = bytecode::encode(&program.module, None, version).expect("the program can be encoded");
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    let (input, output) = (folder.path().join("k.tileirbc"), folder.path().join("k.cubin"));
    std::fs::write(&input, bytes).expect("the file is written");
    let mut command = Command::new(compiler.path());
    command.args(["--Wunsupported-hints", "--gpu-name=sm_100", "--opt-level=0", "-o"]).arg(output).arg(input);
    let output = command.output().expect("the command runs");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{messages}");
    messages.lines().filter(|line| line.starts_with("warning:")).map(str::to_string).collect()
}
