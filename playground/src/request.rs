//! The requests of the page.

use serde::Deserialize;

/// A request. Positions are in UTF-16 code units of the current text.
#[derive(Deserialize, Debug)]
#[serde(tag = "method", rename_all = "camelCase")]
pub(crate) enum Request {
    /// Replace the text.
    Open {
        /// The new text.
        text: String,
    },
    /// Change the text. The changes are in ascending order, and their positions are those before all of them.
    Edit {
        /// The replaced ranges and the new texts.
        changes: Vec<(u32, u32, String)>,
    },
    /// All diagnostics that need no run.
    Diagnostics,
    /// The edits of all safe fixes.
    FixAll,
    /// The refactorings for a range.
    Refactorings {
        /// The range.
        range: [u32; 2],
    },
    /// The documentation at a position, and what the last run left there.
    Hover {
        /// The position.
        at: u32,
    },
    /// The completions at a position.
    Completions {
        /// The position.
        at: u32,
    },
    /// The page of an op or of another topic of `tile doc`.
    Documentation {
        /// The name of the op.
        op: Option<String>,
        /// The key of the topic.
        topic: Option<String>,
    },
    /// The page of a diagnostic or a finding.
    Explain {
        /// Its code.
        code: String,
    },
    /// The semantic tokens of a range.
    Tokens {
        /// The range.
        range: [u32; 2],
    },
    /// The inlay hints of a range.
    Inlays {
        /// The range.
        range: [u32; 2],
    },
    /// The formatted text.
    Format,
    /// The definition of the name at a position.
    Definition {
        /// The position.
        at: u32,
    },
    /// The launches of the text.
    Launches,
    /// Keep a file that launches read, until another text is opened.
    AddFile {
        /// The name in the launches.
        name: String,
        /// The contents.
        bytes: Vec<u8>,
    },
    /// Run a launch. The answer contains the run in the form that `RestoreRun` takes.
    Run {
        /// The entry, without `@`.
        entry: String,
        /// The number of the launch among those of the entry.
        launch: usize,
        /// Whether the sanitizer is enabled.
        sanitize: bool,
    },
    /// Run a launch again to record what its values hold. Its buffers are in the answer, too.
    Record {
        /// The entry, without `@`.
        entry: String,
        /// The number of the launch among those of the entry.
        launch: usize,
    },
    /// Restore the last run, which another instance may have executed, for hovers.
    RestoreRun {
        /// The run, as `Run` and `Record` return it.
        run: String,
    },
    /// The data flow graph of the entry at a position, as a page.
    Graph {
        /// The position.
        at: u32,
    },
    /// The access map of the launch at a position, as a page.
    Accesses {
        /// The position.
        at: u32,
    },
    /// The elements of the value, buffer or expectation at a position, as a page. Runs the launch.
    View {
        /// The position.
        at: u32,
    },
    /// The text of a bytecode file.
    Decode {
        /// The file.
        bytes: Vec<u8>,
    },
}
