//! The commands: their names and what they take.

use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, ErrorCode};

/// The command that runs a launch. Its one argument is a [`RunRequest`].
pub(crate) const RUN: &str = "tile.run";

/// The command that runs a launch with the sanitizer. Its one argument is a [`RunRequest`]. It has a name of its own so that
/// clients find one lens with [`RUN`] for each launch.
pub(crate) const RUN_SANITIZED: &str = "tile.runSanitized";

/// The command that runs all launches of a document, one after the other. Its one argument is `{"uri"}`.
pub(crate) const TEST_ALL: &str = "tile.testAll";

/// The command that shows the bytecode of a document as text. Its one argument is [`Shown`].
pub(crate) const SHOW_BYTECODE: &str = "tile.showBytecode";

/// The command that gives the bytecode of a document. Its one argument is `{"uri"}`.
pub(crate) const COPY_BYTECODE: &str = "tile.copyBytecode";

/// The command that shows the PTX that NVIDIA's compiler makes of a document. Its one argument is [`Shown`].
pub(crate) const SHOW_PTX: &str = "tile.showPtx";

/// The command that shows the instructions of a GPU. Its one argument is [`Shown`].
pub(crate) const SHOW_SASS: &str = "tile.showSass";

/// The command that debugs a launch. Its one argument is a [`RunRequest`]. It is the client's, which starts `tile debug-adapter`:
/// lenses carry it for clients that say they have it.
pub(crate) const DEBUG: &str = "tile.debug";

/// All commands of the server.
pub(crate) const ALL: &[&str] = &[RUN, RUN_SANITIZED, TEST_ALL, SHOW_BYTECODE, COPY_BYTECODE, SHOW_PTX, SHOW_SASS];

/// What to run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunRequest {
    /// The document.
    pub(crate) uri: String,
    /// The entry, without `@`.
    pub(crate) entry: String,
    /// The launch, by its name; the first one where there is none.
    #[serde(default)]
    pub(crate) launch: Option<String>,
    /// Whether the sanitizer looks on: races, unordered accesses and values that nobody has set are found, and the run takes
    /// longer.
    #[serde(default = "sanitized")]
    pub(crate) sanitize: bool,
    /// What to run on, as `tile run --target` takes it; what the settings say where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
}

/// Who says nothing about it wants to know all.
fn sanitized() -> bool {
    true
}

impl RunRequest {
    /// What runs of this launch are called.
    pub(crate) fn name(&self) -> String {
        format!("tile.run {} @{} {}", self.uri, self.entry, self.launch.as_deref().unwrap_or_default())
    }
}

/// A text that is made of a document.
#[derive(Deserialize)]
pub(crate) struct Shown {
    /// The document.
    pub(crate) uri: String,
    /// The GPU that code is made for; what the settings say where it is left out.
    #[serde(default)]
    pub(crate) gpu: Option<String>,
    /// Whether the server shows it: as a file, for clients that do not show the text of the answer themselves.
    #[serde(default = "shown")]
    pub(crate) show: bool,
}

fn shown() -> bool {
    true
}

/// The request is understood, but cannot be carried out.
pub(crate) fn refused(message: String) -> Error {
    const REQUEST_FAILED: i64 = -32803;
    Error { message: message.into(), ..Error::new(ErrorCode::ServerError(REQUEST_FAILED)) }
}
