//! Calls of functions that are compiled elsewhere.

use super::Chapter;
use crate::findings::not_supported;
use crate::kernel::{Kernel, Outcome};
use crate::site::Site;
use tile_analysis::ir::Attr;
use tile_dialect::Mnemonic as M;

pub(super) static CHAPTER: Chapter = Chapter { ops: &[(M::PreviewCall, call)], elementwise: false };

fn call(site: &Site<'_>) -> Outcome<Kernel> {
    match site.attr("callee") {
        Attr::Symbol(callee) => Err(not_supported::library(callee)),
        _ => Err(not_supported::op(site.op.op)),
    }
}
