//! What goes to the client unasked, in the order in which it was put here.

use serde::Serialize;
use tokio::sync::{mpsc, oneshot};
use tower_lsp::Client;
use tower_lsp::ls_types::notification::{self, Notification};
use tower_lsp::ls_types::{Diagnostic, MessageType, ProgressParams, ShowDocumentParams, Uri};

/// The queue. Putting something into it never waits.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    queue: mpsc::UnboundedSender<Message>,
}

/// Something to tell the client.
#[derive(Debug)]
pub(crate) enum Message {
    /// All diagnostics of a document.
    Diagnostics(Uri, Vec<Diagnostic>, Option<i32>),
    /// What a kernel wrote.
    Output(Output),
    /// A sentence for the user.
    Tell(MessageType, String),
    /// Something for the log.
    Log(MessageType, String),
    /// How far a piece of work has got.
    Progress(ProgressParams),
    /// The inlay hints are others now.
    RefreshHints,
    /// A file to show.
    Show(Uri),
    /// Somebody waits for what was put here before.
    Reached(oneshot::Sender<()>),
    /// The semantic tokens are others now.
    RefreshTokens,
    /// The diagnostics that the client asks for are others now.
    RefreshDiagnostics,
    /// The code lenses are others now.
    RefreshLenses,
}

/// What a kernel wrote, or what is to say about its run.
#[derive(Serialize, serde::Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    /// The document.
    pub(crate) uri: String,
    /// The entry that runs.
    pub(crate) entry: String,
    /// The launch's name, if it has one.
    pub(crate) launch: Option<String>,
    /// `stdout` for what the kernel prints, `stderr` for what went wrong.
    pub(crate) stream: Stream,
    /// The text. All texts of a stream joined are what was written.
    pub(crate) text: String,
}

/// Where a text belongs.
#[derive(Serialize, serde::Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stream {
    /// What the kernel prints.
    Stdout,
    /// What went wrong.
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
    pub(crate) fn start(client: Client) -> Outbox {
        let (queue, messages) = mpsc::unbounded_channel();
        tokio::spawn(deliver(client, messages));
        Outbox { queue }
    }

    /// Waits until everything that is in the queue has been sent.
    pub(crate) async fn sent(&self) {
        let (waits, reached) = oneshot::channel();
        self.put(Message::Reached(waits));
        let _ = reached.await;
    }

    /// Puts a message into the queue.
    pub(crate) fn put(&self, message: Message) {
        // At the end of the session nobody takes messages any more.
        let _ = self.queue.send(message);
    }
}

async fn deliver(client: Client, mut messages: mpsc::UnboundedReceiver<Message>) {
    while let Some(message) = messages.recv().await {
        match message {
            Message::Diagnostics(uri, found, version) => client.publish_diagnostics(uri, found, version).await,
            Message::Output(output) => client.send_notification::<RunOutput>(output).await,
            Message::Reached(waits) => {
                // Who waits may have been cancelled.
                let _ = waits.send(());
            }
            Message::Tell(kind, text) => client.show_message(kind, text).await,
            Message::Log(kind, text) => client.log_message(kind, text).await,
            Message::Show(uri) => {
                let shown = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
                ask(&client, |client| async move { client.show_document(shown).await });
            }
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

/// Asks the client something, which it answers when it likes.
fn ask<F: Future + Send + 'static>(client: &Client, question: impl FnOnce(Client) -> F)
where
    F::Output: Send,
{
    tokio::spawn(question(client.clone()));
}
