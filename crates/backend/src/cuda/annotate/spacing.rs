//! Line numbers that instructions inside inline assembly cannot mix up.
//!
//! `tileiras` generates inline assembly of several lines for some instructions, such as `wgmma`. The line table counts
//! these lines from that of the op, as if they followed it in the source: `HGMMA` instructions of a product in line 120
//! are listed under line 123. Code for a listing is therefore compiled with debug information whose lines are far
//! apart.

use tile_analysis::debug_info::{DebugAttr, DebugInfo};

/// The distance between consecutive lines. Inline assembly has fewer lines.
pub(super) const SPACING: u32 = 64;

/// Debug information for a listing: every line number is multiplied.
pub fn spaced(mut debug: DebugInfo) -> DebugInfo {
    let space = |line: &mut u32| *line = line.saturating_mul(SPACING);
    for attr in &mut debug.attrs {
        match attr {
            DebugAttr::Position(position) | DebugAttr::Scoped { position, .. } => space(&mut position.line),
            DebugAttr::Subprogram { line, scope_line, .. } => {
                space(line);
                space(scope_line);
            }
            DebugAttr::LexicalBlock { line, .. } => space(line),
            DebugAttr::Unknown
            | DebugAttr::CallSite { .. }
            | DebugAttr::Named { .. }
            | DebugAttr::Fused(_)
            | DebugAttr::File { .. }
            | DebugAttr::CompileUnit { .. } => {}
        }
    }
    debug
}

/// The line of the source for a line in the table of code that was compiled with [`spaced`] lines.
pub(super) fn line(spaced: u32) -> u32 {
    spaced / SPACING
}
