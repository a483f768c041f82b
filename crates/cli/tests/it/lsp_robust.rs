//! `tile lsp` with clients that send invalid, excessive or no messages, and with workers that die: the server answers
//! or ends, and leaves no process running.

#[cfg(target_os = "linux")]
use crate::process;

use crate::editor::Client;
#[cfg(all(debug_assertions, target_os = "linux"))]
use crate::harness::CHATTERING;
use crate::harness::uri_of;
use crate::waiting::soon;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const URI: &str = "file:///test/a.tile";
const KERNEL: &str = "cuda_tile.module @m {\n  entry @k(%x: tile<f32>) {\n    %y = addf %x, %x : tile<f32>\n  }\n}\n";

/// Prints, then loops forever.
#[cfg(target_os = "linux")]
const ENDLESS: &str = "cuda_tile.module @m {\n  //@ launch\n  entry @k() {\n    %one = constant <i64: 1> : tile<i64>\n    \
    %t = print_tko \"begun\\n\" -> token\n    loop iter_values(%i = %one) : tile<i64> {\n      \
    %past = cmpi less_than %i, %one, signed : tile<i64> -> tile<i1>\n      if %past {\n        break\n      }\n      %n = addi %i, %one : tile<i64>\n      continue %n : tile<i64>\n    }\n    return\n  }\n}\n";

/// A client whose server keeps its state in this folder.
fn client_of(params: Value, state: Option<&Path>) -> Client {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile"));
    command.stderr(Stdio::null());
    if let Some(state) = state {
        command.env("XDG_STATE_HOME", state).env("HOME", state).env("LOCALAPPDATA", state);
    }
    Client::initialized(&mut command, params)
}

fn plain() -> Client {
    client_of(json!({ "capabilities": {} }), None)
}

impl Client {
    /// The messages of the diagnostics of a version of a document, without hints.
    fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<String> {
        let published = self.wait_for(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        let all = published["diagnostics"].as_array().expect("a list").iter();
        all.filter(|each| each["severity"] != 4)
            .map(|each| each["message"].as_str().expect("a message").to_string())
            .collect()
    }

    fn hover(&mut self, uri: &str, line: u32, character: u32) -> Result<Value, Value> {
        let position = json!({ "line": line, "character": character });
        self.request("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": position }))
    }

    /// Asserts that the server still answers.
    fn is_alive(&mut self) {
        self.open_at("file:///test/alive.tile", KERNEL);
        let hover = self.hover("file:///test/alive.tile", 2, 5).expect("the server answers");
        assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("tile<f32>")), "{hover}");
    }

    fn start_at(&mut self, uri: &str) -> i64 {
        let target = json!({ "uri": uri, "entry": "k", "launch": null });
        self.ask("workspace/executeCommand", json!({ "command": "tile.run", "arguments": [target] }))
    }

    /// Waits until the server ends. Returns its exit status.
    fn status(&mut self) -> Option<i32> {
        soon("the server ends", || self.server.try_wait().expect("the server is our child")).code()
    }
}

#[test]
fn invalid_messages_are_skipped() {
    let mut client = plain();
    let deep = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{}{}}}", "[".repeat(500), "]".repeat(500));
    let deep = format!("Content-Length: {}\r\n\r\n{deep}", deep.len());
    let parts: [&[u8]; 11] = [
        deep.as_bytes(),
        b"Content-Length: 49\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[-1e999]} ",
        b"Content-Length: 52\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":1,\"params\":2}",
        b"nonsense\r\n\r\n",
        b"Content-Length: x\r\n\r\n",
        b"Content-Length: 5\r\n\r\n{\"a\":",
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 3\r\n\r\n\xff\xfe\xfd",
        b"Content-Length: 0\r\n\r\n",
        b"Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":[1,2]}",
        b"Content-Length: 41\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"no/such/thing\"}",
    ];
    for part in parts {
        client.raw(part);
        client.is_alive();
    }
    let notice = client.wait_for(|message| message["method"] == "window/logMessage");
    assert!(notice["message"].as_str().is_some_and(|text| text.contains("skipped")), "{notice}");
    for params in [json!(null), json!([]), json!({ "textDocument": 3 }), json!({ "textDocument": { "uri": "%%" } })] {
        for method in ["textDocument/hover", "textDocument/rename", "workspace/executeCommand", "no/such/thing"] {
            client.request(method, params.clone()).expect_err("the request is invalid");
        }
        client.notify("textDocument/didChange", params.clone());
        client.notify("textDocument/didOpen", params);
        client.is_alive();
    }
}

#[test]
fn half_a_surrogate_pair_is_one_character() {
    let mut client = plain();
    let text = KERNEL.replace("  }\n", "    // \\ud83d x\n  }\n").replace('\n', "\\n");
    let body = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{{\"textDocument\":{{\"uri\":\"{URI}\",\
         \"languageId\":\"tile\",\"version\":1,\"text\":\"{text}\"}}}}}}"
    );
    client.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    assert!(client.diagnostics(URI, 1).is_empty());
    // The character after the surrogate still has the column that the client counts.
    let at = json!({ "start": { "line": 3, "character": 9 }, "end": { "line": 3, "character": 10 } });
    client.change(URI, 2, json!({ "range": at, "text": "\n    %z = nope" }));
    let found = client.diagnostics(URI, 2);
    assert!(found.len() == 1 && found[0].contains("`nope`"), "{found:?}");
}

#[test]
fn positions_and_versions_may_be_wrong() {
    let mut client = plain();
    client.open_at(URI, KERNEL);
    let far = json!({ "line": 4_000_000_000u32, "character": 4_000_000_000u32 });
    let context = json!({ "includeDeclaration": true });
    let params = json!({ "textDocument": { "uri": URI }, "position": far, "context": context });
    for method in ["hover", "definition", "references", "documentHighlight"] {
        client.request(&format!("textDocument/{method}"), params.clone()).expect(method);
    }
    let start = json!({ "line": 0, "character": 0 });
    client.change(URI, 7, json!({ "range": { "start": far, "end": far }, "text": "// the end" }));
    client.change(URI, 3, json!({ "range": { "start": far, "end": start }, "text": "" }));
    client.change(URI, 3, json!({ "range": { "start": start, "end": start }, "text": KERNEL }));
    client.change(URI, -5, json!({ "range": { "start": start, "end": start }, "text": "\n" }));
    assert!(client.diagnostics(URI, -5).is_empty());
    let hover = client.hover(URI, 3, 5).expect("the server answers");
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("%y")), "{hover}");
    client.change("file:///test/never opened.tile", 1, json!({ "text": "x" }));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": "file:///test/never opened.tile" } }));
    client.is_alive();
}

#[test]
fn a_file_that_is_too_large_is_reported() {
    let mut client = plain();
    client.open_at(URI, &(KERNEL.to_string() + &"// padding.....\n".repeat(100 << 16)));
    let found = client.diagnostics(URI, 1);
    assert!(found.len() == 1 && found[0].contains("larger than 64 MiB"), "{found:?}");
    assert_eq!(client.hover(URI, 2, 5), Ok(Value::Null));
    client.is_alive();
    client.change(URI, 2, json!({ "text": KERNEL.replace("addf", "nope") }));
    let found = client.diagnostics(URI, 2);
    assert!(found.len() == 1 && found[0].contains("`nope`"), "{found:?}");
}

#[test]
fn many_files_are_open_at_once() {
    let mut client = plain();
    let uri = |number: usize| format!("file:///test/{number}.tile");
    for number in 0..1000 {
        client.open_at(&uri(number), &KERNEL.replace("@k", &format!("@k{number}")));
    }
    for number in 0..1000 {
        assert!(client.diagnostics(&uri(number), 1).is_empty());
    }
    let at = json!({ "line": 2, "character": 9 });
    client.change(&uri(500), 2, json!({ "range": { "start": at, "end": at }, "text": "x" }));
    assert_eq!(client.diagnostics(&uri(500), 2).len(), 1);
    for number in 0..1000 {
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(number) } }));
    }
    client.is_alive();
}

#[test]
fn two_clients_have_a_server_each() {
    let (mut one, mut other) = (plain(), plain());
    one.open_at(URI, KERNEL);
    other.open_at(URI, &KERNEL.replace("addf", "nope"));
    assert_eq!((one.diagnostics(URI, 1).len(), other.diagnostics(URI, 1).len()), (0, 1));
    other.input = None;
    assert_eq!(other.status(), Some(1));
    one.is_alive();
}

#[test]
fn the_server_ends_with_its_client() {
    let mut client = plain();
    client.request("shutdown", Value::Null).expect("the server shuts down");
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), Some(0));

    let mut client = plain();
    let messages =
        [json!({ "jsonrpc": "2.0", "id": 99, "method": "shutdown" }), json!({ "jsonrpc": "2.0", "method": "exit" })];
    let framed = messages.map(|message| format!("Content-Length: {}\r\n\r\n{message}", message.to_string().len()));
    client.raw(framed.concat().as_bytes());
    assert_eq!(client.answer(99), Ok(Value::Null), "both messages arrived at once");
    assert_eq!(client.status(), Some(0));

    let mut client = plain();
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), Some(1), "`exit` without `shutdown`");

    let mut client = plain();
    client.open_at(URI, KERNEL);
    client.input = None;
    assert_eq!(client.status(), Some(1), "neither `shutdown` nor `exit`");
}

#[test]
fn the_server_ends_when_its_output_is_closed() {
    let mut client = plain();
    client.output = None;
    client.open_at(URI, KERNEL);
    for version in 2..20 {
        let at = json!({ "line": 0, "character": 0 });
        let params = json!({ "textDocument": { "uri": URI, "version": version },
            "contentChanges": [{ "range": { "start": at, "end": at }, "text": "x" }] });
        let body = json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params }).to_string();
        // The server may have ended by now.
        let _ = write!(client.input.as_mut().expect("open"), "Content-Length: {}\r\n\r\n{body}", body.len());
        std::thread::sleep(Duration::from_millis(10));
    }
    // Its input is still open.
    assert_eq!(client.status(), Some(1));
}

/// A completion request, whose response is much longer than the request.
fn completion_request(id: i64) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/completion",
        "params": { "textDocument": { "uri": URI }, "position": { "line": 2, "character": 4 } } })
}

#[test]
fn a_client_can_write_before_it_reads() {
    let mut client = plain();
    client.open_at(URI, KERNEL);
    // The responses are many times larger than the pipe buffer.
    for id in 1000..1600 {
        client.send(&completion_request(id));
    }
    client.change(URI, 2, json!({ "text": KERNEL.replace("addf", "mulf") }));
    assert_eq!(client.diagnostics(URI, 2), Vec::<String>::new());
    client.is_alive();
}

#[test]
fn the_server_ends_even_if_its_output_is_unread() {
    let mut client = plain();
    client.open_at(URI, KERNEL);
    for id in 1000..1200 {
        client.send(&completion_request(id));
    }
    std::thread::sleep(Duration::from_millis(500));
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_worker_fails_its_run_and_no_process_is_left() {
    let mut client = plain();
    client.open_at(URI, ENDLESS);
    for _ in 0..2 {
        let run = client.start_at(URI);
        client.wait_for(|message| message["method"] == "tile/runOutput");
        let workers = process::children(client.server.id());
        assert_eq!(workers.len(), 1);
        process::signal(workers[0], process::Signal::KILL);
        let error = client.answer(run).expect_err("the worker was killed");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
        client.is_alive();
    }
    client.start_at(URI);
    client.wait_for(|message| message["method"] == "tile/runOutput");
    let workers = process::children(client.server.id());
    client.input = None;
    assert_eq!(client.status(), Some(1));
    soon("the worker ends", || workers.iter().all(|&worker| process::is_gone(worker)).then_some(()));
}

/// How much the memory of the server may grow while a kernel prints and the client does not read, in MiB: three times
/// the size of the queue of unread output.
#[cfg(all(debug_assertions, target_os = "linux"))]
const MAX_UNREAD: u64 = 48;

#[cfg(all(debug_assertions, target_os = "linux"))]
#[test]
fn an_endlessly_printing_kernel_does_not_block_the_server() {
    let mut client = plain();
    // Long lines fill the queue of the server quickly.
    client.open_at(URI, &CHATTERING.replace("again and again", &"again and ".repeat(300)));
    let run = client.start_at(URI);
    client.wait_for(|message| message["method"] == "tile/runOutput");
    for _ in 0..5 {
        client.is_alive();
    }
    // While the client does not read, the kernel blocks, but the server still handles the cancellation.
    let memory = |client: &Client| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", client.server.id())).expect("the server runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("the status has a `VmRSS` line");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") >> 10
    };
    let before = memory(&client);
    let workers = process::children(client.server.id());
    let is_blocked =
        || process::is_asleep(client.server.id()) && workers.iter().all(|&worker| process::is_asleep(worker));
    let mut blocked = 0;
    soon("the kernel is blocked", || {
        let after = memory(&client);
        assert!(after < before + MAX_UNREAD, "the memory of the server grows from {before} MiB to {after} MiB");
        // Each process can sleep for a moment until the other one has read or written.
        blocked = if is_blocked() { blocked + 1 } else { 0 };
        (blocked >= 50).then_some(())
    });
    // Unread responses do not prevent the cancellation either.
    for id in 1000..1100 {
        client.send(&completion_request(id));
    }
    client.notify("$/cancelRequest", json!({ "id": run }));
    soon("the worker ends", || process::children(client.server.id()).is_empty().then_some(()));
    client.answer(run).expect_err("the run was cancelled");
    client.is_alive();
}

#[test]
fn a_panic_fails_one_request_and_leaves_a_report() {
    let state = tempfile::tempdir().expect("a folder");
    let mut client = client_of(json!({ "capabilities": {} }), Some(state.path()));
    client.open_at(URI, KERNEL);
    for _ in 0..2 {
        let error = client.request("tile/panic", json!({ "uri": URI })).expect_err("the request panics");
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains("this panic is part of a test"), "{message}");
        let path =
            message.split("the report was written to ").nth(1).and_then(|rest| rest.strip_suffix(')')).expect("a path");
        assert!(Path::new(path).starts_with(state.path()), "{path}");
        let report = std::fs::read_to_string(path).expect("the report exists");
        for part in [env!("CARGO_PKG_VERSION"), "Server::panic", "this panic is part of a test", "server.rs"] {
            assert!(report.contains(part), "{part} in {report}");
        }
    }
    client.is_alive();
    // A check that panics is reported instead of its diagnostics.
    const PANICS: &str = "file:///test/this-check-panics.tile";
    client.open_at(PANICS, KERNEL);
    let found = client.diagnostics(PANICS, 1);
    assert!(found.len() == 1 && found[0].contains("please report it"), "{found:?}");
    client.wait_for(|message| message["method"] == "window/showMessage");
    assert!(
        !client.messages.iter().any(|message| message["method"] == "window/showMessage"),
        "the panic is reported once"
    );
}

#[test]
fn a_run_reads_no_files_outside_the_opened_folder() {
    let outer = tempfile::tempdir().expect("a folder");
    let folder = outer.path().join("opened");
    std::fs::create_dir(&folder).expect("a folder");
    let program = |name: &str| {
        format!(
            "cuda_tile.module @m {{\n  //@ launch\n  //@   %p = f32[4] npy(\"{name}\")\n  entry @k(%p: tile<ptr<f32>>) {{\n    \
             return\n  }}\n}}\n"
        )
    };
    let mut array = b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }".to_vec();
    array.resize(127, b' ');
    array.push(b'\n');
    array.resize(128 + 16, 0);
    std::fs::write(outer.path().join("outside.npy"), &array).expect("a file");
    std::fs::write(folder.join("inside.npy"), &array).expect("a file");
    let uri = uri_of(&folder.join("a.tile"));
    let outside = outer.path().join("outside.npy").to_str().expect("UTF-8").replace('\\', "/");
    let run = |options: Value, name: &str| {
        let mut client = client_of(json!({ "capabilities": {}, "initializationOptions": options }), None);
        client.open_at(&uri, &program(name));
        let run = client.start_at(&uri);
        client.answer(run).map_err(|error| error["message"].as_str().expect("a message").to_string())
    };
    run(json!({}), "inside.npy").expect("the file is inside the folder");
    for name in ["../outside.npy", &outside, "/etc/hostname"] {
        let refused = run(json!({}), name).expect_err("the file is outside the folder");
        assert!(refused.contains("filesOutsideFolder"), "{refused}");
    }
    run(json!({ "filesOutsideFolder": true }), "../outside.npy").expect("the setting allows the file");
}

/// After an invalid length or method, the next message is read correctly.
#[test]
fn a_message_with_a_wrong_length_or_method_affects_no_other() {
    let mut client = plain();
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let bad = [
        "Content-Length: 18446744073709551615\r\n\r\n".to_string(),
        "Content-Length: 18446744073709551616\r\n\r\n{}".to_string(),
        "Content-Length: 9223372036854775807\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\"}".to_string(),
        framed("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}"),
        framed("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null,\"result\":null}"),
        framed("{\"jsonrpc\":\"2.0\",\"id\":1}"),
    ];
    for bad in bad {
        client.raw(bad.as_bytes());
        client.request("workspace/symbol", json!({ "query": "" })).expect(&bad);
    }
    client.is_alive();
}

/// A cloned folder can contain links to an endless device, and named pipes without writers.
#[cfg(target_os = "linux")]
#[test]
fn special_files_are_not_read() {
    use rustix::fs::{CWD, Mode, mkfifoat};
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let pipe = |name: &str| mkfifoat(CWD, path(name), Mode::RUSR | Mode::WUSR).expect("pipes can be created");
    for name in [".gitignore", "a.tile", "b.mlir", "x.npy"] {
        std::os::unix::fs::symlink("/dev/zero", path(name)).expect("links are supported");
    }
    [".ignore", "c.tile", "d.mlir", "y.npy"].iter().for_each(|name| pipe(name));
    std::fs::write(path("found.tile"), KERNEL).expect("a file");
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    let folders = json!([{ "uri": uri(""), "name": "folder" }]);
    let mut client = client_of(json!({ "capabilities": {}, "workspaceFolders": folders }), None);
    let symbols = client.request("workspace/symbol", json!({ "query": "k" })).expect("the server answers");
    let found = symbols.as_array().expect("a list").iter().map(|symbol| symbol["location"]["uri"].clone());
    assert!(found.clone().all(|found| found == uri("found.tile")) && found.count() > 0, "{symbols}");
    for (name, why) in [("x.npy", "it is a device"), ("y.npy", "it is a named pipe")] {
        let program = format!(
            "cuda_tile.module @m {{\n  //@ launch\n  //@   %p = f32[4] npy(\"{name}\")\n  entry @k(%p: tile<ptr<f32>>) {{\n    \
             return\n  }}\n}}\n"
        );
        // Otherwise, the link is refused because it leads out of the folder.
        let options = json!({ "filesOutsideFolder": true });
        let mut client = client_of(json!({ "capabilities": {}, "initializationOptions": options }), None);
        client.open_at(&uri("run.tile"), &program);
        let run = client.start_at(&uri("run.tile"));
        let refused = client.answer(run).expect_err("the file cannot be read")["message"].to_string();
        assert!(refused.contains(&format!("{why}, not a regular file")), "{refused}");
    }
}
