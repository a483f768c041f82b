//! Arguments of `tile bench`.

use crate::gpu::{Compile, Launcher, Libraries};
use crate::headings::{EXECUTION, INPUT, OUTPUT};
use crate::launch_options::{DEFAULT_MEMORY, seconds};
use crate::preview::Previews;
use clap::ValueEnum;
use std::num::NonZeroU32;
use std::str::FromStr;
use tile_backend::worker::bench::Sampling;
use tile_backend::worker::{Host, Target};
use tile_input::size;

/// Time launches, and compare them with a baseline.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files or folders with launches [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<String>,
    /// Time only launches whose title contains this text (can be repeated)
    ///
    /// The title is what the table shows: the file, the entry and the name, such as `scale.tile @scale "large"`.
    #[arg(long, value_name = "TEXT", help_heading = INPUT)]
    pub(super) filter: Vec<String>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    pub(super) output_format: Format,
    /// Write the results to a file, for `--baseline`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(super) save: Option<String>,
    /// Compare with the results in a file, and fail if a launch has become slower
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(super) baseline: Option<String>,
    /// The difference from the baseline that does not count, in percent
    #[arg(
        long, value_name = "PERCENT", value_parser = percent, default_value = "3", requires = "baseline",
        allow_hyphen_values = true, help_heading = OUTPUT
    )]
    pub(super) threshold: f64,
    /// Where to run: `cpu`, `cuda`, `cuda:N` or your hosts, separated by commas
    ///
    /// Every launch is timed on every target. `cuda:N` is the GPU with number N. Hosts are defined in the file
    /// `tile/targets` of your configuration folder (`~/.config` on Linux); `HOST:cuda:N` and `HOST:cpu` also work.
    #[arg(long, default_value = "cpu", value_delimiter = ',', help_heading = EXECUTION)]
    pub(super) target: Vec<NamedHost>,
    #[command(flatten)]
    pub(super) launcher: Launcher,
    /// Time for each launch in seconds, not counting compilation and checks
    #[arg(
        long, value_name = "SECONDS", value_parser = seconds, default_value = "1", allow_hyphen_values = true,
        help_heading = EXECUTION
    )]
    time: u64,
    /// Number of rounds in which all launches are timed
    ///
    /// The intervals in the table include the medians of all rounds, and so the changes of the machine between them.
    #[arg(long, value_name = "N", default_value = "3", help_heading = EXECUTION)]
    pub(super) rounds: NonZeroU32,
    /// Memory limit for the buffers of each launch
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
    /// A table
    Text,
    /// A JSON object, as `--save` writes it
    Json,
}

/// A host, as the command line names it.
#[derive(Clone, Debug)]
pub(super) struct NamedHost {
    pub(super) name: String,
    pub(super) host: Host,
}

impl FromStr for NamedHost {
    type Err = String;

    fn from_str(name: &str) -> Result<NamedHost, String> {
        Ok(NamedHost { name: name.trim().to_string(), host: name.trim().parse()? })
    }
}

/// Parses a percentage. Returns a fraction.
fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').trim().parse::<f64>() {
        Ok(percent) if (0.0..1e6).contains(&percent) => Ok(percent / 100.0),
        _ => Err("expected a percentage, such as 3".to_string()),
    }
}

impl Arguments {
    /// How long each launch is timed in a round.
    pub(super) fn sampling(&self) -> Sampling {
        let rounds = self.rounds.get();
        let default = Sampling::default();
        let min_samples = default.min_samples.div_ceil(rounds).max(2);
        Sampling { min_samples, seconds: self.time as f64 / 1000.0 / f64::from(rounds), ..default }
    }

    /// Rejects options that apply only to GPUs if all targets are CPU engines.
    pub(super) fn refuse_options_of_gpus(&self) -> Result<(), String> {
        let library = self.libraries.is_given().then_some("--library");
        match library.or(self.compile.given()) {
            Some(option) if self.target.iter().all(|named| named.host.target == Target::Cpu) => {
                Err(format!("`{option}` is only supported on GPUs; add `--target cuda`"))
            }
            _ => self.compile.options(false).map(|_| ()),
        }
    }
}
