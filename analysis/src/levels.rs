//! The severity of lints as configured by a project.

use crate::diagnostic::{Diagnostic, Located, Page, Severity};
use rustc_hash::FxHashMap;

/// The configured severities of lints, by code. All other lints keep the severities of their pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels(FxHashMap<&'static str, Option<Severity>>);

impl Levels {
    /// Reads a project's settings: pairs of a lint, by its code or name among `pages`, and a level, where `off`
    /// disables the lint. Returns the index of the first invalid pair with the reason.
    pub fn read<'a>(
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
        pages: impl Iterator<Item = &'static Page> + Clone,
    ) -> Result<Levels, (usize, String)> {
        let mut levels = Levels::default();
        for (index, (lint, level)) in settings.into_iter().enumerate() {
            let page = page_of(lint, pages.clone()).map_err(|reason| (index, reason))?;
            levels.0.insert(page.code, Severity::from_name(level));
        }
        Ok(levels)
    }

    /// The severity of a lint; `None` if it is disabled.
    pub fn of(&self, lint: &Page) -> Option<Severity> {
        self.0.get(lint.code).copied().unwrap_or(Some(lint.severity))
    }

    /// The severity that a project configures for a lint, where `Some(None)` means that it is disabled.
    pub(crate) fn configured(&self, lint: &Page) -> Option<Option<Severity>> {
        if self.0.is_empty() { None } else { self.0.get(lint.code).copied() }
    }

    /// Sets the severity of diagnostics and removes disabled ones.
    pub fn apply(&self, found: &mut Vec<Diagnostic>) {
        if !self.0.is_empty() {
            found.retain_mut(|found| self.set(found.page, &mut found.severity));
        }
    }

    /// [`apply`](Levels::apply) for diagnostics that are shared.
    pub fn apply_to_located(&self, found: &mut Vec<Located>) {
        if !self.0.is_empty() {
            found.retain_mut(|found| self.set(found.diagnostic.page, &mut found.severity));
        }
    }

    /// Sets the severity of a lint. Returns whether it is enabled.
    fn set(&self, lint: &Page, severity: &mut Severity) -> bool {
        match self.configured(lint) {
            Some(None) => return false,
            Some(Some(configured)) => *severity = configured,
            None => {}
        }
        true
    }
}

/// Returns the page of a lint, or an error message if there is no such lint.
fn page_of(lint: &str, pages: impl Iterator<Item = &'static Page> + Clone) -> Result<&'static Page, String> {
    let Some(page) = pages.clone().find(|page| page.code == lint || page.name == lint) else {
        let known: Vec<&str> = pages.filter(|page| is_lint(page)).flat_map(|page| [page.code, page.name]).collect();
        return Err(match crate::suggest::closest(lint, known) {
            Some(close) => format!("unknown lint `{lint}`; did you mean `{close}`?"),
            None => format!("unknown lint `{lint}`; `tile explain` lists them"),
        });
    };
    if is_lint(page) {
        Ok(page)
    } else {
        Err(format!("`{}` has no level: it is a rule of the language, not a lint", page.code))
    }
}

/// Whether a page describes code that is legal but likely wrong or slow.
pub fn is_lint(page: &Page) -> bool {
    page.code.starts_with(['L', 'P'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::PAGES;

    #[test]
    fn only_lints_have_levels() {
        let read = |lint| Levels::read([("L0001", "error"), (lint, "off")], PAGES.iter().copied());
        assert!(read("for-step").is_ok());
        let reason = "`E0101` has no level: it is a rule of the language, not a lint";
        assert_eq!(read("E0101"), Err((1, reason.to_string())));
        assert_eq!(read("for-stp"), Err((1, "unknown lint `for-stp`; did you mean `for-step`?".to_string())));
    }
}
