//! Statistics over many programs: ops that were added, removed and changed.

use std::collections::BTreeMap;
use tile_analysis::program::Program;
use tile_diff::report::{Change, Kind, Report};

/// The statistics of the compared programs.
#[derive(Default)]
pub(super) struct Statistics {
    /// By op.
    pub(super) ops: BTreeMap<&'static str, Numbers>,
    /// The number of times each change occurs, by op and change. Operands are counted without their names.
    pub(super) changes: BTreeMap<(String, String), usize>,
}

/// The numbers of one op.
#[derive(Clone, Copy, Default)]
pub(super) struct Numbers {
    /// In all first programs.
    pub(super) in_a: usize,
    /// In all second programs.
    pub(super) in_b: usize,
    pub(super) only_a: usize,
    pub(super) only_b: usize,
    pub(super) changed: usize,
}

impl Numbers {
    pub(super) fn differ(self) -> bool {
        self.only_a + self.only_b + self.changed > 0 || self.in_a != self.in_b
    }
}

impl Statistics {
    pub(super) fn add(&mut self, a: &Program, b: &Program, report: &Report) {
        self.count(a, |numbers| &mut numbers.in_a);
        self.count(b, |numbers| &mut numbers.in_b);
        for entry in &report.entries {
            entry.changes.iter().for_each(|found| self.add_change("entry", found));
            for op in entry.ops.iter().filter(|op| op.harmless.is_none()) {
                match (&op.a, &op.b) {
                    (Some(a), Some(_)) => {
                        self.ops.entry(a.name).or_default().changed += 1;
                        op.changes.iter().for_each(|found| self.add_change(a.name, found));
                    }
                    (Some(a), None) => self.ops.entry(a.name).or_default().only_a += 1,
                    (None, Some(b)) => self.ops.entry(b.name).or_default().only_b += 1,
                    (None, None) => {}
                }
            }
        }
    }

    fn count(&mut self, program: &Program, field: impl Fn(&mut Numbers) -> &mut usize) {
        for (_, lowered) in &program.entries {
            for op in &lowered.body.ops {
                *field(self.ops.entry(op.op.row().name).or_default()) += 1;
            }
        }
    }

    fn add_change(&mut self, op: &str, change: &Change) {
        let words = match change.kind {
            Kind::Operand if change.name.is_empty() => "operand".to_string(),
            Kind::Operand => format!("operand {}", change.name),
            Kind::Name => return,
            Kind::Parameter => "parameter".to_string(),
            _ => super::words::change(change),
        };
        *self.changes.entry((op.to_string(), words)).or_default() += 1;
    }

    /// The most frequent changes first.
    pub(super) fn most_frequent(&self) -> Vec<(&str, &str, usize)> {
        let mut all: Vec<_> = self.changes.iter().map(|((op, words), count)| (&**op, &**words, *count)).collect();
        all.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
        all
    }
}
