//! What `tile test` is asked to do.

use crate::gpu::{Launcher, Libraries};
use crate::launch_options::{DEFAULT_MEMORY, Format, schedule, seconds};
use crate::limit::Limit;
use crate::preview::Previews;
use std::num::NonZeroUsize;
use tile_backend::worker::Host;
use tile_input::size;

/// Run every launch directive and check its expectations.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files and folders; the current folder where none is given.
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<String>,
    /// What to run on: `cpu`, `cuda`, `cuda:N` for the GPU with the number N, or a name from the file `tile/targets` of
    /// your configuration; several with commas between, over which the launches are spread.
    #[arg(long, default_value = "cpu", value_delimiter = ',')]
    pub(super) target: Vec<Host>,
    #[command(flatten)]
    pub(super) launcher: Launcher,
    #[command(flatten)]
    pub(super) preview: Previews,
    #[command(flatten)]
    pub(super) libraries: Libraries,
    /// Only launches whose line (file, entry and name) holds this text; may be given several times.
    #[arg(long)]
    pub(super) filter: Vec<String>,
    /// Succeed even if there is nothing to run.
    #[arg(long)]
    pub(super) allow_empty: bool,
    /// How many launches run at the same time; as many as there are cores where it is left out, on GPUs one each.
    #[arg(long, short, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Run in another order that the program allows: `seed=N` picks one. Tile blocks begin shuffled, and a load, store
    /// or atomic op is put off until something needs its token or its result, so that a kernel fails that is right by
    /// luck only.
    #[arg(long, value_name = "seed=N", value_parser = schedule)]
    pub(super) schedule: Option<u64>,
    /// How much memory the buffers of a launch may take together, and the tiles of the blocks that run at the same time.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = DEFAULT_MEMORY)]
    pub(super) max_memory: u64,
    /// Give a launch up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60", allow_hyphen_values = true)]
    pub(super) timeout: u64,
    #[command(flatten)]
    pub(super) limit: Limit,
    /// How the launches are told.
    #[arg(long, value_enum, default_value = "text")]
    pub(super) output_format: Format,
}
