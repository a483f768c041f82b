//! The capabilities of the server. Every method of the protocol (3.17, and the additions of 3.18) is listed in this
//! file, with the reason where it is not supported.
//!
//! Methods without a server capability:
//! - answered: `initialize`, `initialized`, `shutdown`, `exit`, `$/cancelRequest` and `window/workDoneProgress/cancel`;
//! - ignored: `$/setTrace`, since the messages themselves show everything worth tracing;
//! - not sent: `$/logTrace`, and `telemetry/event`, since nothing is collected; `window/showMessageRequest`, since the
//!   server has no questions for the user;
//!   `workspace/workspaceFolders`, since the client reports changed folders;
//! - sent: `window/showMessage`, `window/logMessage` and `window/showDocument`, for the results of commands, for
//!   errors, and to open a document that the user asked for;
//! - sent if the client supports it: `textDocument/publishDiagnostics`, `$/progress`, `window/workDoneProgress/create`,
//!   `client/registerCapability` (settings and watched files cannot be requested in another way),
//!   `workspace/configuration`, `workspace/applyEdit` for the command that adds a launch,
//!   `workspace/{inlayHint,semanticTokens,diagnostic,codeLens}/refresh`;
//! - not needed: `client/unregisterCapability`, since registrations last as long as the session;
//!   `workspace/inlineValue/refresh`, `workspace/foldingRange/refresh` and `workspace/textDocumentContent/refresh`,
//!   since their results depend on the text alone or are not offered.

use crate::commands;
use crate::requests::{code_action, diagnostic, formatting, inlay_hint, semantic_tokens, signature_help};
use crate::session::Session;
use tower_lsp::ls_types::*;

/// Returns the capabilities to announce to a client.
pub(crate) fn capabilities(session: &Session) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(session.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            will_save: None,            // nothing happens on save
            will_save_wait_until: None, // formatting and fixing on save are settings of the editor
            save: None,                 // nothing happens on save
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        signature_help_provider: Some(signature_help::options()),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)), // definitions are declarations
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)), // goes to the alias of a value's type
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Right(WorkspaceSymbolOptions {
            resolve_provider: None, // locations are known together with the names
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(semantic_tokens::options().into()),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)), // one range at a time: `rangesFormatting` is not in `ls_types` yet
        document_on_type_formatting_provider: Some(formatting::on_type_options()),
        code_action_provider: Some(CodeActionProviderCapability::Options(code_action::options(session))),
        completion_provider: Some(CompletionOptions {
            resolve_provider: Some(true), // the documentation of an op is long
            trigger_characters: Some(["%", "@", "!", "#", "<", " "].map(str::to_string).to_vec()),
            all_commit_characters: None, // no character always ends a name
            completion_item: None,
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: None }), // they are cheap
        inlay_hint_provider: Some(inlay_hint::provider(session)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: None, // links are resolved without looking at the disk
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
        linked_editing_range_provider: None, // a name is written once at its definition, and its uses may be far away: rename
        inline_completion_provider: Some(OneOf::Left(true)),
        inline_value_provider: Some(OneOf::Left(true)), // expressions to evaluate in the debugger, and the output of runs
        implementation_provider: None,                  // there is nothing to implement
        color_provider: None,                           // no colors in the language
        call_hierarchy_provider: None, // there are no calls; `prepareTypeHierarchy`: there is no inheritance
        moniker_provider: None,        // no symbols are shared across projects
        notebook_document_sync: None,  // no notebooks
        experimental: None,            // `tile/runOutput` and the requests `tile/…` need no announcement
    }
}
