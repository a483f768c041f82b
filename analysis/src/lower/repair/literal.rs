//! Fixes for literals and bare names in the position of values: the constant or the value to write instead.

use crate::lower::Lowerer;
use crate::lower::infer::Signature;
use crate::lower::op_syntax::OpSyntax;
use crate::lower::problem::Repair;
use crate::types::Type;
use tile_dialect::{Element, OpRow, OperandName};
use tile_syntax::{ErrorKind, Expected, Node, Token};

/// The most syntax errors of an item for which new names are generated, because each requires a search of the item.
const MAX_NEW_NAMES: usize = 100;

impl Lowerer<'_> {
    /// Offers a replacement for an operand that is a literal or a bare name.
    pub(super) fn offer_value(&mut self, op: Node, number: usize, signature: &Signature) {
        let range = self.tree.errors[number].range.clone();
        let word = &self.text[range.start as usize..range.end as usize];
        if self.names.scope.find(word).is_some() {
            return self.problems.repair(number, Repair::Value(word.to_string()));
        }
        let operand = signature.operands.iter().find(|operand| operand.place == range);
        let Some(ty) = operand.and_then(|operand| operand.stated) else { return };
        let Some(literal) = typed_literal(word, ty) else { return };
        if number >= MAX_NEW_NAMES {
            return;
        }
        let name = self.free_name(number);
        let statement = self.range(op).start;
        let line = self.text[..statement as usize].rfind('\n').map_or(0, |at| at + 1);
        let before = &self.text[line..statement as usize];
        let indent = before[..before.len() - before.trim_start().len()].to_string();
        let constant = format!("constant {literal} : {ty}");
        self.problems.repair(number, Repair::Constant { statement, indent, name, constant });
    }

    /// Offers the keyword before a token that follows the operands without it: `%p %t` for `%p token=%t`. Returns
    /// whether there is such a token.
    pub(super) fn offer_token(&mut self, row: &OpRow, parts: &OpSyntax, errors: &[usize]) -> bool {
        let body = self.builder.body();
        let tokens = parts.operands.iter().filter(|(.., value)| body.ty(*value) == Type::token());
        let starts: Vec<u32> = tokens.map(|&(_, node, _)| self.range(node).start).collect();
        let is_it = |&&number: &&usize| {
            let error = &self.tree.errors[number];
            error.kind == ErrorKind::Expected(Expected::Text(",")) && starts.contains(&error.range.start)
        };
        let Some(&number) = errors.iter().find(is_it).filter(|_| row.operand(OperandName::Token).is_some()) else {
            return false;
        };
        self.problems.repair(number, Repair::TokenKeyword);
        true
    }

    /// Offers to add the element type to a literal that lacks it.
    pub(super) fn offer_typed_literal(&mut self, number: usize, parts: &OpSyntax) {
        let range = self.tree.errors[number].range.clone();
        let word = &self.text[range.start as usize..range.end as usize];
        let Some(&(_, ty, _)) = parts.types.first() else { return };
        if let Some(literal) = typed_literal(word, ty) {
            self.problems.repair(number, Repair::Literal(literal));
        }
    }

    /// An unused name for a new value, different for each syntax error.
    fn free_name(&self, number: usize) -> String {
        let mut name = if number == 0 { "%cst".to_string() } else { format!("%cst_{number}") };
        let tokens = &self.tree.tokens;
        let is_taken = |name: &str| {
            (0..tokens.len()).any(|at| tokens.kind(at) == Token::Value && tokens.text(at, self.text) == name)
        };
        while is_taken(&name) {
            name.push('_');
        }
        name
    }
}

/// A literal with the element type of a tile, as in `constant`: `<f32: 1.0>`. `None` if the tile cannot contain it.
fn typed_literal(word: &str, ty: Type) -> Option<String> {
    let element = ty.as_tile()?.number()?;
    let is_truth = matches!(word, "true" | "false");
    let is_float = word.contains(['.', 'e', 'E']) && !is_truth;
    let is_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let is_list = word.starts_with('[');
    let literal = match element {
        Element::I1 if is_truth || is_list => word.to_string(),
        _ if is_truth || element == Element::I1 => return None,
        element if element.is_float() && is_number && !is_float && !word.contains('x') => format!("{word}.0"),
        element if is_number && is_float && !element.is_float() => return None,
        _ if is_number || is_list => word.to_string(),
        _ => return None,
    };
    Some(format!("<{}: {literal}>", element.name()))
}
