//! One of the two programs: text, or bytecode as text.

use crate::launches::show_all;
use crate::limit::Limit;
use crate::preview::Previews;
use crate::sources;
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::lines::Lines;
use tile_analysis::print;
use tile_analysis::program::Program;
use tile_analysis::render::Source;
use tile_backend::bytecode::decode_with;
use tile_config::Configs;
use tile_dialect::{BYTECODE_MAGIC, Version};

/// A program without errors.
pub(super) struct Input {
    /// The path, as given by the user.
    pub(super) name: String,
    /// The text; for bytecode, that of `tile dis`.
    pub(super) text: String,
    pub(super) lines: Lines,
    checked: Checked,
}

/// Why a program cannot be compared.
pub(super) enum Unusable {
    /// It cannot be read.
    Unreadable(String),
    /// It has errors.
    Invalid(Box<Invalid>),
}

/// A program with errors.
pub(super) struct Invalid {
    name: String,
    text: String,
    errors: Vec<Diagnostic>,
}

impl Input {
    /// Reads a program. The names of ops in all versions are accepted.
    pub(super) fn read(path: &str, configs: &Configs, preview: &Previews) -> Result<Input, Unusable> {
        let options = preview.options_in(configs, path).map_err(Unusable::Unreadable)?;
        let bytes = sources::read_bytes(path).map_err(Unusable::Unreadable)?;
        let (text, bytecode) = if bytes.starts_with(&BYTECODE_MAGIC) {
            disassembled(path, &bytes, options.preview)?
        } else {
            (sources::decode(path, bytes).map_err(Unusable::Unreadable)?.text, Version::NEWEST)
        };
        let options = Options { bytecode, any_names: true, ..options };
        let checked = batch::check(&text, options, |_| Keep::Everything);
        let errors: Vec<Diagnostic> =
            checked.diagnostics.iter().filter(|found| found.is_error_everywhere()).cloned().collect();
        let name = if path == "-" { "standard input" } else { path }.to_string();
        if errors.is_empty() {
            Ok(Input { lines: Lines::new(&text), name, text, checked })
        } else {
            Err(Unusable::Invalid(Box::new(Invalid { name, text, errors })))
        }
    }

    pub(super) fn program(&self) -> Program<'_> {
        self.checked.program(&self.text)
    }

    /// The line of an offset, from 1.
    pub(super) fn row(&self, offset: u32) -> usize {
        self.lines.line(offset) + 1
    }
}

/// The text of bytecode, and its version.
fn disassembled(path: &str, bytes: &[u8], preview: bool) -> Result<(String, Version), Unusable> {
    let decoded = decode_with(bytes, preview)
        .map_err(|error| Unusable::Unreadable(format!("cannot read {}: {error}", sources::shown(path))))?;
    let text = print::module(&decoded.module, None, print::Options::default());
    Ok((tile_fmt::format(&text, &tile_fmt::Options::default()), decoded.version))
}

impl Unusable {
    /// The reason in one line.
    pub(super) fn reason(&self) -> String {
        match self {
            Unusable::Unreadable(message) => message.clone(),
            Unusable::Invalid(invalid) => {
                let Invalid { text, errors, .. } = &**invalid;
                let first = errors.first().map_or(String::new(), |first| {
                    let row = Lines::new(text).line(first.range.start) + 1;
                    format!("line {row}: {}", first.message)
                });
                format!("the program has errors, the first in {first}")
            }
        }
    }

    /// Reports the reason on standard error. Returns the exit status.
    pub(super) fn report(&self) -> u8 {
        match self {
            Unusable::Unreadable(message) => crate::messages::fail(message),
            Unusable::Invalid(invalid) => {
                let Invalid { name, text, errors } = &**invalid;
                show_all(&Source { name, text, lines: &Lines::new(text) }, errors, Limit::default());
                2
            }
        }
    }
}
