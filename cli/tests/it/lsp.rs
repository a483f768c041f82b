//! `tile lsp` as an editor starts it: runs of kernels, and how it ends.

use crate::editor;
#[cfg(target_os = "linux")]
use crate::process;

use editor::{Client, URI};
use serde_json::{Value, json};

/// A program whose entry has this body and launch. The body starts at line 4.
fn program(directives: &str, body: &str) -> String {
    format!("cuda_tile.module @m {{\n  {directives}\n  entry @k() {{\n    // begin\n{body}\n    return\n  }}\n}}\n")
}

const PRINTS: &str = "    %x, %y, %z = get_tile_block_id : tile<i32>\n    \
                      %t = print_tko \"block %i → ä\\n\", %x : tile<i32> -> token";

#[test]
fn what_a_kernel_prints_is_streamed_and_stands_beside_its_line() {
    let mut client = Client::with(&program("//@ launch grid=(3, 1, 1)", PRINTS));
    assert_eq!(client.hints(), []);
    let answer = client.run();
    assert_eq!((&answer["passed"], &answer["blocks"]), (&json!(true), &json!(3)));
    assert_eq!(client.written("stdout"), "block 0 → ä\nblock 1 → ä\nblock 2 → ä\n");
    assert_eq!(client.written("stderr"), "");
    let hints = client.hints();
    assert_eq!(hints[0], (5, "block 0 → ä ⏎ block 1 → ä ⏎ block 2 → ä".to_string()));
    assert!(hints[1].0 == 1 && hints[1].1.starts_with("✓ 3 blocks in"), "{hints:?}");
    client.edit(2, 3, "// new\n");
    assert_eq!(client.hints()[0].0, 6);
    client.edit(3, 6, "    %a = iota : tile<8xi32> ");
    assert_eq!(client.hints().len(), 1, "its line has changed");
}

#[test]
fn a_failed_expectation_is_a_diagnostic_until_its_line_changes() {
    let mut client = Client::with(&program("//@ launch\n  //@ expect print \"other\\n\"", PRINTS));
    let answer = client.run();
    assert_eq!(answer["passed"], false);
    let failures = answer["failures"].as_array().expect("a list");
    assert_eq!((failures.len(), &failures[0]["range"]["start"]["line"]), (1, &json!(2)), "{answer}");
    assert!(failures[0]["code"].is_null() && failures[0]["message"].as_str().is_some_and(|it| it.contains("other")));
    assert_eq!(answer["verdict"], "✗ 1 of 1 expectation not met");
    let found = client.found();
    assert!(found.len() == 1 && found[0].0 == 2, "{found:?}");
    assert!(client.written("stderr").starts_with("a.tile:3:"), "{}", client.written("stderr"));
    assert!(client.hints().iter().any(|(line, label)| *line == 1 && label.starts_with('✗')));
    client.edit(2, 1, "\n");
    assert_eq!(client.found_in(2).first().map(|found| found.0), Some(3), "it moves with its line");
    client.edit(3, 3, "  //@ expect print \"\" ");
    assert_eq!(client.found_in(3), []);
}

#[test]
fn a_finding_is_a_diagnostic_at_its_op() {
    let body = "    %z = constant <i32: 0> : tile<i32>\n    %q = divi %z, %z signed : tile<i32>";
    let mut client = Client::with(&program("//@ launch", body));
    assert_eq!(client.run()["failures"][0]["code"], "R0201");
    let found = client.found();
    assert!(found.len() == 1 && found[0].0 == 5, "{found:?}");
    assert!(client.written("stderr").contains("error[R0201]"), "{}", client.written("stderr"));
}

/// Two stores to one address that no token orders, and a second, correct entry.
const UNORDERED: &str = "cuda_tile.module @m {\n  //@ launch\n  //@   %p = f32[1] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n    \
    %one = constant <f32: 1.0> : tile<f32>\n    store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token\n    \
    store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token\n    return\n  }\n  //@ launch\n  entry @other() {\n    return\n  }\n}\n";

#[test]
fn the_sanitizer_looks_on_where_it_is_wanted() {
    let mut client = Client::with(UNORDERED);
    let mut run = |sanitize: bool| {
        let target = json!({ "uri": URI, "entry": "k", "launch": null, "sanitize": sanitize });
        let params = json!({ "command": "tile.run", "arguments": [target] });
        client.request("workspace/executeCommand", params).expect("it runs")["passed"].clone()
    };
    assert_eq!((run(false), run(true)), (json!(true), json!(false)));
}

/// The child processes of a process.
#[cfg(target_os = "linux")]
fn children(of: u32) -> Vec<u32> {
    let path = format!("/proc/{of}/task");
    let threads = std::fs::read_dir(path).expect("it lives").flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<u32>>()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn runs_share_a_worker_while_it_lives() {
    let mut client = Client::with(&program("//@ launch", "    print_tko \"hello\\n\" -> token"));
    let mut run = || {
        let answer = client.run();
        assert_eq!(answer["passed"], true);
        assert!(answer["waited"].as_f64().is_some_and(|seconds| seconds > 0.0), "{answer}");
        let workers = children(client.server.id());
        assert_eq!(workers.len(), 1);
        workers[0]
    };
    let first = run();
    assert_eq!(run(), first, "the worker of the first run does the second one");
    process::signal(first, process::Signal::KILL);
    // The process may live for a moment, or remain as a zombie.
    assert_ne!(run(), first, "a new one takes the place of a dead one");
}

#[test]
fn all_launches_of_a_file_are_tested() {
    let mut client = Client::with(UNORDERED);
    let params = json!({ "command": "tile.testAll", "arguments": [{ "uri": URI }] });
    let answer = client.request("workspace/executeCommand", params).expect("it runs");
    assert_eq!((&answer["passed"], &answer["failed"]), (&json!(1), &json!(1)), "{answer}");
    assert_eq!(answer["results"][1]["entry"], "other");
    assert!(client.written("stderr").contains("error[R0106]"), "{}", client.written("stderr"));
}

#[test]
fn an_entry_with_an_error_is_not_run() {
    let mut client = Client::with(&program("//@ launch", "    %q = negf %nope : tile<f32>"));
    let id = client.start_run();
    let refused = client.answer(id).expect_err("it has an error");
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("%nope")), "{refused}");
}

/// Prints, and then runs forever.
const ENDLESS: &str = "    %one = constant <i64: 1> : tile<i64> %t = print_tko \"begun\\n\" -> token\n    \
    loop iter_values(%i = %one) : tile<i64> {\n      %n = addi %i, %one : tile<i64>\n      continue %n : tile<i64>\n    }";

#[test]
fn a_run_can_be_cancelled_and_the_server_goes_on() {
    let mut client = Client::with(&program("//@ launch", ENDLESS));
    let id = client.start_run();
    while client.written("stdout").is_empty() {
        let message = client.receive();
        client.reported.push(message);
    }
    assert_eq!(client.hints().len(), 1, "other requests are answered meanwhile");
    client.notify("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id).expect_err("it is cancelled")["code"], -32800);
    assert_eq!(client.hints().len(), 1);
}

#[test]
fn a_run_tells_its_progress_and_is_stopped_by_it() {
    let mut client = Client::with(&program("//@ launch", ENDLESS));
    let target = json!({ "uri": URI, "entry": "k", "launch": null });
    let params = json!({ "command": "tile.run", "arguments": [target], "workDoneToken": 7 });
    let id = client.ask("workspace/executeCommand", params);
    let progress = |client: &mut Client, kind: &str| {
        let is_it = |message: &Value| message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind;
        while !client.reported.iter().any(is_it) {
            let message = client.receive();
            client.reported.push(message);
        }
        client.reported.iter().find(|message| is_it(message)).expect("it has come")["params"].clone()
    };
    let begun = progress(&mut client, "begin");
    assert_eq!((&begun["token"], &begun["value"]["cancellable"]), (&json!(7), &json!(true)));
    assert_eq!(begun["value"]["title"], "Running @k");
    client.notify("window/workDoneProgress/cancel", json!({ "token": 8 }));
    client.notify("window/workDoneProgress/cancel", json!({ "token": 7 }));
    assert_eq!(client.answer(id).expect("it is stopped"), json!({ "stopped": true }));
    assert_eq!(progress(&mut client, "end")["token"], 7);
}

#[test]
fn the_end_does_not_wait_for_a_run() {
    let mut client = Client::with(&program("//@ launch", ENDLESS));
    client.start_run();
    client.request("shutdown", Value::Null).expect("it agrees");
    client.notify("exit", Value::Null);
    assert_eq!(client.server.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_client_that_vanishes_ends_the_server() {
    let mut client = Client::with(&program("//@ launch", ENDLESS));
    client.start_run();
    client.input = None;
    assert_eq!(client.server.wait().expect("it ends").code(), Some(1));
}
