//! The compiler's remarks: the instructions that it chose for loads, stores and matrix products, and why it did not
//! choose others. They are YAML documents; the parser supports only the subset that the compiler writes.

use serde::{Deserialize, Serialize};

/// A source location in debug information.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceLocation {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// Whether the compiler did something, rather than failed to do it.
    pub passed: bool,
    /// Its name, such as `RemarkMemoryTmaLoadFailed`.
    pub name: String,
    /// The source location.
    pub place: Option<SourceLocation>,
    /// The text.
    pub message: String,
    /// Further details, such as the instruction: names and values.
    pub details: Vec<(String, String)>,
}

/// Details that only number and classify remarks. They are redundant, because remarks have names.
const IGNORED: [&str; 2] = ["RemarkId", "DiagClass"];
const MESSAGE: &str = "Remark";

/// Parses remarks without duplicates. The compiler repeats remarks for each strategy that it tries.
pub fn read(yaml: &str) -> Vec<Remark> {
    let mut found: Vec<Remark> = Vec::new();
    for document in yaml.split("--- !").skip(1) {
        let remark = parse_document(document);
        if let Some(remark) = remark.filter(|remark| !found.contains(remark)) {
            found.push(remark);
        }
    }
    found
}

fn parse_document(document: &str) -> Option<Remark> {
    let mut lines = document.lines();
    let kind = lines.next()?.trim();
    let mut remark = Remark {
        passed: matches!(kind, "Passed" | "Analysis"),
        name: String::new(),
        place: None,
        message: String::new(),
        details: Vec::new(),
    };
    for line in lines {
        let Some((name, value)) = line.trim_start().trim_start_matches("- ").split_once(':') else { continue };
        let value = value.trim();
        let is_detail = line.trim_start().starts_with("- ");
        match name {
            "Name" if !is_detail => remark.name = value.to_string(),
            "DebugLoc" if !is_detail => remark.place = debug_loc(value),
            MESSAGE if is_detail => remark.message = unquoted(value),
            name if IGNORED.contains(&name) => {}
            _ if is_detail => {
                let detail = (name.to_string(), without_place(&unquoted(value)).to_string());
                if !remark.details.contains(&detail) {
                    remark.details.push(detail);
                }
            }
            _ => {}
        }
    }
    (!remark.name.is_empty()).then_some(remark)
}

/// Parses `{ File: 'a.tile', Line: 134, Column: 27 }`.
fn debug_loc(text: &str) -> Option<SourceLocation> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    let (file, rest) = inner.strip_prefix("File:")?.split_once(", Line:")?;
    let (line, column) = rest.split_once(", Column:")?;
    let (line, column) = (line.trim().parse().ok()?, column.trim().parse().ok()?);
    Some(SourceLocation { file: unquoted(file.trim()), line, column })
}

/// Removes the quotes of a YAML scalar.
fn unquoted(text: &str) -> String {
    match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        Some(inner) => inner.replace("''", "'"),
        None => text.trim_matches('"').to_string(),
    }
}

/// Removes the location before a reason. It repeats the location of the remark.
fn without_place(text: &str) -> &str {
    match text.strip_prefix("loc(").and_then(|rest| rest.split_once("): ")) {
        Some((_, reason)) => reason,
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YAML: &str = r#"--- !Passed
Pass:            Memory
Name:            RemarkMemoryLoadInstructionSelected
DebugLoc:        { File: 'a''b.tile', Line: 134, Column: 27 }
Function:        gemm_kloop
Args:
  - RemarkId:    4
  - Remark:      Load instruction selected
  - Instruction: TMA Load instruction
  - Shape:       '[64, 128]'
...
--- !Failure
Pass:            Memory
Name:            RemarkMemoryTmaLoadFailed
DebugLoc:        { File: a.tile, Line: 48, Column: 22 }
Function:        argmax
Args:
  - RemarkId:    3
  - Remark:      Failed to select TMA load instruction
  - Reason:      'loc("a.tile":48:22): TMA only supports zero padding'
  - Reason:      'loc("a.tile":48:22): TMA only supports zero padding'
...
--- !Failure
Pass:            Memory
Name:            RemarkMemoryTmaLoadFailed
DebugLoc:        { File: a.tile, Line: 48, Column: 22 }
Function:        argmax
Args:
  - RemarkId:    7
  - Remark:      Failed to select TMA load instruction
  - Reason:      'loc("a.tile":48:22): TMA only supports zero padding'
...
"#;

    #[test]
    fn duplicate_remarks_are_dropped() {
        let [passed, failed] = &read(YAML)[..] else { panic!("{:?}", read(YAML)) };
        assert!(passed.passed && !failed.passed);
        assert_eq!(passed.place, Some(SourceLocation { file: "a'b.tile".into(), line: 134, column: 27 }));
        let detail = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert_eq!(passed.details, [detail("Instruction", "TMA Load instruction"), detail("Shape", "[64, 128]")]);
        assert_eq!(failed.place.as_ref().map(|place| place.line), Some(48));
        assert_eq!(failed.details, [detail("Reason", "TMA only supports zero padding")]);
        assert_eq!(failed.message, "Failed to select TMA load instruction");
    }

    /// Output of 13.5.37: warnings among the remarks, a different order of lines, and no duplicates.
    const OF_13_5: &str = r#"--- !Missed
Pass:            Warning
Name:            RegisterPressure
DebugLoc:        { File: 'p.tile', Line: 2, Column: 9 }
Function:        k
Args:
  - Remark:      High register usage
  - RemarkId:    W0001
  - DiagClass:   Warning
  - Reason:      Estimated per-thread register usage exceeds the available budget. This is usually caused by a large tile size.
  - Suggestion:  Reduce the tile size or lower the occupancy hint.
...
--- !Missed
Pass:            Memory
Name:            RemarkTensorViewIndexTypeNarrowing
DebugLoc:        { File: '<unknown file>', Line: 0, Column: 0 }
Function:        k
Args:
  - RemarkId:    2
  - Remark:      'Could not narrow tensor_view indexing to i32: index computations may require 43 bits'
...
"#;

    #[test]
    fn warnings_of_13_5_are_remarks() {
        let [pressure, narrowing] = &read(OF_13_5)[..] else { panic!("{:?}", read(OF_13_5)) };
        assert_eq!((pressure.name.as_str(), pressure.passed), ("RegisterPressure", false));
        assert_eq!(pressure.place.as_ref().map(|place| place.line), Some(2));
        let names: Vec<&str> = pressure.details.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Reason", "Suggestion"]);
        assert_eq!(
            narrowing.message,
            "Could not narrow tensor_view indexing to i32: index computations may require 43 bits"
        );
        assert_eq!(narrowing.details, []);
    }

    #[test]
    fn other_text_is_skipped() {
        assert_eq!(read(""), []);
        assert_eq!(read("--- !Passed\n...\n--- !"), []);
        let bare = read("--- !Passed\nName: X\nDebugLoc: { File: x }\n");
        assert_eq!((bare.len(), &bare[0].place), (1, &None));
    }
}
