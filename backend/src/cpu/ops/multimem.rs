//! Multicast memory with one replica: that of the device which the engine stands for.

use super::{Chapter, atomic, tile_view};
use crate::cpu::kernel::{Kernel, Outcome};
use crate::cpu::site::Site;
use tile_dialect::{Element, MULTIMEM_REDUCTION, Mnemonic as M, RMW_MODE};

pub(super) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::MultimemLoadReduceViewTko, tile_view::load),
        (M::MultimemReduceViewTko, reduce),
        (M::MultimemStoreViewTko, tile_view::store),
    ],
    elementwise: false,
};

fn reduce(site: &Site<'_>) -> Outcome<Kernel> {
    let mode = mode(site.operand("tile").element, site.choice("reduction"));
    atomic::reduce_through_view(site, "tile", mode)
}

/// The mode of an atomic op that combines as a reduction of multicast memory does.
fn mode(element: Element, reduction: u8) -> u8 {
    let name = match MULTIMEM_REDUCTION.keyword(reduction) {
        "add" if element.is_float() => "addf",
        name => name,
    };
    RMW_MODE.value(name).unwrap_or_else(|| unreachable!("an atomic mode `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reduction_is_an_atomic_mode() {
        for reduction in 0..MULTIMEM_REDUCTION.values.len() as u8 {
            let name = MULTIMEM_REDUCTION.keyword(reduction);
            assert_eq!(RMW_MODE.keyword(mode(Element::I32, reduction)), name);
        }
        assert_eq!(RMW_MODE.keyword(mode(Element::F32, 0)), "addf");
    }
}
