//! What has to stay of a program that is made smaller.

use crate::bytecode;
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

/// What a program is compiled with.
#[derive(Clone, Debug)]
pub struct Build {
    /// The compiler. What it makes of the tries should not be kept.
    pub compiler: Compiler,
    /// The GPU, such as `sm_90`.
    pub gpu: String,
    /// How it is compiled.
    pub options: Options,
    /// The version of the bytecode.
    pub version: Version,
    /// Whether programs may have preview content.
    pub preview: bool,
    /// What the program's file is called where code says where it comes from.
    pub path: String,
}

/// A program that says something about programs.
#[derive(Clone, Debug)]
pub struct Script {
    /// The program and its arguments; [`PLACE`] among them is the file to look at, which else comes last.
    pub words: Vec<String>,
    /// The file that is made smaller. Tries have its name, and lie in folders of their own, with the files that launches
    /// name.
    pub file: PathBuf,
    /// What has to be part of what it says.
    pub says: Option<String>,
    /// After how long it is given up.
    pub limit: Duration,
}

/// What stands for the file in the words of a [`Script`].
pub const PLACE: &str = "{}";

/// What has to stay of a program that is made smaller.
#[derive(Debug)]
pub enum Failure {
    /// The compiler fails in the same way.
    Compiler(Box<Build>, Refusal),
    /// A program ends in the same way.
    Script(Script, Ending),
    /// A diagnostic is found, by its code, where programs are checked like this.
    Code(String, context::Options),
}

/// How the compiler fails.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// It crashes.
    Crash(Box<Crash>),
    /// It refuses the program, with this message.
    Message(String),
}

/// How a program ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With a status, in words.
    Status(String),
    /// It does not end in time.
    Late,
}

impl Failure {
    /// How the compiler fails with a program; else what it does instead.
    pub fn of_compiler(build: Build, text: &str) -> Result<Failure, String> {
        let refusal = build.refusal(text)?;
        Ok(Failure::Compiler(Box::new(build), refusal))
    }

    /// How another program ends that looks at this one.
    pub fn of_script(script: Script, text: &str) -> Result<Failure, String> {
        let (ending, said) = script.run(text)?;
        if let Some(wanted) = script.says.as_ref().filter(|wanted| !said.contains(*wanted)) {
            return Err(format!("the command does not say `{wanted}`:\n{said}"));
        }
        Ok(Failure::Script(script, ending))
    }

    /// A diagnostic that is found in a program which is checked like this.
    pub fn of_code(code: &str, options: context::Options, text: &str) -> Result<Failure, String> {
        if !crate::all_pages().any(|page| page.code == code) {
            return Err(format!("unknown diagnostic `{code}`"));
        }
        if !has_code(text, code, options) {
            return Err(format!("the program has no {code}; `tile check` tells what it has"));
        }
        Ok(Failure::Code(code.to_string(), options))
    }

    /// Whether a program still fails like this.
    pub fn is_in(&self, text: &str) -> bool {
        match self {
            Failure::Compiler(build, refusal) => build.refusal(text).is_ok_and(|found| found.kind() == refusal.kind()),
            Failure::Script(script, ending) => script.run(text).is_ok_and(|(found, said)| {
                found == *ending && script.says.as_ref().is_none_or(|wanted| said.contains(wanted))
            }),
            Failure::Code(code, options) => has_code(text, code, *options),
        }
    }

    /// What stays, in words.
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
    /// What tells it from others.
    fn kind(&self) -> String {
        match self {
            Refusal::Crash(crash) => crash.kind(),
            Refusal::Message(message) => format!("refused: {}", compiler_output::without_numbers(message)),
        }
    }
}

impl Build {
    /// How the compiler fails with a program; else what it does instead.
    fn refusal(&self, text: &str) -> Result<Refusal, String> {
        let Build { version, preview, .. } = *self;
        let options = context::Options { version, preview, any_names: true, ..context::Options::default() };
        let checked = batch::check(text, options, |_| Keep::Program);
        if let Some(error) = checked.diagnostics.iter().find(|found| found.severity == Severity::Error) {
            let (code, message) = (error.page.code, &error.message);
            return Err(format!(
                "the program does not get as far as the compiler, it has {code}: {message}\n  help: `--code {code}` keeps that"
            ));
        }
        let bytes = bytecode::of_program(&checked.program(text), Some(&self.path), self.version);
        let bytes = bytes.map_err(|_| format!("bytecode {} cannot hold the program", self.version))?;
        match self.compiler.compile(&bytes, &self.gpu, &self.options) {
            Ok(_) => Err(format!("`tileiras` compiles the program for {}: nothing fails", self.gpu)),
            Err(CompileError::Crashed(crash)) => Ok(Refusal::Crash(crash)),
            Err(CompileError::Refused { said }) => Ok(Refusal::Message(complaint(&said))),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The first error of what the compiler says; nothing where it says none.
fn complaint(said: &str) -> String {
    let errors = compiler_output::read(said).into_iter().find(|complaint| complaint.level == Level::Error);
    errors.map_or(String::new(), |complaint| complaint.message)
}

impl Script {
    /// Runs it on a program. Returns how it ended, and what it said.
    fn run(&self, text: &str) -> Result<(Ending, String), String> {
        let folder = tempfile::tempdir().map_err(|error| format!("no folder can be made: {error}"))?;
        let path = folder.path().join(self.file.file_name().unwrap_or("program.tile".as_ref()));
        std::fs::write(&path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        for name in named_files(text) {
            let from = self.file.parent().unwrap_or(Path::new("")).join(&name);
            let to = folder.path().join(&name);
            // What is not there or lies elsewhere is the command's affair, as it was for the whole program.
            if to.starts_with(folder.path()) && !name.contains("..") {
                let _ = to.parent().map(std::fs::create_dir_all);
                let _ = std::fs::copy(from, to);
            }
        }
        let (program, arguments) = self.words.split_first().ok_or("there is no command")?;
        let mut command = Command::new(program);
        command.args(arguments.iter().map(|word| word.replace(PLACE, &path.to_string_lossy())));
        if !arguments.iter().any(|word| word.contains(PLACE)) {
            command.arg(&path);
        }
        match child::run(command, self.limit, &Stop::default()) {
            Ok(Some(ended)) => Ok((Ending::Status(ended.status.to_string()), ended.said)),
            Ok(None) => Ok((Ending::Late, String::new())),
            Err(error) => Err(format!("`{program}` cannot be started: {error}")),
        }
    }
}

/// The files that the launches of a program name.
fn named_files(text: &str) -> BTreeSet<String> {
    let items = split(text).into_iter().filter(|piece| piece.kind == PieceKind::Item);
    let launches =
        items.flat_map(|item| tile_launch::parse(text, comment_lines_above(text, item.range.start)).launches);
    launches.flat_map(|launch| launch.files().into_iter().map(str::to_string).collect::<Vec<_>>()).collect()
}

/// Whether `tile check` finds a diagnostic in a program.
fn has_code(text: &str, code: &str, options: context::Options) -> bool {
    let keep = |start| if find::has_directives(text, start) { Keep::Everything } else { Keep::Nothing };
    let checked = batch::check(text, options, keep);
    let launches = find::diagnostics_of(text, &checked);
    checked.diagnostics.iter().chain(&launches).any(|found| found.page.code == code)
}

/// What the smaller program of a file is called where nobody says it.
pub fn reduced_name(path: &Path) -> PathBuf {
    path.with_extension("reduced.tile")
}
