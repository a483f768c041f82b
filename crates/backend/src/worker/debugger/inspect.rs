//! Evaluates formulas in a stopped run.

use super::contents::{BufferContents, Contents, Inspected};
use crate::debug::{Item, Question, ValuesInScope};
use crate::worker::run::JobRun;
use tile_analysis::ir::Value;
use tile_engine::At;
use tile_launch::expr::{Expr, Scope};
use tile_launch::{self as launch, Buffer, selected};
use tile_runner::Arguments;

/// The maximum number of elements of an intermediate array.
const MAX_ELEMENTS: usize = 1 << 26;

/// A stopped run.
#[derive(Clone, Copy)]
pub(super) struct Inspector<'a> {
    pub(super) run: &'a JobRun<'a>,
    pub(super) scope: &'a ValuesInScope<'a>,
    pub(super) at: &'a At<'a>,
    pub(super) arguments: Arguments<'a>,
}

impl<'a> Inspector<'a> {
    /// A value by itself: pointers are addresses, not buffers.
    pub(super) fn value(&self, value: Value) -> Item {
        let extents = self.at.elements(value).map(|elements| elements.extents()).unwrap_or_default();
        let extents = extents.into_iter().map(|extent| extent as u64).collect();
        Item { ty: self.run.entry.ty(value).to_string(), shown: self.at.value(value), extents }
    }

    /// Answers a question of the debugger.
    pub(super) fn answer(&self, question: Question) -> Result<Vec<Item>, String> {
        match question {
            Question::Evaluate(formula) => Ok(vec![self.evaluate(&formula)?]),
            Question::Children { of, row, range } => self.children(&of, &row, range),
            Question::Observe(formula) => {
                let parsed = self.scope.parse(&formula)?;
                let (_, buffer) = self.buffer_of(&parsed)?;
                selected(&parsed, buffer).map(|_| Vec::new()).map_err(|error| error.to_string())
            }
        }
    }

    /// Evaluates a formula.
    fn evaluate(&self, formula: &str) -> Result<Item, String> {
        match self.named(formula) {
            Some(value) => Ok(self.whole(value)),
            None => self.result(&self.scope.parse(formula)?),
        }
    }

    /// Evaluates a parsed formula.
    pub(super) fn result(&self, formula: &Expr) -> Result<Item, String> {
        match formula.as_name().and_then(|name| self.scope.value(name)) {
            Some(value) => Ok(self.whole(value)),
            None => Ok(self.computed(formula)?.item(&[])),
        }
    }

    /// Rows or elements of the value of a formula. `row`: the indices of the row whose children are requested.
    fn children(&self, formula: &str, row: &[u64], range: std::ops::Range<u64>) -> Result<Vec<Item>, String> {
        let inspected = match self.named(formula) {
            Some(value) => self.contents(value),
            None => Some(self.computed(&self.scope.parse(formula)?)?),
        };
        Ok(inspected.map(|inspected| inspected.children(row, range)).unwrap_or_default())
    }

    /// The numbers that a formula computes.
    fn numbers(&self, formula: &Expr) -> Result<launch::Inspected, String> {
        let mut names: Vec<&str> = formula.arguments().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        let argument = |name: &str| Ok((name.to_string(), self.argument(name)?));
        let args = names.into_iter().map(argument).collect::<Result<Vec<_>, String>>()?;
        let files = |name: &str| self.run.file(name);
        let scope = Scope { args: &args, files: &files, max_elements: MAX_ELEMENTS };
        launch::Inspected::of(formula, &scope).map_err(|error| error.to_string())
    }

    /// Whether a condition holds: its only element is not 0.
    pub(super) fn holds(&self, condition: &Expr) -> Result<bool, String> {
        let array = self.numbers(condition)?.array;
        let shape = array.shape().to_vec();
        match &array.into_data().into_real()[..] {
            [number] => Ok(*number != 0.0),
            _ => Err(format!(
                "its shape is {shape:?}, but a condition is a single number; use `max` if one element is enough, or \
                 `min` if all must hold"
            )),
        }
    }

    /// The buffer that a formula names or slices, and the number of its parameter.
    pub(super) fn buffer_of(&self, formula: &Expr) -> Result<(usize, &'a Buffer), String> {
        let not_a_buffer = || format!("`{formula}` is not a buffer or a slice of one");
        let name = formula.as_argument().ok_or_else(not_a_buffer)?;
        let number = self.scope.value(name).ok_or_else(not_a_buffer)?.0 as usize;
        let buffer = self.buffer(number).ok_or_else(|| format!("`%{name}` has no buffer, so it never changes"))?;
        Ok((number, buffer))
    }

    /// The buffer of a parameter, by its number, with the contents before the run.
    fn buffer(&self, number: usize) -> Option<&'a Buffer> {
        match self.arguments.before.get(number) {
            Some((_, launch::Value::Buffer(buffer))) => Some(buffer),
            _ => None,
        }
    }

    /// The value, if the formula is only its name.
    fn named(&self, formula: &str) -> Option<Value> {
        self.scope.value(formula.trim().strip_prefix('%')?)
    }

    /// A value, or the buffer of a parameter.
    fn whole(&self, value: Value) -> Item {
        match self.buffer(value.0 as usize) {
            Some(_) => self.contents(value).map_or_else(|| self.value(value), |contents| contents.item(&[])),
            None => self.value(value),
        }
    }

    /// The elements of a value, or those of a parameter's buffer.
    fn contents(&self, value: Value) -> Option<Inspected<'a>> {
        if let Some(buffer) = self.buffer(value.0 as usize) {
            let extents = buffer.shape.iter().map(|&extent| extent as usize).collect();
            let (arguments, memory) = (self.arguments, self.at.memory);
            let contents = BufferContents { buffer, number: value.0 as usize, arguments, memory };
            return Some(Inspected { extents, contents: Contents::Buffer(contents) });
        }
        let elements = self.at.elements(value)?;
        let element = self.run.entry.ty(value).as_tile()?.element;
        Some(Inspected { extents: elements.extents(), contents: Contents::Tile(element, elements) })
    }

    fn computed(&self, formula: &Expr) -> Result<Inspected<'a>, String> {
        let launch::Inspected { array, element } = self.numbers(formula)?;
        Ok(Inspected::numbers(element, array))
    }

    /// A value in the form that formulas read.
    fn argument(&self, name: &str) -> Result<launch::Value, String> {
        let value = self.scope.value(name).ok_or_else(|| format!("unknown value `%{name}`"))?;
        let number = value.0 as usize;
        if let Some(buffer) = self.buffer(number) {
            return Ok(launch::Value::Buffer(self.arguments.placement.buffer_after(number, buffer, self.at.memory)));
        }
        let ty = self.run.entry.ty(value);
        let Some(elements) = self.at.elements(value) else {
            return Err(format!("`%{name}` is a {ty}, which has no elements; formulas read tiles and buffers"));
        };
        let Some(element) = elements.element() else {
            return Err(format!("`%{name}` contains pointers, which formulas cannot use"));
        };
        let shape: Vec<u64> = elements.extents().into_iter().map(|extent| extent as u64).collect();
        let strides = launch::buffer::row_major(&shape).unwrap_or_default();
        Ok(launch::Value::Buffer(Buffer { element, shape, strides, bytes: elements.bytes() }))
    }
}
