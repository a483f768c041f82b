//! Multicast memory: the engine is one device, and nothing of it stands for memory of another.

use super::Chapter;
use crate::cpu::kernel::{Kernel, Outcome};
use crate::cpu::site::Site;
use crate::findings::not_supported;
use tile_dialect::Mnemonic as M;

pub(super) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::MultimemLoadReduceViewTko, other_devices),
        (M::MultimemReduceViewTko, other_devices),
        (M::MultimemStoreViewTko, other_devices),
    ],
    elementwise: false,
};

/// Says that the op needs several devices.
fn other_devices(site: &Site<'_>) -> Outcome<Kernel> {
    Err(not_supported::op(site.op.op).note("multicast memory belongs to several devices, and the CPU engine is one"))
}
