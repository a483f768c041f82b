//! Replays recorded sessions of the worker protocol.
//!
//! A file in `sessions/` contains a command, the messages between it and its worker, and the output to the user. Each
//! message is recorded as JSON and as bytes. The tests replay both sides: given the recorded responses, the command
//! must send the same requests and print the same output; given the recorded requests, a worker must send the same
//! responses. After an intended change of a message, raise [`protocol::VERSION`] and record again with `TILE_RECORD=1`,
//! or with `TILE_RECORD=NAME` for one session.
//!
//! In sessions with a GPU, stand-ins replace the driver (a library) and the compiler (the script after `!` in the
//! session). A session on `cuda` without stand-ins shows a machine without a driver, and can be recorded only on such a
//! machine.

use crate::harness::{CommandOutput, Folder};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tile_backend::worker::protocol::{self, Event, Hello, Request};

/// A message: its sender, its JSON form, and its bytes.
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
    /// The script of the stand-in for the compiler; empty if there is none.
    compiler: String,
    /// The arguments of `tile`.
    arguments: Vec<String>,
    messages: Vec<Message>,
    /// The output to the user.
    output: String,
}

fn sessions_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions")
}

/// The names of all sessions.
fn names() -> Vec<String> {
    let files = fs::read_dir(sessions_folder()).expect("the folder exists").flatten().map(|file| file.path());
    let sessions = files.filter(|path| path.extension().is_some_and(|end| end == "session"));
    let mut names: Vec<String> =
        sessions.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    names
}

/// Decodes a message. Its type depends on the sender and on whether it is the first.
fn as_json(from: From, is_first: bool, bytes: &[u8]) -> String {
    fn of<T: Serialize + DeserializeOwned>(mut bytes: &[u8]) -> String {
        let message: T =
            protocol::receive(&mut bytes).expect("the bytes are a message").expect("the stream contains a message");
        assert!(bytes.is_empty(), "the bytes contain only one message");
        serde_json::to_string(&message).expect("every message has a JSON form")
    }
    match (from, is_first) {
        (From::Caller, _) => of::<Request>(bytes),
        (From::Worker, true) => of::<Hello>(bytes),
        (From::Worker, false) => of::<Event>(bytes),
    }
}

/// Encodes a message.
fn as_bytes(from: From, is_first: bool, json: &str) -> Vec<u8> {
    fn of<T: Serialize + DeserializeOwned>(json: &str) -> Vec<u8> {
        let message: T = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
        let mut bytes = Vec::new();
        protocol::send(&mut bytes, &message).expect("writing to a vector succeeds");
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
        let path = sessions_folder().join(format!("{name}.session"));
        let text = fs::read_to_string(&path).expect("the session can be read");
        let mut session = Session::default();
        let mut lines = text.lines();
        for line in &mut lines {
            let (mark, rest) = line.split_at(line.find(' ').map_or(line.len(), |blank| blank + 1));
            match mark {
                "# " => writeln!(session.about, "{rest}").expect("writing to a string succeeds"),
                "! " => writeln!(session.compiler, "{rest}").expect("writing to a string succeeds"),
                "protocol " => session.version = rest.parse().expect("a number"),
                "$ " => session.arguments = rest.split(' ').skip(1).map(str::to_string).collect(),
                "> " | "< " => {
                    let from = if mark == "> " { From::Caller } else { From::Worker };
                    session.messages.push(Message { from, json: rest.to_string(), bytes: Vec::new() });
                }
                "  " | " " => {
                    let dump = line.trim_start().split("  ").next().unwrap_or_default();
                    let byte = |hex: &str| u8::from_str_radix(hex, 16).expect("two digits");
                    let last = session.messages.last_mut().expect("bytes follow their message");
                    last.bytes.extend(dump.split(' ').map(byte));
                }
                "--" => break,
                other => panic!("{}: `{other}`", path.display()),
            }
        }
        session.output = lines.map(|line| format!("{line}\n")).collect();
        session
    }

    fn write(&self, name: &str) {
        let mut out = String::new();
        let w = &mut out;
        self.about.lines().for_each(|line| writeln!(w, "# {line}").expect("writing to a string succeeds"));
        self.compiler.lines().for_each(|line| writeln!(w, "! {line}").expect("writing to a string succeeds"));
        writeln!(w, "protocol {}\n$ tile {}", self.version, self.arguments.join(" "))
            .expect("writing to a string succeeds");
        for message in &self.messages {
            let mark = if message.from == From::Caller { '>' } else { '<' };
            writeln!(w, "{mark} {}", message.json).expect("writing to a string succeeds");
            for line in message.bytes.chunks(32) {
                let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
                let is_plain = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
                let text: String = line.iter().map(|&byte| if is_plain(byte) { byte as char } else { '.' }).collect();
                writeln!(w, "  {:95}  |{text}|", hex.join(" ")).expect("writing to a string succeeds");
            }
        }
        write!(w, "--\n{}", self.output).expect("writing to a string succeeds");
        fs::write(sessions_folder().join(format!("{name}.session")), out).expect("files can be written");
    }

    /// Whether the worker's side can be replayed on any machine: it uses no GPU, or stand-ins.
    fn is_portable(&self) -> bool {
        !self.arguments.iter().any(|argument| argument.starts_with("cuda")) || !self.compiler.is_empty()
    }

    /// A command in a folder of the session, with a relative path to the compiler, which is the same in every folder.
    fn command(&self, folder: &Folder, arguments: &[&str]) -> Command {
        let mut command = folder.command(arguments);
        command.env("TILE_TILEIRAS", "bin/tileiras");
        command
    }

    /// The index of the worker's first message, which has a different type than the others.
    fn first(&self) -> Option<usize> {
        self.messages.iter().position(|message| message.from == From::Worker)
    }

    /// The bytes of the messages, with consecutive messages of one sender joined.
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

    /// Merges the two sides of a session in the only possible order: the worker sends a greeting, and then a sequence
    /// of responses to each request.
    fn ordered(sent: &[u8], received: &[u8]) -> Vec<Message> {
        let (mut requests, mut answers) = (cut(sent).into_iter(), cut(received).into_iter());
        let mut messages = Vec::new();
        let mut take = |from: From, bytes: Vec<u8>| {
            let json = as_json(from, messages.is_empty(), &bytes);
            let is_end = is_last(&json);
            messages.push(Message { from, json, bytes });
            is_end
        };
        take(From::Worker, answers.next().expect("the worker sends a greeting"));
        for request in &mut requests {
            take(From::Caller, request);
            for answer in answers.by_ref() {
                if take(From::Worker, answer) {
                    break;
                }
            }
        }
        assert!(answers.next().is_none(), "every response belongs to a request");
        messages
    }
}

/// Whether a message is the last response to a request.
fn is_last(json: &str) -> bool {
    ["{\"Done\":", "{\"Machine\":"].iter().any(|end| json.starts_with(end))
}

/// Splits the bytes of one side into messages.
fn cut(mut stream: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    while let Some((length, _)) = stream.split_first_chunk() {
        let (message, rest) = stream.split_at(4 + u32::from_le_bytes(*length) as usize);
        found.push(message.to_vec());
        stream = rest;
    }
    found
}

/// A folder with the programs of all sessions, and with the stand-ins of this one.
fn folder(session: &Session) -> Folder {
    let folder = if session.compiler.is_empty() { Folder::hello() } else { Folder::with_gpu(&session.compiler) };
    for file in fs::read_dir(sessions_folder()).expect("the folder exists").flatten() {
        fs::copy(file.path(), folder.path(&file.file_name().to_string_lossy())).expect("files can be written");
    }
    folder
}

/// Formats the output to the user, without the version and machine-dependent parts.
fn report(folder: &Folder, output: &CommandOutput) -> String {
    let status = output.status.map_or("killed".to_string(), |status| status.to_string());
    let all = format!("exit status {status}\n-- output\n{}-- messages\n{}", output.out, output.err);
    let all = all.replace(&folder.path("").display().to_string(), "");
    let all = all.replace(concat!("tile: ", env!("CARGO_PKG_VERSION")), "tile: VERSION");
    let reports = all.split_inclusive("crash-").map(|part| match part.split_once(".tar") {
        Some((name, rest)) if name.chars().all(|c| c.is_ascii_digit() || c == '-') => format!("N.tar{rest}"),
        _ => part.to_string(),
    });
    reports.collect()
}

/// Runs the command with a worker that sends the recorded messages. Returns the bytes that the command sends to it, and
/// the output to the user.
fn replay(session: &Session) -> (Vec<u8>, String) {
    let folder = folder(session);
    let mut script = "#!/bin/sh\n".to_string();
    for (number, (from, bytes)) in session.turns().iter().enumerate() {
        // If the command sends less than recorded, `timeout` ends the wait.
        match from {
            From::Caller => {
                writeln!(script, "timeout 120 head -c {} >> sent", bytes.len()).expect("writing to a string succeeds")
            }
            From::Worker => {
                fs::write(folder.path(&format!("reply{number}")), bytes).expect("files can be written");
                writeln!(script, "cat reply{number}").expect("writing to a string succeeds");
            }
        }
    }
    script.push_str("cat >> sent\n");
    folder.script("worker.sh", &script);
    let output = called(&folder, session, "./worker.sh");
    (fs::read(folder.path("sent")).unwrap_or_default(), output)
}

fn called(folder: &Folder, session: &Session, launcher: &str) -> String {
    let arguments: Vec<&str> = session.arguments.iter().map(String::as_str).chain(["--launcher", launcher]).collect();
    report(folder, &CommandOutput::from(session.command(folder, &arguments).output().expect("the command runs")))
}

/// A message of a worker without parts that differ between runs; `None` for messages that depend on timing.
fn reproducible(json: &str) -> Option<serde_json::Value> {
    let mut value: serde_json::Value = serde_json::from_str(json).expect("the message is JSON");
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

/// Sends the requests of a session to a worker. Returns its messages.
fn answers(session: &Session) -> Vec<Message> {
    let folder = folder(session);
    let mut worker = session
        .command(&folder, &["worker"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the worker starts");
    let (mut input, output) = (worker.stdin.take().expect("piped"), worker.stdout.take().expect("piped"));
    let mut output = BufReader::new(output);
    let mut found: Vec<Message> = Vec::new();
    let mut next = |found: &mut Vec<Message>| {
        let mut length = [0; 4];
        output.read_exact(&mut length).expect("the worker sends a message");
        let mut bytes = length.to_vec();
        bytes.resize(4 + u32::from_le_bytes(length) as usize, 0);
        output.read_exact(&mut bytes[4..]).expect("the message is complete");
        let json = as_json(From::Worker, found.is_empty(), &bytes);
        found.push(Message { from: From::Worker, json, bytes });
    };
    next(&mut found);
    for request in session.messages.iter().filter(|message| message.from == From::Caller) {
        input.write_all(&request.bytes).expect("the worker reads its input");
        next(&mut found);
        while !found.last().is_some_and(|message| is_last(&message.json)) {
            next(&mut found);
        }
    }
    drop(input);
    assert!(worker.wait().expect("the worker is our child").success(), "the worker ends with its input");
    found
}

/// The message on a machine without a driver.
const NO_DRIVER: &str = "no NVIDIA driver found";

const CHANGED: &str = "the worker protocol has changed: raise `worker::protocol::VERSION`, then record again with \
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
fn recorded_sessions_replay() {
    if let Ok(wanted) = std::env::var("TILE_RECORD") {
        let is_wanted = |name: &&String| wanted == "1" || wanted == **name;
        let wanted_names: Vec<String> = names().iter().filter(is_wanted).cloned().collect();
        assert!(!wanted_names.is_empty(), "no session is called `{wanted}`");
        wanted_names.iter().for_each(|name| record(name));
    }
    for name in names() {
        let session = Session::read(&name);
        assert_eq!(
            session.version,
            protocol::VERSION,
            "{name}: record again, see the comment at the start of this file"
        );
        assert!(is_current(&session), "{name}: {CHANGED}");
        let (sent, output) = replay(&session);
        assert_eq!(output, session.output, "{name}: the output to the user");
        let asked: Vec<String> = cut(&sent).iter().map(|bytes| as_json(From::Caller, false, bytes)).collect();
        let recorded = session.messages.iter().filter(|message| message.from == From::Caller);
        assert_eq!(asked, recorded.map(|message| message.json.clone()).collect::<Vec<_>>(), "{name}: the requests");
        assert_eq!(sent, session.bytes_of(From::Caller), "{name}: {CHANGED}");
        if session.is_portable() {
            let of_worker = |messages: &[Message]| {
                let own = messages.iter().filter(|message| message.from == From::Worker);
                own.filter_map(|message| reproducible(&message.json)).collect::<Vec<_>>()
            };
            assert_eq!(of_worker(&answers(&session)), of_worker(&session.messages), "{name}: the responses");
        }
    }
}

#[test]
fn changes_are_detected() {
    let session = Session::read("cpu-run");
    for (index, message) in session.messages.iter().enumerate() {
        for at in [0, message.bytes.len() / 2, message.bytes.len() - 1] {
            let mut other = Session { messages: session.messages.clone(), ..Session::default() };
            other.messages[index].bytes[at] ^= 1;
            assert!(!is_current(&other), "byte {at} of message {index}");
        }
    }
    // A worker with another version.
    let mut other = Session { arguments: session.arguments.clone(), ..Session::default() };
    let json = format!("{{\"protocol\":{},\"program\":\"7.8.9\"}}", protocol::VERSION + 1);
    let bytes = as_bytes(From::Worker, true, &json);
    other.messages.push(Message { from: From::Worker, json, bytes });
    let (sent, output) = replay(&other);
    assert!(sent.is_empty() && output.contains("the worker has version 7.8.9"), "{output}");
}

/// Records a session again, with a worker on this machine.
fn record(name: &str) {
    let mut session = Session::read(name);
    assert!(
        session.version != protocol::VERSION || session.messages.is_empty() || is_current(&session),
        "{name}: {CHANGED}"
    );
    let folder = folder(&session);
    let (script, tile) = (sessions_folder().join("tee.sh"), env!("CARGO_BIN_EXE_tile"));
    let launcher = format!("sh '{}' sent received '{tile}'", script.display());
    let output = called(&folder, &session, &launcher);
    assert!(
        session.is_portable() || output.contains(NO_DRIVER),
        "{name}: this machine has an NVIDIA driver; record this session on one that has none:\n{output}"
    );
    let read = |name: &str| fs::read(folder.path(name)).expect("the file was written");
    session.messages = Session::ordered(&read("sent"), &read("received"));
    session.version = protocol::VERSION;
    session.output = replay(&session).1;
    session.write(name);
}
