//! `tile lsp`.

use crate::fail;

/// Serves an editor over standard input and output until it leaves.
pub(crate) fn run() -> u8 {
    match tile_lsp::serve_stdio() {
        // A server that is told to `exit` without `shutdown` before ends with 1, as the protocol wants.
        Ok(in_order) => u8::from(!in_order),
        Err(error) => fail(format_args!("cannot start the language server: {error}")),
    }
}
