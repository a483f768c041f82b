//! Options of the commands that have to do with GPUs: where kernels run, and how code is made.

use clap::ValueEnum;
use std::path::PathBuf;
use tile_backend::cuda::compiler::{CompileError, Compiler, Library, Options};
use tile_backend::cuda::notes::Wanted;
use tile_backend::worker::{Host, Start};
use tile_dialect::Version;

/// What starts workers.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Launcher {
    /// What starts `tile worker` on another machine, such as 'ssh gpubox' or 'srun --gres=gpu:1': it is put in front.
    #[arg(long, value_name = "COMMAND", value_parser = Start::behind)]
    launcher: Option<Start>,
}

impl Launcher {
    /// How workers are started where a place does not say so itself.
    pub(crate) fn start(&self) -> Start {
        self.launcher.clone().unwrap_or_default()
    }

    /// A place behind the launcher, if there is one.
    pub(crate) fn before(&self, place: &Host) -> Host {
        place.clone().behind(&self.start())
    }
}

/// The version of bytecode that a compiler gets.
pub(crate) fn bytecode_version(compiler: &Compiler, wanted: Option<Version>) -> Result<Version, String> {
    let facts = compiler.facts();
    let found = match wanted {
        Some(version) => Some(version).filter(|version| facts.reads(*version)),
        None => facts.version(Version::NEWEST),
    };
    let (version, known) = (wanted.unwrap_or(Version::NEWEST).to_string(), facts.versions.clone());
    found.ok_or_else(|| CompileError::UnknownVersion { version, release: facts.release.clone(), known }.to_string())
}

/// How code is made.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Compile {
    /// How much the compiler of a GPU optimises, from 0 to 3.
    #[arg(long, value_name = "N")]
    opt_level: Option<u8>,
    /// Have the code say which lines its instructions come from, which it does unless something else is asked for.
    #[arg(long)]
    lineinfo: bool,
    /// Make code that can be debugged, and do not optimise it.
    #[arg(long)]
    device_debug: bool,
    /// Show what the compiler could not do well: loads and stores without TMA, products without tensor cores; with
    /// `=all` also what it chose. From `tileiras` 13.4 on.
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "missed")]
    remarks: Option<Remarks>,
}

/// The tile libraries that code is linked with.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Libraries {
    /// Link with a tile library, for `preview$call`; may be given several times.
    #[arg(long = "library", short = 'l', value_name = "PATH")]
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

/// The checks that code is made for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sanitizer {
    Memcheck,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Remarks {
    Missed,
    All,
}

impl Compile {
    /// The options as the compiler gets them. `memcheck` says whether it is made for the checks of `compute-sanitizer`.
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

    /// Which remarks are shown.
    pub(crate) fn remarks(&self) -> Option<Wanted> {
        self.remarks.map(|remarks| match remarks {
            Remarks::Missed => Wanted::Missed,
            Remarks::All => Wanted::All,
        })
    }

    /// The first option that is given and of use on a GPU only.
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
