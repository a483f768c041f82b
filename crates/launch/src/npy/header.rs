//! The header of a `.npy` file: a Python dictionary. It is written in NumPy's order of keys and read in any order.

use crate::shape::MAX_RANK;
use std::fmt;

/// The type of a file's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dtype {
    /// NumPy's letter: `b` bool, `i` signed, `u` unsigned, `f` float, `V` void.
    pub(super) kind: u8,
    /// Bytes per element.
    pub(super) size: usize,
    pub(super) big_endian: bool,
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = if self.big_endian { "big-endian " } else { "" };
        match self.kind {
            b'b' => f.write_str("bool"),
            b'i' => write!(f, "{order}int{}", self.size * 8),
            b'u' => write!(f, "{order}uint{}", self.size * 8),
            b'f' => write!(f, "{order}float{}", self.size * 8),
            _ => write!(f, "void{}", self.size * 8),
        }
    }
}

pub(super) struct Header {
    pub(super) dtype: Dtype,
    pub(super) fortran: bool,
    pub(super) shape: Vec<u64>,
}

impl Header {
    /// The shape and the number of elements; `None` if they exceed `usize`.
    pub(super) fn sizes(&self) -> Option<(Vec<usize>, usize)> {
        let shape = self.shape.iter().map(|extent| usize::try_from(*extent).ok()).collect::<Option<Vec<_>>>()?;
        // An extent of 0 must not hide an overflow of the product of the others, from which strides are computed.
        shape.iter().try_fold(1usize, |product, extent| product.checked_mul((*extent).max(1)))?;
        let count = shape.iter().product();
        Some((shape, count))
    }
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// Parses the header, and returns it with the bytes after it.
pub(super) fn parse(file: &[u8]) -> Result<(Header, &[u8]), String> {
    let rest = file.strip_prefix(MAGIC).ok_or("not a .npy file")?;
    let (version, rest) = rest.split_first_chunk::<2>().ok_or("the file ends within its header")?;
    let (length, rest) = match version[0] {
        1 => split_length::<2>(rest),
        2 | 3 => split_length::<4>(rest),
        other => return Err(format!("unsupported version {other} of the .npy format, expected 1 to 3")),
    }
    .ok_or("the file ends within its header")?;
    let (text, data) = rest.split_at_checked(length).ok_or("the file ends within its header")?;
    let text = String::from_utf8_lossy(text);
    Ok((parse_dictionary(&text)?, data))
}

fn split_length<const N: usize>(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<N>()?;
    Some((length.iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest))
}

fn parse_dictionary(text: &str) -> Result<Header, String> {
    let dtype = parse_dtype(entry(text, "descr")?)?;
    let fortran = match entry(text, "fortran_order")? {
        value if value.starts_with("True") => true,
        value if value.starts_with("False") => false,
        _ => return Err("the file's order is neither True nor False".to_string()),
    };
    Ok(Header { dtype, fortran, shape: parse_shape(entry(text, "shape")?)? })
}

/// The text after `'key':`.
fn entry<'a>(text: &'a str, key: &str) -> Result<&'a str, String> {
    ['\'', '"']
        .into_iter()
        .find_map(|quote| text.split_once(&format!("{quote}{key}{quote}")))
        .and_then(|(_, rest)| rest.trim_start().strip_prefix(':'))
        .map(str::trim_start)
        .ok_or_else(|| format!("the file's header has no `{key}`"))
}

fn parse_dtype(text: &str) -> Result<Dtype, String> {
    if text.starts_with('[') {
        return Err("the file holds records, not numbers".to_string());
    }
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let descr = quote.and_then(|quote| text[1..].split_once(quote)).map(|(descr, _)| descr).unwrap_or_default();
    let unknown = || format!("the file holds `{descr}`, which is not a supported number type");
    let plain = descr.trim_start_matches(['<', '>', '|', '=']);
    let kind = *plain.as_bytes().first().ok_or_else(unknown)?;
    let size = plain.get(1..).and_then(|size| size.parse().ok()).ok_or_else(unknown)?;
    let known = match kind {
        b'b' => size == 1,
        b'i' | b'u' | b'f' => matches!(size, 1 | 2 | 4 | 8),
        b'V' => matches!(size, 1 | 2),
        _ => false,
    };
    let big_endian = descr.starts_with('>') && size > 1;
    if known { Ok(Dtype { kind, size, big_endian }) } else { Err(unknown()) }
}

fn parse_shape(text: &str) -> Result<Vec<u64>, String> {
    let inside = text.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside);
    let inside = inside.ok_or("the file's shape is not a tuple")?;
    let extents = inside.split(',').map(str::trim).filter(|extent| !extent.is_empty());
    let shape: Result<Vec<u64>, _> = extents.map(str::parse).collect();
    let shape = shape.map_err(|_| format!("the file's shape ({inside}) contains an invalid extent"))?;
    if shape.len() > MAX_RANK {
        return Err(format!("the file has {} dimensions, more than {MAX_RANK}", shape.len()));
    }
    Ok(shape)
}

/// Encodes the header: the bytes before the elements.
pub(super) fn write(dtype: Dtype, shape: &[u64]) -> Vec<u8> {
    let order = if dtype.size == 1 { '|' } else { '<' };
    let extents: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    let extents = if shape.len() == 1 { extents.trim_end() } else { extents.trim_end_matches(", ") };
    let kind = char::from(dtype.kind);
    let mut text =
        format!("{{'descr': '{order}{kind}{}', 'fortran_order': False, 'shape': ({extents}), }}", dtype.size);
    // The header ends with a line break, and the elements start at a multiple of 64 bytes.
    let before = MAGIC.len() + 4;
    let padding = (before + text.len() + 1).next_multiple_of(64) - before - 1 - text.len();
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    let mut file = MAGIC.to_vec();
    file.extend([1, 0]);
    file.extend((text.len() as u16).to_le_bytes());
    file.extend(text.as_bytes());
    file
}
