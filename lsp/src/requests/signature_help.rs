//! `textDocument/signatureHelp`

use crate::shared::Shared;
use tile_analysis::ide::signature::{self, Signature};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureHelpOptions, SignatureHelpParams, SignatureInformation, WorkDoneProgressOptions,
};

/// Characters after a name, and those that begin the next part.
const TRIGGERS: [&str; 7] = [" ", ",", ":", "(", "[", "<", "%"];

/// The capability announced to the client.
pub(crate) fn options() -> SignatureHelpOptions {
    SignatureHelpOptions {
        trigger_characters: Some(TRIGGERS.map(str::to_string).to_vec()),
        retrigger_characters: Some([">", "]", ")"].map(str::to_string).to_vec()),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    }
}

pub(crate) async fn handle(shared: &Shared, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
    let place = params.text_document_position_params;
    let session = shared.session();
    let found = shared
        .answer_while_typing(&place.text_document.uri, move |db, file, snapshot| {
            let found = signature::signature(db, file, snapshot.text.offset(place.position))?;
            Some(convert(found, session.label_offsets))
        })
        .await?;
    Ok(found.flatten())
}

fn convert(found: Signature, offsets: bool) -> SignatureHelp {
    let text = |value: String| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    let label = found.label;
    let parts = found.parts.into_iter().map(|part| ParameterInformation {
        label: if offsets {
            ParameterLabel::LabelOffsets([units(&label[..part.range.start]), units(&label[..part.range.end])])
        } else {
            ParameterLabel::Simple(label[part.range].to_string())
        },
        documentation: Some(text(part.doc)),
    });
    let active = found.active.map(|active| active as u32);
    SignatureHelp {
        active_signature: Some(0),
        active_parameter: active,
        signatures: vec![SignatureInformation {
            parameters: Some(parts.collect()),
            documentation: Some(text(found.doc)),
            active_parameter: active,
            label,
        }],
    }
}

/// Offsets in a label count UTF-16 code units, independent of the encoding of columns.
fn units(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}
