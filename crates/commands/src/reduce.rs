//! `tile reduce`.

use crate::build::bytecode_version;
use crate::gpu::{self, Compile, Libraries, Sanitizer};
use crate::headings::{EXECUTION, GPU, OUTPUT};
use crate::launch_options::seconds;
use crate::launches::say;
use crate::messages::fail;
use crate::preview::Previews;
use crate::progress::Bar;
use crate::{overwrite, project, sources};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tile_analysis::context::Options;
use tile_backend::cuda::compiler::Compiler;
use tile_backend::reduce::failure::{Build, Failure, Refusal, Script, reduced_name};
use tile_backend::reduce::{Limits, Reduced, reduce};
use tile_dialect::Version;

/// Shrink a program while preserving a failure
///
/// The failure is a crash, hang or error of NVIDIA's compiler (`--gpu`), a diagnostic of `tile check` (`--code`), or
/// the exit status of a command (after `--`).
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Program to shrink, or `-` for standard input
    file: String,
    /// Diagnostic to preserve, such as E0301
    #[arg(long, conflicts_with = "command")]
    code: Option<String>,
    /// Text that the command must print
    #[arg(long, value_name = "TEXT", requires = "command")]
    says: Option<String>,
    /// Output file, or `-` for standard output [default: next to the program]
    ///
    /// The default for `kernel.tile` is `kernel.reduced.tile`.
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<String>,
    /// Time limit of each attempt, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60", help_heading = EXECUTION)]
    timeout: u64,
    /// Time limit of the whole reduction, in seconds
    ///
    /// The output is the smallest program found within this time.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = EXECUTION)]
    budget: Option<u64>,
    /// Number of attempts to run in parallel [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = EXECUTION)]
    jobs: Option<u16>,
    /// GPU for which the compiler fails, such as `sm_90`
    #[arg(long, value_name = "sm_NN", conflicts_with_all = ["code", "command"], help_heading = GPU)]
    gpu: Option<String>,
    /// Bytecode version to compile from [default: the newest supported]
    #[arg(
        long, value_name = "VERSION", value_parser = bytecode_version, conflicts_with_all = ["code", "command"],
        help_heading = GPU
    )]
    bytecode_version: Option<Version>,
    #[command(flatten)]
    compile: Compile,
    #[command(flatten)]
    libraries: Libraries,
    /// Instrument code for NVIDIA's `compute-sanitizer`
    #[arg(long, value_enum, value_name = "TOOL", help_heading = GPU)]
    sanitize: Option<Sanitizer>,
    #[command(flatten)]
    preview: Previews,
    /// Command that fails; `{}` is replaced by the path of the program
    ///
    /// Without `{}`, the path is added as the last argument.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    match shrink(arguments) {
        Ok(()) => 0,
        Err(message) => fail(message),
    }
}

fn shrink(arguments: &Arguments) -> Result<(), String> {
    let target = target(arguments)?;
    let text = sources::read(&arguments.file)?.text;
    let began = Instant::now();
    let configs = project::configs();
    let rules = arguments.preview.options_in(&configs, &arguments.file)?;
    let gpu = project::gpu(&*configs.of_file(project::project_path(&arguments.file))?)?;
    let failure = failure(arguments, Options { gpu, ..rules }, &text)?;
    say(format_args!("{}", failure.shown()));
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let limits = Limits {
        jobs: arguments.jobs.map_or_else(cores, usize::from),
        until: arguments.budget.map(|budget| began + Duration::from_millis(budget)),
    };
    let bar = Bar::on_terminal();
    let mut unwritten = None;
    let reduced = reduce(&text, rules, &|text| failure.is_in(text), limits, &mut |smaller, tries| {
        bar.stage(Some(format!("{} left, {tries} attempts", lines(smaller))));
        // Write each smaller program immediately, so that an interrupt loses nothing.
        unwritten = target.as_ref().and_then(|path| tile_files::replace(path, smaller.as_bytes()).err());
    });
    drop(bar);
    let Reduced { tries, is_finished, .. } = reduced;
    let tidy = tile_fmt::format(&reduced.text, &tile_fmt::Options::default());
    let left = if failure.is_in(&tidy) { tidy } else { reduced.text };
    write(target.as_deref(), &left)?;
    let place = target.as_ref().map_or(String::new(), |path| format!("{}: ", path.display()));
    let over = if is_finished { "" } else { "; stopped by the time limit" };
    say(format_args!(
        "{place}reduced {} to {} in {tries} attempts and {:.1?}{over}",
        lines(&text),
        lines(&left),
        began.elapsed()
    ));
    if let Failure::Compiler(build, Refusal::Crash(_)) = &failure
        && let Ok(Failure::Compiler(_, Refusal::Crash(crash))) = Failure::of_compiler((**build).clone(), &left)
    {
        say(format_args!("{}", crash.report(&left)));
    }
    unwritten.map_or(Ok(()), |error| Err(format!("cannot write an intermediate result: {error}")))
}

fn lines(text: &str) -> String {
    let count = text.lines().count();
    format!("{count} line{}", if count == 1 { "" } else { "s" })
}

/// The failure to preserve. `rules` are the options of `tile check` for the program.
fn failure(arguments: &Arguments, rules: Options, text: &str) -> Result<Failure, String> {
    if let Some(code) = &arguments.code {
        return Failure::of_code(code, rules, text);
    }
    let limit = Duration::from_millis(arguments.timeout);
    let path = if arguments.file == "-" { "program.tile" } else { &arguments.file };
    if !arguments.command.is_empty() {
        let (words, says) = (arguments.command.clone(), arguments.says.clone());
        return Failure::of_script(Script { words, file: path.into(), says, limit }, text);
    }
    let options = arguments.compile.options(arguments.sanitize.is_some())?;
    let compiler = Compiler::find().map_err(|error| error.to_string())?.with_timeout(limit).without_cache();
    let compiler = compiler.with_libraries(arguments.libraries.read()?);
    let Some(gpu) = arguments.gpu.clone() else {
        let known = compiler.facts().gpus.join(", ");
        return Err(format!(
            "no failure to preserve: expected `--gpu` with one of {known}, `--code` with a diagnostic, or a command after `--`"
        ));
    };
    compiler.check(&gpu, &options).map_err(|error| error.to_string())?;
    let version = gpu::bytecode_version(&compiler, arguments.bytecode_version)?;
    let (preview, path) = (rules.preview, path.to_string());
    Failure::of_compiler(Build { compiler, gpu, options, version, preview, path }, text)
}

/// The output file; `None` for standard output.
fn target(arguments: &Arguments) -> Result<Option<PathBuf>, String> {
    match arguments.output.as_deref() {
        Some("-") => Ok(None),
        Some(path) => {
            let path = PathBuf::from(path);
            overwrite::refuse_input(&path, [arguments.file.as_str()])?;
            Ok(Some(path))
        }
        None if arguments.file == "-" => Ok(None),
        None => Ok(Some(reduced_name(Path::new(&arguments.file)))),
    }
}

fn write(target: Option<&Path>, text: &str) -> Result<(), String> {
    match target {
        Some(path) => tile_files::replace(path, text.as_bytes())
            .map_err(|error| format!("cannot write `{}`: {error}", path.display())),
        None => {
            let mut out = std::io::stdout();
            let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            written.map_err(|error| format!("cannot write to standard output: {error}"))
        }
    }
}
