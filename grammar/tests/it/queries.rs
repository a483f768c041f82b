//! The queries compile, and capture what editors expect.

use streaming_iterator::StreamingIterator;
use tree_sitter::{Query, QueryCursor};

const PROGRAM: &str = "\
cuda_tile.module @m {
  // One.
  // Two.
  entry @e(%p: tile<ptr<f32>>) {
    %a, %b:2 = foo %p : tile<ptr<f32>> -> token
    for %i in (%a to %b#1, step %a) : tile<i32> iter_values(%c = %a) -> (token) {
      continue %c : token
    }
  }
}
";

/// The texts that a query captures under a name.
fn captured<'text>(query: &str, name: &str, text: &'text str) -> Vec<&'text str> {
    let query = Query::new(&crate::language(), query).expect("the query compiles");
    let index = query.capture_index_for_name(name).unwrap_or_else(|| panic!("no capture {name}"));
    let tree = crate::parse(text);
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(&query, tree.root_node(), text.as_bytes());
    let mut texts = Vec::new();
    while let Some((found, at)) = captures.next() {
        let capture = found.captures[*at];
        if capture.index == index {
            texts.push(&text[capture.node.byte_range()]);
        }
    }
    texts
}

/// The first line of each capture.
fn heads<'text>(query: &str, name: &str) -> Vec<&'text str> {
    captured(query, name, PROGRAM).into_iter().filter_map(|text| text.lines().next()).collect()
}

#[test]
fn every_query_compiles() {
    for query in [
        tree_sitter_tile::HIGHLIGHTS_QUERY,
        tree_sitter_tile::FOLDS_QUERY,
        tree_sitter_tile::INDENTS_QUERY,
        tree_sitter_tile::LOCALS_QUERY,
        tree_sitter_tile::TEXTOBJECTS_QUERY,
    ] {
        Query::new(&crate::language(), query).expect("the query compiles");
    }
}

#[test]
fn locals_distinguish_definitions_from_references() {
    let query = tree_sitter_tile::LOCALS_QUERY;
    assert_eq!(captured(query, "local.definition.var", PROGRAM), ["%a", "%b"]);
    assert_eq!(captured(query, "local.definition.parameter", PROGRAM), ["%p", "%i", "%c"]);
    assert_eq!(captured(query, "local.scope", PROGRAM).len(), 9);
}

#[test]
fn text_objects_find_entries_ops_and_parameters() {
    let query = tree_sitter_tile::TEXTOBJECTS_QUERY;
    assert_eq!(heads(query, "function.outer"), ["entry @e(%p: tile<ptr<f32>>) {"]);
    assert_eq!(heads(query, "class.outer"), ["cuda_tile.module @m {"]);
    assert_eq!(heads(query, "statement.outer").len(), 5);
    assert_eq!(heads(query, "assignment.lhs"), ["%a, %b:2"]);
    assert_eq!(heads(query, "parameter.outer"), ["%p: tile<ptr<f32>>", "%p", "%a", "%b", "%a", "%c = %a", "%c"]);
}

#[test]
fn regions_fold_and_indent() {
    assert_eq!(captured(tree_sitter_tile::INDENTS_QUERY, "outdent", PROGRAM), [")", ")", ")", ")", "}", "}", "}"]);
    let folds = captured(tree_sitter_tile::FOLDS_QUERY, "fold", PROGRAM);
    assert_eq!(folds.iter().filter(|text| text.starts_with('{')).count(), 3);
    assert_eq!(folds.iter().filter(|text| text.starts_with("//")).count(), 2);
}
