//! Arguments of `tile test`.

use crate::gpu::{Launcher, Libraries};
use crate::headings::{DEBUGGING, EXECUTION, INPUT, OUTPUT};
use crate::launch_options::{DEFAULT_MEMORY, schedule, seconds};
use crate::limit::Limit;
use crate::preview::Previews;
use clap::ValueEnum;
use std::num::NonZeroUsize;
use tile_backend::worker::HostWorkers;
use tile_input::size;

/// Run launches and check their expectations.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files or folders to test [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<String>,
    /// Run only launches whose title contains this text (can be repeated)
    ///
    /// The title is what the report shows: the file, the entry and the name, such as `scale.tile @scale "small"`.
    #[arg(long, value_name = "TEXT", help_heading = INPUT)]
    pub(super) filter: Vec<String>,
    /// Succeed if there is nothing to run
    #[arg(long, help_heading = INPUT)]
    pub(super) allow_empty: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    pub(super) output_format: Format,
    #[command(flatten)]
    pub(super) limit: Limit,
    /// Where to run: `cpu`, `cuda`, `cuda:N` or your hosts, separated by commas
    ///
    /// The launches are distributed over all targets. `cuda:N` is the GPU with number N. Hosts are defined in the file
    /// `tile/targets` of your configuration folder (`~/.config` on Linux); `HOST:cuda:N` and `HOST:cpu` also work.
    /// `TARGET=N` runs N launches there at the same time.
    #[arg(long, default_value = "cpu", value_delimiter = ',', help_heading = EXECUTION)]
    pub(super) target: Vec<HostWorkers>,
    #[command(flatten)]
    pub(super) launcher: Launcher,
    /// Number of launches to run in parallel [default: one per core or GPU]
    #[arg(long, short, value_name = "N", help_heading = EXECUTION)]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Memory limit for the buffers of each launch
    ///
    /// The same limit applies to the tiles of all tile blocks that run at the same time.
    #[arg(
        long, value_name = "SIZE", value_parser = size::parse, default_value = DEFAULT_MEMORY, help_heading = EXECUTION
    )]
    pub(super) max_memory: u64,
    /// Time limit of each launch, in seconds
    #[arg(
        long, value_name = "SECONDS", value_parser = seconds, default_value = "60", allow_hyphen_values = true,
        help_heading = EXECUTION
    )]
    pub(super) timeout: u64,
    /// Run in another permitted order, chosen by a seed
    ///
    /// Starts the tile blocks in random order, and delays each load, store and atomic op until its token or result is
    /// needed. Kernels that are correct only by chance then fail.
    #[arg(long, value_name = "seed=N", value_parser = schedule, help_heading = DEBUGGING)]
    pub(super) schedule: Option<u64>,
    #[command(flatten)]
    pub(super) libraries: Libraries,
    #[command(flatten)]
    pub(super) preview: Previews,
}

/// Output format.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// One line per launch, followed by its failures
    Text,
    /// One JSON event per line
    JsonLines,
    /// Annotations for GitHub Actions
    Github,
}
