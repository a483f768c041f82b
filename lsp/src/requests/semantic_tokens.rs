//! `textDocument/semanticTokens/full`, `…/full/delta` and `…/range`

pub(crate) mod delta;
mod encode;
mod paint;
mod parts;

use crate::shared::Shared;
use encode::Encoder;
use paint::{STATIC, paint};
use tile_analysis::ide::semantic_tokens::{Kind, modifier};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

/// The names of the kinds, in the order of their numbers.
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

/// The names of the modifiers, in the order of their bits. What is global is `static` by its kind.
const MODIFIERS: [(u8, SemanticTokenModifier); 5] = [
    (modifier::DEFINITION, SemanticTokenModifier::DECLARATION),
    (modifier::BLOCK, SemanticTokenModifier::new("block")),
    (modifier::DEPRECATED, SemanticTokenModifier::DEPRECATED),
    (modifier::READONLY, SemanticTokenModifier::READONLY),
    (STATIC, SemanticTokenModifier::STATIC),
];

/// What is announced to the client.
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

/// Everything, as text.
pub(crate) async fn full(shared: &Shared, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
    let uri = &params.text_document.uri;
    let with_plain = !shared.session().augments_colours;
    let id = shared.documents.next_edit();
    let painted =
        shared.answer(uri, move |db, file, snapshot| parts::full(db, file, &snapshot.text, id, with_plain)).await?;
    let Some((text, painted)) = painted else { return Ok(None) };
    shared.documents.with(uri.as_str(), |document| document.painted = Some(painted));
    Ok(Some(SemanticTokensResult::Tokens(shared.prepared.keep(text))))
}

/// What is different from an earlier answer; everything where that is not known any more.
pub(crate) async fn full_delta(
    shared: &Shared,
    params: SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensFullDeltaResult>> {
    let uri = &params.text_document.uri;
    let before = shared.documents.with(uri.as_str(), |document| document.painted.clone()).flatten();
    let before = before.filter(|painted| painted.has_id(&params.previous_result_id));
    let Some(before) = before else {
        let all = full(
            shared,
            SemanticTokensParams {
                text_document: params.text_document,
                work_done_progress_params: params.work_done_progress_params,
                partial_result_params: params.partial_result_params,
            },
        );
        return Ok(all.await?.map(|all| match all {
            SemanticTokensResult::Tokens(tokens) => SemanticTokensFullDeltaResult::Tokens(tokens),
            SemanticTokensResult::Partial(part) => {
                SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id: None, data: part.data })
            }
        }));
    };
    let with_plain = !shared.session().augments_colours;
    let id = shared.documents.next_edit();
    let painted = shared
        .answer(uri, move |db, file, snapshot| {
            let (json, now) = parts::full(db, file, &snapshot.text, id, with_plain);
            let change = before.change(&now);
            let data = encode::tokens_in(&json.concat(), &change.now).into_iter().map(semantic_token).collect();
            (change.edits(data), now)
        })
        .await?;
    let Some((edits, now)) = painted else { return Ok(None) };
    shared.documents.with(uri.as_str(), |document| document.painted = Some(now));
    let delta = SemanticTokensDelta { result_id: Some(id.to_string()), edits };
    Ok(Some(SemanticTokensFullDeltaResult::TokensDelta(delta)))
}

/// The words of a range.
pub(crate) async fn range(
    shared: &Shared,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>> {
    let with_plain = !shared.session().augments_colours;
    let found = shared
        .answer(&params.text_document.uri, move |db, file, snapshot| {
            let text = &snapshot.text;
            let bytes = text.offset(params.range.start)..text.offset(params.range.end);
            let from = text.position(bytes.start).line;
            let line = text.rope.line_to_byte(from as usize) as u32;
            let encoder = Encoder::from(file.text(db), text.encoding, line, from);
            let mut data = Vec::new();
            paint(db, file, bytes, with_plain, encoder, |token| data.push(semantic_token(token)));
            data
        })
        .await?;
    Ok(found.map(|data| SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data })))
}

fn semantic_token([delta_line, delta_start, length, token_type, token_modifiers_bitset]: [u32; 5]) -> SemanticToken {
    SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_the_order_of_their_numbers() {
        for (index, (kind, _)) in KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, index, "{kind:?}");
        }
        for (index, (bit, _)) in MODIFIERS.iter().enumerate() {
            assert_eq!(*bit, 1 << index);
        }
    }
}
