//! The configuration of a document's project: the nearest `tile.toml` in its folder or above.

use crate::paths::path_of;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tile_analysis::context::Options;
use tile_analysis::levels::Levels;
use tile_config::{Config, Configs};
use tile_dialect::{Gpu, PREVIEW_FEATURE, Version};
use tower_lsp::ls_types::Uri;

/// The configuration of a project.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Project {
    /// The levels of lints.
    pub(crate) levels: Levels,
    /// The rules that programs are checked by.
    pub(crate) rules: Rules,
    /// The options of the formatter.
    pub(crate) layout: tile_fmt::Options,
}

/// The rules of a project that override the editor's settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    version: Option<Version>,
    gpu: Option<Gpu>,
    preview: bool,
}

impl Rules {
    /// Returns the editor's options overridden by those of the project.
    pub(crate) fn over(self, options: Options) -> Options {
        let (version, gpu) = (self.version.unwrap_or(options.version), self.gpu.or(options.gpu));
        Options { version, gpu, preview: self.preview || options.preview, ..options }
    }
}

/// The project files that have been read.
#[derive(Debug, Default)]
pub(crate) struct Projects(Mutex<Arc<Configs>>);

impl Projects {
    /// Returns the project of a document, or the error in its file.
    pub(crate) fn of(&self, uri: &Uri) -> Result<Arc<Project>, String> {
        // A document without a path belongs to no project.
        let Some(path) = path_of(uri) else { return Ok(Arc::default()) };
        self.at(&path)
    }

    /// The project of a file.
    pub(crate) fn at(&self, path: &Path) -> Result<Arc<Project>, String> {
        project(&self.configs(), path).map(Arc::new)
    }

    /// The project files themselves.
    pub(crate) fn configs(&self) -> Arc<Configs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Drops the cached files, so that they are read again.
    pub(crate) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::default();
    }
}

fn project(configs: &Configs, path: &Path) -> Result<Project, String> {
    let config = configs.of_file(path)?;
    let layout = config.line_width.map_or(tile_fmt::Options::default(), |width| tile_fmt::Options { width });
    let rules = Rules { version: version(&config)?, gpu: gpu(&config)?, preview: preview(&config)? };
    Ok(Project { levels: levels(&config)?, rules, layout })
}

fn levels(config: &Config) -> Result<Levels, String> {
    Levels::read(config.levels(), tile_backend::all_pages())
        .map_err(|(index, why)| config.problem(config.lints[index].0.row, &why))
}

fn version(config: &Config) -> Result<Option<Version>, String> {
    let Some(stated) = &config.target_version else { return Ok(None) };
    Version::parse(&stated.value).map(Some).map_err(|why| config.problem(stated.row, &why))
}

fn preview(config: &Config) -> Result<bool, String> {
    match config.preview.iter().find(|feature| feature.value != PREVIEW_FEATURE) {
        Some(unknown) => {
            let why = format!("unknown preview `{}`; expected `{PREVIEW_FEATURE}`", unknown.value);
            Err(config.problem(unknown.row, &why))
        }
        None => Ok(!config.preview.is_empty()),
    }
}

fn gpu(config: &Config) -> Result<Option<Gpu>, String> {
    let Some(stated) = &config.gpu else { return Ok(None) };
    Gpu::parse(&stated.value).map(Some).map_err(|why| config.problem(stated.row, &why))
}
