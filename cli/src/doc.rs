//! `tile doc` and `tile explain`.

use crate::messages::{fail, output_failed};
use crate::{markdown, style};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};
use tile_analysis::diagnostic::Page;
use tile_analysis::ide::doc;
use tile_analysis::suggest;

/// Show the documentation of an op, type, keyword or directive.
#[derive(clap::Args)]
pub(crate) struct DocArguments {
    /// Term to look up, such as `addi` or `rounding zero` [default: list all terms]
    #[arg(value_name = "TERM", value_parser = Hinted(terms), hide_possible_values = true)]
    term: Vec<String>,
}

/// Explain a diagnostic code.
#[derive(clap::Args)]
pub(crate) struct ExplainArguments {
    /// Code or name of a diagnostic, such as `E0203` [default: list all codes]
    #[arg(value_parser = Hinted(|| pages().iter().map(|page| (page.code, page.name)).collect()), hide_possible_values = true)]
    code: Option<String>,
}

/// Runs `tile doc`.
pub(crate) fn doc(arguments: &DocArguments) -> u8 {
    let topics = tile_backend::topics();
    if arguments.term.is_empty() {
        return write(&doc::list(&topics));
    }
    match doc::answer(&topics, &arguments.term.join(" ")) {
        Ok(page) => show(&page),
        Err(why) => fail(why),
    }
}

/// Runs `tile explain`.
pub(crate) fn explain(arguments: &ExplainArguments) -> u8 {
    let Some(code) = &arguments.code else {
        return write(&pages().iter().map(|page| format!("{}  {}\n", page.code, page.name)).collect::<String>());
    };
    let Some(page) = tile_backend::all_pages().find(|page| page.code.eq_ignore_ascii_case(code) || page.name == code)
    else {
        let names = tile_backend::all_pages().flat_map(|page| [page.code, page.name]);
        let hint = hint(code, names, "`tile explain` lists them all");
        return fail(format_args!("unknown diagnostic `{code}`: {hint}"));
    };
    show(&page.markdown())
}

/// All single-word terms, for shell completions.
fn terms() -> Vec<(&'static str, &'static str)> {
    let names = doc::names(&tile_backend::topics());
    names.into_iter().filter(|name| !name.contains(' ')).map(|name| (name, "")).collect()
}

/// All pages, sorted by code.
fn pages() -> Vec<&'static Page> {
    let mut pages: Vec<_> = tile_backend::all_pages().collect();
    pages.sort_by_key(|page| page.code);
    pages
}

/// The maximum width of a paragraph, in columns.
const WIDTH: usize = 100;

/// Writes Markdown to standard output, rendered if that is a terminal. Returns the exit status.
fn show(page: &str) -> u8 {
    if !io::stdout().is_terminal() {
        return write(page);
    }
    let columns = terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0));
    let mut out = style::output();
    match markdown::write(page, columns.clamp(20, WIDTH), &mut out).and_then(|()| out.flush()) {
        Ok(()) => 0,
        Err(error) => output_failed(&error),
    }
}

/// Parses any text, and offers values for shell completions.
#[derive(Clone)]
struct Hinted(fn() -> Vec<(&'static str, &'static str)>);

impl TypedValueParser for Hinted {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |(name, help): (&'static str, &'static str)| match help {
            "" => PossibleValue::new(name),
            help => PossibleValue::new(name).help(help),
        };
        Some(Box::new((self.0)().into_iter().map(value)))
    }
}

/// A suggestion, or else the command that lists all names.
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args;

    /// The completions of a command. Checks that it also accepts other text, and that its help does not list them.
    fn completed<T: Args>() -> Vec<String> {
        let mut command = T::augment_args(Command::new("tile"));
        command.build();
        assert!(command.clone().try_get_matches_from(["tile", "anything else"]).is_ok());
        let help = command.render_long_help().to_string();
        assert!(!help.contains("possible values"), "{help}");
        let values = command.get_positionals().flat_map(Arg::get_possible_values);
        values.map(|value| value.get_name().to_string()).collect()
    }

    #[test]
    fn completions_know_ops_and_codes() {
        let (ops, codes) = (completed::<DocArguments>(), completed::<ExplainArguments>());
        assert!(ops.contains(&"addi".to_string()) && codes.contains(&"E0203".to_string()), "{ops:?} {codes:?}");
    }
}
