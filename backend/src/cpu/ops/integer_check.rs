//! Checks of promises about single integers: overflow flags and shift amounts.

use super::integer::{Int, with_int};
use crate::cpu::kernel::{Kernel, Outcome};
use crate::cpu::site::Site;
use crate::cpu::tile::{Tile, at};
use crate::cpu::value::Value;
use crate::findings::{at_element, integer_overflow, shift_too_far};
use tile_analysis::ir::Attr;
use tile_dialect::Mnemonic as M;

/// The value of `overflow` that promises that the signed result fits.
const NO_SIGNED_WRAP: u8 = 1;
/// The value of `overflow` that promises that the unsigned result fits.
const NO_UNSIGNED_WRAP: u8 = 2;

/// Puts the check of the op's overflow flag in front of its kernel, if promises are checked and there is one.
pub(super) fn overflow(site: &Site<'_>, kernel: Kernel) -> Kernel {
    let &Attr::Enum(flag) = site.attr("overflow") else { return kernel };
    if flag == 0 || !site.sanitize {
        return kernel;
    }
    let Some(exact) = exact(site.op.op) else { return kernel };
    let tile = site.result(0);
    before(kernel, move |inputs| {
        let (a, b) = (inputs[0].tile(), inputs.get(1).unwrap_or(&inputs[0]).tile());
        with_int!(tile.element, T => no_overflow::<T>(a, b, flag, exact, &tile.shape))
    })
}

/// Puts the check of shift amounts in front of a kernel, if promises are checked.
pub(super) fn shift(site: &Site<'_>, kernel: Kernel) -> Kernel {
    if !site.sanitize {
        return kernel;
    }
    let tile = site.result(0);
    before(kernel, move |inputs| {
        let amounts = inputs[1].tile();
        let width = u64::from(tile.element.bits());
        let found = (0..amounts.stored()).find(|&index| amounts.bits(index) >= width);
        match found {
            Some(index) => Err(shift_too_far::fault(amounts.bits(index), width, &at_element(index, &tile.shape))),
            None => Ok(()),
        }
    })
}

/// Runs a check before a kernel.
pub(super) fn before(kernel: Kernel, check: impl Fn(&[Value]) -> Outcome<()> + Send + Sync + 'static) -> Kernel {
    Box::new(move |context, inputs, results| {
        check(inputs)?;
        kernel(context, inputs, results)
    })
}

type Exact = fn(i128, i128) -> i128;

/// The op without a limit of its width. A shift multiplies; by 64 or more places it overflows like one by 64.
fn exact(op: M) -> Option<Exact> {
    match op {
        M::Addi => Some(|a, b| a + b),
        M::Subi => Some(|a, b| a - b),
        M::Muli => Some(|a, b| a.saturating_mul(b)),
        M::Negi => Some(|a, _| -a),
        M::Shli => Some(|a, b| a << (b & 0x7F).min(63)),
        _ => None,
    }
}

fn no_overflow<T: Int>(a: &Tile, b: &Tile, flag: u8, exact: Exact, shape: &[i64]) -> Outcome<()> {
    let (a, b) = (T::of(a), T::of(b));
    for index in 0..a.len().max(b.len()) {
        let (a, b) = (at(a, index), at(b, index));
        let signed = exact(a.signed().into(), b.signed().into());
        let unsigned = exact(a.unsigned().into(), b.unsigned().into());
        let broken = if flag & NO_SIGNED_WRAP != 0 && i128::from(T::low(signed as u64).signed()) != signed {
            Some(signed)
        } else if flag & NO_UNSIGNED_WRAP != 0 && i128::from(T::low(unsigned as u64).unsigned()) != unsigned {
            Some(unsigned)
        } else {
            None
        };
        if let Some(value) = broken {
            return Err(integer_overflow::fault(value, T::WIDTH, flag, &at_element(index, shape)));
        }
    }
    Ok(())
}
