//! What ops promise about single elements, or must not be given: for whoever watches over elements.

use super::convert;
use super::integer_check as check;
use super::shape;
use super::view;
use crate::findings::{Fault, at_element, negative_scale};
use crate::lanes;
use crate::site::Site;
use crate::tile::Tile;
use crate::value::Value;
use tile_analysis::number::decode;
use tile_dialect::{Element, Mnemonic as M};

/// A promise about each element of an op.
pub(crate) struct Promise {
    /// The place of the operand whose elements it is about; `None` where it is about those of all operands.
    pub(crate) operand: Option<usize>,
    /// Whether nothing is undefined unless the result is used.
    pub(crate) late: bool,
    /// Which elements break it: a tile of `i1`.
    pub(crate) broken: Broken,
    /// What is wrong with one that does.
    pub(crate) fault: Described,
}

type Broken = Box<dyn Fn(&[Value]) -> Tile + Send + Sync>;
type Described = Box<dyn Fn(&[Value], usize) -> Box<Fault> + Send + Sync>;

impl Promise {
    /// A promise without which the program is undefined.
    pub(super) fn strict(
        broken: impl Fn(&[Value]) -> Tile + Send + Sync + 'static,
        fault: impl Fn(&[Value], usize) -> Box<Fault> + Send + Sync + 'static,
    ) -> Promise {
        Promise { operand: None, late: false, broken: Box::new(broken), fault: Box::new(fault) }
    }

    /// A promise without which the result is undefined.
    pub(super) fn late(
        broken: impl Fn(&[Value]) -> Tile + Send + Sync + 'static,
        fault: impl Fn(&[Value], usize) -> Box<Fault> + Send + Sync + 'static,
    ) -> Promise {
        Promise { late: true, ..Promise::strict(broken, fault) }
    }
}

/// The promises of an op.
pub(crate) fn of(site: &Site<'_>) -> Vec<Promise> {
    match site.op.op {
        M::Shli => check::shift(site).into_iter().chain(check::overflow(site)).collect(),
        M::Shri => check::shift(site).into_iter().collect(),
        M::Addi | M::Subi | M::Muli | M::Negi => check::overflow(site).into_iter().collect(),
        M::Trunci => convert::no_loss(site).into_iter().collect(),
        M::Ftoi => convert::in_range(site).into_iter().collect(),
        M::Offset => vec![shape::address(site)],
        M::MakeTensorView => view::positive_strides(site),
        M::MmafScaled => [("lhs_scale", "left"), ("rhs_scale", "right")]
            .into_iter()
            .filter_map(|(name, side)| scale(site, name, side))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether an op has promises without which only its result is undefined.
pub(crate) fn may_be_late(op: M) -> bool {
    matches!(op, M::Shli | M::Shri | M::Ftoi | M::Offset)
}

/// Scales must not be negative.
fn scale(site: &Site<'_>, name: &str, side: &'static str) -> Option<Promise> {
    let (place, scale) = (site.place(name), site.operand(name));
    let negative = |bits: u8| decode(Element::F8E4M3FN, bits.into()) < 0.0;
    let broken = move |inputs: &[Value]| lanes::map(inputs[place].tile(), negative);
    let fault = move |inputs: &[Value], index: usize| {
        let value = decode(scale.element, inputs[place].tile().bits(index));
        negative_scale::fault(value, side, &at_element(index, &scale.shape))
    };
    let is_signed = site.operand(name).element == Element::F8E4M3FN;
    is_signed.then(|| Promise { operand: Some(place), ..Promise::strict(broken, fault) })
}
