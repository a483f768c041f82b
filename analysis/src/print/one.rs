//! One op of a text, printed anew under the names that the text gives its values.

use super::names::Names;
use super::options::{Options, Style};
use super::printer::Printer;
use crate::ir::{Body, Def, OpId, Value};
use crate::source::Spans;
use tile_dialect::Version;

/// An op of a text.
#[derive(Clone, Copy, Debug)]
pub struct OneOp<'a> {
    /// The text of its item.
    pub text: &'a str,
    /// What the item means.
    pub body: &'a Body,
    /// Where its parts stand.
    pub spans: &'a Spans,
    /// The op.
    pub op: OpId,
    /// How deep its line is indented, in steps of two blanks.
    pub depth: usize,
}

impl OneOp<'_> {
    /// The op from its name on, in one form or the other. `None` where that form cannot say what the op holds.
    pub fn written(&self, style: Style, version: Version) -> Option<String> {
        let mut printer = Printer::new(self.body, None, Options { style, version }, self.depth);
        printer.names = Names::written(self.text, self.spans);
        printer.alone(self.op);
        Some(printer.finish()).filter(|text| !text.is_empty())
    }
}

/// What a printer calls a value where nobody has named it, without `%`: `cst_1_i32`. Empty where it takes a number.
pub fn usual_name(body: &Body, value: Value) -> String {
    match body.def(value) {
        Some(Def::Result(op, index)) => Names::stem_of(body, body.op(op), index),
        _ => String::new(),
    }
}
