//! Reprinting an op of a text, using the value names of the text.

use super::names::Names;
use super::options::{Options, Style};
use super::printer::Printer;
use crate::ir::{Body, Def, OpId, Value};
use tile_dialect::Version;

/// An op of a text.
#[derive(Clone, Copy, Debug)]
pub struct OneOp<'a> {
    /// The body of its item.
    pub body: &'a Body,
    /// The names of the body's values in the text.
    pub names: &'a Names,
    /// The op.
    pub op: OpId,
    /// The indentation of its line, in steps of two blanks.
    pub depth: usize,
}

impl OneOp<'_> {
    /// The text of the op without its results, in the given form. `None` if that form cannot express the op.
    pub fn written(&self, style: Style, version: Version) -> Option<String> {
        let options = Options { style, version };
        let mut printer = Printer::of_op(self.body, self.names, self.body.op(self.op), options, self.depth);
        printer.alone(self.op);
        Some(printer.finish()).filter(|text| !text.is_empty())
    }
}

/// The default name of a value, without `%`: `cst_1_i32`. Empty if it would be a number.
pub fn usual_name(body: &Body, value: Value) -> String {
    match body.def(value) {
        Some(Def::Result(op, index)) => Names::stem_of(body, body.op(op), index),
        _ => String::new(),
    }
}
