//! Marks that identify the op and the tile block of printed text.
//!
//! The text that a GPU prints arrives in one stream, in any order. Therefore each printing op of the compiled program
//! begins its format with a mark: its number and conversions for the indices of its tile block, between control
//! characters. The text is split at these marks.

use tile_analysis::ir::OpId;

/// The start of a mark. A `%c` can print any byte, but not this sequence.
const OPEN: &[u8] = b"\x01print ";
const CLOSE: u8 = 0x02;

/// The text of one execution of a printing op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// The op; `None` for text that no op of the program printed.
    pub op: Option<OpId>,
    /// The tile block.
    pub block: Option<[u32; 3]>,
    /// The text.
    pub text: Vec<u8>,
}

/// The mark of an op, with conversions for this many indices of its tile block.
pub(super) fn mark(op: OpId, indices: usize) -> Vec<u8> {
    let indices = ":%u".repeat(indices);
    [OPEN, format!("{}{indices}", op.0).as_bytes(), &[CLOSE]].concat()
}

/// Splits the text that a launch with this grid printed at its marks. The pieces are in the order of the grid, as on
/// the CPU engine. Text before the first mark has no op and comes first.
pub fn cut(printed: &[u8], grid: [u32; 3]) -> Vec<Print> {
    let starts: Vec<usize> = memchr::memmem::find_iter(printed, OPEN).collect();
    let ends = starts.iter().copied().skip(1).chain([printed.len()]);
    let first =
        Print { op: None, block: None, text: printed[..starts.first().copied().unwrap_or(printed.len())].to_vec() };
    let marked = starts.iter().zip(ends).map(|(start, end)| marked(&printed[start + OPEN.len()..end], grid));
    let mut found: Vec<Print> = [first].into_iter().chain(marked).collect();
    found.retain(|print| !print.text.is_empty());
    found.sort_by_key(|print| print.block.map(|[x, y, z]| [z, y, x]));
    found
}

/// Parses a mark, without its start, and the text up to the next mark.
fn marked(part: &[u8], grid: [u32; 3]) -> Print {
    let read = || {
        let end = part.iter().position(|&byte| byte == CLOSE)?;
        let mut numbers = std::str::from_utf8(&part[..end]).ok()?.split(':').map(str::parse::<u32>);
        let op = numbers.next()?.ok()?;
        let mut block = [0; 3];
        for (index, extent) in block.iter_mut().zip(grid) {
            if extent > 1 {
                *index = numbers.next()?.ok()?;
            }
        }
        Some(Print { op: Some(OpId(op)), block: Some(block), text: part[end + 1..].to_vec() })
    };
    read().unwrap_or_else(|| Print { op: None, block: None, text: part.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &[u8], grid: [u32; 3]) -> Vec<(Option<u32>, Option<[u32; 3]>, String)> {
        let all = cut(text, grid).into_iter();
        all.map(|print| (print.op.map(|op| op.0), print.block, String::from_utf8(print.text).unwrap())).collect()
    }

    #[test]
    fn text_is_split_at_its_marks() {
        let alone = Some([0; 3]);
        let text = b"driver\x01print 4\x02a = 1\n\x01print 12\x02b\x01print 4\x02a = 2\n";
        let expected =
            [(None, None, "driver"), (Some(4), alone, "a = 1\n"), (Some(12), alone, "b"), (Some(4), alone, "a = 2\n")];
        assert_eq!(shown(text, [1; 3]), expected.map(|(op, block, text)| (op, block, text.to_string())));
        assert!(cut(b"", [1; 3]).is_empty());
        assert_eq!(shown(b"\x01print 4\x02a \x01\x02", [1; 3]), [(Some(4), alone, "a \x01\x02".to_string())], "`%c`");
        assert_eq!(shown(b"\x01print x", [1; 3]), [(None, None, "x".to_string())]);
        assert_eq!(shown(b"\x01print 4\x02x", [2, 1, 1]), [(None, None, "4\x02x".to_string())], "without its index");
    }

    #[test]
    fn the_pieces_are_in_the_order_of_the_grid() {
        let text = b"\x01print 1:1:0\x02c\x01print 1:0:0\x02a\x01print 2:1:0\x02d\x01print 1:0:1\x02e\x01print 2:0:0\x02b\x01print 2:0:1\x02f";
        let text: Vec<(Option<[u32; 3]>, String)> =
            shown(text, [2, 1, 2]).into_iter().map(|(_, block, text)| (block, text)).collect();
        let expected = [
            ([0, 0, 0], "a"),
            ([0, 0, 0], "b"),
            ([1, 0, 0], "c"),
            ([1, 0, 0], "d"),
            ([0, 0, 1], "e"),
            ([0, 0, 1], "f"),
        ];
        assert_eq!(text, expected.map(|(block, text)| (Some(block), text.to_string())));
    }

    #[test]
    fn a_mark_has_a_conversion_for_each_index() {
        assert_eq!(mark(OpId(12), 0), b"\x01print 12\x02");
        assert_eq!(mark(OpId(3), 2), b"\x01print 3:%u:%u\x02");
    }
}
