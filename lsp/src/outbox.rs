//! Unsolicited messages to the client, sent in the order in which they were queued.

use crate::prepared::Prepared;
use crate::written::json_of;
use serde::Serialize;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use tower_lsp::Client;
use tower_lsp::ls_types::notification::{self, Notification};
use tower_lsp::ls_types::{Diagnostic, MessageType, ProgressParams, ShowDocumentParams, Uri, WorkspaceEdit};

/// The queue. Adding a message never waits.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    queue: mpsc::UnboundedSender<Message>,
}

/// A message to the client.
#[derive(Debug)]
pub(crate) enum Message {
    /// All diagnostics of a document.
    Diagnostics(Published),
    /// Output of a kernel.
    Output(Output),
    /// A message for the user.
    ShowUser(MessageType, String),
    /// An entry for the log.
    Log(MessageType, String),
    /// Progress of a task.
    Progress(ProgressParams),
    /// Asks the client to request inlay hints again.
    RefreshHints,
    /// A file to open in the editor.
    ShowDocument(Uri),
    /// An edit that the user asked for.
    ApplyEdit(WorkspaceEdit),
    /// Signals that all earlier messages have been sent.
    Reached(oneshot::Sender<()>),
    /// Asks the client to request semantic tokens again.
    RefreshTokens,
    /// Asks the client to pull diagnostics again.
    RefreshDiagnostics,
    /// Asks the client to request code lenses again.
    RefreshLenses,
}

/// All diagnostics of a document.
#[derive(Debug)]
pub(crate) struct Published {
    /// The document.
    pub(crate) uri: Uri,
    /// The version of its text, if it is open.
    pub(crate) version: Option<i32>,
    /// The diagnostics of its last check, as JSON separated by commas.
    pub(crate) checked: Arc<Vec<u8>>,
    /// The diagnostics of its runs.
    pub(crate) of_runs: Vec<Diagnostic>,
}

impl Published {
    /// No diagnostics, for a document that is closed.
    pub(crate) fn none(uri: Uri) -> Published {
        Published { uri, version: None, checked: Arc::default(), of_runs: Vec::new() }
    }

    /// The parameters of `textDocument/publishDiagnostics`.
    fn json(&self) -> Vec<u8> {
        let mut json = Vec::with_capacity(self.checked.len() + 200);
        json.extend_from_slice(br#"{"uri":"#);
        json.extend(json_of(&self.uri));
        json.extend_from_slice(br#","diagnostics":["#);
        json.extend_from_slice(&self.checked);
        for (index, found) in self.of_runs.iter().enumerate() {
            if index > 0 || !self.checked.is_empty() {
                json.push(b',');
            }
            json.extend(json_of(found));
        }
        json.push(b']');
        if let Some(version) = &self.version {
            json.extend_from_slice(br#","version":"#);
            json.extend(json_of(version));
        }
        json.push(b'}');
        json
    }
}

/// The notification `textDocument/publishDiagnostics` with a placeholder for its parameters.
enum PublishDiagnostics {}

impl Notification for PublishDiagnostics {
    type Params = String;
    const METHOD: &'static str = "textDocument/publishDiagnostics";
}

/// Output of a kernel, or messages about its run.
#[derive(Serialize, serde::Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    /// The document.
    pub(crate) uri: String,
    /// The entry that runs.
    pub(crate) entry: String,
    /// The launch's name, if it has one.
    pub(crate) launch: Option<String>,
    /// `stdout` for the kernel's output, `stderr` for errors.
    pub(crate) stream: Stream,
    /// The text, a part of the stream.
    pub(crate) text: String,
}

/// The stream of a text.
#[derive(Serialize, serde::Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stream {
    /// The kernel's output.
    Stdout,
    /// Errors.
    Stderr,
}

/// The notification `tile/runOutput`.
enum RunOutput {}

impl Notification for RunOutput {
    type Params = Output;
    const METHOD: &'static str = "tile/runOutput";
}

impl Outbox {
    /// Starts the task that empties the queue.
    pub(crate) fn start(client: Client, prepared: Prepared) -> Outbox {
        let (queue, messages) = mpsc::unbounded_channel();
        tokio::spawn(deliver(client, prepared, messages));
        Outbox { queue }
    }

    /// Waits until all queued messages have been sent.
    pub(crate) async fn sent(&self) {
        let (waits, reached) = oneshot::channel();
        self.put(Message::Reached(waits));
        let _ = reached.await;
    }

    /// Queues a message.
    pub(crate) fn put(&self, message: Message) {
        // At the end of the session the receiver is gone.
        let _ = self.queue.send(message);
    }
}

async fn deliver(client: Client, prepared: Prepared, mut messages: mpsc::UnboundedReceiver<Message>) {
    while let Some(message) = messages.recv().await {
        match message {
            Message::Diagnostics(published) => {
                client.send_notification::<PublishDiagnostics>(prepared.keep_text(published.json(), |mark| mark)).await;
            }
            Message::Output(output) => client.send_notification::<RunOutput>(output).await,
            Message::Reached(waits) => {
                // The task that waits may have been cancelled.
                let _ = waits.send(());
            }
            Message::ShowUser(kind, text) => client.show_message(kind, text).await,
            Message::Log(kind, text) => client.log_message(kind, text).await,
            Message::ShowDocument(uri) => {
                let shown = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
                ask(&client, |client| async move { client.show_document(shown).await });
            }
            Message::ApplyEdit(edit) => ask(&client, |client| async move { client.apply_edit(edit).await }),
            Message::Progress(params) => client.send_notification::<notification::Progress>(params).await,
            Message::RefreshHints => ask(&client, |client| async move { client.inlay_hint_refresh().await }),
            Message::RefreshTokens => ask(&client, |client| async move { client.semantic_tokens_refresh().await }),
            Message::RefreshDiagnostics => {
                ask(&client, |client| async move { client.workspace_diagnostic_refresh().await });
            }
            Message::RefreshLenses => ask(&client, |client| async move { client.code_lens_refresh().await }),
        }
    }
}

/// Sends the client a request without waiting for the response.
fn ask<F: Future + Send + 'static>(client: &Client, question: impl FnOnce(Client) -> F)
where
    F::Output: Send,
{
    tokio::spawn(question(client.clone()));
}
