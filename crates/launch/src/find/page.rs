//! Errors in launch directives as diagnostics.

use crate::error::LaunchError;
use tile_analysis::diagnostic::{Diagnostic, Page, Severity};

/// The page of errors in launch directives.
pub static PAGE: Page = page(Severity::Warning);

/// The same page as an error, for commands that run the launch.
pub static PROBLEM: Page = page(Severity::Error);

const fn page(severity: Severity) -> Page {
    Page {
        code: "L0101",
        name: "bad-launch",
        severity,
        text: r#"A launch directive, a comment line that starts with `//@` directly above an `entry`, is malformed or
does not fit the parameters of the entry, so the launch cannot be run. Other tools read directives
as comments, so the program itself is valid."#,
        fix: r#"Give each parameter one line: a buffer for a pointer, with the pointer's element type, and a number
for a scalar. `tile doc launch` shows the form of directives."#,
        see: &["R0601", "launch", "expect", "argument"],
        wrong: "cuda_tile.module @m {\n  //@ launch \"one\"\n  //@   %q = f32[4] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n  }\n}\n",
        right: "cuda_tile.module @m {\n  //@ launch \"one\"\n  //@   %p = f32[4] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n  }\n}\n",
    }
}

/// The diagnostic for an error in a directive, when checking.
pub fn diagnostic(error: &LaunchError) -> Diagnostic {
    on_page(&PAGE, error)
}

/// The diagnostic for an error that prevents a launch from being run.
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
