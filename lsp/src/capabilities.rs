//! What the server can do. Every field of the protocol stands here, with the reason where there is nothing.

use crate::requests::{execute_command, semantic_tokens};
use crate::session::Session;
use tower_lsp::ls_types::*;

/// The capabilities for a client.
pub(crate) fn capabilities(session: &Session) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(session.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            will_save: None,            // nothing happens on saving
            will_save_wait_until: None, // formatting on save is the editor's setting
            save: None,                 // nothing happens on saving
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            resolve_provider: None, // the edits are small
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            resolve_provider: Some(true), // the documentation of an op is long
            trigger_characters: Some(["%", "@", "!", "<"].map(str::to_string).to_vec()),
            all_commit_characters: None, // no character ends a word for sure
            completion_item: None,
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: None }), // they are cheap
        inlay_hint_provider: Some(OneOf::Left(true)),                         // what a run printed
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![execute_command::RUN.to_string()],
            work_done_progress_options: WorkDoneProgressOptions::default(), // output is streamed instead
        }),
        signature_help_provider: None, // not yet: the op's form with the part at the cursor
        rename_provider: None,         // not yet: references are known
        semantic_tokens_provider: Some(semantic_tokens::options().into()),
        selection_range_provider: None,             // not yet
        document_range_formatting_provider: None,   // not yet
        document_on_type_formatting_provider: None, // not yet
        workspace_symbol_provider: None,            // not yet: only open files are known
        diagnostic_provider: None,                  // not yet: diagnostics are pushed
        inline_value_provider: None,                // not yet: needs a debugger
        type_definition_provider: None,             // types have no definitions; aliases are found as definitions
        implementation_provider: None,              // nothing has implementations
        declaration_provider: None,                 // definitions are declarations
        document_link_provider: None,               // not yet: files of `npy(…)`
        color_provider: None,                       // no colours in the language
        call_hierarchy_provider: None,              // nothing calls anything
        moniker_provider: None,                     // no names across projects
        linked_editing_range_provider: None,        // nothing is written twice
        inline_completion_provider: None,           // no guesses
        notebook_document_sync: None,               // no notebooks
        workspace: None,                            // every file stands for itself
        experimental: None,                         // `tile/runOutput` needs no announcement
    }
}
