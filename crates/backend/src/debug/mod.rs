//! The messages between a debugger and its worker, for stepping through a run.
//!
//! A job under a debugger ([`crate::worker::Job::debug`]) reports where it stops and waits for a [`Command`]. Only
//! the CPU engine can be debugged.

mod breakpoint;
mod nesting;
mod scope;

pub use breakpoint::{Breakpoint, DataBreakpoint, HitCondition, MessagePart, Trigger, parse_message};
pub use nesting::Nesting;
pub use scope::ValuesInScope;

use serde::{Deserialize, Serialize};
use std::ops::Range;
use tile_engine::Shown;

/// A command of the debugger to the run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub enum Command {
    /// Stop at these breakpoints. Replaces the previous list.
    Breakpoints(Vec<Breakpoint>),
    /// Stop when an op changes one of these elements. Replaces the previous list.
    DataBreakpoints(Vec<DataBreakpoint>),
    /// Stop before the next op.
    Pause,
    /// Continue.
    Go(Pace),
    /// Answer a question, which has this number.
    Ask(u64, Question),
}

/// A question about a stopped run. The answer is a list of items, or why there is none.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub enum Question {
    /// The value of a formula.
    Evaluate(String),
    /// The rows or elements of a formula's value.
    Children {
        /// The formula.
        of: String,
        /// The indices of the row in the value; empty for the value itself.
        row: Vec<u64>,
        /// The indices of the requested children in the row.
        range: Range<u64>,
    },
    /// Whether a data breakpoint can observe a formula: it is a buffer or a slice of one. The answer has no items.
    Observe(String),
}

/// How far a run continues.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// To the next breakpoint.
    Run,
    /// To the next op.
    Into,
    /// To the next op that is not nested more deeply.
    Over,
    /// To the next op that is nested less deeply.
    Out,
    /// To the first op of a tile block, without stopping at breakpoints.
    Block([u32; 3]),
    /// Back to the previous op that is not nested more deeply.
    Back,
    /// Back to the last breakpoint.
    BackToBreakpoint,
}

/// Where a run stops, as set before it begins.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Debugging {
    /// The breakpoints.
    pub breakpoints: Vec<Breakpoint>,
    /// The breakpoints on elements of buffers.
    pub data_breakpoints: Vec<DataBreakpoint>,
    /// Whether it stops before its first op.
    pub on_entry: bool,
}

/// The state of a stopped run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Stopped {
    /// The reason.
    pub why: Why,
    /// The next op, or the one that failed, by number.
    pub op: u32,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the enclosing loops, outermost first, counted from 0.
    pub iterations: Vec<u64>,
    /// The values in scope at the op, without the parameters of the entry, by number, in order of definition.
    pub values: Vec<(u32, Item)>,
}

/// A value, a buffer, the result of a formula, or a row or element of one of them.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Item {
    /// The type, or element type and shape.
    pub ty: String,
    /// The contents.
    pub shown: Shown,
    /// The extents of the elements, outermost first; empty for a single one.
    pub extents: Vec<u64>,
}

/// A change of an element with a data breakpoint.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The element, such as `%y[12]`.
    pub element: String,
    /// The contents before and after.
    pub values: [String; 2],
    /// How many other elements of the same breakpoint have changed.
    pub others: usize,
    /// The op that changed it, by number.
    pub op: u32,
}

/// Why a run has stopped.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The run begins.
    Entry,
    /// A breakpoint.
    Stop,
    /// The previous op has changed an element of a buffer.
    Changed(Change),
    /// A step is complete.
    Step,
    /// The requested tile block begins.
    Block,
    /// The debugger requested a pause.
    Pause,
    /// The op failed. Continuing ends the run.
    Failed {
        /// The code of the finding.
        code: String,
        /// The message of the finding.
        message: String,
    },
}
