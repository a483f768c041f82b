//! The option `--preview`, which enables features beyond the public language.

use crate::headings::LANGUAGE;
use crate::project;
use clap::ValueEnum;
use tile_analysis::context::Options;
use tile_config::{Config, Configs};

/// The option `--preview`.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Previews {
    /// Preview features of Tile IR to enable
    ///
    /// Adds to those that `preview` in `tile.toml` enables. Later versions of Tile IR may change preview features.
    #[arg(long, value_enum, value_name = "FEATURE", value_delimiter = ',', help_heading = LANGUAGE)]
    preview: Vec<Feature>,
}

/// A preview feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Feature {
    /// Calls of functions in tile libraries, which are compiled separately
    Simt,
}

impl Previews {
    /// Whether the command line enables the feature `simt`.
    pub(crate) fn is_given(&self) -> bool {
        self.preview.contains(&Feature::Simt)
    }

    /// Whether preview features are enabled for a program of this project.
    pub(crate) fn allow(&self, config: &Config) -> Result<bool, String> {
        Ok(self.is_given() || project::allows_preview(config)?)
    }

    /// The options to check a file with before it runs: its project's version, and the enabled preview features.
    pub(crate) fn options_in(&self, configs: &Configs, file: &str) -> Result<Options, String> {
        let options = project::run_options(&*configs.of_file(project::project_path(file))?)?;
        Ok(Options { preview: self.is_given() || options.preview, ..options })
    }
}
