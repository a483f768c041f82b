//! The client's capabilities and options, as stated in `initialize`.

use crate::commands::{DEBUG, VIEW};
use crate::text::Encoding;
use serde_json::Value;
use tower_lsp::ls_types::{
    ClientCapabilities, DiagnosticTag, InitializeParams, MarkupKind, WorkspaceClientCapabilities,
};

/// Facts about the client that stay the same for the whole session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Session {
    /// The unit of columns.
    pub(crate) encoding: Encoding,
    /// Whether the user trusts the workspace. If not, nothing is run.
    pub(crate) trusted: bool,
    /// Whether hovers can contain Markdown.
    pub(crate) markdown: bool,
    /// Whether definitions can name the range of their origin.
    pub(crate) links: bool,
    /// Whether symbols can be nested.
    pub(crate) nested_symbols: bool,
    /// What diagnostics can contain.
    pub(crate) diagnostics: DiagnosticParts,
    /// Whether the client pulls diagnostics. Pulled diagnostics are not published as well.
    pub(crate) pulls: bool,
    /// Requests that the client can be asked to send again.
    pub(crate) refresh: Refresh,
    /// Whether the client merges semantic tokens with the colors of a grammar.
    pub(crate) augments_colors: bool,
    /// Whether edits can name the version of the text that they are for.
    pub(crate) versioned_edits: bool,
    /// Whether the edit of a code action can be resolved later.
    pub(crate) lazy_edits: bool,
    /// Whether the tooltip of an inlay hint can be resolved later.
    pub(crate) lazy_tooltips: bool,
    /// Whether the parameters of a signature can be given as offsets in its label.
    pub(crate) label_offsets: bool,
    /// Whether the server can request the settings.
    pub(crate) configuration: bool,
    /// Whether the server can register for changes of the settings.
    pub(crate) registers_configuration: bool,
    /// Whether the server can register for changes of files.
    pub(crate) registers_watching: bool,
    /// Whether the client shows progress reports.
    pub(crate) progress: bool,
    /// Whether completions can be snippets.
    pub(crate) snippets: bool,
    /// Whether completions can have details next to their label.
    pub(crate) label_details: bool,
    /// Whether the client can be asked to show a file.
    pub(crate) shows_documents: bool,
    /// Whether the client can be asked to edit a document.
    pub(crate) applies_edits: bool,
    /// Whether the client can show edits to the user before it applies them.
    pub(crate) previews_edits: bool,
    /// Whether the client has a command that debugs a launch.
    pub(crate) debugs: bool,
    /// Whether the client has a command that shows elements.
    pub(crate) views: bool,
}

/// The supported parts of diagnostics.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DiagnosticParts {
    /// Related locations.
    pub(crate) related: bool,
    /// The tag for unnecessary code.
    pub(crate) unnecessary: bool,
    /// The tag for deprecated code.
    pub(crate) deprecated: bool,
    /// The URI of a code's page.
    pub(crate) description: bool,
    /// Data that is sent back with requests for code actions.
    pub(crate) data: bool,
}

/// Requests that a client can be asked to send again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Refresh {
    /// Inlay hints.
    pub(crate) hints: bool,
    /// Semantic tokens.
    pub(crate) tokens: bool,
    /// Diagnostics.
    pub(crate) diagnostics: bool,
    /// Code lenses.
    pub(crate) lenses: bool,
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
            diagnostics: diagnostics(client),
            pulls: pulls(client).unwrap_or(false),
            refresh: refresh(client).unwrap_or_default(),
            augments_colors: augments_colors(client).unwrap_or(false),
            versioned_edits: versioned_edits(client).unwrap_or(false),
            lazy_edits: lazy_edits(client).unwrap_or(false),
            lazy_tooltips: lazy_tooltips(client).unwrap_or(false),
            label_offsets: label_offsets(client).unwrap_or(false),
            configuration: workspace(client, |workspace| workspace.configuration),
            registers_configuration: workspace(client, |it| it.did_change_configuration?.dynamic_registration),
            registers_watching: workspace(client, |it| it.did_change_watched_files?.dynamic_registration),
            progress: client.window.as_ref().and_then(|window| window.work_done_progress).unwrap_or(false),
            snippets: snippets(client).unwrap_or(false),
            label_details: label_details(client).unwrap_or(false),
            shows_documents: shows_documents(client).unwrap_or(false),
            applies_edits: workspace(client, |workspace| workspace.apply_edit),
            previews_edits: previews_edits(client).unwrap_or(false),
            debugs: has_command(params.initialization_options.as_ref(), DEBUG),
            views: has_command(params.initialization_options.as_ref(), VIEW),
        }
    }
}

/// The first of the client's encodings that is known; defaults to UTF-16.
fn encoding(client: &ClientCapabilities) -> Encoding {
    let offered = client.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    offered.into_iter().flatten().find_map(Encoding::from_kind).unwrap_or(Encoding::Utf16)
}

/// Editors without workspace trust do not send the option; in those, the user starts every run.
fn trusted(options: Option<&Value>) -> bool {
    options.and_then(|options| options.get("trusted")) != Some(&Value::Bool(false))
}

/// Whether the client implements this command: it lists its commands in the initialization option `commands`.
fn has_command(options: Option<&Value>, command: &str) -> bool {
    let own = options.and_then(|options| options.get("commands")?.as_array());
    own.is_some_and(|own| own.iter().any(|name| name == command))
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

/// Merges the capabilities for published and for pulled diagnostics.
fn diagnostics(client: &ClientCapabilities) -> DiagnosticParts {
    let Some(text_document) = &client.text_document else { return DiagnosticParts::default() };
    let (reported, pulled) = (text_document.publish_diagnostics.as_ref(), text_document.diagnostic.as_ref());
    // The tags of pulled diagnostics are private in `ls_types`, but can be read as JSON.
    let tags = [
        reported.and_then(|it| serde_json::to_value(it.tag_support.as_ref()?).ok()),
        pulled.and_then(|it| serde_json::to_value(it.tag_support.as_ref()?).ok()),
    ];
    let has_tag = |tag: DiagnosticTag| {
        let tag = serde_json::to_value(tag).unwrap_or_default();
        tags.iter().flatten().any(|tags| tags["valueSet"].as_array().is_some_and(|set| set.contains(&tag)))
    };
    let either = |reported: Option<bool>, pulled: Option<bool>| reported == Some(true) || pulled == Some(true);
    DiagnosticParts {
        related: either(reported.and_then(|it| it.related_information), pulled.and_then(|it| it.related_information)),
        unnecessary: has_tag(DiagnosticTag::UNNECESSARY),
        deprecated: has_tag(DiagnosticTag::DEPRECATED),
        description: either(
            reported.and_then(|it| it.code_description_support),
            pulled.and_then(|it| it.code_description_support),
        ),
        data: either(reported.and_then(|it| it.data_support), pulled.and_then(|it| it.data_support)),
    }
}

fn pulls(client: &ClientCapabilities) -> Option<bool> {
    Some(client.text_document.as_ref()?.diagnostic.is_some())
}

fn refresh(client: &ClientCapabilities) -> Option<Refresh> {
    let workspace = client.workspace.as_ref()?;
    Some(Refresh {
        hints: workspace.inlay_hint.as_ref().and_then(|it| it.refresh_support).unwrap_or(false),
        tokens: workspace.semantic_tokens.as_ref().and_then(|it| it.refresh_support).unwrap_or(false),
        diagnostics: workspace.diagnostics.as_ref().and_then(|it| it.refresh_support).unwrap_or(false),
        lenses: workspace.code_lens.as_ref().and_then(|it| it.refresh_support).unwrap_or(false),
    })
}

fn augments_colors(client: &ClientCapabilities) -> Option<bool> {
    client.text_document.as_ref()?.semantic_tokens.as_ref()?.augments_syntax_tokens
}

fn previews_edits(client: &ClientCapabilities) -> Option<bool> {
    let edits = client.workspace.as_ref()?.workspace_edit.as_ref()?;
    Some(edits.document_changes? && edits.change_annotation_support.is_some())
}

fn versioned_edits(client: &ClientCapabilities) -> Option<bool> {
    client.workspace.as_ref()?.workspace_edit.as_ref()?.document_changes
}

fn lazy_edits(client: &ClientCapabilities) -> Option<bool> {
    let actions = client.text_document.as_ref()?.code_action.as_ref()?;
    let resolves = &actions.resolve_support.as_ref()?.properties;
    Some(actions.data_support == Some(true) && resolves.iter().any(|property| property == "edit"))
}

fn lazy_tooltips(client: &ClientCapabilities) -> Option<bool> {
    let resolves = client.text_document.as_ref()?.inlay_hint.as_ref()?.resolve_support.as_ref()?;
    Some(resolves.properties.iter().any(|property| property == "tooltip"))
}

fn label_offsets(client: &ClientCapabilities) -> Option<bool> {
    let signatures = client.text_document.as_ref()?.signature_help.as_ref()?;
    signatures.signature_information.as_ref()?.parameter_information.as_ref()?.label_offset_support
}

fn workspace(client: &ClientCapabilities, flag: impl Fn(&WorkspaceClientCapabilities) -> Option<bool>) -> bool {
    client.workspace.as_ref().and_then(flag).unwrap_or(false)
}

fn snippets(client: &ClientCapabilities) -> Option<bool> {
    client.text_document.as_ref()?.completion.as_ref()?.completion_item.as_ref()?.snippet_support
}

fn label_details(client: &ClientCapabilities) -> Option<bool> {
    client.text_document.as_ref()?.completion.as_ref()?.completion_item.as_ref()?.label_details_support
}

fn shows_documents(client: &ClientCapabilities) -> Option<bool> {
    Some(client.window.as_ref()?.show_document.as_ref()?.support)
}
