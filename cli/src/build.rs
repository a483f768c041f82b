//! `tile build`.

use crate::check::version;
use crate::launches::show;
use crate::sources::{self, SourceFile};
use crate::{fail, output};
use clap::ValueEnum;
use std::io::{self, IsTerminal, Write};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::lines::Lines;
use tile_analysis::render::Source;
use tile_backend::bytecode;
use tile_dialect::Version;

/// Compile a program.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The program; `-` is standard input.
    file: String,
    /// What to make of it.
    #[arg(long, value_enum, default_value = "bytecode")]
    emit: Emit,
    /// Where to put it; `-` is standard output [default: beside the program, with the ending of what it is].
    #[arg(long, short)]
    output: Option<String>,
    /// The version of the bytecode.
    #[arg(long, value_parser = bytecode_version, default_value = Version::NEWEST.name())]
    bytecode_version: Version,
    /// The version whose rules hold [default: that of the bytecode].
    #[arg(long, value_parser = version)]
    target_version: Option<Version>,
    /// Leave out where in the source the ops come from.
    #[arg(long)]
    no_debug_info: bool,
}

/// What can be made of a program.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// What NVIDIA's compiler reads.
    Bytecode,
}

impl Emit {
    fn extension(self) -> &'static str {
        match self {
            Emit::Bytecode => "tileirbc",
        }
    }
}

fn bytecode_version(name: &str) -> Result<Version, String> {
    let known = || bytecode::VERSIONS.map(Version::name).join(", ");
    let version = Version::from_name(name).filter(|version| bytecode::VERSIONS.contains(version));
    version.ok_or_else(|| format!("the versions of bytecode are {}", known()))
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    match build(arguments) {
        Ok(status) => status,
        Err(message) => fail(message),
    }
}

fn build(arguments: &Arguments) -> Result<u8, String> {
    let target = target(arguments)?;
    let file = sources::read(&arguments.file)?;
    let version = arguments.target_version.unwrap_or(arguments.bytecode_version);
    let options = Options { version, any_names: true, ..Options::default() };
    // The process ends with this command: taking its programs apart would only take time.
    let checked = ManuallyDrop::new(batch::check(&file.text, options, |_| Keep::Program));
    if tell(&file, &checked.diagnostics) {
        return Ok(1);
    }
    let path = (!arguments.no_debug_info).then_some(if file.name == "-" { "<stdin>" } else { &file.name });
    match bytecode::of_program(&checked.program(&file.text), path, arguments.bytecode_version) {
        Ok(bytes) => write(&target, &bytes),
        Err(obstacles) => Ok(u8::from(tell(&file, &obstacles))),
    }
}

/// Shows diagnostics. Whether one of them is an error.
fn tell(file: &SourceFile, found: &[Diagnostic]) -> bool {
    if !found.is_empty() {
        let lines = Lines::new(&file.text);
        let source = Source { name: &file.name, text: &file.text, lines: &lines };
        found.iter().for_each(|diagnostic| show(&source, diagnostic));
    }
    found.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// Where the result goes.
enum Target {
    Standard,
    File(PathBuf),
}

fn target(arguments: &Arguments) -> Result<Target, String> {
    match arguments.output.as_deref() {
        Some("-") if io::stdout().is_terminal() => {
            Err("bytecode is no text: send standard output to a file or a program, or name a file with `-o`"
                .to_string())
        }
        Some("-") => Ok(Target::Standard),
        Some(path) => Ok(Target::File(path.into())),
        None if arguments.file == "-" => {
            Err("a program from standard input has no name: say with `-o` where its bytecode goes".to_string())
        }
        None => Ok(Target::File(Path::new(&arguments.file).with_extension(arguments.emit.extension()))),
    }
}

fn write(target: &Target, bytes: &[u8]) -> Result<u8, String> {
    match target {
        Target::File(path) => output::replace(path, bytes)
            .map(|()| 0)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display())),
        Target::Standard => {
            let written = io::stdout().write_all(bytes).and_then(|()| io::stdout().flush());
            Ok(written.map_or_else(|error| crate::check::output_failed(&error), |()| 0))
        }
    }
}
