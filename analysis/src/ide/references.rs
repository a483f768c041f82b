//! Find references.

use super::cursor::{Cursor, Named};
use super::definition::{defines, symbol_definition, symbol_name};
use super::{forward, mentions};
use crate::db::{self, File};
use crate::ir::Value;
use std::ops::Range;
use tile_syntax::{NodeKind, Token, Tree};

/// A reference to a value, a symbol or an alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The range of the name, in bytes of the file.
    pub range: Range<u32>,
    /// Whether this is the definition rather than a use.
    pub is_definition: bool,
}

/// All references to the name at an offset, in source order.
pub fn references(db: &dyn salsa::Database, file: File, offset: u32) -> Vec<Reference> {
    if let Some(mention) = mentions::mention_at(db, file, offset) {
        return of_value(db, file, mention.item, mention.value, false);
    }
    if let Some(forward) = forward::name_at(file.text(db), offset) {
        return symbols(db, file, &forward.name);
    }
    let Some(cursor) = Cursor::new(db, file, offset) else { return Vec::new() };
    match (cursor.named(), cursor.lowered) {
        (Some(Named::Value(value)), Some(lowered)) => {
            let items = &db::layout(db, file).items;
            let Some(item) = items.iter().position(|(start, _)| *start == cursor.base) else { return Vec::new() };
            let on_definition = cursor.value().is_some_and(|(range, _)| range == lowered.spans.definition(value));
            of_value(db, file, item, value, on_definition)
        }
        (Some(Named::Symbol(name)), _) => symbols(db, file, &name),
        (Some(Named::Alias(name)), _) => aliases(db, file, &name),
        _ => Vec::new(),
    }
}

/// The references to a value of an item, which is given by its index. With `entire_pack`, the references to all values
/// of its pack. A parameter shares its name with those of the forward kernels of its launches, and they are its
/// references too.
fn of_value(db: &dyn salsa::Database, file: File, item: usize, value: Value, entire_pack: bool) -> Vec<Reference> {
    let items = &db::layout(db, file).items;
    let body = &db::lowered(db, items[item].1, file).body;
    let index = body.regions.first().and_then(|region| region.args.iter().position(|&arg| arg == value));
    let Some(name) = index.and_then(|index| body.params.get(index)) else {
        return in_item(db, file, items[item], value, entire_pack);
    };
    let mut found = Vec::new();
    for other in forward::sharing(db, file, item) {
        let (start, other) = items[other];
        if let Some(param) = mentions::param(&db::lowered(db, other, file).body, name) {
            found.extend(in_item(db, file, (start, other), param, false));
        }
        let above = mentions::mentions(file.text(db), start, name);
        found.extend(above.map(|range| Reference { range, is_definition: false }));
    }
    found.sort_by_key(|reference| reference.range.start);
    found
}

/// The references to a value in its item.
fn in_item(
    db: &dyn salsa::Database,
    file: File,
    (start, item): (u32, db::Item),
    value: Value,
    entire_pack: bool,
) -> Vec<Reference> {
    let lowered = db::lowered(db, item, file);
    let spans = &lowered.spans;
    let definition = spans.definition(value);
    let matches = |other: Value| other == value || entire_pack && spans.definition(other) == definition;
    let in_file = |range: &Range<u32>| range.start + start..range.end + start;
    let mut found: Vec<Reference> = Vec::new();
    if defines(lowered, value) {
        found.push(Reference { range: in_file(&definition), is_definition: true });
    }
    let uses = spans.uses.iter().filter(|(_, used)| matches(*used));
    found.extend(uses.map(|(range, _)| Reference { range: in_file(range), is_definition: false }));
    found.sort_by_key(|reference| reference.range.start);
    found
}

fn symbols(db: &dyn salsa::Database, file: File, name: &str) -> Vec<Reference> {
    let definition = symbol_definition(db, file, name).map(|(name, _)| name);
    let text = file.text(db);
    let forwards = forward::names(text, 0..text.len()).into_iter().filter(|forward| *forward.name == *name);
    let mut ranges: Vec<Range<u32>> = tokens(db, file, Token::Symbol, |text| *symbol_name(text) == *name).collect();
    ranges.extend(forwards.map(|forward| forward.range));
    ranges.sort_by_key(|range| range.start);
    let reference = |range| Reference { is_definition: definition.as_ref() == Some(&range), range };
    ranges.into_iter().map(reference).collect()
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

/// The ranges of all tokens of a kind with matching text, in source order.
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
    fn of_a_parameter_in_the_directives_of_its_entry() {
        let text = "cuda_tile.module @m {\n  //@ launch\n  //@   %p = f32[8] zeros\n  entry @other(%p: tile<ptr<f32>>) {\n  }\n  \
                    //@ launch\n  //@   %p = f32[8] zeros\n  //@ expect %p == %pp + 2*%p\n  entry @k(%$0p: tile<ptr<f32>>) {\n    \
                    %q = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>\n  }\n}\n";
        let expected = [
            "//@   [%p] = f32[8] zeros",
            "//@ expect [%p] == %pp + 2*[%p]",
            "entry @k([%p]: tile<ptr<f32>>) {",
            "%q = ptr_to_int [%p] : tile<ptr<f32>> -> tile<i64>",
        ];
        // Brackets in the program itself are not marks, so look for `[%`.
        let shown = |text: &str| {
            let (db, file, offset) = cursor(text);
            let found = references(&db, file, offset);
            let shown = marked(text, found.into_iter().map(|reference| reference.range));
            let lines = shown.lines().map(str::trim).filter(|line| line.contains("[%"));
            lines.map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(shown(text), expected);
        assert_eq!(shown(&text.replace("$0", "").replace("2*%p", "2*%$0p")), expected);
    }

    #[test]
    fn of_the_names_in_launches_with_a_forward_kernel() {
        let text = "cuda_tile.module @m {\n  entry @f(%x: tile<ptr<f32>>, %n: tile<i32>) {\n    %q = addi %n, %n : tile<i32>\n  }\n  \
                    //@ launch\n  //@   %x = f32[8] zeros\n  //@   %n = 1\n  //@ forward @f\n  //@ expect %x == %x @f\n  entry @k(%x: tile<ptr<f32>>) {\n  }\n  \
                    //@ launch\n  //@   %x = f32[8] zeros\n  entry @other(%x: tile<ptr<f32>>) {\n  }\n}\n";
        let shown = |from: &str, to: &str| {
            let text = text.replacen(from, to, 1);
            let (db, file, offset) = cursor(&text);
            let found = references(&db, file, offset);
            let shown = marked(&text, found.into_iter().map(|reference| reference.range));
            let lines = shown.lines().map(str::trim).filter(|line| line.contains("[%") || line.contains("[@"));
            lines.map(str::to_string).collect::<Vec<_>>()
        };
        let entry = ["entry [@f](%x: tile<ptr<f32>>, %n: tile<i32>) {", "//@ forward [@f]"];
        assert_eq!(shown("entry @f", "entry @$0f"), entry);
        assert_eq!(shown("forward @f", "forward @$0f"), entry);
        let shared = [
            "entry @f([%x]: tile<ptr<f32>>, %n: tile<i32>) {",
            "//@   [%x] = f32[8] zeros",
            "//@ expect [%x] == [%x] @f",
            "entry @k([%x]: tile<ptr<f32>>) {",
        ];
        assert_eq!(shown("@f(%x", "@f(%$0x"), shared);
        assert_eq!(shown("@k(%x", "@k(%$0x"), shared);
        assert_eq!(shown("//@   %x", "//@   %$0x"), shared);
        let other = ["//@   [%x] = f32[8] zeros", "entry @other([%x]: tile<ptr<f32>>) {"];
        assert_eq!(shown("@other(%x", "@other(%$0x"), other);
        assert_eq!(shown("//@   %n", "//@   %$0n").len(), 3);
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
    fn the_same_name_in_another_entry_is_another_value() {
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
