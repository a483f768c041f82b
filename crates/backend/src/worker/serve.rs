//! The worker side of the protocol.

use super::bench;
use super::gpu::Gpus;
use super::job;
use super::protocol::{Event, Hello, Request, VERSION, receive, send};
use super::requests::Requests;
use super::sandbox::Sandbox;
use crate::cuda::capture::Capture;
use crate::cuda::machine::Machine;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The time that an idle worker has to exit normally after its client closed the connection.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// Serves jobs for the CPU engine over standard input and output, in a sandbox if the system supports it. Must be
/// called before the process starts threads.
pub fn serve_sandboxed() -> io::Result<()> {
    // Systems without a sandbox run the same jobs; `tile doctor` reports what this one supports.
    Sandbox::enter();
    serve(io::stdin(), &mut io::stdout())
}

/// Serves jobs over standard input and output. If the system supports it, the output of GPU drivers is separated from
/// the worker's messages.
pub fn serve_standard() -> io::Result<()> {
    match Capture::start() {
        Ok((capture, mut out)) => serve_with(io::stdin(), &mut out, Gpus::new(capture)),
        Err(_) => serve(io::stdin(), &mut io::stdout()),
    }
}

/// Serves jobs until the input ends, which means that the client is gone. Then the process ends, even if a job is
/// running, the output is blocked, or an exit handler of a driver does not return.
pub fn serve(input: impl Read + Send + 'static, out: &mut (dyn Write + Send)) -> io::Result<()> {
    serve_with(input, out, Gpus::default())
}

fn serve_with(mut input: impl Read + Send + 'static, out: &mut (dyn Write + Send), mut gpus: Gpus) -> io::Result<()> {
    match send(out, &Hello { protocol: VERSION, program: env!("CARGO_PKG_VERSION").to_string() }) {
        // The client is gone already.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        reported => reported?,
    }
    let (jobs, requests) = mpsc::channel::<Request>();
    let is_busy = Arc::new(AtomicBool::new(false));
    let is_busy_now = is_busy.clone();
    std::thread::spawn(move || {
        while let Ok(Some(job)) = receive(&mut input) {
            if jobs.send(job).is_err() {
                break;
            }
        }
        // An idle worker returns from the loop below and exits normally.
        drop(jobs);
        if !is_busy_now.load(Ordering::Acquire) {
            std::thread::sleep(EXIT_GRACE);
        }
        end_now();
    });
    serve_requests(requests, out, &mut gpus, &is_busy)
}

/// Serves the requests of a queue until it is closed. Closing it ends a debugged run that has stopped.
pub fn serve_queue(requests: Receiver<Request>, out: &mut (dyn Write + Send)) -> io::Result<()> {
    serve_requests(requests, out, &mut Gpus::default(), &AtomicBool::new(false))
}

/// Serves the requests of a queue. `is_busy` is set while a request is served.
fn serve_requests(
    requests: Receiver<Request>,
    out: &mut (dyn Write + Send),
    gpus: &mut Gpus,
    is_busy: &AtomicBool,
) -> io::Result<()> {
    let requests = Requests(Mutex::new(requests));
    while let Some(request) = requests.next() {
        is_busy.store(true, Ordering::Release);
        let mut broken = None;
        let response = match request {
            Request::Look => Event::Machine(Box::new(Machine::inspect())),
            // The debugged run is already over.
            Request::Debug(_) => {
                is_busy.store(false, Ordering::Release);
                continue;
            }
            Request::Bench(job) => Event::Benched(bench::run(&job, gpus, &requests, &mut |event: Event| {
                if broken.is_none() {
                    broken = send(out, &event).err();
                }
            })),
            Request::Run(job) => Event::Done(Box::new(job::run(&job, gpus, &requests, &mut |event: Event| {
                if broken.is_none() {
                    broken = send(out, &event).err();
                }
            }))),
        };
        // The client may close the connection as soon as it has the response.
        is_busy.store(false, Ordering::Release);
        let reported = match broken {
            Some(error) => Err(error),
            None => send(out, &response),
        };
        match reported {
            // The client is gone.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            reported => reported?,
        }
        if gpus.broken {
            return Ok(());
        }
    }
    Ok(())
}

/// Ends this process without exit handlers, because the handler of a GPU driver can wait for a kernel that never ends.
fn end_now() {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::exit(0);
}
