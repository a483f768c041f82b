//! Tuning from an editor, on the simulated GPU of `tuning.rs`.

use crate::editor::{Client, URI};
use crate::harness::Folder;
use crate::skip::skipped;
use crate::tuning::{COMPILER, PROGRAM};
use serde_json::{Value, json};
use tile_backend::cuda::compiler::Compiler;

/// A client whose kernels run on the simulated GPU, and which can edit files and show progress.
fn client(folder: &Folder) -> Client {
    client_with(folder, json!({ "run": { "target": "cuda" } }))
}

fn client_with(folder: &Folder, options: Value) -> Client {
    let edits = json!({ "documentChanges": true, "changeAnnotationSupport": {} });
    let workspace = json!({ "applyEdit": true, "workspaceEdit": edits });
    let capabilities = json!({ "workspace": workspace, "window": { "workDoneProgress": true } });
    let params = json!({ "capabilities": capabilities, "initializationOptions": options });
    let mut client = Client::initialized(&mut folder.command(&[]), params);
    client.open(PROGRAM);
    client
}

fn folder(compiler: &str) -> Folder {
    let folder = Folder::with_gpu(compiler);
    folder.write("a.tile", PROGRAM);
    folder
}

/// The argument of the lens that tunes the entry.
fn lens(client: &mut Client) -> Value {
    let found = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": URI } })).expect("lenses");
    let all = found.as_array().expect("a list");
    let lens = all.iter().find(|lens| lens["command"]["command"] == "tile.tune").expect("a lens that tunes");
    assert_eq!(lens["command"]["title"], "Tune");
    lens["command"]["arguments"][0].clone()
}

/// Starts tuning, and answers the server's question with an action. Returns the command's answer.
fn tuned(client: &mut Client, action: Option<&str>) -> Value {
    let argument = lens(client);
    let params = json!({ "command": "tile.tune", "arguments": [argument], "workDoneToken": "tuning" });
    let id = client.ask("workspace/executeCommand", params);
    let question = client.asked("window/showMessageRequest");
    let message = question["params"]["message"].as_str().expect("a message");
    assert!(message.ends_with("Write the hints into the program?"), "{message}");
    let action = action.map(|title| json!({ "title": title }));
    client.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": action }));
    client.answer(id).expect("the kernel is tuned")
}

#[test]
fn a_kernel_is_tuned_and_its_hints_are_written() {
    let folder = folder(COMPILER);
    let mut client = client(&folder);
    let answer = tuned(&mut client, Some("Write hints"));
    let table = answer["table"].as_str().expect("a table");
    for words in ["the program as it is", "(winner)", "occupancy = 1", "not compiled: error: too many warps"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    assert!(answer["result"].as_str().is_some_and(|text| text.contains("2.000 times as fast")), "{answer}");
    assert_eq!(answer["written"], true);
    let edit = client.asked("workspace/applyEdit");
    let edit = &edit["params"]["edit"];
    assert!(edit.to_string().contains("optimization_hints = <sm_90 = {occupancy = 1}>"), "{edit}");
    // The client shows the edits before it applies them.
    assert_eq!(edit["changeAnnotations"]["previewed"]["needsConfirmation"], true, "{edit}");
    let document = &edit["documentChanges"][0];
    assert_eq!(
        (&document["textDocument"]["version"], &document["edits"][0]["annotationId"]),
        (&json!(1), &json!("previewed"))
    );
    // Progress is reported at intervals, so that which steps it names depends on the speed of the machine.
    let is_report = |message: &Value| {
        let text = message["params"]["value"]["message"].as_str();
        message["method"] == "$/progress"
            && text.is_some_and(|text| {
                text.starts_with("step ") && text.contains(" of 7: ") || text.starts_with("the winner")
            })
    };
    assert!(client.messages.iter().any(is_report), "{:#?}", client.messages);
}

#[test]
fn hints_are_written_only_if_the_user_agrees() {
    let folder = folder(COMPILER);
    let mut client = client(&folder);
    let answer = tuned(&mut client, None);
    assert_eq!(answer["written"], false);
    assert!(client.messages.iter().all(|message| message["method"] != "workspace/applyEdit"));
}

#[test]
fn tuning_needs_a_gpu() {
    let folder = Folder::of(PROGRAM);
    let mut client = client(&folder);
    let argument = json!({ "uri": URI, "entry": "adds", "target": "cpu" });
    let refused = client.execute("tile.tune", argument).expect_err("the CPU engine has no hints");
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("tuning needs a GPU")), "{refused}");
}

#[test]
fn without_a_gpu_hints_are_ranked_by_resources() {
    if let Err(error) = Compiler::find() {
        return skipped(error);
    }
    let folder = Folder::of(PROGRAM);
    let ranked = folder.tile(&["tune", "a.tile", "--gpu", "sm_90", "--entry", "adds"]);
    assert_eq!(ranked.status, Some(0), "{}", ranked.err);
    for words in ["sm_90 (H100 SXM, 132 multiprocessors): by resources", "the program as it is", "with the same code"] {
        assert!(ranked.out.contains(words), "{words}: {}", ranked.out);
    }
    let mut client = client_with(&folder, json!({ "build": { "gpu": "sm_90" } }));
    let argument = json!({ "uri": URI, "entry": "adds", "target": "cpu" });
    let answer = client.execute("tile.tune", argument).expect("the hints are ranked");
    assert_eq!((answer["table"].as_str(), &answer["written"]), (Some(&*ranked.out), &json!(false)), "{answer}");
}

#[test]
fn a_canceled_search_continues_where_it_was() {
    // Candidates with a latency, which is the third step, are compiled only after a file is gone.
    let folder = Folder::of("");
    let block = folder.path("block");
    let waits =
        format!("if grep -q latency \"$last\"; then while [ -e '{}' ]; do sleep 0.1; done; fi\n", block.display());
    let folder = self::folder(&COMPILER.replacen("time=400\n", &format!("time=400\n{waits}"), 1));
    std::fs::write(&block, "").expect("it can be written");
    let mut client = client(&folder);
    let argument = lens(&mut client);
    let params = json!({ "command": "tile.tune", "arguments": [argument], "workDoneToken": "tuning" });
    let id = client.ask("workspace/executeCommand", params);
    let is_waiting = |message: &Value| {
        let text = message["params"]["value"]["message"].as_str();
        message["method"] == "$/progress" && text.is_some_and(|text| text.starts_with("step 3 of 7: hints of accesses"))
    };
    client.wait_for(is_waiting);
    client.notify("window/workDoneProgress/cancel", json!({ "token": "tuning" }));
    assert_eq!(client.answer(id).expect("it ends"), json!({ "stopped": true }));

    std::fs::remove_file(&block).expect("it exists");
    client.messages.clear();
    let answer = tuned(&mut client, None);
    assert!(answer["result"].as_str().is_some_and(|text| text.contains("2.000 times as fast")), "{answer}");
    client.wait_for(|message| message["params"]["value"]["message"] == "1 step was taken from an earlier run");
}
