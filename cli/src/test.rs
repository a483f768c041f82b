//! `tile test`.

mod arguments;
mod queue;
mod reporter;

pub(crate) use arguments::Arguments;

use crate::launch_options::needs_cpu;
use crate::messages::{fail, output_failed};
use crate::{project, sources};
use queue::Queue;
use reporter::Reporter;
use std::ops::ControlFlow;
use std::thread::available_parallelism;
use tile_backend::worker::{self, Host, Target};

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let hosts: Vec<Host> = arguments.target.iter().map(|host| arguments.launcher.before(host)).collect();
    for host in &hosts {
        if let Err(message) = needs_cpu(host.target, &[("--schedule", arguments.schedule.is_some())]) {
            return fail(message);
        }
    }
    if arguments.libraries.is_given() && hosts.iter().all(|host| host.target == Target::Cpu) {
        return fail("`--library` is only supported on GPUs; add `--target cuda`");
    }
    let libraries = match arguments.libraries.read() {
        Ok(libraries) => libraries,
        Err(message) => return fail(message),
    };
    let here = [".".to_string()];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    let configs = project::configs();
    let queue = Queue::new(arguments, libraries, &configs, sources::find(paths, &configs));
    let is_local_cpu = hosts.iter().all(|host| *host == Host::default());
    let cores = || available_parallelism().ok().filter(|_| is_local_cpu);
    let workers = arguments.jobs.or_else(cores).map_or(hosts.len(), usize::from);
    let mut reporter = Reporter::new(arguments.output_format, arguments.limit);
    let mut broken = None;
    worker::in_order(&hosts, workers, queue, |item, outcome| match reporter.report(&item, outcome) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            broken = Some(error);
            ControlFlow::Break(())
        }
    });
    match broken.map_or_else(|| reporter.finish(&arguments.filter, arguments.allow_empty), Err) {
        Ok(()) => reporter.status(),
        Err(error) => output_failed(&error).max(reporter.status()),
    }
}
