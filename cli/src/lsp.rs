//! `tile lsp`.

use crate::fail;

/// Serve an editor over standard input and output.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Changes nothing: there is no other way to be served. Some editors say it.
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves an editor until it leaves.
pub(crate) fn run(_: &Arguments) -> u8 {
    match tile_lsp::serve_stdio() {
        // A server that is told to `exit` without `shutdown` before ends with 1, as the protocol wants.
        Ok(in_order) => u8::from(!in_order),
        Err(error) => fail(format_args!("cannot start the language server: {error}")),
    }
}
