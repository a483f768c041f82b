//! Breakpoints on elements of buffers: compares the elements after each op that accesses memory.

use super::breakpoints::{Counted, counted, is_met};
use super::contents::text_of;
use super::inspect::Inspector;
use crate::debug::{Change, DataBreakpoint};
use tile_analysis::ir::OpId;
use tile_dialect::Element;
use tile_launch::expr::Expr;
use tile_launch::{Selected, selected};

/// The data breakpoints of a run.
#[derive(Default)]
pub(super) struct DataBreakpoints {
    all: Vec<Counted<DataBreakpoint>>,
    /// The elements of each, once they are known.
    observed: Option<Vec<Observed>>,
}

/// Observed elements of a buffer.
struct Observed {
    /// The buffer, by its number among the parameters.
    number: usize,
    name: String,
    element: Element,
    selected: Vec<Selected>,
    /// The bits of the elements when they were last compared.
    bits: Vec<u64>,
}

impl DataBreakpoints {
    /// Replaces the breakpoints. One that stays keeps its count.
    pub(super) fn replace(&mut self, breakpoints: Vec<DataBreakpoint>) {
        let old = std::mem::take(&mut self.all);
        (self.all, self.observed) = (counted(breakpoints, old), None);
    }

    /// Forgets the hits and the contents, when the launch runs again.
    pub(super) fn restart(&mut self) {
        self.all.iter_mut().for_each(|counted| counted.hits = 0);
        self.observed = None;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether the elements of all breakpoints are known.
    pub(super) fn are_located(&self) -> bool {
        self.all.is_empty() || self.observed.is_some()
    }

    /// Finds the elements of new breakpoints, and drops those without. Returns the errors.
    pub(super) fn locate(&mut self, inspector: &Inspector<'_>) -> Vec<String> {
        let (mut kept, mut observed, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for counted in std::mem::take(&mut self.all) {
            match Observed::of(&counted.breakpoint.elements, inspector) {
                Ok(found) => {
                    kept.push(counted);
                    observed.push(found);
                }
                Err(error) => errors.push(error),
            }
        }
        (self.all, self.observed) = (kept, Some(observed));
        errors
    }

    /// Compares the elements after an op. Returns the change of the first breakpoint that takes effect; none does
    /// unless `stops`.
    pub(super) fn changed(
        &mut self,
        op: OpId,
        inspector: &Inspector<'_>,
        stops: bool,
    ) -> Option<Result<Change, String>> {
        let mut found = None;
        for (Counted { breakpoint, hits }, observed) in self.all.iter_mut().zip(self.observed.iter_mut().flatten()) {
            let Some(change) = observed.compare(op, inspector).filter(|_| stops) else { continue };
            match is_met(&breakpoint.trigger, hits, inspector) {
                Ok(false) => {}
                Ok(true) => found = found.or(Some(Ok(change))),
                Err(error) => found = found.or(Some(Err(error))),
            }
        }
        found
    }
}

impl Observed {
    /// The elements that a formula selects.
    fn of(elements: &Expr, inspector: &Inspector<'_>) -> Result<Observed, String> {
        let (number, buffer) = inspector.buffer_of(elements)?;
        let selected = selected(elements, buffer).map_err(|error| error.to_string())?;
        let (name, element) = (format!("%{}", inspector.arguments.before[number].0), buffer.element);
        let mut observed = Observed { number, name, element, selected, bits: Vec::new() };
        observed.bits = observed.current(inspector).collect();
        Ok(observed)
    }

    fn current<'b>(&'b self, inspector: &'b Inspector<'_>) -> impl Iterator<Item = u64> + 'b {
        let (placement, memory) = (inspector.arguments.placement, inspector.at.memory);
        let bits = |element: &Selected| placement.element_bits(self.number, element.position, memory).unwrap_or(0);
        self.selected.iter().map(bits)
    }

    /// Compares the elements with the last comparison.
    fn compare(&mut self, op: OpId, inspector: &Inspector<'_>) -> Option<Change> {
        let current: Vec<u64> = self.current(inspector).collect();
        let old = std::mem::replace(&mut self.bits, current);
        let mut changed = (0..old.len()).filter(|&place| old[place] != self.bits[place]);
        let first = changed.next()?;
        let others = changed.count();
        let index: Vec<String> = self.selected[first].index.iter().map(usize::to_string).collect();
        let element = if index.is_empty() { self.name.clone() } else { format!("{}[{}]", self.name, index.join(", ")) };
        let values = [old[first], self.bits[first]].map(|bits| text_of(self.element, bits));
        Some(Change { element, values, others, op: op.0 })
    }
}
