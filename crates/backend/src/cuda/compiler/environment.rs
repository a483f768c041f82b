//! Environment variables that locate the compiler.

/// The environment variable with the path of the compiler.
pub const VARIABLE: &str = "TILE_TILEIRAS";

/// The environment variables with the folder of a CUDA toolkit.
pub(super) const TOOLKITS: [&str; 2] = ["CUDA_HOME", "CUDA_PATH"];
