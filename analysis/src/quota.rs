//! The limit on the findings of one lint or hint that people are shown: ten thousand unused results in a compiler's
//! dump say no more than a hundred, but cost an editor a hundred times as much.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::levels::Levels;
use crate::selection::Candidate;

/// The maximum number of findings of one lint or hint in a file that people are shown. Errors have no quota.
pub const MAX_SHOWN: usize = 100;

/// Counts the findings of each lint in a file, and decides which ones are shown: the first ones in source order.
#[derive(Debug)]
pub struct Quota<'l> {
    levels: &'l Levels,
    max: usize,
    pages: Vec<Counted>,
    /// The index of the page of the last finding: findings of a page come in runs.
    last: usize,
}

/// The findings of a page.
#[derive(Debug)]
struct Counted {
    page: &'static Page,
    /// The severity that the project configures, where `Some(None)` means that the lint is off.
    configured: Option<Option<Severity>>,
    count: usize,
    /// The start and the severity of the first one that is not shown.
    omitted: Option<(u32, Severity)>,
}

/// The findings of a lint that are not shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Omitted {
    /// The page of the lint.
    pub page: &'static Page,
    /// How many there are.
    pub count: usize,
    /// The start of the first one.
    pub start: u32,
    /// The severity of the first one.
    pub severity: Severity,
}

impl<'l> Quota<'l> {
    /// A quota of `max` findings of each lint, with the severities that a project configures.
    pub fn new(levels: &'l Levels, max: usize) -> Quota<'l> {
        Quota { levels, max, pages: Vec::new(), last: 0 }
    }

    /// Counts a diagnostic, and returns whether it is shown. Of several diagnostics, returns whether any is shown, and
    /// counts them if not.
    pub fn admits(&mut self, found: &Candidate<'_>) -> bool {
        let max = self.max;
        let counted = self.counted(found.page);
        let severity = match counted.configured.unwrap_or(Some(found.severity)) {
            None => return false,
            Some(Severity::Error) => return true,
            Some(severity) => severity,
        };
        let is_shown = counted.count < max;
        if !is_shown {
            counted.omitted.get_or_insert((found.range.start, severity));
        }
        counted.count += match found.several {
            None => 1,
            Some(count) if !is_shown => count,
            // They are counted one by one.
            Some(_) => 0,
        };
        is_shown
    }

    /// The findings of a page.
    fn counted(&mut self, page: &'static Page) -> &mut Counted {
        if self.pages.get(self.last).is_some_and(|counted| std::ptr::eq(counted.page, page)) {
            return &mut self.pages[self.last];
        }
        let index = self.pages.iter().position(|counted| std::ptr::eq(counted.page, page));
        self.last = index.unwrap_or_else(|| {
            let configured = self.levels.configured(page);
            self.pages.push(Counted { page, configured, count: 0, omitted: None });
            self.pages.len() - 1
        });
        &mut self.pages[self.last]
    }

    /// The lints with findings that are not shown.
    pub fn omitted(&self) -> impl Iterator<Item = Omitted> + '_ {
        self.pages.iter().filter_map(|counted| {
            let (start, severity) = counted.omitted?;
            Some(Omitted { page: counted.page, count: counted.count - self.max, start, severity })
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
        Diagnostic { severity: self.severity, ..Diagnostic::new(self.page, self.start..self.start, message).note(note) }
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
    use crate::diagnostics::PAGES;

    fn page(code: &str) -> &'static Page {
        PAGES.iter().find(|page| page.code == code).expect("the code exists")
    }

    fn admitted(levels: &Levels, max: usize, found: &[Diagnostic]) -> (usize, Vec<Omitted>) {
        let mut quota = Quota::new(levels, max);
        let count = found.iter().filter(|diagnostic| quota.admits(&Candidate::of(diagnostic, 10))).count();
        (count, quota.omitted().collect())
    }

    #[test]
    fn only_the_first_findings_of_a_lint_are_shown() {
        let found: Vec<_> = (0..1500).map(|at| Diagnostic::new(page("L0006"), at..at + 1, "")).collect();
        let (count, omitted) = admitted(&Levels::default(), 100, &found);
        assert_eq!(count, 100);
        assert_eq!(omitted.len(), 1);
        assert_eq!(omitted[0].start, 110);
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
