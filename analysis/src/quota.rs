//! The limit on the findings of one lint or hint that people are shown: ten thousand unused results in a compiler's
//! dump say no more than a hundred, but cost an editor a hundred times as much.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::levels::Levels;
use crate::selection::Candidate;
use std::ops::Range;

/// The maximum number of findings of one lint or hint in a file that people are shown. Errors have no quota.
pub const MAX_SHOWN: usize = 100;

/// Counts the findings of each lint in a file, and decides which ones are shown: the first ones in source order.
#[derive(Debug)]
pub struct Quota<'l> {
    levels: &'l Levels,
    max: usize,
    lints: Vec<Counted>,
}

/// The findings of a lint.
#[derive(Debug)]
struct Counted {
    page: &'static Page,
    count: usize,
    /// The range and the severity of the first one that is not shown.
    omitted: Option<(Range<u32>, Severity)>,
}

/// The findings of a lint that are not shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Omitted {
    /// The page of the lint.
    pub page: &'static Page,
    /// How many there are.
    pub count: usize,
    /// The range of the first one.
    pub range: Range<u32>,
    /// The severity of the first one.
    pub severity: Severity,
}

impl<'l> Quota<'l> {
    /// A quota of `max` findings of each lint, with the severities that a project configures.
    pub fn new(levels: &'l Levels, max: usize) -> Quota<'l> {
        Quota { levels, max, lints: Vec::new() }
    }

    /// Counts a diagnostic, and returns whether it is shown.
    pub fn admits(&mut self, found: &Candidate<'_>) -> bool {
        let severity = match self.levels.configured(found.page) {
            Some(Some(severity)) => severity,
            // The lint is off.
            Some(None) => return false,
            None => found.severity,
        };
        if severity == Severity::Error {
            return true;
        }
        let index = self.lints.iter().position(|counted| counted.page == found.page);
        let index = index.unwrap_or_else(|| {
            self.lints.push(Counted { page: found.page, count: 0, omitted: None });
            self.lints.len() - 1
        });
        let counted = &mut self.lints[index];
        counted.count += 1;
        let is_shown = counted.count <= self.max;
        if !is_shown {
            counted.omitted.get_or_insert_with(|| (found.range.clone(), severity));
        }
        is_shown
    }

    /// The lints with findings that are not shown.
    pub fn omitted(&self) -> impl Iterator<Item = Omitted> + '_ {
        self.lints.iter().filter_map(|counted| {
            let (range, severity) = counted.omitted.clone()?;
            Some(Omitted { page: counted.page, count: counted.count - self.max, range, severity })
        })
    }
}

impl Omitted {
    /// How many findings are not shown, in words: "1,234 more findings of L0015 (unused-result)".
    pub fn text(&self) -> String {
        let Page { code, name, .. } = self.page;
        let noun = if self.count == 1 { "finding" } else { "findings" };
        format!("{} more {noun} of {code} ({name})", grouped(self.count))
    }

    /// The diagnostic that editors show at the first finding that is not shown.
    pub fn diagnostic(self) -> Diagnostic {
        let message = format!("{} in this file", self.text());
        let note = format!("only the first {MAX_SHOWN} are shown");
        Diagnostic { severity: self.severity, ..Diagnostic::new(self.page, self.range, message).note(note) }
    }
}

/// A number with commas between groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Located;
    use crate::diagnostics::PAGES;

    fn page(code: &str) -> &'static Page {
        PAGES.iter().find(|page| page.code == code).expect("the code exists")
    }

    fn admitted(levels: &Levels, max: usize, found: &[Diagnostic]) -> (usize, Vec<Omitted>) {
        let mut quota = Quota::new(levels, max);
        let count =
            found.iter().filter(|diagnostic| quota.admits(&Candidate::of(Located { diagnostic, start: 10 }))).count();
        (count, quota.omitted().collect())
    }

    #[test]
    fn only_the_first_findings_of_a_lint_are_shown() {
        let found: Vec<_> = (0..1500).map(|at| Diagnostic::new(page("L0006"), at..at + 1, "")).collect();
        let (count, omitted) = admitted(&Levels::default(), 100, &found);
        assert_eq!(count, 100);
        assert_eq!(omitted.len(), 1);
        assert_eq!(omitted[0].range, 110..111);
        assert_eq!(omitted[0].text(), "1,400 more findings of L0006 (renamed-op)");
    }

    #[test]
    fn errors_and_lints_that_are_off_have_no_quota() {
        let found = vec![Diagnostic::new(page("E0101"), 0..1, ""); 3];
        assert_eq!(admitted(&Levels::default(), 1, &found), (3, Vec::new()));
        let lints = vec![Diagnostic::new(page("L0006"), 0..1, ""); 3];
        let read = |level| Levels::read([("L0006", level)], PAGES.iter().copied()).expect("it is a lint");
        assert_eq!(admitted(&read("error"), 1, &lints), (3, Vec::new()));
        assert_eq!(admitted(&read("off"), 1, &lints), (0, Vec::new()));
    }

    #[test]
    fn numbers_are_grouped() {
        let expected = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        expected.iter().for_each(|(number, text)| assert_eq!(grouped(*number), *text));
    }
}
