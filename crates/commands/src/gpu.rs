//! Options for GPUs: where kernels run, and how they are compiled.

use crate::headings::{EXECUTION, GPU};
use crate::launch_options::seconds;
use clap::ValueEnum;
use std::path::PathBuf;
use std::time::Duration;
use tile_backend::cuda::compiler::{CompileError, Compiler, Library, Options};
use tile_backend::cuda::notes::Wanted;
use tile_backend::worker::{Host, HostWorkers, Start};
use tile_dialect::Version;

/// How workers are started.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Launcher {
    /// Command that starts the worker on another machine, such as 'ssh gpubox'
    ///
    /// The command is put in front of `tile worker`. Other examples are 'srun --gres=gpu:1 --unbuffered' and
    /// 'kubectl exec -i pod --'.
    #[arg(long, value_name = "COMMAND", value_parser = Start::parse_launcher, help_heading = EXECUTION)]
    launcher: Option<Start>,
    /// Time limit to start a worker with a launcher, in seconds
    ///
    /// The default is 60. A launcher can wait in a queue, such as that of Slurm. Hosts can have their own limit in the
    /// file `tile/targets`.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true, help_heading = EXECUTION)]
    start_timeout: Option<u64>,
}

impl Launcher {
    /// How workers are started on hosts without their own launcher.
    pub(crate) fn start(&self) -> Start {
        self.launcher.clone().unwrap_or_default().with_timeout(self.start_timeout())
    }

    fn start_timeout(&self) -> Option<Duration> {
        self.start_timeout.map(Duration::from_millis)
    }

    /// Adds the launcher, if given, to a host.
    pub(crate) fn before(&self, host: &Host) -> Host {
        let host = host.clone().with_launcher(&self.start());
        Host { start: host.start.with_timeout(self.start_timeout()), ..host }
    }

    /// Adds the launcher, if given, to hosts.
    pub(crate) fn before_all(&self, hosts: &[HostWorkers]) -> Vec<HostWorkers> {
        hosts.iter().map(|one| HostWorkers { host: self.before(&one.host), ..one.clone() }).collect()
    }
}

/// The bytecode version to compile from: the requested one, or the newest that the compiler supports.
pub(crate) fn bytecode_version(compiler: &Compiler, wanted: Option<Version>) -> Result<Version, String> {
    let facts = compiler.facts();
    let found = match wanted {
        Some(version) => Some(version).filter(|version| facts.reads(*version)),
        None => facts.version(Version::NEWEST),
    };
    let (version, known) = (wanted.unwrap_or(Version::NEWEST).to_string(), facts.versions.clone());
    found.ok_or_else(|| CompileError::UnknownVersion { version, release: facts.release.clone(), known }.to_string())
}

/// Options of NVIDIA's compiler.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Compile {
    /// Optimization level of the GPU compiler, from 0 to 3
    #[arg(long, value_name = "N", help_heading = GPU)]
    opt_level: Option<u8>,
    /// Include line information in GPU code
    ///
    /// This is the default without `--device-debug`.
    #[arg(long, help_heading = GPU)]
    lineinfo: bool,
    /// Generate unoptimized GPU code that can be debugged
    #[arg(long, help_heading = GPU)]
    device_debug: bool,
    /// Show the optimization remarks of the GPU compiler
    ///
    /// Requires `tileiras` 13.4 or later. Without a value, shows `missed` remarks.
    #[arg(
        long, value_enum, value_name = "KIND", num_args = 0..=1, require_equals = true,
        default_missing_value = "missed", help_heading = GPU
    )]
    remarks: Option<Remarks>,
}

/// Tile libraries to link with.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Libraries {
    /// Tile library to link with, for `preview$call` (can be repeated)
    #[arg(long = "library", short = 'l', value_name = "PATH", help_heading = GPU)]
    libraries: Vec<PathBuf>,
}

impl Libraries {
    /// Whether a library is given.
    pub(crate) fn is_given(&self) -> bool {
        !self.libraries.is_empty()
    }

    /// Reads the libraries. The error names the file that could not be read.
    pub(crate) fn read(&self) -> Result<Vec<Library>, String> {
        self.libraries.iter().map(|path| Library::read(path)).collect()
    }
}

/// The tools of `compute-sanitizer` that code can be instrumented for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sanitizer {
    /// Out-of-bounds and misaligned accesses
    Memcheck,
}

/// The remarks to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Remarks {
    /// Missed optimizations: loads and stores without TMA, matrix products without tensor cores
    Missed,
    /// Also the choices that the compiler made
    All,
}

impl Compile {
    /// Converts the options for the compiler. `memcheck` instruments the code for `compute-sanitizer`.
    pub(crate) fn options(&self, memcheck: bool) -> Result<Options, String> {
        let options = Options {
            opt_level: self.opt_level,
            line_info: self.lineinfo || !self.device_debug,
            device_debug: self.device_debug,
            memcheck,
            remarks: self.remarks.is_some(),
        };
        options.mistake().map_or(Ok(options), Err)
    }

    /// The remarks to show.
    pub(crate) fn remarks(&self) -> Option<Wanted> {
        self.remarks.map(|remarks| match remarks {
            Remarks::Missed => Wanted::Missed,
            Remarks::All => Wanted::All,
        })
    }

    /// The first option given that applies only to GPUs.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let all = [
            ("--opt-level", self.opt_level.is_some()),
            ("--lineinfo", self.lineinfo),
            ("--device-debug", self.device_debug),
            ("--remarks", self.remarks.is_some()),
        ];
        all.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}
