//! The worker's side: jobs in, events out.

use super::gpu::Gpus;
use super::job;
use super::protocol::{Event, Hello, Request, VERSION, receive, send};
use super::requests::Requests;
use crate::cuda::capture::Capture;
use crate::cuda::machine::Machine;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// How long an idle worker may take to exit in order once its caller has hung up.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// Serves jobs over standard input and output. Where the system allows it, what the driver of a GPU prints is kept apart
/// from what the worker says.
pub fn serve_standard() -> io::Result<()> {
    match Capture::start() {
        Ok((capture, mut out)) => serve_with(io::stdin(), &mut out, Gpus::new(capture)),
        Err(_) => serve(io::stdin(), &mut io::stdout()),
    }
}

/// Serves jobs until the input ends: the caller is gone then. The process ends too, even if a job runs, the output is
/// blocked, or an exit handler of a driver does not return.
pub fn serve(input: impl Read + Send + 'static, out: &mut (dyn Write + Send)) -> io::Result<()> {
    serve_with(input, out, Gpus::default())
}

fn serve_with(mut input: impl Read + Send + 'static, out: &mut (dyn Write + Send), mut gpus: Gpus) -> io::Result<()> {
    match send(out, &Hello { protocol: VERSION, program: env!("CARGO_PKG_VERSION").to_string() }) {
        // The caller did not wait for it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        reported => reported?,
    }
    let (jobs, requests) = mpsc::channel::<Request>();
    let requests = Requests(Mutex::new(requests));
    let is_busy = Arc::new(AtomicBool::new(false));
    let is_busy_now = is_busy.clone();
    std::thread::spawn(move || {
        while let Ok(Some(job)) = receive(&mut input) {
            if jobs.send(job).is_err() {
                break;
            }
        }
        // An idle worker returns from here and exits in order.
        drop(jobs);
        if !is_busy_now.load(Ordering::Acquire) {
            std::thread::sleep(EXIT_GRACE);
        }
        end_now();
    });
    while let Some(request) = requests.next() {
        is_busy.store(true, Ordering::Release);
        let mut broken = None;
        let answer = match request {
            Request::Look => Event::Machine(Box::new(Machine::look())),
            // The run that it was about is over.
            Request::Debug(_) => continue,
            Request::Run(job) => Event::Done(Box::new(job::run(&job, &mut gpus, &requests, &mut |event: Event| {
                if broken.is_none() {
                    broken = send(out, &event).err();
                }
            }))),
        };
        // Its caller may hang up as soon as it has the answer.
        is_busy.store(false, Ordering::Release);
        let reported = match broken {
            Some(error) => Err(error),
            None => send(out, &answer),
        };
        match reported {
            // The caller is gone, and with it whoever wanted to know.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            reported => reported?,
        }
        if gpus.broken {
            return Ok(());
        }
    }
    Ok(())
}

/// Ends this process without its exit handlers: that of a GPU's driver may wait for a kernel that never ends.
fn end_now() {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::exit(0);
}
