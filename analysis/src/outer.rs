//! Comments that allow lints and stand outside the items: `// tile: allow(L0004) reason` above an entry, a global or the
//! module. One above an item holds for all of it.

use crate::diagnostic::Diagnostic;
use crate::lower::{allowances, apply_allowances};
use crate::source::Spans;
use tile_syntax::{Node, NodeKind, Tree};

/// Takes away what is allowed of everything that was found in a file, and tells what is wrong with these comments. `tree` is
/// that of the file's outline.
pub(crate) fn apply(text: &str, tree: &Tree, found: &mut Vec<Diagnostic>) {
    let mut comments = tree.tokens.comments().iter().map(|&(start, end)| &text[start as usize..end as usize]);
    if !comments.any(|comment| comment.trim_start_matches('/').trim_start().starts_with("tile:")) {
        return;
    }
    let is_statement = |kind| matches!(kind, NodeKind::Item | NodeKind::Op | NodeKind::Alias);
    let statements =
        tree.descendants(Node::ROOT).filter(|&node| is_statement(tree.kind(node))).map(|node| tree.range(node));
    let spans = Spans { statements: statements.collect(), ..Spans::default() };
    let (allowed, amiss) = allowances(text, tree, &spans);
    found.extend(amiss);
    apply_allowances(&allowed, text, found);
}
