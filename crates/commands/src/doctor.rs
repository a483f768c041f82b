//! `tile doctor`.

use crate::gpu::Launcher;
use crate::interrupt;
use crate::messages::fail;
use tile_backend::cuda::machine::DoctorCheck;
use tile_backend::worker::{Sandbox, Start};

/// Report what can run on this machine and what is missing
///
/// Prints one line per component. The exit status is 1 if kernels cannot run on a GPU.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    launcher: Launcher,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let started = arguments.launcher.start().worker_with(interrupt::kill_before_end());
    let inspected = started.and_then(|mut worker| worker.inspect_machine());
    interrupt::hold();
    let machine = match inspected {
        Ok(machine) => machine,
        Err(error) => return fail(error),
    };
    let (lines, runs) = machine.lines();
    let shown = |DoctorCheck { is_fine, what, text }: &DoctorCheck| {
        let mark = if *is_fine { "ok     " } else { "missing" };
        format!("{mark} {what}: {}", text.replace('\n', " "))
    };
    let mut tile = format!("ok      tile: {}, the CPU engine runs everywhere", env!("CARGO_PKG_VERSION"));
    // Of another machine, only what its worker reports is known.
    if arguments.launcher.start() == Start::Here {
        tile += &format!("; its sandbox: {}", Sandbox::supported().description());
    }
    let mut all = vec![tile];
    all.extend(lines.iter().map(shown));
    crate::messages::print(all.join("\n")).max(u8::from(!runs))
}
