//! `tile tune`.

mod arguments;
mod variants;

pub(crate) use arguments::Arguments;

use crate::interrupt;
use crate::messages::{self, fail, output_failed, print};
use crate::screen::Screen;
use crate::style::{Tone, output, toned};
use arguments::Format;
use codespan_reporting::term::termcolor::WriteColor;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tile_backend::cuda::compiler::Compiler;
use tile_backend::worker::{Host, HostWorkers, Start, Target};
use tile_tune::device::Device;
use tile_tune::hints::applied;
use tile_tune::journal::Journal;
use tile_tune::machines::{Machines, Update};
use tile_tune::ranking::Ranking;
use tile_tune::report::Report;
use tile_tune::search::Search;
use tile_tune::tuning::{Tuning, Watcher};
use tile_tune::variant::Variant;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    match tune(arguments) {
        Ok(status) => status,
        Err(message) => fail(message),
    }
}

fn tune(arguments: &Arguments) -> Result<u8, String> {
    let Some(variants) = variants::find(arguments)? else { return Ok(1) };
    if let Some(gpu) = &arguments.gpu {
        return rank(arguments, gpu, &variants);
    }
    let found = search(arguments, &variants, Machines::alike(hosts(arguments)?));
    // A signal has stopped the search.
    interrupt::hold();
    let (device, search) = found?;
    let report = Report { variants: &variants, device: &device, search: &search };
    let shown = match arguments.output_format {
        Format::Text => write(&report, &mut output()).map_or_else(|error| output_failed(&error), |()| 0),
        Format::Json => print(format_args!("{:#}", report.json())),
    };
    if arguments.apply {
        apply(&report)?;
    }
    Ok(shown)
}

/// Ranks candidates by the resources of their code. Returns the exit status.
fn rank(arguments: &Arguments, gpu: &str, variants: &[Variant]) -> Result<u8, String> {
    let compiler = Compiler::find().map_err(|error| error.to_string())?.with_libraries(arguments.libraries.read()?);
    let ranking = Ranking::new(variants, gpu, &compiler, &mut Screen::on_terminal(), &AtomicBool::new(false))?;
    Ok(match arguments.output_format {
        Format::Text => print(ranking.table().join("\n")),
        Format::Json => print(format_args!("{:#}", ranking.json())),
    })
}

/// The hosts of all workers.
fn hosts(arguments: &Arguments) -> Result<Vec<Host>, String> {
    let hosts = arguments.launcher.before_all(&arguments.target);
    for HostWorkers { host, workers } in &hosts {
        if host.target == Target::Cpu {
            let other =
                "use `--target cuda`, or `--gpu sm_90` to rank by resources; `tile bench` times kernels on the CPU";
            return Err(format!("hints have no effect on the CPU engine: {other}"));
        }
        if host.start == Start::Here && workers.is_some_and(|workers| workers.get() > 1) {
            return Err(format!("several workers on one GPU would slow each other down: write `{host}` once"));
        }
    }
    Ok(HostWorkers::assign(&hosts))
}

/// Searches for the fastest candidate. A signal stops the search.
fn search(arguments: &Arguments, variants: &[Variant], mut machines: Machines) -> Result<(Device, Search), String> {
    let mut screen = Screen::on_terminal();
    let stopper = machines.stopper();
    interrupt::before_end(move || stopper.stop());
    let device = machines.device(&mut |update| {
        if let Update::Host(host, event) = update {
            screen.host(&host, &event);
        }
    })?;
    let seconds = arguments.time as f64 / 1000.0;
    let mut journal = Journal::open(variants, &device, seconds, arguments.fresh);
    if journal.is_stored() {
        interrupt::before_end(|| messages::note("interrupted; run the same command again to resume"));
    }
    let max_time = arguments.max_time.map(Duration::from_millis);
    let search =
        Tuning { variants, device: &device, seconds, max_time }.run(&mut machines, &mut journal, &mut screen)?;
    Ok((device, search))
}

/// Writes the table, the result, and the lines that the winner's hints change.
fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    report.table().iter().chain(&report.conclusion()).try_for_each(|line| writeln!(out, "{line}"))?;
    let changed = report.changed_lines();
    if !changed.is_empty() {
        writeln!(out, "\n{}:", report.winner().job.path)?;
    }
    for (row, old, new) in changed {
        for (tone, sign, text) in [(Tone::Bad, '-', old), (Tone::Good, '+', new)] {
            toned(out, tone, &format!("{row:>5} {sign}{text}"))?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Writes the hints of the winner into its program.
fn apply(report: &Report<'_>) -> Result<(), String> {
    let (job, edits) = (&report.winner().job, report.edits());
    if edits.is_empty() {
        return Ok(());
    }
    let path = Path::new(&job.path);
    let now = tile_input::read_text(path, tile_input::MAX_PROGRAM);
    if now.ok().as_deref() != Some(&*job.text) {
        return Err(format!("`{}` has changed during the search; its hints are not written", job.path));
    }
    let written = tile_files::replace(path, applied(&job.text, &edits).as_bytes());
    written.map_err(|error| format!("cannot write `{}`: {error}", job.path))
}
