//! Answers requests.

use crate::document::Document;
use crate::request::Request;
use crate::run::LastRun;
use crate::{check, complete, decode, explain, hover, navigate, pages, paint, run};
use serde::Serialize;
use serde_json::{Value, json};

/// A program in an editor, and the results of its last run.
pub struct Playground {
    pub(crate) document: Document,
    /// The files that launches read.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    pub(crate) last_run: Option<LastRun>,
}

impl Default for Playground {
    fn default() -> Playground {
        Playground::new()
    }
}

impl Playground {
    /// A playground with an empty text.
    pub fn new() -> Playground {
        Playground { document: Document::new(), files: Vec::new(), last_run: None }
    }

    /// Answers a request. Both are JSON; the answer is `{"ok": …}` or `{"error": "…"}`. `events` receives what a run
    /// reports meanwhile, also as JSON.
    pub fn answer(&mut self, request: &str, events: &(dyn Fn(&str) + Sync)) -> String {
        let request = serde_json::from_str(request).map_err(|error| format!("not a request: {error}"));
        let answer = match request.and_then(|request| self.handle(request, events)) {
            Ok(value) => json!({ "ok": value }),
            Err(message) => json!({ "error": message }),
        };
        answer.to_string()
    }

    fn handle(&mut self, request: Request, events: &(dyn Fn(&str) + Sync)) -> Result<Value, String> {
        let document = &mut self.document;
        match request {
            Request::Open { text } => {
                document.open(&text);
                (self.files, self.last_run) = (Vec::new(), None);
                Ok(Value::Null)
            }
            Request::Edit { changes } => document.edit(&changes).map(|()| Value::Null),
            Request::Diagnostics => value(check::diagnostics(document)),
            Request::FixAll => value(check::fix_all(document)),
            Request::Refactorings { range } => value(check::refactorings(document, range)),
            Request::Hover { at } => value(hover::hover(document, self.last_run.as_ref(), at)),
            Request::Completions { at } => value(complete::completions(document, at)),
            Request::Documentation { op, topic } => value(complete::documentation(op.as_deref(), topic.as_deref())),
            Request::Explain { code } => value(explain::page(&code)),
            Request::Tokens { range } => value(paint::tokens(document, range)),
            Request::Inlays { range } => value(paint::inlays(document, range)),
            Request::Format => value(tile_fmt::format(document.text(), &tile_fmt::Options::default())),
            Request::Definition { at } => value(navigate::definition(document, at)),
            Request::Launches => value(navigate::launches(document)),
            Request::AddFile { name, bytes } => {
                self.files.retain(|(known, _)| *known != name);
                self.files.push((name, bytes));
                Ok(Value::Null)
            }
            Request::Run { entry, launch, sanitize } => {
                value(run::run(document, &self.files, &entry, launch, sanitize, events)?)
            }
            Request::Record { entry, launch } => value(run::record(document, &self.files, &entry, launch)?),
            Request::RestoreRun { run } => {
                self.last_run = Some(LastRun::restored(&run)?);
                Ok(Value::Null)
            }
            Request::Graph { at } => value(pages::graph(document, at)?),
            Request::Accesses { at } => value(pages::accesses(document, at)?),
            Request::View { at } => value(pages::view(document, &self.files, at)?),
            Request::Decode { bytes } => value(decode::decode(&bytes)?),
        }
    }
}

/// Plain data as JSON.
fn value(data: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(data).map_err(|error| error.to_string())
}
