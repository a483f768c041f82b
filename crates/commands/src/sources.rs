//! Finding and reading the input files of a command.

use crate::{project, style};
use codespan_reporting::term::termcolor::WriteColor;
use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::string::FromUtf8Error;
use tile_analysis::render::escape_line;
use tile_config::Configs;
use tile_dialect::BYTECODE_MAGIC;
use tile_files::Original;
pub(crate) use tile_files::unreadable;
use tile_input::MAX_PROGRAM;

/// A program that has been read.
pub(crate) struct SourceFile {
    /// Its path, as given by the user.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Whether the file starts with a byte order mark, which `text` omits.
    pub(crate) has_mark: bool,
}

/// A byte order mark.
const MARK: &str = "\u{feff}";

impl SourceFile {
    /// The content of the file if its text were `text`: adds the byte order mark, if the file has one.
    pub(crate) fn holding<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.has_mark { Cow::Owned(format!("{MARK}{text}")) } else { Cow::Borrowed(text) }
    }
}

/// The name of a file in messages.
pub(crate) fn shown(path: &str) -> String {
    if path == "-" { "standard input".to_string() } else { format!("`{}`", escape_line(path)) }
}

/// Reads a file of any content; `-` is standard input.
pub(crate) fn read_bytes(path: &str) -> Result<Vec<u8>, String> {
    Ok(open(path)?.0)
}

/// Reads a program; `-` is standard input. A byte order mark is not part of the text.
pub(crate) fn read(path: &str) -> Result<SourceFile, String> {
    Ok(read_to_change(path)?.0)
}

/// Reads a program from a regular file.
pub(crate) fn read_regular(path: &str) -> Result<SourceFile, String> {
    let bytes = tile_input::read(Path::new(path), MAX_PROGRAM).map_err(|error| unreadable(path, &error))?;
    decode(path, bytes)
}

/// Reads a program together with the handle that replaces its text; `None` for standard input, a pipe or a terminal.
pub(crate) fn read_to_change(path: &str) -> Result<(SourceFile, Option<Original>), String> {
    let (bytes, original) = open(path)?;
    Ok((decode(path, bytes)?, original))
}

/// Decodes the text of a program.
pub(crate) fn decode(path: &str, bytes: Vec<u8>) -> Result<SourceFile, String> {
    let shown = shown(path);
    if bytes.starts_with(&BYTECODE_MAGIC) {
        return Err(format!(
            "{shown} is bytecode, not the text of a program; `tile dis {}` prints it as text",
            escape_line(path)
        ));
    }
    if let Some(why) = tile_fmt::command::not_text(&bytes) {
        return Err(format!("{shown} {why}"));
    }
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(&shown, &error))?;
    let (text, has_mark) = match text.strip_prefix(MARK) {
        Some(rest) => (rest.to_string(), true),
        None => (text, false),
    };
    Ok(SourceFile { name: path.to_string(), text, has_mark })
}

fn open(path: &str) -> Result<(Vec<u8>, Option<Original>), String> {
    let read = match path {
        "-" => tile_files::read(&mut io::stdin().lock(), 0).map(|bytes| (bytes, None)),
        _ => Original::read(Path::new(path)),
    };
    read.map_err(|error| unreadable(path, &error))
}

fn not_utf8(shown: &str, error: &FromUtf8Error) -> String {
    let (before, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
    let row = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    format!("{shown} is not valid UTF-8: invalid byte {:#04x} in line {row}", rest.first().unwrap_or(&0))
}

/// Runs `tile fmt`.
pub(crate) fn format(arguments: tile_fmt::command::Arguments) -> u8 {
    let color = style::output().supports_color();
    tile_fmt::command::main_as(arguments, &project::configs(), color)
}

/// The files that paths on the command line refer to.
#[derive(Default)]
pub(crate) struct FoundFiles {
    /// Named files, and the programs below named folders.
    pub(crate) files: Vec<String>,
    /// Messages about the other paths.
    pub(crate) problems: Vec<String>,
}

/// Finds the files that paths refer to. Does not check that they can be read.
pub(crate) fn find(paths: &[String], configs: &Configs) -> FoundFiles {
    let mut found = FoundFiles::default();
    for path in paths {
        if path == "-" || !Path::new(path).is_dir() {
            found.files.push(path.clone());
            continue;
        }
        let (below, problems) = tile_files::below(Path::new(path), configs, is_program);
        if below.is_empty() && problems.is_empty() {
            found.problems.push(format!(
                "the folder `{}` contains no programs: no `.tile` files, and no `.mlir` files with a \
                 `cuda_tile.module`, apart from those that `.gitignore` or `tile.toml` excludes",
                escape_line(path)
            ));
        }
        found.problems.extend(problems);
        for file in below {
            match file.into_os_string().into_string() {
                Ok(file) => found.files.push(file),
                Err(name) => {
                    let name = name.to_string_lossy();
                    let name = escape_line(&name);
                    found.problems.push(format!("cannot read `{name}`: the file name is not valid UTF-8"));
                }
            }
        }
    }
    found
}

fn is_program(path: &Path) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("tile") => true,
        Some("mlir") => tile_input::contains(path, b"cuda_tile.module", MAX_PROGRAM).unwrap_or(false),
        _ => false,
    }
}
