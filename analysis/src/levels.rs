//! How lints are told, where a project has a say in it.

use crate::diagnostic::{Diagnostic, Page, Severity};
use rustc_hash::FxHashMap;

/// The levels that a project gives to lints, by code. The rest keep those of their pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels(FxHashMap<&'static str, Option<Severity>>);

impl Levels {
    /// Gives a level to the lint of a code or a name among `pages`; `None` says that it is not told. The error says why
    /// that cannot be.
    pub fn set(
        &mut self,
        lint: &str,
        level: Option<Severity>,
        pages: impl Iterator<Item = &'static Page> + Clone,
    ) -> Result<(), String> {
        let Some(page) = pages.clone().find(|page| page.code == lint || page.name == lint) else {
            let known: Vec<&str> = pages.filter(|page| is_lint(page)).flat_map(|page| [page.code, page.name]).collect();
            return Err(match crate::suggest::closest(lint, known) {
                Some(close) => format!("there is no lint `{lint}`; did you mean `{close}`?"),
                None => format!("there is no lint `{lint}`; `tile explain` lists them"),
            });
        };
        if !is_lint(page) {
            return Err(format!("`{}` has no level: it is a rule of the language, not a lint", page.code));
        }
        self.0.insert(page.code, level);
        Ok(())
    }

    /// Gives diagnostics their levels, and takes away those that are not told.
    pub fn apply(&self, found: &mut Vec<Diagnostic>) {
        if self.0.is_empty() {
            return;
        }
        found.retain_mut(|diagnostic| match self.0.get(diagnostic.page.code) {
            Some(Some(severity)) => {
                diagnostic.severity = *severity;
                true
            }
            Some(None) => false,
            None => true,
        });
    }
}

/// Whether a page is about what is legal and likely wrong, or could be faster.
pub fn is_lint(page: &Page) -> bool {
    page.code.starts_with(['L', 'P'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::PAGES;

    #[test]
    fn only_lints_have_levels() {
        let mut levels = Levels::default();
        let mut set = |lint| levels.set(lint, None, PAGES.iter().copied());
        assert_eq!(set("L0001"), Ok(()));
        assert_eq!(set("for-step"), Ok(()));
        assert_eq!(set("E0101"), Err("`E0101` has no level: it is a rule of the language, not a lint".to_string()));
        assert_eq!(set("for-stp"), Err("there is no lint `for-stp`; did you mean `for-step`?".to_string()));
    }
}
