//! What the client said about itself when it connected.

use crate::text::Encoding;
use serde_json::Value;
use tower_lsp::ls_types::{ClientCapabilities, InitializeParams, MarkupKind};

/// What holds for the whole session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Session {
    /// How columns are counted.
    pub(crate) encoding: Encoding,
    /// Whether the user trusts the files: if not, nothing is run.
    pub(crate) trusted: bool,
    /// Whether hovers may be Markdown.
    pub(crate) markdown: bool,
    /// Whether a definition may say which word it belongs to.
    pub(crate) links: bool,
    /// Whether symbols may be nested.
    pub(crate) nested_symbols: bool,
    /// Whether diagnostics may point at other places.
    pub(crate) related: bool,
    /// Whether the client can be told to ask for inlay hints again.
    pub(crate) refresh_hints: bool,
    /// Whether completions may be snippets.
    pub(crate) snippets: bool,
    /// Whether the client can be told to show a file.
    pub(crate) shows_documents: bool,
}

impl Session {
    /// Reads the parameters of `initialize`.
    pub(crate) fn new(params: &InitializeParams) -> Session {
        let client = &params.capabilities;
        Session {
            encoding: encoding(client),
            trusted: trusted(params.initialization_options.as_ref()),
            markdown: markdown(client).unwrap_or(true),
            links: links(client).unwrap_or(false),
            nested_symbols: nested_symbols(client).unwrap_or(false),
            related: related(client).unwrap_or(false),
            refresh_hints: refresh_hints(client).unwrap_or(false),
            snippets: snippets(client).unwrap_or(false),
            shows_documents: shows_documents(client).unwrap_or(false),
        }
    }
}

/// The first of the client's encodings that is known; UTF-16 where it names none.
fn encoding(client: &ClientCapabilities) -> Encoding {
    let offered = client.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    offered.into_iter().flatten().find_map(Encoding::from_kind).unwrap_or(Encoding::Utf16)
}

/// Editors without a notion of trust say nothing; there the user asks for every run.
fn trusted(options: Option<&Value>) -> bool {
    options.and_then(|options| options.get("trusted")) != Some(&Value::Bool(false))
}

fn markdown(client: &ClientCapabilities) -> Option<bool> {
    let formats = client.text_document.as_ref()?.hover.as_ref()?.content_format.as_ref()?;
    Some(formats.contains(&MarkupKind::Markdown))
}

fn links(client: &ClientCapabilities) -> Option<bool> {
    client.text_document.as_ref()?.definition.as_ref()?.link_support
}

fn nested_symbols(client: &ClientCapabilities) -> Option<bool> {
    client.text_document.as_ref()?.document_symbol.as_ref()?.hierarchical_document_symbol_support
}

fn related(client: &ClientCapabilities) -> Option<bool> {
    client.text_document.as_ref()?.publish_diagnostics.as_ref()?.related_information
}

fn refresh_hints(client: &ClientCapabilities) -> Option<bool> {
    client.workspace.as_ref()?.inlay_hint.as_ref()?.refresh_support
}

fn snippets(client: &ClientCapabilities) -> Option<bool> {
    client.text_document.as_ref()?.completion.as_ref()?.completion_item.as_ref()?.snippet_support
}

fn shows_documents(client: &ClientCapabilities) -> Option<bool> {
    Some(client.window.as_ref()?.show_document.as_ref()?.support)
}
