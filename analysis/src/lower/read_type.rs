//! Reading a type from the tree.

use super::Lowerer;
use super::problem::Problem;
use crate::read::ty::{self, TypeProblem};
use crate::types::Type;
use std::ops::Range;
use tile_syntax::Node;

impl<'a> Lowerer<'a> {
    /// The type of a node.
    pub(super) fn ty(&mut self, node: Node) -> Type {
        let (ty, found) = self.read_type(node);
        self.report_all(found);
        ty
    }

    /// The type of a node, and its problems unless they have been reported.
    pub(super) fn read_type(&mut self, node: Node) -> (Type, Vec<Problem<'a>>) {
        let text = self.tree.text(node, self.text);
        if let Some(known) = self.types.get(text) {
            return (known, Vec::new());
        }
        let tokens = self.tree.tokens_of(node);
        if tokens.is_empty() {
            return (Type::unknown(), Vec::new());
        }
        let place = self.range(node);
        let mut found = Vec::new();
        let ty = ty::read(self.text, &self.tree.tokens, tokens, self.context, &mut found);
        // The syntax error is more precise.
        let has_syntax_error = self.problems.has_syntax_error(&place);
        if has_syntax_error && !self.is_syntax_error_later(&place, &found) {
            found.clear();
        }
        let mut found: Vec<Problem> = found.into_iter().map(Problem::from).collect();
        if !ty.is_unknown() {
            found.extend(self.version_problems(node, ty));
            self.types.insert(text, ty, has_syntax_error || !found.is_empty());
        }
        (ty, found)
    }

    /// Whether the syntax error of a type is on a later line than its problem, and thus a consequence of it.
    fn is_syntax_error_later(&mut self, place: &Range<u32>, found: &[TypeProblem]) -> bool {
        let Some(wrong) = found.first() else { return false };
        let errors = self.problems.syntax_errors_in(place);
        let first = errors.clone().map(|error| self.problems.syntax_place(error).start).min();
        let between = first.and_then(|first| self.text.get(wrong.start() as usize..first as usize));
        let is_later = between.is_some_and(|between| between.contains('\n'));
        if is_later {
            self.problems.taint_missing_text(errors);
        }
        is_later
    }
}
