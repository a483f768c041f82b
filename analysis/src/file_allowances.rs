//! `allow` comments outside items: `// tile: allow(L0004) reason` above an entry, a global or the module. A comment
//! above an item applies to all of it.

use crate::diagnostic::{Diagnostic, Severity};
use crate::lower::{allowances, apply_allowances};
use crate::outline::Outline;
use crate::source::Spans;
use tile_syntax::{Node, NodeKind};

/// Removes allowed lints from the diagnostics of a file and adds diagnostics about the comments themselves. Also
/// removes the fix that requires a program without errors.
pub(crate) fn apply(text: &str, outline: &Outline, found: &mut Vec<Diagnostic>) {
    // Wrapping a program with errors in a module could cause further errors.
    if found.iter().any(|found| found.severity == Severity::Error) {
        found.iter_mut().for_each(|found| found.fixes.retain(|fix| !fix.whole_file));
    }
    let tree = &outline.tree;
    let mut comments = tree.tokens.comments().iter().map(|&(start, end)| &text[start as usize..end as usize]);
    if !comments.any(|comment| comment.trim_start_matches('/').trim_start().starts_with("tile:")) {
        return;
    }
    let is_statement = |kind| matches!(kind, NodeKind::Item | NodeKind::Op | NodeKind::Alias);
    let statements =
        tree.descendants(Node::ROOT).filter(|&node| is_statement(tree.kind(node))).map(|node| tree.range(node));
    let spans = Spans { statements: statements.collect(), ..Spans::default() };
    let (allowed, invalid) = allowances(text, tree, &spans);
    found.extend(invalid);
    apply_allowances(&allowed, text, &outline.context.options, found);
}
