//! Comments outside of items that allow lints: `// tile: allow(L0004) reason` above an entry, a global or the module.
//! Above an item, it applies to all of it.

use crate::diagnostic::{Diagnostic, Severity};
use crate::lower::{allowances, apply_allowances};
use crate::source::Spans;
use tile_syntax::{Node, NodeKind, Tree};

/// Removes the allowed lints from the diagnostics of a file and adds those of the comments themselves, and removes the
/// fixes that need a program without errors. `tree` is that of the file's outline.
pub(crate) fn apply(text: &str, tree: &Tree, found: &mut Vec<Diagnostic>) {
    // A module around a program with errors could make more errors of them.
    if found.iter().any(|found| found.severity == Severity::Error) {
        found.iter_mut().for_each(|found| found.fixes.retain(|fix| !fix.whole_file));
    }
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
