//! Evaluates formulas.

use super::array::{Array, Data, size_of};
use super::cholesky::cholesky;
use super::elementwise::{apply, binary, choose, negate};
use super::index::{reshape, slice, transpose};
use super::matmul::matmul;
use super::reduce::{cumsum, reduce, softmax};
use super::sort::{argsort, sort};
use super::{ElementName, Expr, Node, NodeId, Op};
use crate::buffer::Value;
use crate::contents::Files;
use crate::error::LaunchError;
use crate::literal::Number;
use crate::npy;
use tile_analysis::suggest;

/// The names that a formula can refer to.
pub struct Scope<'a> {
    /// The arguments before the run, by name without `%`.
    pub args: &'a [(String, Value)],
    /// Reads the files of `npy("…")`.
    pub files: Files<'a>,
    /// The maximum number of elements of an intermediate array.
    pub max_elements: usize,
}

impl Expr {
    /// Evaluates the formula. The error has the range of the node that failed.
    pub fn eval(&self, scope: &Scope<'_>) -> Result<Array, LaunchError> {
        let mut values: Vec<Option<Array>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = Evaluation { scope, values: &mut values }.node(node);
            values.push(Some(value.map_err(|message| node_error(node, message, scope))?));
        }
        values.pop().flatten().ok_or_else(|| LaunchError::new(self.range(), "the formula is empty"))
    }
}

fn node_error(node: &Node, message: String, scope: &Scope<'_>) -> LaunchError {
    let error = LaunchError::new(node.range(), message);
    let Op::Argument(name) = &node.op else { return error };
    if scope.args.iter().any(|(known, _)| known == name) {
        return error;
    }
    let names: Vec<String> = scope.args.iter().map(|(name, _)| format!("%{name}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    error.help(suggest::did_you_mean(&format!("%{name}"), &names))
}

struct Evaluation<'a, 'b> {
    scope: &'a Scope<'b>,
    values: &'a mut Vec<Option<Array>>,
}

impl Evaluation<'_, '_> {
    /// Takes the value of an operand. Each node has only one use.
    fn take(&mut self, id: NodeId) -> Result<Array, String> {
        self.values.get_mut(id as usize).and_then(Option::take).ok_or_else(|| "the formula is damaged".to_string())
    }

    fn node(&mut self, node: &Node) -> Result<Array, String> {
        let most = self.scope.max_elements;
        match &node.op {
            Op::Number(number) => Ok(Array::scalar(**number)),
            Op::List(of) => list(&of.shape, &of.values, most),
            Op::Argument(name) => self.argument(name),
            Op::Npy(file, element) => self.npy(file, *element),
            Op::Arange(count) => arange(*count, most),
            Op::Negate(of) => self.take(*of).map(negate),
            Op::Map(function, of) => self.take(*of).map(|of| apply(*function, of)),
            Op::Binary(op, left, right) => binary(*op, self.take(*left)?, self.take(*right)?, most),
            Op::Matmul(left, right) => matmul(self.take(*left)?, self.take(*right)?, most),
            Op::Where(condition, yes, no) => choose(self.take(*condition)?, self.take(*yes)?, self.take(*no)?, most),
            Op::Reduce { kind, of, axes, keep } => reduce(*kind, self.take(*of)?, axes.as_deref(), *keep, most),
            Op::Cumsum { of, axis } => cumsum(self.take(*of)?, *axis),
            Op::Softmax { of, axis } => softmax(self.take(*of)?, *axis, most),
            Op::Sort { of, axis } => sort(self.take(*of)?, *axis),
            Op::Argsort { of, axis } => argsort(self.take(*of)?, *axis),
            Op::Cholesky(of) => cholesky(self.take(*of)?),
            Op::Transpose { of, axes } => transpose(self.take(*of)?, axes.as_deref()),
            Op::Reshape { of, shape } => reshape(self.take(*of)?, shape),
            Op::Slice { of, parts } => slice(self.take(*of)?, parts),
            Op::Cast { of, element } => self.take(*of).map(|of| cast(of, *element)),
        }
    }

    fn argument(&self, name: &str) -> Result<Array, String> {
        let found = self.scope.args.iter().find(|(known, _)| known == name);
        let (_, value) = found.ok_or_else(|| format!("this launch has no argument `%{name}`"))?;
        if *value == Value::Address {
            return Err(format!("`%{name}` is an address, which formulas cannot use"));
        }
        let array = Array::of(value).ok_or_else(|| format!("the memory of `%{name}` is shorter than its shape"))?;
        size_of(array.shape(), self.scope.max_elements)?;
        Ok(array)
    }

    fn npy(&self, file: &str, element: Option<ElementName>) -> Result<Array, String> {
        let bytes = (self.scope.files)(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
        npy::read_array(&bytes, element.map(|name| name.0), self.scope.max_elements)
            .map_err(|message| format!("`{file}`: {message}"))
    }
}

fn list(shape: &[usize], values: &[Number], most: usize) -> Result<Array, String> {
    size_of(shape, most)?;
    let whole = values.iter().map(|number| if let Number::Whole(value) = number { Some(*value as i64) } else { None });
    let data = match whole.collect() {
        Some(whole) => Data::Whole(whole),
        None => Data::Real(values.iter().map(|number| number.to_f64()).collect()),
    };
    Array::new(shape.to_vec(), data).ok_or_else(|| "the formula is damaged".to_string())
}

fn arange(count: u64, most: usize) -> Result<Array, String> {
    let extent = usize::try_from(count).unwrap_or(usize::MAX);
    size_of(&[extent], most)?;
    Ok(Array::with_data(vec![extent], Data::Whole((0..count as i64).collect())))
}

fn cast(of: Array, element: ElementName) -> Array {
    let shape = of.shape().to_vec();
    Array::with_data(shape, of.into_data().round_to(element.0))
}
