//! Remarks of NVIDIA's compiler in the language server. A script replaces the compiler; one test uses the real one,
//! if installed.

use crate::editor::{Client, URI};
use crate::harness::Folder;
use crate::skip;
use serde_json::{Value, json};
use std::process::Command;

/// A compiler that reports a load in line 8 without TMA. Lines of the program that it is given are 64 apart.
const COMPILER: &str = r#"#!/bin/sh
case "$1" in
  --version) echo "Cuda compilation tools, release 13.5, V13.5.37"; exit 0;;
  --list-versions) printf '13.1\n13.2\n13.3\n13.4\n'; exit 0;;
  --help) printf '    =sm_90  - SM 90\n  --remarks=<kind>\n  --remark-format=<format>\n'; exit 0;;
esac
for argument in "$@"; do
  case "$argument" in --remarks-output-file=*) remarks="${argument#*=}";; esac
done
while [ $# -gt 1 ]; do [ "$1" = -o ] && out="$2"; shift; done
echo > "$out"
cat > "$remarks" <<'END'
--- !Failure
Pass:            Memory
Name:            RemarkMemoryTmaLoadFailed
DebugLoc:        { File: 'a.tile', Line: 512, Column: 14 }
Function:        k
Args:
  - Remark:      Failed to select TMA load instruction
  - Reason:      'loc("a.tile":512:14): stride not 16-byte aligned'
...
END
"#;

/// Line 8 loads with a stride that is not known to be a multiple of 16 bytes.
const PROGRAM: &str = "\
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    // The load below
    %v = make_tensor_view %a, shape = [1024, 1024], strides = [%n, 1] : tile<i32> -> tensor_view<1024x1024xf32, strides=[?,1]>
    %t = make_partition_view %v : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
    %s = store_view_tko weak %l, %t[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>, tile<i32> -> token
  }
  entry @other() {
    return
  }
}
";

fn client(folder: &Folder) -> Client {
    let options = json!({ "build": { "gpu": "sm_90" } });
    let mut client = Client::started(&mut folder.command(&[]), options);
    client.open(PROGRAM);
    client
}

fn folder(compiler: &str) -> Folder {
    let folder = Folder::with_compiler("");
    folder.script("bin/tileiras", compiler);
    folder
}

/// Waits for the diagnostics of a version. Returns the lines of the remarks among them.
fn remarks(client: &mut Client, version: i64) -> Vec<u64> {
    let is_it = |message: &Value| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version
    };
    let found = client.wait_for(is_it);
    let all = found["diagnostics"].as_array().expect("a list").iter();
    let remarks = all.filter(|found| found["code"] == "P0106");
    remarks.map(|found| found["range"]["start"]["line"].as_u64().expect("a line")).collect()
}

/// The titles of the fixes in a line.
fn fixes(client: &mut Client, line: u64) -> Vec<String> {
    let place = json!({ "line": line, "character": 20 });
    let params = json!({
        "textDocument": { "uri": URI }, "range": { "start": place, "end": place },
        "context": { "diagnostics": [], "only": ["quickfix"] },
    });
    let actions = client.request("textDocument/codeAction", params).expect("actions");
    let titles = actions.as_array().expect("a list").iter().map(|action| action["title"].as_str().expect("a title"));
    titles.map(str::to_string).collect()
}

fn insertion(line: u64, text: &str) -> Value {
    let place = json!({ "line": line, "character": 0 });
    json!({ "range": { "start": place, "end": place }, "text": text })
}

#[test]
fn remarks_are_diagnostics_with_fixes_until_their_entry_changes() {
    let folder = folder(COMPILER);
    let mut client = client(&folder);
    assert_eq!(remarks(&mut client, 1), [0; 0], "nothing is compiled unasked");
    let answer = client.execute("tile.remarks", json!({ "uri": URI })).expect("the program is compiled");
    assert_eq!(answer, json!({ "gpu": "sm_90", "remarks": 1 }));
    let shown = client.notified("window/showMessage");
    assert_eq!(shown["message"], "`tileiras` reports 1 missed optimization in a.tile for sm_90");
    assert_eq!(remarks(&mut client, 1), [7]);
    assert_eq!(fixes(&mut client, 7), ["State it with `assume div_by<4>`"]);
    // Another entry and the text above do not matter.
    client.change(URI, 2, insertion(11, "    %c = iota : tile<8xi32>\n"));
    assert_eq!(remarks(&mut client, 2), [7]);
    client.change(URI, 3, insertion(0, "// A comment\n"));
    assert_eq!(remarks(&mut client, 3), [8]);
    assert_eq!(fixes(&mut client, 8).len(), 1);
    client.change(URI, 4, insertion(4, "    // Changed\n"));
    assert_eq!(remarks(&mut client, 4), [0; 0]);
    assert_eq!(fixes(&mut client, 9), [""; 0]);
}

/// Neovim cannot be asked to pull the diagnostics of an open document again.
#[test]
fn remarks_are_published_to_clients_that_pull_other_diagnostics() {
    let folder = folder(COMPILER);
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    let params = json!({ "capabilities": capabilities, "initializationOptions": { "build": { "gpu": "sm_90" } } });
    let mut client = Client::initialized(&mut folder.command(&[]), params);
    client.open(PROGRAM);
    client.execute("tile.remarks", json!({ "uri": URI, "show": false })).expect("the program is compiled");
    assert_eq!(remarks(&mut client, 1), [7]);
    let pulled =
        client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } })).expect("a report");
    let codes =
        |report: &Value| report["items"].as_array().expect("a list").iter().any(|found| found["code"] == "P0106");
    assert!(!codes(&pulled), "{pulled}");
    assert_eq!(fixes(&mut client, 7), ["State it with `assume div_by<4>`"]);
    client.change(URI, 2, insertion(4, "    // Changed\n"));
    assert_eq!(remarks(&mut client, 2), [0; 0]);
}

#[test]
fn an_older_compiler_writes_no_remarks() {
    let folder = folder(&COMPILER.replace("--remark-format=<format>", ""));
    let mut client = client(&folder);
    let refused = client.execute("tile.remarks", json!({ "uri": URI })).expect_err("the option is missing");
    let message = refused["message"].as_str().expect("a message");
    assert!(message.contains("`tileiras` 13.5.37 does not support `--remarks`"), "{message}");
}

#[test]
fn the_fix_removes_the_remark_of_the_real_compiler() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    let Some(tools) = folders.find(|folder| folder.join("tileiras").is_file() && folder.join("ptxas").is_file()) else {
        return skip::without_tool("tileiras");
    };
    let folder = Folder::hello();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile"));
    command.env("TILE_TILEIRAS", tools.join("tileiras")).env("TILE_CACHE_DIR", folder.path("cache"));
    let mut client = Client::started(&mut command, json!({ "build": { "gpu": "sm_90" } }));
    client.open(PROGRAM);
    assert_eq!(remarks(&mut client, 1), [0; 0]);
    client.execute("tile.remarks", json!({ "uri": URI, "show": false })).expect("the program is compiled");
    assert_eq!(remarks(&mut client, 1), [7, 8]);
    client.change(URI, 2, json!({ "text": fixed() }));
    assert_eq!(remarks(&mut client, 2), [0; 0]);
    client.execute("tile.remarks", json!({ "uri": URI, "show": false })).expect("the program is compiled");
    assert_eq!(remarks(&mut client, 2), [0; 0]);
}

/// The program with the stated stride.
fn fixed() -> String {
    let stated = "    %m = assume div_by<4>, %n : tile<i32>\n    %v =";
    PROGRAM.replace("    %v =", stated).replace("strides = [%n, 1]", "strides = [%m, 1]")
}
