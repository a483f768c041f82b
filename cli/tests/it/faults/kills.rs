//! Workers, compilers and servers that are killed at any moment.

use super::{KERNEL, file_uri, is_alive};
use crate::editor::Client;
use crate::harness::Folder;
use crate::process::{Signal, children, is_gone, signal, soon};
use serde_json::{Value, json};
use std::time::Duration;

/// Moments at which a process is killed, spread over this time.
const MOMENTS: u64 = 40;
const SPREAD: Duration = Duration::from_millis(60);

/// Waits until the `number`th moment. Neighboring numbers are different moments.
fn moment(number: u64) {
    std::thread::sleep(SPREAD * (number * 7 % MOMENTS) as u32 / MOMENTS as u32);
}

/// Kills a process, unless it has ended.
fn kill(process: u32) {
    if !is_gone(process) {
        // It may end at this moment.
        let _ = std::panic::catch_unwind(|| signal(process, Signal::KILL));
    }
}

/// The descendants of a process.
fn descendants(process: u32) -> Vec<u32> {
    let of = children(process);
    let below: Vec<u32> = of.iter().flat_map(|&child| descendants(child)).collect();
    [of, below].concat()
}

fn client(folder: &Folder) -> (Client, String) {
    std::fs::create_dir_all(folder.path("tmp")).expect("folders can be created");
    let mut client = Client::started(folder.command(&[]).env("TMPDIR", folder.path("tmp")), json!({}));
    let uri = file_uri(&folder.path("a.tile"));
    client.open_at(&uri, KERNEL);
    (client, uri)
}

fn run(client: &mut Client, uri: &str) -> i64 {
    let target = json!({ "uri": uri, "entry": "k", "launch": null });
    client.ask("workspace/executeCommand", json!({ "command": "tile.run", "arguments": [target] }))
}

/// A request that compiles for a GPU.
fn compile(client: &mut Client, uri: &str) -> i64 {
    let target = json!({ "uri": uri, "gpu": "sm_90" });
    client.ask("workspace/executeCommand", json!({ "command": "tile.showPtx", "arguments": [target] }))
}

fn assert_failed_clearly(answer: Result<Value, Value>) {
    if let Err(error) = answer {
        let message = error["message"].as_str().expect("a message");
        assert!(message.len() > 20 && !message.contains("please report it"), "{message}");
    }
}

#[test]
fn a_worker_killed_at_any_moment_fails_at_most_its_run() {
    let folder = Folder::of(KERNEL);
    let (mut client, uri) = client(&folder);
    for number in 0..MOMENTS {
        let answer = run(&mut client, &uri);
        moment(number);
        descendants(client.server.id()).into_iter().for_each(kill);
        assert_failed_clearly(client.answer(answer));
        is_alive(&mut client);
    }
    let answer = run(&mut client, &uri);
    client.answer(answer).expect("the next run succeeds");
}

#[test]
fn a_compiler_killed_at_any_moment_fails_at_most_its_request() {
    let folder = Folder::with_compiler("sleep 0.03; echo '.version 9.0' > \"$out\"");
    folder.write("a.tile", KERNEL);
    let (mut client, uri) = client(&folder);
    for number in 0..MOMENTS {
        let answer = compile(&mut client, &uri);
        moment(number);
        descendants(client.server.id()).into_iter().for_each(kill);
        assert_failed_clearly(client.answer(answer));
        is_alive(&mut client);
    }
}

#[test]
fn a_server_killed_at_any_moment_leaves_no_process_and_no_damage() {
    let folder = Folder::with_compiler("sleep 0.03; echo '.version 9.0' > \"$out\"");
    folder.write("a.tile", KERNEL);
    for number in 0..MOMENTS / 2 {
        let (mut client, uri) = client(&folder);
        run(&mut client, &uri);
        compile(&mut client, &uri);
        moment(number);
        let below = descendants(client.server.id());
        kill(client.server.id());
        soon("the processes of the server end", || below.iter().all(|&process| is_gone(process)).then_some(()));
    }
    assert_eq!(folder.read("a.tile"), KERNEL);
    let (mut client, uri) = client(&folder);
    let answer = run(&mut client, &uri);
    client.answer(answer).expect("a new server works");
}
