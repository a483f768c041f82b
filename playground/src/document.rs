//! The text in the editor, and what is known about it.

use crate::offsets::Offsets;
use std::ops::Range;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::{Diagnostic, Located};
use tile_analysis::levels::Levels;
use tile_analysis::quota::{MAX_SHOWN, Quota};
use tile_analysis::selection::Wanted;
use tile_launch::find;
use tile_runner::hints;

/// The text in the editor. An edit checks only what it touches.
pub(crate) struct Document {
    pub(crate) db: Database,
    pub(crate) file: File,
    pub(crate) offsets: Offsets,
    program: db::Findings,
    launches: find::Findings,
    hints: hints::Findings,
}

impl Document {
    pub(crate) fn new() -> Document {
        let db = Database::default();
        let file = File::new(&db, "".into(), Options::default());
        Document {
            db,
            file,
            offsets: Offsets::default(),
            program: Default::default(),
            launches: Default::default(),
            hints: Default::default(),
        }
    }

    pub(crate) fn text(&self) -> &str {
        self.file.text(&self.db)
    }

    /// Replaces the text.
    pub(crate) fn open(&mut self, text: &str) {
        self.file.write(&mut self.db, text);
        self.offsets = Offsets::of(self.text());
    }

    /// Applies changes in ascending order, whose positions are those before all of them.
    pub(crate) fn edit(&mut self, changes: &[(u32, u32, String)]) -> Result<(), String> {
        let byte = |unit: u32| self.offsets.byte(unit) as usize;
        let changes: Vec<(Range<usize>, &str)> =
            changes.iter().map(|(from, to, text)| (byte(*from)..byte(*to), text.as_str())).collect();
        let length = self.text().len();
        let ends = changes.iter().map(|(range, _)| range.end).skip(1).chain([length]);
        if changes.iter().zip(ends).any(|((range, _), limit)| range.start > range.end || range.end > limit) {
            return Err("the changes are outside the text or not in order".to_string());
        }
        for (range, text) in changes.into_iter().rev() {
            self.file.edit(&mut self.db, range, text);
        }
        self.offsets = Offsets::of(self.text());
        Ok(())
    }

    /// The diagnostics that need no run and that are shown.
    pub(crate) fn shown(&mut self) -> Vec<Diagnostic> {
        let levels = Levels::default();
        let mut quota = Quota::new(&levels, MAX_SHOWN);
        let mut found = self.diagnostics(&mut |found| quota.admits(found));
        found.extend(quota.omitted().map(|omitted| omitted.diagnostic()));
        Diagnostic::sort(&mut found);
        found
    }

    /// The diagnostics that need no run and that are wanted, whether they are shown or not.
    pub(crate) fn diagnostics(&mut self, wanted: Wanted<'_>) -> Vec<Diagnostic> {
        let mut found = self.program.of(&self.db, self.file, wanted);
        found.extend(self.launches.of(&self.db, self.file, wanted));
        found.extend(self.hints.of(&self.db, self.file, wanted));
        Located::all_in_file(&found)
    }

    /// A range in bytes.
    pub(crate) fn bytes(&self, [from, to]: [u32; 2]) -> Range<u32> {
        self.byte(from)..self.byte(to)
    }

    /// An offset in bytes, within the text.
    pub(crate) fn byte(&self, unit: u32) -> u32 {
        self.offsets.byte(unit).min(self.text().len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_the_positions_of_the_old_text() {
        let mut document = Document::new();
        document.open("// ä\nabc\n");
        let change = |from, to, text: &str| (from, to, text.to_string());
        document.edit(&[change(3, 4, "\u{1f600}"), change(5, 6, ""), change(9, 9, "x")]).expect("they are in order");
        assert_eq!(document.text(), "// \u{1f600}\nbc\nx");
        assert_eq!(document.byte(6), 8);
    }

    #[test]
    fn impossible_changes_are_refused() {
        let mut document = Document::new();
        document.open("abc");
        for (from, to) in [(2, 1), (0, 4), (9, 9)] {
            assert!(document.edit(&[(from, to, String::new())]).is_err(), "{from}..{to}");
        }
        let unordered = [(2, 3, String::new()), (0, 1, String::new())];
        assert!(document.edit(&unordered).is_err());
        assert_eq!(document.text(), "abc");
    }
}
