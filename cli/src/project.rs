//! What the project file says, with all that the commands understand of it.

use std::path::Path;
use tile_analysis::context::Options;
use tile_analysis::levels::Levels;
use tile_config::{Config, Configs};
use tile_dialect::{Gpu, PREVIEW_FEATURE, Version};

/// The project files, read with all that the commands understand of them: what is wrong with one is an error of every
/// command that reads it.
pub(crate) fn configs() -> Configs {
    Configs::checked(|config| {
        target_version(config)?;
        allows_preview(config)?;
        gpu(config)?;
        levels(config).map(drop)
    })
}

/// The path by which the project of a file is found; `-` belongs to that of the current folder.
pub(crate) fn project_path(file: &str) -> &Path {
    Path::new(if file == "-" { "" } else { file })
}

/// The version of Tile IR that a project file names.
pub(crate) fn target_version(config: &Config) -> Result<Option<Version>, String> {
    let Some(said) = &config.target_version else { return Ok(None) };
    Version::parse(&said.value).map(Some).map_err(|why| config.problem(said.row, &why))
}

/// How programs under a project file are checked before they run: by its version, with the previews that it allows.
pub(crate) fn run_options(config: &Config) -> Result<Options, String> {
    let version = target_version(config)?.unwrap_or(Version::NEWEST);
    Ok(Options { version, preview: allows_preview(config)?, ..Options::default() })
}

/// Whether a project file allows preview content.
pub(crate) fn allows_preview(config: &Config) -> Result<bool, String> {
    match config.preview.iter().find(|feature| feature.value != PREVIEW_FEATURE) {
        Some(unknown) => {
            let why = format!("unknown preview `{}`; expected `{PREVIEW_FEATURE}`", unknown.value);
            Err(config.problem(unknown.row, &why))
        }
        None => Ok(!config.preview.is_empty()),
    }
}

/// The GPU that a project file names.
pub(crate) fn gpu(config: &Config) -> Result<Option<Gpu>, String> {
    let Some(said) = &config.gpu else { return Ok(None) };
    Gpu::parse(&said.value).map(Some).map_err(|why| config.problem(said.row, &why))
}

/// The levels that a project file gives to lints.
pub(crate) fn levels(config: &Config) -> Result<Levels, String> {
    Levels::read(config.levels(), tile_backend::all_pages())
        .map_err(|(index, why)| config.problem(config.lints[index].0.row, &why))
}
