//! The values that a formula can refer to at an op.

use super::Nesting;
use crate::worker::trace::Names;
use tile_analysis::ir::{Body, OpId, Value};
use tile_analysis::suggest;
use tile_launch::expr::{Expr, parse_expr};

/// The values in scope at an op, by name.
pub struct ValuesInScope<'a> {
    names: &'a Names<'a>,
    /// The names without `%`, in order of definition.
    visible: Vec<(String, Value)>,
}

impl<'a> ValuesInScope<'a> {
    /// The values in scope at an op.
    pub fn at(op: OpId, body: &Body, nesting: &Nesting, names: &'a Names<'a>) -> ValuesInScope<'a> {
        let named = |value: Value| (names.name(value).trim_start_matches('%').to_string(), value);
        ValuesInScope { names, visible: nesting.visible(body, op).into_iter().map(named).collect() }
    }

    /// The innermost value with a name without `%`.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.visible.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// Parses a formula of these values.
    pub fn parse(&self, formula: &str) -> Result<Expr, String> {
        let names: Vec<String> = self.visible.iter().map(|(name, _)| name.clone()).collect();
        let parsed = parse_expr(formula, &names).map_err(|error| error.to_string())?;
        let unknown = parsed.arguments().find(|(name, _)| self.value(name).is_none());
        let error = unknown.map(|(name, _)| self.unknown(name));
        error.map_or(Ok(parsed), Err)
    }

    /// The error for a name that is not in scope.
    fn unknown(&self, name: &str) -> String {
        if !self.names.values(name).is_empty() {
            return format!("`%{name}` is not in scope at this op");
        }
        let known: Vec<&str> = self.visible.iter().map(|(name, _)| name.as_str()).collect();
        match suggest::closest(name, known) {
            Some(close) => format!("unknown value `%{name}`; did you mean `%{close}`?"),
            None => format!("unknown value `%{name}`"),
        }
    }
}
