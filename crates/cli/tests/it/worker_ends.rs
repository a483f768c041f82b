//! Workers end with the program that started them, even if it is killed, or if the output of a kernel is not read.
//!
//! The tests find processes in `/proc`.
use crate::process;

use crate::harness::{CHATTERING, Folder, HELLO};
use crate::waiting::soon;
use process::{Signal, children, is_gone, signal};
use rustix::io::ioctl_fionread;
use rustix::pipe::fcntl_getpipe_size;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A program whose output is not read. Dropping it kills the program.
struct Unread {
    child: Child,
    workers: Vec<u32>,
}

impl Unread {
    fn spawn(command: &mut Command) -> Unread {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Unread { child: command.spawn().expect("the program starts"), workers: Vec::new() }
    }

    /// Starts a program and waits for its worker.
    fn start(command: &mut Command) -> Unread {
        Unread::spawn(command).with_worker()
    }

    /// Waits until the program has a worker.
    fn with_worker(mut self) -> Unread {
        let workers = || Some(children(self.child.id())).filter(|workers| !workers.is_empty());
        self.workers = soon("a worker starts", workers);
        self
    }

    /// Sends messages to the program.
    fn send(&mut self, messages: &[Value]) {
        for message in messages {
            let text = message.to_string();
            let input = self.child.stdin.as_mut().expect("piped");
            write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the program reads its input");
        }
    }

    /// Reads the output until it contains these words.
    fn read_to(&mut self, words: &str) {
        let mut text = String::new();
        while !text.contains(words) {
            let mut some = [0; 1024];
            let count = self.child.stdout.as_mut().expect("piped").read(&mut some).expect("the pipe can be read");
            assert_ne!(count, 0, "{text}");
            text += &String::from_utf8_lossy(&some[..count]);
        }
    }

    /// Waits until an output pipe is nearly full.
    fn with_full_pipe(self) -> Unread {
        let is_full = |pipe: &dyn AsFd| {
            let pipe = pipe.as_fd();
            let size = fcntl_getpipe_size(pipe).expect("the stream is a pipe");
            // The pages of a full pipe can be partly empty.
            ioctl_fionread(pipe).expect("the stream is a pipe") as usize > size / 2
        };
        let (stdout, stderr) = (self.child.stdout.as_ref().expect("piped"), self.child.stderr.as_ref().expect("piped"));
        soon("a pipe is full", || (is_full(stdout) || is_full(stderr)).then_some(()));
        self
    }

    fn wait_for_workers(&self) {
        soon("the worker ends", || self.workers.iter().all(|&worker| is_gone(worker)).then_some(()));
    }

    /// Waits until the program ends. Returns its exit status.
    fn ended(mut self) -> Option<i32> {
        let status = soon("the program ends", || self.child.try_wait().expect("the program is our child"));
        self.wait_for_workers();
        status.code()
    }

    fn kill(mut self) {
        signal(self.child.id(), Signal::KILL);
        self.child.wait().expect("the program is our child");
        self.wait_for_workers();
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        // The program has already ended, unless a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder() -> Folder {
    let folder = Folder::hello();
    folder.write("a.tile", CHATTERING);
    folder
}

/// A language server that runs a program, for a client that stops reading after initialization.
fn server(folder: &Folder, program: &str) -> Unread {
    let mut server = Unread::spawn(&mut folder.command(&["lsp"]));
    let capabilities = json!({ "capabilities": {} });
    server.send(&[json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": capabilities })]);
    server.read_to("serverInfo");
    let uri = format!("file://{}", folder.path("a.tile").display());
    let document = json!({ "uri": uri, "languageId": "tile", "version": 1, "text": program });
    let target = json!({ "uri": uri, "entry": "k", "launch": null });
    server.send(&[
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "workspace/executeCommand",
            "params": { "command": "tile.run", "arguments": [target] } }),
    ]);
    server.with_worker()
}

/// A language server whose client does not read the kernel's output.
fn unread_server(folder: &Folder) -> Unread {
    server(folder, CHATTERING).with_full_pipe()
}

/// A debug adapter that runs the kernel and has a pending response, for an editor that does not read.
fn unread_adapter(folder: &Folder) -> Unread {
    let request = |seq: i64, command: &str, arguments: Value| json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments });
    let mut adapter = Unread::spawn(&mut folder.command(&["debug-adapter"]));
    adapter.send(&[
        request(1, "initialize", json!({})),
        request(2, "launch", json!({ "program": folder.path("a.tile") })),
        request(3, "configurationDone", json!({})),
    ]);
    let mut adapter = adapter.with_worker().with_full_pipe();
    adapter.send(&[request(4, "threads", json!({}))]);
    adapter
}

#[test]
fn the_worker_of_a_killed_run_ends() {
    let folder = folder();
    Unread::start(&mut folder.command(&["run", "a.tile"])).with_full_pipe().kill();
    Unread::start(&mut folder.command(&["run", "a.tile", "--trace", "%n"])).with_full_pipe().kill();
    Unread::start(&mut folder.command(&["run", "a.tile", "--output-format", "json-lines"])).with_full_pipe().kill();
    // A launcher becomes the worker.
    let tile = Path::new(env!("CARGO_BIN_EXE_tile")).parent().expect("the program is in a folder");
    let path =
        std::env::join_paths([tile, Path::new("/usr/bin"), Path::new("/bin")]).expect("the paths contain no colon");
    let mut command = folder.command(&["run", "a.tile", "--launcher", "env"]);
    Unread::start(command.env("PATH", path)).with_full_pipe().kill();
}

#[test]
fn the_worker_of_a_killed_editor_service_ends() {
    let folder = folder();
    unread_server(&folder).kill();
    unread_adapter(&folder).kill();
}

#[test]
fn an_editor_service_ends_with_its_input_even_if_its_output_is_unread() {
    let folder = folder();
    for (mut service, status) in [(unread_server(&folder), Some(1)), (unread_adapter(&folder), Some(0))] {
        drop(service.child.stdin.take());
        assert_eq!(service.ended(), status);
    }
}

#[test]
fn a_run_ends_when_its_reader_leaves() {
    let folder = folder();
    let mut run = Unread::start(&mut folder.command(&["run", "a.tile"])).with_full_pipe();
    drop(run.child.stdout.take());
    assert_eq!(run.ended(), Some(0));
    // A kernel that prints nothing, with an unread trace.
    let quiet: String =
        CHATTERING.lines().filter(|line| !line.contains("print")).map(|line| format!("{line}\n")).collect();
    folder.write("quiet.tile", &quiet);
    let mut run = Unread::start(&mut folder.command(&["run", "quiet.tile", "--trace", "%n"])).with_full_pipe();
    drop(run.child.stderr.take());
    assert_eq!(run.ended(), Some(0));
    // The adapter still has its input.
    let mut adapter = unread_adapter(&folder);
    drop(adapter.child.stdout.take());
    adapter.wait_for_workers();
}

#[test]
fn a_worker_does_not_wait_for_a_hanging_gpu_kernel() {
    let folder = Folder::with_gpu("for last; do :; done\nprintf 'hang\\n\\0' > \"$out\"");
    for (gpu, arguments) in [
        ("", &["run", "a.tile", "--target", "cuda"][..]),
        ("exit=hang", &["run", "a.tile", "--target", "cuda"]),
        ("exit=hang", &["test", "a.tile", "--target", "cuda"]),
    ] {
        let _ = std::fs::remove_file(folder.path("driver.calls"));
        let run = Unread::start(folder.command(arguments).env("CUDA_STAND_IN_GPU", gpu));
        soon("the kernel is launched", || {
            folder.driver_calls().iter().any(|call| call.starts_with("launch")).then_some(())
        });
        run.kill();
    }
}

#[test]
fn a_cancelled_run_ends_even_if_its_output_is_unread() {
    let folder = folder();
    let mut server = unread_server(&folder);
    server.send(&[json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": 2 } })]);
    server.wait_for_workers();
}

#[test]
fn an_idle_worker_ends_with_its_server() {
    let mut server = server(&Folder::hello(), HELLO);
    server.read_to("\"passed\":true");
    assert!(!server.workers.iter().any(|&worker| is_gone(worker)), "the worker waits for the next run");
    server.kill();
}
