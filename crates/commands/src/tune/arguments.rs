//! Arguments of `tile tune`.

use crate::gpu::{Compile, Launcher, Libraries};
use crate::headings::{EXECUTION, GPU, INPUT, OUTPUT};
use crate::launch_options::{DEFAULT_MEMORY, seconds};
use crate::preview::Previews;
use clap::ValueEnum;
use tile_backend::worker::HostWorkers;
use tile_input::size;

/// Find the fastest hints and variant of a kernel on a GPU.
///
/// Tries optimization hints of the entry and of its loads and stores, and optimization levels. The results of every
/// candidate are checked. An interrupted search resumes when the command runs again.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Program to tune, or several with variants of one kernel
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<String>,
    /// Entry to tune (can be repeated, for variants) [default: the first one with a launch]
    ///
    /// Variants are entries with the same parameters. Their launches must have the same arguments; grids can differ.
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    pub(super) entry: Vec<String>,
    /// Launch to tune for [default: the first `bench`, or else the first `launch`]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    pub(super) launch: Option<String>,
    /// Write the hints of the winner into the program
    #[arg(long, help_heading = OUTPUT)]
    pub(super) apply: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    pub(super) output_format: Format,
    /// Where to run: `cuda`, `cuda:N` or your hosts, separated by commas
    ///
    /// The candidates are distributed over all targets, which must have the same kind of GPU. Hosts are defined in the
    /// file `tile/targets` of your configuration folder (`~/.config` on Linux); `HOST:cuda:N` also works. `HOST=N`
    /// starts N workers, each of which must get its own GPU.
    #[arg(long, default_value = "cuda", value_delimiter = ',', help_heading = EXECUTION)]
    pub(super) target: Vec<HostWorkers>,
    #[command(flatten)]
    pub(super) launcher: Launcher,
    /// Time for each candidate in seconds, not counting compilation and checks
    #[arg(
        long, value_name = "SECONDS", value_parser = seconds, default_value = "0.25", allow_hyphen_values = true,
        help_heading = EXECUTION
    )]
    pub(super) time: u64,
    /// Time after which no further step begins, in seconds; the first step always runs
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true, help_heading = EXECUTION)]
    pub(super) max_time: Option<u64>,
    /// Ignore the results of earlier runs
    #[arg(long, help_heading = EXECUTION)]
    pub(super) fresh: bool,
    /// Memory limit for the buffers of the launch
    #[arg(
        long, value_name = "SIZE", value_parser = size::parse, default_value = DEFAULT_MEMORY, help_heading = EXECUTION
    )]
    pub(super) max_memory: u64,
    /// Time limit of each run, in seconds
    #[arg(
        long, value_name = "SECONDS", value_parser = seconds, default_value = "60", allow_hyphen_values = true,
        help_heading = EXECUTION
    )]
    pub(super) timeout: u64,
    /// Compile for a GPU such as `sm_90`, and rank by resources instead of time; needs no GPU
    #[arg(long, value_name = "sm_NN", conflicts_with_all = ["target", "apply"], help_heading = GPU)]
    pub(super) gpu: Option<String>,
    #[command(flatten)]
    pub(super) compile: Compile,
    #[command(flatten)]
    pub(super) libraries: Libraries,
    #[command(flatten)]
    pub(super) preview: Previews,
}

/// Output formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table and the changed lines
    Text,
    /// A JSON object
    Json,
}
