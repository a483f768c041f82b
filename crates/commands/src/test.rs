//! `tile test`.

mod annotations;
mod arguments;
mod queue;
mod reporter;

pub(crate) use arguments::Arguments;

use crate::launch_options::needs_cpu;
use crate::messages::{fail, output_failed};
use crate::{interrupt, project, sources};
use queue::Queue;
use reporter::Reporter;
use std::ops::ControlFlow;
use std::thread::available_parallelism;
use tile_backend::worker::pool;
use tile_backend::worker::{Host, HostWorkers, PoolEvent, Start, Stopper, Target};

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let slots = slots(arguments);
    for host in &slots {
        if let Err(message) = needs_cpu(host.target, &[("--schedule", arguments.schedule.is_some())]) {
            return fail(message);
        }
    }
    if arguments.libraries.is_given() && slots.iter().all(|host| host.target == Target::Cpu) {
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
    let mut reporter = Reporter::new(arguments.output_format, arguments.limit, &slots);
    let stopper = Stopper::default();
    if slots.iter().any(|host| host.start != Start::Here) {
        let stopper = stopper.clone();
        interrupt::before_end(move || stopper.stop());
    }
    let mut broken = None;
    pool::in_order(&slots, queue, &stopper, |event| {
        let reported = match event {
            PoolEvent::Done(item, outcome) => reporter.report(&item, &outcome),
            PoolEvent::Host(host, event) => {
                reporter.report_host(&host, &event);
                Ok(())
            }
        };
        match reported {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                broken = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    interrupt::hold();
    match broken.map_or_else(|| reporter.finish(&arguments.filter, arguments.allow_empty), Err) {
        Ok(()) => reporter.status(),
        Err(error) => output_failed(&error).max(reporter.status()),
    }
}

/// The host of each worker: as many as `--jobs`, or else as the hosts have, or the cores of this machine.
fn slots(arguments: &Arguments) -> Vec<Host> {
    let hosts = arguments.launcher.before_all(&arguments.target);
    let slots = HostWorkers::assign(&hosts);
    let is_local_cpu = hosts.iter().all(|one| one.host == Host::default() && one.workers.is_none());
    let cores = || available_parallelism().ok().filter(|_| is_local_cpu);
    let workers = arguments.jobs.or_else(cores).map_or(slots.len(), usize::from);
    slots.into_iter().cycle().take(workers).collect()
}
