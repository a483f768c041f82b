//! `tile doc` and `tile explain`.

mod json;

use crate::headings::OUTPUT;
use crate::messages::{fail, output_failed};
use crate::{markdown, style};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
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
    #[command(flatten)]
    output: OutputArguments,
}

/// Explain a diagnostic code.
#[derive(clap::Args)]
pub(crate) struct ExplainArguments {
    /// Code or name of a diagnostic, such as `E0203` [default: list all codes]
    #[arg(value_parser = Hinted(|| pages().iter().map(|page| (page.code, page.name)).collect()), hide_possible_values = true)]
    code: Option<String>,
    #[command(flatten)]
    output: OutputArguments,
}

/// The format of a page or a list.
#[derive(clap::Args)]
struct OutputArguments {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    output_format: Format,
}

/// Output formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Markdown, rendered on a terminal
    Text,
    /// A JSON array of pages; without a name, of all pages
    Json,
}

/// Runs `tile doc`.
pub(crate) fn doc(arguments: &DocArguments) -> u8 {
    let topics = tile_backend::topics();
    let (is_list, term) = (arguments.term.is_empty(), arguments.term.join(" "));
    let found = if is_list { topics.clone() } else { doc::find(&topics, &term) };
    match arguments.output.output_format {
        Format::Json if !found.is_empty() => write(&json::topics(&found)),
        Format::Text if is_list => write(&doc::list(&topics)),
        _ => doc::answer(&topics, &term).map_or_else(fail, |page| show(&page)),
    }
}

/// Runs `tile explain`.
pub(crate) fn explain(arguments: &ExplainArguments) -> u8 {
    let found = arguments.code.as_deref().map(page).transpose();
    match (found, arguments.output.output_format) {
        (Err(why), _) => fail(why),
        (Ok(Some(page)), Format::Text) => show(&page.markdown()),
        (Ok(Some(page)), Format::Json) => write(&json::diagnostics(&[page])),
        (Ok(None), Format::Text) => {
            write(&pages().iter().map(|page| format!("{}  {}\n", page.code, page.name)).collect::<String>())
        }
        (Ok(None), Format::Json) => write(&json::diagnostics(&pages())),
    }
}

/// The page with this code or name, or an error message with a similar one.
fn page(code: &str) -> Result<&'static Page, String> {
    let mut all = tile_backend::all_pages();
    all.find(|page| page.code.eq_ignore_ascii_case(code) || page.name == code).ok_or_else(|| {
        let names = tile_backend::all_pages().flat_map(|page| [page.code, page.name]);
        let hint = hint(code, names, "`tile explain` lists them all");
        format!("unknown diagnostic `{code}`: {hint}")
    })
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
