//! The server: which message is answered where.

use crate::documents::{Documents, Snapshot};
use crate::engine::{Answer, Engine, Replaced, Unanswered};
use crate::outbox::{Message, Outbox};
use crate::prepared::Prepared;
use crate::project::{Project, Projects};
use crate::reach;
use crate::run::Warm;
use crate::scratch::Scratch;
use crate::session::Session;
use crate::settings::{self, Settings};
use crate::target_gpu::TargetGpu;
use crate::tasks::Tasks;
use crate::text::Encoding;
use crate::workspace::Workspace;
use crate::{capabilities, checks, notifications, requests};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_backend::cuda::listing::Listing;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer};

/// The server of one client.
pub(crate) struct Server {
    shared: Arc<Shared>,
    left_in_order: Arc<AtomicBool>,
}

/// What all requests share.
pub(crate) struct Shared {
    /// The open documents.
    pub(crate) documents: Documents,
    /// The thread that owns the database.
    pub(crate) engine: Engine,
    /// The way to the client.
    pub(crate) outbox: Outbox,
    /// What goes on and can be stopped.
    pub(crate) tasks: Tasks,
    /// Where what is shown is put.
    pub(crate) scratch: Scratch,
    /// The workers that wait for a next one.
    pub(crate) warm: Warm,
    /// Answers that are text already.
    pub(crate) prepared: Prepared,
    /// The open folders.
    pub(crate) workspace: Workspace,
    /// The projects of the documents.
    pub(crate) projects: Projects,
    /// What to ask the client by.
    pub(crate) client: Client,
    settings: Mutex<Settings>,
    /// What is wrong with the settings, as the user was told.
    setting_mistakes: Mutex<Vec<String>>,
    target_gpu: Mutex<TargetGpu>,
    /// What was chosen when the server started.
    first_settings: OnceLock<Settings>,
    session: OnceLock<Session>,
    /// Which files a run may read.
    pub(crate) reach: OnceLock<tile_input::Reach>,
    told_of_panic: AtomicBool,
    listings: OnceLock<Vec<Listing>>,
}

impl Shared {
    /// The texts of code that the tools of this machine can make, as it was when somebody first wanted to know. Nothing is
    /// started for that.
    pub(crate) fn listings(&self) -> &[Listing] {
        let is_possible = |listing: &Listing| listing.can_be_made();
        self.listings.get_or_init(|| [Listing::Ptx, Listing::Sass].into_iter().filter(is_possible).collect())
    }

    /// What the client said about itself.
    pub(crate) fn session(&self) -> Session {
        self.session.get().copied().unwrap_or_else(|| Session::new(&InitializeParams::default()))
    }

    /// What the user has chosen.
    pub(crate) fn settings(&self) -> Settings {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The user has chosen what a section says. Returns whether that makes a difference.
    pub(crate) fn choose(&self, section: &Value) -> bool {
        self.report_mistakes(settings::mistakes(section));
        let mut chosen = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        // A section is the whole of what is chosen: what it no longer says is as it was in the beginning.
        let first = self.first_settings.get_or_init(|| Settings::default().read(section));
        let settings = first.clone().read(section);
        let before = std::mem::replace(&mut *chosen, settings.clone());
        drop(chosen);
        if before.options() != settings.options() {
            self.engine.set_options(self.options());
        }
        before != settings
    }

    /// Shows what is wrong with the settings, each mistake once until it changes: editors send settings several times.
    fn report_mistakes(&self, mistakes: Vec<String>) {
        let mut reported = self.setting_mistakes.lock().unwrap_or_else(PoisonError::into_inner);
        for mistake in mistakes.iter().filter(|mistake| !reported.contains(mistake)) {
            self.outbox.put(Message::Tell(MessageType::WARNING, mistake.clone()));
        }
        *reported = mistakes;
    }

    /// How programs are checked that belong to no project.
    pub(crate) fn options(&self) -> Options {
        let options = self.settings().options();
        Options { gpu: options.gpu.or(self.target_gpu().gpu), ..options }
    }

    /// What is known of the GPU of the chosen target.
    pub(crate) fn target_gpu(&self) -> TargetGpu {
        *self.target_gpu.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another GPU is that of the chosen target. Returns whether programs are checked in another way from now on.
    pub(crate) fn set_target_gpu(&self, gpu: TargetGpu) -> bool {
        let before = self.options();
        *self.target_gpu.lock().unwrap_or_else(PoisonError::into_inner) = gpu;
        let options = self.options();
        if before != options {
            self.engine.set_options(options);
        }
        before != options
    }

    fn encoding(&self) -> Encoding {
        self.session().encoding
    }

    /// Answers a request about a document. `None` where it is not open; an error where it changes meanwhile.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        uri: &Uri,
        work: impl Fn(&Database, File, &Snapshot) -> T + Clone + Send + 'static,
    ) -> Result<Option<T>> {
        self.answer_with(uri, |engine, snapshot| {
            let (work, seen) = (work.clone(), snapshot.clone());
            engine.work(snapshot.key.clone(), move |db, file| work(db, file, &seen))
        })
        .await
    }

    /// The same for what is wanted while somebody types: where the text has changed meanwhile the answer is about the new
    /// one. An editor asks once, at the first letter, and goes without a list if there is an error.
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

    /// The same in two steps, of which the second does not need the database: a change need not wait for that one.
    pub(crate) async fn answer_apart<P, T: Send + 'static>(
        &self,
        uri: &Uri,
        look: impl Fn(&Database, File) -> P + Clone + Send + 'static,
        tell: impl Fn(P, &Snapshot) -> T + Clone + Send + 'static,
    ) -> Result<Option<T>> {
        self.answer_with(uri, |engine, snapshot| {
            let (look, tell, seen) = (look.clone(), tell.clone(), snapshot.clone());
            engine.work_apart(snapshot.key.clone(), look, move |found| tell(found, &seen))
        })
        .await
    }

    async fn answer_with<T: Send + 'static>(
        &self,
        uri: &Uri,
        order: impl Fn(&Engine, &Snapshot) -> Answer<T>,
    ) -> Result<Option<T>> {
        let Some(snapshot) = self.documents.get(uri.as_str()).filter(|snapshot| !snapshot.is_too_large()) else {
            return Ok(None);
        };
        loop {
            let answer = order(&self.engine, &snapshot);
            let answer = tokio::select! {
                biased;
                answer = answer.wait() => answer,
                // Nobody wants to know any more what holds for an older text.
                () = self.documents.overtaken(&snapshot) => Err(Unanswered::Cancelled),
            };
            match answer {
                Ok(answer) => return Ok(Some(answer)),
                Err(Unanswered::Failed) => return Err(Error::internal_error()),
                Err(Unanswered::Panicked(why)) => return Err(self.panicked(&why)),
                // A change of another document is no reason to give up.
                Err(Unanswered::Cancelled) if self.documents.is_current(&snapshot) => {}
                Err(Unanswered::Cancelled) => return Err(Error::content_modified()),
            }
        }
    }

    /// Tells of a panic, once, and gives the error for a request that it has left without an answer.
    pub(crate) fn panicked(&self, why: &str) -> Error {
        if !self.told_of_panic.swap(true, Ordering::Relaxed) {
            self.outbox.put(Message::Tell(MessageType::ERROR, why.to_string()));
        }
        Error { message: why.to_string().into(), ..Error::internal_error() }
    }

    /// What the project of a document says. What is wrong with its file is told.
    pub(crate) fn project(&self, uri: &Uri) -> Arc<Project> {
        self.projects.of(uri).unwrap_or_else(|why| {
            self.outbox.put(Message::Tell(MessageType::WARNING, why));
            Arc::default()
        })
    }

    /// Has the engine follow a document, and the document checked.
    fn changed(self: &Arc<Self>, snapshot: Snapshot, replaced: Option<Vec<Replaced>>) {
        if snapshot.is_too_large() {
            self.engine.forget(snapshot.key.clone());
            return checks::refuse(self, &snapshot);
        }
        let (key, text) = (snapshot.key.clone(), snapshot.text.rope.clone());
        match replaced {
            Some(replaced) => self.engine.edit(key, text, replaced),
            None => {
                self.engine.write(key.clone(), text);
                self.engine.set_rules(key, snapshot.project.rules);
            }
        }
        checks::changed(self, snapshot);
    }
}

impl Server {
    /// The server of a client. Must be called inside the runtime.
    pub(crate) fn new(client: Client, prepared: Prepared) -> Server {
        let shared = Shared {
            documents: Documents::default(),
            engine: Engine::start(),
            outbox: Outbox::start(client.clone()),
            tasks: Tasks::default(),
            scratch: Scratch::default(),
            warm: Warm::default(),
            prepared,
            workspace: Workspace::default(),
            projects: Projects::default(),
            client,
            settings: Mutex::default(),
            setting_mistakes: Mutex::default(),
            target_gpu: Mutex::default(),
            first_settings: OnceLock::new(),
            session: OnceLock::new(),
            reach: OnceLock::new(),
            told_of_panic: AtomicBool::new(false),
            listings: OnceLock::new(),
        };
        Server { shared: Arc::new(shared), left_in_order: Arc::default() }
    }

    /// A message that could not be read was left out.
    pub(crate) async fn left_out(&self, params: Value) {
        let why = params["why"].as_str().unwrap_or_default();
        self.shared.outbox.put(Message::Log(MessageType::WARNING, format!("left out a message: {why}")));
    }

    /// A request that panics, for tests of what becomes of it.
    #[cfg(debug_assertions)]
    pub(crate) async fn panic(&self, params: TextDocumentIdentifier) -> Result<Value> {
        let panicking = |_: &Database, _: File, _: &Snapshot| -> Value { panic!("this panic is part of a test") };
        self.shared.answer(&params.uri, panicking).await.map(Option::unwrap_or_default)
    }

    /// Becomes true when the client says `shutdown`.
    pub(crate) fn left_in_order(&self) -> Arc<AtomicBool> {
        self.left_in_order.clone()
    }

    /// What is left to do when the client has left: nothing goes on behind the server, and nothing lies around.
    pub(crate) fn farewell(&self) -> impl Future<Output = ()> + use<> {
        let shared = self.shared.clone();
        async move {
            shared.tasks.stop_all();
            shared.tasks.ended().await;
            shared.scratch.remove();
        }
    }

    /// `tile/launches`
    pub(crate) async fn launches(
        &self,
        params: requests::launches::LaunchesParams,
    ) -> Result<Option<Vec<requests::launches::Entry>>> {
        requests::launches::handle(&self.shared, params).await
    }

    /// `tile/targets`
    pub(crate) async fn targets(&self, _: requests::targets::TargetsParams) -> Result<Vec<requests::targets::Listed>> {
        requests::targets::handle(&self.shared).await
    }

    /// `window/workDoneProgress/cancel`
    pub(crate) async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        self.shared.tasks.stop_by_token(&params.token);
    }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        self.shared.reach.get_or_init(|| reach::reach(&params));
        let session = *self.shared.session.get_or_init(|| Session::new(&params));
        self.shared.workspace.open(&params);
        let options = params.initialization_options.as_ref().unwrap_or(&Value::Null);
        self.shared.choose(options.get("settings").unwrap_or(options));
        Ok(InitializeResult {
            capabilities: capabilities::capabilities(&session),
            server_info: Some(ServerInfo {
                name: "tile".to_string(),
                version: Some(env!("CARGO_PKG_VERSION").to_string()),
            }),
            ..InitializeResult::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        // The client answers when it has read what comes before, so nothing here waits.
        tokio::spawn(notifications::initialized(self.shared.clone()));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        tokio::spawn(notifications::settings_changed(self.shared.clone(), params.settings));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.shared.workspace.change(&params.event.added, &params.event.removed);
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        if params.changes.iter().any(|change| change.uri.as_str().ends_with(tile_config::FILE_NAME)) {
            notifications::projects_changed(&self.shared);
        }
        self.shared.workspace.changed.notify_waiters();
    }

    async fn shutdown(&self) -> Result<()> {
        self.shared.tasks.stop_all();
        self.left_in_order.store(true, Ordering::Relaxed);
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let project = self.shared.project(&params.text_document.uri);
        let snapshot = self.shared.documents.open(params.text_document, self.shared.encoding(), project);
        self.shared.changed(snapshot, None);
        self.shared.workspace.changed.notify_waiters();
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        if let Some((snapshot, replaced)) = self.shared.documents.change(&uri, version, params.content_changes) {
            self.shared.changed(snapshot, Some(replaced));
        }
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.shared.tasks.stop_in(uri.as_str());
        self.shared.documents.close(&uri);
        self.shared.engine.forget(uri.as_str().into());
        self.shared.outbox.put(Message::Diagnostics(uri, Vec::new(), None));
        self.shared.workspace.changed.notify_waiters();
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        requests::hover::handle(&self.shared, params).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        requests::definition::handle(&self.shared, params).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        requests::references::handle(&self.shared, params).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        requests::highlight::handle(&self.shared, params).await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        requests::symbols::handle(&self.shared, params).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        requests::folding::handle(&self.shared, params).await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        requests::formatting::handle(&self.shared, params).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        requests::completion::handle(&self.shared, params).await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        Ok(requests::completion::resolve(item))
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        requests::code_action::handle(&self.shared, params).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        requests::code_lens::handle(&self.shared, params).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        requests::inlay_hint::handle(&self.shared, params).await
    }

    async fn inlay_hint_resolve(&self, hint: InlayHint) -> Result<InlayHint> {
        requests::inlay_hint::resolve(&self.shared, hint).await
    }

    async fn inline_value(&self, params: InlineValueParams) -> Result<Option<Vec<InlineValue>>> {
        requests::inline_value::handle(&self.shared, params).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        requests::execute_command::handle(&self.shared, params).await
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        requests::semantic_tokens::full(&self.shared, params).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        requests::semantic_tokens::full_delta(&self.shared, params).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        requests::semantic_tokens::range(&self.shared, params).await
    }

    async fn goto_declaration(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        requests::definition::handle(&self.shared, params).await
    }

    async fn goto_type_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        requests::definition::of_type(&self.shared, params).await
    }

    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        requests::rename::prepare(&self.shared, params).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        requests::rename::handle(&self.shared, params).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        requests::signature_help::handle(&self.shared, params).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        requests::selection_range::handle(&self.shared, params).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        requests::document_link::handle(&self.shared, params).await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        requests::formatting::range(&self.shared, params).await
    }

    async fn on_type_formatting(&self, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        requests::formatting::on_type(&self.shared, params).await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        requests::code_action::resolve(&self.shared, action).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        requests::workspace_symbol::handle(&self.shared, params).await
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        requests::diagnostic::document(&self.shared, params).await
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        requests::diagnostic::workspace(&self.shared, params).await
    }
}
