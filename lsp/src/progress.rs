//! Progress reports of long-running work.

use crate::outbox::{Message, Outbox};
use crate::shared::Shared;
use std::time::Duration;
use tokio::sync::watch;
use tower_lsp::ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};

/// Work that ends sooner is not reported, unless the client asked for it.
const DELAY: Duration = Duration::from_millis(300);

/// The interval between reports.
const PACE: Duration = Duration::from_millis(100);

/// Progress of a task: a message, and a percentage if one is known.
pub(crate) type Update = (String, Option<u32>);

/// A task in progress. Dropping this ends its reports.
pub(crate) struct Progress(watch::Sender<Update>);

impl Progress {
    /// Starts reporting a task under the client's token, or else under `own_token` if the client supports tokens that
    /// the server creates. `cancellable` says whether the client can cancel the task by its token.
    pub(crate) fn begin(
        shared: &Shared,
        client_token: Option<ProgressToken>,
        own_token: String,
        title: String,
        cancellable: bool,
    ) -> Progress {
        let (updates, watched) = watch::channel(Update::default());
        let begin = WorkDoneProgressBegin { title, cancellable: Some(cancellable), message: None, percentage: None };
        let outbox = shared.outbox.clone();
        match client_token {
            Some(token) => drop(tokio::spawn(report(outbox, token, begin, watched))),
            None if shared.session().progress => {
                let client = shared.client.clone();
                tokio::spawn(async move {
                    if ends_within(DELAY, &mut watched.clone()).await {
                        return;
                    }
                    let token = ProgressToken::String(own_token);
                    if client.create_work_done_progress(token.clone()).await.is_ok() {
                        report(outbox, token, begin, watched).await;
                    }
                });
            }
            None => {}
        }
        Progress(updates)
    }

    /// Reports the task's progress.
    pub(crate) fn report(&self, message: String, percentage: Option<u32>) {
        // Without a token no task receives the updates.
        let _ = self.0.send((message, percentage));
    }
}

/// Whether the work ends within a time.
async fn ends_within(time: Duration, watched: &mut watch::Receiver<Update>) -> bool {
    tokio::time::timeout(time, async { while watched.changed().await.is_ok() {} }).await.is_ok()
}

async fn report(
    outbox: Outbox,
    token: ProgressToken,
    begin: WorkDoneProgressBegin,
    mut watched: watch::Receiver<Update>,
) {
    let put = |value: WorkDoneProgress| {
        let value = ProgressParamsValue::WorkDone(value);
        outbox.put(Message::Progress(ProgressParams { token: token.clone(), value }));
    };
    put(WorkDoneProgress::Begin(begin));
    while watched.changed().await.is_ok() {
        let (message, percentage) = watched.borrow_and_update().clone();
        put(WorkDoneProgress::Report(WorkDoneProgressReport { cancellable: None, message: Some(message), percentage }));
        tokio::time::sleep(PACE).await;
    }
    put(WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
}
