//! `tile run`.

use crate::launches::{self, Program};
use crate::{fail, sources};
use clap::ValueEnum;
use serde_json::json;
use std::io::{self, Write};
use tile_analysis::{render, suggest};
use tile_backend::launch::find::EntryLaunches;
use tile_backend::launch::{self, Launch};
use tile_backend::worker::{Event, Report, Worker};

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
    /// What to run on.
    #[arg(long, default_value = "cpu")]
    target: String,
    /// The number of tile blocks: X, X,Y or X,Y,Z.
    #[arg(long, value_parser = grid)]
    grid: Option<[u32; 3]>,
    /// What a parameter gets, such as '%a=f32[1024] iota' or '%n=1024'.
    #[arg(long = "arg", value_name = "%NAME=SPEC")]
    args: Vec<String>,
    /// Where to save a buffer after the run, such as '%c=c.npy'.
    #[arg(long, value_name = "%NAME=FILE")]
    save: Vec<String>,
    /// Look for what the language calls undefined.
    #[arg(long)]
    sanitize: bool,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<u64>,
    /// How the run is told.
    #[arg(long, value_enum, default_value = "text")]
    output_format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    JsonLines,
}

fn grid(text: &str) -> Result<[u32; 3], String> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([x]) => Ok([*x, 1, 1]),
        Ok([x, y]) => Ok([*x, *y, 1]),
        Ok([x, y, z]) => Ok([*x, *y, *z]),
        _ => Err("a grid is one to three numbers, such as 8,4,1".to_string()),
    }
}

/// Milliseconds of a number of seconds.
fn seconds(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok((seconds * 1000.0).ceil() as u64),
        _ => Err("a number of seconds, such as 2.5".to_string()),
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if arguments.target != "cpu" {
        return fail(format_args!("there is no target `{}` here: this version runs on `cpu` only", arguments.target));
    }
    let file = match sources::read(&arguments.file) {
        Ok(file) => file,
        Err(message) => return fail(message),
    };
    let Some(program) = Program::check(file) else { return 1 };
    match launch(arguments, &program) {
        Ok(status) => status,
        Err(message) => fail(message),
    }
}

fn launch(arguments: &Arguments, program: &Program) -> Result<u8, String> {
    let entry = choose_entry(arguments, program)?;
    let mut launch = choose_launch(arguments, entry)?;
    let mistakes: Vec<_> = entry.directives.errors_in(&launch).collect();
    if !mistakes.is_empty() {
        mistakes.iter().for_each(|error| program.show(&launch::find::diagnostic(error)));
        return Ok(1);
    }
    override_launch(arguments, &mut launch)?;
    let misfits = launch::bind::misfits(&entry.entry, &launch);
    if !misfits.is_empty() {
        misfits.iter().for_each(|misfit| show_misfit(program, arguments, misfit));
        return Ok(1);
    }
    let saves = saves(arguments, entry)?;
    let mut job = program.job(entry, launch)?;
    job.save = saves.iter().map(|(name, _)| name.clone()).collect();
    (job.sanitize, job.timeout_ms) = (arguments.sanitize, arguments.timeout);
    let mut worker = Worker::start().map_err(|error| error.to_string())?;
    let mut teller = Teller { format: arguments.output_format, program, broken: false };
    let report = worker.run(&job, |event| teller.event(&event)).map_err(|error| error.to_string())?;
    teller.report(&report);
    for ((_, path), (_, bytes)) in saves.iter().zip(&report.saved) {
        std::fs::write(path, bytes).map_err(|error| format!("cannot write `{path}`: {error}"))?;
    }
    Ok(u8::from(!report.passed()))
}

fn choose_entry<'p>(arguments: &Arguments, program: &'p Program) -> Result<&'p EntryLaunches, String> {
    let names: Vec<&str> = program.entries.iter().map(|entry| &*entry.entry.name).collect();
    if let Some(wanted) = &arguments.entry {
        let wanted = wanted.trim_start_matches('@');
        let found = program.entries.iter().find(|entry| &*entry.entry.name == wanted);
        let hint = || suggest::did_you_mean(wanted, &names);
        return found.ok_or_else(|| format!("`{}` has no entry `@{wanted}`: {}", program.file.name, hint()));
    }
    let has_wanted = |entry: &&EntryLaunches| match &arguments.launch {
        Some(wanted) => entry.directives.launches.iter().any(|launch| launch.name.as_ref() == Some(wanted)),
        None => !entry.directives.launches.is_empty(),
    };
    let found = program.entries.iter().find(has_wanted).or_else(|| program.entries.first());
    found.ok_or_else(|| format!("`{}` has no entry to run", program.file.name))
}

fn choose_launch(arguments: &Arguments, entry: &EntryLaunches) -> Result<Launch, String> {
    let launches = &entry.directives.launches;
    let Some(wanted) = &arguments.launch else {
        let others: Vec<String> = launches.iter().skip(1).filter_map(|launch| launch.name.clone()).collect();
        if !others.is_empty() {
            eprintln!("running the first launch of `@{}`; others: {}", entry.entry.name, others.join(", "));
        }
        return Ok(launches.first().cloned().unwrap_or_else(no_directive));
    };
    let found = launches.iter().find(|launch| launch.name.as_ref() == Some(wanted));
    found.cloned().ok_or_else(|| {
        let names: Vec<&str> = launches.iter().filter_map(|launch| launch.name.as_deref()).collect();
        format!("`@{}` has no launch `{wanted}`: {}", entry.entry.name, suggest::did_you_mean(wanted, &names))
    })
}

/// What an entry without a directive gets: one tile block.
fn no_directive() -> Launch {
    Launch { name: None, grid: [1; 3], args: Vec::new(), expects: Vec::new(), range: 0..0 }
}

/// Takes over what the command line says. Expectations are about the directive's own arguments.
fn override_launch(arguments: &Arguments, launch: &mut Launch) -> Result<(), String> {
    if let Some(grid) = arguments.grid {
        (launch.grid, launch.expects) = (grid, Vec::new());
    }
    for text in &arguments.args {
        let (name, spec) =
            text.split_once('=').ok_or_else(|| format!("`--arg {text}` has no `=`: write '%name=SPEC'"))?;
        let name = name.trim().trim_start_matches('%').to_string();
        let spec = launch::parse_spec(spec).map_err(|error| format!("`--arg {text}`: {error}"))?;
        launch.args.retain(|arg| arg.name != name);
        launch.args.push(launch::Arg { name, spec, range: 0..0 });
        launch.expects.clear();
    }
    Ok(())
}

/// A misfit of an argument from the command line has no place in the program.
fn show_misfit(program: &Program, arguments: &Arguments, misfit: &launch::LaunchError) {
    if misfit.range.end <= "launch".len() && misfit.range.start == 0 {
        eprintln!("error: {}", misfit.message);
        let help = if arguments.args.is_empty() {
            "write a launch directive above the entry, or use `--arg '%name=SPEC'`"
        } else {
            ""
        };
        let help = misfit.help.as_deref().unwrap_or(help);
        eprintln!("  help: {help}");
    } else {
        program.show(&launch::find::diagnostic(misfit));
    }
}

fn saves(arguments: &Arguments, entry: &EntryLaunches) -> Result<Vec<(String, String)>, String> {
    let one = |text: &String| {
        let (name, path) =
            text.split_once('=').ok_or_else(|| format!("`--save {text}` has no `=`: write '%name=FILE'"))?;
        let name = name.trim().trim_start_matches('%').to_string();
        if !entry.entry.params.iter().any(|param| **param == *name) {
            return Err(format!("`--save {text}`: `@{}` has no parameter `%{name}`", entry.entry.name));
        }
        Ok((name, path.to_string()))
    };
    arguments.save.iter().map(one).collect()
}

/// Tells what happens: what the kernel prints on standard output, all else on standard error.
struct Teller<'a> {
    format: Format,
    program: &'a Program,
    /// Whether standard output is closed; then the rest is for nobody.
    broken: bool,
}

impl Teller<'_> {
    fn event(&mut self, event: &Event) {
        let Event::Printed { op, block, text } = event else { return };
        let mut out = io::stdout().lock();
        let written = match self.format {
            Format::Text => out.write_all(text),
            Format::JsonLines => {
                let row = self.program.lines.place(op.start, &self.program.file.text).row;
                let text = String::from_utf8_lossy(text);
                writeln!(out, "{}", json!({"event": "print", "row": row, "block": block, "text": text}))
            }
        };
        self.broken |= written.and_then(|()| out.flush()).is_err();
    }

    fn report(&mut self, report: &Report) {
        if self.broken {
            return;
        }
        match self.format {
            Format::Text => self.tell(report),
            Format::JsonLines => {
                // A closed pipe is the reader's choice.
                let _ = self.tell_json(report);
            }
        }
    }

    fn tell(&self, report: &Report) {
        for found in &report.findings {
            self.program.show(&launches::diagnostic(found));
        }
        for verdict in report.verdicts.iter().filter(|verdict| !verdict.passed) {
            let row = self.program.lines.place(verdict.range.start, &self.program.file.text).row;
            eprintln!("{}:{row}: expectation failed\n{}", self.program.file.name, verdict.summary);
        }
        let met = report.verdicts.iter().filter(|verdict| verdict.passed).count();
        if met > 0 {
            eprintln!("{met} of {} expectations met", report.verdicts.len());
        }
    }

    fn tell_json(&self, report: &Report) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for found in &report.findings {
            let diagnostic = launches::diagnostic(found);
            let source = self.program.source();
            let diagnostic = render::json_diagnostic(&source, &diagnostic);
            writeln!(out, "{}", json!({"event": "finding", "diagnostic": diagnostic}))?;
        }
        for verdict in &report.verdicts {
            let row = self.program.lines.place(verdict.range.start, &self.program.file.text).row;
            writeln!(
                out,
                "{}",
                json!({"event": "expectation", "row": row, "passed": verdict.passed, "summary": verdict.summary})
            )?;
        }
        let done =
            json!({"event": "done", "passed": report.passed(), "blocks": report.blocks, "seconds": report.seconds});
        writeln!(out, "{done}")
    }
}
