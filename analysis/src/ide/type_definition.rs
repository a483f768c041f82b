//! Go to type definition: finds the alias that names the type of a value.

use super::cursor::{Cursor, Named};
use super::definition::{Definition, alias_definition, definition};
use crate::db::File;
use std::ops::Range;
use tile_dialect::form::Slot;
use tile_syntax::{Node, NodeKind, Token, Tree};

/// Finds the definition of the alias that names the type of the value at an offset. Built-in types have no definition.
pub fn type_definition(db: &dyn salsa::Database, file: File, offset: u32) -> Option<Definition> {
    let origin = Cursor::new(db, file, offset);
    let (origin, named) = match origin {
        Some(cursor) => (cursor.word_range(), cursor.named()),
        None => (offset..offset, None),
    };
    if matches!(named, Some(Named::Alias(_))) {
        return definition(db, file, offset);
    }
    let defined = definition(db, file, offset)?;
    let at = Cursor::new(db, file, defined.name.start)?;
    let rank = match Cursor::new(db, file, offset).and_then(|cursor| Some((cursor.lowered?, cursor.value()?.1))) {
        Some((lowered, value)) => lowered.spans.ranks[value.0 as usize],
        None => 0,
    };
    let ty = written_type(&at, rank)?;
    let tokens = at.tree.tokens_of(ty);
    let is_alias = tokens.len() == 1 && at.tree.tokens.kind(tokens.start) == Token::TypeName;
    let alias = at.tree.tokens.text(tokens.start, at.text);
    let (name, full): (Range<u32>, Range<u32>) = is_alias.then(|| alias_definition(db, file, alias))??;
    Some(Definition { origin, name, full })
}

/// The type written at the definition of a value.
fn written_type(at: &Cursor, rank: u32) -> Option<Node> {
    if let Some(param) = at.node(NodeKind::Param).or_else(|| at.node(NodeKind::BlockArg)) {
        return at.tree.child(param, NodeKind::Type);
    }
    let op = at.node(NodeKind::Op)?;
    let name = at.tree.child(op, NodeKind::OpName)?;
    let named = tile_dialect::lookup(at.tree.text(name, at.text))?;
    let result = result_index(at, op, rank);
    let is_of_result = |&ty: &Node| {
        let piece = named.form().types.get(at.tree.slot(ty) as usize);
        piece.is_some_and(|piece| piece.slots.iter().any(|slot| matches!(slot, Slot::Result(_))))
    };
    let own: Vec<Node> = at.tree.children_of(op, NodeKind::Type).filter(is_of_result).collect();
    let exact = |&&ty: &&Node| {
        let piece = &named.form().types[at.tree.slot(ty) as usize];
        piece.slots.contains(&Slot::Result(result as u8))
    };
    own.iter().find(exact).or_else(|| own.get(result)).or_else(|| own.last()).copied()
}

/// The index of the value among the results of its op.
fn result_index(at: &Cursor, op: Node, rank: u32) -> usize {
    let before = |tree: &Tree, result: &Node| tree.range(*result).end <= at.tree.tokens.start(at.token);
    at.tree.children_of(op, NodeKind::Result).filter(|result| before(at.tree, result)).count() + rank as usize
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, marked};
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: Option<&str>) {
        let text = format!(
            "!t = tile<8xi32>\n!p = tile<ptr<f32>>\ncuda_tile.module @m {{\n  //@ launch\n  //@   %q = f32[8] zeros\n  entry @k(%q: !p) {{\n{body}\n  }}\n}}\n"
        );
        let (db, file, offset) = cursor(&text);
        let found = type_definition(&db, file, offset).map(|found| marked(&text, [found.name]));
        let line = found.as_deref().and_then(|text| text.lines().find(|line| line.starts_with('[')));
        assert_eq!(line, expected);
    }

    #[test]
    fn of_results_parameters_and_aliases() {
        check("    %a = iota : !t\n    %b = negi $0%a : !t", Some("[!t] = tile<8xi32>"));
        check("    %$0a = iota : !t", Some("[!t] = tile<8xi32>"));
        check("    %a = iota : $0!t", Some("[!t] = tile<8xi32>"));
        check("    %a = ptr_to_int %$0q : !p -> tile<i64>", Some("[!p] = tile<ptr<f32>>"));
        check(
            "    %v, %tok = load_ptr_tko weak %q : !p -> !t, token\n    %b = negi $0%v : !t",
            Some("[!t] = tile<8xi32>"),
        );
    }

    #[test]
    fn built_in_types_have_no_definition() {
        check("    %a = iota : tile<8xi32>\n    %b = negi $0%a : !t", None);
        check("    %a = io$0ta : !t", None);
        check("    %b = negi $0%undeclared : !t", None);
    }
}
