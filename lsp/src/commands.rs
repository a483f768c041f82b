//! The commands of the server: their names and arguments.

use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, ErrorCode};

/// Runs a launch. The argument is a [`RunRequest`].
pub(crate) const RUN: &str = "tile.run";

/// Runs a launch with the sanitizer. The argument is a [`RunRequest`]. A separate command, so that clients find one
/// lens with [`RUN`] for each launch.
pub(crate) const RUN_SANITIZED: &str = "tile.runSanitized";

/// Runs all launches of a document one after another. The argument is `{"uri"}`.
pub(crate) const TEST_ALL: &str = "tile.testAll";

/// Shows the bytecode of a document as text. The argument is [`Shown`].
pub(crate) const SHOW_BYTECODE: &str = "tile.showBytecode";

/// Returns the bytecode of a document. The argument is `{"uri"}`.
pub(crate) const COPY_BYTECODE: &str = "tile.copyBytecode";

/// Shows the PTX that NVIDIA's compiler produces for a document. The argument is [`Shown`].
pub(crate) const SHOW_PTX: &str = "tile.showPtx";

/// Shows the GPU instructions of a document. The argument is [`Shown`].
pub(crate) const SHOW_SASS: &str = "tile.showSass";

/// Debugs a launch. The argument is a [`RunRequest`]. This is a command of the client, which starts `tile
/// debug-adapter`; lenses use it if the client says that it has it.
pub(crate) const DEBUG: &str = "tile.debug";

/// All commands of the server.
pub(crate) const ALL: &[&str] = &[RUN, RUN_SANITIZED, TEST_ALL, SHOW_BYTECODE, COPY_BYTECODE, SHOW_PTX, SHOW_SASS];

/// A request to run a launch.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunRequest {
    /// The document.
    pub(crate) uri: String,
    /// The entry, without `@`.
    pub(crate) entry: String,
    /// The name of the launch; defaults to the first one.
    #[serde(default)]
    pub(crate) launch: Option<String>,
    /// Whether to run with the sanitizer, which finds races, unordered accesses and uninitialized values, and takes
    /// longer.
    #[serde(default = "sanitized")]
    pub(crate) sanitize: bool,
    /// The target, in the syntax of `tile run --target`; defaults to the setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
}

/// The default of `sanitize`: find everything.
fn sanitized() -> bool {
    true
}

impl RunRequest {
    /// The name of runs of this launch.
    pub(crate) fn name(&self) -> String {
        format!("tile.run {} @{} {}", self.uri, self.entry, self.launch.as_deref().unwrap_or_default())
    }
}

/// A request for a text derived from a document.
#[derive(Deserialize)]
pub(crate) struct Shown {
    /// The document.
    pub(crate) uri: String,
    /// The GPU to compile for; defaults to the setting.
    #[serde(default)]
    pub(crate) gpu: Option<String>,
    /// Whether the server shows the text as a file, for clients that do not show the text of the answer themselves.
    #[serde(default = "shown")]
    pub(crate) show: bool,
}

fn shown() -> bool {
    true
}

/// The error for a valid request that cannot be carried out.
pub(crate) fn refused(message: String) -> Error {
    const REQUEST_FAILED: i64 = -32803;
    Error { message: message.into(), ..Error::new(ErrorCode::ServerError(REQUEST_FAILED)) }
}
