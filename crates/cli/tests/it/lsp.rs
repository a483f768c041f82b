//! `tile lsp`: runs of kernels, and the end of the server.

use crate::editor;
use crate::harness::Folder;
#[cfg(target_os = "linux")]
use crate::process;
use crate::waiting::with_time_limit;

use editor::{Client, URI};
use serde_json::{Value, json};

/// A program with an entry that has these directives and this body, which starts at line 4.
fn program(directives: &str, body: &str) -> String {
    format!("cuda_tile.module @m {{\n  {directives}\n  entry @k() {{\n    // begin\n{body}\n    return\n  }}\n}}\n")
}

const PRINTS: &str = "    %x, %y, %z = get_tile_block_id : tile<i32>\n    \
                      %t = print_tko \"block %i → ä\\n\", %x : tile<i32> -> token";

#[test]
fn prints_are_streamed_and_shown_next_to_their_line() {
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
    assert_eq!(client.hints().len(), 1, "the changed line has lost its hint");
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
    assert_eq!(client.found_in(2).first().map(|found| found.0), Some(3), "the diagnostic moves with its line");
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

/// Two unordered stores to the same element, and a second entry without errors.
const UNORDERED: &str = "cuda_tile.module @m {\n  //@ launch\n  //@   %p = f32[1] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n    \
    %one = constant <f32: 1.0> : tile<f32>\n    store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token\n    \
    store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token\n    return\n  }\n  //@ launch\n  entry @other() {\n    return\n  }\n}\n";

#[test]
fn the_sanitizer_runs_on_request() {
    let mut client = Client::with(UNORDERED);
    let mut run = |sanitize: bool| {
        let target = json!({ "uri": URI, "entry": "k", "launch": null, "sanitize": sanitize });
        let params = json!({ "command": "tile.run", "arguments": [target] });
        client.request("workspace/executeCommand", params).expect("the run succeeds")["passed"].clone()
    };
    assert_eq!((run(false), run(true)), (json!(true), json!(false)));
}

/// The children of a process.
#[cfg(target_os = "linux")]
fn children(of: u32) -> Vec<u32> {
    let path = format!("/proc/{of}/task");
    let threads = std::fs::read_dir(path).expect("the process exists").flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<u32>>()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn runs_share_a_live_worker() {
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
    assert_eq!(run(), first, "the second run uses the worker of the first");
    process::signal(first, process::Signal::KILL);
    // The killed worker can linger for a moment, also as a zombie.
    assert_ne!(run(), first, "a new worker replaces a dead one");
}

#[test]
fn all_launches_of_a_file_are_tested() {
    let mut client = Client::with(UNORDERED);
    let params = json!({ "command": "tile.testAll", "arguments": [{ "uri": URI }] });
    let answer = client.request("workspace/executeCommand", params).expect("the run succeeds");
    assert_eq!((&answer["passed"], &answer["failed"]), (&json!(1), &json!(1)), "{answer}");
    assert_eq!(answer["results"][1]["entry"], "other");
    assert!(client.written("stderr").contains("error[R0106]"), "{}", client.written("stderr"));
}

#[test]
fn tests_have_a_time_limit() {
    let endless = program("//@ launch", ENDLESS);
    let text = endless.replace("\n  }\n}\n", "\n  }\n  //@ launch\n  entry @other() {\n    return\n  }\n}\n");
    let mut client = Client::with(&text);
    let test = |seconds| {
        let settings = json!({ "tile": { "test": { "timeout": seconds } } });
        client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
        client.execute("tile.testAll", json!({ "uri": URI })).expect("the run succeeds")
    };
    // The other entry must end within the limit.
    let (_, answer) = with_time_limit(2, test, |answer| answer["passed"] == 0);
    assert_eq!((&answer["passed"], &answer["failed"]), (&json!(1), &json!(1)), "{answer}");
    assert_eq!(answer["results"][0]["result"]["failures"][0]["code"], "R0402", "{answer}");
}

#[test]
fn a_test_with_a_slow_expectation_fails_at_its_launch() {
    // The engine limits only the time of the kernel; during expectations, the worker is killed.
    let product = " @ %p".repeat(200);
    let directives = format!("//@ launch\n  //@   %p = f32[2000, 2000] ones\n  //@ expect %p == %p{product}");
    let folder = Folder::of("");
    let mut client = Client::started(&mut folder.command(&[]), json!({ "test": { "timeout": 0.5 } }));
    client.open(&program(&directives, "").replace("@k()", "@k(%p: tile<ptr<f32>>)"));
    let answer = client.execute("tile.testAll", json!({ "uri": URI })).expect("the run ends");
    let failure = &answer["results"][0]["result"]["failures"][0];
    assert_eq!((&answer["failed"], &failure["code"]), (&json!(1), &json!("R0402")), "{answer}");
    assert_eq!(failure["message"], "the run timed out after 500ms", "{answer}");
}

#[test]
fn an_entry_with_an_error_is_not_run() {
    let mut client = Client::with(&program("//@ launch", "    %q = negf %nope : tile<f32>"));
    let id = client.start_run();
    let refused = client.answer(id).expect_err("the entry has an error");
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("%nope")), "{refused}");
}

/// Prints, then loops forever.
const ENDLESS: &str = "    %one = constant <i64: 1> : tile<i64> %t = print_tko \"begun\\n\" -> token\n    \
    loop iter_values(%i = %one) : tile<i64> {\n      %past = cmpi less_than %i, %one, signed : tile<i64> -> tile<i1>\n      if %past {\n        break\n      }\n      %n = addi %i, %one : tile<i64>\n      continue %n : tile<i64>\n    }";

#[test]
fn a_run_can_be_cancelled() {
    let mut client = Client::with(&program("//@ launch", ENDLESS));
    let id = client.start_run();
    while client.written("stdout").is_empty() {
        let message = client.receive();
        client.messages.push(message);
    }
    assert_eq!(client.hints().len(), 1, "other requests are answered in the meantime");
    client.notify("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id).expect_err("the run is cancelled")["code"], -32800);
    assert_eq!(client.hints().len(), 1);
}

#[test]
fn a_run_reports_progress_and_can_be_stopped() {
    let mut client = Client::with(&program("//@ launch", ENDLESS));
    let target = json!({ "uri": URI, "entry": "k", "launch": null });
    let params = json!({ "command": "tile.run", "arguments": [target], "workDoneToken": 7 });
    let id = client.ask("workspace/executeCommand", params);
    let progress = |client: &mut Client, kind: &str| {
        let matches = |message: &Value| message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind;
        while !client.messages.iter().any(matches) {
            let message = client.receive();
            client.messages.push(message);
        }
        client.messages.iter().find(|message| matches(message)).expect("the message has arrived")["params"].clone()
    };
    let begun = progress(&mut client, "begin");
    assert_eq!((&begun["token"], &begun["value"]["cancellable"]), (&json!(7), &json!(true)));
    assert_eq!(begun["value"]["title"], "Running @k");
    client.notify("window/workDoneProgress/cancel", json!({ "token": 8 }));
    client.notify("window/workDoneProgress/cancel", json!({ "token": 7 }));
    assert_eq!(client.answer(id).expect("the run is stopped"), json!({ "stopped": true }));
    assert_eq!(progress(&mut client, "end")["token"], 7);
}

#[test]
fn shutdown_does_not_wait_for_a_run() {
    let mut client = Client::with(&program("//@ launch", ENDLESS));
    client.start_run();
    client.request("shutdown", Value::Null).expect("the server shuts down");
    client.notify("exit", Value::Null);
    assert_eq!(client.server.wait().expect("the server ends").code(), Some(0));
}

#[test]
fn the_server_ends_when_its_client_vanishes() {
    let mut client = Client::with(&program("//@ launch", ENDLESS));
    client.start_run();
    client.input = None;
    assert_eq!(client.server.wait().expect("the server ends").code(), Some(1));
}
