//! `textDocument/semanticTokens/full`, `…/full/delta` and `…/range`

mod encode;
mod paint;
pub(crate) mod painted;

use crate::shared::Shared;
use paint::{STATIC, paint};
use painted::{Painted, difference};
use std::sync::Arc;
use tile_analysis::ide::semantic_tokens::{Kind, modifier};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

/// The token types, in the order of their numbers.
const KINDS: [(Kind, SemanticTokenType); 19] = [
    (Kind::Op, SemanticTokenType::FUNCTION),
    (Kind::Control, SemanticTokenType::KEYWORD),
    (Kind::Keyword, SemanticTokenType::KEYWORD),
    (Kind::Attribute, SemanticTokenType::PROPERTY),
    (Kind::AttributeValue, SemanticTokenType::ENUM_MEMBER),
    (Kind::Value, SemanticTokenType::VARIABLE),
    (Kind::Parameter, SemanticTokenType::PARAMETER),
    (Kind::Type, SemanticTokenType::CLASS),
    (Kind::Element, SemanticTokenType::TYPE),
    (Kind::Alias, SemanticTokenType::TYPE_PARAMETER),
    (Kind::Global, SemanticTokenType::VARIABLE),
    (Kind::Entry, SemanticTokenType::FUNCTION),
    (Kind::Module, SemanticTokenType::NAMESPACE),
    (Kind::Label, SemanticTokenType::new("label")),
    (Kind::Number, SemanticTokenType::NUMBER),
    (Kind::Text, SemanticTokenType::STRING),
    (Kind::Comment, SemanticTokenType::COMMENT),
    (Kind::Directive, SemanticTokenType::DECORATOR),
    (Kind::Function, SemanticTokenType::FUNCTION),
];

/// The token modifiers, in the order of their bits. Globals and entries are `static`.
const MODIFIERS: [(u8, SemanticTokenModifier); 5] = [
    (modifier::DEFINITION, SemanticTokenModifier::DECLARATION),
    (modifier::BLOCK, SemanticTokenModifier::new("block")),
    (modifier::DEPRECATED, SemanticTokenModifier::DEPRECATED),
    (modifier::READONLY, SemanticTokenModifier::READONLY),
    (STATIC, SemanticTokenModifier::STATIC),
];

/// The capability announced to the client.
pub(crate) fn options() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: KINDS.iter().map(|(_, name)| name.clone()).collect(),
            token_modifiers: MODIFIERS.iter().map(|(_, name)| name.clone()).collect(),
        },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    }
}

pub(crate) async fn full(shared: &Shared, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
    let Some(now) = paint_file(shared, &params.text_document.uri).await? else { return Ok(None) };
    Ok(Some(SemanticTokensResult::Tokens(prepared(shared, &now))))
}

/// The difference from an earlier result, or all tokens if that result is no longer stored.
pub(crate) async fn full_delta(
    shared: &Shared,
    params: SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensFullDeltaResult>> {
    let uri = &params.text_document.uri;
    let before = shared.documents.with(uri.as_str(), |document| document.painted.clone()).flatten();
    let Some(now) = paint_file(shared, uri).await? else { return Ok(None) };
    let Some(before) = before.filter(|painted| painted.id == params.previous_result_id) else {
        return Ok(Some(SemanticTokensFullDeltaResult::Tokens(prepared(shared, &now))));
    };
    let edits = difference(&before.tokens, &now.tokens).into_iter().collect();
    let delta = SemanticTokensDelta { result_id: Some(now.id), edits };
    Ok(Some(SemanticTokensFullDeltaResult::TokensDelta(delta)))
}

/// The tokens of a range.
pub(crate) async fn range(
    shared: &Shared,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>> {
    let with_plain = !shared.session().augments_colors;
    let found = shared
        .answer(&params.text_document.uri, move |db, file, snapshot| {
            let text = &snapshot.text;
            let bytes = text.offset(params.range.start)..text.offset(params.range.end);
            paint(db, file, text, bytes, with_plain)
        })
        .await?;
    Ok(found.map(|data| SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data })))
}

/// An answer with the tokens of a whole file.
fn prepared(shared: &Shared, painted: &Painted) -> SemanticTokens {
    shared.prepared.keep_text(painted.json(), |mark| SemanticTokens { result_id: Some(mark), data: Vec::new() })
}

/// The tokens of a whole file, which are stored for the next difference.
async fn paint_file(shared: &Shared, uri: &Uri) -> Result<Option<Painted>> {
    let with_plain = !shared.session().augments_colors;
    let id = shared.documents.next_edit().to_string();
    let tokens = shared.answer(uri, move |db, file, snapshot| {
        let all = 0..snapshot.text.rope.len_bytes() as u32;
        paint(db, file, &snapshot.text, all, with_plain)
    });
    let Some(tokens) = tokens.await? else { return Ok(None) };
    let painted = Painted { id, tokens: Arc::new(tokens) };
    shared.documents.with(uri.as_str(), |document| document.painted = Some(painted.clone()));
    Ok(Some(painted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        for (index, (kind, _)) in KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, index, "{kind:?}");
        }
        for (index, (bit, _)) in MODIFIERS.iter().enumerate() {
            assert_eq!(*bit, 1 << index);
        }
    }
}
