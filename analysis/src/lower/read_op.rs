//! Reading the parts of an op from the tree.

use super::Lowerer;
use super::op_syntax::OpSyntax;
use super::scope::Undeclared;
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::ir::Value;
use crate::read::attr::AttrReader;
use tile_syntax::{MAX_ERRORS, NO_SLOT, Node, NodeKind};

impl Lowerer<'_> {
    /// Reads the parts of an op, resolving its operands and types.
    pub(super) fn parts(&mut self, node: Node) -> OpSyntax {
        let mut parts = OpSyntax::default();
        let mut wrong_types = Vec::new();
        let mut own_uses = Vec::new();
        let is_misread = self.has_line_error(node);
        for child in self.tree.children(node) {
            let slot = self.tree.slot(child);
            match self.tree.kind(child) {
                NodeKind::Result => parts.results.push(self.result_name(child)),
                NodeKind::OpName => parts.name = Some(child),
                NodeKind::Operand => {
                    let value = match self.own_result(child, &parts.results) {
                        Some(wrong) => {
                            self.spans.undeclared.push(wrong.range.clone());
                            if own_uses.len() < MAX_ERRORS {
                                own_uses.push(wrong);
                            }
                            let stand_in = self.unknown_value(self.range(child));
                            let name = &self.tree.first_text(child, self.text)[1..];
                            let undeclared = Undeclared { stand_in, problem: None, depth: 0 };
                            self.names.undeclared.insert(name, undeclared);
                            stand_in
                        }
                        None => self.resolve(child),
                    };
                    parts.operands.push((slot, child, value));
                    parts.mixed.push((slot, None));
                }
                NodeKind::Number => {
                    let number = self.number(child);
                    parts.mixed.push((slot, Some((number, child))));
                }
                NodeKind::Type => {
                    let (ty, mut found) = self.read_type(child);
                    // On a line with a syntax error, an unknown type name may be another part of the op.
                    let start = self.tree.range(child).start;
                    found.retain(|found| !is_misread || !found.is_unknown_type_at(start));
                    wrong_types.append(&mut found);
                    parts.types.push((slot, ty, child));
                }
                NodeKind::Attr => parts.attrs.push((slot, child)),
                NodeKind::Region => parts.regions.push((slot, child)),
                NodeKind::BlockArg => parts.block_args.push(child),
                NodeKind::Dict => parts.dict = Some(child),
                NodeKind::Location => parts.location = Some(child),
                NodeKind::Absent => parts.absent = Some(child),
                NodeKind::Error if slot != NO_SLOT => {
                    let stand_in = self.unknown_value(self.range(child));
                    parts.operands.push((slot, child, stand_in));
                    parts.mixed.push((slot, None));
                }
                NodeKind::Error => self.resolve_inside(child),
                _ => {}
            }
        }
        // Unreadable types take precedence over uses of the op's own results.
        if wrong_types.is_empty() {
            self.report_all(own_uses);
        }
        // The types depend on the operands. If the type of an operand could not be read, that is reported at its
        // definition.
        if !parts.operands.iter().any(|&(_, use_of, value)| self.was_unreadable(use_of, value)) {
            self.report_all(wrong_types);
        }
        parts
    }

    /// Whether there is a syntax error on the first line of an op.
    fn has_line_error(&self, node: Node) -> bool {
        let range = self.range(node);
        if !self.problems.has_syntax_error(&range) {
            return false;
        }
        let text = &self.text[range.start as usize..range.end as usize];
        let line = range.start..range.start + text.lines().next().unwrap_or_default().len() as u32;
        self.problems.syntax_errors_in(&line).any(|number| self.problems.syntax_place(number).start >= line.start)
    }

    /// A number among operands. Reports one that cannot be read.
    fn number(&mut self, node: Node) -> Option<i64> {
        let tokens = self.tree.tokens_of(node);
        let mut reader = AttrReader { text: self.text, tokens: &self.tree.tokens, at: tokens.start, end: tokens.end };
        reader.integer().map_err(|diagnostic| self.report(*diagnostic)).ok()
    }

    /// The problem of an operand that is the op's own result.
    fn own_result(&self, operand: Node, results: &[(usize, u32)]) -> Option<Diagnostic> {
        if results.is_empty() {
            return None;
        }
        let name = self.tree.first_text(operand, self.text);
        let is_own = results.iter().any(|&(token, _)| self.tree.tokens.text(token, self.text) == name);
        (is_own && self.names.scope.find(&name[1..]).is_none()).then(|| d::own_result(self.range(operand), &name[1..]))
    }

    /// Whether a value is defined, but with a type that could not be read.
    fn was_unreadable(&self, use_of: Node, value: Value) -> bool {
        if !self.builder.body().ty(value).is_unknown() {
            return false;
        }
        let name = self.tree.first_text(use_of, self.text);
        let known = self.names.undeclared.get(name.trim_start_matches('%'));
        known.is_none_or(|known| known.stand_in != value)
    }

    /// Marks values in unparsed text as used.
    fn resolve_inside(&mut self, node: Node) {
        for child in self.tree.descendants(node).skip(1) {
            let name = self.tree.first_text(child, self.text);
            // An undefined name may be a definition of this statement.
            if self.tree.kind(child) == NodeKind::Operand
                && self.names.scope.find(name.trim_start_matches('%')).is_some()
            {
                self.resolve(child);
            }
        }
    }

    fn result_name(&mut self, node: Node) -> (usize, u32) {
        let tokens = self.tree.tokens_of(node);
        let is_pack = tokens.len() == 3;
        let count = if is_pack { self.tree.tokens.text(tokens.start + 2, self.text).parse().unwrap_or(1) } else { 1 };
        if is_pack && !(1..=1 << 16).contains(&count) {
            self.report(d::malformed_attribute(self.token_range(tokens.start + 2), "a number of results", ""));
            return (tokens.start, 1);
        }
        (tokens.start, count)
    }
}
