//! `tile run`.

mod reporter;

use crate::choose::choose;
use crate::gpu::{Compile, Launcher, Libraries};
use crate::launch_options::{DEFAULT_MEMORY, Format, needs_cpu, schedule, seconds};
use crate::launches::{self, Program};
use crate::limit::Limit;
use crate::messages::fail;
use crate::preview::Previews;
use crate::{overwrite, project, sources};
use clap::ValueEnum;
use reporter::Reporter;
use std::path::Path;
use tile_analysis::render::escape_line;
use tile_analysis::suggest;
use tile_backend::worker::{Host, Job, Report, ReportedFinding, Start, Target, Watching, WorkerError, trace};
use tile_input::size;
use tile_launch::directive::MAX_GRID;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::{Launch, Spec, bind};

/// Run one launch of a program.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The program; `-` is standard input.
    file: String,
    /// The entry to run; the first one with a launch where it is left out.
    #[arg(long)]
    entry: Option<String>,
    /// The launch to run, by the name in its directive; the first one where it is left out.
    #[arg(long)]
    launch: Option<String>,
    /// What to run on: `cpu`, `cuda`, `cuda:N` for the GPU with the number N, or a name from the file `tile/targets` of
    /// your configuration.
    #[arg(long, default_value = "cpu")]
    target: Host,
    #[command(flatten)]
    launcher: Launcher,
    #[command(flatten)]
    preview: Previews,
    /// Run it on the CPU engine too, and tell where what the GPU leaves differs.
    #[arg(long, value_enum, value_name = "TARGET")]
    compare: Option<Reference>,
    /// Run it N times more, and tell how long the kernel takes and what that is worth.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    bench: Option<u32>,
    #[command(flatten)]
    compile: Compile,
    #[command(flatten)]
    libraries: Libraries,
    /// The number of tile blocks: X, X,Y or X,Y,Z.
    #[arg(long, value_name = "X,Y,Z", value_parser = grid, allow_hyphen_values = true)]
    grid: Option<[u32; 3]>,
    /// What a parameter gets, such as '%a=f32[1024] iota' or '%n=1024'.
    #[arg(long = "arg", value_name = "%NAME=SPEC")]
    args: Vec<String>,
    /// Where to save a buffer after the run, such as '%c=c.npy'.
    #[arg(long, value_name = "%NAME=FILE")]
    save: Vec<String>,
    /// Look for what the language calls undefined, on the CPU engine. With `=memcheck`, on a GPU: make code for the
    /// checks of NVIDIA's `compute-sanitizer`.
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    sanitize: Option<Sanitize>,
    /// Run in another order that the program allows: `seed=N` picks one. Tile blocks begin shuffled, and a load, store
    /// or atomic op is put off until something needs its token or its result, so that a kernel fails that is right by
    /// luck only.
    #[arg(long, value_name = "seed=N", value_parser = schedule)]
    schedule: Option<u64>,
    /// Tell on standard error what a value is whenever it is computed, such as '%x'; may be given several times.
    #[arg(long, value_name = "%NAME")]
    trace: Vec<String>,
    /// Trace all elements of a large tile instead of a summary.
    #[arg(long, requires = "trace")]
    trace_full: bool,
    /// Trace this tile block only.
    #[arg(long, value_name = "X,Y,Z", value_parser = block, requires = "trace")]
    trace_block: Option<[u32; 3]>,
    /// Tell at the end how much time each op took, and how many bytes it read and wrote.
    #[arg(long)]
    profile: bool,
    /// How much memory the buffers may take together, and the tiles of the blocks that run at the same time.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = DEFAULT_MEMORY)]
    max_memory: u64,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    timeout: Option<u64>,
    #[command(flatten)]
    limit: Limit,
    /// How the run is told.
    #[arg(long, value_enum, default_value = "text")]
    output_format: Format,
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sanitize {
    All,
    Memcheck,
}

/// What results are compared with.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Reference {
    Cpu,
}

/// One to three numbers; those that are left out are `rest`.
fn triple(text: &str, rest: u32) -> Option<[u32; 3]> {
    // A number of too many digits is refused as one that is too large.
    let number = |digits: &str| {
        if digits.is_empty() || digits.bytes().any(|byte| !byte.is_ascii_digit()) {
            None
        } else {
            Some(digits.parse().unwrap_or(u32::MAX))
        }
    };
    let numbers: Option<Vec<u32>> = text.split(',').map(|digits| number(digits.trim())).collect();
    match *numbers? {
        [x] => Some([x, rest, rest]),
        [x, y] => Some([x, y, rest]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

fn block(text: &str) -> Result<[u32; 3], String> {
    triple(text, 0).ok_or_else(|| "a tile block is one to three numbers, such as 0,3,0".to_string())
}

fn grid(text: &str) -> Result<[u32; 3], String> {
    let grid = triple(text, 1).ok_or("a grid is one to three numbers, such as 8,4,1")?;
    if grid.iter().all(|extent| (1..=MAX_GRID).contains(extent)) {
        return Ok(grid);
    }
    Err(format!("each number of a grid lies between 1 and {MAX_GRID}"))
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
    let (entry, mut launch) = choose(reporter.program, arguments.entry.as_deref(), arguments.launch.as_deref())?;
    if arguments.launch.is_none() {
        tell_others(entry);
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
    let start = arguments.launcher.before(&arguments.target).start;
    carry_out(entry, &job, &start, &saves, reporter)
}

/// Refuses the options that are given and that the CPU engine has no use for.
fn needs_gpu(arguments: &Arguments) -> Result<(), String> {
    let own = [
        ("--compare", arguments.compare.is_some()),
        ("--bench", arguments.bench.is_some()),
        ("--sanitize=memcheck", arguments.sanitize == Some(Sanitize::Memcheck)),
        ("--library", arguments.libraries.is_given()),
    ];
    let own = own.into_iter().find(|(_, given)| *given).map(|(name, _)| name);
    match own.or(arguments.compile.given()) {
        Some(option) if arguments.target.target == Target::Cpu => {
            Err(format!("`{option}` is for GPUs only; add `--target cuda`"))
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
        debug: None,
    }
}

/// Has a worker do a job, tells about it and saves what it is to save.
fn carry_out(
    entry: &EntryLaunches,
    job: &Job,
    start: &Start,
    saves: &[(String, String)],
    reporter: &mut Reporter<'_>,
) -> Result<u8, String> {
    let mut worker = start.worker().map_err(|error| error.to_string())?;
    // Where nobody reads the output, nothing is left to do but to save.
    reporter.stops(saves.is_empty().then(|| worker.killer()));
    reporter.begins();
    let outcome = worker.run(job, |event| reporter.event(&event));
    reporter.ends();
    let report = match outcome {
        Err(_) if reporter.is_unheard() => return Ok(0),
        Err(error @ WorkerError::Late { .. }) => late(entry, &error),
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

/// What is known of a run that kept no time.
fn late(entry: &EntryLaunches, error: &WorkerError) -> Report {
    let (code, range) = ("R0402".to_string(), Some(entry.name.clone()));
    let found = ReportedFinding { code, message: error.to_string(), range, notes: Vec::new(), others: Vec::new() };
    Report { findings: vec![found], ..Report::default() }
}

/// Says which launches there are beside the first one.
fn tell_others(entry: &EntryLaunches) {
    let others = entry.directives.launches.iter().skip(1).filter_map(|launch| launch.name.as_ref());
    let others: Vec<String> = others.map(|name| format!("\"{}\"", escape_line(name))).collect();
    if !others.is_empty() {
        let name = &entry.entry.name;
        launches::say(format_args!("running the first launch of `@{name}`; others: {}", others.join(", ")));
    }
}

/// Takes over what the command line says. Expectations are about the directive's own arguments.
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

/// The path of a file that the command line names: seen from the current folder, as in any other command. Those of
/// directives are seen from the folder of the program.
fn from_here(file: &str) -> Result<String, String> {
    let path = std::path::absolute(file).map_err(|error| format!("`{file}`: {error}"))?;
    path.into_os_string().into_string().map_err(|path| format!("`{}` is not UTF-8", path.to_string_lossy()))
}

/// The name and what stands behind the `=` of an option's value.
fn named<'t>(option: &str, text: &'t str, what: &str) -> Result<(String, &'t str), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let name = name.trim().trim_start_matches('%').to_string();
    if name.is_empty() || !text.contains('=') {
        return Err(format!("`{option} {text}` is not of the form '%name={what}'"));
    }
    Ok((name, value))
}

/// What does not fit in the directive. What does not fit on the command line is wrong usage.
fn misfits(entry: &EntryLaunches, launch: &Launch) -> Result<Vec<tile_launch::LaunchError>, String> {
    let wrong = bind::wrong_arguments(&entry.entry, launch);
    if let Some(outside) = wrong.iter().find(|misfit| launches::is_outside(&misfit.range)) {
        return Err(launches::usage(outside));
    }
    let missing = bind::missing(&entry.entry, launch);
    if missing.is_empty() || !launches::is_outside(&launch.range) {
        return Ok(bind::misfits(&entry.entry, launch));
    }
    let names = bind::listed(missing.iter().map(|(name, _)| format!("`%{name}`")));
    let options: String = missing.iter().map(|(name, sample)| format!(" --arg '%{name}={sample}'")).collect();
    let lacks = format!("`@{}` gets nothing for {names}: no launch stands above it", entry.entry.name);
    Err(format!("{lacks}\n  help: write one, or add{options}"))
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
                refuse(format!("`%{name}` is a number, and only buffers are saved"))
            }
            Some(arg) if matches!(arg.spec, Spec::Address(_)) => {
                refuse(format!("`%{name}` is an address, and only buffers are saved"))
            }
            Some(_) if path.is_empty() => refuse("the file's name is missing".to_string()),
            Some(_) => match tile_files::can_replace(Path::new(path)) {
                Ok(()) => Ok((name, path.to_string())),
                Err(error) => Err(format!("cannot write `{path}`: {error}")),
            },
        }
    };
    arguments.save.iter().map(one).collect()
}
