//! One test for each feature of the protocol, with the differences between editors.

use crate::client;

use client::{Client, URI, handshake, path_of, uri_of};
use serde_json::{Value, json};
use tile_analysis::diagnostics::accesses;

const PROGRAM: &str = "\
!t = tile<8xf32>
cuda_tile.module @m {
  //@ launch grid=(1, 1, 1)
  //@   %p = f32[8] npy(\"in.npy\")
  //@ expect %p == npy(\"../../secret.npy\")
  entry @k(%p: tile<ptr<f32>>) {
    %a = constant <f32: 1.0> : !t
    %b = addf %a, %a : !t
    print \"hello\"
    return
  }
}
";

/// A client with the capabilities of an editor.
async fn as_editor(editor: &str, text: &str) -> (Client, Value) {
    let (mut client, answer) = Client::initialized(handshake(editor)).await;
    client.open(text).await;
    (client, answer["capabilities"].clone())
}

async fn plain(text: &str) -> Client {
    let mut client = Client::plain().await;
    client.open(text).await;
    client
}

/// The position after a piece of the program.
fn after(text: &str, piece: &str) -> (u32, u32) {
    let at = text.find(piece).expect("the text contains the piece") + piece.len();
    let line = text[..at].matches('\n').count();
    (line as u32, (at - text[..at].rfind('\n').map_or(0, |found| found + 1)) as u32)
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

/// Applies edits of the protocol to ASCII text.
fn applied(text: &str, edits: &Value) -> String {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |place: &Value| {
        let number = |field: &str| place[field].as_u64().expect("a number") as usize;
        starts.get(number("line")).map_or(text.len(), |start| (start + number("character")).min(text.len()))
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("a list")
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().expect("a text"))
        })
        .collect();
    edits.sort_unstable();
    let mut out = text.to_string();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}

/// A server may ignore such notifications, but not such requests.
#[tokio::test]
async fn a_request_with_an_unknown_method_is_refused() {
    let mut client = Client::plain().await;
    client.notify("$/unknown", json!({})).await;
    for method in ["no/such/method", "$/unknown"] {
        let error = client.request(method, json!({})).await.expect_err("the method is unknown");
        assert_eq!(error["code"], -32601, "{error}");
    }
}

#[tokio::test]
async fn every_editor_works_with_the_server() {
    for (editor, encoding, pulls) in [
        ("vscode", "utf-16", true),
        ("neovim-0.7", "utf-16", false),
        ("neovim-0.10", "utf-16", true),
        ("neovim-0.12", "utf-8", true),
        ("helix", "utf-8", true),
        ("emacs", "utf-16", false),
        ("zed", "utf-16", true),
    ] {
        let (mut client, capabilities) = as_editor(editor, PROGRAM).await;
        assert_eq!(capabilities["positionEncoding"], encoding, "{editor}");
        assert_eq!(capabilities["diagnosticProvider"].is_object(), pulls, "{editor}");
        let found = if pulls {
            let report = client.about("diagnostic", None, json!({})).await;
            assert_eq!(report["kind"], "full", "{editor}");
            report["items"].as_array().expect("a list").clone()
        } else {
            client.diagnostics(1).await
        };
        let codes: Vec<&Value> = found.iter().map(|found| &found["code"]).collect();
        assert!(codes.contains(&&json!("L0001")), "{editor}: {found:?}");
        let hover = client.about("hover", Some(after(PROGRAM, "addf %")), json!({})).await;
        assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("8xf32")), "{editor}: {hover}");
        client.request("shutdown", Value::Null).await.expect("the server accepts");
        client.notify("exit", Value::Null).await;
        assert!(client.ended().await, "{editor}");
    }
}

#[tokio::test]
async fn diagnostics_contain_what_the_editor_supports() {
    let (mut client, _) = as_editor("vscode", PROGRAM).await;
    let report = client.about("diagnostic", None, json!({})).await;
    let old = report["items"].as_array().expect("a list").iter().find(|found| found["code"] == "L0001");
    let old = old.expect("the diagnostic is reported");
    assert_eq!(old["tags"], json!([2]));
    assert!(old["data"]["fixes"][0]["title"].as_str().is_some_and(|title| title.contains("print_tko")), "{old}");
    if let Some(href) = old["codeDescription"]["href"].as_str() {
        assert!(std::fs::read_to_string(path_of(href)).is_ok_and(|page| page.starts_with("# L0001")), "{href}");
    }
    // Emacs supports tags, but no pages and no data.
    let (mut client, _) = as_editor("emacs", PROGRAM).await;
    let found = client.diagnostics(1).await;
    let old = found.iter().find(|found| found["code"] == "L0001").expect("the diagnostic is reported");
    assert_eq!((&old["tags"], &old["data"], &old["codeDescription"]), (&json!([2]), &Value::Null, &Value::Null));
}

#[tokio::test]
async fn pulled_diagnostics_have_an_id_and_are_not_published() {
    let (mut client, _) = as_editor("neovim-0.12", PROGRAM).await;
    let first = client.about("diagnostic", None, json!({})).await;
    let again = client.about("diagnostic", None, json!({ "previousResultId": first["resultId"] })).await;
    assert_eq!((&again["kind"], &again["resultId"]), (&json!("unchanged"), &first["resultId"]));
    let (line, column) = after(PROGRAM, "print");
    client.edit(2, [line, column, line, column], "_tko").await;
    let now = client.about("diagnostic", None, json!({ "previousResultId": first["resultId"] })).await;
    assert_eq!(now["kind"], "full");
    assert_ne!(now["resultId"], first["resultId"]);
    assert!(client.has_no_notification("textDocument/publishDiagnostics"), "diagnostics came twice");
    // A client that opens the document again may have dropped its earlier diagnostics.
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } })).await;
    client.open(PROGRAM).await;
    let opened = client.about("diagnostic", None, json!({ "previousResultId": first["resultId"] })).await;
    assert_eq!((&opened["kind"], &opened["items"]), (&json!("full"), &first["items"]));
}

#[tokio::test]
async fn the_workspace_is_checked_without_opening_its_files() {
    let folder = std::env::temp_dir().join(format!("tile-lsp-workspace-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("sub")).expect("a folder");
    std::fs::write(folder.join("sub/a.tile"), PROGRAM).expect("a file");
    std::fs::write(folder.join("b.tile"), "cuda_tile.module @fine {\n}\n").expect("a file");
    let uri = |name: &str| uri_of(&folder.join(name));
    let mut params = handshake("neovim-0.12");
    params["workspaceFolders"] = json!([{ "uri": uri_of(&folder), "name": "test" }]);
    let (mut client, _) = Client::initialized(params).await;
    let ask = json!({ "previousResultIds": [], "workDoneToken": "w" });
    let report = client.request("workspace/diagnostic", ask).await.expect("an answer");
    let items = report["items"].as_array().expect("a list");
    assert_eq!(items.len(), 2, "{report}");
    let of =
        |name: &str| items.iter().find(|item| item["uri"] == uri(name)).expect("the report contains the file").clone();
    assert_eq!(of("b.tile")["items"], json!([]));
    assert_eq!(of("sub/a.tile")["items"][0]["source"], "tile");
    let reported = client.notification("$/progress").await;
    assert_eq!((&reported["token"], &reported["value"]["kind"]), (&json!("w"), &json!("begin")));
    // The second time only the removed and the new file differ.
    std::fs::remove_file(folder.join("b.tile")).expect("the file is ours");
    std::fs::write(folder.join("sub/c.tile"), "cuda_tile.module @new {\n  entry @newest() {\n  }\n}\n")
        .expect("a file");
    let mut previous: Vec<Value> =
        items.iter().map(|item| json!({ "uri": item["uri"], "value": item["resultId"] })).collect();
    previous.push(json!({ "uri": uri("gone.tile"), "value": "old" }));
    let ask = json!({ "previousResultIds": previous });
    let report = client.request("workspace/diagnostic", ask).await.expect("an answer");
    let kind = |name: &str| {
        let items = report["items"].as_array().expect("a list");
        items.iter().find(|item| item["uri"] == uri(name)).map(|item| item["kind"].clone())
    };
    assert_eq!(kind("sub/a.tile"), Some(json!("unchanged")));
    assert_eq!(kind("sub/c.tile"), Some(json!("full")));
    assert_eq!(kind("gone.tile"), Some(json!("full")), "a removed file has no diagnostics");
    let symbols = client.request("workspace/symbol", json!({ "query": "new" })).await.expect("an answer");
    let names: Vec<&Value> = symbols.as_array().expect("a list").iter().map(|symbol| &symbol["name"]).collect();
    assert_eq!(names, ["@new", "@newest"]);
    // The folder is closed.
    let event = json!({ "added": [], "removed": [{ "uri": uri_of(&folder), "name": "test" }] });
    client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event })).await;
    let symbols = client.request("workspace/symbol", json!({ "query": "new" })).await.expect("an answer");
    assert_eq!(symbols, json!([]));
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

/// Clients encode other characters than the server, and VS Code writes the drive in lower case.
#[tokio::test]
async fn files_are_recognized_by_their_paths() {
    let folder = std::env::temp_dir().join(format!("tile-lsp+encoded-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["a+b.tile", "c.tile"] {
        std::fs::write(folder.join(name), PROGRAM).expect("a file");
    }
    let uri = |name: &str| uri_of(&folder.join(name)).replace("%2B", "+").replace("C%3A", "c%3A");
    let mut params = handshake("vscode");
    params["workspaceFolders"] = json!([{ "uri": uri(""), "name": "test" }]);
    let (mut client, _) = Client::initialized(params).await;
    let document = json!({ "uri": uri("c.tile"), "languageId": "tile", "version": 1, "text": PROGRAM });
    client.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    let report = client.request("workspace/diagnostic", json!({ "previousResultIds": [] })).await.expect("an answer");
    let items = report["items"].as_array().expect("a list");
    assert_eq!(items.len(), 2, "the open file is not reported twice: {report}");
    let known = |item: &Value| {
        let path = path_of(item["uri"].as_str().expect("a URI"));
        let name = path.file_name().expect("a file").to_str().expect("UTF-8").to_string();
        json!({ "uri": uri(&name), "value": item["resultId"] })
    };
    let ask = json!({ "previousResultIds": items.iter().map(known).collect::<Vec<_>>() });
    let report = client.request("workspace/diagnostic", ask).await.expect("an answer");
    let kinds: Vec<&Value> = report["items"].as_array().expect("a list").iter().map(|item| &item["kind"]).collect();
    assert_eq!(kinds, ["unchanged", "unchanged"], "{report}");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[tokio::test]
async fn an_unchanged_workspace_report_is_held_back() {
    let folder = std::env::temp_dir().join(format!("tile-lsp-hold-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("a.tile"), PROGRAM).expect("a file");
    let mut params = handshake("vscode");
    params["workspaceFolders"] = json!([{ "uri": uri_of(&folder), "name": "test" }]);
    let (mut client, _) = Client::initialized(params).await;
    let ask = |previous: Value| json!({ "previousResultIds": previous, "partialResultToken": "p" });
    let first = client.request("workspace/diagnostic", ask(json!([]))).await.expect("an answer");
    let item = &first["items"][0];
    let held =
        client.ask("workspace/diagnostic", ask(json!([{ "uri": item["uri"], "value": item["resultId"] }]))).await;
    // Other requests are answered meanwhile.
    client.request("workspace/symbol", json!({ "query": "" })).await.expect("an answer");
    std::fs::write(folder.join("a.tile"), "cuda_tile.module @m {\n}\n").expect("a file");
    let changes = json!({ "changes": [{ "uri": item["uri"], "type": 2 }] });
    client.notify("workspace/didChangeWatchedFiles", changes).await;
    let report = client.answer(held).await.expect("an answer");
    assert_eq!(report["items"][0]["items"], json!([]), "{report}");
    // A held response does not keep the server from ending.
    let item = &report["items"][0];
    client.ask("workspace/diagnostic", ask(json!([{ "uri": item["uri"], "value": item["resultId"] }]))).await;
    client.request("shutdown", Value::Null).await.expect("the server accepts");
    client.notify("exit", Value::Null).await;
    assert!(client.ended().await);
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[tokio::test]
async fn diagnostics_of_deleted_files_go_at_once() {
    let folder = std::env::temp_dir().join(format!("tile-lsp-deleted-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let uri = uri_of(&folder.join("a.tile"));
    let mut params = handshake("vscode");
    params["workspaceFolders"] = json!([{ "uri": uri_of(&folder), "name": "test" }]);
    let (mut client, _) = Client::initialized(params).await;
    let document = json!({ "uri": uri, "languageId": "tile", "version": 1, "text": PROGRAM });
    client.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    let ask = json!({ "textDocument": { "uri": uri } });
    let open = client.request("textDocument/diagnostic", ask.clone()).await.expect("an answer");
    assert_ne!(open["items"], json!([]));
    // VS Code keeps a deleted document open for minutes.
    let changes = json!({ "changes": [{ "uri": uri, "type": 3 }] });
    client.notify("workspace/didChangeWatchedFiles", changes).await;
    client.server_request("workspace/diagnostic/refresh").await;
    let deleted = client.request("textDocument/diagnostic", ask).await.expect("an answer");
    assert_eq!(deleted["items"], json!([]));
    // When it is closed, VS Code forgets the ID of its diagnostics, but not the diagnostics.
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } })).await;
    let report = client.request("workspace/diagnostic", json!({ "previousResultIds": [] })).await.expect("an answer");
    assert_eq!((&report["items"][0]["uri"], &report["items"][0]["items"]), (&json!(uri), &json!([])), "{report}");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[tokio::test]
async fn changed_settings_change_diagnostics() {
    let newer = "cuda_tile.module @m {\n  entry @k() {\n    print_tko \"x\" -> token\n    return\n  }\n}\n";
    let mut client = Client::new();
    client.settings = json!({ "check": { "targetVersion": "13.1" } });
    client.request("initialize", handshake("neovim-0.12")).await.expect("the server starts");
    client.notify("initialized", json!({})).await;
    client.open(newer).await;
    let codes = |report: Value| {
        let items = report["items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|found| found["code"].as_str().unwrap_or_default().to_string()).collect::<Vec<_>>()
    };
    client.server_request("workspace/diagnostic/refresh").await;
    assert!(!codes(client.about("diagnostic", None, json!({})).await).is_empty(), "13.1 has no `print_tko`");
    client.settings = json!({});
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null })).await;
    client.server_request("workspace/diagnostic/refresh").await;
    assert_eq!(codes(client.about("diagnostic", None, json!({})).await), [""; 0]);
    // A client that sends its settings with the notification.
    let mut client = plain(newer).await;
    assert_eq!(client.diagnostics(1).await.len(), 0);
    let settings = json!({ "tile": { "check": { "targetVersion": "13.1" } } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings })).await;
    assert_ne!(client.diagnostics(1).await.len(), 0);
}

#[tokio::test]
async fn unsupported_features_of_the_gpu_are_reported() {
    let scales = "cuda_tile.module @m {\n  entry @k() {\n    %a = constant <f8E8M0FNU: 1.0> : tile<f8E8M0FNU>\n    \
         %b = ftof %a : tile<f8E8M0FNU> -> tile<f32>\n    print_tko \"%f\", %b : tile<f32> -> token\n  }\n}\n";
    let mut client = plain(scales).await;
    assert_eq!(client.diagnostics(1).await.len(), 0);
    for (settings, count) in [
        (json!({ "check": { "gpu": "sm_90" } }), 1),
        (json!({ "check": { "gpu": "sm_100" } }), 0),
        (json!({ "build": { "gpu": "sm_89" } }), 1),
        (json!({ "check": { "gpu": "sm_100" }, "build": { "gpu": "sm_89" } }), 0),
    ] {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": { "tile": settings } })).await;
        assert_eq!(client.diagnostics(1).await.len(), count, "{settings}");
    }
}

#[tokio::test]
async fn an_invalid_setting_is_reported_once() {
    let wrong = |gpu: &str| json!({ "tile": { "check": { "gpu": gpu } } });
    let options = json!({ "capabilities": {}, "initializationOptions": { "settings": wrong("sm_91") } });
    let (mut client, _) = Client::initialized(options).await;
    for (settings, value) in [
        // The initial settings are sent again.
        (wrong("sm_91"), Some("sm_91")),
        (wrong("hopper"), Some("hopper")),
        (wrong("sm_90"), None),
        (wrong("hopper"), Some("hopper")),
    ] {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": settings })).await;
        let Some(value) = value else { continue };
        let reported = client.notification("window/showMessage").await;
        let message = reported["message"].as_str().expect("a message");
        let start = format!("the setting `tile.check.gpu` is ignored: unknown GPU `{value}`; expected one of sm_80, ");
        assert!(reported["type"] == 2 && message.starts_with(&start) && message.contains("sm_121"), "{reported}");
    }
    // The response arrives after all messages about settings.
    client.open(PROGRAM).await;
    client
        .about(
            "inlayHint",
            None,
            json!({ "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } } }),
        )
        .await;
    assert!(client.has_no_notification("window/showMessage"));
}

#[tokio::test]
async fn the_server_registers_for_changed_files_and_settings() {
    let (mut client, _) = as_editor("vscode", PROGRAM).await;
    let asked = client.server_request("client/registerCapability").await;
    let methods: Vec<&Value> =
        asked["registrations"].as_array().expect("a list").iter().map(|it| &it["method"]).collect();
    assert_eq!(methods, ["workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"]);
    // Neovim does not support either registration.
    let (mut client, _) = as_editor("neovim-0.12", PROGRAM).await;
    client.server_request("workspace/configuration").await;
    assert!(client.has_no_server_request("client/registerCapability"));
}

#[tokio::test]
async fn rename_and_what_it_refuses() {
    let mut client = plain(PROGRAM).await;
    let place = Some(after(PROGRAM, "entry @k(%p"));
    let prepared = client.about("prepareRename", place, json!({})).await;
    assert_eq!(prepared["placeholder"], "%p");
    let edit = client.about("rename", place, json!({ "newName": "input" })).await;
    assert_eq!(applied(PROGRAM, &edit["changes"][URI]), PROGRAM.replace("%p", "%input"));
    let params = json!({
        "textDocument": { "uri": URI }, "newName": "%b",
        "position": { "line": after(PROGRAM, "%a").0, "character": after(PROGRAM, "%a").1 },
    });
    let refused = client.request("textDocument/rename", params).await.expect_err("the name is taken");
    assert_eq!(refused["code"], -32803);
    assert!(refused["message"].as_str().is_some_and(|why| why.contains("`%b` already names")), "{refused}");
    // Edits name their version if the client supports it.
    let (mut client, _) = as_editor("vscode", PROGRAM).await;
    let edit = client.about("rename", place, json!({ "newName": "input" })).await;
    assert_eq!(edit["documentChanges"][0]["textDocument"], json!({ "uri": URI, "version": 1 }));
}

#[tokio::test]
async fn signature_help_marks_the_part() {
    let text = PROGRAM.replace("addf %a, %a : !t", "addf %a, ");
    let (mut client, _) = as_editor("vscode", &text).await;
    let help = client.about("signatureHelp", Some(after(&text, "addf %a, ")), json!({})).await;
    let signature = &help["signatures"][0];
    let active = help["activeParameter"].as_u64().expect("a part") as usize;
    let range = numbers(&signature["parameters"][active]["label"]);
    let label: Vec<u16> = signature["label"].as_str().expect("a text").encode_utf16().collect();
    assert_eq!(String::from_utf16_lossy(&label[range[0] as usize..range[1] as usize]), "%rhs");
}

#[tokio::test]
async fn semantic_tokens_full_delta_and_range() {
    let mut client = plain(PROGRAM).await;
    let full = client.about("semanticTokens/full", None, json!({})).await;
    let mut data = numbers(&full["data"]);
    assert_eq!(data.len() % 5, 0);
    // `!t` is the first token: the declaration of an alias.
    assert_eq!(data[..5], [0, 0, 2, 9, 1]);
    let (line, _) = after(PROGRAM, "%b = addf");
    client.edit(2, [line, 0, line, 0], "    %new = negf %a : !t\n").await;
    let more = json!({ "previousResultId": full["resultId"] });
    let delta = client.about("semanticTokens/full/delta", None, more).await;
    for edit in delta["edits"].as_array().expect("a delta") {
        let start = edit["start"].as_u64().expect("a number") as usize;
        let end = start + edit["deleteCount"].as_u64().expect("a number") as usize;
        data.splice(start..end, numbers(&edit["data"]));
    }
    let now = client.about("semanticTokens/full", None, json!({})).await;
    assert_eq!(data, numbers(&now["data"]));
    // A request with an unknown ID is answered with all tokens.
    let unknown = client.about("semanticTokens/full/delta", None, json!({ "previousResultId": "no" })).await;
    assert_eq!(unknown["data"], now["data"]);
    let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line + 1, "character": 0 } });
    let part = client.about("semanticTokens/range", None, json!({ "range": range })).await;
    let part = numbers(&part["data"]);
    assert_eq!(part[..5], [u64::from(line), 4, 4, 5, 1], "`%new` is declared");
    assert_eq!(part.len() / 5, 4);
    // Editors with a grammar receive fewer tokens.
    let (mut client, _) = as_editor("vscode", PROGRAM).await;
    let less = client.about("semanticTokens/full", None, json!({})).await;
    assert!(numbers(&less["data"]).len() < numbers(&full["data"]).len());
}

#[tokio::test]
async fn declarations_types_and_selections() {
    let mut client = plain(PROGRAM).await;
    let use_of_a = Some(after(PROGRAM, "addf %a"));
    let declaration = client.about("declaration", use_of_a, json!({})).await;
    assert_eq!(declaration["range"]["start"]["line"], after(PROGRAM, "%a = constant").0);
    let of_type = client.about("typeDefinition", use_of_a, json!({})).await;
    assert_eq!(of_type["range"]["start"], json!({ "line": 0, "character": 0 }));
    let (line, character) = after(PROGRAM, "addf %a");
    let positions = json!({ "positions": [{ "line": line, "character": character }, { "line": 0, "character": 0 }] });
    let chains = client.about("selectionRange", None, positions).await;
    assert_eq!(chains.as_array().map(Vec::len), Some(2));
    let mut depth = 0;
    let mut range = &chains[0];
    while !range["parent"].is_null() {
        (range, depth) = (&range["parent"], depth + 1);
    }
    assert!(depth >= 5, "{chains}");
    assert_eq!(range["range"]["start"], json!({ "line": 0, "character": 0 }));
}

#[tokio::test]
async fn links_stay_inside_the_folder() {
    let mut client = plain(PROGRAM).await;
    let links = client.about("documentLink", None, json!({})).await;
    assert_eq!(links.as_array().map(Vec::len), Some(1), "the other file is outside: {links}");
    assert_eq!(links[0]["target"], URI.replace("a.tile", "in.npy"));
}

#[tokio::test]
async fn ranges_and_ended_lines_are_formatted() {
    let ragged = PROGRAM.replace("    %b = addf %a, %a", "  %b   =  addf  %a,%a").replace("    return", " return");
    let mut client = plain(&ragged).await;
    let (line, _) = after(&ragged, "addf");
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let range = json!({ "start": { "line": line, "character": 3 }, "end": { "line": line, "character": 4 } });
    let edits = client.about("rangeFormatting", None, json!({ "range": range, "options": options })).await;
    assert_eq!(applied(&ragged, &edits), PROGRAM.replace("    return", " return"));
    let typed = json!({ "ch": "\n", "options": options });
    let edits = client.about("onTypeFormatting", Some((line + 1, 0)), typed).await;
    assert_eq!(applied(&ragged, &edits), PROGRAM.replace("    return", " return"));
}

#[tokio::test]
async fn a_line_after_a_broken_statement_returns_to_its_depth() {
    let names = "abcdefghijklmnopqrstuvwxyz".repeat(2);
    let broken = format!("    %{names} = addf %a,\n        %a rounding<nearest_even>\n          : tile<8xf32>");
    let text = PROGRAM.replace("    return", &format!("{broken}\n          \n    return"));
    let mut client = plain(&text).await;
    let (line, _) = after(&text, "nearest_even");
    let typed = json!({ "ch": "\n", "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.about("onTypeFormatting", Some((line + 2, 10)), typed).await;
    let applied = applied(&text, &edits);
    let lines: Vec<&str> = applied.lines().collect();
    let at = lines.iter().position(|line| *line == "    return").expect("it is still there");
    assert_eq!(lines[at - 1], "    ", "{applied}");
}

#[tokio::test]
async fn safe_fixes_are_applied_at_once_and_edits_are_resolved_later() {
    let text = PROGRAM.replace("return", "%c = pow %a, %a : !t\n    return");
    let all = json!({
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } },
        "context": { "diagnostics": [], "only": ["source.fixAll"] },
    });
    let mut client = plain(&text).await;
    let actions = client.about("codeAction", None, all.clone()).await;
    assert_eq!(actions.as_array().map(Vec::len), Some(1), "{actions}");
    let fixed = applied(&text, &actions[0]["edit"]["changes"][URI]);
    assert!(fixed.contains("print_tko \"hello\"") && fixed.contains("%c = fpowf"), "{fixed}");
    let (mut client, capabilities) = as_editor("vscode", &text).await;
    assert_eq!(capabilities["codeActionProvider"]["resolveProvider"], true);
    let actions = client.about("codeAction", None, all).await;
    assert_eq!(actions[0]["edit"], Value::Null);
    let resolved = client.request("codeAction/resolve", actions[0].clone()).await.expect("the action is known");
    assert_eq!(applied(&text, &resolved["edit"]["documentChanges"][0]["edits"]), fixed);
    client.edit(2, [0, 0, 0, 0], "// changed\n").await;
    let error = client.request("codeAction/resolve", actions[0].clone()).await.expect_err("the text has changed");
    assert_eq!(error["code"], -32801);
}

#[tokio::test]
async fn hints_about_accesses_have_fixes_that_are_never_applied_to_all() {
    let text = accesses::UNSTATED_BOUNDS.wrong;
    let mut client = plain(text).await;
    let shown = client.notification("textDocument/publishDiagnostics").await["diagnostics"].clone();
    let codes: Vec<&Value> = shown.as_array().expect("a list").iter().map(|found| &found["code"]).collect();
    assert_eq!(codes, ["P0202", "P0202"], "{shown}");
    assert_eq!(shown[0]["severity"], 4, "a hint");
    let ask = |only: &str| json!({ "range": shown[0]["range"], "context": { "diagnostics": [], "only": [only] } });
    assert_eq!(client.about("codeAction", None, ask("source.fixAll")).await, json!([]));
    let actions = client.about("codeAction", None, ask("quickfix")).await;
    assert_eq!(
        (&actions[0]["title"], &actions[0]["isPreferred"]),
        (&json!("Add `inbounds`"), &Value::Null),
        "{actions}"
    );
    let fixed = applied(text, &actions[0]["edit"]["changes"][URI]);
    assert!(fixed.contains("] inbounds = ["), "{fixed}");
}

#[tokio::test]
async fn the_edits_of_refactorings_are_resolved_later() {
    let (line, character) = after(PROGRAM, "%a = con");
    let place = json!({ "line": line, "character": character });
    let ask = json!({
        "range": { "start": place, "end": place },
        "context": { "diagnostics": [], "only": ["refactor"] },
    });
    let mut client = plain(PROGRAM).await;
    let at_once = client.about("codeAction", None, ask.clone()).await;
    let at_once = at_once.as_array().expect("a list");
    assert!(at_once.len() > 2, "{at_once:?}");
    for editor in ["vscode", "neovim-0.12", "helix"] {
        let (mut client, _) = as_editor(editor, PROGRAM).await;
        let offered = client.about("codeAction", None, ask.clone()).await;
        let offered = offered.as_array().expect("a list");
        assert_eq!(offered.len(), at_once.len());
        for (eager, lazy) in at_once.iter().zip(offered) {
            assert_eq!((&lazy["title"], &lazy["edit"]), (&eager["title"], &Value::Null), "{editor}");
            let resolved = client.request("codeAction/resolve", lazy.clone()).await.expect("the action is known");
            let edit = &resolved["edit"];
            let versioned = &edit["documentChanges"][0]["edits"];
            let edits = if versioned.is_null() { &edit["changes"][URI] } else { versioned };
            let expected = applied(PROGRAM, &eager["edit"]["changes"][URI]);
            assert_eq!(applied(PROGRAM, edits), expected, "{editor}: {lazy}");
        }
        client.edit(2, [0, 0, 0, 0], "// changed\n").await;
        let error = client.request("codeAction/resolve", offered[0].clone()).await.expect_err("the text has changed");
        assert_eq!(error["code"], -32801);
    }
}

#[tokio::test]
async fn tooltips_of_hints_are_resolved_later() {
    let text = "cuda_tile.module @m {\n  entry @k(%p: tile<ptr<f32>>) {\n    %c = constant <i1: true> : tile<i1>\n    \
                %v, %t = load_ptr_tko weak %p, %c : tile<ptr<f32>>, tile<i1> -> tile<f32>, token\n    return\n  }\n}\n";
    let all = json!({ "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } } });
    for (editor, waits) in [("vscode", true), ("neovim-0.12", true), ("helix", false)] {
        let (mut client, capabilities) = as_editor(editor, text).await;
        assert_eq!(capabilities["inlayHintProvider"]["resolveProvider"] == true, waits, "{editor}");
        let hints = client.about("inlayHint", None, all.clone()).await;
        let mask = &hints[0];
        assert_eq!((&mask["label"], mask["tooltip"].is_null()), (&json!("mask:"), waits), "{editor}: {mask}");
        if waits {
            let resolved = client.request("inlayHint/resolve", mask.clone()).await.expect("the hint is known");
            let words = resolved["tooltip"]["value"].as_str().expect("a text");
            assert!(!words.is_empty() && resolved["label"] == "mask:", "{editor}: {resolved}");
            client.edit(2, [0, 0, 0, 0], "\n").await;
            let resolved =
                client.request("inlayHint/resolve", mask.clone()).await.expect("an outdated hint is accepted");
            assert_eq!((&resolved["label"], &resolved["tooltip"]), (&json!("mask:"), &Value::Null), "{editor}");
        }
    }
}

#[tokio::test]
async fn inline_values_end_at_the_stopped_line() {
    let text = "cuda_tile.module @m {\n  entry @k() {\n    %a = constant <i32: 3> : tile<i32>\n    \
                %b = addi %a, %a : tile<i32>\n    %c = muli %b, %b : tile<i32>\n    return\n  }\n}\n";
    let (mut client, capabilities) = as_editor("vscode", text).await;
    assert_eq!(capabilities["inlineValueProvider"], true);
    let range = |start: u32, end: u32| json!({ "start": { "line": start, "character": 0 }, "end": { "line": end, "character": 0 } });
    let params = json!({ "range": range(0, 9), "context": { "frameId": 1, "stoppedLocation": range(3, 3) } });
    let values = client.about("inlineValue", None, params).await;
    let names = values.as_array().expect("a list").iter().map(|value| value["expression"].as_str().expect("a name"));
    assert_eq!(names.collect::<Vec<_>>(), ["%a", "%a"]);
    assert_eq!(values[1]["range"]["start"], json!({ "line": 3, "character": 14 }));
}

#[tokio::test]
async fn a_project_file_applies_to_its_documents() {
    let folder = std::env::temp_dir().join(format!("tile-lsp-project-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let project = folder.join("tile.toml");
    std::fs::write(&project, "line-width = 40\n[lints]\nold-spelling = \"error\"\n").expect("a file");
    let uri = |name: &str| uri_of(&folder.join(name));
    let text = "cuda_tile.module @m {\n  entry @k(%first: tile<f32>, %second: tile<f32>) {\n    print \"x\"\n  }\n}\n";
    let mut client = Client::plain().await;
    let opened = json!({ "uri": uri("a.tile"), "languageId": "tile", "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": opened })).await;
    let severities = |reported: Value| {
        let found = reported["diagnostics"].as_array().expect("a list").iter();
        found.map(|found| found["severity"].as_i64()).collect::<Vec<_>>()
    };
    assert_eq!(severities(client.notification("textDocument/publishDiagnostics").await), [Some(1)]);
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let document = json!({ "uri": uri("a.tile") });
    let params = json!({ "textDocument": document, "options": options });
    let edits = client.request("textDocument/formatting", params).await.expect("an answer");
    assert!(!edits.as_array().expect("edits").is_empty(), "the parameters do not fit into 40 columns");
    let changed = json!({ "changes": [{ "uri": uri("tile.toml"), "type": 2 }] });
    std::fs::write(&project, "target-version = \"13.1\"\n").expect("a file");
    client.notify("workspace/didChangeWatchedFiles", changed.clone()).await;
    let reported = client.notification("textDocument/publishDiagnostics").await;
    assert_eq!(severities(reported), [], "the op was called `print` in 13.1");
    std::fs::write(&project, "[lints]\nold-speling = \"off\"\n").expect("a file");
    client.notify("workspace/didChangeWatchedFiles", changed.clone()).await;
    assert_eq!(severities(client.notification("textDocument/publishDiagnostics").await), [Some(2)]);
    let reported = client.notification("window/showMessage").await;
    let message = reported["message"].as_str().expect("a message");
    assert!(message.ends_with("tile.toml:2: unknown lint `old-speling`; did you mean `old-spelling`?"), "{message}");
    std::fs::write(&project, "gpu = \"sm_91\"\n").expect("a file");
    client.notify("workspace/didChangeWatchedFiles", changed).await;
    let reported = client.notification("window/showMessage").await;
    let message = reported["message"].as_str().expect("a message");
    assert!(message.contains("tile.toml:1: unknown GPU `sm_91`; expected one of sm_80, "), "{message}");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
