//! The salsa input of a file, and how an edit changes it.

#![allow(missing_docs)] // salsa's macros generate undocumented items

use super::contents::Contents;
use super::database::Database;
use super::item::Item;
use crate::context::{Context, Options};
use salsa::Setter;
use std::ops::Range;
use std::sync::Arc;

/// A file.
#[salsa::input(constructor = with)]
#[derive(Debug)]
pub struct File {
    #[returns(ref)]
    pub(super) contents: Arc<Contents>,
    /// The context of its items. Set only if it has changed, so that other edits do not rerun the items' queries.
    #[returns(ref)]
    pub(super) context: Arc<Context>,
}

impl File {
    /// A file with this text.
    pub fn new(db: &dyn salsa::Database, text: Arc<str>, options: Options) -> File {
        let contents = Contents::new(db, String::from(&*text), options);
        let context = Arc::new(contents.outline.context.clone());
        File::with(db, Arc::new(contents), context)
    }

    /// Its text.
    pub fn text(self, db: &dyn salsa::Database) -> &str {
        &self.contents(db).text
    }

    /// Its text, as a shared pointer.
    pub fn shared_text(self, db: &dyn salsa::Database) -> Arc<String> {
        self.contents(db).text.clone()
    }

    /// The options for checking it.
    pub fn options(self, db: &dyn salsa::Database) -> Options {
        self.contents(db).options
    }

    /// Changes the options for checking it.
    pub fn set_options(self, db: &mut Database, options: Options) {
        if self.options(db) == options {
            return;
        }
        let mut contents = self.set_contents(db).to(Arc::default());
        let now = Arc::make_mut(&mut contents);
        now.options = options;
        now.read_outline();
        let context = Arc::new(now.outline.context.clone());
        self.set_context(db).to(context);
        self.set_contents(db).to(contents);
    }

    /// Replaces its text. The common prefix and suffix of the two texts count as unchanged.
    pub fn write(self, db: &mut Database, text: &str) {
        let before = self.text(db);
        let same = |(a, b): &(u8, u8)| a == b;
        let start = before.bytes().zip(text.bytes()).take_while(same).count();
        let start = (0..=start).rev().find(|&at| text.is_char_boundary(at) && before.is_char_boundary(at)).unwrap_or(0);
        let longest = before.len().min(text.len()) - start;
        let end = before.bytes().rev().zip(text.bytes().rev()).take(longest).take_while(same).count();
        let is_boundary = |end: &usize| text.is_char_boundary(text.len() - end);
        let end = (0..=end).rev().find(is_boundary).unwrap_or(0);
        if (start, start) != (before.len() - end, text.len() - end) {
            self.edit(db, start..before.len() - end, &text[start..text.len() - end]);
        }
    }

    /// Empties it. Returns its items, which are empty too and will be reused.
    pub(super) fn empty(self, db: &mut Database) -> Vec<Item> {
        let emptied = self.contents(db).emptied();
        let items = emptied.spare().to_vec();
        for item in &items {
            // The others are empty since an earlier edit.
            if !item.text(db).is_empty() {
                item.set_text(db).to(Arc::from(""));
            }
        }
        if emptied.outline.context != **self.context(db) {
            let context = Arc::new(emptied.outline.context.clone());
            self.set_context(db).to(context);
        }
        self.set_contents(db).to(Arc::new(emptied));
        items
    }

    /// Replaces the bytes of a range, which must be at character boundaries.
    pub fn edit(self, db: &mut Database, replaced: Range<usize>, content: &str) {
        // Taken out of the database so that it has a single owner and can be changed in place.
        let mut contents = self.set_contents(db).to(Arc::default());
        let now = Arc::make_mut(&mut contents);
        let recut = now.edit(db, replaced, content);
        let context = recut.inside.is_none().then(|| &now.outline.context);
        if let Some(context) = context.filter(|&context| context != &**self.context(db)) {
            let context = Arc::new(context.clone());
            self.set_context(db).to(context);
        }
        self.set_contents(db).to(contents);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db;
    use crate::diagnostic::Located;

    const TEXT: &str = "!t = tile<i32>\ncuda_tile.module @m {\n  global @g <i32: 1> : tile<1xi32>\n  entry @a(%x: !t) {\n    \
                        %a = addi %x, %x : !t\n  }\n  entry @b() {\n    %g = get_global @g : tile<ptr<i32>>\n  }\n  entry @a() {\n  }\n}\n";

    /// All computed data of a file, as text.
    fn computed_data(db: &Database, file: File) -> String {
        let layout = db::layout(db, file);
        let items: Vec<_> = layout.items.iter().map(|&(start, item)| (start, item.text(db).clone())).collect();
        let bodies: Vec<_> = layout.items.iter().map(|&(_, item)| db::lowered(db, item, file)).collect();
        let (context, found) = (db::context(db, file), db::diagnostics(db, file));
        let outline = db::file_outline(db, file);
        let (tree, globals) = (&outline.tree, &outline.globals);
        let mut aliases: Vec<_> = context.type_aliases.iter().collect();
        aliases.sort_by_key(|(name, _)| *name);
        format!("{items:?}\n{bodies:?}\n{aliases:?}\n{found:?}\n{tree:?}\n{globals:?}\n{:?}", outline.module)
    }

    #[test]
    fn incremental_edits_agree_with_a_new_file() {
        let typed = [
            "",
            "",
            "x",
            "\n",
            "}",
            "{",
            "  entry @b() {\n",
            "// ",
            " ",
            "@g",
            "global @h <i32: 2> : tile<1xi32>\n",
            "!t = tile<f32>\n",
        ];
        let mut numbers = 7u64;
        let mut next = |below: usize| {
            numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (numbers >> 33) as usize % below
        };
        let mut db = Database::default();
        let file = File::new(&db, TEXT.into(), Options::default());
        let mut text = TEXT.to_string();
        for step in 0..1500 {
            let start = next(text.len() + 1);
            let end = (start + next(5)).min(text.len());
            let content = typed[next(typed.len())];
            text.replace_range(start..end, content);
            if step % 7 == 0 {
                file.write(&mut db, &text)
            } else {
                file.edit(&mut db, start..end, content)
            }
            assert_eq!(file.text(&db), text);
            let fresh = File::new(&db, text.as_str().into(), Options::default());
            assert_eq!(computed_data(&db, file), computed_data(&db, fresh), "{text}");
            if text.len() > 1500 || text.len() < 50 {
                text = TEXT.to_string();
                file.write(&mut db, &text);
            }
        }
    }

    #[test]
    fn a_cleared_file_can_hold_another_text() {
        let mut db = Database::default();
        let file = File::new(&db, TEXT.into(), Options::default());
        let other = TEXT.replace("@a", "@c");
        for text in [TEXT, "", &other] {
            computed_data(&db, file);
            db::clear(&mut db, file);
            assert_eq!(file.text(&db), "");
            file.write(&mut db, text);
            let fresh = File::new(&db, text.into(), Options::default());
            assert_eq!(computed_data(&db, file), computed_data(&db, fresh));
        }
    }

    #[test]
    fn changed_options_apply_to_everything() {
        let mut db = Database::default();
        let file = File::new(&db, TEXT.into(), Options::default());
        let mut findings = db::Findings::default();
        for rules in [false, true, true] {
            let options = Options { rules, upstream_tests: !rules, ..Options::default() };
            file.set_options(&mut db, options);
            assert_eq!(file.options(&db), options);
            let fresh = File::new(&db, TEXT.into(), options);
            assert_eq!(computed_data(&db, file), computed_data(&db, fresh));
            let found = findings.of(&db, file, &mut |_| true);
            assert_eq!(Located::all_in_file(&found), db::diagnostics(&db, fresh));
        }
    }

    #[test]
    fn writing_respects_character_boundaries() {
        let mut db = Database::default();
        let file = File::new(&db, "// ä".into(), Options::default());
        for text in ["// ö", "// öä", "// ä", "", "// \u{1f600}", "// \u{1f601}"] {
            file.write(&mut db, text);
            assert_eq!(file.text(&db), text);
        }
    }
}
