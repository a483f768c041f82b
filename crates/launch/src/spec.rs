//! Values of arguments: a number, or a buffer and its initial contents.
//!
//! ```text
//! spec  = number | address | element "[" shape "]" ["strides=[" strides "]"] ["replicas=" n] init
//! init  = "zeros" | "ones" | "fill(" x ")" | "iota" | "uniform(" lo "," hi ["," "seed=" n] ")"
//!       | "normal(" mean "," deviation ["," "seed=" n] ")" | "npy(" "\"file\"" ")"
//!       | nested list of numbers and addresses | list of one init for each replica
//! ```

mod list;
mod parse;

#[cfg(test)]
pub(super) use parse::INITS;
pub use parse::parse_spec;
pub(super) use parse::{element as parse_element, spec};

use super::address::Address;
use super::cursor::quote;
use super::literal::Number;
use super::shape::{bracketed, write_nested};
use serde::{Deserialize, Serialize};
use std::fmt;
use tile_dialect::Element;

/// The maximum number of replicas of a buffer.
pub const MAX_REPLICAS: u64 = 1024;

/// The value of an argument.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Spec {
    /// A buffer, for a pointer parameter.
    Buffer {
        /// The element type.
        #[serde(with = "super::element_by_name")]
        element: Element,
        /// The extents, outermost first; empty for a single element.
        shape: Vec<u64>,
        /// The distances between neighbors along each dimension, in elements; `None` for row-major.
        strides: Option<Vec<u64>>,
        /// The number of replicas, as in the memory of that many devices; `None` for one replica, which does not add a
        /// dimension.
        replicas: Option<u64>,
        /// The initial contents.
        init: Init,
    },
    /// A number, for a scalar parameter.
    Scalar(Number),
    /// The address of a buffer of the launch, for a pointer or an `i64`.
    Address(Address),
}

impl Spec {
    /// The initial contents: one for each replica if each has its own, otherwise one.
    pub(super) fn inits(&self) -> &[Init] {
        match self {
            Spec::Buffer { init: Init::Replicas(inits), .. } => inits,
            Spec::Buffer { init, .. } => std::slice::from_ref(init),
            Spec::Scalar(_) | Spec::Address(_) => &[],
        }
    }

    fn inits_mut(&mut self) -> &mut [Init] {
        match self {
            Spec::Buffer { init: Init::Replicas(inits), .. } => inits,
            Spec::Buffer { init, .. } => std::slice::from_mut(init),
            Spec::Scalar(_) | Spec::Address(_) => &mut [],
        }
    }

    /// The names of the files that the argument is read from, for modification.
    pub fn files_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.inits_mut().iter_mut().filter_map(|init| if let Init::Npy(file) = init { Some(file) } else { None })
    }

    /// The names of the files that the argument is read from.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.inits().iter().filter_map(|init| if let Init::Npy(file) = init { Some(file.as_str()) } else { None })
    }

    /// The number of replicas of a buffer, 1 by default.
    pub fn replicas(&self) -> u64 {
        if let Spec::Buffer { replicas, .. } = self { replicas.unwrap_or(1) } else { 1 }
    }

    /// The addresses in the specification.
    pub fn addresses(&self) -> impl Iterator<Item = &Address> {
        let own = if let Spec::Address(address) = self { Some(address) } else { None };
        let lists = self.inits().iter().filter_map(Init::address_list);
        own.into_iter().chain(lists.flatten().map(|(_, address)| address))
    }

    /// Sets the ranges of all addresses to 0.
    pub(super) fn forget_ranges(&mut self) {
        if let Spec::Address(address) = self {
            address.forget_range();
        }
        for init in self.inits_mut() {
            if let Init::Addresses { addresses, .. } = init {
                addresses.iter_mut().for_each(|(_, address)| address.forget_range());
            }
        }
    }
}

/// The initial contents of a buffer.
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
    /// Uniformly distributed; whole numbers for integer elements.
    Uniform {
        /// The inclusive lower bound.
        low: Number,
        /// The exclusive upper bound.
        high: Number,
        /// Selects the sequence.
        seed: u64,
    },
    /// Normally distributed, for float elements.
    Normal {
        /// The mean.
        mean: Number,
        /// The standard deviation.
        deviation: Number,
        /// Selects the sequence.
        seed: u64,
    },
    /// The contents of a `.npy` file.
    Npy(String),
    /// These numbers in row-major order.
    Values(Vec<Number>),
    /// Numbers and addresses in row-major order.
    Addresses {
        /// The numbers, with 0 in place of each address.
        values: Vec<Number>,
        /// The addresses with their positions in `values`, in ascending order.
        addresses: Vec<(usize, Address)>,
    },
    /// The contents of each replica, in order.
    Replicas(Vec<Init>),
}

impl Init {
    /// The addresses of a list with their positions.
    pub(super) fn address_list(&self) -> Option<&[(usize, Address)]> {
        if let Init::Addresses { addresses, .. } = self { Some(addresses) } else { None }
    }

    /// Writes the contents of a buffer, or of one replica, of this shape.
    fn write(&self, f: &mut fmt::Formatter<'_>, shape: &[u64]) -> fmt::Result {
        match self {
            Init::Zeros => f.write_str("zeros"),
            Init::Ones => f.write_str("ones"),
            Init::Fill(number) => write!(f, "fill({number})"),
            Init::Iota => f.write_str("iota"),
            Init::Uniform { low, high, seed } => write!(f, "uniform({low}, {high}, seed={seed})"),
            Init::Normal { mean, deviation, seed } => write!(f, "normal({mean}, {deviation}, seed={seed})"),
            Init::Npy(file) => write!(f, "npy({})", quote(file)),
            Init::Values(values) => write_nested(f, shape, values),
            Init::Addresses { values, addresses } => {
                let mut entries: Vec<String> = values.iter().map(Number::to_string).collect();
                addresses.iter().for_each(|(place, address)| entries[*place] = address.to_string());
                write_nested(f, shape, &entries)
            }
            Init::Replicas(inits) => {
                f.write_str("[")?;
                for (index, init) in inits.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    init.write(f, shape)?;
                }
                f.write_str("]")
            }
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Scalar(number) => write!(f, "{number}"),
            Spec::Address(address) => write!(f, "{address}"),
            Spec::Buffer { element, shape, strides, replicas, init } => {
                write!(f, "{element}{} ", bracketed(shape))?;
                if let Some(strides) = strides {
                    write!(f, "strides={} ", bracketed(strides))?;
                }
                if let Some(replicas) = replicas {
                    write!(f, "replicas={replicas} ")?;
                }
                init.write(f, shape)
            }
        }
    }
}

#[cfg(test)]
mod tests;
