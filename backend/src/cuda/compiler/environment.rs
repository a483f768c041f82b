//! Environment variables that say where the compiler is.

/// The variable that names the compiler.
pub const VARIABLE: &str = "TILE_TILEIRAS";

/// The variables that name a toolkit.
pub(super) const TOOLKITS: [&str; 2] = ["CUDA_HOME", "CUDA_PATH"];
