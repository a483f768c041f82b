//! Names and marks of the dialect that belong to no row.

use crate::Version;

/// The prefix of op and type names that spell out the dialect.
pub const DIALECT_PREFIX: &str = "cuda_tile.";

/// What every bytecode file starts with.
pub const BYTECODE_MAGIC: [u8; 8] = *b"\x7fTileIR\0";

/// The names of the composite types, which start a type without `!`.
pub const TYPE_NAMES: [&str; 7] =
    ["tile", "ptr", "tensor_view", "partition_view", "strided_view", "gather_scatter_view", "token"];

/// The first version that has the composite type called `name`.
pub fn type_since(name: &str) -> Version {
    if matches!(name, "strided_view" | "gather_scatter_view") { Version::V13_3 } else { Version::V13_1 }
}
