//! `tile dis`.

use crate::check::{output_failed, version};
use crate::launches::show_all;
use crate::limit::Limit;
use crate::preview::Previews;
use crate::{fail, sources};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use tile_analysis::lines::Lines;
use tile_analysis::print::{self, Broken, Style};
use tile_analysis::render::{Source, escape};
use tile_backend::bytecode::decode::Decoded;
use tile_backend::bytecode::decode_with;
use tile_backend::cuda::compiler::bytecode_of_library;
use tile_dialect::Version;

/// Print bytecode, or that of a tile library, as text that `tile check` accepts.
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
    #[command(flatten)]
    preview: Previews,
}

/// Runs the command. What is malformed has status 1; what breaks rules is printed and told, with status 1 too.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let bytes = match sources::read_bytes(&arguments.file) {
        Ok(bytes) => bytes,
        Err(message) => return fail(message),
    };
    let preview = match arguments.preview.allow_in(&sources::configs(), &arguments.file) {
        Ok(preview) => preview,
        Err(message) => return fail(message),
    };
    let libraries = bytecode_of_library(&bytes);
    let parts = if libraries.is_empty() { vec![("", &bytes[..])] } else { libraries };
    let mut all = Vec::new();
    for (title, bytes) in &parts {
        match decode_with(bytes, preview) {
            Ok(decoded) => all.push((*title, decoded)),
            Err(error) => {
                let part = if title.is_empty() { String::new() } else { format!(", {title}") };
                fail(format_args!("{}{part}, {error}", sources::shown(&arguments.file)));
                return 1;
            }
        }
    }
    let text = all.iter().map(|(title, decoded)| text(arguments, title, decoded)).collect::<Vec<_>>().join("\n");
    let written = if arguments.output == "-" {
        let shown = if io::stdout().is_terminal() { escape(&text) } else { text.as_str().into() };
        io::stdout().write_all(shown.as_bytes()).and_then(|()| io::stdout().flush())
    } else {
        tile_fmt::files::replace(Path::new(&arguments.output), text.as_bytes())
    };
    if let Err(error) = written {
        return output_failed(&error);
    }
    let broken = all.iter().filter_map(|(_, decoded)| print::check(&decoded.module, decoded.debug.as_ref()).err());
    broken.map(|broken| tell(&arguments.file, &broken)).max().unwrap_or(0)
}

/// The text of a program. That of a part of a library says in a comment which part it is.
fn text(arguments: &Arguments, title: &str, decoded: &Decoded) -> String {
    let style = if arguments.generic { Style::Generic } else { Style::Custom };
    let debug = decoded.debug.as_ref().filter(|_| arguments.debug_info);
    let text = print::module(&decoded.module, debug, print::Options { style, version: arguments.target_version });
    let head = if title.is_empty() { String::new() } else { format!("// {title}\n") };
    tile_fmt::format(&(head + &text), &tile_fmt::Options::default())
}

/// Shows what rules a program breaks, in its generic form.
fn tell(path: &str, broken: &Broken) -> u8 {
    let name = format!("{path} in generic form");
    let source = Source { name: &name, text: &broken.text, lines: &Lines::new(&broken.text) };
    show_all(&source, &broken.diagnostics, Limit::default());
    1
}
