//! Hovers for globals, entries, functions and modules.

use super::super::cursor::Cursor;
use super::super::{symbols, type_words};
use super::content::{Hover, code};
use super::facts;
use crate::db::{self, File};
use crate::ide::definition::symbol_name;
use crate::print;
use symbols::{Symbol, SymbolKind};

/// The hover for a symbol name.
pub(super) fn hover(db: &dyn salsa::Database, file: File, cursor: &Cursor) -> Option<Hover> {
    let name = symbol_name(cursor.word());
    let all = symbols::symbols(db, file);
    let own = find(&all, &|symbol| symbol.selection == cursor.word_range());
    let found = own.or_else(|| find(&all, &|symbol| symbol_name(&symbol.name) == name))?;
    let Symbol { name: written, detail, .. } = found;
    let text = match found.kind {
        SymbolKind::Global => {
            let ty = db::context(db, file).globals.get(&name);
            let words = ty.map_or(String::new(), |&ty| type_words::words(ty));
            let kept = "Stored in device memory; its contents persist across launches.";
            format!("{}\n{words} {kept}\n", code(&format!("global {written} : {detail}")))
        }
        SymbolKind::Entry => {
            let head = code(&format!("entry {written}{}", parameters(db, file, &name).unwrap_or_default()));
            head + &facts::cost_of_entry(db, file, &name)
        }
        SymbolKind::Function => function(db, file, &name)?,
        _ => code(&format!("{detail} {written}")),
    };
    Some(Hover { range: cursor.word_range(), text })
}

fn find<'a>(symbols: &'a [Symbol], fits: &dyn Fn(&Symbol) -> bool) -> Option<&'a Symbol> {
    symbols.iter().find_map(|symbol| if fits(symbol) { Some(symbol) } else { find(&symbol.children, fits) })
}

/// The declaration of a SIMT preview function, and the documentation of its op.
fn function(db: &dyn salsa::Database, file: File, name: &str) -> Option<String> {
    let functions = db::file_outline(db, file).functions.iter();
    let function = functions.map(|declared| &declared.function).find(|function| function.name() == name)?;
    Some(format!("{}\n{}\n", code(&print::declaration(function)), function.op.row().doc))
}

/// The parameters as `(%a: tile<f32>, …)`, on separate lines if there are several.
fn parameters(db: &dyn salsa::Database, file: File, name: &str) -> Option<String> {
    let items = db::layout(db, file).items.iter();
    let body = items.map(|&(_, item)| &db::lowered(db, item, file).body).find(|body| *body.name == *name)?;
    let args = body.regions[0].args.iter().zip(&body.params);
    let list: Vec<String> = args
        .map(|(&value, name)| {
            if name.starts_with(|first: char| first.is_alphanumeric() || "_$.-".contains(first)) {
                format!("%{name}: {}", body.ty(value))
            } else {
                body.ty(value).to_string()
            }
        })
        .collect();
    Some(match list.len() {
        0 | 1 => format!("({})", list.join("")),
        _ => format!("(\n  {}\n)", list.join(",\n  ")),
    })
}
