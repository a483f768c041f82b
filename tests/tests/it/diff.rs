//! The comparison of programs by meaning.
//!
//! Programs of the examples, of every op and of the generator are compared with themselves, with the same program in
//! other words, and with mutants. Equal meanings must be found equal, and a mutation must be reported at its op alone.

use fastrand::Rng;
use std::collections::HashSet;
use std::sync::Arc;
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::ir::{Attr, Body, Dense, Module, OpId, RegionId, Value};
use tile_analysis::print;
use tile_backend::bytecode::{self, VERSIONS};
use tile_dialect::{AttrKind, Flow, Version};
use tile_diff::Normalized;
use tile_diff::report::{OpDiff, Report, Verdict};
use tile_tests::generate::{self, Profile};
use tile_tests::programs;

const GENERATED: u64 = 20;

/// Named programs without errors that have an entry.
fn corpus() -> Vec<(String, String)> {
    let generated = (0..GENERATED).map(|seed| {
        let items = generate::Program::of(seed, Profile::Cpu).items;
        (format!("seed {seed}"), format!("cuda_tile.module @kernels {{\n{items}\n}}\n"))
    });
    let all = tile_tests::examples().into_iter().chain(programs::every_op()).chain(generated);
    let all: Vec<_> = all.filter(|(_, text)| is_valid(&checked(text)) && !checked(text).items.is_empty()).collect();
    assert!(all.len() > 80, "only {} programs", all.len());
    all
}

fn checked(text: &str) -> Checked {
    batch::check(text, Options::default(), |_| Keep::Everything)
}

fn is_valid(checked: &Checked) -> bool {
    !checked.diagnostics.iter().any(|found| found.is_error_everywhere())
}

fn compare(name: &str, a: &str, b: &str) -> Report {
    let (a_checked, b_checked) = (checked(a), checked(b));
    for (text, checked) in [(a, &a_checked), (b, &b_checked)] {
        assert!(is_valid(checked), "{name}: {:?}\n{text}", checked.diagnostics);
    }
    tile_diff::compare(&a_checked.program(a), &b_checked.program(b))
}

/// Asserts that no op or header differs, not even harmlessly.
fn assert_same(name: &str, a: &str, b: &str) {
    let report = compare(name, a, b);
    let ops = report.entries.iter().flat_map(|entry| &entry.ops).collect::<Vec<_>>();
    assert!(report.verdict() == Verdict::Same && ops.is_empty(), "{name}: {report:#?}\n{a}\n{b}");
}

fn printed(module: &Module) -> String {
    print::module(module, None, print::Options::default())
}

/// The text of a program's bytecode, if the version can encode the program.
fn in_bytecode(text: &str, version: Version) -> Option<String> {
    let checked = checked(text);
    let bytes = bytecode::of_program(&checked.program(text), Some("program"), version).ok()?;
    let decoded = bytecode::decode(&bytes).expect("the program can be decoded");
    // Some versions cannot encode the producer, which is not part of the meaning.
    Some(printed(&Module { producer: checked.outline.producer.clone(), ..decoded.module }))
}

#[test]
fn a_program_equals_itself_in_other_words() {
    for (name, text) in corpus() {
        assert_same(&name, &text, &text);
        let module = checked(&text).program(&text).module();
        assert_same(&name, &text, &printed(&module));
        let style = print::Style::Generic;
        let generic = print::module(&module, None, print::Options { style, ..print::Options::default() });
        // Some attributes have no valid generic form.
        if is_valid(&checked(&generic)) {
            assert_same(&name, &generic, &text);
        }
    }
}

#[test]
fn a_program_equals_its_bytecode_of_every_version() {
    let mut compared = 0;
    for (name, text) in corpus() {
        for version in VERSIONS {
            let Some(decoded) = in_bytecode(&text, version) else { continue };
            assert_same(&format!("{name} in {version}"), &text, &decoded);
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} programs can be encoded");
}

#[test]
fn the_order_of_ops_does_not_matter() {
    let mut random = Rng::with_seed(1);
    for (name, text) in corpus() {
        let mut module = checked(&text).program(&text).module();
        module.entries.iter_mut().for_each(|entry| shuffle(Arc::make_mut(entry), &mut random));
        assert_same(&name, &text, &printed(&module));
    }
}

/// Shuffles the ops of every region into another order in which each follows the ops it depends on.
fn shuffle(body: &mut Body, random: &mut Rng) {
    for region in 0..body.regions.len() {
        let ops = body.regions[region].ops.clone();
        let mut defined: HashSet<Value> = ops.iter().flat_map(|&op| body.results(body.op(op))).collect();
        let (mut open, mut order) = (ops, Vec::new());
        while !open.is_empty() {
            let needs = |op: OpId| needed(body, op).iter().any(|value| defined.contains(value));
            let is_end = |op: OpId| body.op(op).op.row().flow == Flow::Terminator;
            let ready: Vec<usize> =
                (0..open.len()).filter(|&at| !needs(open[at]) && (open.len() == 1 || !is_end(open[at]))).collect();
            let next = open.remove(ready[random.usize(..ready.len())]);
            body.results(body.op(next)).for_each(|value| _ = defined.remove(&value));
            order.push(next);
        }
        body.regions[region].ops = order;
    }
}

/// The values that an op and the ops of its regions use.
fn needed(body: &Body, op: OpId) -> Vec<Value> {
    let op = body.op(op);
    let mut values = body.operands(op).to_vec();
    let nested = |region: RegionId| body.region(region).ops.iter().flat_map(|&op| needed(body, op)).collect::<Vec<_>>();
    values.extend(body.regions_of(op).flat_map(nested));
    values
}

/// Asserts that the differences are at one line of the second text. Nothing is reported if the mutated op is unused.
fn assert_only_at(name: &str, a: &str, b: &str, line: usize) -> bool {
    let report = compare(name, a, b);
    let lines = |text: &str, ops: &[&OpDiff]| -> Vec<usize> {
        let places = ops.iter().filter_map(|op| op.a.as_ref());
        places.map(|place| text[..place.range.start as usize].matches('\n').count()).collect()
    };
    let all: Vec<&OpDiff> = report.entries.iter().flat_map(|entry| &entry.ops).collect();
    let all: Vec<&OpDiff> = all.into_iter().filter(|op| op.harmless.is_none()).collect();
    let found = lines(a, &all);
    assert!(found.is_empty() || found == [line], "{name}: {found:?} instead of {line}: {all:#?}\n{a}\n{b}");
    !found.is_empty()
}

/// The printed programs of the corpus with one entry, with their modules.
fn modules() -> impl Iterator<Item = (String, String, Module)> {
    corpus().into_iter().filter_map(|(name, text)| {
        let module = checked(&text).program(&text).module();
        let text = printed(&module);
        let module = checked(&text).program(&text).module();
        (module.entries.len() == 1).then_some((name, text, module))
    })
}

/// The line of an op in the text, from 0.
fn line_of(text: &str, op: OpId) -> usize {
    let checked = checked(text);
    let program = checked.program(text);
    let (start, lowered) = program.entries[0];
    text[..(start + lowered.spans.statements[op.0 as usize].start) as usize].matches('\n').count()
}

#[test]
fn a_changed_constant_is_reported_at_the_constant() {
    let mut reported = 0;
    for (name, text, module) in modules() {
        let ops = module.entries[0].ops.len() as u32;
        let constants = (0..ops).map(OpId).filter(|&op| !module.entries[0].op(op).results.is_empty());
        let is_constant = |op: &OpId| {
            let body = &module.entries[0];
            body.op(*op).op.row().attrs.iter().any(|row| matches!(row.kind, AttrKind::Dense))
        };
        for op in constants.filter(is_constant).take(3).collect::<Vec<_>>() {
            let mut mutant = module.clone();
            let body = Arc::make_mut(&mut mutant.entries[0]);
            let Attr::Dense(dense) = body.attr_mut(op, 0) else { continue };
            let bits = dense.bits.iter().map(|bits| bits ^ 1).collect();
            **dense = Dense::new(dense.element, bits);
            let mutant = printed(&mutant);
            // The changed number can violate a rule, such as that of a step that must be positive.
            if is_valid(&checked(&mutant)) {
                reported += usize::from(assert_only_at(&name, &text, &mutant, line_of(&text, op)));
            }
        }
    }
    assert!(reported > 50, "only {reported} mutants");
}

#[test]
fn a_changed_attribute_is_reported_at_its_op() {
    let mut reported = 0;
    for (name, text, module) in modules() {
        for op in (0..module.entries[0].ops.len() as u32).map(OpId) {
            let row = module.entries[0].op(op).op.row();
            for (index, attr) in row.attrs.iter().enumerate() {
                let AttrKind::Enum { of, only, .. } = attr.kind else { continue };
                let mut mutant = module.clone();
                let body = Arc::make_mut(&mut mutant.entries[0]);
                let Attr::Enum(value) = body.attr_mut(op, index) else { continue };
                let other = (0..of.values.len() as u8)
                    .find(|&other| other != *value && (only.is_empty() || only.contains(&other)));
                let Some(other) = other else { continue };
                *value = other;
                let mutant = printed(&mutant);
                if is_valid(&checked(&mutant)) {
                    reported += usize::from(assert_only_at(&name, &text, &mutant, line_of(&text, op)));
                }
            }
        }
    }
    assert!(reported > 50, "only {reported} mutants");
}

#[test]
fn swapped_operands_are_reported_at_the_op() {
    let mut reported = 0;
    for (name, text, _) in modules() {
        for (line, words) in text.lines().enumerate() {
            let Some((head, rest)) = words.split_once("= subi ").or_else(|| words.split_once("= subf ")) else {
                continue;
            };
            let Some((operands, tail)) = rest.split_once(" :") else { continue };
            let Some((x, y)) = operands.split_once(", ").filter(|(x, y)| x != y && !y.contains(' ')) else { continue };
            let op = words[head.len()..].split(' ').nth(1).unwrap_or_default();
            let swapped = format!("{head}= {op} {y}, {x} :{tail}");
            let lines = text.lines().enumerate();
            let mutant: String =
                lines.map(|(index, old)| if index == line { swapped.clone() } else { old.into() } + "\n").collect();
            reported += usize::from(assert_only_at(&name, &text, &mutant, line));
        }
    }
    assert!(reported > 5, "only {reported} mutants");
}

/// Ops whose result has the type of their first operand are removed, and that operand used in place of the result.
#[test]
fn a_removed_op_is_reported_and_its_users_are_not() {
    const UNARY: [&str; 9] = ["negf", "negi", "absf", "absi", "exp", "sqrt", "floor", "ceil", "assume"];
    let mut reported = 0;
    for (name, text, _) in modules() {
        for (line, words) in text.lines().enumerate() {
            let Some((result, rest)) = words.trim().split_once(" = ") else { continue };
            let mut rest = rest.split([' ', ',']);
            let is_unary = rest.next().is_some_and(|op| UNARY.contains(&op));
            let operand = rest.find(|word| word.starts_with('%'));
            let (true, Some(operand)) = (is_unary, operand) else { continue };
            if text.matches(&format!("{result} = ")).count() > 1 {
                continue;
            }
            let rest = text.lines().enumerate().filter(|(index, _)| *index != line).map(|(_, line)| line);
            let mutant: String = rest.map(|line| replace_word(line, result, operand) + "\n").collect();
            reported += usize::from(assert_only_at(&name, &text, &mutant, line));
        }
    }
    assert!(reported > 5, "only {reported} mutants");
}

/// Replaces a name that is not part of a longer one.
fn replace_word(line: &str, name: &str, by: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(name) {
        let (before, tail) = (&rest[..at], &rest[at + name.len()..]);
        let is_longer = tail.starts_with(|next: char| next.is_ascii_alphanumeric() || "_$.-".contains(next));
        out.push_str(before);
        out.push_str(if is_longer { name } else { by });
        rest = tail;
    }
    out + rest
}

/// The texts of two programs that differ only where their meanings do.
fn normalized(name: &str, a: &str, b: &str) -> Normalized {
    let (a_checked, b_checked) = (checked(a), checked(b));
    let normalized = tile_diff::normalized(&a_checked.program(a), &b_checked.program(b));
    assert_same(name, a, &normalized.a);
    let report = compare(name, b, &normalized.b);
    assert!(report.verdict() == Verdict::Same, "{name}: {report:#?}\n{b}\nis normalized as\n{}", normalized.b);
    normalized
}

#[test]
fn equal_programs_have_equal_texts() {
    let mut random = Rng::with_seed(3);
    for (name, text) in corpus() {
        let mut module = checked(&text).program(&text).module();
        module.entries.iter_mut().for_each(|entry| shuffle(Arc::make_mut(entry), &mut random));
        let of_versions = VERSIONS.into_iter().filter_map(|version| in_bytecode(&text, version));
        for other in [text.clone(), printed(&module)].into_iter().chain(of_versions) {
            let Normalized { a, b } = normalized(&name, &text, &other);
            let first = a.lines().zip(b.lines()).find(|(x, y)| x != y);
            assert!(a == b, "{name}: {first:?}\n{a}\n{b}");
        }
    }
}

/// Programs with one changed constant, in another order, and programs that have little in common.
#[test]
fn normalized_programs_keep_their_meaning() {
    let mut random = Rng::with_seed(4);
    let all: Vec<_> = modules().collect();
    for (index, (name, text, module)) in all.iter().enumerate() {
        let mut mutant = module.clone();
        let body = Arc::make_mut(&mut mutant.entries[0]);
        for op in (0..body.ops.len() as u32).map(OpId) {
            let is_constant = body.op(op).op.row().attrs.iter().any(|row| matches!(row.kind, AttrKind::Dense));
            if is_constant
                && random.u8(..4) == 0
                && let Attr::Dense(dense) = body.attr_mut(op, 0)
            {
                // A number that the program does not contain elsewhere.
                let bits = dense.bits.iter().map(|bits| bits ^ (0x29 + (u64::from(op.0) & 0x56)));
                **dense = Dense::new(dense.element, bits.collect());
            }
        }
        shuffle(body, &mut random);
        let mutant = printed(&mutant);
        if is_valid(&checked(&mutant)) {
            normalized(name, text, &mutant);
        }
        let (_, other, _) = &all[(index + 1) % all.len()];
        normalized(name, text, other);
    }
}
