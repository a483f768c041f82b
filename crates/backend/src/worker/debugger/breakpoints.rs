//! The breakpoints of a run, and how often they were hit.

use super::inspect::Inspector;
use crate::debug::{Breakpoint, MessagePart, Trigger};
use tile_analysis::ir::OpId;

/// The breakpoints of a run.
#[derive(Default)]
pub(super) struct Breakpoints(Vec<Counted<Breakpoint>>);

/// A breakpoint, and how often its condition was met.
pub(super) struct Counted<T> {
    pub(super) breakpoint: T,
    pub(super) hits: u64,
}

/// The effect of the breakpoints of an op.
#[derive(Default)]
pub(super) struct Effect {
    pub(super) stops: bool,
    /// The messages to write, and errors in conditions, which stop the run.
    pub(super) messages: Vec<String>,
}

impl Breakpoints {
    /// Replaces the breakpoints. One that stays keeps its count.
    pub(super) fn replace(&mut self, breakpoints: Vec<Breakpoint>) {
        let old = std::mem::take(&mut self.0);
        self.0 = counted(breakpoints, old);
    }

    /// Forgets the hits, when the launch runs again.
    pub(super) fn restart(&mut self) {
        self.0.iter_mut().for_each(|counted| counted.hits = 0);
    }

    /// Whether an op has a breakpoint.
    pub(super) fn are_at(&self, op: OpId) -> bool {
        self.0.iter().any(|counted| counted.breakpoint.op == op.0)
    }

    /// Counts the hits of an op's breakpoints, and determines their effect.
    pub(super) fn hit(&mut self, inspector: &Inspector<'_>) -> Effect {
        let mut effect = Effect::default();
        let op = inspector.at.op.0;
        for Counted { breakpoint, hits } in self.0.iter_mut().filter(|counted| counted.breakpoint.op == op) {
            match (is_met(&breakpoint.trigger, hits, inspector), &breakpoint.message) {
                (Ok(false), _) => {}
                (Ok(true), None) => effect.stops = true,
                (Ok(true), Some(parts)) => effect.messages.push(message(parts, inspector)),
                (Err(error), _) => {
                    effect.stops = true;
                    effect.messages.push(error);
                }
            }
        }
        effect
    }
}

/// Breakpoints that continue the counts of equal ones.
pub(super) fn counted<T: PartialEq>(breakpoints: Vec<T>, old: Vec<Counted<T>>) -> Vec<Counted<T>> {
    let hits = |new: &T| old.iter().find(|old| old.breakpoint == *new).map_or(0, |old| old.hits);
    let one = |breakpoint| Counted { hits: hits(&breakpoint), breakpoint };
    breakpoints.into_iter().map(one).collect()
}

/// Whether a breakpoint that was reached takes effect. Counts the hit.
pub(super) fn is_met(trigger: &Trigger, hits: &mut u64, inspector: &Inspector<'_>) -> Result<bool, String> {
    if let Some(condition) = &trigger.condition
        && !inspector.holds(condition).map_err(|error| format!("condition `{condition}` failed: {error}"))?
    {
        return Ok(false);
    }
    *hits += 1;
    Ok(trigger.hits.is_none_or(|condition| condition.holds(*hits)))
}

fn message(parts: &[MessagePart], inspector: &Inspector<'_>) -> String {
    let part = |part: &MessagePart| match part {
        MessagePart::Text(text) => text.clone(),
        MessagePart::Formula(formula) => match inspector.result(formula) {
            Ok(item) => item.shown.to_string(),
            Err(error) => format!("{{{formula}: {error}}}"),
        },
    };
    parts.iter().map(part).collect()
}
