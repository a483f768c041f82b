//! `tile dis`.

use crate::check::{output_failed, version};
use crate::launches::{say, show_all};
use crate::limit::Limit;
use crate::{fail, overwrite, sources};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use tile_analysis::lines::Lines;
use tile_analysis::print::{self, Broken, Style};
use tile_analysis::render::{Source, escape};
use tile_backend::bytecode::decode::{Decoded, Error, Unread, decode_readable};
use tile_dialect::Version;

/// Print bytecode as text that `tile check` accepts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The bytecode; `-` is standard input.
    file: String,
    /// Where the text goes; `-` is standard output.
    #[arg(long, short, default_value = "-")]
    output: String,
    /// Say where the ops come from, as far as the bytecode does.
    #[arg(long, short = 'g')]
    debug_info: bool,
    /// Write every op in generic form, with all its attributes and types.
    #[arg(long)]
    generic: bool,
    /// The version whose spellings are used.
    #[arg(long, value_parser = version, default_value = Version::NEWEST.name())]
    target_version: Version,
}

/// Runs the command. Bytecode that cannot be read, in part or as a whole, has status 1; a program that breaks rules is
/// printed and reported, with status 1 too.
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
    let decoded = match decode_readable(&bytes) {
        Ok(decoded) => decoded,
        Err(error) => {
            fail(format_args!("{}, {error}", sources::shown(&arguments.file)));
            return 1;
        }
    };
    let name = sources::shown(&arguments.file);
    for warning in &decoded.warnings {
        say(format_args!("warning: {name}, {warning}"));
    }
    let text = text(&decoded, arguments);
    let written = if arguments.output == "-" {
        let shown = if io::stdout().is_terminal() { escape(&text) } else { text.as_str().into() };
        io::stdout().write_all(shown.as_bytes()).and_then(|()| io::stdout().flush())
    } else {
        tile_fmt::files::replace(Path::new(&arguments.output), text.as_bytes())
    };
    if let Err(error) = written {
        return output_failed(&error);
    }
    if !decoded.unread.is_empty() {
        decoded.unread.iter().for_each(|unread| _ = fail(format_args!("{name}, {}", unread.error)));
        return 1;
    }
    match print::check_bytecode(&decoded.module, decoded.debug.as_ref(), decoded.version) {
        Ok(warned) => {
            warned.iter().for_each(|warned| tell(&arguments.file, warned));
            0
        }
        Err(broken) => {
            tell(&arguments.file, &broken);
            1
        }
    }
}

/// The text of what could be read. An entry that breaks off says so in a comment.
fn text(decoded: &Decoded, arguments: &Arguments) -> String {
    let style = if arguments.generic { Style::Generic } else { Style::Custom };
    let options = print::Options { style, version: arguments.target_version };
    let debug = decoded.debug.as_ref().filter(|_| arguments.debug_info);
    let note = |unread: &Unread| {
        let Error { offset, message } = &unread.error;
        Some((unread.cut_entry?, format!("incomplete from byte {offset} on: {message}")))
    };
    let notes: Vec<_> = decoded.unread.iter().filter_map(note).collect();
    let text = print::annotated(&decoded.module, debug, options, &notes);
    tile_fmt::format(&text, &tile_fmt::Options::default())
}

/// Shows what rules a program breaks, in its generic form.
fn tell(path: &str, broken: &Broken) {
    let name = format!("{path} in generic form");
    let source = Source { name: &name, text: &broken.text, lines: &Lines::new(&broken.text) };
    show_all(&source, &broken.diagnostics, Limit::default());
}
