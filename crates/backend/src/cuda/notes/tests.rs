//! Tests with recorded output of compilers 13.4 and 13.5.

use super::{Origin, Wanted};
use crate::cuda::compiler::Code;
use crate::cuda::remarks;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::program::Program;

const PROGRAM: &str = r#"cuda_tile.module @m {
  entry @first() {
  }
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %p, shape = [%n, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf32, strides=[1024,1]>
    %tiles = make_partition_view %view : partition_view<tile=(64x64), tensor_view<?x1024xf32, strides=[1024,1]>>
    %tile, %read = load_view_tko weak %tiles[%x, %y] : partition_view<tile=(64x64), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
  }
}
"#;

/// Output of 13.5.37 without `--remarks`.
const OUTPUT_13_5: &str = r#"    warning[]: High register usage
      --> "a.tile":4:9
       |
       = name: RegisterPressure
       = reason: Estimated per-thread register usage exceeds the available budget. This is usually caused by a large tile size, which increases per-CTA work, or by high requested occupancy, which reduces the register budget per thread.
       = suggestion: Reduce the tile size or lower the occupancy hint.
"#;

/// Output of 13.5.37 with `--remarks=all` in YAML.
const YAML_13_5: &str = r#"
--- !Missed
Pass:            Warning
Name:            RegisterPressure
DebugLoc:        { File: 'a.tile', Line: 4, Column: 9 }
Function:        k
Args:
  - Remark:      High register usage
  - RemarkId:    W0001
  - DiagClass:   Warning
  - Reason:      Estimated per-thread register usage exceeds the available budget. This is usually caused by a large tile size, which increases per-CTA work, or by high requested occupancy, which reduces the register budget per thread.
  - Suggestion:  Reduce the tile size or lower the occupancy hint.
...
--- !Missed
Pass:            Memory
Name:            RemarkTensorViewIndexTypeNarrowing
DebugLoc:        { File: 'a.tile', Line: 6, Column: 13 }
Function:        k
Args:
  - RemarkId:    2
  - Remark:      'Could not narrow tensor_view indexing to i32: index computations may require 43 bits'
...
--- !Failure
Pass:            Memory
Name:            RemarkMemoryTmaLoadFailed
DebugLoc:        { File: 'a.tile', Line: 8, Column: 20 }
Function:        k
Args:
  - RemarkId:    6
  - Remark:      Failed to select TMA load instruction
  - Reason:      'loc("a.tile":8:20): base pointer not 16-byte aligned'
  - Reason:      'loc("a.tile":8:20): base pointer not 16-byte aligned'
...
--- !Passed
Pass:            Memory
Name:            RemarkMemoryLoadInstructionSelected
DebugLoc:        { File: 'a.tile', Line: 8, Column: 20 }
Function:        k
Args:
  - RemarkId:    1
  - Remark:      Load instruction selected
  - Instruction: Global-memory load instruction
...
"#;

/// Output of 13.4.92 with `--remarks=all` in YAML, which repeats every remark.
const YAML_13_4: &str = r#"
--- !Failure
Pass:            Memory
Name:            RemarkMemoryTmaLoadFailed
DebugLoc:        { File: 'a.tile', Line: 8, Column: 20 }
Function:        k
Args:
  - RemarkId:    1
  - Remark:      Failed to select TMA load instruction
  - Reason:      'loc("a.tile":8:20): base pointer not 16-byte aligned'
...
--- !Failure
Pass:            Memory
Name:            RemarkMemoryTmaLoadFailed
DebugLoc:        { File: 'a.tile', Line: 8, Column: 20 }
Function:        k
Args:
  - RemarkId:    2
  - Remark:      Failed to select TMA load instruction
  - Reason:      'loc("a.tile":8:20): base pointer not 16-byte aligned'
...
"#;

/// The diagnostics of a compilation: `CODE TEXT: message`, and the notes after ` | `.
fn reported(output: &str, yaml: &str, wanted: Wanted) -> Vec<String> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(PROGRAM), Options::default());
    let program = Program::of(&db, file);
    let debug = debug_info(&db, file, "a.tile");
    let code = Code { cubin: Vec::new(), remarks: remarks::read(yaml), output: output.to_string(), is_cached: false };
    let found = Origin::new(&program, &debug).notes(&code, wanted).into_iter();
    let line = |found: tile_analysis::diagnostic::Diagnostic| {
        let text = &PROGRAM[found.range.start as usize..found.range.end as usize];
        [vec![format!("{} {text}: {}", found.page.code, found.message)], found.notes].concat().join(" | ")
    };
    found.map(line).collect()
}

const PRESSURE: &str = "P0104 @k: high register usage: estimated per-thread register usage exceeds the available budget \
| this is usually caused by a large tile size, which increases per-CTA work, or by high requested occupancy, which \
reduces the register budget per thread | suggestion: reduce the tile size or lower the occupancy hint | probable cause: \
most tiles are live at `load_view_tko` (16384 bytes of `f32`): 32 registers for each of 128 threads; a thread has at \
most 255";
const NARROWING: &str = "P0105 make_tensor_view: could not narrow tensor_view indexing to i32: index computations may \
require 43 bits | probable cause: offsets are as large as `%n` allow, for which no bound is known | if that holds, add \
`%n_known = assume bounded<0, 524287>, %n : tile<i32>`, and make the tensor view from it";
const NO_TMA: &str = "P0101 load_view_tko: failed to select TMA load instruction: base pointer not 16-byte aligned \
| probable cause: nothing states that `%p` is aligned to 16 bytes | if that holds, add `%p_known = assume div_by<16>, %p \
: tile<ptr<f32>>`, and make the tensor view from it";
const SELECTED: &str = "P0103 load_view_tko: load instruction selected | instruction: global-memory load instruction";

#[test]
fn reports_of_13_5_have_locations() {
    assert_eq!(reported(OUTPUT_13_5, "", Wanted::Missed), [PRESSURE]);
    assert_eq!(reported("", YAML_13_5, Wanted::Missed), [PRESSURE, NARROWING, NO_TMA]);
    assert_eq!(reported("", YAML_13_5, Wanted::All), [PRESSURE, NARROWING, NO_TMA, SELECTED]);
}

#[test]
fn reports_of_13_4_are_shown_once() {
    assert_eq!(reported("", YAML_13_4, Wanted::Missed), [NO_TMA]);
}

#[test]
fn a_warning_in_both_outputs_is_shown_once() {
    assert_eq!(reported(OUTPUT_13_5, YAML_13_5, Wanted::Missed), [PRESSURE, NARROWING, NO_TMA]);
}

#[test]
fn other_names_are_plain_remarks() {
    let generic = "    warning[]: Compiler warning: something odd\n      --> \"a.tile\":8:20\n       |\n       \
        = name: GenericWarning\n";
    assert_eq!(reported(generic, "", Wanted::Missed), ["P0103 load_view_tko: compiler warning: something odd"]);
    let nowhere = generic.replace("\"a.tile\":8:20", "loc(unknown)");
    assert_eq!(reported(&nowhere, "", Wanted::Missed), ["P0103 @m: compiler warning: something odd"]);
    let spill = OUTPUT_13_5.replace("RegisterPressure", "RemarkPerfRegisterSpill");
    assert_eq!(reported(&spill, "", Wanted::Missed), [PRESSURE]);
}

#[test]
fn a_refusal_is_not_mixed_with_warnings() {
    let db = Database::default();
    let file = File::new(&db, Arc::from(PROGRAM), Options::default());
    let (program, debug) = (Program::of(&db, file), debug_info(&db, file, "a.tile"));
    let output =
        format!("{OUTPUT_13_5}\nloc(\"a.tile\":8:20): error: no such thing\nerror: failed to compile Tile IR program");
    let found = Origin::new(&program, &debug).refusal("sm_90", &output);
    let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(messages, ["`tileiras` cannot compile this for sm_90: no such thing"]);
}
