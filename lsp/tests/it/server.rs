//! The server from the point of view of a client.

use crate::client;
use fastrand::Rng;

use client::{Client, URI};
use serde_json::{Value, json};
use std::path::Path;

const BROKEN: &str = "\
cuda_tile.module @broken {
  entry @broken() {
    %one = constant <f32: 1.0> : tile<f32>
    %sum = addf %one, %undefined : tile<f32>
    %twice = addf %one, %one : tile<f32>
    return
  }
}
";

const HELLO: &str = "\
cuda_tile.module @hello {
  //@ launch \"once\" grid=(1, 1, 1)
  //@ launch
  entry @hello() {
    %t = print_tko \"hello\\n\" -> token
    return
  }
}
";

/// A client with an open, checked document, and its diagnostics.
async fn opened(text: &str) -> (Client, Vec<Value>) {
    let mut client = Client::plain().await;
    client.open(text).await;
    let found = client.diagnostics(1).await;
    (client, found)
}

fn range(value: &Value) -> [u64; 4] {
    let number = |end: &str, part: &str| value[end][part].as_u64().expect("a number");
    [number("start", "line"), number("start", "character"), number("end", "line"), number("end", "character")]
}

#[tokio::test]
async fn diagnostics_follow_edits() {
    let (mut client, found) = opened(BROKEN).await;
    assert_eq!(found.len(), 1);
    assert_eq!(range(&found[0]["range"]), [3, 22, 3, 32]);
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("E0101"), &json!(1)));
    assert!(found[0]["message"].as_str().is_some_and(|message| message.contains("%undefined")));
    client.edit(2, [3, 22, 3, 32], "%one").await;
    // What is left are the unused results, which editors show faded.
    let left = client.diagnostics(2).await;
    assert_eq!(left.iter().map(|found| &found["code"]).collect::<Vec<_>>(), ["L0015"; 3]);
    client.edit(3, [3, 22, 3, 26], "%nothing").await;
    assert_eq!(client.diagnostics(3).await.len(), 1);
}

#[tokio::test]
async fn closing_a_document_clears_its_diagnostics() {
    let (mut client, _) = opened(BROKEN).await;
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } })).await;
    assert_eq!(client.notification("textDocument/publishDiagnostics").await["diagnostics"], json!([]));
    assert_eq!(client.about("hover", Some((2, 6)), json!({})).await, Value::Null);
    client.open(BROKEN).await;
    assert_eq!(client.diagnostics(1).await.len(), 1);
}

#[tokio::test]
async fn live_tiles_are_shown_in_hovers_and_hints() {
    let text = "cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %i = iota : tile<256xi32>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ps = broadcast %p1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %q = offset %ps, %i : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v, %t = load_ptr_tko weak %q : tile<256xptr<f32>> -> tile<256xf32>, token
    store_ptr_tko weak %q, %v : tile<256xptr<f32>>, tile<256xf32> -> token
  }
}
";
    let mut client = Client::plain().await;
    client.open(text).await;
    let hover = client.about("hover", Some((1, 9)), json!({})).await;
    let shown = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(shown.contains("at most 1 KiB in registers, in line 7. That is about 2 registers"), "{hover}");
    let range = json!({ "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } } });
    let labels = async |client: &mut Client| {
        let hints = client.about("inlayHint", None, range.clone()).await;
        let hints = hints.as_array().cloned().unwrap_or_default();
        hints.iter().map(|hint| hint["label"].as_str().unwrap_or_default().to_string()).collect::<Vec<String>>()
    };
    assert!(!labels(&mut client).await.iter().any(|label| label.ends_with("live")), "they are off by default");
    client.diagnostics(1).await;
    let settings = json!({ "settings": { "tile": { "inlayHints": { "liveTiles": true } } } });
    client.notify("workspace/didChangeConfiguration", settings).await;
    // The server checks the document again once it has applied the settings.
    client.diagnostics(1).await;
    let shown = labels(&mut client).await;
    assert_eq!(shown.iter().filter(|label| *label == "1 KiB live").count(), 1, "{shown:?}");
}

#[tokio::test]
async fn pages_about_an_entry() {
    let text = "cuda_tile.module @m {
  entry @first() {
  }
  //@ launch \"one\"
  //@   %p = f32[4] zeros
  //@ launch \"two\" grid=(2, 1, 1)
  //@   %p = f32[8] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %q = offset %p, %x : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
    store_ptr_tko weak %q, %v token = %t : tile<ptr<f32>>, tile<f32> -> token
  }
}
";
    let mut client = Client::plain().await;
    client.open(text).await;
    let mut page = async |kind: &str, line: u32| {
        let place = json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": 4 } });
        client.request(&format!("tile/{kind}"), place).await.expect("an answer")
    };
    let graph = page("graph", 10).await;
    assert_eq!(graph["title"], "@k, launch \"one\", grid (1, 1, 1)");
    let html = graph["html"].as_str().unwrap_or_default();
    assert!(html.contains("data-line=\"11\"") && html.contains("slice %p[%x]"), "{html}");
    // In the directives of a launch, that one is shown.
    let accesses = page("accesses", 6).await;
    assert_eq!(accesses["title"], "@k, launch \"two\", grid (2, 1, 1)");
    assert!(accesses["html"].as_str().is_some_and(|html| html.contains("\"extents\":[8]")), "{accesses}");
    assert_eq!(page("accesses", 1).await, Value::Null, "an entry without a launch");
    assert_eq!(page("graph", 1).await["title"], "@first");
}

#[tokio::test]
async fn a_load_shows_its_access_map() {
    let text = "cuda_tile.module @m {
  //@ launch \"two\" grid=(2, 1, 1)
  //@   %p = f32[8] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %q = offset %p, %x : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
  }
}
";
    let mut client = Client::plain().await;
    client.open(text).await;
    for column in [5, 16] {
        let hover = client.about("hover", Some((6, column)), json!({})).await;
        let shown = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(shown.starts_with("Reads `%p[%x]`"), "{hover}");
        assert!(shown.contains("In the launch \"two\": 2 times, 8 bytes."), "{hover}");
    }
}

#[tokio::test]
async fn hover_works_next_to_a_broken_line() {
    let (mut client, _) = opened(BROKEN).await;
    let hover = client.about("hover", Some((4, 19)), json!({})).await;
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("%one: tile<f32>")), "{hover}");
    assert_eq!(range(&hover["range"]), [4, 18, 4, 22]);
}

#[tokio::test]
async fn definitions_references_and_highlights() {
    let (mut client, _) = opened(BROKEN).await;
    let definition = client.about("definition", Some((4, 19)), json!({})).await;
    assert_eq!(range(&definition["range"]), [2, 4, 2, 8]);
    let with = client.about("references", Some((4, 19)), json!({ "context": { "includeDeclaration": true } })).await;
    let without =
        client.about("references", Some((4, 19)), json!({ "context": { "includeDeclaration": false } })).await;
    assert_eq!((with.as_array().map(Vec::len), without.as_array().map(Vec::len)), (Some(4), Some(3)));
    let highlights = client.about("documentHighlight", Some((2, 5)), json!({})).await;
    let kinds: Vec<&Value> = highlights.as_array().expect("a list").iter().map(|each| &each["kind"]).collect();
    assert_eq!(kinds, [3, 2, 2, 2]);
}

#[tokio::test]
async fn symbols_are_nested_if_the_client_supports_it() {
    let capabilities = json!({ "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } } });
    let (mut client, _) = Client::initialized(json!({ "capabilities": capabilities })).await;
    client.open(BROKEN).await;
    let symbols = client.about("documentSymbol", None, json!({})).await;
    assert_eq!((&symbols[0]["name"], &symbols[0]["children"][0]["name"]), (&json!("@broken"), &json!("@broken")));
    let (mut client, _) = opened(BROKEN).await;
    let symbols = client.about("documentSymbol", None, json!({})).await;
    assert_eq!(symbols[1]["containerName"], "@broken");
}

#[tokio::test]
async fn the_outline_contains_launches() {
    let capabilities = json!({ "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } } });
    let (mut client, _) = Client::initialized(json!({ "capabilities": capabilities })).await;
    client.open(HELLO).await;
    let symbols = client.about("documentSymbol", None, json!({})).await;
    let children = symbols[0]["children"].as_array().expect("a list");
    let shown: Vec<String> = children.iter().map(|symbol| format!("{} {}", symbol["name"], symbol["detail"])).collect();
    assert_eq!(shown, [r#""launch once of @hello" "1×1×1""#, r#""launch #2 of @hello" "1×1×1""#, r#""@hello" "()""#]);
    assert_eq!(range(&children[1]["selectionRange"]), [2, 6, 2, 12]);
    let (mut client, _) = opened(HELLO).await;
    let symbols = client.about("documentSymbol", None, json!({})).await;
    assert_eq!(
        (&symbols[1]["name"], &symbols[1]["containerName"]),
        (&json!("launch once of @hello"), &json!("@hello"))
    );
}

#[tokio::test]
async fn a_lens_adds_a_launch_to_an_entry_without_one() {
    let text = "cuda_tile.module @m {\n  entry @k(%n: tile<i32>) {\n  }\n}\n";
    let adds = |lens: &&Value| lens["command"]["command"] == "tile.addLaunch";
    let capabilities = json!({ "workspace": { "applyEdit": true } });
    let (mut client, _) = Client::initialized(json!({ "capabilities": capabilities })).await;
    client.open(text).await;
    let lenses = client.about("codeLens", None, json!({})).await;
    let lens = lenses.as_array().expect("a list").iter().find(adds).expect("a lens");
    assert_eq!((&lens["command"]["title"], range(&lens["range"])), (&json!("Add launch"), [1, 2, 1, 27]));
    let params = json!({ "command": "tile.addLaunch", "arguments": lens["command"]["arguments"] });
    client.request("workspace/executeCommand", params).await.expect("the launch can be added");
    let edit = client.server_request("workspace/applyEdit").await["edit"]["changes"][URI][0].clone();
    assert_eq!(edit["newText"], "  //@ launch grid=(1, 1, 1)\n  //@   %n = 1\n", "{edit}");
    // With a launch, there is no such lens, and neither if the client cannot edit.
    client.open(HELLO).await;
    let lenses = client.about("codeLens", None, json!({})).await;
    assert_eq!(lenses.as_array().expect("a list").iter().find(adds), None);
    let (mut client, _) = opened(text).await;
    let lenses = client.about("codeLens", None, json!({})).await;
    assert_eq!(lenses.as_array().expect("a list").iter().find(adds), None);
}

#[tokio::test]
async fn formatting_edits_only_what_differs() {
    let ragged =
        "cuda_tile.module @m {\n  entry @k() {\n    // stays\n    %a   =  iota  : tile<8xi32>\n    return\n  }\n}\n";
    let (mut client, _) = opened(ragged).await;
    let options = json!({ "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.about("formatting", None, options).await;
    assert_eq!(edits.as_array().map(Vec::len), Some(1));
    assert_eq!(edits[0]["newText"], "    %a = iota : tile<8xi32>\n");
    assert_eq!(range(&edits[0]["range"]), [3, 0, 4, 0]);
}

#[tokio::test]
async fn fixes_are_offered_at_their_diagnostic() {
    let text = "cuda_tile.module @m {\n  entry @k() {\n    %a = iotta : tile<8xi32>\n  }\n}\n";
    let (mut client, found) = opened(text).await;
    let context = json!({ "diagnostics": [], "only": ["quickfix"] });
    let params = json!({ "range": found[0]["range"], "context": context });
    let actions = client.about("codeAction", None, params).await;
    let edit = &actions[0]["edit"]["changes"][URI][0];
    assert_eq!((&edit["newText"], &actions[0]["kind"]), (&json!("iota"), &json!("quickfix")), "{actions}");
    let other = json!({ "range": found[0]["range"], "context": { "diagnostics": [], "only": ["refactor.inline"] } });
    assert_eq!(client.about("codeAction", None, other).await, json!([]));
}

#[tokio::test]
async fn completions_replace_the_name_with_its_sigil() {
    let (mut client, _) = opened(&BROKEN.replace("%undefined", "%o")).await;
    let items = client.about("completion", Some((3, 24)), json!({})).await;
    assert_eq!(items[0]["label"], "%one");
    assert_eq!(range(&items[0]["textEdit"]["range"]), [3, 22, 3, 24]);
    let ops = client.about("completion", Some((5, 4)), json!({})).await;
    let addf =
        ops.as_array().expect("a list").iter().find(|item| item["label"] == "addf").expect("the ops contain `addf`");
    let resolved = client.request("completionItem/resolve", addf.clone()).await.expect("the item is known");
    assert!(resolved["documentation"]["value"].as_str().is_some_and(|text| text.contains("sum of two float tiles")));
}

#[tokio::test]
async fn types_are_offered_after_their_mark_and_at_the_end_of_the_operands() {
    let text = "cuda_tile.module @m {\n  entry @k() {\n    %a = iota : tile<8xi32>\n    %b = addi %a, %a : \n  }\n}\n";
    let mut client = Client::plain().await;
    client.open(text).await;
    let blank = |line: u32, character: u32| {
        (Some((line, character)), json!({ "context": { "triggerKind": 2, "triggerCharacter": " " } }))
    };
    let (place, context) = blank(3, 23);
    let items = client.about("completion", place, context).await;
    assert_eq!(items[0]["label"], "tile<8xi32>", "{items}");
    let (place, context) = blank(3, 14);
    assert_eq!(client.about("completion", place, context).await, json!([]));
    client.edit(2, [3, 20, 3, 23], "").await;
    let context = json!({ "context": { "triggerKind": 2 } });
    let rest = client.about("inlineCompletion", Some((3, 20)), context.clone()).await;
    assert_eq!(rest[0]["insertText"], " : tile<8xi32>", "{rest}");
    assert_eq!(client.about("inlineCompletion", Some((3, 16)), context).await, Value::Null);
}

#[tokio::test]
async fn launches_have_lenses_in_trusted_workspaces_only() {
    let (mut client, _) = opened(HELLO).await;
    let lenses = client.about("codeLens", None, json!({})).await;
    let commands: Vec<&Value> = lenses.as_array().expect("a list").iter().map(|lens| &lens["command"]).collect();
    assert_eq!(commands[0]["title"], "▶ Run \"once\"");
    assert_eq!(
        commands[0]["arguments"],
        json!([{ "uri": URI, "entry": "hello", "launch": "once", "sanitize": false }])
    );
    assert_eq!(
        (&commands[1]["title"], &commands[1]["command"]),
        (&json!("Run with sanitizer"), &json!("tile.runSanitized"))
    );
    assert_eq!(commands[1]["arguments"][0]["sanitize"], true);
    let observing: Vec<&Value> = commands[2..4].iter().map(|command| &command["command"]).collect();
    assert_eq!(observing, ["tile.profile", "tile.trace"], "benchmarks need a GPU");
    assert_eq!(commands[4]["arguments"][0]["launch"], "#2");
    // Lenses for code of NVIDIA's tools are shown if those are installed.
    let of_compiler = ["tile.showPtx", "tile.showSass", "tile.remarks"];
    let is_of_compiler = |command: &&Value| command.as_str().is_some_and(|name| of_compiler.contains(&name));
    let of_file = commands[8..].iter().map(|command| &command["command"]);
    let of_file: Vec<&Value> = of_file.filter(|command| !is_of_compiler(command)).collect();
    assert_eq!(of_file, ["tile.testAll", "tile.showBytecode", "tile.copyBytecode"]);
    assert_eq!(lenses[0]["range"]["start"]["line"], 1);

    let (mut client, _) =
        Client::initialized(json!({ "capabilities": {}, "initializationOptions": { "trusted": false } })).await;
    client.open(HELLO).await;
    assert_eq!(client.about("codeLens", None, json!({})).await, Value::Null);
    let params = json!({ "command": "tile.run", "arguments": commands[0]["arguments"] });
    let refused = client.request("workspace/executeCommand", params).await.expect_err("the workspace is not trusted");
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("trust")));
}

#[tokio::test]
async fn clients_that_can_debug_have_a_lens_for_it() {
    let params = json!({ "capabilities": {}, "initializationOptions": { "commands": ["tile.debug"] } });
    let (mut client, _) = Client::initialized(params).await;
    client.open(HELLO).await;
    let lenses = client.about("codeLens", None, json!({})).await;
    let debugs = |lens: &&Value| lens["command"]["command"] == "tile.debug";
    let found: Vec<&Value> = lenses.as_array().expect("a list").iter().filter(debugs).collect();
    assert_eq!(found.len(), 2);
    assert_eq!((&found[0]["command"]["title"], &found[0]["range"]["start"]["line"]), (&json!("Debug"), &json!(1)));
    let argument = &found[0]["command"]["arguments"][0];
    assert_eq!((&argument["entry"], &argument["launch"]), (&json!("hello"), &json!("once")));

    let (mut client, _) = opened(HELLO).await;
    let lenses = client.about("codeLens", None, json!({})).await;
    assert!(lenses.as_array().expect("a list").iter().all(|lens| !debugs(&lens)));
}

#[tokio::test]
async fn launches_are_listed_by_entry() {
    let text = HELLO.replace("  //@ launch\n", "  //@ expect print \"hello\\n\"\n  //@ launch grid=(2, 1, 1)\n")
        + "cuda_tile.module @other {\n  entry @plain() {\n    return\n  }\n}\n";
    let (mut client, _) = opened(&text).await;
    let listed = client.request("tile/launches", json!({ "textDocument": { "uri": URI } })).await.expect("a list");
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!((&listed[0]["entry"], range(&listed[0]["range"])), (&json!("hello"), [4, 8, 4, 14]));
    let launches = &listed[0]["launches"];
    assert_eq!((&launches[0]["launch"], &launches[1]["launch"]), (&json!("once"), &json!("#2")));
    assert_eq!(launches[1]["grid"], json!([2, 1, 1]));
    assert_eq!(launches[0]["range"]["start"]["line"], 1);
    assert_eq!(launches[0]["expectations"][0]["start"]["line"], 2);
    assert_eq!(launches[1]["expectations"], json!([]));
}

#[tokio::test]
async fn refactorings_are_offered_along_with_fixes() {
    let text = "cuda_tile.module @m {\n  entry @k() {\n    %0 = constant <i32: 8> : tile<i32>\n    return\n  }\n}\n";
    let (mut client, _) = opened(text).await;
    let at = json!({ "start": { "line": 2, "character": 5 }, "end": { "line": 2, "character": 5 } });
    let params = json!({ "range": at, "context": { "diagnostics": [], "only": ["refactor"] } });
    let actions = client.about("codeAction", None, params).await;
    let named =
        actions.as_array().expect("a list").iter().find(|action| action["title"] == "Rename `%0` to `%cst_8_i32`");
    let edit = &named.expect("the action is offered")["edit"]["changes"][URI][0];
    assert_eq!((&edit["newText"], range(&edit["range"])), (&json!("%cst_8_i32"), [2, 4, 2, 6]));
    let titles: Vec<&Value> = actions.as_array().expect("a list").iter().map(|action| &action["title"]).collect();
    assert!(titles.contains(&&json!("Add a launch of `@k`")), "{titles:?}");
}

#[tokio::test]
async fn ops_and_entries_are_optimized() {
    let text = "cuda_tile.module @m {\n  entry @k() {\n    %a = constant <i32: 8> : tile<i32>\n    \
                %b = addi %a, %a : tile<i32>\n    print_tko \"%d\\n\", %b : tile<i32> -> token\n  }\n}\n";
    let (mut client, _) = opened(text).await;
    for (line, character, title, new) in [
        (3, 5, "Replace `%b` with its constant value", "constant <i32: 16> : tile<i32>"),
        (1, 9, "Optimize `@k`", "entry @k() {\n    %b = constant <i32: 16> : tile<i32>\n"),
    ] {
        let at = json!({ "start": { "line": line, "character": character }, "end": { "line": line, "character": character } });
        let params = json!({ "range": at, "context": { "diagnostics": [], "only": ["refactor"] } });
        let actions = client.about("codeAction", None, params).await;
        let named = actions.as_array().expect("a list").iter().find(|action| action["title"] == title);
        let edit = &named.unwrap_or_else(|| panic!("{title} is not in {actions}"))["edit"]["changes"][URI][0];
        assert!(edit["newText"].as_str().is_some_and(|text| text.starts_with(new)), "{edit}");
    }
}

#[tokio::test]
async fn hints_follow_the_settings() {
    let text = "cuda_tile.module @m {\n  entry @k(%p: tile<ptr<f32>>) {\n    %c = constant <i1: true> : tile<i1>\n    \
                %v, %t = load_ptr_tko weak %p, %c : tile<ptr<f32>>, tile<i1> -> tile<f32>, token\n    return\n  }\n}\n";
    let all = json!({ "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } } });
    let (mut client, _) = opened(text).await;
    let hints = client.about("inlayHint", None, all.clone()).await;
    assert_eq!((&hints[0]["label"], &hints[0]["position"]["line"]), (&json!("mask:"), &json!(3)), "{hints}");
    let options = json!({ "inlayHints": { "parameters": false } });
    let (mut client, _) = Client::initialized(json!({ "capabilities": {}, "initializationOptions": options })).await;
    client.open(text).await;
    assert_eq!(client.about("inlayHint", None, all).await, json!([]));
}

#[tokio::test]
async fn bytecode_is_shown_as_text_and_copied() {
    let (mut client, _) = opened(HELLO).await;
    let params = |command: &str| json!({ "command": command, "arguments": [{ "uri": URI }] });
    let shown =
        client.request("workspace/executeCommand", params("tile.showBytecode")).await.expect("the bytecode is shown");
    let text = std::fs::read_to_string(shown["path"].as_str().expect("a path")).expect("the file exists");
    assert!(text.contains("entry @hello") && text.contains("bytes of bytecode"), "{text}");
    let reported = client.notification("window/showMessage").await;
    assert!(reported["message"].as_str().is_some_and(|message| message.contains(".bytecode.tile")), "{reported}");
    let copied =
        client.request("workspace/executeCommand", params("tile.copyBytecode")).await.expect("the bytecode is copied");
    let bytes = std::fs::read(copied["path"].as_str().expect("a path")).expect("the file exists");
    assert_eq!((&bytes[..7], bytes.len() as u64), (&b"\x7fTileIR"[..], copied["bytes"].as_u64().expect("a number")));
    let (mut client, _) = opened(BROKEN).await;
    let refused = client
        .request("workspace/executeCommand", params("tile.showBytecode"))
        .await
        .expect_err("the program has an error");
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("has an error")), "{refused}");
}

#[tokio::test]
async fn generated_files_are_opened_if_the_editor_supports_it() {
    for editor in ["neovim-0.12", "vscode", "helix"] {
        let (mut client, _) = Client::initialized(client::handshake(editor)).await;
        client.open(HELLO).await;
        let show = |show: bool| json!({ "command": "tile.showBytecode", "arguments": [{ "uri": URI, "show": show }] });
        client.request("workspace/executeCommand", show(false)).await.expect("the bytecode is written");
        assert!(client.has_no_server_request("window/showDocument"), "{editor}");
        let shown = client.request("workspace/executeCommand", show(true)).await.expect("the bytecode is shown");
        let request = client.server_request("window/showDocument").await;
        let path = client::path_of(request["uri"].as_str().expect("a URI"));
        assert_eq!(path, Path::new(shown["path"].as_str().expect("a path")), "{editor}");
        assert_eq!(request["takeFocus"], true, "{editor}");
        let is_read_only = std::fs::metadata(path).expect("the file exists").permissions().readonly();
        assert_eq!(is_read_only, cfg!(unix), "{editor}");
    }
}

#[tokio::test]
async fn directives_are_explained_and_completed() {
    let (mut client, _) = opened(HELLO).await;
    let hover = client.about("hover", Some((1, 8)), json!({})).await;
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("Begins a launch")), "{hover}");
    let items = client.about("completion", Some((1, 6)), json!({})).await;
    assert_eq!(items[0]["label"], "launch");
}

#[tokio::test]
async fn types_and_keywords_have_their_pages() {
    let text = "cuda_tile.module @m {\n  //@ launch\n  //@   %p = f32[8] zeros\n  entry @k(%p: tile<ptr<f32>>) {\n    \
                %a, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token\n    \n    \
                %b, %u = load_ptr_tko \n  }\n}\n";
    let (mut client, _) = opened(text).await;
    let mut hover = async |line: u32, word: &str, part: &str| {
        let column = text.lines().nth(line as usize).and_then(|line| line.find(word)).expect(word);
        let found = client.about("hover", Some((line, column as u32 + 1)), json!({})).await;
        let shown = found["contents"]["value"].as_str().unwrap_or_default().to_string();
        assert!(shown.contains(part), "{word}: {shown}");
    };
    hover(3, "tile<", "**`tile`** · type").await;
    hover(4, "weak", "**`weak`** · memory ordering").await;
    hover(4, "token", "**`token`** · type").await;
    hover(2, "zeros", "**`zeros`** · buffer content").await;
    hover(2, "f32", "**`f32`** · element type").await;

    let mut resolved = async |place: (u32, u32), label: &str| {
        let items = client.about("completion", Some(place), json!({})).await;
        let item = items.as_array().and_then(|items| items.iter().find(|item| item["label"] == label).cloned());
        let item = client.request("completionItem/resolve", item.expect(label)).await.expect("the item is known");
        item["documentation"]["value"].as_str().unwrap_or_default().to_string()
    };
    assert!(resolved((5, 4), "addi").await.contains("The sum of two integer tiles"));
    let keyword = resolved((6, 26), "weak").await;
    assert!(keyword.contains("data race") && keyword.contains("For example:"), "{keyword}");
    let element = resolved((2, 13), "bf16").await;
    assert!(element.contains("**`bf16`** · element type"), "{element}");
}

#[tokio::test]
async fn completions_are_snippets_if_the_client_supports_them() {
    let item = json!({ "snippetSupport": true, "labelDetailsSupport": true });
    let capabilities = json!({ "textDocument": { "completion": { "completionItem": item } } });
    let (mut client, _) = Client::initialized(json!({ "capabilities": capabilities })).await;
    client.open(BROKEN).await;
    let items = client.about("completion", Some((5, 4)), json!({})).await;
    let addf =
        items.as_array().expect("a list").iter().find(|item| item["label"] == "addf").expect("the ops contain `addf`");
    assert_eq!((&addf["insertTextFormat"], &addf["filterText"]), (&json!(2), &json!("addf")));
    assert!(addf["detail"].is_null() && addf["labelDetails"]["description"].is_string(), "{addf}");
    assert!(addf["textEdit"]["newText"].as_str().is_some_and(|text| text.contains("${1:result} = addf")), "{addf}");
    // VS Code cuts the names of rows that are too long.
    for item in items.as_array().expect("a list") {
        let length = |text: &Value| text.as_str().map_or(0, |text| text.chars().count());
        assert!(length(&item["label"]) + length(&item["labelDetails"]["description"]) <= 50, "{item}");
    }
}

#[tokio::test]
async fn names_of_further_results_are_inserted() {
    let item = json!({ "snippetSupport": true });
    let capabilities = json!({ "textDocument": { "completion": { "completionItem": item } } });
    let (mut client, _) = Client::initialized(json!({ "capabilities": capabilities })).await;
    client.open(&BROKEN.replace("    return", "    %r = \n    return")).await;
    let items = client.about("completion", Some((5, 9)), json!({})).await;
    let load = items.as_array().expect("a list").iter().find(|item| item["label"] == "load_ptr_tko");
    let edit = &load.expect("it is offered")["additionalTextEdits"][0];
    assert_eq!((range(&edit["range"]), &edit["newText"]), ([5, 6, 5, 6], &json!(", %result_token")));
}

#[tokio::test]
async fn every_row_shows_the_type_of_its_value() {
    let item = json!({ "snippetSupport": true, "labelDetailsSupport": true });
    let capabilities = json!({ "textDocument": { "completion": { "completionItem": item } } });
    let (mut client, _) = Client::initialized(json!({ "capabilities": capabilities })).await;
    client.open(&BROKEN.replace("    return", "    %r = assume div_by<1>, %\n    return")).await;
    let items = client.about("completion", Some((5, 28)), json!({})).await;
    let items = items.as_array().expect("a list");
    assert!(!items.is_empty());
    for item in items {
        let (detail, shown) = (&item["detail"], &item["labelDetails"]["description"]);
        assert!(
            detail.is_string() && (detail == shown || shown.as_str().is_some_and(|it| it.ends_with('…'))),
            "{item}"
        );
    }
}

#[tokio::test]
async fn a_refused_run_says_why() {
    let (mut client, _) = opened(BROKEN).await;
    for (entry, why) in [("broken", "has no launch"), ("other", "there is no entry `@other`")] {
        let params = json!({ "command": "tile.run", "arguments": [{ "uri": URI, "entry": entry }] });
        let refused = client.request("workspace/executeCommand", params).await.expect_err("the entry cannot run");
        assert!(refused["message"].as_str().is_some_and(|message| message.contains(why)), "{refused}");
    }
    let (mut client, _) = opened(HELLO).await;
    let params = json!({ "command": "tile.run", "arguments": [{ "uri": URI, "entry": "hello", "target": "gpu" }] });
    let refused = client.request("workspace/executeCommand", params).await.expect_err("the target is unknown");
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("`cuda:N`")), "{refused}");
    for arguments in [json!([]), json!([3]), json!([{ "uri": URI }])] {
        let params = json!({ "command": "tile.run", "arguments": arguments });
        assert!(client.request("workspace/executeCommand", params).await.is_err());
    }
}

#[tokio::test]
async fn columns_are_in_the_negotiated_encoding() {
    let text = "cuda_tile.module @m {\n  entry @k(%x: tile<i32>) {\n    \
                %t = print_tko \"ä𝄞 %i\", %x : tile<i32> -> token\n  }\n}\n";
    let line = text.lines().nth(2).expect("a line");
    let before = &line[..line.find("%x").expect("the line contains it")];
    let columns = [
        (json!(["utf-8", "utf-16"]), "utf-8", before.len()),
        (json!(["utf-32"]), "utf-32", before.chars().count()),
        (json!(["utf-7"]), "utf-16", before.encode_utf16().count()),
        (Value::Null, "utf-16", before.encode_utf16().count()),
    ];
    for (offered, agreed, column) in columns {
        let general = if offered.is_null() { json!({}) } else { json!({ "positionEncodings": offered }) };
        let (mut client, answer) = Client::initialized(json!({ "capabilities": { "general": general } })).await;
        assert_eq!(answer["capabilities"]["positionEncoding"], agreed);
        client.open(text).await;
        let hover = client.about("hover", Some((2, column as u32 + 1)), json!({})).await;
        assert_eq!(range(&hover["range"])[1], column as u64, "{agreed}: {hover}");
    }
}

#[tokio::test]
async fn many_edits_in_a_row_lead_to_the_last_text() {
    let (mut client, _) = opened("").await;
    let mut version = 1;
    for (line, text) in BROKEN.lines().enumerate() {
        for (column, character) in text.chars().enumerate() {
            version += 1;
            let at = [line as u32, column as u32];
            client.edit(version, [at[0], at[1], at[0], at[1]], &character.to_string()).await;
        }
        version += 1;
        let end = [line as u32, text.len() as u32];
        client.edit(version, [end[0], end[1], end[0], end[1]], "\n").await;
    }
    let found = client.diagnostics(version).await;
    assert_eq!((found.len(), &found[0]["code"]), (1, &json!("E0101")));
}

/// An editor requests completions at the first letter of a word, while the next ones are typed.
#[tokio::test]
async fn completions_arrive_while_the_user_types() {
    let (mut client, _) = opened(&BROKEN.replace("    return", "    \n    return")).await;
    let mut version = 1;
    for round in 0..20 {
        let line = 5;
        let mut request = 0;
        for (column, letter) in "%r = mul".chars().enumerate() {
            version += 1;
            let at = 4 + column as u32;
            client.edit(version, [line, at, line, at], &letter.to_string()).await;
            if letter == 'm' {
                let place = json!({ "line": line, "character": at + 1 });
                request = client
                    .ask("textDocument/completion", json!({ "textDocument": { "uri": URI }, "position": place }))
                    .await;
            }
        }
        let items = client.answer(request).await.expect("the list arrives");
        let muli = items.as_array().expect("a list").iter().find(|item| item["label"] == "muli");
        let replaced = range(&muli.expect("the op is offered")["textEdit"]["range"]);
        assert_eq!(replaced, [5, 9, 5, 10], "in round {round}: the text at the time of the request is replaced");
        version += 1;
        client.edit(version, [line, 4, line, 12], "").await;
    }
}

/// A single-threaded editor may write for a while before it reads.
#[tokio::test]
async fn a_client_that_does_not_read_can_still_write() {
    let mut client = Client::with_pipes(4 << 10);
    client.request("initialize", json!({ "capabilities": {} })).await.expect("the server starts");
    client.notify("initialized", json!({})).await;
    client.open(BROKEN).await;
    let mut requests = Vec::new();
    // Each write has a time limit.
    for version in 2..600 {
        client.edit(version, [0, 0, 0, 0], "// some text that fills the buffer\n").await;
        if version % 10 == 0 {
            let params = json!({ "textDocument": { "uri": URI }, "position": { "line": 4, "character": 5 } });
            requests.push(client.ask("textDocument/hover", params).await);
        }
    }
    let answers = client.answers(requests.clone()).await;
    assert_eq!(answers.len(), requests.len());
    assert!(!client.diagnostics(599).await.is_empty());
}

#[tokio::test]
async fn a_broken_text_does_not_affect_the_rest() {
    let (mut client, _) = opened(BROKEN).await;
    for (version, text) in
        ["{", "}}}}", "\"", "entry @", "\u{0}", "((((((((((", "%", "cuda_tile.module"].iter().enumerate()
    {
        client.edit(version as i64 + 2, [0, 0, 0, 0], text).await;
        client.diagnostics(version as i64 + 2).await;
        client.about("documentSymbol", None, json!({})).await;
        client.about("foldingRange", None, json!({})).await;
    }
    let hover = client.about("hover", Some((4, 19)), json!({})).await;
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("tile<f32>")), "{hover}");
}

/// The position of a byte of ASCII text.
fn position(text: &str, offset: usize) -> [u32; 2] {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    [line as u32, (offset - before.rfind('\n').map_or(0, |at| at + 1)) as u32]
}

#[tokio::test]
async fn random_edits_give_the_diagnostics_of_a_new_server() {
    let pieces = [
        "%one",
        "\n",
        "}",
        "{",
        "entry @x() {\n",
        " : tile<f32>",
        "addf ",
        "//",
        "\"",
        "",
        "",
        "  ",
        "%z = ",
        "return",
    ];
    let mut random = Rng::with_seed(1);
    let mut text = BROKEN.replace("entry @broken", "entry @second() {\n    return\n  }\n  entry @broken");
    let (mut client, _) = opened(&text).await;
    for version in 2..400 {
        let start = random.usize(..text.len() + 1);
        let end = (start + random.usize(..12)).min(text.len());
        let piece = pieces[random.usize(..pieces.len())];
        let ([a, b], [c, d]) = (position(&text, start), position(&text, end));
        client.edit(version, [a, b, c, d], piece).await;
        text.replace_range(start..end, piece);
        // The next edit may make this request outdated.
        let hover = json!({ "textDocument": { "uri": URI }, "position": { "line": a, "character": b } });
        let request = client.ask("textDocument/hover", hover).await;
        if version % 8 == 0 {
            let found = client.diagnostics(version).await;
            let (mut fresh, expected) = opened(&text).await;
            assert_eq!(found, expected, "{text}");
            let symbols = client.about("documentSymbol", None, json!({})).await;
            assert_eq!(symbols, fresh.about("documentSymbol", None, json!({})).await, "{text}");
        } else if version % 8 == 1 {
            // Every request is answered, if only with the error that the text has changed.
            if let Err(error) = client.answer(request).await {
                assert_eq!(error["code"], -32801, "{error}");
            }
        }
        if text.len() > 2000 || text.len() < 50 {
            text = BROKEN.to_string();
            client
                .notify(
                    "textDocument/didChange",
                    json!({
                        "textDocument": { "uri": URI, "version": version },
                        "contentChanges": [{ "text": text }],
                    }),
                )
                .await;
        }
    }
}

#[tokio::test]
async fn the_server_ends_on_request_and_when_the_client_is_gone() {
    let mut client = Client::plain().await;
    client.request("shutdown", Value::Null).await.expect("the server accepts");
    client.notify("exit", Value::Null).await;
    assert!(client.ended().await, "in order");
    assert!(!Client::plain().await.leave().await, "not in order");
    assert!(!Client::new().leave().await, "before it was initialized");
}
