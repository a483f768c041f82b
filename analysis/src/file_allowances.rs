//! `allow` comments outside items: `// tile: allow(L0004) reason` above an entry, a global or the module. A comment
//! above an item applies to all of it.

use crate::diagnostic::{Diagnostic, Page};
use crate::lower::{allowances, apply_allowances};
use crate::outline::Outline;
use crate::source::Spans;
use tile_syntax::{Node, NodeKind};

/// Removes allowed lints from the diagnostics of a file, and returns diagnostics about the comments themselves. `place`
/// returns the page and the start of a diagnostic.
pub(crate) fn apply<T>(
    text: &str,
    outline: &Outline,
    found: &mut Vec<T>,
    place: impl Fn(&T) -> (&'static Page, u32),
) -> Vec<Diagnostic> {
    let tree = &outline.tree;
    let mut comments = tree.tokens.comments().iter().map(|&(start, end)| &text[start as usize..end as usize]);
    if !comments.any(|comment| comment.trim_start_matches('/').trim_start().starts_with("tile:")) {
        return Vec::new();
    }
    let is_statement = |kind| matches!(kind, NodeKind::Item | NodeKind::Op | NodeKind::Alias);
    let statements =
        tree.descendants(Node::ROOT).filter(|&node| is_statement(tree.kind(node))).map(|node| tree.range(node));
    let spans = Spans { statements: statements.collect(), ..Spans::default() };
    let (allowed, mut about_comments) = allowances(text, tree, &spans);
    about_comments.extend(apply_allowances(&allowed, text, &outline.context.options, found, place));
    about_comments
}
