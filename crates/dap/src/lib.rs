//! The debug adapter: steps through a launch op by op, in any editor that speaks the Debug Adapter Protocol.
//!
//! Invariants:
//!
//! - The adapter contains no rule of Tile IR and runs nothing itself. A worker process runs the launch on the CPU
//!   engine and stops at the requested ops ([`tile_backend::debug`]); the adapter maps lines to ops, and values to
//!   variables.
//! - The adapter reads no files: the caller of [`serve`] prepares the launch.
//!
//! Modules: `protocol` defines the messages and `wire` transports them; `session` handles the requests; `run` owns the
//! worker and handles its events; `source` maps ops to lines; `breakpoints` parses breakpoints, and `console` commands;
//! `stack` and `values` describe a stopped run.

mod breakpoints;
mod console;
mod prepare;
mod protocol;
mod run;
mod session;
mod source;
mod stack;
mod values;
mod wire;

pub use prepare::{LaunchRequest, Prepare, Prepared};

use std::io::{self, BufRead, Write};
use wire::Received;

/// Serves one editor until it disconnects. Returns an error if the connection fails; malformed messages are reported to
/// the editor and skipped.
pub fn serve(input: impl BufRead, output: impl Write + Send + 'static, prepare: Prepare<'_>) -> io::Result<()> {
    let mut input = wire::Input::new(input);
    let output = wire::Output::new(output);
    let mut session = session::Session::new(output.clone(), prepare);
    let served = serve_session(&mut session, &mut input, &output);
    session.end();
    output.finish();
    served
}

/// Serves one editor until it disconnects or its input ends.
fn serve_session(
    session: &mut session::Session<'_>,
    input: &mut wire::Input<impl BufRead>,
    output: &wire::Output,
) -> io::Result<()> {
    while let Some(received) = input.next()? {
        match received {
            Received::Skipped(why) => output.report_skipped(&why)?,
            Received::Message(request) => {
                if session.handle(request)? {
                    break;
                }
            }
        }
    }
    Ok(())
}
