//! The levels of lints that a project configures.

use crate::diagnostic::{Diagnostic, Page, Severity};
use rustc_hash::FxHashMap;

/// The configured levels of lints, by code. The others have the default of their pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels(FxHashMap<&'static str, Option<Severity>>);

impl Levels {
    /// Reads configured lints, by code or by name among `pages`, with the names of their levels; `off` disables one.
    /// The error is the index of the invalid lint, and a message.
    pub fn read<'a>(
        said: impl IntoIterator<Item = (&'a str, &'a str)>,
        pages: impl Iterator<Item = &'static Page> + Clone,
    ) -> Result<Levels, (usize, String)> {
        let mut levels = Levels::default();
        for (index, (lint, level)) in said.into_iter().enumerate() {
            let page = page_of(lint, pages.clone()).map_err(|why| (index, why))?;
            levels.0.insert(page.code, Severity::from_name(level));
        }
        Ok(levels)
    }

    /// Applies the levels to diagnostics, and removes disabled ones.
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

/// The page of a lint, or the error if there is none.
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

/// Whether a page is that of a lint or a performance hint.
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
        let why = "`E0101` has no level: it is a rule of the language, not a lint";
        assert_eq!(read("E0101"), Err((1, why.to_string())));
        assert_eq!(read("for-stp"), Err((1, "unknown lint `for-stp`; did you mean `for-step`?".to_string())));
    }
}
