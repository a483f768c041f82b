//! Errors in launch directives as diagnostics.

use crate::error::LaunchError;
use tile_analysis::diagnostic::{Diagnostic, Page, Severity};

/// The page of errors in launch directives.
pub static PAGE: Page = page(Severity::Warning);

/// The same page for running the launch: an error, since it is impossible.
pub static PROBLEM: Page = page(Severity::Error);

const fn page(severity: Severity) -> Page {
    Page {
        code: "L0101",
        name: "bad-launch",
        severity,
        text: "A launch directive, a comment line that starts with `//@` directly above an `entry`, cannot be carried out: it is \
written in another way than directives are, or it does not fit the entry's parameters. Every parameter gets one line: a \
pointer gets a buffer whose element type is the one it points to, a scalar gets a number. Other tools read directives as \
comments, so the program itself is valid.",
        fix: "",
        see: &[],
        wrong: "cuda_tile.module @m {\n  //@ launch \"one\"\n  //@   %q = f32[4] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n  }\n}\n",
        right: "cuda_tile.module @m {\n  //@ launch \"one\"\n  //@   %p = f32[4] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n  }\n}\n",
    }
}

/// A mistake in a directive as a diagnostic.
pub fn diagnostic(error: &LaunchError) -> Diagnostic {
    on_page(&PAGE, error)
}

/// A mistake that keeps a launch from being carried out.
pub fn launch_problem(error: &LaunchError) -> Diagnostic {
    on_page(&PROBLEM, error)
}

fn on_page(page: &'static Page, error: &LaunchError) -> Diagnostic {
    let found = Diagnostic::new(page, error.range.start as u32..error.range.end as u32, error.message.clone());
    match &error.help {
        Some(help) => found.note(help.clone()),
        None => found,
    }
}
