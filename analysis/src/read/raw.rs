//! Constants as NVIDIA's tools print them where they have more than 100 elements: the bytes in hexadecimal.

use crate::diagnostics as d;
use crate::number;
use crate::read::attr::{AttrReader, Read};
use tile_dialect::Element;
use tile_syntax::Token;

impl AttrReader<'_> {
    /// `"0x0100000002000000"`: the elements in their order, each from its lowest byte on. A single one stands for all.
    pub(crate) fn raw_elements(&mut self, element: Element) -> Read<Vec<u64>> {
        let (word, place) = (self.word(), self.range());
        let digits = word.trim_matches('"').strip_prefix("0x").unwrap_or("").as_bytes();
        let byte = |pair: &[u8]| {
            let digit = |byte: u8| (byte as char).to_digit(16);
            Some((digit(*pair.first()?)? * 16 + digit(*pair.get(1)?)?) as u8)
        };
        let Some(bytes) = digits.chunks(2).map(byte).collect::<Option<Vec<u8>>>() else {
            return self.fail(d::raw_digits(place));
        };
        self.at += 1;
        let size = (element.bits() as usize).div_ceil(8);
        let count = self.count_behind().unwrap_or(bytes.len() / size);
        let number = |bytes: &[u8]| {
            let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            if element.is_float() { number::from_significant(element, bits) } else { bits }
        };
        let truth = |byte: u8| u64::from(byte != 0);
        if element == Element::I1 && bytes.len() == count.div_ceil(8) && count > 1 && bytes.len() != 1 {
            return Ok((0..count).map(|at| truth(bytes[at / 8] >> (at % 8) & 1)).collect());
        }
        if bytes.len() != count * size && bytes.len() != size {
            return self.fail(d::raw_length(place, bytes.len(), count, count * size));
        }
        Ok(match element {
            Element::I1 => bytes.into_iter().map(truth).collect(),
            _ => bytes.chunks(size).map(number).collect(),
        })
    }

    /// The number of elements of the tile type after the constant: `> : tile<4x8xi32>`.
    fn count_behind(&self) -> Option<usize> {
        let kind = |ahead| self.tokens.kind(self.at + ahead);
        let is_type = [Token::Greater, Token::Colon].iter().enumerate().all(|(at, &token)| kind(at) == token);
        if !is_type || kind(3) != Token::Less {
            return None;
        }
        if kind(4) != Token::Extents {
            return Some(1);
        }
        let mut extents = self.tokens.text(self.at + 4, self.text).split('x').map_while(|extent| extent.parse().ok());
        extents.try_fold(1usize, |product, extent: usize| product.checked_mul(extent))
    }
}
