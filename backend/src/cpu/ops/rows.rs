//! Where a tile lies in memory if all of it does, in rows without gaps: for whoever loads or stores it in parts.

use super::load_store::{ALL, Runs};
use super::window::Reach;
use crate::cpu::access::Use;
use crate::cpu::kernel::Outcome;
use crate::cpu::memory::Memory;
use crate::cpu::site::Site;
use crate::cpu::tile::{Kind, Word, with_kind};
use crate::cpu::value::Value;
use std::ops::Range;
use tile_dialect::Class;

/// The elements of a tile in memory, in row-major order: rows of the same length, each without a gap.
#[derive(Debug, PartialEq)]
pub(in crate::cpu) struct Rows {
    /// Where each row begins.
    addresses: Vec<u64>,
    /// The elements of a row.
    length: usize,
    /// The type of the elements.
    kind: Kind,
}

/// Finds the rows that an op with these operands accesses; `None` where parts of the tile are left out, rows are short,
/// or the op has something to say against its operands.
pub(in crate::cpu) type FindRows = Box<dyn Fn(&[Value]) -> Option<Rows> + Send + Sync>;

/// Shorter rows are not worth it.
const SHORTEST: usize = 16;

/// What finds the rows of an op that loads or stores a tile of elements of this kind.
pub(in crate::cpu) fn of(site: &Site<'_>, kind: Kind) -> Outcome<Option<FindRows>> {
    let operands = site.op.op.row().operands;
    if operands.iter().any(|operand| operand.class == Class::TileView) {
        return through_view(site, kind).map(Some);
    }
    let pointers = operands.iter().find(|operand| operand.class == Class::Pointers);
    Ok(pointers.map(|operand| through_pointers(site, operand.name, kind)))
}

fn through_view(site: &Site<'_>, kind: Kind) -> Outcome<FindRows> {
    let reach = Reach::of(site)?;
    let length = reach.extents.last().copied().unwrap_or(1);
    Ok(Box::new(move |inputs| {
        let window = reach.window(inputs).ok().filter(|window| window.is_full(&reach.extents))?;
        let size = kind.bytes();
        let (mut addresses, mut whole) = (Vec::new(), true);
        let rows = window.rows(&reach.extents, size, &mut |row| {
            whole &= row.step == size as u64 || row.count == 1;
            addresses.push(row.address);
            Ok(())
        });
        rows.ok().filter(|()| whole).and_then(|()| Rows::joined(addresses, length, kind))
    }))
}

fn through_pointers(site: &Site<'_>, name: &str, kind: Kind) -> FindRows {
    let (count, place) = (site.operand(name).count, site.place(name));
    let mask = site.optional("mask");
    Box::new(move |inputs| {
        let addresses = u64::of(inputs[place].tile());
        let mask = mask.map_or(ALL, |place| bool::of(inputs[place].tile()));
        let length = Runs::new(addresses, mask, count, kind.bytes()).row()?;
        Rows::joined(addresses.iter().copied().step_by(length).collect(), length, kind)
    })
}

impl Rows {
    /// Rows of which each may go on where the one before it ends: they are one then.
    fn joined(mut addresses: Vec<u64>, mut length: usize, kind: Kind) -> Option<Rows> {
        let bytes = (length * kind.bytes()) as u64;
        if addresses.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == bytes) {
            length *= addresses.len();
            addresses.truncate(1);
        }
        (length >= SHORTEST).then_some(Rows { addresses, length, kind })
    }

    /// The bytes of a row.
    fn bytes(&self) -> u64 {
        (self.length * self.kind.bytes()) as u64
    }

    /// Whether all of them may be accessed.
    pub(in crate::cpu) fn lie_inside(&self, memory: &Memory, access: Use) -> bool {
        let mut nearby = memory.nearby();
        with_kind!(self.kind, T => self.addresses.iter().all(|&row| nearby.permits::<T>(row, self.length, access)))
    }

    /// Whether each row lies behind the one before it.
    pub(in crate::cpu) fn ascend(&self) -> bool {
        let bytes = self.bytes();
        self.addresses.windows(2).all(|pair| pair[0].checked_add(bytes).is_some_and(|end| end <= pair[1]))
    }

    /// Whether no byte between the first and the last one is between those of the others.
    pub(in crate::cpu) fn are_apart(&self, others: &Rows) -> bool {
        let (a, b) = (self.reach(), others.reach());
        a.end <= b.start || b.end <= a.start
    }

    /// The bytes from the first to the last one.
    fn reach(&self) -> Range<u64> {
        let first = self.addresses.iter().min().copied().unwrap_or(0);
        let last = self.addresses.iter().max().copied().unwrap_or(0);
        first..last.saturating_add(self.bytes())
    }

    /// Calls `visit` for the pieces of rows that elements of the tile lie in, with how far the piece is from the first of
    /// the elements, its address, and its number of elements.
    pub(in crate::cpu) fn pieces(
        &self,
        elements: Range<usize>,
        mut visit: impl FnMut(usize, u64, usize) -> Outcome<()>,
    ) -> Outcome<()> {
        let mut place = elements.start;
        while place < elements.end {
            let (row, inside) = (place / self.length, place % self.length);
            let count = (self.length - inside).min(elements.end - place);
            visit(place - elements.start, self.addresses[row] + (inside * self.kind.bytes()) as u64, count)?;
            place += count;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(addresses: &[u64]) -> Rows {
        Rows::joined(addresses.to_vec(), 16, Kind::Single).unwrap()
    }

    #[test]
    fn rows_that_go_on_are_one() {
        assert_eq!(rows(&[64, 128, 192]), Rows { addresses: vec![64], length: 48, kind: Kind::Single });
        assert_eq!(rows(&[64, 128, 256]).length, 16);
        assert_eq!(Rows::joined(vec![64, 256], 8, Kind::Single), None);
    }

    #[test]
    fn rows_are_compared_by_their_reach() {
        let (low, high) = (rows(&[0, 128]), rows(&[192, 320]));
        assert!(low.are_apart(&high) && high.are_apart(&low));
        assert!(!low.are_apart(&rows(&[188, 400])) && !low.are_apart(&low));
        assert!(low.ascend());
        assert!(!rows(&[0, 60]).ascend() && !rows(&[128, 0]).ascend());
    }

    #[test]
    fn pieces_end_where_rows_do() {
        let mut pieces = Vec::new();
        let visit = |from, address, count| {
            pieces.push((from, address, count));
            Ok(())
        };
        rows(&[0, 128, 256]).pieces(10..40, visit).unwrap();
        assert_eq!(pieces, [(0, 40, 6), (6, 128, 16), (22, 256, 8)]);
    }
}
