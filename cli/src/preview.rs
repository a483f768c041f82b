//! `--preview`: which content beyond the public language a program may have.

use crate::project;
use clap::ValueEnum;
use tile_analysis::context::Options;
use tile_config::{Config, Configs};

/// Previews that are allowed.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Previews {
    /// Allow content of a preview of Tile IR, which later versions may change [default: what `tile.toml` says].
    #[arg(long, value_enum, value_name = "FEATURE", value_delimiter = ',')]
    preview: Vec<Feature>,
}

/// A preview.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Feature {
    /// Functions of tile libraries, which are compiled elsewhere.
    Simt,
}

impl Previews {
    /// Whether the preview is asked for on the command line.
    pub(crate) fn is_given(&self) -> bool {
        self.preview.contains(&Feature::Simt)
    }

    /// Whether a program under this project file may have preview content.
    pub(crate) fn allow(&self, config: &Config) -> Result<bool, String> {
        Ok(self.is_given() || project::allows_preview(config)?)
    }

    /// How a file is checked before it runs: by the version that its project names, with the previews that are allowed.
    pub(crate) fn options_in(&self, configs: &Configs, file: &str) -> Result<Options, String> {
        let options = project::run_options(&*configs.of_file(project::project_path(file))?)?;
        Ok(Options { preview: self.is_given() || options.preview, ..options })
    }
}
