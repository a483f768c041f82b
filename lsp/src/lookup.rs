//! Finds the projects of documents, without waiting for folders that do not answer, such as those of a file server that
//! cannot be reached.

use crate::project::Project;
use crate::shared::Shared;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;
use tokio::runtime::Handle;
use tower_lsp::ls_types::Uri;

/// How long to wait for a project. On a local disk, the search takes less than a millisecond.
const TIMEOUT: Duration = Duration::from_millis(500);

/// Returns the project of a document; `None` if the search for it takes too long. In that case, the project is passed
/// to `late` as soon as it is found, on the thread that reads messages, which must also be the caller.
pub(crate) fn project(
    shared: &Arc<Shared>,
    uri: &Uri,
    late: impl FnOnce(&Arc<Shared>, Uri, Arc<Project>) + Send + 'static,
) -> Option<Arc<Project>> {
    // While one folder does not answer, others are not waited for either.
    let timeout = if shared.pending_projects.load(Ordering::Acquire) == 0 { TIMEOUT } else { Duration::ZERO };
    let (send, found) = mpsc::channel();
    // Set by whichever comes first: the project, or the end of the wait.
    let is_settled = Arc::new(AtomicBool::new(false));
    let (worker, settled, name, runtime) = (shared.clone(), is_settled.clone(), uri.clone(), Handle::current());
    let search = move || {
        let project = worker.project(&name);
        if !settled.swap(true, Ordering::AcqRel) {
            // The receiver waits for it.
            let _ = send.send(project);
            return;
        }
        worker.pending_projects.fetch_sub(1, Ordering::AcqRel);
        runtime.spawn(async move { late(&worker, name, project) });
    };
    // Not a thread of the runtime: these are limited, and every request needs one.
    thread::Builder::new().spawn(search).ok()?;
    if let Ok(project) = found.recv_timeout(timeout) {
        return Some(project);
    }
    shared.pending_projects.fetch_add(1, Ordering::AcqRel);
    if is_settled.swap(true, Ordering::AcqRel) {
        // It was found just now.
        shared.pending_projects.fetch_sub(1, Ordering::AcqRel);
        return found.recv().ok();
    }
    None
}
