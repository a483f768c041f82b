//! The pages of diagnostics and findings.

use tile_analysis::diagnostic::Page;
use tile_engine::findings;
use tile_launch::find;

/// The page of a diagnostic or a finding, in Markdown.
pub(crate) fn page(code: &str) -> Option<String> {
    let pages = tile_analysis::diagnostics::PAGES.iter().copied();
    let own = [&find::PAGE, &tile_bytecode::PAGE];
    let mut pages = pages.chain(own).chain(findings::PAGES.iter().copied());
    pages.find(|page| page.code == code).map(Page::markdown)
}
