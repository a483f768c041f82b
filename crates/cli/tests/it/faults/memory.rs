//! The memory of the server stays the same during hours of editing.
//!
//! `TILE_EDITED_HOURS=12` sets the number of simulated hours.

use super::file_uri;
use crate::editor::Client;
use crate::harness::Folder;
use serde_json::{Value, json};
use std::path::Path;

/// The default number of hours, and the smallest: the first is not measured.
const HOURS: usize = 2;

/// What a user types in a minute: a statement, which is then deleted.
const TYPED: &str = "    %typed = addf %x, %y : tile<128xf32> // ä";

/// Minutes of an hour in which the user edits.
const MINUTES: usize = 40;

/// How much the memory may grow after the first hour, in KiB. When closed documents leaked, it grew by 13 MiB each
/// hour.
const MAX_GROWTH: u64 = 6 << 10;

/// A user with a server, who edits the first of some files.
struct User {
    client: Client,
    uri: String,
    text: String,
    /// Where the statement is typed.
    line: usize,
    version: i64,
}

impl User {
    fn new(folder: &Folder) -> User {
        let folders = json!([{ "uri": file_uri(folder.root()), "name": "folder" }]);
        let parameters = json!({ "capabilities": {}, "workspaceFolders": folders });
        let mut client = Client::initialized(&mut folder.command(&[]), parameters);
        let text = folder.read("long.tile");
        let uri = file_uri(&folder.path("long.tile"));
        client.open_at(&uri, &text);
        let line = text.lines().position(|line| line.contains("%typed")).expect("the program has a place to type");
        User { client, uri, text, line, version: 1 }
    }

    /// The resident memory of the server, in KiB.
    fn memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.client.server.id());
        let status = std::fs::read_to_string(status).expect("the server runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("the status states the memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    fn replace(&mut self, columns: std::ops::Range<usize>, text: &str) {
        self.version += 1;
        let at = |column: usize| json!({ "line": self.line, "character": column });
        let range = json!({ "start": at(columns.start), "end": at(columns.end) });
        self.client.change(&self.uri, self.version, json!({ "range": range, "text": text }));
    }

    fn ask(&mut self, method: &str, more: Value) {
        let mut params = json!({ "textDocument": { "uri": self.uri } });
        for (name, value) in more.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        // An edit in the meantime can make a request outdated.
        let _ = self.client.request(method, params);
    }

    /// What an editor requests after an edit.
    fn refresh(&mut self) {
        let end = json!({ "line": self.line + 60, "character": 0 });
        let visible =
            json!({ "range": { "start": { "line": self.line.saturating_sub(60), "character": 0 }, "end": end } });
        self.ask("textDocument/inlayHint", visible.clone());
        self.ask("textDocument/semanticTokens/range", visible.clone());
        self.ask("textDocument/codeLens", json!({}));
        let mut action = visible;
        action["context"] = json!({ "diagnostics": [] });
        self.ask("textDocument/codeAction", action);
    }

    /// Types the statement, looks at it, and deletes it.
    fn minute(&mut self) {
        let length = self.text.lines().nth(self.line).expect("the line exists").encode_utf16().count();
        self.replace(length..length, "\n");
        self.line += 1;
        for (column, letter) in TYPED.chars().enumerate() {
            self.replace(column..column, &letter.to_string());
            let position = json!({ "line": self.line, "character": column + 1 });
            if letter == '%' {
                self.ask("textDocument/completion", json!({ "position": position }));
            } else if letter == ' ' {
                self.ask("textDocument/signatureHelp", json!({ "position": position }));
            }
            if column % 10 == 0 {
                self.refresh();
            }
        }
        let position = json!({ "line": self.line, "character": 8 });
        self.ask("textDocument/hover", json!({ "position": position }));
        self.ask("textDocument/references", json!({ "position": position, "context": { "includeDeclaration": true } }));
        self.ask("textDocument/formatting", json!({ "options": { "tabSize": 2, "insertSpaces": true } }));
        self.replace(0..TYPED.encode_utf16().count(), "");
        self.line -= 1;
        self.version += 1;
        let range = json!({
            "start": { "line": self.line, "character": length }, "end": { "line": self.line + 1, "character": 0 },
        });
        self.client.change(&self.uri, self.version, json!({ "range": range, "text": "" }));
        self.refresh();
        self.client.messages.clear();
    }

    fn hour(&mut self, hour: usize) {
        for minute in 0..MINUTES {
            self.minute();
            // A new file, which is closed again.
            let other = format!("{}.{hour}-{minute}.tile", self.uri);
            self.client.open_at(&other, &self.text);
            let _ = self.client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": other } }));
            self.client.notify("textDocument/didClose", json!({ "textDocument": { "uri": other } }));
            if minute % 10 == 0 {
                self.ask("textDocument/semanticTokens/full", json!({}));
                let _ = self.client.request("workspace/symbol", json!({ "query": "k" }));
                let target = json!({ "uri": self.uri, "entry": "k", "launch": null });
                self.client.execute("tile.run", target.clone()).expect("the launch succeeds");
                self.client.execute("tile.trace", target).expect("the launch succeeds");
                self.client.execute("tile.copyBytecode", json!({ "uri": self.uri })).expect("the program is valid");
            }
        }
    }
}

/// A program of about 1,000 lines, with a launch and a place to type.
fn program() -> String {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fused_attention.tile");
    let example = std::fs::read_to_string(Path::new(example)).expect("the example exists");
    let (_, inside) = example.split_once("cuda_tile.module @").expect("a module");
    let body = inside.split_once("{\n").expect("a module").1.trim_end().strip_suffix('}').expect("a module");
    let mut program =
        "cuda_tile.module @long {\n  //@ launch\n  entry @k() {\n    %x = constant <f32: 1.0> : tile<128xf32>\n    \
        %y = exp %x : tile<128xf32> // %typed\n    print_tko \"%f\\n\", %y : tile<128xf32> -> token\n    return\n  }\n"
            .to_string();
    for copy in 0..8 {
        program += &body.replace("entry @", &format!("entry @c{copy}_"));
    }
    program + "}\n"
}

#[test]
fn memory_does_not_grow_with_the_hours_of_editing() {
    let folder = Folder::with(&[("long.tile", &program()), ("other.tile", crate::harness::HELLO)]);
    let hours = std::env::var("TILE_EDITED_HOURS").map_or(HOURS, |hours| hours.parse().expect("a number of hours"));
    let hours = hours.max(HOURS);
    let mut user = User::new(&folder);
    let mut memory = Vec::new();
    for hour in 0..hours {
        user.hour(hour);
        memory.push(user.memory());
    }
    let (first, last) = (memory[0], memory[hours - 1]);
    assert!(last <= first + MAX_GROWTH, "the memory after each hour, in KiB: {memory:?}");
}
