//! The worker's side: jobs in, events out.

use super::gpu::Gpus;
use super::job;
use super::protocol::{Event, Hello, Request, VERSION, receive, send};
use crate::cuda::capture::Capture;
use crate::cuda::machine::Machine;
use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::sync::{Mutex, PoisonError};

/// What the caller asks for, in its order.
pub(super) struct Requests(Mutex<Receiver<Request>>);

impl Requests {
    /// The next one; `None` when the caller is gone.
    pub(super) fn next(&self) -> Option<Request> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
    }

    /// The next one if it is there.
    pub(super) fn waiting(&self) -> Result<Request, TryRecvError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).try_recv()
    }
}

/// Serves jobs over standard input and output. Where the system allows it, what the driver of a GPU prints is kept apart
/// from what the worker says.
pub fn serve_standard() -> io::Result<()> {
    match Capture::start() {
        Ok((capture, mut out)) => serve_with(io::stdin(), &mut out, Gpus::new(capture)),
        Err(_) => serve(io::stdin(), &mut io::stdout()),
    }
}

/// Serves jobs until the input ends. When it ends the process ends too, whatever it is doing: the caller is gone.
pub fn serve(input: impl Read + Send + 'static, out: &mut (dyn Write + Send)) -> io::Result<()> {
    serve_with(input, out, Gpus::default())
}

fn serve_with(mut input: impl Read + Send + 'static, out: &mut (dyn Write + Send), mut gpus: Gpus) -> io::Result<()> {
    match send(out, &Hello { protocol: VERSION, program: env!("CARGO_PKG_VERSION").to_string() }) {
        // The caller did not wait for it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        told => told?,
    }
    let (jobs, requests) = mpsc::channel::<Request>();
    let requests = Requests(Mutex::new(requests));
    std::thread::spawn(move || {
        while let Ok(Some(job)) = receive(&mut input) {
            if jobs.send(job).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    while let Some(request) = requests.next() {
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
        let told = match broken {
            Some(error) => Err(error),
            None => send(out, &answer),
        };
        match told {
            // The caller is gone, and with it whoever wanted to know.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            told => told?,
        }
        if gpus.broken {
            return Ok(());
        }
    }
    Ok(())
}
