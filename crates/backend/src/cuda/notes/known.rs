//! The remarks about missed optimizations that have their own page. All others are on P0103.

use super::cause::Cause;
use super::{
    p0101_no_tma, p0102_no_tensor_core, p0104_register_pressure, p0105_wide_indices, p0106_tma_stride,
    p0107_tma_contiguous_dimension, p0108_tma_extent, p0109_tma_tile_row, p0110_tma_padding, p0111_tma_ordering,
    p0112_tma_limit,
};
use crate::cuda::remarks::Remark;
use tile_analysis::diagnostic::Page;

/// A remark about a missed optimization.
pub(super) struct Known {
    /// Its names in the compiler's output.
    names: &'static [&'static str],
    /// The start of its reason; empty for all others.
    reason: &'static str,
    pub(super) page: &'static Page,
    /// What in the program probably causes it.
    pub(super) cause: Cause,
    /// Whether it is about a whole entry instead of one op.
    pub(super) is_of_entry: bool,
}

/// Loads and stores without TMA.
const TMA: &[&str] = &["RemarkMemoryTmaLoadFailed", "RemarkMemoryTmaStoreFailed"];

/// Matrix products without tensor cores.
pub(super) const PRODUCT: &str = "RemarkTensorCoreMMA";

/// Tensor views that need 64-bit indices.
pub(super) const NARROWING: &str = "RemarkTensorViewIndexTypeNarrowing";

/// Kernels with too many registers.
const REGISTERS: &[&str] = &["RegisterPressure", "RemarkPerfRegisterSpill", "RemarkPerfLocalMemoryUsage"];

/// The known remarks; the first match counts. The names and reasons are those in the binaries of 13.4.92 and 13.5.37;
/// docs/remarks.md lists them with the programs that give them.
static KNOWN: [Known; 17] = [
    tma("base pointer not 16-byte aligned", &p0101_no_tma::PAGE, Cause::Pointer),
    tma("stride not 16-byte aligned", &p0106_tma_stride::PAGE, Cause::Stride),
    tma("contiguous striding not 16-byte aligned", &p0106_tma_stride::PAGE, Cause::TileStep),
    tma("no contiguous dimension found", &p0107_tma_contiguous_dimension::PAGE, Cause::NoUnitStride),
    tma("no contiguous tile dimension found", &p0107_tma_contiguous_dimension::PAGE, Cause::NoUnitStride),
    tma("contiguous tensor extent not 16-byte aligned", &p0108_tma_extent::PAGE, Cause::Extent),
    tma("leading tile dimension not 16-byte aligned", &p0109_tma_tile_row::PAGE, Cause::TileRow),
    tma("TMA only supports zero padding", &p0110_tma_padding::PAGE, Cause::Padding),
    tma("software-implemented TMA padding is not profitable", &p0110_tma_padding::PAGE, Cause::Padding),
    tma("memory semantic must be weak", &p0111_tma_ordering::PAGE, Cause::Nothing),
    tma("tensor_view rank exceeds", &p0112_tma_limit::PAGE, Cause::Rank),
    tma("hardware coordinate limits exceeded", &p0112_tma_limit::PAGE, Cause::Size),
    tma("unsupported element type", &p0112_tma_limit::PAGE, Cause::Element),
    tma("", &p0101_no_tma::PAGE, Cause::Nothing),
    of_op(&[PRODUCT], &p0102_no_tensor_core::PAGE, Cause::Factors),
    of_op(&[NARROWING], &p0105_wide_indices::PAGE, Cause::Bounds),
    Known { is_of_entry: true, ..of_op(REGISTERS, &p0104_register_pressure::PAGE, Cause::LiveTiles) },
];

const fn tma(reason: &'static str, page: &'static Page, cause: Cause) -> Known {
    Known { names: TMA, reason, page, cause, is_of_entry: false }
}

const fn of_op(names: &'static [&'static str], page: &'static Page, cause: Cause) -> Known {
    Known { names, reason: "", page, cause, is_of_entry: false }
}

/// The row of a remark about a missed optimization.
pub(super) fn known(remark: &Remark) -> Option<&'static Known> {
    let reasons = || remark.details.iter().filter(|(name, _)| name.eq_ignore_ascii_case("reason"));
    let fits = |known: &&Known| {
        known.names.contains(&remark.name.as_str())
            && (known.reason.is_empty() || reasons().any(|(_, reason)| reason.starts_with(known.reason)))
    };
    KNOWN.iter().filter(|_| !remark.passed).find(fits)
}
