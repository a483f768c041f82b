//! Reports the progress of long-running work.

use crate::outbox::{Message, Outbox};
use crate::shared::Shared;
use std::time::Duration;
use tokio::sync::watch;
use tower_lsp::ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};

/// Shorter work is not reported, unless the client asked for it.
const DELAY: Duration = Duration::from_millis(300);

/// The interval between progress reports.
const PACE: Duration = Duration::from_millis(100);

/// The state of a piece of work: a short text, and a percentage if known.
pub(crate) type Stand = (String, Option<u32>);

/// A running piece of work. It ends when this is dropped.
pub(crate) struct Progress(watch::Sender<Stand>);

impl Progress {
    /// Starts reporting: with the client's token, or with a new one if the client supports that. `cancellable` says
    /// whether the client may stop the work with that token.
    pub(crate) fn begin(
        shared: &Shared,
        given: Option<ProgressToken>,
        own: String,
        title: String,
        cancellable: bool,
    ) -> Progress {
        let (stand, watched) = watch::channel(Stand::default());
        let begin = WorkDoneProgressBegin { title, cancellable: Some(cancellable), message: None, percentage: None };
        let outbox = shared.outbox.clone();
        match given {
            Some(token) => drop(tokio::spawn(tell(outbox, token, begin, watched))),
            None if shared.session().progress => {
                let client = shared.client.clone();
                tokio::spawn(async move {
                    if ends_within(DELAY, &mut watched.clone()).await {
                        return;
                    }
                    let token = ProgressToken::String(own);
                    if client.create_work_done_progress(token.clone()).await.is_ok() {
                        tell(outbox, token, begin, watched).await;
                    }
                });
            }
            None => {}
        }
        Progress(stand)
    }

    /// Reports the current state.
    pub(crate) fn stand(&self, message: String, percentage: Option<u32>) {
        // Without a token there is no receiver.
        let _ = self.0.send((message, percentage));
    }
}

/// Whether the work ends within a time.
async fn ends_within(time: Duration, watched: &mut watch::Receiver<Stand>) -> bool {
    tokio::time::timeout(time, async { while watched.changed().await.is_ok() {} }).await.is_ok()
}

async fn tell(outbox: Outbox, token: ProgressToken, begin: WorkDoneProgressBegin, mut watched: watch::Receiver<Stand>) {
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
