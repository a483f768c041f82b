//! Operands for which the behavior of an op is defined.

use super::builder::Builder;
use super::types::{Tile, signed_range};
use super::want::want;
use tile_dialect::{Element, Mnemonic, OpRow, overflow, signedness};

/// Ops with undefined behavior for which [`operands`] chooses other operands.
pub(super) const HANDLED: &[Mnemonic] = &[Mnemonic::Divi];

/// The value of the overflow flags that allows overflow.
const NO_FLAGS: u8 = 0;

/// Replaces the operands of an op by ones for which its behavior is defined. Returns `None` if there are none.
pub(super) fn operands(
    builder: &mut Builder,
    row: &OpRow,
    attrs: &[Option<u8>],
    tiles: &[Tile],
    result: Element,
    values: Vec<String>,
) -> Option<Vec<String>> {
    let attr = |name: &str| row.attr_named(name).and_then(|(index, _)| attrs[index]);
    let flags = attr("overflow").filter(|&flags| flags != NO_FLAGS);
    let is_signed = attr("signedness") == Some(signedness::SIGNED);
    let tile = tiles.first()?;
    let bits = tile.element.bits();
    let mut values = values;
    let mut guard = Guard { builder, tile };
    match row.op {
        Mnemonic::Shli | Mnemonic::Shri => match flags {
            None => values[1] = guard.masked(&values[1], u64::from(bits) - 1),
            Some(_) if bits < 8 => return None,
            Some(_) => {
                values[0] = guard.masked(&values[0], (1 << (bits / 2 - 1)) - 1);
                values[1] = guard.masked(&values[1], u64::from(bits) / 2 - 1);
            }
        },
        Mnemonic::Divi | Mnemonic::Remi if bits == 1 => {
            values[0] = guard.masked(&values[0], u64::from(!is_signed));
            values[1] = guard.with_bit(&values[1]);
        }
        Mnemonic::Divi | Mnemonic::Remi => {
            if is_signed {
                values[1] = guard.masked(&values[1], (1 << (bits - 1)) - 1);
            }
            values[1] = guard.with_bit(&values[1]);
        }
        Mnemonic::Addi | Mnemonic::Subi | Mnemonic::Muli | Mnemonic::Negi | Mnemonic::Trunci if flags.is_some() => {
            if bits < 8 {
                return None;
            }
            let only_signed = flags == Some(overflow::NO_SIGNED_WRAP);
            match row.op {
                // Not negative as a signed number of the narrower type.
                Mnemonic::Trunci => values[0] = guard.masked(&values[0], (1 << (result.bits() - 1)) - 1),
                Mnemonic::Negi if only_signed => values[0] = guard.shifted(&values[0], 1, "signed"),
                Mnemonic::Negi => values[0] = guard.masked(&values[0], 0),
                Mnemonic::Muli => {
                    let most = (1 << (bits / 2 - 1)) - 1;
                    values = values.iter().map(|value| guard.masked(value, most)).collect();
                }
                _ if only_signed => values = values.iter().map(|value| guard.shifted(value, 1, "signed")).collect(),
                _ => {
                    values = values.iter().map(|value| guard.shifted(value, 2, "unsigned")).collect();
                    if row.op == Mnemonic::Subi {
                        values[0] = guard.builder.op(&format!("ori {}, {} : {tile}", values[0], values[1]));
                    }
                }
            }
        }
        _ => {}
    }
    Some(values)
}

/// Ops that restrict integers.
struct Guard<'a> {
    builder: &'a mut Builder,
    tile: &'a Tile,
}

impl Guard<'_> {
    fn literal(&self, value: u64) -> String {
        if self.tile.element == Element::I1 { (value == 1).to_string() } else { value.to_string() }
    }

    fn masked(&mut self, value: &str, mask: u64) -> String {
        let (tile, mask) = (self.tile, self.literal(mask));
        let mask = self.builder.splat(tile, mask);
        let value = self.builder.op(&format!("andi {value}, {mask} : {tile}"));
        if tile.element != Element::I1 && tile.element != Element::I4 && self.builder.chance(20) {
            return self.builder.op(&format!("assume bounded<0, ?>, {value} : {tile}"));
        }
        value
    }

    fn with_bit(&mut self, value: &str) -> String {
        let (tile, one) = (self.tile, self.literal(1));
        let one = self.builder.splat(tile, one);
        self.builder.op(&format!("ori {value}, {one} : {tile}"))
    }

    fn shifted(&mut self, value: &str, by: u32, sign: &str) -> String {
        let tile = self.tile;
        let by = self.builder.splat(tile, by);
        self.builder.op(&format!("shri {value}, {by} {sign} : {tile}"))
    }
}

/// Adds a float tile whose elements an integer type represents after rounding towards zero. `None` if there is no such
/// tile of this float type.
pub(super) fn convertible(builder: &mut Builder, tile: &Tile, to: Element, is_signed: bool) -> Option<String> {
    let (low, high) = match (signed_range(to), is_signed) {
        (range, true) => range,
        ((_, high), false) => (0, high.max(1)),
    };
    let base = match tile.element {
        Element::F16 | Element::BF16 | Element::F32 | Element::F64 => tile.element,
        Element::TF32 | Element::F8E4M3FN | Element::F8E5M2 => Element::F32,
        _ => return None,
    };
    // Rounding to a narrower type keeps the numbers in range if the limits are powers of two within its range.
    let limit = |value: i64| (value as f64).clamp(-64.0, 64.0);
    let base = tile.of(base);
    let source = want(builder, &base);
    let [low, high] = [low, high].map(limit).map(|value| builder.splat(&base, format!("{value:?}")));
    let value = builder.op(&format!("maxf {source}, {low} : {base}"));
    let value = builder.op(&format!("minf {value}, {high} : {base}"));
    if base == *tile { Some(value) } else { Some(builder.op(&format!("ftof {value} : {base} -> {tile}"))) }
}
