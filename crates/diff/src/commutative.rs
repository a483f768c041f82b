//! Ops whose operands can be exchanged.

use tile_dialect::Mnemonic;

/// The number of leading operands that can be exchanged without changing the meaning; 0 or 1 if none can.
///
/// Float ops are included: exchanging their operands can only change which of two NaN operands is returned, and the
/// language leaves the bits of NaN open.
pub(crate) fn exchangeable(op: Mnemonic, operands: usize) -> usize {
    use Mnemonic::*;
    match op {
        Addi | Muli | Mulhii | Andi | Ori | Xori | Maxi | Mini | Addf | Mulf | Maxf | Minf => operands.min(2),
        // The factors, but not the summand.
        Fma => operands.min(2),
        JoinTokens => operands,
        _ => 0,
    }
}
