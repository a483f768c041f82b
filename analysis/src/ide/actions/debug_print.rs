//! Inserts a print of a value after its definition.

use super::action::{Action, ActionKind};
use super::context::ActionContext;
use super::context::OpContext;
use crate::ir::{Def, OpId, RegionId};
use tile_dialect::{Element, Group, Mnemonic};

pub(super) fn print(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some((cursor, lowered, value)) = ctx.value() else { return };
    let row = Mnemonic::PrintTko.row();
    let version = ctx.file.options(ctx.db).version;
    let is_known = row.spellings.iter().all(|spelling| spelling.until.is_none_or(|until| until <= version));
    let Some(element) = lowered.body.ty(value).as_tile().and_then(|tile| tile.number()) else { return };
    let Some(specifier) = specifier(element).filter(|_| is_known) else { return };
    let body = &lowered.body;
    // Only the tree and the text of `here` are used, so any op of the item will do.
    let Some(node) = cursor.node(tile_syntax::NodeKind::Op) else { return };
    let Some(first) = body.ops.first() else { return };
    let here =
        OpContext { base: cursor.base, text: cursor.text, tree: cursor.tree, lowered, node, id: OpId(0), op: first };
    let Some(name) = here.used_as(value) else { return };
    let shown = name.replace('%', "%%");
    let statement = format!("{} \"{shown} = {specifier}\\n\", {name} : {} -> token", row.name, body.ty(value));
    let edit = match body.def(value) {
        Some(Def::Result(op, _)) if can_print(&here, here.region_of(op)) => {
            here.insert_after(&here.other(op).statement(), &statement)
        }
        Some(Def::Argument(region, _)) if can_print(&here, Some(region)) => {
            let Some(&first) = body.region(region).ops.first() else { return };
            let statement_of = here.other(first).statement();
            // The statement of an implicit terminator starts at the closing brace.
            here.insert_before(&statement_of, &statement)
        }
        _ => return,
    };
    found.push(Action::new(format!("Print `{name}` (`{}`)", row.name), ActionKind::Rewrite, vec![edit]));
}

/// Reports whether a region allows ops with side effects. The bodies of `reduce` and `scan` do not.
fn can_print(here: &OpContext, region: Option<RegionId>) -> bool {
    let mut region = region;
    while let Some(owner) = region.and_then(|region| here.owner_of(region)) {
        if here.lowered.body.op(owner).op.row().group == Group::Core {
            return false;
        }
        region = here.region_of(owner);
    }
    true
}

/// The format specifier for an element type; `None` if the op cannot print it.
fn specifier(element: Element) -> Option<&'static str> {
    match element {
        Element::I64 => Some("%lld"),
        Element::I1 | Element::I8 | Element::I16 | Element::I32 => Some("%d"),
        Element::F16 | Element::BF16 | Element::F32 | Element::F64 => Some("%f"),
        _ => None,
    }
}
