//! Converts an op between generic and custom form.

use super::action::{Action, ActionKind};
use super::context::ActionContext;
use super::context::OpContext;
use crate::ir::Op;
use crate::lower::optional_operands::omits_operand;
use crate::print::{Names, OneOp, Style};
use tile_syntax::{NodeKind, Token};

pub(super) fn convert(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(here) = ctx.here().filter(|here| ctx.is_on_op_name() && can_rewrite(here)) else { return };
    let name = here.name();
    let is_generic = here.text[name.start as usize..].starts_with('"');
    let style = if is_generic { Style::Custom } else { Style::Generic };
    let (body, names) = (&here.lowered.body, Names::written(here.text, &here.lowered.spans));
    let depth = here.indent(name.start).len() / 2;
    let op = OneOp { body, names: &names, op: here.id, depth };
    let Some(written) = op.written(style, ctx.file.options(ctx.db).version) else { return };
    let title = if is_generic { "Convert to custom form" } else { "Convert to generic form" };
    let end = here.statement().end;
    found.push(Action::new(title, ActionKind::Rewrite, vec![here.edit(name.start..end, written)]));
}

/// Reports whether printing the op from the IR loses nothing.
fn can_rewrite(here: &OpContext) -> bool {
    let (tree, body) = (here.tree, &here.lowered.body);
    let inside: Vec<_> = tree.descendants(here.node).collect();
    // Locations and attribute aliases are not part of the IR.
    let has_text_only_parts = inside.iter().any(|&node| {
        let is_location = tree.kind(node) == NodeKind::Location;
        let is_alias =
            tree.tokens_of(node).len() == 1 && tree.tokens.kind(tree.tokens_of(node).start) == Token::AttrName;
        is_location || is_alias && tree.kind(node) != NodeKind::Operand
    });
    let statement = here.statement();
    let op = body.op(here.id);
    let all = body.ops.iter().zip(&here.lowered.spans.statements);
    let nested: Vec<&Op> = all
        .filter(|(_, range)| statement.start < range.start && range.end <= statement.end)
        .map(|(op, _)| op)
        .collect();
    let all_named = nested.iter().flat_map(|op| body.results(op)).all(|value| here.name_of(value).is_some());
    let has_omitted_operand = nested.iter().chain([&op]).any(|op| omits_operand(body, op));
    let has_types = body.operands(op).iter().copied().chain(body.results(op)).all(|value| !body.ty(value).is_unknown());
    has_types && here.is_sound() && !here.has_comment() && !has_text_only_parts && !has_omitted_operand && all_named
}
