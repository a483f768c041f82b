//! Sessions with a worker that serves a queue of requests in this process.

use crate::program::jobs;
use crate::session::split;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::mpsc;
use tile_backend::debug::{Command, Debugging, Pace, Question};
use tile_backend::worker::contents::Viewed;
use tile_backend::worker::protocol::{self, Hello, Request, VERSION};
use tile_backend::worker::{Event, Job, serve_queue};

/// Examples of the messages below a program: options of the job, and commands of the debugger.
pub const MESSAGES: [&str; 30] = [
    "sanitize",
    "schedule 3",
    "trace %a",
    "trace %0",
    "whole",
    "block 0 0 0",
    "profile",
    "values",
    "buffers",
    "access 1",
    "save x",
    "view-value %a",
    "view-buffer x",
    "view-expectation 0",
    "debug",
    "go 0",
    "go 1",
    "go 2",
    "go 3",
    "go 4",
    "go 5",
    "to-block 1 0 0",
    "pause",
    "evaluate %a + 1",
    "evaluate %x[0:2]",
    "evaluate sum(%x)",
    "children 0 5 %x",
    "observe %x",
    "breakpoint 2",
    "again",
];

/// The paces of a run, by the number of a `go` message.
const PACES: [Pace; 6] = [Pace::Run, Pace::Into, Pace::Over, Pace::Out, Pace::Back, Pace::BackToBreakpoint];

/// Encoded messages of all kinds.
pub fn raw_seeds() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut add = |message: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = Vec::new();
        message(&mut bytes);
        all.push(bytes);
    };
    add(&|bytes| send(bytes, &Hello { protocol: VERSION, program: "0.1.0".to_string() }));
    add(&|bytes| send(bytes, &Request::Look));
    for pace in PACES {
        add(&|bytes| send(bytes, &Request::Debug(Command::Go(pace))));
    }
    add(&|bytes| send(bytes, &Request::Debug(Command::Ask(3, Question::Evaluate("%a".to_string())))));
    add(&|bytes| send(bytes, &Event::Printed { op: 1..2, block: Some([0, 1, 2]), text: b"text".to_vec() }));
    add(&|bytes| send(bytes, &Event::Done(Box::default())));
    for text in crate::seeds::texts().iter().filter(|text| text.len() < 500) {
        if let Some((job, _)) = jobs(text).pop() {
            add(&|bytes| send(bytes, &Request::Run(Box::new(job.clone()))));
        }
    }
    all
}

fn send(bytes: &mut Vec<u8>, message: &impl Serialize) {
    protocol::send(bytes, message).expect("a vector takes any message");
}

/// Reads bytes as messages of each kind.
pub fn read_messages(bytes: &[u8]) {
    read::<Hello>(bytes);
    read::<Request>(bytes);
    read::<Event>(bytes);
}

fn read<T: Serialize + DeserializeOwned>(mut bytes: &[u8]) {
    while let Ok(Some(message)) = protocol::receive::<T>(&mut bytes) {
        let mut once = Vec::new();
        send(&mut once, &message);
        let again = protocol::receive::<T>(&mut &once[..]).expect("a written message can be read");
        let mut twice = Vec::new();
        send(&mut twice, &again.expect("there is a message"));
        assert!(once == twice, "the message changes");
    }
}

fn numbers(text: &str) -> impl Iterator<Item = u32> {
    text.split(' ').map(|word| word.parse().unwrap_or(0))
}

fn block(text: &str) -> [u32; 3] {
    let mut numbers = numbers(text);
    [(); 3].map(|()| numbers.next().unwrap_or(0))
}

/// Applies a message to the job, or adds a command for the debugger.
fn apply(message: &str, job: &mut Job, commands: &mut Vec<Command>) {
    let (name, rest) = message.split_once(' ').unwrap_or((message, ""));
    let mut ask = |question| {
        let number = commands.len() as u64;
        commands.push(Command::Ask(number, question));
    };
    let watching = &mut job.watching;
    match name {
        "sanitize" => job.sanitize = true,
        "schedule" => job.schedule = numbers(rest).next().map(u64::from),
        "trace" => watching.trace.push(rest.to_string()),
        "whole" => watching.whole = true,
        "block" => watching.block = Some(block(rest)),
        "profile" => watching.profile = true,
        "values" => watching.values = true,
        "buffers" => watching.buffers = true,
        "access" => watching.accesses.extend(numbers(rest)),
        "save" => job.save.push(rest.to_string()),
        "view-value" => watching.view = Some(Viewed::Value(rest.to_string())),
        "view-buffer" => watching.view = Some(Viewed::Buffer(rest.to_string())),
        "view-expectation" => watching.view = numbers(rest).next().map(Viewed::Expectation),
        "debug" => job.debug = Some(Debugging { on_entry: true, ..Debugging::default() }),
        "go" => commands.push(Command::Go(PACES[numbers(rest).next().unwrap_or(0) as usize % PACES.len()])),
        "to-block" => commands.push(Command::Go(Pace::Block(block(rest)))),
        "pause" => commands.push(Command::Pause),
        "evaluate" => ask(Question::Evaluate(rest.to_string())),
        "observe" => ask(Question::Observe(rest.to_string())),
        "children" => {
            let mut parts = rest.splitn(3, ' ');
            let mut number = || parts.next().and_then(|word| word.parse().ok()).unwrap_or(0);
            let range = number()..number();
            ask(Question::Children { of: parts.next().unwrap_or("").to_string(), row: Vec::new(), range });
        }
        _ => {}
    }
}

/// Runs the first launch of a program with the options in the messages below it.
pub fn run_session(input: &str) {
    let (text, messages) = split(input);
    let Some((mut job, _)) = jobs(text).into_iter().next() else { return };
    let mut commands = Vec::new();
    messages.take(40).for_each(|message| apply(message, &mut job, &mut commands));
    let questions = commands.iter().filter(|command| matches!(command, Command::Ask(..))).count();
    let is_debugged = job.debug.is_some();
    let (queue, requests) = mpsc::channel();
    queue.send(Request::Run(Box::new(job))).expect("the queue is open");
    for command in commands {
        queue.send(Request::Debug(command)).expect("the queue is open");
    }
    drop(queue);
    let mut out = Vec::new();
    serve_queue(requests, &mut out).expect("a vector takes all output");
    let mut events = &out[..];
    let (mut done, mut answers) = (0, 0);
    while let Some(event) = protocol::receive::<Event>(&mut events).expect("the output consists of events") {
        assert!(done == 0, "{event:?} follows the report");
        match event {
            Event::Done(_) => done += 1,
            Event::Answer(..) => answers += 1,
            _ => {}
        }
    }
    assert_eq!(done, 1, "the job has one report");
    assert!(answers <= if is_debugged { questions } else { 0 }, "{answers} answers to {questions} questions");
}
