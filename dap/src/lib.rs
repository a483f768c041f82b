//! The debug adapter: a launch gone through op by op, in any editor that speaks the debug adapter protocol.
//!
//! Invariants:
//! - knows no rule of Tile IR and runs nothing itself: a worker process runs the launch on the CPU engine and stops where it
//!   is told ([`tile_backend::debug`]); this here turns lines into ops, and values into what an editor shows;
//! - reads no file: whoever calls [`serve`] prepares the launch that the editor wants.
//!
//! - `protocol`: the messages; `wire`: sending and receiving them; `session`: what is asked and answered; `run`: the worker, and what it tells; `source`: ops and
//!   lines; `values`: what is shown of a run that has stopped.

mod prepare;
mod protocol;
mod run;
mod session;
mod source;
mod values;
mod wire;

pub use prepare::{Prepare, Prepared, Wanted};

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
            Received::LeftOut(why) => output.left_out(&why)?,
            Received::Message(request) => {
                if session.handle(request)? {
                    break;
                }
            }
        }
    }
    Ok(())
}
