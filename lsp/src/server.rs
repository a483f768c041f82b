//! The server: dispatches each message to its handler.

use crate::backlog::Backlog;
use crate::lookup;
use crate::outbox::{Message, Published};
use crate::prepared::Prepared;
use crate::reach;
use crate::session::Session;
use crate::shared::Shared;
use crate::{capabilities, checks, notifications, requests};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer};

/// The server of one client.
pub(crate) struct Server {
    shared: Arc<Shared>,
    left_in_order: Arc<AtomicBool>,
}

impl Server {
    /// Creates the server of a client. Must be called inside the runtime.
    pub(crate) fn new(client: Client, backlog: Backlog, prepared: Prepared) -> Server {
        let shared = Shared::new(client, backlog, prepared);
        Server { shared: Arc::new(shared), left_in_order: Arc::default() }
    }

    /// Logs a message that was skipped because it is invalid.
    pub(crate) async fn message_skipped(&self, params: Value) {
        let why = params["why"].as_str().unwrap_or_default();
        self.shared.outbox.put(Message::Log(MessageType::WARNING, format!("skipped an invalid message: {why}")));
    }

    /// A request that panics, for tests of panic recovery.
    #[cfg(debug_assertions)]
    pub(crate) async fn panic(&self, params: TextDocumentIdentifier) -> Result<Value> {
        use crate::documents::Snapshot;
        use tile_analysis::db::{Database, File};
        let panicking = |_: &Database, _: File, _: &Snapshot| -> Value { panic!("this panic is part of a test") };
        self.shared.answer(&params.uri, panicking).await.map(Option::unwrap_or_default)
    }

    /// A flag that is set when the client sends `shutdown`.
    pub(crate) fn left_in_order(&self) -> Arc<AtomicBool> {
        self.left_in_order.clone()
    }

    /// Cleans up after the client has left: stops all tasks and removes the files.
    pub(crate) fn cleanup(&self) -> impl Future<Output = ()> + use<> {
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

    /// `tile/graph`
    pub(crate) async fn graph(&self, params: requests::pages::PageParams) -> Result<Option<requests::pages::Page>> {
        requests::pages::graph(&self.shared, params).await
    }

    /// `tile/accesses`
    pub(crate) async fn accesses(&self, params: requests::pages::PageParams) -> Result<Option<requests::pages::Page>> {
        requests::pages::accesses(&self.shared, params).await
    }

    /// `tile/view`
    pub(crate) async fn view(&self, params: requests::view::ViewParams) -> Result<Option<requests::pages::Page>> {
        requests::view::handle(&self.shared, params).await
    }

    /// `textDocument/inlineCompletion`
    pub(crate) async fn inline_completion(
        &self,
        params: InlineCompletionParams,
    ) -> Result<Option<Vec<InlineCompletionItem>>> {
        requests::inline_completion::handle(&self.shared, params).await
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
        self.shared.apply_settings(options.get("settings").unwrap_or(options));
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
        // Spawned because the client responds only after reading all earlier messages.
        tokio::spawn(notifications::initialized(self.shared.clone()));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        tokio::spawn(notifications::settings_changed(self.shared.clone(), params.settings));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.shared.workspace.change(&params.event.added, &params.event.removed);
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        notifications::files_changed(&self.shared, &params.changes);
    }

    async fn shutdown(&self) -> Result<()> {
        self.shared.tasks.stop_all();
        self.left_in_order.store(true, Ordering::Relaxed);
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.shared.workspace.opened(params.text_document.uri.as_str());
        let project = lookup::project(&self.shared, &params.text_document.uri, notifications::late_project);
        let snapshot =
            self.shared.documents.open(params.text_document, self.shared.encoding(), project.unwrap_or_default());
        checks::follow(&self.shared, snapshot, None);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        if let Some((snapshot, replaced)) = self.shared.documents.change(&uri, version, params.content_changes) {
            checks::follow(&self.shared, snapshot, Some(replaced));
        }
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.shared.tasks.stop_in(uri.as_str());
        self.shared.documents.close(&uri);
        self.shared.engine.forget(uri.as_str().into());
        self.shared.workspace.closed(uri.as_str());
        self.shared.outbox.put(Message::Diagnostics(Published::none(uri)));
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
