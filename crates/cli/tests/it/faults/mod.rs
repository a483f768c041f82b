//! The language server and the command line while their environment fails: full disks, folders that do not answer,
//! clocks that jump, processes that are killed, and sessions of many hours.

mod disks;
mod kills;
mod memory;
mod system;

use crate::editor::Client;
use serde_json::json;
use std::path::Path;

/// A program with a launch.
const KERNEL: &str = "cuda_tile.module @m {
  //@ launch
  //@   %x = 1
  entry @k(%x: tile<f32>) {
    print_tko \"%f\\n\", %x : tile<f32> -> token
    return
  }
}
";

/// The URI of a file or folder.
fn file_uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A document that is opened to get answers about it.
const ALIVE: &str = "file:///alive/alive.tile";

/// Asserts that the server answers.
fn assert_alive(client: &mut Client) {
    client.open_at(ALIVE, KERNEL);
    let position = json!({ "line": 3, "character": 12 });
    let hover = client.request("textDocument/hover", json!({ "textDocument": { "uri": ALIVE }, "position": position }));
    let hover = hover.expect("the server answers");
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("tile<f32>")), "{hover}");
}
