//! `tile test`.

mod queue;
mod teller;

use crate::check::output_failed;
use crate::gpu::{Launcher, Libraries};
use crate::limit::Limit;
use crate::preview::Previews;
use crate::run::{DEFAULT_MEMORY, Format, needs_cpu, schedule, seconds};
use crate::{fail, sources};
use queue::Queue;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread::available_parallelism;
use teller::Teller;
use tile_backend::size;
use tile_backend::worker::{self, Place, Target};

/// Run every launch directive and check its expectations.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files and folders; the current folder where none is given.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// What to run on: `cpu`, `cuda`, `cuda:N` for the GPU with the number N, or a name from the file `tile/targets` of
    /// your configuration; several with commas between, over which the launches are spread.
    #[arg(long, default_value = "cpu", value_delimiter = ',')]
    target: Vec<Place>,
    #[command(flatten)]
    launcher: Launcher,
    #[command(flatten)]
    preview: Previews,
    #[command(flatten)]
    libraries: Libraries,
    /// Only launches whose line (file, entry and name) holds this text; may be given several times.
    #[arg(long)]
    filter: Vec<String>,
    /// Succeed even if there is nothing to run.
    #[arg(long)]
    allow_empty: bool,
    /// How many launches run at the same time; as many as there are cores where it is left out, on GPUs one each.
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Run in another order that the program allows: `seed=N` picks one. Tile blocks begin shuffled, and a load, store
    /// or atomic op is put off until something needs its token or its result, so that a kernel fails that is right by
    /// luck only.
    #[arg(long, value_name = "seed=N", value_parser = schedule)]
    schedule: Option<u64>,
    /// How much memory the buffers of a launch may take together, and the tiles of the blocks that run at the same time.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = DEFAULT_MEMORY)]
    max_memory: u64,
    /// Give a launch up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60", allow_hyphen_values = true)]
    timeout: u64,
    #[command(flatten)]
    limit: Limit,
    /// How the launches are told.
    #[arg(long, value_enum, default_value = "text")]
    output_format: Format,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let places: Vec<Place> = arguments.target.iter().map(|place| arguments.launcher.before(place)).collect();
    for place in &places {
        if let Err(message) = needs_cpu(place.target, &[("--schedule", arguments.schedule.is_some())]) {
            return fail(message);
        }
    }
    if arguments.libraries.is_given() && places.iter().all(|place| place.target == Target::Cpu) {
        return fail("`--library` is for GPUs only; add `--target cuda`");
    }
    let libraries = match arguments.libraries.read() {
        Ok(libraries) => libraries,
        Err(message) => return fail(message),
    };
    let here = [".".to_string()];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    let configs = sources::configs();
    let queue = Queue::new(arguments, libraries, &configs, sources::find(paths, &configs));
    let is_here = places.iter().all(|place| *place == Place::default());
    let cores = || available_parallelism().ok().filter(|_| is_here);
    let workers = arguments.jobs.or_else(cores).map_or(places.len(), usize::from);
    let mut teller = Teller::new(arguments.output_format, arguments.limit);
    let mut broken = None;
    worker::in_order(&places, workers, queue, |item, outcome| match teller.tell(&item, outcome) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            broken = Some(error);
            ControlFlow::Break(())
        }
    });
    match broken.map_or_else(|| teller.finish(&arguments.filter, arguments.allow_empty), Err) {
        Ok(()) => teller.status(),
        Err(error) => output_failed(&error).max(teller.status()),
    }
}
