//! Types in contexts without a default dialect.

use crate::types::{PreviewType, Type, TypeKind};
use std::fmt;
use tile_dialect::{DIALECT_PREFIX, PreviewWord};

/// A type in a context without a default dialect, where it needs its prefix.
pub(super) struct Prefixed(pub(super) Type);

impl fmt::Display for Prefixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind() {
            TypeKind::Preview(PreviewType::Word(PreviewWord::Index | PreviewWord::None)) => write!(f, "{}", self.0),
            TypeKind::Preview(PreviewType::Tile { .. }) => write!(f, "!{DIALECT_PREFIX}{}", self.0),
            TypeKind::Preview(_) => write!(f, "!cuda_tile<{}>", self.0),
            TypeKind::Number(_) | TypeKind::Foreign(_) | TypeKind::Unknown => write!(f, "{}", self.0),
            _ => write!(f, "!{DIALECT_PREFIX}{}", self.0),
        }
    }
}

/// The text of a type in a context without a default dialect, where it needs its prefix.
pub(crate) fn prefixed(ty: Type) -> String {
    Prefixed(ty).to_string()
}
