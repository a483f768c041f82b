//! Conversion of diagnostics to those of the protocol.

use crate::documents::Snapshot;
use crate::explain;
use crate::session::Session;
use serde_json::{Value, json};
use tile_analysis::diagnostic::{self, Fix, Page, Severity, Tag};
use tile_analysis::ide::capitalized;
use tower_lsp::ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, TextEdit,
};

/// Converts a diagnostic.
pub(crate) fn convert(found: diagnostic::Diagnostic, snapshot: &Snapshot, session: &Session) -> Diagnostic {
    let text = &snapshot.text;
    let data = data(&found, snapshot, session);
    let labels = found.labels.into_iter().filter(|label| session.diagnostics.related && !label.message.is_empty());
    let related: Vec<DiagnosticRelatedInformation> = labels
        .map(|label| DiagnosticRelatedInformation {
            location: Location::new(snapshot.uri.clone(), text.range(&label.range)),
            message: label.message,
        })
        .collect();
    let mut message = found.message;
    for line in [&found.label].into_iter().chain(&found.notes).filter(|line| !line.is_empty()) {
        message.push('\n');
        message.push_str(line);
    }
    Diagnostic {
        range: text.range(&found.range),
        severity: Some(severity(found.severity)),
        code: Some(NumberOrString::String(found.page.code.to_string())),
        code_description: description(found.page, session),
        tags: found.tag.and_then(|tag| tags(tag, session)),
        data,
        source: Some("tile".to_string()),
        message,
        related_information: (!related.is_empty()).then_some(related),
    }
}

/// The location of the page for a code.
fn description(page: &'static Page, session: &Session) -> Option<CodeDescription> {
    let href = session.diagnostics.description.then(|| explain::page(page))??;
    Some(CodeDescription { href })
}

fn tags(tag: Tag, session: &Session) -> Option<Vec<DiagnosticTag>> {
    match tag {
        Tag::Unnecessary => session.diagnostics.unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY]),
        Tag::Deprecated => session.diagnostics.deprecated.then(|| vec![DiagnosticTag::DEPRECATED]),
    }
}

/// The fixes, for clients that read them from diagnostics instead of asking for code actions.
fn data(found: &diagnostic::Diagnostic, snapshot: &Snapshot, session: &Session) -> Option<Value> {
    if !session.diagnostics.data || found.fixes.is_empty() {
        return None;
    }
    let fixes = found.fixes.iter().map(|fix| {
        let edits = fix.edits.iter().map(|edit| TextEdit::new(snapshot.text.range(&edit.range), edit.content.clone()));
        json!({ "title": title(fix), "edits": edits.collect::<Vec<_>>() })
    });
    Some(json!({ "version": snapshot.version, "fixes": fixes.collect::<Vec<_>>() }))
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}

/// A fix's title, capitalized.
pub(crate) fn title(fix: &Fix) -> String {
    capitalized(&fix.title)
}
