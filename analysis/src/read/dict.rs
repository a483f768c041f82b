//! The entries of a dictionary.

use tile_syntax::{Node, NodeKind, Tree};

/// An entry of a dictionary.
pub(crate) struct Entry<'t> {
    pub(crate) name: &'t str,
    pub(crate) node: Node,
    /// Its value; `None` for a name alone.
    pub(crate) value: Option<Node>,
}

/// The entries of an op's properties and dictionary.
pub(crate) fn entries<'t>(tree: &Tree, text: &'t str, node: Node) -> Vec<Entry<'t>> {
    let dicts = [NodeKind::Properties, NodeKind::Dict].into_iter().filter_map(|kind| tree.child(node, kind));
    dicts.flat_map(|dict| entries_of(tree, text, dict)).collect()
}

/// The entries of a dictionary.
pub(crate) fn entries_of<'t>(tree: &Tree, text: &'t str, dict: Node) -> impl Iterator<Item = Entry<'t>> {
    tree.children_of(dict, NodeKind::DictEntry).map(move |node| Entry {
        name: tree.first_text(node, text).trim_matches('"'),
        node,
        value: tree.child(node, NodeKind::AttrValue),
    })
}
