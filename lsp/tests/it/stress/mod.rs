//! A client that sends random messages in any order: edits, requests, cancellations, and messages that are invalid.
//! Every request has exactly one answer, nothing panics, and periodically all answers about each document are compared
//! with those of a new server.
//!
//! `TILE_STRESS_MESSAGES=1000000` sets the number of messages, `TILE_STRESS_LINES` the length of the longest document,
//! and `TILE_STRESS_SEED` the seed.

mod messages;

use crate::client::{Client, handshake};
use crate::random::all_answers;
use crate::text::{Text, examples};
use fastrand::Rng;
use messages::range;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The default number of messages.
const MESSAGES: usize = 2000;

/// The default length of the longest document, in lines.
const LINES: usize = 1000;

/// The number of messages between two comparisons.
const BETWEEN: usize = 1000;

/// The most requests that are open at the same time.
const MAX_OPEN: usize = 60;

/// Documents of the client, the first of which is the longest.
const DOCUMENTS: usize = 5;

/// A document that the client has open.
struct Document {
    text: Text,
    version: i64,
}

/// The client with what it knows about the server.
struct Session {
    client: Client,
    random: Rng,
    originals: Vec<String>,
    /// The open documents.
    open: HashMap<usize, Document>,
    /// The requests without an answer.
    asked: Vec<i64>,
    /// The greatest version of each document so far.
    versions: Vec<i64>,
    /// The parameters of `initialize`, with the current settings.
    parameters: Value,
    /// Whether the client pulls diagnostics.
    pulls: bool,
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn uri(document: usize) -> String {
    format!("file:///test/{document}.tile")
}

/// A program of at least this many lines: the bodies of examples, with other names in each copy.
fn long_program(lines: usize) -> String {
    let bodies: Vec<String> = examples()
        .iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(path).expect("the example is UTF-8");
            let (_, inside) = text.split_once("cuda_tile.module @")?;
            let body = inside.split_once("{\n")?.1.trim_end().strip_suffix('}')?;
            Some(body.to_string())
        })
        .collect();
    let mut program = "cuda_tile.module @long {\n".to_string();
    let mut count = 1;
    for (copy, body) in bodies.iter().cycle().enumerate() {
        if count >= lines {
            break;
        }
        program +=
            &body.replace("entry @", &format!("entry @c{copy}_")).replace("global @", &format!("global @c{copy}_"));
        count += body.matches('\n').count();
    }
    program + "}\n"
}

fn originals(lines: usize, random: &mut Rng) -> Vec<String> {
    let files = examples();
    let short = (1..DOCUMENTS).map(|index| {
        let file = random.choice(&files).expect("there are examples");
        let text = std::fs::read_to_string(file).expect("the example is UTF-8");
        if index == 2 { text.replace('\n', "\r\n") } else { text }
    });
    std::iter::once(long_program(lines)).chain(short).collect()
}

async fn start(parameters: &Value) -> Client {
    let mut parameters = parameters.clone();
    let mut client = Client::new();
    client.settings = parameters["initializationOptions"].clone();
    parameters["workspaceFolders"] = Value::Null;
    client.request("initialize", parameters).await.expect("the server starts");
    client.notify("initialized", json!({})).await;
    client
}

/// Fails if the server reports a panic.
fn assert_no_panic(message: &str) {
    assert!(!message.contains("please report it"), "{message}");
}

impl Session {
    async fn new(seed: u64, lines: usize) -> Session {
        let mut random = Rng::with_seed(seed);
        // Every second client pulls diagnostics.
        let pulls = seed.is_multiple_of(2);
        let mut parameters = if pulls { handshake("vscode") } else { json!({ "capabilities": {} }) };
        parameters["initializationOptions"] = messages::settings(&mut random);
        Session {
            client: start(&parameters).await,
            originals: originals(lines, &mut random),
            open: HashMap::new(),
            asked: Vec::new(),
            versions: vec![0; DOCUMENTS],
            random,
            parameters,
            pulls,
        }
    }

    fn pick(&mut self) -> usize {
        self.random.usize(..DOCUMENTS)
    }

    /// Opens a document, also if it is open already.
    async fn open(&mut self, document: usize) {
        self.versions[document] += 1;
        let (version, text) = (self.versions[document], self.originals[document].clone());
        let item = json!({ "uri": uri(document), "languageId": "tile", "version": version, "text": text });
        self.client.notify("textDocument/didOpen", json!({ "textDocument": item })).await;
        self.open.insert(document, Document { text: Text::new(text), version });
    }

    async fn close(&mut self, document: usize) {
        self.client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(document) } })).await;
        self.open.remove(&document);
    }

    /// Changes a document, which may not be open.
    async fn edit(&mut self, document: usize) {
        let count = if self.random.usize(..10) == 0 { 1 + self.random.usize(..4) } else { 1 };
        let changes: Vec<Value> = (0..count).map(|_| self.change(document)).collect();
        self.notify_change(document, changes).await;
    }

    async fn notify_change(&mut self, document: usize, changes: Vec<Value>) {
        self.versions[document] += 1;
        let version = self.versions[document];
        if let Some(open) = self.open.get_mut(&document) {
            open.version = version;
        }
        let params = json!({ "textDocument": { "uri": uri(document), "version": version }, "contentChanges": changes });
        self.client.notify("textDocument/didChange", params).await;
    }

    /// A change of a document, and its effect on the text if it is open.
    fn change(&mut self, document: usize) -> Value {
        let random = &mut self.random;
        let Some(Document { text, .. }) = self.open.get_mut(&document) else {
            return json!({ "range": range([0, 0], [1, 0]), "text": "not open" });
        };
        let (start, end, content) = match random.usize(..20) {
            // The end can be past the end of its line, inside a character, or before the start.
            0 => {
                let [line, column] = text.position(text.place(random));
                let other = random.choice([0, column.saturating_sub(1), column + 1, column + 3, u32::MAX]);
                let (start, end) = ([line, column], [line, other.expect("not empty")]);
                let (from, to) = (text.offset(start), text.offset(end));
                text.apply(&(from.min(to), from.max(to), String::new()));
                (start, end, String::new())
            }
            // After the last line.
            1 => {
                let content = "// end\n".to_string();
                text.apply(&(text.now.len(), text.now.len(), content.clone()));
                ([u32::MAX, random.u32(..)], [u32::MAX, 0], content)
            }
            _ => {
                let change = text.change(random);
                let (start, end) = (text.position(change.0), text.position(change.1));
                text.apply(&change);
                (start, end, change.2)
            }
        };
        json!({ "range": range(start, end), "text": content })
    }

    /// Sends a random message.
    async fn step(&mut self, may_change_settings: bool) {
        let document = self.pick();
        match self.random.usize(..1000) {
            0..=499 => self.edit(document).await,
            500..=859 => self.ask(document).await,
            860..=929 => self.cancel().await,
            930..=969 => {
                let odd = messages::odd(&mut self.random);
                self.client.write(odd.as_bytes()).await;
            }
            970..=979 => self.open(document).await,
            980..=989 => self.close(document).await,
            990..=994 => {
                let content = self.originals[document].clone();
                if let Some(open) = self.open.get_mut(&document) {
                    open.text = Text::new(content.clone());
                }
                self.notify_change(document, vec![json!({ "text": content })]).await;
            }
            _ if may_change_settings => self.change_settings().await,
            _ => self.edit(document).await,
        }
    }

    async fn ask(&mut self, document: usize) {
        let text = self.open.get(&document).map(|open| &open.text);
        let (method, params) = messages::request(&uri(document), text, &mut self.random);
        let id = self.client.ask(method, params).await;
        self.asked.push(id);
        // The answer can be held back until there are changes.
        if method == "workspace/diagnostic" {
            self.client.notify("$/cancelRequest", json!({ "id": id })).await;
        }
    }

    /// Cancels an open request, or one that does not exist.
    async fn cancel(&mut self) {
        let last = self.asked.last().copied().unwrap_or_default();
        let id = *self.random.choice(&self.asked).unwrap_or(&last) + i64::from(self.random.usize(..9) == 0) * 1_000_000;
        self.client.notify("$/cancelRequest", json!({ "id": id })).await;
    }

    async fn change_settings(&mut self) {
        let settings = messages::settings(&mut self.random);
        self.parameters["initializationOptions"] = settings.clone();
        self.client.settings = settings.clone();
        self.client.notify("workspace/didChangeConfiguration", json!({ "settings": settings })).await;
    }

    /// Waits for the answers to all open requests.
    async fn settle(&mut self) {
        let asked = std::mem::take(&mut self.asked);
        for answer in self.client.answers(asked).await.into_values() {
            if let Err(error) = answer {
                assert_no_panic(error["message"].as_str().expect("a message"));
            }
        }
        for notification in self.client.take_notifications() {
            assert_no_panic(notification["params"]["message"].as_str().unwrap_or_default());
        }
    }

    /// Compares all answers about each open document with those of a new server.
    async fn compare(&mut self, sent: usize) {
        let mut open: Vec<usize> = self.open.keys().copied().collect();
        open.sort_unstable();
        for document in open {
            // The diagnostics of an unchanged document are not published again.
            self.notify_change(document, vec![json!({ "range": range([0, 0], [0, 0]), "text": "" })]).await;
            let Document { text, version } = &self.open[&document];
            let places: Vec<usize> = (0..4).map(|_| text.place(&mut self.random)).collect();
            let uri = uri(document);
            let mut other = start(&self.parameters).await;
            let item = json!({ "uri": uri, "languageId": "tile", "version": version, "text": text.now });
            other.notify("textDocument/didOpen", json!({ "textDocument": item })).await;
            let here = answers(&mut self.client, self.pulls, &uri, *version, text, &places).await;
            let there = answers(&mut other, self.pulls, &uri, *version, text, &places).await;
            for (here, there) in here.into_iter().zip(there) {
                assert!(here == there, "{uri} after {sent} messages, in {}:\n{here:?}\n{there:?}", write_failure(text));
            }
        }
    }
}

/// Writes a text for which a comparison failed. Returns the path of the file.
fn write_failure(text: &Text) -> String {
    let path = std::env::temp_dir().join(format!("tile-stress-{}.tile", std::process::id()));
    std::fs::write(&path, &text.now).expect("the folder for temporary files can be written to");
    path.display().to_string()
}

/// The diagnostics of a document, and the answers to all requests about it.
async fn answers(
    client: &mut Client,
    pulls: bool,
    uri: &str,
    version: i64,
    text: &Text,
    places: &[usize],
) -> Vec<(String, Value)> {
    let diagnostics = if pulls {
        let params = json!({ "textDocument": { "uri": uri } });
        client.request("textDocument/diagnostic", params).await.expect("diagnostics")["items"].take()
    } else {
        client.diagnostics_of(uri, version).await.into()
    };
    let mut all = all_answers(client, uri, text, places).await;
    all.push(("diagnostics".to_string(), diagnostics));
    all
}

async fn stress(seed: u64, messages: usize, lines: usize) {
    let mut session = Session::new(seed, lines).await;
    for document in 0..DOCUMENTS {
        session.open(document).await;
    }
    for sent in 1..=messages {
        // Settings arrive asynchronously.
        session.step(sent % BETWEEN < BETWEEN / 2).await;
        if session.asked.len() >= MAX_OPEN || session.random.usize(..100) == 0 {
            session.settle().await;
        }
        if sent % BETWEEN == 0 {
            session.settle().await;
            session.compare(sent).await;
        }
    }
    session.settle().await;
    session.client.request("shutdown", Value::Null).await.expect("the server shuts down");
    assert!(session.client.leave().await, "the server ends");
}

#[tokio::test]
async fn random_messages_leave_the_server_as_new() {
    let (messages, lines) = (number("TILE_STRESS_MESSAGES", MESSAGES), number("TILE_STRESS_LINES", LINES));
    let seed = number("TILE_STRESS_SEED", 1) as u64;
    for seed in [seed, seed + 1] {
        stress(seed, messages / 2, lines).await;
    }
}
