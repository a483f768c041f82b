//! `tile run`.

mod reporter;

use crate::choose::{choose, choose_at};
use crate::gpu::{Compile, Launcher, Libraries};
use crate::headings::{DEBUGGING, EXECUTION, GPU, INPUT, OUTPUT};
use crate::launch_options::{DEFAULT_MEMORY, block, needs_cpu, schedule, seconds, triple};
use crate::launches::{self, Program};
use crate::limit::Limit;
use crate::messages::fail;
use crate::preview::Previews;
use crate::{interrupt, overwrite, project, sources};
use clap::ValueEnum;
use reporter::{Format, Reporter};
use std::num::NonZeroU32;
use std::path::Path;
use tile_analysis::render::escape_line;
use tile_analysis::suggest;
use tile_backend::worker::{Host, Job, Report, Target, Watching, WorkerError, trace};
use tile_input::size;
use tile_launch::directive::MAX_GRID;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::{Launch, Spec, bind};

/// Run one launch of a program.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Program to run, or `-` for standard input
    file: String,
    /// Entry to run [default: the first one with a launch]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    entry: Option<String>,
    /// Name of the launch to run [default: the first one]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    launch: Option<String>,
    /// Line of the file: run the launch above it, or else the first one
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["entry", "launch"], help_heading = INPUT)]
    line: Option<NonZeroU32>,
    /// Number of tile blocks in each dimension
    ///
    /// Omitted dimensions are 1: `8` is the same as `8,1,1`.
    #[arg(long, value_name = "X,Y,Z", value_parser = grid, allow_hyphen_values = true, help_heading = INPUT)]
    grid: Option<[u32; 3]>,
    /// Value of a parameter, such as '%a=f32[8] iota' (can be repeated)
    ///
    /// Values are written as in launch directives; see `tile doc launch`.
    #[arg(long = "arg", value_name = "%NAME=SPEC", help_heading = INPUT)]
    args: Vec<String>,
    /// Save a buffer after the run, such as '%c=c.npy' (can be repeated)
    #[arg(long, value_name = "%NAME=FILE", help_heading = OUTPUT)]
    save: Vec<String>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    output_format: Format,
    #[command(flatten)]
    limit: Limit,
    /// Where to run: `cpu`, `cuda`, `cuda:N` or one of your hosts
    ///
    /// `cuda:N` is the GPU with number N. Hosts are defined in the file `tile/targets` of your configuration folder
    /// (`~/.config` on Linux); `HOST:cuda:N` and `HOST:cpu` also work.
    #[arg(long, default_value = "cpu", help_heading = EXECUTION)]
    target: Host,
    #[command(flatten)]
    launcher: Launcher,
    /// Memory limit for the buffers of the launch
    ///
    /// The same limit applies to the tiles of all tile blocks that run at the same time.
    #[arg(
        long, value_name = "SIZE", value_parser = size::parse, default_value = DEFAULT_MEMORY, help_heading = EXECUTION
    )]
    max_memory: u64,
    /// Time limit of the run, in seconds
    #[arg(
        long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true, help_heading = EXECUTION
    )]
    timeout: Option<u64>,
    /// Detect undefined behavior, such as data races and out-of-bounds accesses
    ///
    /// Without a value, uses the sanitizer of the CPU engine (`all`).
    #[arg(
        long, value_enum, value_name = "CHECKS", num_args = 0..=1, require_equals = true,
        default_missing_value = "all", help_heading = DEBUGGING
    )]
    sanitize: Option<Sanitize>,
    /// Run in another permitted order, chosen by a seed
    ///
    /// Starts the tile blocks in random order, and delays each load, store and atomic op until its token or result is
    /// needed. Kernels that are correct only by chance then fail.
    #[arg(long, value_name = "seed=N", value_parser = schedule, help_heading = DEBUGGING)]
    schedule: Option<u64>,
    /// Print a value whenever it is computed, such as '%x' (can be repeated)
    ///
    /// Traces go to standard error.
    #[arg(long, value_name = "%NAME", help_heading = DEBUGGING)]
    trace: Vec<String>,
    /// Print all elements of large tiles instead of a summary
    #[arg(long, requires = "trace", help_heading = DEBUGGING)]
    trace_full: bool,
    /// Trace only this tile block
    ///
    /// Omitted coordinates are 0.
    #[arg(long, value_name = "X,Y,Z", value_parser = block, requires = "trace", help_heading = DEBUGGING)]
    trace_block: Option<[u32; 3]>,
    /// Report the time and the memory traffic of each op
    #[arg(long, help_heading = DEBUGGING)]
    profile: bool,
    /// Compare the results with those of the CPU engine
    #[arg(long, value_enum, value_name = "TARGET", help_heading = GPU)]
    compare: Option<Reference>,
    /// Time N more runs of the kernel
    ///
    /// Reports the median time, and the throughput as a fraction of the GPU's maximum.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = GPU)]
    bench: Option<u32>,
    #[command(flatten)]
    compile: Compile,
    #[command(flatten)]
    libraries: Libraries,
    #[command(flatten)]
    preview: Previews,
}

/// The checks of `--sanitize`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sanitize {
    /// All checks of the CPU engine
    All,
    /// On a GPU, instrument code for NVIDIA's `compute-sanitizer`
    Memcheck,
}

/// The target that provides the reference results.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Reference {
    /// The CPU engine
    Cpu,
}

fn grid(text: &str) -> Result<[u32; 3], String> {
    let grid = triple(text, 1).ok_or("expected one to three numbers, such as 8,4,1")?;
    if grid.iter().all(|extent| (1..=MAX_GRID).contains(extent)) {
        return Ok(grid);
    }
    Err(format!("each number must be between 1 and {MAX_GRID}"))
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let extra = [
        ("--sanitize", arguments.sanitize == Some(Sanitize::All)),
        ("--schedule", arguments.schedule.is_some()),
        ("--trace", !arguments.trace.is_empty()),
        ("--profile", arguments.profile),
    ];
    let fits = needs_cpu(arguments.target.target, &extra).and_then(|()| needs_gpu(arguments));
    if let Err(message) = fits {
        return fail(message);
    }
    let file = match sources::read(&arguments.file) {
        Ok(file) => file,
        Err(message) => return fail(message),
    };
    let options = match arguments.preview.options_in(&project::configs(), &arguments.file) {
        Ok(options) => options,
        Err(message) => return fail(message),
    };
    let program = Program::check(file, options);
    let mut reporter = Reporter::new(arguments.output_format, arguments.limit, &program);
    if !program.errors.is_empty() {
        reporter.refuse(program.errors.clone());
        return reporter.status(1);
    }
    match launch(arguments, &mut reporter) {
        Ok(status) => reporter.status(status),
        Err(message) => fail(message),
    }
}

fn launch(arguments: &Arguments, reporter: &mut Reporter<'_>) -> Result<u8, String> {
    let at_line = arguments.line.and_then(|line| choose_at(reporter.program, line.get()));
    let by_name = || choose(reporter.program, arguments.entry.as_deref(), arguments.launch.as_deref());
    let (entry, mut launch) = at_line.map_or_else(by_name, Ok)?;
    if arguments.launch.is_none() && arguments.line.is_none() {
        print_other_launches(entry);
    }
    let mistakes: Vec<_> = entry.directives.errors_in(&launch).map(find::launch_problem).collect();
    if !mistakes.is_empty() {
        reporter.refuse(mistakes);
        return Ok(1);
    }
    override_launch(arguments, &mut launch)?;
    let misfits = misfits(entry, &launch)?;
    if !misfits.is_empty() {
        reporter.refuse(misfits.iter().map(find::launch_problem).collect());
        return Ok(1);
    }
    let saves = saves(arguments, entry, &launch)?;
    overwrite::refuse_saves(&saves, &reporter.program.file.name)?;
    let watching = watching(arguments);
    if let Some(mistake) =
        trace::mistake(entry, &reporter.program.file.text, launch.grid, &watching.trace, watching.block)
    {
        return Err(format!("`--trace`: {mistake}"));
    }
    let mut job = match reporter.program.job(entry, launch) {
        Ok(job) => job,
        Err(unreadable) if launches::is_outside(&unreadable.range) => return Err(launches::usage(&unreadable)),
        Err(unreadable) => {
            reporter.refuse(vec![find::launch_problem(&unreadable)]);
            return Ok(2);
        }
    };
    job.save = saves.iter().map(|(name, _)| name.clone()).collect();
    (job.target, job.sanitize, job.watching) =
        (arguments.target.target, arguments.sanitize == Some(Sanitize::All), watching);
    (job.timeout_ms, job.max_bytes, job.schedule) = (arguments.timeout, arguments.max_memory, arguments.schedule);
    (job.compile, job.remarks) =
        (arguments.compile.options(arguments.sanitize == Some(Sanitize::Memcheck))?, arguments.compile.remarks());
    job.libraries = arguments.libraries.read()?;
    (job.compare, job.bench) = (arguments.compare.is_some(), arguments.bench);
    let host = arguments.launcher.before(&arguments.target);
    run_job(entry, &job, &host, &saves, reporter)
}

/// Rejects options that apply only to GPUs if the target is the CPU engine.
fn needs_gpu(arguments: &Arguments) -> Result<(), String> {
    let gpu_only = [
        ("--compare", arguments.compare.is_some()),
        ("--bench", arguments.bench.is_some()),
        ("--sanitize=memcheck", arguments.sanitize == Some(Sanitize::Memcheck)),
        ("--library", arguments.libraries.is_given()),
    ];
    let gpu_only = gpu_only.into_iter().find(|(_, given)| *given).map(|(name, _)| name);
    match gpu_only.or(arguments.compile.given()) {
        Some(option) if arguments.target.target == Target::Cpu => {
            Err(format!("`{option}` is only supported on GPUs; add `--target cuda`"))
        }
        _ => arguments.compile.options(arguments.sanitize == Some(Sanitize::Memcheck)).map(|_| ()),
    }
}

fn watching(arguments: &Arguments) -> Watching {
    Watching {
        trace: arguments.trace.clone(),
        whole: arguments.trace_full,
        block: arguments.trace_block,
        profile: arguments.profile,
        ..Watching::default()
    }
}

/// Runs a job in a worker, reports it and saves the requested buffers.
fn run_job(
    entry: &EntryLaunches,
    job: &Job,
    host: &Host,
    saves: &[(String, String)],
    reporter: &mut Reporter<'_>,
) -> Result<u8, String> {
    let started = host.worker_with(interrupt::kill_before_end());
    interrupt::hold();
    let mut worker = started.map_err(|error| error.to_string())?;
    // If the reader closes the output, the run is useless unless it saves something.
    reporter.kill_on_closed_output(saves.is_empty().then(|| worker.killer()));
    reporter.begin();
    let outcome = worker.run(job, |event| reporter.event(&event));
    reporter.end();
    interrupt::hold();
    let report = match outcome {
        Err(_) if reporter.is_closed() => return Ok(0),
        Err(error @ WorkerError::Late { .. }) => Report::late(entry.name.clone(), &error),
        other => other.map_err(|error| error.to_string())?,
    };
    if let Some(mistake) = report.setup_problem() {
        return Err(launches::with_help(&mistake.message, mistake.notes.first()));
    }
    reporter.report(&report);
    for ((_, path), (_, bytes)) in saves.iter().zip(&report.saved) {
        tile_files::replace(Path::new(path), bytes).map_err(|error| format!("cannot write `{path}`: {error}"))?;
    }
    Ok(u8::from(!report.passed()))
}

/// Prints the names of the launches other than the first one.
fn print_other_launches(entry: &EntryLaunches) {
    let others = entry.directives.launches.iter().skip(1).filter_map(|launch| launch.name.as_ref());
    let others: Vec<String> = others.map(|name| format!("\"{}\"", escape_line(name))).collect();
    if !others.is_empty() {
        let name = &entry.entry.name;
        launches::say(format_args!("running the first launch of `@{name}`; others: {}", others.join(", ")));
    }
}

/// Applies `--grid` and `--arg`. Removes the expectations, which apply only to the arguments in the directive.
fn override_launch(arguments: &Arguments, launch: &mut Launch) -> Result<(), String> {
    if let Some(grid) = arguments.grid {
        (launch.grid, launch.expects) = (grid, Vec::new());
    }
    for text in &arguments.args {
        let (name, spec) = named("--arg", text, "SPEC")?;
        let mut spec =
            tile_launch::parse_spec(spec).map_err(|error| format!("`--arg {text}`: {}", launches::usage(&error)))?;
        for file in spec.files_mut() {
            *file = from_here(file)?;
        }
        launch.args.retain(|arg| arg.name != name);
        launch.args.push(tile_launch::Arg { name, spec, range: 0..0 });
        launch.expects.clear();
    }
    Ok(())
}

/// Resolves a path on the command line, which is relative to the current folder; paths in directives are relative to
/// the program.
fn from_here(file: &str) -> Result<String, String> {
    let path = std::path::absolute(file).map_err(|error| format!("`{file}`: {error}"))?;
    path.into_os_string().into_string().map_err(|path| format!("`{}` is not UTF-8", path.to_string_lossy()))
}

/// Splits the value of an option at `=` into a name and the rest.
fn named<'t>(option: &str, text: &'t str, form: &str) -> Result<(String, &'t str), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let name = name.trim().trim_start_matches('%').to_string();
    if name.is_empty() || !text.contains('=') {
        return Err(format!("`{option} {text}` is not of the form '%name={form}'"));
    }
    Ok((name, value))
}

/// The mismatches between a launch and its entry. A mismatch on the command line is returned as an error: wrong usage.
fn misfits(entry: &EntryLaunches, launch: &Launch) -> Result<Vec<tile_launch::LaunchError>, String> {
    let wrong = bind::wrong_arguments(entry.kernels(launch), launch);
    if let Some(outside) = wrong.iter().find(|misfit| launches::is_outside(&misfit.range)) {
        return Err(launches::usage(outside));
    }
    let missing = bind::missing(entry.kernels(launch), launch);
    if missing.is_empty() || !launches::is_outside(&launch.range) {
        return Ok(bind::misfits(entry.kernels(launch), launch));
    }
    let names = bind::listed(missing.iter().map(|(name, _)| format!("`%{name}`")));
    let options: String = missing.iter().map(|(name, sample)| format!(" --arg '%{name}={sample}'")).collect();
    let lacks = format!("`@{}` has no values for {names}: it has no launch directive", entry.entry.name);
    Err(format!("{lacks}\n  help: write a launch directive, or add{options}"))
}

fn saves(arguments: &Arguments, entry: &EntryLaunches, launch: &Launch) -> Result<Vec<(String, String)>, String> {
    let params: Vec<&str> = entry.entry.params.iter().map(|name| &**name).collect();
    let one = |text: &String| {
        let (name, path) = named("--save", text, "FILE.npy")?;
        let refuse = |why: String| Err(format!("`--save {text}`: {why}"));
        match launch.arg(&name) {
            None => {
                let hint = suggest::value(&name, &params);
                refuse(format!("`@{}` has no parameter `%{name}`: {hint}", entry.entry.name))
            }
            Some(arg) if matches!(arg.spec, Spec::Scalar(_)) => {
                refuse(format!("`%{name}` is a number; only buffers can be saved"))
            }
            Some(arg) if matches!(arg.spec, Spec::Address(_)) => {
                refuse(format!("`%{name}` is an address; only buffers can be saved"))
            }
            Some(_) if path.is_empty() => refuse("missing file name".to_string()),
            Some(_) => match tile_files::can_replace(Path::new(path)) {
                Ok(()) => Ok((name, path.to_string())),
                Err(error) => Err(format!("cannot write `{path}`: {error}")),
            },
        }
    };
    arguments.save.iter().map(one).collect()
}
