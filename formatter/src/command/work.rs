//! Formatting of a single file. Files are independent, so they can be formatted in parallel.

use super::arguments::{Arguments, FAILED, Format, UNFORMATTED};
use crate::format::format;
use crate::options::Options;
use crate::range::format_range;
use std::io::Read;
use std::path::Path;
use tile_config::Configs;
use tile_dialect::BYTECODE_MAGIC;
use tile_files::{Original, Replaced, diff, read, unreadable};
use tile_syntax::annotation::{Annotation, Level, Place};
use tile_syntax::visible::{escape, escape_line};

/// Maximum number of attempts to format a file that another program keeps changing.
const MAX_ATTEMPTS: usize = 5;

/// The settings that apply to every file.
pub(super) struct Work<'w> {
    pub(super) arguments: &'w Arguments,
    pub(super) configs: &'w Configs,
    /// Whether diffs are colored.
    pub(super) color: bool,
    /// Whether the output goes to a terminal.
    pub(super) to_terminal: bool,
}

/// The result of formatting one file.
#[derive(Default)]
pub(super) struct FileResult {
    /// Text to print.
    pub(super) output: String,
    /// An error message.
    pub(super) problem: Option<String>,
    /// The exit status for this file; the program exits with the highest.
    pub(super) status: u8,
}

impl FileResult {
    pub(super) fn failed(problem: String) -> FileResult {
        FileResult { output: String::new(), problem: Some(problem), status: FAILED }
    }
}

impl Work<'_> {
    /// Whether no files are written.
    fn is_dry_run(&self) -> bool {
        self.arguments.check || self.arguments.diff
    }

    pub(super) fn standard_input(&self, input: &mut dyn Read) -> FileResult {
        let filename = self.arguments.stdin_filename.as_deref();
        let name = filename.unwrap_or("<stdin>");
        let bytes = match read(input, 0) {
            Ok(bytes) => bytes,
            Err(error) => return FileResult::failed(unreadable(name, &error)),
        };
        self.printed(&escape_line(name), Path::new(filename.unwrap_or("")), bytes)
    }

    /// Formats a text that is in no file, and prints it.
    fn printed(&self, name: &str, path: &Path, bytes: Vec<u8>) -> FileResult {
        self.text(name, path, bytes, |_, formatted| FileResult {
            output: if self.to_terminal { escape(formatted).into_owned() } else { formatted.to_owned() },
            ..FileResult::default()
        })
    }

    pub(super) fn file(&self, path: &Path) -> FileResult {
        let shown = path.display().to_string();
        let name = escape_line(&shown);
        for _ in 0..MAX_ATTEMPTS {
            let (bytes, original) = match Original::read(path) {
                Ok((bytes, Some(original))) => (bytes, original),
                // A pipe or a terminal.
                Ok((bytes, None)) => return self.printed(&name, path, bytes),
                Err(error) => return FileResult::failed(unreadable(&shown, &error)),
            };
            let mut replaced = Ok(Replaced::Done);
            let outcome = self.text(&name, path, bytes, |text, formatted| {
                // Formatted files are not rewritten, which keeps their modification time.
                if text != formatted {
                    replaced = original.replace(path, formatted.as_bytes());
                }
                FileResult::default()
            });
            match replaced {
                Ok(Replaced::Done) => return outcome,
                Ok(Replaced::Changed) => {}
                Err(error) => return FileResult::failed(format!("cannot write `{name}`: {error}")),
            }
        }
        FileResult::failed(format!("cannot write `{name}`: another program keeps changing it"))
    }

    /// Formats the contents of a file. Unless this is a dry run, `save` receives the original and the formatted text.
    fn text(&self, name: &str, path: &Path, bytes: Vec<u8>, save: impl FnOnce(&str, &str) -> FileResult) -> FileResult {
        let formatted = decode(name, bytes).and_then(|text| {
            let config = self.configs.of_file(path)?;
            let options = config.line_width.map_or(Options::default(), |width| Options { width });
            let formatted = match self.arguments.range {
                Some(lines) => format_range(&text, lines.of(&text), &options),
                None => format(&text, &options),
            };
            Ok((text, formatted))
        });
        match formatted {
            Err(problem) => FileResult::failed(problem),
            Ok((text, formatted)) if self.is_dry_run() => self.report(name, &text, &formatted),
            Ok((text, formatted)) => save(&text, &formatted),
        }
    }

    /// Reports unformatted text for `--check` and `--diff`.
    fn report(&self, name: &str, text: &str, formatted: &str) -> FileResult {
        let mut outcome = FileResult::default();
        if text == formatted {
            return outcome;
        }
        outcome.status = UNFORMATTED;
        if self.arguments.diff {
            let difference = diff::unified(name, "(formatted)", text, formatted);
            let difference = if self.to_terminal { escape(&difference).into_owned() } else { difference };
            outcome.output = if self.color { diff::colored(&difference) } else { difference };
        }
        if self.arguments.check {
            outcome.output += &match self.arguments.output_format {
                Format::Text => format!("{name}\n"),
                Format::Github => format!("{}\n", annotation(name, text, formatted)),
            };
        }
        outcome
    }
}

/// Returns the annotation of an unformatted text, at the first line that would change.
fn annotation<'a>(name: &'a str, text: &str, formatted: &str) -> Annotation<'a> {
    let lines = text.split_inclusive('\n');
    let same = lines.clone().zip(formatted.split_inclusive('\n')).take_while(|(old, new)| old == new).count();
    // Lines that are missing at the end of the text are reported at its last line.
    let row = (same + 1).min(lines.count().max(1)) as u32;
    let place = Place { file: name, rows: [row, row], columns: None };
    Annotation { level: Level::Error, place: Some(place), title: "tile fmt", message: "not formatted; run `tile fmt`" }
}

/// Returns the reason why the bytes are not UTF-8 text, as a predicate that follows "it" or a file name: "is UTF-16;
/// …".
pub fn not_text(bytes: &[u8]) -> Option<&'static str> {
    let has_mark = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    // Without a byte order mark: UTF-16 text that is mostly ASCII has a zero in every other byte.
    let half_zero = |at: usize| bytes.len() > 3 && bytes.iter().skip(at).step_by(2).take(64).all(|&byte| byte == 0);
    let is_even = bytes.len().is_multiple_of(2);
    if has_mark || is_even && (half_zero(0) != half_zero(1)) {
        return Some("is UTF-16; save it as UTF-8");
    }
    bytes.contains(&0).then_some("contains binary data, not UTF-8 text")
}

fn decode(name: &str, bytes: Vec<u8>) -> Result<String, String> {
    if bytes.starts_with(&BYTECODE_MAGIC) {
        return Err(format!("cannot format `{name}`: it is bytecode, not text; `tile dis` prints it as text"));
    }
    let problem = |reason| format!("cannot format `{name}`: it {reason}");
    if let Some(reason) = not_text(&bytes) {
        return Err(problem(reason));
    }
    String::from_utf8(bytes).map_err(|_| problem("contains binary data, not UTF-8 text"))
}
