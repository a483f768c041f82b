//! Telling which op printed what.
//!
//! A GPU's prints come back as one text. So each printing op of what is compiled starts its format with its number
//! between two control characters, which no readable format has, and the text is cut at them.

use std::sync::Arc;
use tile_analysis::ir::{Attr, Module, OpId};
use tile_dialect::{AttrKind, Mnemonic};

const OPEN: u8 = 0x01;
const CLOSE: u8 = 0x02;

/// Marks the formats of the printing ops of an entry.
pub fn mark(module: &mut Module, entry: &str) {
    let Some(body) = module.entries.iter_mut().find(|body| *body.name == *entry) else { return };
    let body = Arc::make_mut(body);
    let printing = |&number: &usize| body.ops[number].op == Mnemonic::PrintTko;
    for number in (0..body.ops.len()).filter(printing).collect::<Vec<_>>() {
        let op = OpId(number as u32);
        let format = Mnemonic::PrintTko.row().attrs.iter().position(|attr| matches!(attr.kind, AttrKind::Str));
        if let Some(Attr::Str(text)) = format.map(|index| body.attr_mut(op, index)) {
            let mark = [&[OPEN], number.to_string().as_bytes(), &[CLOSE]].concat();
            *text = [&mark[..], text].concat().into();
        }
    }
}

/// Cuts a printed text at the marks. What stands in front of the first one has no op.
pub fn cut(printed: &[u8]) -> Vec<(Option<OpId>, Vec<u8>)> {
    let mut parts = printed.split(|&byte| byte == OPEN);
    let first = parts.next().map(|text| (None, text.to_vec()));
    let marked = parts.map(|part| {
        let end = part.iter().position(|&byte| byte == CLOSE);
        let number = end.and_then(|end| std::str::from_utf8(&part[..end]).ok()?.parse().ok());
        match (number, end) {
            (Some(number), Some(end)) => (Some(OpId(number)), part[end + 1..].to_vec()),
            _ => (None, part.to_vec()),
        }
    });
    first.into_iter().chain(marked).filter(|(_, text)| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_marks() {
        let text = b"driver\x014\x02a = 1\n\x0112\x02b\x014\x02a = 2\n";
        let cut = cut(text).into_iter().map(|(op, text)| (op.map(|op| op.0), String::from_utf8(text).unwrap()));
        let expected = [(None, "driver"), (Some(4), "a = 1\n"), (Some(12), "b"), (Some(4), "a = 2\n")];
        assert!(cut.eq(expected.map(|(op, text)| (op, text.to_string()))));
        assert!(super::cut(b"").is_empty());
        assert_eq!(super::cut(b"\x01x"), [(None, b"x".to_vec())]);
    }
}
