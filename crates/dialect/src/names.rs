//! Names of the dialect that do not belong to a row.

use crate::Version;

/// The prefix of the names of ops and types, which is often optional.
pub const DIALECT_PREFIX: &str = "cuda_tile.";

/// The first bytes of every bytecode file.
pub const BYTECODE_MAGIC: [u8; 8] = *b"\x7fTileIR\0";

/// The names of the composite types, which can start a type without `!`.
pub const TYPE_NAMES: [&str; 7] =
    ["tile", "ptr", "tensor_view", "partition_view", "strided_view", "gather_scatter_view", "token"];

/// The first version that has the composite type called `name`.
pub fn type_since(name: &str) -> Version {
    if matches!(name, "strided_view" | "gather_scatter_view") { Version::V13_3 } else { Version::V13_1 }
}
