//! Integer ops on one element.

use super::value::{number, wrap};
use tile_dialect::{Element, Mnemonic, predicate, rmw_mode, rounding};

/// Attributes of an op.
pub(super) struct Attrs {
    pub(super) is_signed: bool,
    pub(super) rounding: Option<u8>,
    pub(super) predicate: Option<u8>,
}

/// The result of an op. `from` is the element of the operands, `to` that of the result.
pub(super) fn compute(op: Mnemonic, attrs: &Attrs, from: Element, to: Element, operands: &[u64]) -> Option<u64> {
    let of = |index: usize, is_signed: bool| number(from, operands.get(index).copied().unwrap_or(0), is_signed);
    let (a, b) = (of(0, attrs.is_signed), of(1, attrs.is_signed));
    let value = match op {
        Mnemonic::Addi => a + b,
        Mnemonic::Subi => a - b,
        Mnemonic::Muli => a.wrapping_mul(b),
        Mnemonic::Mulhii => {
            of(0, false).cast_unsigned().wrapping_mul(of(1, false).cast_unsigned()).cast_signed() >> from.bits()
        }
        Mnemonic::Negi => -of(0, true),
        Mnemonic::Absi => of(0, true).abs(),
        Mnemonic::Andi => a & b,
        Mnemonic::Ori => a | b,
        Mnemonic::Xori => a ^ b,
        Mnemonic::Shli => of(0, false) << of(1, false),
        Mnemonic::Shri => a >> of(1, false),
        Mnemonic::Maxi => a.max(b),
        Mnemonic::Mini => a.min(b),
        Mnemonic::Remi if b != 0 => a % b,
        Mnemonic::Divi if b != 0 => {
            let is_exact = a % b == 0;
            let is_negative = (a < 0) != (b < 0);
            match attrs.rounding {
                Some(rounding::NEGATIVE_INF) if !is_exact && is_negative => a / b - 1,
                Some(rounding::POSITIVE_INF) if !is_exact && !is_negative => a / b + 1,
                _ => a / b,
            }
        }
        Mnemonic::Cmpi => i128::from(match attrs.predicate? {
            predicate::EQUAL => a == b,
            predicate::NOT_EQUAL => a != b,
            predicate::LESS_THAN => a < b,
            predicate::LESS_THAN_OR_EQUAL => a <= b,
            predicate::GREATER_THAN => a > b,
            _ => a >= b,
        }),
        Mnemonic::Exti | Mnemonic::Trunci | Mnemonic::Bitcast => a,
        _ => return None,
    };
    Some(wrap(to, value))
}

/// The new content of memory that an atomic op changes.
pub(super) fn modify(mode: u8, element: Element, old: u64, value: u64) -> Option<u64> {
    let [signed, unsigned] = [true, false].map(|is_signed| [old, value].map(|bits| number(element, bits, is_signed)));
    let result = match mode {
        rmw_mode::AND => unsigned[0] & unsigned[1],
        rmw_mode::OR => unsigned[0] | unsigned[1],
        rmw_mode::XOR => unsigned[0] ^ unsigned[1],
        rmw_mode::ADD => unsigned[0] + unsigned[1],
        rmw_mode::MAX => signed[0].max(signed[1]),
        rmw_mode::MIN => signed[0].min(signed[1]),
        rmw_mode::UMAX => unsigned[0].max(unsigned[1]),
        rmw_mode::UMIN => unsigned[0].min(unsigned[1]),
        rmw_mode::XCHG => unsigned[1],
        _ => return None,
    };
    Some(wrap(element, result))
}
