//! The language server: protocol in, calls of `tile_analysis::ide` and of the backend, protocol out.
//!
//! Invariants:
//! - knows no rule of Tile IR: what a request answers is computed elsewhere, from plain data to plain data;
//! - the loop that reads messages never computes and never waits: texts are written by one thread that owns the database
//!   ([`engine`]), requests work on clones of it on threads of their own, and what goes to the client unasked goes
//!   through one queue ([`outbox`]);
//! - a change of a text is applied before anything that comes behind it is looked at;
//! - nothing runs because a file is opened, changed or saved.

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

/// The stack of the threads that do the work; nesting is capped, but unoptimized programs need room for it.
const STACK: usize = 16 << 20;

/// How many requests may wait for their answer at the same time.
const CONCURRENT_REQUESTS: usize = 256;

/// Keeps idle threads alive so that a pause does not cost a thread start.
const KEEP_ALIVE: std::time::Duration = std::time::Duration::from_secs(600);

/// How long a client that has left may take to read what is still to be told.
const LAST_WORDS: std::time::Duration = std::time::Duration::from_secs(3);

/// Ends a server as if its client had left.
pub struct Leave(oneshot::Sender<()>);

impl Leave {
    /// Ends it. It stops what it has started and removes what it has put somewhere before it returns to who has it serve.
    pub fn leave(self) {
        // A server that has ended already has left too.
        let _ = self.0.send(());
    }
}

/// Serves one client over standard input and output until it leaves. Returns whether it left in order: `shutdown`, then
/// `exit`. Before that, `begins` gets what ends the server from elsewhere. It is a plain function so that the server is
/// compiled in this crate, as small as the workspace says.
pub fn serve_stdio(begins: fn(Leave)) -> std::io::Result<bool> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().thread_stack_size(STACK).thread_keep_alive(KEEP_ALIVE).build()?;
    let (leave, left) = oneshot::channel();
    begins(Leave(leave));
    let in_order = runtime.block_on(async { serve_until(tokio::io::stdin(), tokio::io::stdout(), Some(left)).await });
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

/// Waits for a word that may never come.
async fn told(word: oneshot::Receiver<()>) {
    if word.await.is_err() {
        std::future::pending::<()>().await;
    }
}
