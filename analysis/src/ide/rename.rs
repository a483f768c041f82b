//! Rename.
//!
//! Renames all [`references`], including those in directives. To detect conflicts, the entry is lowered again with the
//! new name: every use must still refer to the same value.

use super::cursor::{Cursor, Named};
use super::definition::{definition, symbol_name};
use super::references::{Reference, references};
use super::{forward, mentions};
use crate::db::{self, File};
use crate::diagnostic::Edit;
use crate::lower::{KnownTypes, Lowered, lower_item};
use std::ops::Range;
use tile_dialect::{Element, TYPE_NAMES};
use tile_syntax::{Node, NodeKind, Token, lex, parse_item};

/// A name that can be renamed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renamable {
    /// The range of the name at the cursor, in bytes of the file.
    pub range: Range<u32>,
    /// The name, with its sign.
    pub name: String,
}

/// Returns the name that would be renamed at an offset, or `None` if there is no name.
///
/// # Errors
///
/// If the name cannot be renamed, the reason.
pub fn prepare(db: &dyn salsa::Database, file: File, offset: u32) -> Result<Option<Renamable>, String> {
    let Some((range, kind)) = named(db, file, offset) else { return Ok(None) };
    let found = references(db, file, offset);
    let name = file.text(db)[range.start as usize..range.end as usize].to_string();
    if !found.iter().any(|reference| reference.is_definition) && kind != Sign::Symbol {
        return Err(format!("cannot rename `{name}`: it is not defined"));
    }
    if found.is_empty() {
        return Err(format!("`{name}` is not defined in this file"));
    }
    Ok(Some(Renamable { range, name }))
}

/// Returns the edits that rename the name at an offset.
///
/// # Errors
///
/// If the name cannot be renamed or the new name is invalid or taken, the reason.
pub fn rename(db: &dyn salsa::Database, file: File, offset: u32, new: &str) -> Result<Vec<Edit>, String> {
    let Some(found) = prepare(db, file, offset)? else { return Err("no name to rename here".to_string()) };
    let Some((_, sign)) = named(db, file, offset) else { return Err("no name to rename here".to_string()) };
    let new = sign.spell(new.trim())?;
    if new == found.name {
        return Ok(Vec::new());
    }
    let text = file.text(db);
    // At the definition of a pack, the references include those of all its values.
    let at = definition(db, file, offset).map_or(offset, |found| found.name.start);
    let mut edits: Vec<Edit> = references(db, file, at)
        .into_iter()
        .map(|reference| edit(text, &reference, sign, &new))
        .chain(generic_definition(db, file, sign, &found.name, &new))
        .collect();
    Edit::sort(&mut edits);
    edits.dedup();
    match sign {
        Sign::Value => check_same_meaning(db, file, &edits, &found.name, &new)?,
        Sign::Symbol => check_free_symbol(db, file, &new)?,
        Sign::TypeAlias | Sign::AttrAlias => check_free_alias(db, file, &new)?,
    }
    Ok(edits)
}

/// The kind of a name, given by its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Value,
    Symbol,
    TypeAlias,
    AttrAlias,
}

impl Sign {
    fn text(self) -> &'static str {
        match self {
            Sign::Value => "%",
            Sign::Symbol => "@",
            Sign::TypeAlias => "!",
            Sign::AttrAlias => "#",
        }
    }

    fn token(self) -> Token {
        match self {
            Sign::Value => Token::Value,
            Sign::Symbol => Token::Symbol,
            Sign::TypeAlias => Token::TypeName,
            Sign::AttrAlias => Token::AttrName,
        }
    }

    /// Returns the new name with its sign, which is optional in `new`, or an error if it is not a valid name.
    fn spell(self, new: &str) -> Result<String, String> {
        let bare = new.strip_prefix(self.text()).unwrap_or(new);
        let spelled = format!("{}{bare}", self.text());
        let tokens = lex(&spelled);
        let is_name = tokens.len() == 1 && tokens.kind(0) == self.token() && tokens.end(0) as usize == spelled.len();
        if bare.is_empty() {
            return Err("the new name is empty".to_string());
        }
        match self {
            _ if is_name && !(self.is_alias() && bare.contains('.')) => Ok(spelled),
            Sign::Symbol if !bare.contains(['"', '\\', '\n']) => Ok(format!("@\"{bare}\"")),
            Sign::Symbol => Err(format!("`{new}` is not a valid symbol name")),
            Sign::Value => Err(format!(
                "`{new}` is not a valid value name: expected digits, or a letter or `_` followed by letters, digits, `_`, `$` or `.`"
            )),
            Sign::TypeAlias | Sign::AttrAlias => Err(format!(
                "`{new}` is not a valid alias name: expected a letter or `_` followed by letters, digits, `_` or `$`"
            )),
        }
    }

    fn is_alias(self) -> bool {
        matches!(self, Sign::TypeAlias | Sign::AttrAlias)
    }
}

/// The range and the kind of the name at an offset. The range excludes the number after `#` in `%a#1`.
fn named(db: &dyn salsa::Database, file: File, offset: u32) -> Option<(Range<u32>, Sign)> {
    if let Some(mention) = mentions::mention_at(db, file, offset) {
        return Some((mention.range, Sign::Value));
    }
    if let Some(forward) = forward::name_at(file.text(db), offset) {
        return Some((forward.range, Sign::Symbol));
    }
    let cursor = Cursor::new(db, file, offset)?;
    match cursor.named()? {
        Named::Value(_) => {
            let (range, _) = cursor.value()?;
            Some((bare(file.text(db), cursor.in_file(&range)), Sign::Value))
        }
        Named::Symbol(_) => Some((cursor.word_range(), Sign::Symbol)),
        Named::Alias(_) if cursor.word().contains('.') => None,
        Named::Alias(_) if cursor.kind() == Token::TypeName => Some((cursor.word_range(), Sign::TypeAlias)),
        Named::Alias(_) => Some((cursor.word_range(), Sign::AttrAlias)),
    }
}

/// The range of `%a` in `%a#1` or `%a:2`.
fn bare(text: &str, range: Range<u32>) -> Range<u32> {
    let name = &text[range.start as usize..range.end as usize];
    let length = name.find(['#', ':']).unwrap_or(name.len());
    range.start..range.start + name[..length].trim_end().len() as u32
}

fn edit(text: &str, reference: &Reference, sign: Sign, new: &str) -> Edit {
    let range = match sign {
        Sign::Value => bare(text, reference.range.clone()),
        _ => reference.range.clone(),
    };
    Edit { range, content: new.to_string() }
}

/// The edit of a symbol's definition in generic form, where it is a quoted string.
fn generic_definition(db: &dyn salsa::Database, file: File, sign: Sign, old: &str, new: &str) -> Option<Edit> {
    let old = (sign == Sign::Symbol).then(|| symbol_name(old))?;
    let (range, _) = super::definition::symbol_definition(db, file, &old)?;
    let is_quoted = file.text(db)[range.start as usize..].starts_with('"');
    is_quoted.then(|| Edit { range, content: format!("\"{}\"", symbol_name(new)) })
}

/// Lowers the entries again with the edits applied, and returns an error if any use refers to another value.
fn check_same_meaning(
    db: &dyn salsa::Database,
    file: File,
    edits: &[Edit],
    old: &str,
    new: &str,
) -> Result<(), String> {
    let changed = db::layout(db, file).items.iter().filter_map(|&(start, item)| {
        let mut text = item.text(db).to_string();
        let within = start..start + text.len() as u32;
        let inside = edits.iter().rev().filter(|edit| within.contains(&edit.range.start));
        let count = inside.clone().count();
        for edit in inside {
            text.replace_range((edit.range.start - start) as usize..(edit.range.end - start) as usize, &edit.content);
        }
        (count > 0).then_some((item, text))
    });
    let used = |lowered: &Lowered| lowered.spans.uses.iter().map(|(_, value)| *value).collect::<Vec<_>>();
    let codes = |lowered: &Lowered| lowered.diagnostics.iter().map(|found| found.page.code).collect::<Vec<_>>();
    for (item, text) in changed {
        let before = db::lowered(db, item, file);
        let after = lower_item(&text, &parse_item(&text), db::context(db, file), &mut KnownTypes::default());
        if used(before) != used(&after) || codes(before) != codes(&after) {
            return Err(format!("`{new}` already names another value where `{old}` is defined or used"));
        }
    }
    Ok(())
}

fn check_free_symbol(db: &dyn salsa::Database, file: File, new: &str) -> Result<(), String> {
    let name = symbol_name(new);
    let outline = db::file_outline(db, file);
    let is_global = outline.globals.iter().any(|(global, _)| global.name == name);
    let is_entry = || db::layout(db, file).items.iter().any(|&(_, item)| db::lowered(db, item, file).body.name == name);
    if is_global || is_entry() {
        let kind = if is_global { "a global" } else { "an entry" };
        return Err(format!("{kind} `{new}` already exists"));
    }
    Ok(())
}

fn check_free_alias(db: &dyn salsa::Database, file: File, new: &str) -> Result<(), String> {
    let tree = &db::file_outline(db, file).tree;
    let text = file.text(db);
    if tree.children_of(Node::ROOT, NodeKind::Alias).any(|alias| tree.first_text(alias, text) == new) {
        return Err(format!("an alias `{new}` already exists"));
    }
    if TYPE_NAMES.contains(&&new[1..]) || Element::from_name(&new[1..]).is_some() {
        return Err(format!("`{}` is a built-in type and cannot be the name of an alias", &new[1..]));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
