//! Colors of the output.

use clap::ValueEnum;
use codespan_reporting::term::termcolor::{Color, ColorChoice, ColorSpec, StandardStream, WriteColor};
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

/// When to use colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Also in files and pipes
    Always,
    /// Never
    Never,
}

static WHEN: OnceLock<When> = OnceLock::new();

/// Sets the value of `--color`.
pub(crate) fn set(when: When) {
    // `main` calls this once, before any output.
    let _ = WHEN.set(when);
}

fn choice(is_terminal: bool) -> ColorChoice {
    match WHEN.get().copied().unwrap_or_default() {
        When::Always => ColorChoice::AlwaysAnsi,
        When::Auto if is_terminal => ColorChoice::Auto,
        When::Auto | When::Never => ColorChoice::Never,
    }
}

/// The color choice for standard output.
pub(crate) fn of_output() -> ColorChoice {
    choice(io::stdout().is_terminal())
}

/// The color choice for standard error.
pub(crate) fn of_errors() -> ColorChoice {
    choice(io::stderr().is_terminal())
}

/// Standard output, colored according to `--color`.
pub(crate) fn output() -> StandardStream {
    StandardStream::stdout(of_output())
}

/// The meaning of a colored word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    /// Success.
    Good,
    /// An error or a failure.
    Bad,
    /// A warning.
    Warning,
}

impl Tone {
    fn spec(self) -> ColorSpec {
        let color = match self {
            Tone::Good => Color::Green,
            Tone::Bad => Color::Red,
            Tone::Warning => Color::Yellow,
        };
        let mut spec = ColorSpec::new();
        spec.set_fg(Some(color)).set_bold(self == Tone::Bad);
        spec
    }
}

/// Writes a word in the color of its tone.
pub(crate) fn toned(out: &mut dyn WriteColor, tone: Tone, word: &str) -> io::Result<()> {
    out.set_color(&tone.spec())?;
    out.write_all(word.as_bytes())?;
    out.reset()
}
