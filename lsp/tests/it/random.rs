//! A client that types, deletes, pastes and undoes at random in every example. Periodically, all answers of the server
//! are compared with those of a new server on the same text.
//!
//! `TILE_RANDOM_EDITS=100000` sets the number of edits, `TILE_RANDOM_SEED` the seed.

use crate::client;
use fastrand::Rng;

use client::{Client, URI};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The default number of edits.
const EDITS: usize = 2500;

/// The number of edits between two comparisons.
const BETWEEN: usize = 25;

/// Texts to type, in addition to pieces of the document.
const TYPED: [&str; 22] = [
    "{",
    "}",
    "(",
    ")",
    "\"",
    "//",
    "\n",
    "\r\n",
    "\r",
    " ",
    ":",
    "%",
    "@",
    "//@ launch\n",
    "entry @new() {\n  }\n",
    "ä",
    "𝄞",
    "\u{2028}",
    "!t = tile<f32>\n",
    "cuda_tile.module @other {\n",
    "global @g <f32: 1.0> : tile<1xf32>\n",
    "return",
];

/// The current text of the client, and earlier ones for undo.
struct Text {
    now: String,
    before: Vec<String>,
}

impl Text {
    /// A random offset between two characters, but not inside a line break.
    fn place(&self, random: &mut Rng) -> usize {
        self.near(random.usize(..self.now.len() + 1))
    }

    fn near(&self, at: usize) -> usize {
        let inside_break = |at: usize| self.now[..at].ends_with('\r') && self.now[at..].starts_with('\n');
        let is_place = |&at: &usize| self.now.is_char_boundary(at) && !inside_break(at);
        (0..=at.min(self.now.len())).rev().find(is_place).unwrap_or(0)
    }

    /// The position of an offset, in lines and UTF-16 code units.
    fn position(&self, at: usize) -> [u32; 2] {
        let (mut line, mut start) = (0, 0);
        let bytes = self.now.as_bytes();
        for (index, &byte) in bytes[..at].iter().enumerate() {
            if byte == b'\n' || byte == b'\r' && bytes.get(index + 1) != Some(&b'\n') {
                (line, start) = (line + 1, index + 1);
            }
        }
        [line, self.now[start..at].encode_utf16().count() as u32]
    }

    /// A random change: the start and the end of the replaced range, and the replacement.
    fn change(&mut self, random: &mut Rng) -> (usize, usize, String) {
        let at = self.place(random);
        let after = |text: &Text, random: &mut Rng, most: usize| text.near(at + random.usize(..most)).max(at);
        match random.usize(..10) {
            0..=3 => (at, at, (*random.choice(&TYPED).expect("not empty")).to_string()),
            4..=6 => (at, after(self, random, 12), String::new()),
            7 => {
                let from = self.place(random);
                let to = self.near(from + random.usize(..120)).max(from);
                (at, after(self, random, 40), self.now[from..to].to_string())
            }
            8 => (at, after(self, random, 3), "abcdefgh%@0123456789".split_at(random.usize(..20)).0.to_string()),
            _ => match self.before.pop() {
                Some(before) => (0, self.now.len(), before),
                None => (at, at, String::new()),
            },
        }
    }

    fn apply(&mut self, (start, end, content): &(usize, usize, String)) {
        if self.before.len() < 50 && content.len() < self.now.len() {
            self.before.push(self.now.clone());
        }
        self.now.replace_range(*start..*end, content);
    }
}

fn examples() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the examples exist").flatten() {
            let path = entry.path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "tile" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// The answers to all requests about the text, at some offsets.
async fn all_answers(client: &mut Client, text: &Text, places: &[usize]) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 100_000, "character": 0 } });
    for (method, more) in [
        ("documentSymbol", json!({})),
        ("foldingRange", json!({})),
        ("codeLens", json!({})),
        ("inlayHint", json!({ "range": whole })),
        ("semanticTokens/full", json!({})),
        ("formatting", json!({ "options": { "tabSize": 2, "insertSpaces": true } })),
        ("codeAction", json!({ "range": whole, "context": { "diagnostics": [] } })),
    ] {
        let mut answer = client.about(method, None, more).await;
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("resultId");
        }
        all.push((method.to_string(), answer));
    }
    for &at in places {
        let [line, column] = text.position(at);
        for method in ["hover", "definition", "documentHighlight", "completion"] {
            let answer = client.about(method, Some((line, column)), json!({})).await;
            all.push((format!("{method} {line}:{column}"), answer));
        }
        let context = json!({ "context": { "includeDeclaration": true } });
        let answer = client.about("references", Some((line, column)), context).await;
        all.push((format!("references {line}:{column}"), answer));
    }
    all
}

async fn fresh(text: &str) -> Client {
    let mut client = Client::plain().await;
    client.open(text).await;
    client
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[tokio::test]
async fn after_random_edits_all_answers_equal_those_of_a_new_server() {
    let files = examples();
    assert!(files.len() > 20, "{files:?}");
    let edits = number("TILE_RANDOM_EDITS", EDITS).div_ceil(files.len());
    let mut random = Rng::with_seed(number("TILE_RANDOM_SEED", 1) as u64);
    let mut client = Client::plain().await;
    for (index, file) in files.iter().enumerate() {
        let mut original = std::fs::read_to_string(file).expect("the example is UTF-8");
        if index % 4 == 1 {
            original = original.replace('\n', "\r\n");
        }
        let mut text = Text { now: original.clone(), before: Vec::new() };
        client.open(&text.now).await;
        client.diagnostics(1).await;
        for edit in 1..=edits {
            let change = text.change(&mut random);
            let ([a, b], [c, d]) = (text.position(change.0), text.position(change.1));
            let version = 1 + edit as i64;
            client.edit(version, [a, b, c, d], &change.2).await;
            text.apply(&change);
            if random.usize(..3) == 0 {
                // More likely than not, the next edit makes this request outdated.
                let position = json!({ "line": a, "character": b });
                client.ask("textDocument/hover", json!({ "textDocument": { "uri": URI }, "position": position })).await;
            }
            if edit % BETWEEN == 0 || edit == edits {
                let places: Vec<usize> = (0..4).map(|_| text.place(&mut random)).collect();
                let mut other = fresh(&text.now).await;
                let shown = || format!("{} after {edit} edits:\n{:?}", file.display(), text.now);
                assert_eq!(client.diagnostics(version).await, other.diagnostics(1).await, "{}", shown());
                let (here, there) =
                    (all_answers(&mut client, &text, &places).await, all_answers(&mut other, &text, &places).await);
                for (here, there) in here.into_iter().zip(there) {
                    assert_eq!(here, there, "{}", shown());
                }
            }
        }
        let params = json!({ "textDocument": { "uri": URI } });
        client.notify("textDocument/didClose", params).await;
    }
}
