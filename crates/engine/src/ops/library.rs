//! Calls of functions of tile libraries, which are compiled separately.

use crate::findings::not_supported;
use crate::ops::chapter::Chapter;
use crate::ops::context::OpContext;
use crate::ops::kernel::{Kernel, OpResult};
use tile_analysis::ir::Attr;
use tile_dialect::AttrName;
use tile_dialect::Mnemonic as M;

pub(crate) static CHAPTER: Chapter = Chapter { ops: &[(M::PreviewCall, call)], elementwise: false };

fn call(cx: &OpContext<'_>) -> OpResult<Kernel> {
    match cx.attr(AttrName::Callee) {
        Attr::Symbol(callee) => Err(not_supported::library(callee)),
        _ => Err(not_supported::op(cx.op.op)),
    }
}
