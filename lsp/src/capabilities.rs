//! The capabilities of the server. Every method of the protocol (3.17, and the additions of 3.18) is listed, with the
//! reason if it is not supported.
//!
//! Methods without a server capability: `initialize`, `initialized`, `shutdown`, `exit`, `$/cancelRequest` and
//! `window/workDoneProgress/cancel` are answered. `$/setTrace` is ignored, since the messages contain everything worth
//! tracing. `$/logTrace` and `telemetry/event` are not sent: nothing is collected. `window/showMessageRequest` is not
//! sent, since the server has no questions, nor is `workspace/applyEdit`, since it does not edit unasked.
//! `window/showMessage`, `window/logMessage` and `window/showDocument` report the result of a command, report what the
//! server cannot do, and open a requested document. `workspace/workspaceFolders` is not needed, since the client
//! reports changes. Sent if the client supports them: `textDocument/publishDiagnostics`, `$/progress`,
//! `window/workDoneProgress/create`, `client/registerCapability` (for settings and watched files, which the protocol
//! offers no other way to request), `workspace/configuration`,
//! `workspace/{inlayHint,semanticTokens,diagnostic,codeLens}/refresh`. Not needed: `client/unregisterCapability`, since
//! registrations last until the end, and `workspace/inlineValue/refresh`, `workspace/foldingRange/refresh` and
//! `workspace/textDocumentContent/refresh`, since their results depend on the text alone or do not exist.

use crate::commands;
use crate::requests::{code_action, diagnostic, formatting, inlay_hint, semantic_tokens, signature_help};
use crate::session::Session;
use tower_lsp::ls_types::*;

/// The capabilities for a client.
pub(crate) fn capabilities(session: &Session) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(session.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            will_save: None,            // saving has no effect
            will_save_wait_until: None, // format on save and fix on save are settings of the editor
            save: None,                 // saving has no effect
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        signature_help_provider: Some(signature_help::options()),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)), // definitions are declarations
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)), // the alias of a value's type
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Right(WorkspaceSymbolOptions {
            resolve_provider: None, // links are resolved together with the names
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(semantic_tokens::options().into()),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)), // one range at a time: `rangesFormatting` has no type yet
        document_on_type_formatting_provider: Some(formatting::on_type_options()),
        code_action_provider: Some(CodeActionProviderCapability::Options(code_action::options(session))),
        completion_provider: Some(CompletionOptions {
            resolve_provider: Some(true), // the documentation of an op is long
            trigger_characters: Some(["%", "@", "!", "#", "<"].map(str::to_string).to_vec()),
            all_commit_characters: None, // no character always ends a word
            completion_item: None,
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: None }), // they are cheap
        inlay_hint_provider: Some(inlay_hint::provider(session)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: None, // resolving a link does not touch the disk
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        diagnostic_provider: session.pulls.then(|| DiagnosticServerCapabilities::Options(diagnostic::options())),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::ALL.iter().map(|command| command.to_string()).collect(),
            work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None, // no file refers to another program; `textDocumentContent`: pages of diagnostics are files
        }),
        linked_editing_range_provider: None, // a name is written once where it is defined, and its uses can be far away: use rename
        inline_value_provider: Some(OneOf::Left(true)), // expressions for the debugger, and the output of runs
        implementation_provider: None,       // nothing has implementations
        color_provider: None,                // no colours in the language
        call_hierarchy_provider: None,       // there are no calls, and no types that inherit (`prepareTypeHierarchy`)
        moniker_provider: None,              // no names across projects
        inline_completion_provider: None,    // no guesses
        notebook_document_sync: None,        // no notebooks
        experimental: None, // `tile/runOutput`, `tile/launches` and `tile/targets` need no announcement
    }
}
