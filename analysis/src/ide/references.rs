//! Every place where the thing at an offset is named.

use super::cursor::{Cursor, Named};
use super::definition::{defines, symbol_definition, symbol_name};
use crate::db::{self, File};
use crate::ir::Value;
use crate::lower::Lowered;
use std::ops::Range;
use tile_syntax::{NodeKind, Token, Tree};

/// One place, in bytes of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The name there.
    pub range: Range<u32>,
    /// Whether it is defined there rather than used.
    pub is_definition: bool,
}

/// All places that name what stands at an offset, in the order of the text.
pub fn references(db: &dyn salsa::Database, file: File, offset: u32) -> Vec<Reference> {
    let Some(cursor) = Cursor::new(db, file, offset) else { return Vec::new() };
    match (cursor.named(), cursor.lowered) {
        (Some(Named::Value(value)), Some(lowered)) => values(&cursor, lowered, value),
        (Some(Named::Symbol(name)), _) => symbols(db, file, &name),
        (Some(Named::Alias(name)), _) => aliases(db, file, &name),
        _ => Vec::new(),
    }
}

/// The uses of a value. On the name of a pack they are those of all its values.
fn values(cursor: &Cursor, lowered: &Lowered, value: Value) -> Vec<Reference> {
    let spans = &lowered.spans;
    let definition = spans.definition(value);
    let on_definition = cursor.value().is_some_and(|(range, _)| range == definition);
    let is_meant = |other: Value| other == value || on_definition && spans.definition(other) == definition;
    let mut found: Vec<Reference> = Vec::new();
    if defines(lowered, value) {
        found.push(Reference { range: cursor.in_file(&definition), is_definition: true });
    }
    let uses = spans.uses.iter().filter(|(_, used)| is_meant(*used));
    found.extend(uses.map(|(range, _)| Reference { range: cursor.in_file(range), is_definition: false }));
    found.sort_by_key(|reference| reference.range.start);
    found
}

fn symbols(db: &dyn salsa::Database, file: File, name: &str) -> Vec<Reference> {
    let definition = symbol_definition(db, file, name).map(|(name, _)| name);
    tokens(db, file, Token::Symbol, |text| *symbol_name(text) == *name)
        .map(|range| Reference { is_definition: definition.as_ref() == Some(&range), range })
        .collect()
}

fn aliases(db: &dyn salsa::Database, file: File, name: &str) -> Vec<Reference> {
    let kind = if name.starts_with('!') { Token::TypeName } else { Token::AttrName };
    let tree = &db::file_outline(db, file).tree;
    let starts: Vec<u32> = tree
        .children_of(tile_syntax::Node::ROOT, NodeKind::Alias)
        .map(|node| tree.tokens.start(tree.tokens_of(node).start))
        .collect();
    tokens(db, file, kind, |text| text == name)
        .map(|range| Reference { is_definition: starts.contains(&range.start), range })
        .collect()
}

/// The places of all tokens of a kind whose text fits, in the order of the text.
fn tokens(
    db: &dyn salsa::Database,
    file: File,
    kind: Token,
    fits: impl Fn(&str) -> bool,
) -> std::vec::IntoIter<Range<u32>> {
    let mut found = Vec::new();
    let mut search = |tree: &Tree, text: &str, base: u32| {
        let tokens = &tree.tokens;
        let all = (0..tokens.len()).filter(|&token| tokens.kind(token) == kind && fits(tokens.text(token, text)));
        found.extend(all.map(|token| tokens.start(token) + base..tokens.end(token) + base));
    };
    search(&db::file_outline(db, file).tree, file.text(db), 0);
    for &(start, item) in &db::layout(db, file).items {
        search(db::syntax(db, item), item.text(db), start);
    }
    found.sort_by_key(|range| range.start);
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, entry, marked};
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let (db, file, offset) = cursor(text);
        let found = references(&db, file, offset);
        let shown = marked(text, found.into_iter().map(|reference| reference.range));
        let lines: Vec<&str> = shown.lines().map(str::trim).filter(|line| line.contains('[')).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn of_a_value() {
        let text = entry("    %a = iota : tile<8xi32>\n    %b = addi $0%a, %a : tile<8xi32>");
        check(&text, &["[%a] = iota : tile<8xi32>", "%b = addi [%a], [%a] : tile<8xi32>"]);
    }

    #[test]
    fn of_one_of_a_pack_and_of_the_whole_pack() {
        let body = "    %a:3 = get_tile_block_id : tile<i32>\n    %b = addi %a#1, %a#0 : tile<i32>";
        check(
            &entry(&body.replace("addi %a", "addi %$0a")),
            &["[%a]:3 = get_tile_block_id : tile<i32>", "%b = addi [%a#1], %a#0 : tile<i32>"],
        );
        check(
            &entry(&body.replace("%a:3", "$0%a:3")),
            &["[%a]:3 = get_tile_block_id : tile<i32>", "%b = addi [%a#1], [%a#0] : tile<i32>"],
        );
    }

    #[test]
    fn names_shadowed_in_another_entry_are_others() {
        let text = "cuda_tile.module @m {\n  entry @a() {\n    %x = iota : tile<8xi32>\n    %y = negi %$0x : tile<8xi32>\n  \
                    }\n  entry @b() {\n    %x = iota : tile<8xi32>\n  }\n}\n";
        check(text, &["[%x] = iota : tile<8xi32>", "%y = negi [%x] : tile<8xi32>"]);
    }

    #[test]
    fn of_a_global_in_all_entries() {
        let text = "cuda_tile.module @m {\n  global @$0g <f32: [1.0]> : tile<1xf32>\n  entry @a() {\n    %g = get_global @g : \
                    tile<ptr<f32>>\n  }\n  entry @b() {\n    %g = get_global @\"g\" : tile<ptr<f32>>\n  }\n}\n";
        check(
            text,
            &[
                "global [@g] <f32: [1.0]> : tile<1xf32>",
                "%g = get_global [@g] : tile<ptr<f32>>",
                "%g = get_global [@\"g\"] : tile<ptr<f32>>",
            ],
        );
    }

    #[test]
    fn the_definition_is_marked() {
        let (db, file, offset) = cursor(&entry("    %a = iota : tile<8xi32>\n    %b = negi $0%a : tile<8xi32>"));
        let found: Vec<bool> = references(&db, file, offset).iter().map(|found| found.is_definition).collect();
        assert_eq!(found, [true, false]);
    }
}
