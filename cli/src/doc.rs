//! `tile doc` and `tile explain`.

use crate::check::output_failed;
use crate::fail;
use std::io::{self, Write};
use tile_analysis::ide::doc;
use tile_analysis::suggest;

/// Describe an op, a type, a keyword or a launch directive.
#[derive(clap::Args)]
pub(crate) struct DocArguments {
    /// What to describe, such as `addi`, `partition_view`, `rounding zero` or `softmax`; without it, list all terms.
    #[arg(value_name = "TERM")]
    term: Vec<String>,
}

/// Show what the code of a diagnostic means.
#[derive(clap::Args)]
pub(crate) struct ExplainArguments {
    /// The code, such as `E0203`; all codes where it is left out.
    code: Option<String>,
}

/// Runs `tile doc`.
pub(crate) fn doc(arguments: &DocArguments) -> u8 {
    let topics = tile_backend::topics();
    if arguments.term.is_empty() {
        return write(&doc::list(&topics));
    }
    match doc::answer(&topics, &arguments.term.join(" ")) {
        Ok(page) => write(&page),
        Err(why) => fail(why),
    }
}

/// Runs `tile explain`.
pub(crate) fn explain(arguments: &ExplainArguments) -> u8 {
    let Some(code) = &arguments.code else {
        return write(
            &tile_backend::all_pages().map(|page| format!("{}  {}\n", page.code, page.name)).collect::<String>(),
        );
    };
    let Some(page) = tile_backend::all_pages().find(|page| page.code.eq_ignore_ascii_case(code) || page.name == code)
    else {
        let names = tile_backend::all_pages().flat_map(|page| [page.code, page.name]);
        let hint = hint(code, names, "`tile explain` lists them all");
        return fail(format_args!("there is no diagnostic `{code}`: {hint}"));
    };
    write(&page.markdown())
}

/// A suggestion, or the command that lists all names.
fn hint(word: &str, names: impl IntoIterator<Item = &'static str>, all: &str) -> String {
    match suggest::closest(word, names) {
        Some(close) => format!("did you mean `{close}`?"),
        None => all.to_string(),
    }
}

/// Writes to standard output. Returns the exit status.
fn write(text: &str) -> u8 {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => 0,
        Err(error) => output_failed(&error),
    }
}
