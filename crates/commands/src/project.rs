//! Interpretation of the project file, `tile.toml`.

use std::path::Path;
use tile_analysis::context::Options;
use tile_analysis::levels::Levels;
use tile_config::{Config, Configs};
use tile_dialect::{Gpu, PREVIEW_FEATURE, Version};

/// Project files, with all values validated on reading. An error in one is reported by every command that reads it.
pub(crate) fn configs() -> Configs {
    Configs::checked(|config| {
        target_version(config)?;
        allows_preview(config)?;
        gpu(config)?;
        levels(config).map(drop)
    })
}

/// The path to look up a file's project by. Standard input belongs to the project of the current folder.
pub(crate) fn project_path(file: &str) -> &Path {
    Path::new(if file == "-" { "" } else { file })
}

/// The Tile IR version in a project file.
pub(crate) fn target_version(config: &Config) -> Result<Option<Version>, String> {
    let Some(version) = &config.target_version else { return Ok(None) };
    Version::parse(&version.value).map(Some).map_err(|why| config.problem(version.row, &why))
}

/// The options to check programs of a project with before they run.
pub(crate) fn run_options(config: &Config) -> Result<Options, String> {
    let version = target_version(config)?.unwrap_or(Version::NEWEST);
    Ok(Options { version, preview: allows_preview(config)?, ..Options::default() })
}

/// Whether a project file enables preview features.
pub(crate) fn allows_preview(config: &Config) -> Result<bool, String> {
    match config.preview.iter().find(|feature| feature.value != PREVIEW_FEATURE) {
        Some(unknown) => {
            let why = format!("unknown preview `{}`; expected `{PREVIEW_FEATURE}`", unknown.value);
            Err(config.problem(unknown.row, &why))
        }
        None => Ok(!config.preview.is_empty()),
    }
}

/// The GPU in a project file.
pub(crate) fn gpu(config: &Config) -> Result<Option<Gpu>, String> {
    let Some(gpu) = &config.gpu else { return Ok(None) };
    Gpu::parse(&gpu.value).map(Some).map_err(|why| config.problem(gpu.row, &why))
}

/// The lint levels in a project file.
pub(crate) fn levels(config: &Config) -> Result<Levels, String> {
    Levels::read(config.levels(), tile_backend::all_pages())
        .map_err(|(index, why)| config.problem(config.lints[index].0.row, &why))
}
