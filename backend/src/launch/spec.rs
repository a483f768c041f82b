//! What an argument gets: a number, or a buffer and what it holds at first.
//!
//! ```text
//! spec  = number | element "[" shape "]" ["strides=[" strides "]"] init
//! init  = "zeros" | "ones" | "fill(" x ")" | "iota" | "uniform(" lo "," hi ["," "seed=" n] ")"
//!       | "normal(" mean "," deviation ["," "seed=" n] ")" | "npy(" "\"file\"" ")" | nested list of numbers
//! ```

mod list;
mod parse;

#[cfg(test)]
pub(super) use parse::INITS;
pub(super) use parse::{element as parse_element, spec};

use super::{LaunchError, Number, cursor::Cursor, cursor::quote};
use serde::{Deserialize, Serialize};
use std::fmt;
use tile_dialect::Element;

/// The most dimensions a buffer may have.
pub const MAX_RANK: usize = 32;

/// What an argument gets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Spec {
    /// A pointer argument gets a buffer.
    Buffer {
        /// What one element is.
        #[serde(with = "element_by_name")]
        element: Element,
        /// The extents, outermost first; empty for a single element.
        shape: Vec<u64>,
        /// Steps between neighbours along each dimension, in elements; row-major without them.
        strides: Option<Vec<u64>>,
        /// What it holds at first.
        init: Init,
    },
    /// A scalar argument gets a number.
    Scalar(Number),
}

impl Spec {
    /// The same, to be changed.
    pub fn file_mut(&mut self) -> Option<&mut String> {
        match self {
            Spec::Buffer { init: Init::Npy(file), .. } => Some(file),
            _ => None,
        }
    }

    /// The file that the argument is read from, if it is.
    pub fn file(&self) -> Option<&str> {
        match self {
            Spec::Buffer { init: Init::Npy(file), .. } => Some(file),
            _ => None,
        }
    }
}

/// What a buffer holds at first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Init {
    /// 0 everywhere.
    Zeros,
    /// 1 everywhere.
    Ones,
    /// One number everywhere.
    Fill(Number),
    /// 0, 1, 2, … in row-major order; integers wrap, floats round.
    Iota,
    /// Evenly distributed, `low` included and `high` not; whole numbers for integer elements.
    Uniform {
        /// The least value.
        low: Number,
        /// What all values lie below.
        high: Number,
        /// Chooses the sequence.
        seed: u64,
    },
    /// Normally distributed, for float elements.
    Normal {
        /// The mean.
        mean: Number,
        /// The standard deviation.
        deviation: Number,
        /// Chooses the sequence.
        seed: u64,
    },
    /// What a `.npy` file holds.
    Npy(String),
    /// These numbers in row-major order.
    Values(Vec<Number>),
}

/// Reads a specification that stands alone, as after `--arg '%a=`. Ranges of errors count from the start of `text`.
pub fn parse_spec(text: &str) -> Result<Spec, LaunchError> {
    let mut cursor = Cursor::new(text, 0..text.len());
    let found = spec(&mut cursor)?;
    cursor.finish()?;
    Ok(found)
}

/// An element type crosses a process boundary by its name.
pub(super) mod element_by_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tile_dialect::Element;

    pub(in super::super) fn serialize<S: Serializer>(element: &Element, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(element.name())
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Element, D::Error> {
        let name = String::deserialize(deserializer)?;
        Element::from_name(&name).ok_or_else(|| D::Error::custom(format!("unknown element type `{name}`")))
    }
}

/// Numbers as `[1, 2, 3]`.
pub(super) fn bracketed<T: fmt::Display>(items: &[T]) -> String {
    format!("[{}]", items.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Scalar(number) => write!(f, "{number}"),
            Spec::Buffer { element, shape, strides, init } => {
                write!(f, "{element}{} ", bracketed(shape))?;
                if let Some(strides) = strides {
                    write!(f, "strides={} ", bracketed(strides))?;
                }
                match init {
                    Init::Values(values) => list::write(f, shape, values),
                    init => write!(f, "{init}"),
                }
            }
        }
    }
}

impl fmt::Display for Init {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Init::Zeros => f.write_str("zeros"),
            Init::Ones => f.write_str("ones"),
            Init::Fill(number) => write!(f, "fill({number})"),
            Init::Iota => f.write_str("iota"),
            Init::Uniform { low, high, seed } => write!(f, "uniform({low}, {high}, seed={seed})"),
            Init::Normal { mean, deviation, seed } => write!(f, "normal({mean}, {deviation}, seed={seed})"),
            Init::Npy(file) => write!(f, "npy({})", quote(file)),
            Init::Values(values) => f.write_str(&bracketed(values)),
        }
    }
}

#[cfg(test)]
mod tests;
