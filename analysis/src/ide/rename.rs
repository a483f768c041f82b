//! Giving something another name.
//!
//! What is renamed is what [`references`] finds, directives included. Whether a value's new name is free is not reasoned
//! about: the entry is understood once more with the new name, and every use must still mean the value that it meant.

use super::cursor::{Cursor, Named};
use super::definition::{definition, symbol_name};
use super::directive;
use super::references::{Reference, references};
use crate::db::{self, File};
use crate::diagnostic::Edit;
use crate::lower::{KnownTypes, Lowered, lower_item};
use std::ops::Range;
use tile_dialect::{Element, TYPE_NAMES};
use tile_syntax::{Node, NodeKind, Token, lex, parse_item};

/// Something that can be renamed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renamable {
    /// Its name at the cursor, in bytes of the file.
    pub range: Range<u32>,
    /// That name, with its sign.
    pub name: String,
}

/// What would be renamed at an offset; `None` where there is nothing with a name, else why it cannot be renamed.
pub fn prepare(db: &dyn salsa::Database, file: File, offset: u32) -> Result<Option<Renamable>, String> {
    let Some((range, kind)) = named(db, file, offset) else { return Ok(None) };
    let found = references(db, file, offset);
    let name = file.text(db)[range.start as usize..range.end as usize].to_string();
    if !found.iter().any(|reference| reference.is_definition) && kind != Sign::Symbol {
        return Err(format!("`{name}` is not defined here, so there is nothing to rename"));
    }
    if found.is_empty() {
        return Err(format!("`{name}` is defined nowhere in this file"));
    }
    Ok(Some(Renamable { range, name }))
}

/// The edits that rename what stands at an offset; or why that is not done.
pub fn rename(db: &dyn salsa::Database, file: File, offset: u32, new: &str) -> Result<Vec<Edit>, String> {
    let Some(found) = prepare(db, file, offset)? else { return Err("nothing here has a name".to_string()) };
    let Some((_, sign)) = named(db, file, offset) else { return Err("nothing here has a name".to_string()) };
    let new = sign.spell(new.trim())?;
    if new == found.name {
        return Ok(Vec::new());
    }
    let text = file.text(db);
    // On its definition the references of a pack are those of all its values.
    let at = definition(db, file, offset).map_or(offset, |found| found.name.start);
    let mut edits: Vec<Edit> = references(db, file, at)
        .into_iter()
        .map(|reference| edit(text, &reference, sign, &new))
        .chain(generic_definition(db, file, sign, &found.name, &new))
        .collect();
    Edit::sort(&mut edits);
    edits.dedup();
    match sign {
        Sign::Value => still_means_the_same(db, file, &edits, &found.name, &new)?,
        Sign::Symbol => free_symbol(db, file, &new)?,
        Sign::TypeAlias | Sign::AttrAlias => free_alias(db, file, &new)?,
    }
    Ok(edits)
}

/// What kind of name it is: its sign.
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

    /// The new name as it is written, with its sign, which may be left out; or why it is no name.
    fn spell(self, new: &str) -> Result<String, String> {
        let bare = new.strip_prefix(self.text()).unwrap_or(new);
        let spelt = format!("{}{bare}", self.text());
        let tokens = lex(&spelt);
        let is_name = tokens.len() == 1 && tokens.kind(0) == self.token() && tokens.end(0) as usize == spelt.len();
        if bare.is_empty() {
            return Err("a name needs at least one character".to_string());
        }
        match self {
            _ if is_name && !(self.is_alias() && bare.contains('.')) => Ok(spelt),
            Sign::Symbol if !bare.contains(['"', '\\', '\n']) => Ok(format!("@\"{bare}\"")),
            Sign::Symbol => Err(format!("`{new}` is no name of a symbol")),
            Sign::Value => Err(format!(
                "`{new}` is no name of a value: behind `%` stand digits, or a letter or `_` and then letters, digits, `_`, `$`, `.`"
            )),
            Sign::TypeAlias | Sign::AttrAlias => Err(format!(
                "`{new}` is no name of an alias: behind `{}` stand letters, digits, `_` and `$`, a letter or `_` first",
                self.text()
            )),
        }
    }

    fn is_alias(self) -> bool {
        matches!(self, Sign::TypeAlias | Sign::AttrAlias)
    }
}

/// The name at an offset: where it stands, without the number behind `#`, and its kind.
fn named(db: &dyn salsa::Database, file: File, offset: u32) -> Option<(Range<u32>, Sign)> {
    if let Some(mention) = directive::mention_at(db, file, offset) {
        return Some((mention.range, Sign::Value));
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

/// `%a` of `%a#1` and of `%a:2`.
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

/// In generic form a symbol is defined by a text in quotes.
fn generic_definition(db: &dyn salsa::Database, file: File, sign: Sign, old: &str, new: &str) -> Option<Edit> {
    let old = (sign == Sign::Symbol).then(|| symbol_name(old))?;
    let (range, _) = super::definition::symbol_definition(db, file, &old)?;
    let is_quoted = file.text(db)[range.start as usize..].starts_with('"');
    is_quoted.then(|| Edit { range, content: format!("\"{}\"", symbol_name(new)) })
}

/// Understands the entry once more, as the edits make it.
fn still_means_the_same(
    db: &dyn salsa::Database,
    file: File,
    edits: &[Edit],
    old: &str,
    new: &str,
) -> Result<(), String> {
    let items = &db::layout(db, file).items;
    let holds = |at: u32, (start, item): &(u32, db::Item)| (*start..start + item.text(db).len() as u32).contains(&at);
    let inside = edits.iter().find_map(|edit| items.iter().find(|item| holds(edit.range.start, item)));
    let Some(&(start, item)) = inside else { return Ok(()) };
    let mut text = item.text(db).to_string();
    for edit in edits.iter().rev().filter(|edit| holds(edit.range.start, &(start, item))) {
        text.replace_range((edit.range.start - start) as usize..(edit.range.end - start) as usize, &edit.content);
    }
    let before = db::lowered(db, item, file);
    let after = lower_item(&text, &parse_item(&text), db::context(db, file), &mut KnownTypes::default());
    let used = |lowered: &Lowered| lowered.spans.uses.iter().map(|(_, value)| *value).collect::<Vec<_>>();
    let codes = |lowered: &Lowered| lowered.diagnostics.iter().map(|found| found.page.code).collect::<Vec<_>>();
    if used(before) == used(&after) && codes(before) == codes(&after) {
        return Ok(());
    }
    Err(format!("`{new}` already names another value that can be seen where `{old}` is defined or used"))
}

fn free_symbol(db: &dyn salsa::Database, file: File, new: &str) -> Result<(), String> {
    let name = symbol_name(new);
    let outline = db::file_outline(db, file);
    let is_global = outline.globals.iter().any(|(global, _)| global.name == name);
    let is_entry = || db::layout(db, file).items.iter().any(|&(_, item)| db::lowered(db, item, file).body.name == name);
    if is_global || is_entry() {
        let what = if is_global { "a global" } else { "an entry" };
        return Err(format!("there is {what} `{new}` already"));
    }
    Ok(())
}

fn free_alias(db: &dyn salsa::Database, file: File, new: &str) -> Result<(), String> {
    let tree = &db::file_outline(db, file).tree;
    let text = file.text(db);
    if tree.children_of(Node::ROOT, NodeKind::Alias).any(|alias| tree.first_text(alias, text) == new) {
        return Err(format!("there is an alias `{new}` already"));
    }
    if TYPE_NAMES.contains(&&new[1..]) || Element::from_name(&new[1..]).is_some() {
        return Err(format!("`{}` is a type of the language; an alias of that name would be misread", &new[1..]));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
