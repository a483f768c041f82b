//! State shared by all requests.

use crate::backlog::Backlog;
use crate::crash;
use crate::documents::{Documents, Snapshot};
use crate::engine::{Engine, Unanswered};
use crate::outbox::{Message, Outbox};
use crate::prepared::Prepared;
use crate::project::{Project, Projects};
use crate::run::warm::Warm;
use crate::scratch::Scratch;
use crate::session::Session;
use crate::settings::{self, Settings};
use crate::target_gpu::TargetGpu;
use crate::tasks::Tasks;
use crate::text::Encoding;
use crate::workspace::Workspace;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_backend::cuda::listing::Listing;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

/// State shared by all requests.
pub(crate) struct Shared {
    /// The open documents.
    pub(crate) documents: Documents,
    /// The thread that owns the database.
    pub(crate) engine: Engine,
    /// The queue of messages to the client.
    pub(crate) outbox: Outbox,
    /// The running tasks, which can be stopped.
    pub(crate) tasks: Tasks,
    /// The directory for files to show.
    pub(crate) scratch: Scratch,
    /// Idle workers, kept for the next run.
    pub(crate) warm: Warm,
    /// Output that the client has not read yet.
    pub(crate) backlog: Backlog,
    /// Large messages to be sent as text.
    pub(crate) prepared: Prepared,
    /// The open folders.
    pub(crate) workspace: Workspace,
    /// The projects of the documents.
    pub(crate) projects: Projects,
    /// The number of searches for projects that take long.
    pub(crate) pending_projects: AtomicUsize,
    /// Sends requests to the client.
    pub(crate) client: Client,
    pub(crate) settings: Mutex<Settings>,
    /// The mistakes in the settings that were shown to the user.
    setting_mistakes: Mutex<Vec<String>>,
    target_gpu: Mutex<TargetGpu>,
    /// The settings at the start of the server.
    pub(crate) first_settings: OnceLock<Settings>,
    pub(crate) session: OnceLock<Session>,
    /// The files that a run may read.
    pub(crate) reach: OnceLock<tile_input::Reach>,
    panic_was_shown: AtomicBool,
    listings: OnceLock<Vec<Listing>>,
}

impl Shared {
    /// Creates the state for a client. Must be called inside the runtime.
    pub(crate) fn new(client: Client, backlog: Backlog, prepared: Prepared) -> Shared {
        Shared {
            documents: Documents::default(),
            engine: Engine::start(),
            outbox: Outbox::start(client.clone(), prepared.clone()),
            tasks: Tasks::default(),
            scratch: Scratch::default(),
            warm: Warm::default(),
            backlog,
            prepared,
            workspace: Workspace::default(),
            projects: Projects::default(),
            pending_projects: AtomicUsize::default(),
            client,
            settings: Mutex::default(),
            setting_mistakes: Mutex::default(),
            target_gpu: Mutex::default(),
            first_settings: OnceLock::new(),
            session: OnceLock::new(),
            reach: OnceLock::new(),
            panic_was_shown: AtomicBool::new(false),
            listings: OnceLock::new(),
        }
    }

    /// The kinds of code that the tools on this machine can generate, looked up on first use. This starts no process.
    pub(crate) fn listings(&self) -> &[Listing] {
        let is_possible = |listing: &Listing| listing.can_be_made();
        self.listings.get_or_init(|| [Listing::Ptx, Listing::Sass].into_iter().filter(is_possible).collect())
    }

    /// The client's capabilities and options.
    pub(crate) fn session(&self) -> Session {
        self.session.get().copied().unwrap_or_else(|| Session::new(&InitializeParams::default()))
    }

    /// The current settings.
    pub(crate) fn settings(&self) -> Settings {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Applies a settings section. Returns whether it changes anything.
    pub(crate) fn apply_settings(&self, section: &Value) -> bool {
        self.report_mistakes(settings::mistakes(section));
        let mut chosen = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        // A section is complete: settings that it no longer contains get their initial values back.
        let first = self.first_settings.get_or_init(|| Settings::default().read(section));
        let settings = first.clone().read(section);
        let before = std::mem::replace(&mut *chosen, settings.clone());
        drop(chosen);
        if before.options() != settings.options() {
            self.engine.set_options(self.options());
        }
        before != settings
    }

    /// Shows the mistakes in the settings. Editors send settings several times, so each mistake is shown once until it
    /// changes.
    fn report_mistakes(&self, mistakes: Vec<String>) {
        let mut reported = self.setting_mistakes.lock().unwrap_or_else(PoisonError::into_inner);
        for mistake in mistakes.iter().filter(|mistake| !reported.contains(mistake)) {
            self.outbox.put(Message::ShowUser(MessageType::WARNING, mistake.clone()));
        }
        *reported = mistakes;
    }

    /// The options to check programs without a project with.
    pub(crate) fn options(&self) -> Options {
        let options = self.settings().options();
        Options { gpu: options.gpu.or(self.target_gpu().gpu), ..options }
    }

    /// The GPU of the chosen target.
    pub(crate) fn target_gpu(&self) -> TargetGpu {
        *self.target_gpu.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the GPU of the chosen target. Returns whether this changes how programs are checked.
    pub(crate) fn set_target_gpu(&self, gpu: TargetGpu) -> bool {
        let before = self.options();
        *self.target_gpu.lock().unwrap_or_else(PoisonError::into_inner) = gpu;
        let options = self.options();
        if before != options {
            self.engine.set_options(options);
        }
        before != options
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.session().encoding
    }

    /// Answers a request about a document. `None` if it is not open; an error if it changes in the meantime.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        uri: &Uri,
        work: impl Fn(&Database, File, &Snapshot) -> T + Clone + Send + 'static,
    ) -> Result<Option<T>> {
        let Some(snapshot) = self.documents.get(uri.as_str()).filter(|snapshot| !snapshot.is_too_large()) else {
            return Ok(None);
        };
        loop {
            let (work, seen) = (work.clone(), snapshot.clone());
            let answer = self.engine.work(snapshot.key.clone(), move |db, file| work(db, file, &seen));
            let answer = tokio::select! {
                biased;
                answer = answer.wait() => answer,
                // An answer about an outdated text is useless.
                () = self.documents.outdated(&snapshot) => Err(Unanswered::Cancelled),
            };
            match answer {
                Ok(answer) => return Ok(Some(answer)),
                Err(Unanswered::Failed) => return Err(Error::internal_error()),
                Err(Unanswered::Panicked(why)) => return Err(self.panicked(&why)),
                // The work was cancelled by a change of another document.
                Err(Unanswered::Cancelled) if self.documents.is_current(&snapshot) => {}
                Err(Unanswered::Cancelled) => return Err(Error::content_modified()),
            }
        }
    }

    /// Like [`Shared::answer`], for requests that editors send while the user types: if the text changes in the
    /// meantime, the answer is about the new text. An editor asks once, at the first letter, and shows no list after an
    /// error.
    pub(crate) async fn answer_while_typing<T: Send + 'static>(
        &self,
        uri: &Uri,
        work: impl Fn(&Database, File, &Snapshot) -> T + Clone + Send + 'static,
    ) -> Result<Option<T>> {
        loop {
            match self.answer(uri, work.clone()).await {
                Err(error) if error.code == Error::content_modified().code => {}
                answer => return answer,
            }
        }
    }

    /// Shows a panic to the user, once, and returns the error for the request that panicked.
    pub(crate) fn panicked(&self, why: &str) -> Error {
        if !self.panic_was_shown.swap(true, Ordering::Relaxed) {
            self.outbox.put(Message::ShowUser(MessageType::ERROR, why.to_string()));
        }
        Error { message: why.to_string().into(), ..Error::internal_error() }
    }

    /// The project of a document. Errors in its file are shown to the user.
    pub(crate) fn project(&self, uri: &Uri) -> Arc<Project> {
        loop {
            let configs = self.projects.configs();
            let found = crash::caught("a search for a project", || self.projects.of(uri));
            // A project file has changed in the meantime.
            if !Arc::ptr_eq(&configs, &self.projects.configs()) {
                continue;
            }
            return found.map_err(|why| why.to_string()).flatten().unwrap_or_else(|why| {
                self.outbox.put(Message::ShowUser(MessageType::WARNING, why));
                Arc::default()
            });
        }
    }
}
