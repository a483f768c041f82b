//! Workers, compilers and servers that are killed at any moment.

use super::{KERNEL, assert_alive, file_uri};
use crate::editor::Client;
use crate::harness::Folder;
use crate::process::{Signal, children, is_gone, signal};
use crate::waiting::soon;
use serde_json::{Value, json};
use std::time::Duration;

/// Moments at which a process is killed, spread over this time after it has started.
const MOMENTS: u64 = 40;
const SPREAD: Duration = Duration::from_millis(60);

/// Waits for the `number`th moment after a process has started a child. Neighboring numbers are different moments.
/// Returns the descendants of the process, which may have ended already.
fn moment(process: u32, number: u64, has_started: impl Fn() -> bool) -> Vec<u32> {
    soon("a process starts", || has_started().then_some(()));
    std::thread::sleep(SPREAD * (number * 7 % MOMENTS) as u32 / MOMENTS as u32);
    descendants(process)
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

/// A request that compiles for a GPU. The text has another comment each time, so that the result is in no cache.
fn compile(client: &mut Client, uri: &str, number: u64) -> i64 {
    client.change(uri, 2 + number as i64, json!({ "text": KERNEL.replace("%f", &format!("{number} %f")) }));
    let target = json!({ "uri": uri, "gpu": "sm_90" });
    client.ask("workspace/executeCommand", json!({ "command": "tile.showPtx", "arguments": [target] }))
}

/// Whether a server has a child, or had one that has called the compiler.
fn has_compiled(folder: &Folder, server: u32, calls: usize) -> bool {
    !children(server).is_empty() || folder.calls().len() > calls
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
        // The worker waits for the next run until it is killed.
        let server = client.server.id();
        moment(server, number, || !children(server).is_empty()).into_iter().for_each(kill);
        assert_failed_clearly(client.answer(answer));
        assert_alive(&mut client);
    }
    let answer = run(&mut client, &uri);
    client.answer(answer).expect("the next run succeeds");
}

#[test]
fn a_compiler_killed_at_any_moment_fails_at_most_its_request() {
    let folder = Folder::with_compiler("sleep 0.03; echo '.version 9.0' > \"$out\"");
    folder.write("a.tile", KERNEL);
    let (mut client, uri) = client(&folder);
    // The script in place of the compiler generates no PTX.
    let answer = compile(&mut client, &uri, MOMENTS);
    let usual = client.answer(answer);
    assert!(usual.as_ref().is_err_and(|error| error["message"].to_string().contains("contains no PTX")), "{usual:?}");
    for number in 0..MOMENTS {
        let (server, calls) = (client.server.id(), folder.calls().len());
        let answer = compile(&mut client, &uri, number);
        moment(server, number, || has_compiled(&folder, server, calls)).into_iter().for_each(kill);
        assert_failed_clearly(client.answer(answer));
        assert_alive(&mut client);
        soon("the compiler ends", || descendants(client.server.id()).is_empty().then_some(()));
    }
    let answer = compile(&mut client, &uri, MOMENTS + 1);
    assert_eq!(client.answer(answer), usual, "the next compilation is as the first one");
}

#[test]
fn a_server_killed_at_any_moment_leaves_no_process_and_no_damage() {
    let folder = Folder::with_compiler("sleep 0.03; echo '.version 9.0' > \"$out\"");
    folder.write("a.tile", KERNEL);
    for number in 0..MOMENTS {
        let (mut client, uri) = client(&folder);
        let (server, calls) = (client.server.id(), folder.calls().len());
        run(&mut client, &uri);
        // It stops the run, whose worker may not have started.
        compile(&mut client, &uri, number);
        let before = moment(server, number, || has_compiled(&folder, server, calls));
        kill(server);
        soon("the processes of the server end", || before.iter().all(|&process| is_gone(process)).then_some(()));
    }
    assert_eq!(folder.read("a.tile"), KERNEL);
    let (mut client, uri) = client(&folder);
    let answer = run(&mut client, &uri);
    client.answer(answer).expect("a new server works");
}
