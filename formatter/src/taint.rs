//! Finds the statements that a syntax error affects, which are left unchanged.

use tile_syntax::{ErrorKind, Expected, Node, NodeKind, SyntaxError, Tree};

/// The tokens of a tree that have errors.
pub(crate) struct Taint {
    /// Number of tokens with errors before each token; empty for a tree without errors.
    before: Vec<u32>,
}

impl Taint {
    pub(crate) fn of(tree: &Tree) -> Taint {
        if tree.errors.is_empty() {
            return Taint { before: Vec::new() };
        }
        let mut wrong = vec![false; tree.tokens.len() + 1];
        for error in &tree.errors {
            if let Some(token) = wrong_token(tree, error) {
                wrong[token] = true;
            }
        }
        let mut count = 0;
        let mut before = vec![0];
        before.extend(wrong.into_iter().map(|wrong| {
            count += u32::from(wrong);
            count
        }));
        Taint { before }
    }

    /// Whether a statement has an error outside the statements of its regions.
    pub(crate) fn touches(&self, tree: &Tree, statement: Node) -> bool {
        !self.before.is_empty()
            && (tree.kind(statement) == NodeKind::Error || self.count(tree, statement) > self.nested(tree, statement))
    }

    fn count(&self, tree: &Tree, node: Node) -> u32 {
        let tokens = tree.tokens_of(node);
        self.before[tokens.end] - self.before[tokens.start]
    }

    /// Number of tokens with errors in the statements of a node's regions.
    fn nested(&self, tree: &Tree, node: Node) -> u32 {
        let below = |child| match tree.kind(child) {
            NodeKind::Region => tree.children(child).map(|inner| self.count(tree, inner)).sum(),
            NodeKind::Error => self.nested(tree, child),
            _ => 0,
        };
        tree.children(node).map(below).sum()
    }
}

/// The token that shows which statement an error belongs to.
fn wrong_token(tree: &Tree, error: &SyntaxError) -> Option<usize> {
    let tokens = &tree.tokens;
    match error.kind {
        // The statements in a region without `}` are still valid.
        ErrorKind::Unclosed(_) | ErrorKind::Expected(Expected::Text("}")) => None,
        // Something is missing after the previous token. The token here can belong to another statement.
        ErrorKind::Expected(_) if error.range.is_empty() => tokens.at(error.range.start).checked_sub(1),
        ErrorKind::Expected(_) => Some(tokens.at(error.range.start).saturating_sub(1)),
        _ => Some(tokens.at(error.range.start)),
    }
}
