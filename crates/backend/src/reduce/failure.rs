//! The failure that shrinking a program must preserve.

use crate::cuda::compiler::child;
use crate::cuda::compiler::{CompileError, Compiler, Crash, Options, Stop};
use crate::cuda::compiler_output::{self, Level};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context;
use tile_analysis::diagnostic::Severity;
use tile_analysis::lines::comment_lines_above;
use tile_dialect::Version;
use tile_launch::find;
use tile_syntax::{PieceKind, split};

/// The compiler and options for a program.
#[derive(Clone, Debug)]
pub struct Build {
    /// The compiler. It should not have a cache, because most attempts are compiled only once.
    pub compiler: Compiler,
    /// The GPU, such as `sm_90`.
    pub gpu: String,
    /// The options of the compiler.
    pub options: Options,
    /// The version of the bytecode.
    pub version: Version,
    /// Whether preview content is allowed.
    pub preview: bool,
    /// The path of the program in debug information.
    pub path: String,
}

/// A command that tests programs.
#[derive(Clone, Debug)]
pub struct Script {
    /// The command and its arguments. [`PLACE`] in an argument is replaced by the file to test; without it, the file is
    /// the last argument.
    pub words: Vec<String>,
    /// The file that is shrunk. Attempts have the same name, each in its own folder, with copies of the files that
    /// launches refer to.
    pub file: PathBuf,
    /// Text that the output must contain.
    pub says: Option<String>,
    /// The time limit.
    pub limit: Duration,
}

/// The placeholder for the file in the words of a [`Script`].
pub const PLACE: &str = "{}";

/// The failure that must be preserved.
#[derive(Debug)]
pub enum Failure {
    /// The compiler rejects the program with the same message, or crashes in the same way.
    Compiler(Box<Build>, Refusal),
    /// A command ends with the same status.
    Script(Script, Ending),
    /// Checking with these options reports a diagnostic with this code.
    Code(String, context::Options),
}

/// A failure of the compiler.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The compiler crashes.
    Crash(Box<Crash>),
    /// The compiler rejects the program with this message.
    Message(String),
}

/// How a command ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this exit status, in words.
    Status(String),
    /// The command times out.
    Late,
}

impl Failure {
    /// Determines how the compiler fails for a program. Returns a message if it does not fail.
    pub fn of_compiler(build: Build, text: &str) -> Result<Failure, String> {
        let refusal = build.refusal(text)?;
        Ok(Failure::Compiler(Box::new(build), refusal))
    }

    /// Determines how a command ends for a program.
    pub fn of_script(script: Script, text: &str) -> Result<Failure, String> {
        let (ending, output) = script.run(text)?;
        if let Some(expected) = script.says.as_ref().filter(|expected| !output.contains(*expected)) {
            return Err(format!("the output of the command does not contain `{expected}`:\n{output}"));
        }
        Ok(Failure::Script(script, ending))
    }

    /// Checks that a program has a diagnostic with this code.
    pub fn of_code(code: &str, options: context::Options, text: &str) -> Result<Failure, String> {
        if !crate::all_pages().any(|page| page.code == code) {
            return Err(format!("unknown diagnostic `{code}`"));
        }
        if !has_code(text, code, options) {
            return Err(format!("{code} is not reported for the program; `tile check` lists its diagnostics"));
        }
        Ok(Failure::Code(code.to_string(), options))
    }

    /// Whether a program still has this failure.
    pub fn is_in(&self, text: &str) -> bool {
        match self {
            Failure::Compiler(build, refusal) => build.refusal(text).is_ok_and(|found| found.kind() == refusal.kind()),
            Failure::Script(script, ending) => script.run(text).is_ok_and(|(found, output)| {
                found == *ending && script.says.as_ref().is_none_or(|expected| output.contains(expected))
            }),
            Failure::Code(code, options) => has_code(text, code, *options),
        }
    }

    /// A description of the failure.
    pub fn shown(&self) -> String {
        match self {
            Failure::Compiler(_, Refusal::Crash(crash)) => format!("`tileiras` {}", crash.how),
            Failure::Compiler(build, Refusal::Message(message)) => {
                format!("`tileiras` refuses the program for {}: {message}", build.gpu)
            }
            Failure::Script(_, Ending::Status(status)) => format!("the command ends with {status}"),
            Failure::Script(script, Ending::Late) => format!("the command does not end within {:?}", script.limit),
            Failure::Code(code, _) => format!("the program has {code}"),
        }
    }
}

impl Refusal {
    /// Identifies a kind of failure.
    fn kind(&self) -> String {
        match self {
            Refusal::Crash(crash) => crash.kind(),
            Refusal::Message(message) => format!("refused: {}", compiler_output::without_numbers(message)),
        }
    }
}

impl Build {
    /// Determines how the compiler fails for a program. Returns a message if it does not fail.
    fn refusal(&self, text: &str) -> Result<Refusal, String> {
        let Build { version, preview, .. } = *self;
        let options = context::Options { version, preview, any_names: true, ..context::Options::default() };
        let checked = batch::check(text, options, |_| Keep::Program);
        if let Some(error) = checked.diagnostics.iter().find(|found| found.severity == Severity::Error) {
            let (code, message) = (error.page.code, &error.message);
            return Err(format!(
                "the program cannot be passed to the compiler, because it has {code}: {message}\n  help: use `--code {code}` to preserve that diagnostic"
            ));
        }
        let bytes = tile_bytecode::of_program(&checked.program(text), Some(&self.path), self.version);
        let bytes = bytes.map_err(|_| format!("the program cannot be stored as bytecode {}", self.version))?;
        match self.compiler.compile(&bytes, &self.gpu, &self.options) {
            Ok(_) => Err(format!("`tileiras` compiles the program for {} without a failure", self.gpu)),
            Err(CompileError::Crashed(crash)) => Ok(Refusal::Crash(crash)),
            Err(CompileError::Refused { output }) => Ok(Refusal::Message(first_error(&output))),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The first error in the compiler's output; empty if there is none.
fn first_error(output: &str) -> String {
    let errors = compiler_output::read(output).into_iter().find(|complaint| complaint.level == Level::Error);
    errors.map_or(String::new(), |complaint| complaint.message)
}

impl Script {
    /// Runs the command on a program. Returns how it ended, and its output.
    fn run(&self, text: &str) -> Result<(Ending, String), String> {
        let folder = tempfile::tempdir().map_err(|error| format!("cannot create a temporary folder: {error}"))?;
        let path = folder.path().join(self.file.file_name().unwrap_or("program.tile".as_ref()));
        std::fs::write(&path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        for name in named_files(text) {
            let from = self.file.parent().unwrap_or(Path::new("")).join(&name);
            let to = folder.path().join(&name);
            // Missing files and files elsewhere are ignored. The command handles them as for the original program.
            if to.starts_with(folder.path()) && !name.contains("..") {
                let _ = to.parent().map(std::fs::create_dir_all);
                let _ = std::fs::copy(from, to);
            }
        }
        let (program, arguments) = self.words.split_first().ok_or("no command given")?;
        let mut command = Command::new(program);
        command.args(arguments.iter().map(|word| word.replace(PLACE, &path.to_string_lossy())));
        if !arguments.iter().any(|word| word.contains(PLACE)) {
            command.arg(&path);
        }
        match child::run(command, self.limit, &Stop::default()) {
            Ok(Some(ended)) => Ok((Ending::Status(ended.status.to_string()), ended.output)),
            Ok(None) => Ok((Ending::Late, String::new())),
            Err(error) => Err(format!("cannot start `{program}`: {error}")),
        }
    }
}

/// The files that the launches of a program refer to.
fn named_files(text: &str) -> BTreeSet<String> {
    let items = split(text).into_iter().filter(|piece| piece.kind == PieceKind::Item);
    let launches =
        items.flat_map(|item| tile_launch::parse(text, comment_lines_above(text, item.range.start)).launches);
    launches.flat_map(|launch| launch.files().into_iter().map(str::to_string).collect::<Vec<_>>()).collect()
}

/// Whether `tile check` reports a diagnostic with this code.
fn has_code(text: &str, code: &str, options: context::Options) -> bool {
    let checked = batch::check(text, options, find::needed(text));
    let launches = find::diagnostics_of(text, &checked);
    checked.diagnostics.iter().chain(&launches).any(|found| found.page.code == code)
}

/// The default file name of the shrunk program.
pub fn reduced_name(path: &Path) -> PathBuf {
    path.with_extension("reduced.tile")
}
