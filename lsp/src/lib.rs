//! The language server. It translates between the protocol and `tile_analysis::ide` and the backend.
//!
//! Invariants:
//!
//! - The server contains no rule of Tile IR: answers are computed elsewhere, from plain data to plain data.
//! - The loop that reads messages never computes and never waits. One thread owns the database and writes the texts
//!   ([`engine`]), requests work on clones of it on other threads, and unsolicited messages go through one queue
//!   ([`outbox`]).
//! - A change of a text is applied before any later message is handled.
//! - Opening, changing or saving a file never runs anything.

mod answering;
mod backlog;
mod capabilities;
mod checks;
mod commands;
mod convert;
mod crash;
mod documents;
mod edits;
mod engine;
mod explain;
mod findings;
mod input;
mod lookup;
mod notifications;
mod outbox;
mod paths;
mod prepared;
mod progress;
mod project;
mod reach;
mod remarks;
mod requests;
mod run;
mod run_results;
mod scratch;
mod server;
mod session;
mod settings;
mod shared;
mod stdio;
mod target_gpu;
mod tasks;
mod text;
mod workspace;
mod written;

use answering::Answering;
use backlog::{Backlog, Queued};
use prepared::Prepared;
use server::Server;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tower_lsp::LspService;

/// Stack size of the worker threads. Nesting is capped, but unoptimized builds need more stack for it.
const STACK: usize = 16 << 20;

/// The number of requests that may be in progress at the same time.
const CONCURRENT_REQUESTS: usize = 256;

/// Keeps idle threads alive so that a pause does not cost a thread start.
const KEEP_ALIVE: std::time::Duration = std::time::Duration::from_secs(600);

/// How long a client that has left may take to read the remaining output.
const FLUSH_GRACE: std::time::Duration = std::time::Duration::from_secs(3);

/// A handle that ends a server as if its client had left.
pub struct Leave(oneshot::Sender<()>);

impl Leave {
    /// Ends the server. Before `serve_stdio` returns, the server stops its tasks and removes its files.
    pub fn leave(self) {
        // The server may have ended already.
        let _ = self.0.send(());
    }
}

/// Serves one client over standard input and output until it leaves. Returns whether it left in order: `shutdown`, then
/// `exit`. Before that, `begins` receives a handle that ends the server from elsewhere.
///
/// Generic, so that the handlers of all methods of the protocol are compiled with the crate of the caller, which is
/// optimized for size.
pub fn serve_stdio(begins: impl FnOnce(Leave)) -> std::io::Result<bool> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().thread_stack_size(STACK).thread_keep_alive(KEEP_ALIVE).build()?;
    let (leave, left) = oneshot::channel();
    begins(Leave(leave));
    let in_order = runtime.block_on(async { serve_until(stdio::input(), stdio::output(), Some(left)).await });
    // A thread that still reads standard input must not keep the program alive.
    runtime.shutdown_background();
    Ok(in_order)
}

/// Serves one client until it leaves. Returns whether it left in order.
pub async fn serve<I, O>(input: I, output: O) -> bool
where
    I: AsyncRead + Unpin,
    O: AsyncWrite + Unpin,
{
    serve_until(input, output, None).await
}

async fn serve_until<I, O>(input: I, output: O, left: Option<oneshot::Receiver<()>>) -> bool
where
    I: AsyncRead + Unpin,
    O: AsyncWrite + Unpin,
{
    let backlog = Backlog::default();
    let (lost, is_lost) = oneshot::channel();
    let prepared = Prepared::default();
    let output = Queued::new(output, backlog.clone(), prepared.clone(), lost);
    crash::install_hook();
    let service = LspService::build(|client| Server::new(client, backlog, prepared));
    let service = service.custom_method(input::SKIPPED, Server::message_skipped);
    let service = service.custom_method("window/workDoneProgress/cancel", Server::cancel_progress);
    let service = service.custom_method("tile/launches", Server::launches);
    let service = service.custom_method("tile/targets", Server::targets);
    let service = service.custom_method("tile/graph", Server::graph);
    let service = service.custom_method("tile/accesses", Server::accesses);
    let service = service.custom_method("tile/view", Server::view);
    // Newer than the methods that the library names.
    let service = service.custom_method("textDocument/inlineCompletion", Server::inline_completion);
    #[cfg(debug_assertions)]
    let service = service.custom_method("tile/panic", Server::panic);
    let (service, socket) = service.finish();
    let in_order = service.inner().left_in_order();
    let cleanup = service.inner().cleanup();
    let (over, is_over) = oneshot::channel();
    let input = input::Messages::new(input).until(left).notifying(over);
    let served =
        tower_lsp::Server::new(input, output, socket).concurrency_level(CONCURRENT_REQUESTS).serve(Answering(service));
    let grace_is_over = async {
        signaled(is_over).await;
        tokio::time::sleep(FLUSH_GRACE).await;
    };
    tokio::select! {
        () = served => {}
        () = grace_is_over => {}
        () = signaled(is_lost) => {}
    }
    cleanup.await;
    in_order.load(std::sync::atomic::Ordering::Relaxed)
}

/// Waits for a signal. Never returns if the sender is dropped without sending it.
async fn signaled(signal: oneshot::Receiver<()>) {
    if signal.await.is_err() {
        std::future::pending::<()>().await;
    }
}
