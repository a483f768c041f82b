//! Orders a memory access after the previous one by passing on its token.

use super::action::{Action, ActionKind};
use super::context::ActionContext;
use super::context::OpContext;
use crate::ir::{OpId, RegionId, Value};
use crate::types::TypeKind;
use tile_dialect::form::{Form, Piece, Punct};
use tile_dialect::{Arity, Class, Named};
use tile_syntax::Token;

pub(super) fn order(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(here) = ctx.here().filter(OpContext::is_sound) else { return };
    let Some(action) = offer(&here) else { return };
    found.push(action);
}

fn offer(here: &OpContext) -> Option<Action> {
    let row = here.row();
    let takes =
        |index: &usize| row.operands[*index].arity == Arity::Optional && row.operands[*index].class == Class::Token;
    let slot = (0..row.operands.len()).find(takes)?;
    if here.lowered.body.operand(here.op, slot).is_some() {
        return None;
    }
    let at = token_offset(here)?;
    let token = token_before(here)?;
    let (name, mut edits) = match here.used_as(token) {
        Some(name) => (name, Vec::new()),
        None => {
            let name = format!("%{}", here.fresh("token"));
            let producer = here.other(here.lowered.body.defining_op(token)?);
            // An unnamed result gets a name, unless the op has several results: one of them cannot be named alone.
            let is_plain = producer.op.results.len() == 1 && producer.statement().start == producer.name().start;
            let start = producer.statement().start;
            (name.clone(), is_plain.then(|| vec![here.edit(start..start, format!("{name} = "))])?)
        }
    };
    edits.push(here.edit(at..at, format!(" token = {name}")));
    if row.form.contains("type($token)") {
        let end = end_of_operand_types(here)?;
        edits.push(here.edit(end..end, ", token".to_string()));
    }
    Some(Action::new(format!("Order after the previous access (`token = {name}`)"), ActionKind::Rewrite, edits))
}

/// The last visible token: a result of an op before this one, or an argument of a region around it.
fn token_before(here: &OpContext) -> Option<Value> {
    let body = &here.lowered.body;
    let mut inner = here.id;
    for region in here.regions_around(here.id) {
        if let Some(token) = token_in(here, region, inner) {
            return Some(token);
        }
        let is_token = |value: &&Value| is_token(here, **value);
        if let Some(&token) = body.region(region).args.iter().rfind(is_token) {
            return Some(token);
        }
        inner = here.owner_of(region)?;
    }
    None
}

fn token_in(here: &OpContext, region: RegionId, before: OpId) -> Option<Value> {
    let ops = &here.lowered.body.region(region).ops;
    let end = ops.iter().position(|&id| id == before)?;
    let results = ops[..end].iter().rev().flat_map(|&id| here.lowered.body.results(here.lowered.body.op(id)));
    results.into_iter().find(|&value| is_token(here, value))
}

fn is_token(here: &OpContext, value: Value) -> bool {
    matches!(here.lowered.body.ty(value).kind(), TypeKind::Token)
}

/// The offset at which to insert `token = %t`: before the first piece of the text that follows it in the op's form.
/// `None` in generic form.
fn token_offset(here: &OpContext) -> Option<u32> {
    let name = here.name();
    let written = &here.text[name.start as usize..name.end as usize];
    let named = tile_dialect::lookup(written)?;
    if written.starts_with('"') || named.spelling.is_some() {
        return None;
    }
    let starts = starts_after_token(named)?;
    let tokens = &here.tree.tokens;
    let (mut depth, mut before) = (0i32, name.end);
    for token in here.tree.tokens_of(here.node) {
        let kind = tokens.kind(token);
        if tokens.start(token) >= name.end {
            if depth == 0 && starts.contains(&tokens.text(token, here.text)) {
                return Some(before);
            }
            match kind {
                Token::LeftParen | Token::LeftBracket | Token::Less => depth += 1,
                Token::RightParen | Token::RightBracket | Token::Greater => depth -= 1,
                _ => {}
            }
            before = tokens.end(token);
        }
    }
    Some(before)
}

/// The end of the types before `->`.
fn end_of_operand_types(here: &OpContext) -> Option<u32> {
    let tokens = &here.tree.tokens;
    let arrow = here.tree.tokens_of(here.node).rfind(|&token| tokens.kind(token) == Token::Arrow)?;
    Some(tokens.end(arrow - 1))
}

/// The words and punctuation that can directly follow the token.
fn starts_after_token(named: Named) -> Option<Vec<&'static str>> {
    let form: &'static Form = named.form();
    let is_token =
        |piece: &Piece| matches!(piece, Piece::Group(list) if matches!(list.first(), Some(Piece::Word("token"))));
    let at = form.pieces.iter().position(is_token)?;
    let rest = &form.pieces[at + 1..];
    let is_optional = |piece: &&Piece| {
        matches!(piece, Piece::Group(_) | Piece::Dict(_) | Piece::AnyOrder(_) | Piece::Attr { optional: true, .. })
    };
    // Everything up to and including the first required piece can come next.
    let possible = rest.iter().take_while(is_optional).count() + 1;
    Some(rest.iter().take(possible).flat_map(starts).collect())
}

fn starts(piece: &'static Piece) -> Vec<&'static str> {
    match piece {
        Piece::Word(word) => vec![word],
        Piece::Punct { mark, .. } => vec![Punct::text(*mark)],
        Piece::Group(list) => list.first().map_or(Vec::new(), starts),
        Piece::Dict(true) => vec!["attributes"],
        Piece::Dict(false) => vec!["{"],
        _ => Vec::new(),
    }
}
