//! The commands: their names and arguments.

use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, ErrorCode};

/// Runs a launch. Its one argument is a [`RunRequest`].
pub(crate) const RUN: &str = "tile.run";

/// Runs a launch with the sanitizer. Its one argument is a [`RunRequest`]. The name is separate so that clients find
/// exactly one lens with [`RUN`] for each launch.
pub(crate) const RUN_SANITIZED: &str = "tile.runSanitized";

/// Runs a launch and shows the cost of each line. Its one argument is a [`RunRequest`].
pub(crate) const PROFILE: &str = "tile.profile";

/// Runs a launch and shows each value when it is computed. Its one argument is a [`RunRequest`].
pub(crate) const TRACE: &str = "tile.trace";

/// Measures a launch on a GPU. Its one argument is a [`RunRequest`].
pub(crate) const BENCH: &str = "tile.bench";

/// Searches for the fastest hints of a launch on a GPU, and offers to write them. Its one argument is a [`RunRequest`].
pub(crate) const TUNE: &str = "tile.tune";

/// Runs all launches of a document, one after the other. Its one argument is `{"uri"}`.
pub(crate) const TEST_ALL: &str = "tile.testAll";

/// Shows the bytecode of a document as text. Its one argument is a [`ShowRequest`].
pub(crate) const SHOW_BYTECODE: &str = "tile.showBytecode";

/// Returns the bytecode of a document. Its one argument is `{"uri"}`.
pub(crate) const COPY_BYTECODE: &str = "tile.copyBytecode";

/// Shows the PTX that NVIDIA's compiler generates for a document. Its one argument is a [`ShowRequest`].
pub(crate) const SHOW_PTX: &str = "tile.showPtx";

/// Shows the machine code (SASS) of a document for a GPU. Its one argument is a [`ShowRequest`].
pub(crate) const SHOW_SASS: &str = "tile.showSass";

/// Shows the optimizations that NVIDIA's compiler did not make, as diagnostics. Its one argument is a [`ShowRequest`].
pub(crate) const REMARKS: &str = "tile.remarks";

/// Adds a launch above an entry without one. Its one argument is an [`AddLaunchRequest`].
pub(crate) const ADD_LAUNCH: &str = "tile.addLaunch";

/// Debugs a launch. Its one argument is a [`RunRequest`]. The client implements it by starting `tile debug-adapter`;
/// lenses use it if the client announces it.
pub(crate) const DEBUG: &str = "tile.debug";

/// Shows the elements at a position as a table. Its one argument is `{"uri", "position"}`. The client implements it
/// with `tile/view`; code actions use it if the client announces it.
pub(crate) const VIEW: &str = "tile.view";

/// All commands of the server.
pub(crate) const ALL: &[&str] = &[
    RUN,
    RUN_SANITIZED,
    PROFILE,
    TRACE,
    BENCH,
    TUNE,
    TEST_ALL,
    ADD_LAUNCH,
    SHOW_BYTECODE,
    COPY_BYTECODE,
    SHOW_PTX,
    SHOW_SASS,
    REMARKS,
];

/// The arguments of a run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunRequest {
    /// The document.
    pub(crate) uri: String,
    /// The entry, without `@`.
    pub(crate) entry: String,
    /// The launch's name; defaults to the first launch.
    #[serde(default)]
    pub(crate) launch: Option<String>,
    /// Whether to run with the sanitizer, which finds data races, unordered accesses and uninitialized values, at the
    /// cost of a longer run.
    #[serde(default = "default_sanitize")]
    pub(crate) sanitize: bool,
    /// The target, as for `tile run --target`; defaults to the setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    /// What to observe.
    #[serde(default, skip_serializing_if = "Observe::is_nothing")]
    pub(crate) observe: Observe,
    /// Whether this is a test, which has the time limit of tests.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) test: bool,
    /// The values to trace; all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) values: Vec<String>,
    /// The tile block to trace; defaults to the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) block: Option<[u32; 3]>,
}

/// What a run observes besides its results.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Observe {
    /// Nothing.
    #[default]
    Nothing,
    /// The cost of each op.
    Profile,
    /// Each value when it is computed.
    Trace,
    /// The time of many runs on a GPU.
    Bench,
}

impl Observe {
    fn is_nothing(&self) -> bool {
        *self == Observe::Nothing
    }

    /// Whether only the CPU engine can observe it.
    pub(crate) fn needs_cpu(self) -> bool {
        matches!(self, Observe::Profile | Observe::Trace)
    }
}

/// The default of [`RunRequest::sanitize`].
fn default_sanitize() -> bool {
    true
}

impl RunRequest {
    /// A run of a launch that observes nothing, on the target of the settings.
    pub(crate) fn new(uri: &str, entry: &str, launch: Option<String>, sanitize: bool) -> RunRequest {
        let (uri, entry) = (uri.to_string(), entry.to_string());
        let (target, observe, values, block) = (None, Observe::Nothing, Vec::new(), None);
        RunRequest { uri, entry, launch, sanitize, target, observe, test: false, values, block }
    }

    /// The name of this launch's runs, for [`crate::tasks`].
    pub(crate) fn name(&self) -> String {
        format!("tile.run {} @{} {}", self.uri, self.entry, self.launch.as_deref().unwrap_or_default())
    }
}

/// The arguments of the command that adds a launch.
#[derive(Deserialize)]
pub(crate) struct AddLaunchRequest {
    /// The document.
    pub(crate) uri: String,
    /// The entry, without `@`.
    pub(crate) entry: String,
}

/// The arguments of a command that compiles a document or shows a text generated from it.
#[derive(Deserialize)]
pub(crate) struct ShowRequest {
    /// The document.
    pub(crate) uri: String,
    /// The GPU to generate code for; defaults to the setting.
    #[serde(default)]
    pub(crate) gpu: Option<String>,
    /// Whether the server shows the text as a file, or a message, for clients that do not show the answer themselves.
    #[serde(default = "default_show")]
    pub(crate) show: bool,
}

fn default_show() -> bool {
    true
}

/// Returns the error for a request that was understood but cannot be carried out.
pub(crate) fn refused(message: String) -> Error {
    const REQUEST_FAILED: i64 = -32803;
    Error { message: message.into(), ..Error::new(ErrorCode::ServerError(REQUEST_FAILED)) }
}
