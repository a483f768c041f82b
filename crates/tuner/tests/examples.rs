//! Writes hints into every example.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::ir::{Attr, Body, OpId};
use tile_dialect::{AttrName, HINTS, HintRange, Mnemonic, Version};
use tile_tune::hints::{EntryText, HintSet, Setting, Settings, effective, of_op};

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            found.extend(programs(&path));
        } else if path.extension().is_some_and(|extension| extension == "tile") {
            found.push(path);
        }
    }
    found
}

fn messages(checked: &Checked) -> Vec<String> {
    checked.diagnostics.iter().map(|found| found.message.clone()).collect()
}

/// A value for every hint of the entry and its accesses.
fn all_hints(body: &Body) -> HintSet {
    let value = |range: HintRange| match range {
        HintRange::Bool => Setting::Bool(false),
        HintRange::Between(low, _) | HintRange::PowerOfTwo(low, _) => Setting::Int(low),
    };
    let of = |op: Mnemonic| -> Settings {
        let hints = HINTS.iter().filter(|hint| hint.ops.contains(&op));
        hints.map(|hint| (hint.name.to_string(), value(hint.range(Version::NEWEST)))).collect()
    };
    let accesses: BTreeMap<u32, Settings> = (0..).zip(&body.ops).map(|(id, op)| (id, of(op.op))).collect();
    HintSet { entry: of(Mnemonic::Entry), accesses }
}

/// The entry without any hints.
fn without_hints(body: &Body) -> Body {
    let mut body = body.clone();
    body.hints = None;
    for id in 0..body.ops.len() {
        if let Some((index, _)) = body.ops[id].op.row().attr(AttrName::OptimizationHints) {
            *body.attr_mut(OpId(id as u32), index) = Attr::Absent;
        }
    }
    body
}

#[test]
fn hints_can_be_written_into_every_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for path in programs(&root) {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let checked = batch::check(&text, Options::default(), |_| Keep::Everything);
        let (program, known) = (checked.program(&text), messages(&checked));
        for (index, (start, lowered)) in program.entries.iter().enumerate() {
            let own = EntryText { text: &text, start: *start, body: &lowered.body, spans: &lowered.spans };
            let wanted = all_hints(&lowered.body);
            let changed = own.with(&wanted, "sm_90").unwrap_or_else(|| panic!("{}", path.display()));
            let checked = batch::check(&changed, Options::default(), |_| Keep::Everything);
            assert_eq!(messages(&checked), known, "{}:\n{changed}", path.display());
            let found = &checked.program(&changed).entries[index].1.body;
            assert_eq!(effective(found.hints.as_deref(), "sm_90"), wanted.entry);
            for (id, op) in (0..).zip(&found.ops) {
                assert_eq!(effective(of_op(found, op), "sm_90"), wanted.accesses[&id], "{}", path.display());
                count += wanted.accesses[&id].len();
            }
            assert_eq!(without_hints(found), without_hints(&lowered.body), "{}", path.display());
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn hints_for_other_architectures_stay() {
    let text = "cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) optimization_hints = <default = {occupancy = 2}, sm_100 = {num_cta_in_cga = 2}> {
    %x, %t = load_ptr_tko weak %p optimization_hints = <sm_90 = {latency = 2}> : tile<ptr<f32>> -> tile<f32>, token
    %u = \"cuda_tile.load_ptr_tko\"(%p) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tile<ptr<f32>>) -> (tile<f32>, token)
  }
}
";
    let checked = batch::check(text, Options::default(), |_| Keep::Everything);
    let program = checked.program(text);
    let (start, lowered) = &program.entries[0];
    let own = EntryText { text, start: *start, body: &lowered.body, spans: &lowered.spans };
    let mut hints = HintSet::default();
    hints.entry.insert("occupancy".to_string(), Setting::Int(4));
    hints.accesses.insert(0, Settings::from([("latency".to_string(), Setting::Int(9))]));
    let changed = own.with(&hints, "sm_90").expect("there is a place for both");
    let expected = "<default = {occupancy = 2}, sm_100 = {num_cta_in_cga = 2}, sm_90 = {occupancy = 4}>";
    assert!(changed.contains(expected) && changed.contains("<sm_90 = {latency = 9}>"), "{changed}");
    hints.accesses.insert(1, Settings::from([("latency".to_string(), Setting::Int(9))]));
    assert_eq!(own.edits(&hints, "sm_90"), None, "generic form");
}
