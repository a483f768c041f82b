//! Which statements a syntax error touches: they stay as they are.

use tile_syntax::{ErrorKind, Expected, Node, NodeKind, SyntaxError, Tree};

/// The tokens of a tree at which something is wrong.
pub(crate) struct Taint {
    /// How many tokens are wrong in front of each token; empty where nothing is.
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

    /// Whether something is wrong in a statement itself, the statements in its regions not counted.
    pub(crate) fn touches(&self, tree: &Tree, statement: Node) -> bool {
        !self.before.is_empty()
            && (tree.kind(statement) == NodeKind::Error || self.count(tree, statement) > self.nested(tree, statement))
    }

    fn count(&self, tree: &Tree, node: Node) -> u32 {
        let tokens = tree.tokens_of(node);
        self.before[tokens.end] - self.before[tokens.start]
    }

    /// What is wrong in the statements of a node's regions.
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
        // Where a region lacks its end, what stands in it is still right.
        ErrorKind::Expected(Expected::Text("}")) => None,
        // What is missing is missing behind the token before, which may belong to another statement than the token here.
        ErrorKind::Expected(_) if error.range.is_empty() => tokens.at(error.range.start).checked_sub(1),
        ErrorKind::Expected(_) => Some(tokens.at(error.range.start).saturating_sub(1)),
        _ => Some(tokens.at(error.range.start)),
    }
}
