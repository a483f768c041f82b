//! Comparison of programs: which entries, globals and functions correspond.

use crate::changes::{Named, changes, hint_changes, named_changes};
use crate::half::Half;
use crate::leftovers::{self, harmless};
use crate::matching::Matching;
use crate::report::{Change, EntryDiff, Harmless, Kind, OpDiff, OpPlace, Place, Report};
use crate::side::Side;
use crate::signature::Renames;
use crate::symbols;
use std::collections::HashMap;
use tile_analysis::ir::{Body, NamedAttrs, OpId, RegionId, Value};
use tile_analysis::program::Program;

/// The stack of the thread that compares entries. Chains of operands are followed recursively.
const STACK: usize = 256 << 20;

/// Compares two programs. They must be free of errors, and lowered with all source ranges.
pub fn compare(a: &Program, b: &Program) -> Report {
    with_stack(|| compare_here(a, b))
}

/// Calls a function on a thread with a large stack.
pub(crate) fn with_stack<T: Send>(function: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &function);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => function(),
        }
    })
}

fn compare_here(a: &Program, b: &Program) -> Report {
    let (mut symbols, renames) = symbols::globals(a, b);
    symbols.extend(symbols::functions(a, b));
    let entries = entry_pairs(a, b).into_iter().map(|pair| match pair {
        (Some(x), Some(y)) => entry(a, b, x, y, &renames),
        (x, y) => EntryDiff {
            a: x.map(|index| place(a, index)),
            b: y.map(|index| place(b, index)),
            changes: Vec::new(),
            ops: Vec::new(),
            shared: 0,
        },
    });
    let entries = entries.collect();
    let producer = |program: &Program| {
        let producer = program.outline.producer.as_ref();
        producer.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let (of_a, of_b) = (producer(a), producer(b));
    let producer = (of_a != of_b).then_some(Change { kind: Kind::Producer, name: String::new(), a: of_a, b: of_b });
    Report { producer, symbols, entries }
}

fn place(program: &Program, index: usize) -> Place {
    let (start, lowered) = program.entries[index];
    let name = &lowered.spans.name;
    Place { index, name: lowered.body.name.clone(), range: name.start + start..name.end + start }
}

/// The least similarity of entries with different names that are still compared, in percent.
const MIN_SIMILARITY: usize = 50;

/// The pairs of entries: first those of the same name, then those with the most similar content. Entries of the second
/// program without counterpart are last.
pub(crate) fn entry_pairs(a: &Program, b: &Program) -> Vec<(Option<usize>, Option<usize>)> {
    let name = |program: &Program, index: usize| program.entries[index].1.body.name.clone();
    let mut free: Vec<usize> = (0..b.entries.len()).collect();
    let mut pairs: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for x in 0..a.entries.len() {
        let found = free.iter().position(|&y| name(b, y) == name(a, x));
        pairs.push((Some(x), found.map(|at| free.remove(at))));
    }
    let left: Vec<(usize, Words)> = free.iter().map(|&y| (y, words(&b.entries[y].1.body))).collect();
    let mut scores = Vec::new();
    for (at, (x, _)) in pairs.iter().enumerate().filter(|(_, (_, y))| y.is_none()) {
        let Some(x) = x else { continue };
        let own = words(&a.entries[*x].1.body);
        for (y, words) in &left {
            let (score, y) = (similarity(&own, words), *y);
            if score >= MIN_SIMILARITY {
                scores.push((std::cmp::Reverse(score), at, y));
            }
        }
    }
    scores.sort_unstable();
    for (_, at, y) in scores {
        if pairs[at].1.is_none()
            && let Some(found) = free.iter().position(|&other| other == y)
        {
            pairs[at].1 = Some(free.remove(found));
        }
    }
    pairs.extend(free.into_iter().map(|y| (None, Some(y))));
    pairs
}

/// How often each op and each type of a parameter occurs in an entry.
type Words = HashMap<String, usize>;

fn words(body: &Body) -> Words {
    let mut counts = Words::new();
    let ops = body.ops.iter().map(|op| op.op.row().name.to_string());
    let params = params(body).iter().map(|&param| body.ty(param).to_string());
    ops.chain(params).for_each(|word| *counts.entry(word).or_default() += 1);
    counts
}

/// The part of ops and parameters that two entries share, in percent.
fn similarity(a: &Words, b: &Words) -> usize {
    let total: usize = a.values().chain(b.values()).sum();
    let common: usize = a.iter().map(|(word, count)| count.min(b.get(word).unwrap_or(&0))).sum();
    (200 * common).checked_div(total).unwrap_or(100)
}

fn params(body: &Body) -> &[Value] {
    body.regions.first().map_or(&[], |region| &region.args)
}

fn entry(a: &Program, b: &Program, index_a: usize, index_b: usize, renames: &Renames) -> EntryDiff {
    let (body_a, body_b) = (&*a.entries[index_a].1.body, &*b.entries[index_b].1.body);
    Comparison::of(body_a, body_b, renames, |Comparison { matching, params }| {
        let named = (Named::new(matching.a.side, a, index_a), Named::new(matching.b.side, b, index_b));
        let starts = (a.entries[index_a].0, b.entries[index_b].0);
        EntryDiff {
            a: Some(place(a, index_a)),
            b: Some(place(b, index_b)),
            changes: header(body_a, body_b, &params),
            ops: Rows { matching: &matching, named, starts }.all(),
            shared: matching.a.partner.iter().flatten().count(),
        }
    })
}

/// The comparison of two entries.
pub(crate) struct Comparison<'a> {
    pub(crate) matching: Matching<'a>,
    /// The pairs of parameters, by index.
    pub(crate) params: Vec<(Option<usize>, Option<usize>)>,
}

impl Comparison<'_> {
    /// Compares two entries and calls a function with the result.
    pub(crate) fn of<T>(a: &Body, b: &Body, renames: &Renames, function: impl FnOnce(Comparison) -> T) -> T {
        let (side_a, side_b) = (Side::new(a), Side::new(b));
        let params = param_pairs(a, b);
        let known: Vec<(Value, Value)> = params
            .iter()
            .filter_map(|pair| pair.0.zip(pair.1))
            .map(|(x, y)| (self::params(a)[x], self::params(b)[y]))
            .collect();
        let mut matching = Matching::new(&side_a, &side_b, &known, renames);
        leftovers::pair(&mut matching);
        function(Comparison { matching, params })
    }
}

/// The pairs of parameters, by index. If the numbers differ, those of the same type correspond, in order.
fn param_pairs(a: &Body, b: &Body) -> Vec<(Option<usize>, Option<usize>)> {
    let (count_a, count_b) = (params(a).len(), params(b).len());
    if count_a == count_b {
        return (0..count_a).map(|index| (Some(index), Some(index))).collect();
    }
    let score = |x: usize, y: usize| {
        let same_name = u32::from(a.params.get(x) == b.params.get(y));
        if a.ty(params(a)[x]) == b.ty(params(b)[y]) { 2 + 2 * same_name } else { same_name }
    };
    let pairs = crate::align::by_score(score, &mut crate::align::Used::none(count_a, count_b));
    let of_a = (0..count_a).map(|x| (Some(x), pairs.iter().find(|pair| pair.0 == x).map(|pair| pair.1)));
    let rest = (0..count_b).filter(|y| pairs.iter().all(|pair| pair.1 != *y)).map(|y| (None, Some(y)));
    of_a.chain(rest).collect()
}

/// The differences between the headers of two entries.
fn header(a: &Body, b: &Body, pairs: &[(Option<usize>, Option<usize>)]) -> Vec<Change> {
    let mut found = Vec::new();
    if a.name != b.name {
        found.push(Change::new(Kind::Name, "", format!("@{}", a.name), format!("@{}", b.name)));
    }
    let word = |private: bool| if private { "private" } else { "public" };
    if a.private != b.private {
        found.push(Change::new(Kind::Attribute, "visibility", word(a.private), word(b.private)));
    }
    found.extend(hint_changes(a.hints.as_deref(), b.hints.as_deref()));
    let shown = |body: &Body, index: usize| {
        let name = body.params.get(index).map_or("", |name| name);
        format!("%{name}: {}", body.ty(params(body)[index]))
    };
    for &(x, y) in pairs {
        let (Some(x), Some(y)) = (x, y) else {
            let (a, b) = (x.map(|x| shown(a, x)), y.map(|y| shown(b, y)));
            found.push(Change { kind: Kind::Parameter, name: String::new(), a, b });
            continue;
        };
        let name = a.params.get(x).map_or(String::new(), |name| format!("%{name}"));
        let (ty_a, ty_b) = (a.ty(params(a)[x]), b.ty(params(b)[y]));
        if ty_a != ty_b {
            found.push(Change::new(Kind::Type, &name, ty_a, ty_b));
        }
        let attrs = |body: &'_ Body, index: usize| -> Option<NamedAttrs> { body.param_attrs.get(index).cloned() };
        found.extend(named_changes(&format!("{name} "), attrs(a, x).as_ref(), attrs(b, y).as_ref()));
    }
    found
}

/// Builds the rows of an entry.
struct Rows<'a> {
    matching: &'a Matching<'a>,
    named: (Named<'a>, Named<'a>),
    starts: (u32, u32),
}

impl Rows<'_> {
    /// The ops that differ, in the order of the first text. Those that only the second text has follow the op that they
    /// follow there.
    fn all(&self) -> Vec<OpDiff> {
        let (a, b) = (&self.matching.a, &self.matching.b);
        let mut rows = Vec::new();
        for (x, y, differences) in &self.matching.changed {
            let changes = changes((self.named.0, *x), (self.named.1, *y), differences);
            if changes.is_empty() {
                continue;
            }
            let is_dead = |half: &Half, op: OpId| harmless(half, half, op) == Some(Harmless::Unused);
            let harmless = (is_dead(a, *x) && is_dead(b, *y)).then_some(Harmless::Unused);
            let (place_a, place_b) = (Some(self.place_a(*x)), Some(self.place_b(*y)));
            rows.push(((x.0, 0, 0), OpDiff { a: place_a, b: place_b, changes, harmless }));
        }
        for op in only(a) {
            let harmless = harmless(a, b, op);
            rows.push(((op.0, 0, 0), OpDiff { a: Some(self.place_a(op)), b: None, changes: Vec::new(), harmless }));
        }
        for op in only(b) {
            let harmless = harmless(b, a, op);
            let before = (0..op.0).rev().find_map(|op| b.partner[op as usize]).map_or(0, |found| found.0);
            let row = OpDiff { a: None, b: Some(self.place_b(op)), changes: Vec::new(), harmless };
            rows.push(((before, 1, op.0), row));
        }
        rows.sort_by_key(|(key, _)| *key);
        rows.into_iter().map(|(_, row)| row).collect()
    }

    fn place_a(&self, op: OpId) -> OpPlace {
        op_place(self.named.0, op, self.starts.0)
    }

    fn place_b(&self, op: OpId) -> OpPlace {
        op_place(self.named.1, op, self.starts.1)
    }
}

fn op_place(of: Named, op: OpId, start: u32) -> OpPlace {
    let range = of.spans.statements.get(op.0 as usize).cloned().unwrap_or_default();
    let name = of.side.op(op).op.row().name;
    OpPlace { name, range: range.start + start..range.end + start, ops: of.side.size(op) }
}

/// The ops that only one body has, without those inside of others.
fn only(half: &Half) -> Vec<OpId> {
    let is_only = |op: OpId| half.partner[op.0 as usize].is_none();
    let is_inner = |op: OpId| half.side.owner_of(op).is_some_and(is_only);
    half.side
        .all_ops()
        .filter(|&op| half.side.region_of[op.0 as usize] == RegionId(0) || !is_inner(op))
        .filter(|&op| is_only(op))
        .collect()
}
