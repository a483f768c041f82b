//! `tile dis`.

use crate::headings::{LANGUAGE, OUTPUT};
use crate::launches::{say, show_all};
use crate::limit::Limit;
use crate::messages::{fail, output_failed};
use crate::preview::Previews;
use crate::{overwrite, project, sources};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use tile_analysis::context::Options;
use tile_analysis::lines::Lines;
use tile_analysis::print::{self, Broken, Style};
use tile_analysis::render::{Source, escape};
use tile_backend::bytecode::decode::{Decoded, Error, Unread, decode_readable};
use tile_backend::cuda::compiler::bytecode_of_library;
use tile_dialect::Version;

/// Disassemble bytecode to text
///
/// Reads bytecode files and tile libraries, and prints text that `tile check` accepts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Bytecode or tile library to read, or `-` for standard input
    file: String,
    /// Output file, or `-` for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", help_heading = OUTPUT)]
    output: String,
    /// Print the source locations of ops, if the bytecode has them
    #[arg(long, short = 'g', help_heading = OUTPUT)]
    debug_info: bool,
    /// Print ops in generic form, with all attributes and types
    #[arg(long, help_heading = OUTPUT)]
    generic: bool,
    /// Tile IR version that determines the names of ops [default: `target-version` in `tile.toml`, else 13.5]
    #[arg(long, value_name = "VERSION", value_parser = Version::parse, help_heading = LANGUAGE)]
    target_version: Option<Version>,
    #[command(flatten)]
    preview: Previews,
}

/// Runs the command. The status is 1 if the bytecode cannot be read completely, or if the program is invalid; an
/// invalid program is still printed.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if arguments.output != "-"
        && let Err(message) = overwrite::refuse_input(Path::new(&arguments.output), [arguments.file.as_str()])
    {
        return fail(message);
    }
    let bytes = match sources::read_bytes(&arguments.file) {
        Ok(bytes) => bytes,
        Err(message) => return fail(message),
    };
    let Options { version, preview, .. } = match arguments.preview.options_in(&project::configs(), &arguments.file) {
        Ok(options) => options,
        Err(message) => return fail(message),
    };
    let version = arguments.target_version.unwrap_or(version);
    let libraries = bytecode_of_library(&bytes);
    let parts = if libraries.is_empty() { vec![("", &bytes[..])] } else { libraries };
    let mut all = Vec::new();
    for (title, bytes) in &parts {
        match decode_readable(bytes, preview) {
            Ok(decoded) => all.push(Decompiled { title, decoded }),
            Err(error) => {
                fail(format_args!("{}, {error}", shown(arguments, title)));
                return 1;
            }
        }
    }
    for part in &all {
        for warning in &part.decoded.warnings {
            say(format_args!("warning: {}, {warning}", shown(arguments, part.title)));
        }
    }
    let text = all.iter().map(|part| text(arguments, version, part)).collect::<Vec<_>>().join("\n");
    let written = if arguments.output == "-" {
        let shown = if io::stdout().is_terminal() { escape(&text) } else { text.as_str().into() };
        io::stdout().write_all(shown.as_bytes()).and_then(|()| io::stdout().flush())
    } else {
        tile_files::replace(Path::new(&arguments.output), text.as_bytes())
    };
    if let Err(error) = written {
        return output_failed(&error);
    }
    all.iter().map(|part| check(arguments, part)).max().unwrap_or(0)
}

/// A program and its title in the tile library; the title is empty if the file is bytecode.
struct Decompiled<'a> {
    title: &'a str,
    decoded: Decoded,
}

/// The name of a program for messages.
fn shown(arguments: &Arguments, title: &str) -> String {
    let name = sources::shown(&arguments.file);
    if title.is_empty() { name.to_string() } else { format!("{name}, {title}") }
}

/// Reports unreadable parts, or the errors of the program. Returns the exit status.
fn check(arguments: &Arguments, part: &Decompiled) -> u8 {
    let decoded = &part.decoded;
    if !decoded.unread.is_empty() {
        let name = shown(arguments, part.title);
        decoded.unread.iter().for_each(|unread| _ = fail(format_args!("{name}, {}", unread.error)));
        return 1;
    }
    let checked = print::check_bytecode(&decoded.module, decoded.debug.as_ref(), decoded.version);
    let status = u8::from(checked.is_err());
    let broken = checked.unwrap_or_else(Some);
    broken.iter().for_each(|broken| report(&arguments.file, broken));
    status
}

/// The text of the readable part. Comments mark incomplete entries, and name the part of a library.
fn text(arguments: &Arguments, version: Version, Decompiled { title, decoded }: &Decompiled) -> String {
    let style = if arguments.generic { Style::Generic } else { Style::Custom };
    let options = print::Options { style, version };
    let debug = decoded.debug.as_ref().filter(|_| arguments.debug_info);
    let note = |unread: &Unread| {
        let Error { offset, message } = &unread.error;
        Some((unread.cut_entry?, format!("incomplete from byte {offset} on: {message}")))
    };
    let notes: Vec<_> = decoded.unread.iter().filter_map(note).collect();
    let head = if title.is_empty() { String::new() } else { format!("// {title}\n") };
    let text = print::annotated(&decoded.module, debug, options, &notes);
    tile_fmt::format(&(head + &text), &tile_fmt::Options::default())
}

/// Shows the errors of a program in its generic form.
fn report(path: &str, broken: &Broken) {
    let name = format!("{path} in generic form");
    let source = Source { name: &name, text: &broken.text, lines: &Lines::new(&broken.text) };
    show_all(&source, &broken.diagnostics, Limit::default());
}
