//! Addresses of buffers, which pointer arguments, `i64` arguments and `i64` buffers can hold instead of numbers.
//!
//! ```text
//! &%a                 the first element of `%a`; of replica 0 if it has several
//! &%a[2]              of row 2, or of replica 2 if it has replicas; further indices as in a formula
//! &%a[2, 5] + 64      64 elements further
//! multicast(%a)       the multicast object of `%a`, which names the same element of every replica
//! ```
//!
//! The address itself exists only once the buffer has been placed in memory, so a specification holds its description.

use super::cursor::{Cursor, Parsed};
use super::error::LaunchError;
use super::shape::bracketed;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// The keyword for the address of a multicast object.
pub(super) const MULTICAST: &str = "multicast";

/// The address of an element of a buffer of the same launch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Address {
    /// The buffer's name, without `%`.
    pub of: String,
    /// Whether the address refers to all replicas at once.
    pub multicast: bool,
    /// The leading indices of the element, the replica first if the buffer has replicas; omitted indices are 0.
    pub index: Vec<u64>,
    /// The offset from that element in memory, in elements.
    pub offset: i64,
    /// The bytes of the source text.
    pub range: Range<usize>,
}

impl Address {
    pub(super) fn forget_range(&mut self) {
        self.range = 0..0;
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.multicast {
            write!(f, "{MULTICAST}(%{})", self.of)?
        } else {
            write!(f, "&%{}", self.of)?
        }
        if !self.index.is_empty() {
            f.write_str(&bracketed(&self.index))?;
        }
        match self.offset {
            0 => Ok(()),
            offset if offset < 0 => write!(f, " - {}", offset.unsigned_abs()),
            offset => write!(f, " + {offset}"),
        }
    }
}

/// Whether an address comes next.
pub(super) fn is_next(cursor: &mut Cursor<'_>) -> bool {
    cursor.peek() == Some('&') || cursor.peek_word() == MULTICAST
}

/// Reads an address.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Parsed<Address> {
    let start = cursor.start();
    let multicast = !cursor.eat("&");
    if multicast {
        cursor.word();
        cursor.expect("(")?;
    }
    // The same names as in formulas: `-` subtracts.
    let (name, _) = cursor.value_in_formula(&[]).map_err(|error| error.help("write the buffer, such as `&%a`"))?;
    if multicast {
        cursor.expect(")")?;
    }
    let mut address = Address { of: name.to_string(), multicast, index: Vec::new(), offset: 0, range: start..start };
    if cursor.peek() == Some('[') {
        let bracket = cursor.start();
        address.index = cursor.whole_list("an index", 0)?;
        if multicast {
            let error =
                LaunchError::new(bracket..cursor.position(), "a multicast address refers to all replicas at once");
            return Err(error.help(format!("write `&%{name}{}` for one of them", bracketed(&address.index))));
        }
    }
    for (sign, factor) in [("+", 1), ("-", -1)] {
        if cursor.eat(sign) {
            address.offset = factor * cursor.whole("an offset in elements", 0, 1 << 48)? as i64;
            break;
        }
    }
    address.range = start..cursor.position();
    Ok(address)
}
