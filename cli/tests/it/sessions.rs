//! The messages between a worker and its caller, compared with recorded sessions.
//!
//! A file in `sessions/` contains a command, all messages to and from the worker that it started, and the user's
//! output. Each message is recorded in readable form and as bytes. The command has to send the same messages to a
//! worker that answers as recorded, and print the same; a worker has to answer the recorded requests in the same way.
//! So neither can change unnoticed: to change a message, raise [`protocol::VERSION`] and record again with
//! `TILE_RECORD=1`, or `TILE_RECORD=NAME` for one session.
//!
//! In sessions with a GPU, a library replaces its driver and a script the compiler; the script is in the lines of the
//! session that start with `!`. A session on `cuda` without them is one of a machine without a driver, and can only be
//! recorded on such a machine.

use crate::harness::{CommandOutput, Folder};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tile_backend::worker::protocol::{self, Event, Hello, Request};

/// A message: its sender, its readable form and its bytes.
#[derive(Clone, PartialEq, Debug)]
struct Message {
    from: From,
    json: String,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum From {
    Caller,
    Worker,
}

/// A recorded session.
#[derive(Default)]
struct Session {
    /// The description in its first lines.
    about: String,
    version: u32,
    /// The script of the compiler; empty if there is none.
    compiler: String,
    /// The arguments of `tile`.
    arguments: Vec<String>,
    messages: Vec<Message>,
    /// The user's output.
    reported: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions")
}

/// The names of all sessions.
fn names() -> Vec<String> {
    let files = fs::read_dir(folder()).expect("it is there").flatten().map(|file| file.path());
    let sessions = files.filter(|path| path.extension().is_some_and(|end| end == "session"));
    let mut names: Vec<String> =
        sessions.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    names
}

/// The readable form of a message, which depends on the sender and on whether it is the first one.
fn as_json(from: From, is_first: bool, bytes: &[u8]) -> String {
    fn of<T: Serialize + DeserializeOwned>(mut bytes: &[u8]) -> String {
        let message: T = protocol::receive(&mut bytes).expect("it is a message").expect("it is there");
        assert!(bytes.is_empty(), "its length is that of the message");
        serde_json::to_string(&message).expect("it has a readable form")
    }
    match (from, is_first) {
        (From::Caller, _) => of::<Request>(bytes),
        (From::Worker, true) => of::<Hello>(bytes),
        (From::Worker, false) => of::<Event>(bytes),
    }
}

fn as_bytes(from: From, is_first: bool, json: &str) -> Vec<u8> {
    fn of<T: Serialize + DeserializeOwned>(json: &str) -> Vec<u8> {
        let message: T = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
        let mut bytes = Vec::new();
        protocol::send(&mut bytes, &message).expect("memory takes everything");
        bytes
    }
    match (from, is_first) {
        (From::Caller, _) => of::<Request>(json),
        (From::Worker, true) => of::<Hello>(json),
        (From::Worker, false) => of::<Event>(json),
    }
}

impl Session {
    fn read(name: &str) -> Session {
        let path = folder().join(format!("{name}.session"));
        let text = fs::read_to_string(&path).expect("it can be read");
        let mut session = Session::default();
        let mut lines = text.lines();
        for line in &mut lines {
            let (mark, rest) = line.split_at(line.find(' ').map_or(line.len(), |blank| blank + 1));
            match mark {
                "# " => writeln!(session.about, "{rest}").expect("strings take everything"),
                "! " => writeln!(session.compiler, "{rest}").expect("strings take everything"),
                "protocol " => session.version = rest.parse().expect("a number"),
                "$ " => session.arguments = rest.split(' ').skip(1).map(str::to_string).collect(),
                "> " | "< " => {
                    let from = if mark == "> " { From::Caller } else { From::Worker };
                    session.messages.push(Message { from, json: rest.to_string(), bytes: Vec::new() });
                }
                "  " | " " => {
                    let dump = line.trim_start().split("  ").next().unwrap_or_default();
                    let byte = |hex: &str| u8::from_str_radix(hex, 16).expect("two digits");
                    let last = session.messages.last_mut().expect("bytes stand behind their message");
                    last.bytes.extend(dump.split(' ').map(byte));
                }
                "--" => break,
                other => panic!("{}: `{other}`", path.display()),
            }
        }
        session.reported = lines.map(|line| format!("{line}\n")).collect();
        session
    }

    fn write(&self, name: &str) {
        let mut out = String::new();
        let w = &mut out;
        self.about.lines().for_each(|line| writeln!(w, "# {line}").expect("strings take everything"));
        self.compiler.lines().for_each(|line| writeln!(w, "! {line}").expect("strings take everything"));
        writeln!(w, "protocol {}\n$ tile {}", self.version, self.arguments.join(" ")).expect("strings take everything");
        for message in &self.messages {
            let mark = if message.from == From::Caller { '>' } else { '<' };
            writeln!(w, "{mark} {}", message.json).expect("strings take everything");
            for line in message.bytes.chunks(32) {
                let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
                let is_plain = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
                let text: String = line.iter().map(|&byte| if is_plain(byte) { byte as char } else { '.' }).collect();
                writeln!(w, "  {:95}  |{text}|", hex.join(" ")).expect("strings take everything");
            }
        }
        write!(w, "--\n{}", self.reported).expect("strings take everything");
        fs::write(folder().join(format!("{name}.session")), out).expect("it takes files");
    }

    /// Whether the session can be replayed everywhere: it needs no GPU, or a simulated one.
    fn is_of_any_worker(&self) -> bool {
        !self.arguments.iter().any(|argument| argument.starts_with("cuda")) || !self.compiler.is_empty()
    }

    /// A command in a folder of the session. The names in the folder are always the same.
    fn command(&self, place: &Folder, arguments: &[&str]) -> Command {
        let mut command = place.command(arguments);
        command.env("TILE_TILEIRAS", "bin/tileiras");
        command
    }

    /// The position of the worker's first message, which is of another type than the others.
    fn first(&self) -> Option<usize> {
        self.messages.iter().position(|message| message.from == From::Worker)
    }

    /// The bytes of the messages, in runs of one sender.
    fn turns(&self) -> Vec<(From, Vec<u8>)> {
        let mut turns: Vec<(From, Vec<u8>)> = Vec::new();
        for message in &self.messages {
            match turns.last_mut() {
                Some((from, bytes)) if *from == message.from => bytes.extend(&message.bytes),
                _ => turns.push((message.from, message.bytes.clone())),
            }
        }
        turns
    }

    fn bytes_of(&self, from: From) -> Vec<u8> {
        self.messages.iter().filter(|message| message.from == from).flat_map(|message| message.bytes.clone()).collect()
    }

    /// Merges the messages of the two senders in the order in which they must have been sent: the worker greets, and
    /// answers every request until it is done.
    fn ordered(sent: &[u8], said: &[u8]) -> Vec<Message> {
        let (mut requests, mut answers) = (cut(sent).into_iter(), cut(said).into_iter());
        let mut messages = Vec::new();
        let mut take = |from: From, bytes: Vec<u8>| {
            let json = as_json(from, messages.is_empty(), &bytes);
            let is_end = is_last(&json);
            messages.push(Message { from, json, bytes });
            is_end
        };
        take(From::Worker, answers.next().expect("the worker greets"));
        for request in &mut requests {
            take(From::Caller, request);
            for answer in answers.by_ref() {
                if take(From::Worker, answer) {
                    break;
                }
            }
        }
        assert!(answers.next().is_none(), "nobody asked for more");
        messages
    }
}

/// Whether a message is the last response of a worker to a request.
fn is_last(json: &str) -> bool {
    ["{\"Done\":", "{\"Machine\":"].iter().any(|end| json.starts_with(end))
}

/// Splits the bytes of one sender into messages.
fn cut(mut stream: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    while let Some((length, _)) = stream.split_first_chunk() {
        let (message, rest) = stream.split_at(4 + u32::from_le_bytes(*length) as usize);
        found.push(message.to_vec());
        stream = rest;
    }
    found
}

/// A folder with the programs of all sessions, and with the simulated GPU of this one.
fn place(session: &Session) -> Folder {
    let place = if session.compiler.is_empty() { Folder::hello() } else { Folder::with_gpu(&session.compiler) };
    for file in fs::read_dir(folder()).expect("it is there").flatten() {
        fs::copy(file.path(), place.path(&file.file_name().to_string_lossy())).expect("it takes files");
    }
    place
}

/// The user's output without anything that depends on the machine.
fn normalized(place: &Folder, output: &CommandOutput) -> String {
    let status = output.status.map_or("killed".to_string(), |status| status.to_string());
    let all = format!("exit status {status}\n-- output\n{}-- messages\n{}", output.out, output.err);
    let all = all.replace(&place.path("").display().to_string(), "");
    let reports = all.split_inclusive("crash-").map(|part| match part.split_once(".tar") {
        Some((name, rest)) if name.chars().all(|c| c.is_ascii_digit() || c == '-') => format!("N.tar{rest}"),
        _ => part.to_string(),
    });
    reports.collect()
}

/// Runs the command with a worker that sends what was recorded. Returns the caller's messages and the user's output.
fn replay(session: &Session) -> (Vec<u8>, String) {
    let place = place(session);
    let mut script = "#!/bin/sh\n".to_string();
    for (number, (from, bytes)) in session.turns().iter().enumerate() {
        // Waits for a caller that sends less, but not forever.
        match from {
            From::Caller => {
                writeln!(script, "timeout 120 head -c {} >> sent", bytes.len()).expect("strings take everything")
            }
            From::Worker => {
                fs::write(place.path(&format!("said{number}")), bytes).expect("it takes files");
                writeln!(script, "cat said{number}").expect("strings take everything");
            }
        }
    }
    script.push_str("cat >> sent\n");
    place.script("worker.sh", &script);
    let reported = called(&place, session, "./worker.sh");
    (fs::read(place.path("sent")).unwrap_or_default(), reported)
}

fn called(place: &Folder, session: &Session, launcher: &str) -> String {
    let arguments: Vec<&str> = session.arguments.iter().map(String::as_str).chain(["--launcher", launcher]).collect();
    normalized(place, &CommandOutput::from(session.command(place, &arguments).output().expect("it runs")))
}

/// A message of a worker without values that differ from run to run; `None` if it is only sent at intervals.
fn lasting(json: &str) -> Option<serde_json::Value> {
    let mut value: serde_json::Value = serde_json::from_str(json).expect("it is readable");
    if value.get("Progress").is_some() {
        return None;
    }
    if let Some(report) = value.get_mut("Done") {
        (report["seconds"], report["waited"]) = (0.into(), 0.into());
    }
    if value.get("protocol").is_some() {
        value["program"] = "".into();
    }
    Some(value)
}

/// The answers of a worker to the requests of a session.
fn answers(session: &Session) -> Vec<Message> {
    let place = place(session);
    let mut worker =
        session.command(&place, &["worker"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let (mut input, output) = (worker.stdin.take().expect("piped"), worker.stdout.take().expect("piped"));
    let mut output = BufReader::new(output);
    let mut found: Vec<Message> = Vec::new();
    let mut next = |found: &mut Vec<Message>| {
        let mut length = [0; 4];
        output.read_exact(&mut length).expect("the worker speaks");
        let mut bytes = length.to_vec();
        bytes.resize(4 + u32::from_le_bytes(length) as usize, 0);
        output.read_exact(&mut bytes[4..]).expect("the worker speaks to the end");
        let json = as_json(From::Worker, found.is_empty(), &bytes);
        found.push(Message { from: From::Worker, json, bytes });
    };
    next(&mut found);
    for request in session.messages.iter().filter(|message| message.from == From::Caller) {
        input.write_all(&request.bytes).expect("the worker listens");
        next(&mut found);
        while !found.last().is_some_and(|message| is_last(&message.json)) {
            next(&mut found);
        }
    }
    drop(input);
    assert!(worker.wait().expect("it is ours").success(), "it ends when nobody asks any more");
    found
}

/// The output on a machine without a driver.
const NO_DRIVER: &str = "no NVIDIA driver found";

const ANEW: &str = "what a worker and its caller say has changed: raise `worker::protocol::VERSION`, then record again with \
                    `TILE_RECORD=1 cargo test -p tile --test it sessions`";

/// Whether every message of a session is encoded as recorded.
fn is_current(session: &Session) -> bool {
    let first = session.first();
    session.messages.iter().enumerate().all(|(index, message)| {
        let (from, is_first) = (message.from, Some(index) == first);
        let same = std::panic::catch_unwind(|| {
            as_json(from, is_first, &message.bytes) == message.json
                && as_bytes(from, is_first, &message.json) == message.bytes
        });
        same.unwrap_or(false)
    })
}

#[test]
fn sessions_go_as_they_went() {
    if let Ok(wanted) = std::env::var("TILE_RECORD") {
        let is_wanted = |name: &&String| wanted == "1" || wanted == **name;
        let wanted_names: Vec<String> = names().iter().filter(is_wanted).cloned().collect();
        assert!(!wanted_names.is_empty(), "no session is called `{wanted}`");
        wanted_names.iter().for_each(|name| record(name));
    }
    for name in names() {
        let session = Session::read(&name);
        assert_eq!(session.version, protocol::VERSION, "{name}: record again, see the head of this file");
        assert!(is_current(&session), "{name}: {ANEW}");
        let (sent, reported) = replay(&session);
        assert_eq!(reported, session.reported, "{name}: what the user is told");
        let asked: Vec<String> = cut(&sent).iter().map(|bytes| as_json(From::Caller, false, bytes)).collect();
        let recorded = session.messages.iter().filter(|message| message.from == From::Caller);
        assert_eq!(
            asked,
            recorded.map(|message| message.json.clone()).collect::<Vec<_>>(),
            "{name}: what is asked for"
        );
        assert_eq!(sent, session.bytes_of(From::Caller), "{name}: {ANEW}");
        if session.is_of_any_worker() {
            let lasting = |messages: &[Message]| {
                let own = messages.iter().filter(|message| message.from == From::Worker);
                own.filter_map(|message| lasting(&message.json)).collect::<Vec<_>>()
            };
            assert_eq!(lasting(&answers(&session)), lasting(&session.messages), "{name}: what the worker answers");
        }
    }
}

#[test]
fn what_changes_is_noticed() {
    let session = Session::read("cpu-run");
    for (index, message) in session.messages.iter().enumerate() {
        for at in [0, message.bytes.len() / 2, message.bytes.len() - 1] {
            let mut other = Session { messages: session.messages.clone(), ..Session::default() };
            other.messages[index].bytes[at] ^= 1;
            assert!(!is_current(&other), "byte {at} of message {index}");
        }
    }
    // A worker with another protocol version.
    let mut other = Session { arguments: session.arguments.clone(), ..Session::default() };
    let json = format!("{{\"protocol\":{},\"program\":\"7.8.9\"}}", protocol::VERSION + 1);
    let bytes = as_bytes(From::Worker, true, &json);
    other.messages.push(Message { from: From::Worker, json, bytes });
    let (sent, reported) = replay(&other);
    assert!(sent.is_empty() && reported.contains("the worker has version 7.8.9"), "{reported}");
}

/// Records a session again, with a worker of this machine.
fn record(name: &str) {
    let mut session = Session::read(name);
    assert!(
        session.version != protocol::VERSION || session.messages.is_empty() || is_current(&session),
        "{name}: {ANEW}"
    );
    let place = place(&session);
    let (script, tile) = (folder().join("tee.sh"), env!("CARGO_BIN_EXE_tile"));
    let launcher = format!("sh '{}' sent said '{tile}'", script.display());
    let reported = called(&place, &session, &launcher);
    assert!(
        session.is_of_any_worker() || reported.contains(NO_DRIVER),
        "{name}: this machine has an NVIDIA driver; record this session on one that has none:\n{reported}"
    );
    let read = |name: &str| fs::read(place.path(name)).expect("it was written");
    session.messages = Session::ordered(&read("sent"), &read("said"));
    session.version = protocol::VERSION;
    session.reported = replay(&session).1;
    session.write(name);
}
