//! Whether preview content is allowed, and where its ops are placed.

use crate::context::Options;
use tile_dialect::{Mnemonic, PREVIEW_PREFIX, PREVIEW_VERSION, Version};

/// The reason why preview content is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The preview is not enabled.
    NotEnabled,
    /// The preview is enabled, but the target version does not support it.
    Version(Version),
}

/// The reason why preview content is rejected under these options; `None` if it is allowed.
pub fn refusal(options: &Options) -> Option<Refusal> {
    match (options.preview, options.version) {
        (false, _) => Some(Refusal::NotEnabled),
        (true, PREVIEW_VERSION) => None,
        (true, version) => Some(Refusal::Version(version)),
    }
}

/// Whether preview content is allowed under these options.
pub(crate) fn is_allowed(options: &Options) -> bool {
    refusal(options).is_none()
}

/// Whether an op of the preview is placed next to entries.
pub(crate) fn is_item(op: Mnemonic) -> bool {
    matches!(op, Mnemonic::PreviewFunc | Mnemonic::PreviewExternImpl)
}

/// Whether a name belongs to the preview, with or without the dialect prefix.
pub(crate) fn is_preview_word(word: &str) -> bool {
    word.strip_prefix(tile_dialect::DIALECT_PREFIX).unwrap_or(word).starts_with(PREVIEW_PREFIX)
}
