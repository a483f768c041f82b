//! Go to definition.

use super::cursor::{Cursor, Named};
use super::{forward, mentions};
use crate::db::{self, File};
use crate::lower::Lowered;
use crate::read::attr;
use std::ops::Range;
use tile_syntax::NodeKind;

/// A definition. Ranges are in bytes of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The word at the cursor.
    pub origin: Range<u32>,
    /// The defined name.
    pub name: Range<u32>,
    /// The whole definition.
    pub full: Range<u32>,
}

/// Finds the definition of the name at an offset.
pub fn definition(db: &dyn salsa::Database, file: File, offset: u32) -> Option<Definition> {
    if let Some(mention) = mentions::mention_at(db, file, offset) {
        let (start, item) = db::layout(db, file).items[mention.item];
        let name = db::lowered(db, item, file).spans.definition(mention.value);
        let name = name.start + start..name.end + start;
        return Some(Definition { origin: mention.range, full: name.clone(), name });
    }
    if let Some(forward) = forward::name_at(file.text(db), offset) {
        let (name, full) = symbol_definition(db, file, &forward.name)?;
        return Some(Definition { origin: forward.range, name, full });
    }
    let cursor = Cursor::new(db, file, offset)?;
    match cursor.named()? {
        Named::Value(value) => {
            let lowered = cursor.lowered?;
            let (origin, _) = cursor.value()?;
            let name = lowered.spans.definition(value);
            let full = statement_of(lowered, value).unwrap_or(name.clone());
            let is_own = origin.start >= name.start && origin.end <= name.end;
            (!is_own || defines(lowered, value)).then(|| Definition {
                origin: cursor.in_file(&origin),
                name: cursor.in_file(&name),
                full: cursor.in_file(&full),
            })
        }
        Named::Symbol(symbol) => {
            let (name, full) = symbol_definition(db, file, &symbol)?;
            Some(Definition { origin: cursor.word_range(), name, full })
        }
        Named::Alias(alias) => {
            let (name, full) = alias_definition(db, file, &alias)?;
            Some(Definition { origin: cursor.word_range(), name, full })
        }
    }
}

/// The statement that defines a value.
fn statement_of(lowered: &Lowered, value: crate::ir::Value) -> Option<Range<u32>> {
    let op = lowered.body.defining_op(value)?;
    Some(lowered.spans.statements[op.0 as usize].clone())
}

/// Reports whether an op or a region defines the value. An undeclared name is lowered to a value without a definition.
pub(super) fn defines(lowered: &Lowered, value: crate::ir::Value) -> bool {
    lowered.body.def(value).is_some()
}

/// The ranges of the name and of the whole definition of a global, an entry or a function.
pub(super) fn symbol_definition(
    db: &dyn salsa::Database,
    file: File,
    symbol: &str,
) -> Option<(Range<u32>, Range<u32>)> {
    let outline = db::file_outline(db, file);
    let globals = outline.globals.iter().map(|(global, name)| (&*global.name, name));
    let functions = outline.functions.iter();
    let functions = functions.map(|declared| (declared.function.name(), &declared.spans.name));
    if let Some((_, name)) = globals.chain(functions).find(|(name, _)| *name == symbol) {
        let token = outline.tree.tokens.at(name.start);
        let op = outline.tree.path_to(token).into_iter().rfind(|&node| outline.tree.kind(node) == NodeKind::Op);
        let full = op.map_or(name.clone(), |op| outline.tree.range(op));
        return Some((name.clone(), full));
    }
    let items = db::layout(db, file).items.iter();
    let found = items.map(|&(start, item)| (start, item, db::lowered(db, item, file)));
    let (start, item, lowered) = found.into_iter().find(|(_, _, lowered)| *lowered.body.name == *symbol)?;
    let name = lowered.spans.name.start + start..lowered.spans.name.end + start;
    Some((name, start..start + item.text(db).len() as u32))
}

/// The ranges of the name and of the whole definition of an alias.
pub(super) fn alias_definition(db: &dyn salsa::Database, file: File, alias: &str) -> Option<(Range<u32>, Range<u32>)> {
    let tree = &db::file_outline(db, file).tree;
    let text = file.text(db);
    let aliases = tree.children_of(tile_syntax::Node::ROOT, NodeKind::Alias);
    let node = aliases.into_iter().find(|&node| tree.first_text(node, text) == alias)?;
    let token = tree.tokens_of(node).start;
    Some((tree.tokens.start(token)..tree.tokens.end(token), tree.range(node)))
}

/// The name in a symbol token, without `@` and quotes.
pub(super) fn symbol_name(text: &str) -> Box<str> {
    attr::symbol(text)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, entry, marked};
    use super::*;
    use crate::ide::fixture;

    #[track_caller]
    fn check(text: &str, name: &str) {
        let (db, file, offset) = cursor(text);
        let found = definition(&db, file, offset);
        let shown = marked(text, found.map(|found| found.name));
        let line = shown.lines().find(|line| line.contains('[') && line.contains(name)).unwrap_or("nothing");
        assert!(line.contains(name), "{shown}");
    }

    #[test]
    fn of_a_value() {
        check(&entry("    %a = iota : tile<8xi32>\n    %b = addi $0%a, %a : tile<8xi32>"), "[%a] = iota");
        check(&entry("    %a = iota : tile<8xi32>\n    %b = addi %a$0, %a : tile<8xi32>"), "[%a] = iota");
    }

    #[test]
    fn of_one_of_a_pack() {
        let text = entry("    %a:3 = get_tile_block_id : tile<i32>\n    %b = addi %a#$01, %a#0 : tile<i32>");
        check(&text, "[%a]:3");
    }

    #[test]
    fn of_a_parameter_and_of_a_block_argument() {
        check(&entry("    %q = offset %$0p, %p : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>"), "[%p]: tile");
        let text = entry(
            "    %i = iota : tile<8xi32>\n    %s = reduce %i dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> \
             (%x: tile<i32>, %y: tile<i32>) {\n      %z = addi %$0x, %y : tile<i32>\n      yield %z : tile<i32>\n    }",
        );
        check(&text, "([%x]: tile");
    }

    #[test]
    fn of_a_global_and_of_an_alias() {
        let text = "!t = tile<8xi32>\ncuda_tile.module @m {\n  global @g <f32: [1.0]> : tile<1xf32>\n  entry @k() {\n    \
                    %g = get_global @$0g : tile<ptr<f32>>\n    %i = iota : !t\n  }\n}\n";
        check(text, "global [@g]");
        check(&text.replace("$0", "").replace(": !t", ": !$0t"), "[!t] = tile");
    }

    #[test]
    fn of_a_function() {
        let text = "cuda_tile.module @m {\n  preview$func extern @f(%x: tile<f32>)\n  preview$extern_impl @f_impl implements \
                    @$0f(%x: preview$fragment<1xf32>)\n  entry @k() {\n    preview$call @f() : () -> ()\n  }\n}\n";
        for text in [text.to_string(), text.replace("$0", "").replace("call @f", "call @$0f")] {
            let (db, file, offset) = fixture::cursor_in_preview(&text);
            let found = definition(&db, file, offset).expect("a definition");
            assert_eq!(&file.text(&db)[found.name.start as usize - 7..found.name.end as usize], "extern @f");
        }
    }

    #[test]
    fn of_a_parameter_that_a_directive_names() {
        let text = "cuda_tile.module @m {\n  //@ launch\n  //@   %$0p = f32[8] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n  }\n}\n";
        check(text, "entry @k([%p]: tile");
    }

    #[test]
    fn of_the_names_in_a_launch_with_a_forward_kernel() {
        let text = "cuda_tile.module @m {\n  entry @f(%y: tile<ptr<f32>>) {\n  }\n  //@ launch\n  //@   %y = f32[1] zeros\n  \
                    //@ forward @f\n  entry @k() {\n  }\n}\n";
        check(&text.replace("forward @f", "forward @$0f"), "entry [@f](%y");
        check(&text.replace("//@   %y", "//@   %$0y"), "entry @f([%y]: tile");
    }

    #[test]
    fn next_to_a_broken_line() {
        let text = entry("    %a = iota : tile<8xi32>\n    %x = addi %a,\n    %b = addi %$0a, %a : tile<8xi32>");
        check(&text, "[%a] = iota");
    }

    #[test]
    fn an_undeclared_value_has_no_definition() {
        let (db, file, offset) = fixture::cursor(&entry("    %b = negf %$0nope : tile<f32>"));
        assert_eq!(definition(&db, file, offset), None);
    }
}
