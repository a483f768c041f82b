//! The predicted accesses of every launch are those that the engine makes.

use std::collections::HashMap;
use std::path::Path;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::ir::{Module, OpId};
use tile_analysis::program::Program;
use tile_analysis::range_analysis::{Launched, NamedLaunch};
use tile_analysis::types::Scalar;
use tile_dataflow::access::{Access, Base};
use tile_dataflow::editor::describe;
use tile_dataflow::footprint::Footprint;
use tile_dataflow::graph;
use tile_dataflow::graph::label::Labels;
use tile_dataflow::names::SourceNames;
use tile_dataflow::point::Point;
use tile_dataflow::volume;
use tile_engine::{Accessed, AllocationId, Argument, Memory, Observer, Watch};
use tile_launch::find::{self, EntryLaunches};
use tile_launch::known::launched;
use tile_launch::{Launch, Spec, Value};
use tile_tests::{examples, root};

/// The accesses of a run, each with its op and the tile block and iterations.
#[derive(Default)]
struct Recorder(Vec<Accessed>);

impl Observer for Recorder {
    fn printed(&mut self, _: OpId, _: [u32; 3], _: &[u8]) {}

    fn accessed(&mut self, accessed: &Accessed) {
        self.0.push(accessed.clone());
    }
}

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    launches: usize,
    /// Executed accesses whose elements were predicted.
    predicted: usize,
    /// Executed accesses whose elements depend on loaded values.
    unknown: usize,
    /// Executed accesses of whole tiles whose alignment was predicted.
    aligned: usize,
    /// Accesses of a launch whose totals were predicted.
    volumes: usize,
    /// The accesses with an access map, and all.
    affine: usize,
    accesses: usize,
}

#[test]
fn predicted_accesses_are_those_of_the_engine() {
    let mut tally = Tally::default();
    let others = ["tests/accesses", "tests/programs", "tests/sanitize"].map(|folder| programs(&root().join(folder)));
    for (name, text) in examples().into_iter().chain(others.into_iter().flatten()) {
        let db = Database::default();
        let file = File::new(&db, text.as_str().into(), Options::default());
        let module = Program::of(&db, file).module();
        for found in find::find(&db, file) {
            let accesses = tile_dataflow::accesses(&found.entry);
            tally.accesses += accesses.len();
            tally.affine += accesses.iter().filter(|access| access.map().is_ok()).count();
            for launch in found.directives.launches.iter().filter(|launch| !launch.is_bench && !launch.expects_error())
            {
                compare(&format!("{name} @{}", found.entry.name), &module, &found, &accesses, launch, &mut tally);
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.launches > 100 && tally.predicted > 9 * tally.unknown, "too little was compared: {tally:?}");
}

fn programs(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).expect("the folder is readable");
    let paths = entries.map(|entry| entry.expect("the folder is readable").path());
    let programs = paths.filter(|path| path.extension().is_some_and(|end| end == "tile"));
    programs.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).expect("it is readable"))).collect()
}

/// Runs a launch, and compares the elements of each executed access with the predicted ones.
fn compare(
    name: &str,
    module: &Module,
    found: &EntryLaunches,
    accesses: &[Access],
    launch: &Launch,
    tally: &mut Tally,
) {
    let mut memory = Memory::new();
    let Some((arguments, buffers)) = place(found, launch, &mut memory) else { return };
    let options = tile_engine::Options {
        grid: launch.grid,
        watch: Watch { accesses: true, ..Watch::default() },
        ..tile_engine::Options::default()
    };
    let mut recorder = Recorder::default();
    if tile_engine::run(module, &found.entry, &arguments, &mut memory, &options, &mut recorder).is_err() {
        return;
    }
    tally.launches += 1;
    let values = launched(&found.entry, launch);
    compare_volumes(name, &recorder.0, found, accesses, &values, tally);
    let accesses: HashMap<OpId, &Access> = accesses.iter().map(|access| (access.op, access)).collect();
    for accessed in &recorder.0 {
        let access = accesses.get(&accessed.op).unwrap_or_else(|| panic!("{name}: {accessed:?} is not predicted"));
        let mut point = Point::of_block(&found.entry, &values, accessed.block.map(i64::from));
        for (around, &iteration) in access.loops.iter().zip(&accessed.iterations) {
            if let Some(count) = point.trip_count(around) {
                assert!((iteration as i64) < count, "{name}: iteration {iteration} of {count}: {accessed:?}");
            }
            point = point.enter(around, iteration as i64);
        }
        let start = match &access.base {
            Some(Base::Param(value)) => buffers.get(value.0 as usize).copied().flatten().map(|id| memory.address(id)),
            Some(Base::Global(global)) => memory.global(global).map(|id| memory.address(id)),
            _ => None,
        };
        let mut expected = Vec::new();
        let layout = access.layout(&point);
        let visited = layout.and_then(|layout| {
            access.visit(&point, &mut |place, coordinates| {
                let nibbles = layout.offset(coordinates) / 4;
                expected.push((place, start.map_or(0, |start| 2 * start + nibbles as u64)));
            })
        });
        if start.is_none() || visited.is_none() || access.overflow(&found.entry, &values).is_some() {
            tally.unknown += 1;
            continue;
        }
        tally.predicted += 1;
        assert_eq!(expected, accessed.elements, "{name} {:?}: {access:#?} at {point:?}", launch.name);
        tally.aligned += compare_alignment(name, found, access, &values, &accessed.elements);
    }
}

/// Checks that the runs of adjacent elements of a whole tile are aligned as predicted. Returns whether that is known.
fn compare_alignment(
    name: &str,
    found: &EntryLaunches,
    access: &Access,
    values: &Launched,
    elements: &[(usize, u64)],
) -> usize {
    let Some(alignment) = access.alignment(&found.entry, Some(values)) else { return 0 };
    if elements.len() as i64 != access.tile.iter().product::<i64>() {
        return 0;
    }
    // Addresses count half bytes, because elements can have 4 bits.
    let width = access.element.nibbles();
    let mut addresses: Vec<u64> = elements.iter().map(|(_, address)| *address).collect();
    addresses.sort_unstable();
    addresses.dedup();
    let is_start = |address: &&u64| addresses.binary_search(&(**address - width)).is_err();
    for bytes in [Some(alignment.stated), alignment.launched].into_iter().flatten() {
        let mut starts = addresses.iter().filter(is_start);
        assert!(starts.all(|start| start % (2 * u64::from(bytes)) == 0), "{name}: {alignment:?} {access:#?}");
    }
    1
}

/// Compares the totals of each access.
fn compare_volumes(
    name: &str,
    accessed: &[Accessed],
    found: &EntryLaunches,
    accesses: &[Access],
    values: &Launched,
    tally: &mut Tally,
) {
    for access in accesses {
        let Ok(volume) = volume::of_access(&found.entry, access, values, volume::THOROUGH) else { continue };
        if volume.executions.is_upper_bound {
            continue;
        }
        tally.volumes += 1;
        let runs: Vec<&Accessed> = accessed.iter().filter(|accessed| accessed.op == access.op).collect();
        // The block that accesses each address first, and whether others do too.
        let mut blocks: HashMap<u64, ([u32; 3], bool)> = HashMap::new();
        for accessed in &runs {
            for (_, address) in &accessed.elements {
                let (first, is_shared) = blocks.entry(*address).or_insert((accessed.block, false));
                *is_shared |= *first != accessed.block;
            }
        }
        let elements: usize = runs.iter().map(|accessed| accessed.elements.len()).sum();
        let shared = blocks.values().filter(|(_, is_shared)| *is_shared).count();
        let mut measured = [runs.len(), elements, blocks.len(), shared].map(|count| count as u64);
        let mut predicted = [volume.executions.count, volume.coverage.accessed, volume.unique, volume.shared];
        if matches!(access.base, Some(Base::Scratch(_))) {
            // The engine can place the scratch memory of a tile block where that of an earlier one was.
            measured[2..].fill(0);
            predicted[2..].fill(0);
        }
        assert_eq!(predicted, measured, "{name}: executions, elements, different and shared ones of {access:#?}");
    }
}

/// The arguments of a launch, and the buffer of each parameter. `None` for launches with addresses or replicas.
fn place(
    found: &EntryLaunches,
    launch: &Launch,
    memory: &mut Memory,
) -> Option<(Vec<Argument>, Vec<Option<AllocationId>>)> {
    let (mut arguments, mut buffers) = (Vec::new(), Vec::new());
    for (name, &ty) in found.entry.params.iter().zip(&found.entry.values) {
        let arg = launch.arg(name)?;
        let is_plain = matches!(arg.spec, Spec::Scalar(_) | Spec::Buffer { replicas: None, .. });
        if !is_plain || arg.spec.addresses().next().is_some() {
            return None;
        }
        match arg.value(1 << 30, &|_| Err(std::io::ErrorKind::NotFound.into())).ok()? {
            Value::Scalar(number) => {
                let Scalar::Number(element) = ty.as_tile()?.element else { return None };
                arguments.push(Argument::Scalar(number.encode(element).ok()?));
                buffers.push(None);
            }
            Value::Buffer(buffer) => {
                let id = memory.allocate(format!("%{name}"), buffer.element, &buffer.bytes);
                arguments.push(Argument::Pointer(id));
                buffers.push(Some(id));
            }
            Value::Address => return None,
        }
    }
    Some((arguments, buffers))
}

/// The hovers on all accesses in `tests/accesses`, so that a change of what is known about them is seen.
#[test]
fn descriptions_of_accesses() {
    let mut out = String::new();
    let mut all = programs(&root().join("tests/accesses"));
    all.sort();
    for (_, text) in all {
        let db = Database::default();
        let file = File::new(&db, text.as_str().into(), Options::default());
        assert_eq!(find::check(&text, Options::default()), []);
        for found in find::find(&db, file) {
            let names = SourceNames { body: &found.entry, spans: &found.spans, text: &text[found.start as usize..] };
            let launch = found.named_launches().next();
            for access in tile_dataflow::accesses(&found.entry) {
                let text = describe(&access, &names, launch.as_ref());
                out += &format!("== {} in @{}\n{text}\n", found.entry.op(access.op).op.row().name, found.entry.name);
            }
        }
    }
    insta::assert_snapshot!(out);
}

/// Analyzes all entries of a text, which may have errors.
fn analyze(text: &str) {
    let db = Database::default();
    let file = File::new(&db, text.into(), Options::default());
    for found in find::find(&db, file) {
        let names = SourceNames { body: &found.entry, spans: &found.spans, text: &text[found.start as usize..] };
        let launches = found.directives.launches.iter().map(|launch| launched(&found.entry, launch));
        let values = launches.into_iter().next().unwrap_or_default();
        let graph = graph::build(&found.entry);
        for access in &graph.accesses {
            let launch = NamedLaunch { name: "the launch".into(), values: values.clone() };
            assert!(!describe(access, &names, Some(&launch)).is_empty());
        }
        let labels = Labels { graph: &graph, names, launched: Some(&values) };
        let line = |op: OpId| op.0 as usize;
        assert!(labels.page("page", &line).contains("</html>") && !labels.dot("k").is_empty());
        labels.json(&line);
        assert_eq!(Footprint::of(&found.entry).at.len(), found.entry.ops.len());
    }
}

#[test]
fn programs_with_errors_are_analyzed_too() {
    for (_, text) in examples() {
        for cut in (0..text.len()).step_by(397).filter(|&cut| text.is_char_boundary(cut)) {
            analyze(&text[..cut]);
        }
    }
    for page in tile_analysis::diagnostics::PAGES.iter().chain([&&find::PAGE]) {
        analyze(page.wrong);
        analyze(page.right);
    }
    for (_, text) in tile_tests::programs::upstream_chunks() {
        analyze(&text);
    }
}
