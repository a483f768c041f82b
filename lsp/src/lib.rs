//! The language server: translates the protocol to calls of `tile_analysis::ide` and the backend, and their results
//! back.
//!
//! Invariants:
//! - contains no rule of Tile IR: answers are computed elsewhere, from plain data to plain data;
//! - the loop that reads messages never computes and never waits: one thread owns the database and writes texts
//!   ([`engine`]), requests work on clones of the database on other threads, and unsolicited messages go through one
//!   queue ([`outbox`]);
//! - a change of a text is applied before any later message is processed;
//! - opening, changing or saving a file never runs anything.

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
mod notifications;
mod outbox;
mod paths;
mod progress;
mod project;
mod reach;
mod requests;
mod run;
mod run_results;
mod scratch;
mod server;
mod session;
mod settings;
mod shared;
mod target_gpu;
mod tasks;
mod text;
mod workspace;

use backlog::{Backlog, Queued};
use server::Server;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tower_lsp::LspService;

/// The stack size of worker threads. Nesting is capped, but unoptimized builds need this much.
const STACK: usize = 16 << 20;

/// The maximum number of concurrent requests.
const CONCURRENT_REQUESTS: usize = 256;

/// Keeps idle threads alive so that a pause does not cost a thread start.
const KEEP_ALIVE: std::time::Duration = std::time::Duration::from_secs(600);

/// How long to wait for a client that has disconnected to read pending output.
const LAST_WORDS: std::time::Duration = std::time::Duration::from_secs(3);

/// Ends a server as if its client had disconnected.
pub struct Leave(oneshot::Sender<()>);

impl Leave {
    /// Ends the server. It stops its tasks and removes its temporary files before it returns to its caller.
    pub fn leave(self) {
        // The server may have ended already.
        let _ = self.0.send(());
    }
}

/// Serves one client over standard input and output until it disconnects. Returns whether it did so in order:
/// `shutdown`, then `exit`. First passes `begins` a handle that ends the server. It is not generic, so that the server
/// is compiled in this crate, with this crate's optimization level.
pub fn serve_stdio(begins: fn(Leave)) -> std::io::Result<bool> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().thread_stack_size(STACK).thread_keep_alive(KEEP_ALIVE).build()?;
    let (leave, left) = oneshot::channel();
    begins(Leave(leave));
    let in_order = runtime.block_on(async { serve_until(tokio::io::stdin(), tokio::io::stdout(), Some(left)).await });
    // A thread that is still reading standard input must not keep the program alive.
    runtime.shutdown_background();
    Ok(in_order)
}

/// Serves one client until it disconnects. Returns whether it did so in order.
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
    let output = Queued::new(output, backlog.clone(), lost);
    crash::remember();
    let service = LspService::build(|client| Server::new(client, backlog));
    let service = service.custom_method(input::LEFT_OUT, Server::left_out);
    let service = service.custom_method("window/workDoneProgress/cancel", Server::cancel_progress);
    let service = service.custom_method("tile/launches", Server::launches);
    let service = service.custom_method("tile/targets", Server::targets);
    #[cfg(debug_assertions)]
    let service = service.custom_method("tile/panic", Server::panic);
    let (service, socket) = service.finish();
    let in_order = service.inner().left_in_order();
    let farewell = service.inner().farewell();
    let (over, is_over) = oneshot::channel();
    let input = input::Messages::new(input).until(left).telling(over);
    let served = tower_lsp::Server::new(input, output, socket).concurrency_level(CONCURRENT_REQUESTS).serve(service);
    let nobody_reads = async {
        told(is_over).await;
        tokio::time::sleep(LAST_WORDS).await;
    };
    tokio::select! {
        () = served => {}
        () = nobody_reads => {}
        () = told(is_lost) => {}
    }
    farewell.await;
    in_order.load(std::sync::atomic::Ordering::Relaxed)
}

/// Waits for a message that may never arrive.
async fn told(word: oneshot::Receiver<()>) {
    if word.await.is_err() {
        std::future::pending::<()>().await;
    }
}
