//! Folders that do not answer, like those of a file server that cannot be reached, and clocks that jump. A library that
//! replaces calls of the system simulates both.

use super::{KERNEL, assert_alive, file_uri};
use crate::editor::Client;
use crate::harness::{Folder, Running};
use crate::skip::skipped;
use serde_json::{Value, json};
use std::process::Command;

/// Compiles the library into the folder. `None` without a C compiler.
fn with_shim(folder: &Folder) -> Option<()> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/faults/shim.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-w", source, "-ldl", "-o"]).arg(folder.path("shim.so"));
    let works = compiler.output().is_ok_and(|output| output.status.success());
    if !works {
        skipped("the C compiler or the headers of the system are missing");
    }
    works.then_some(())
}

/// A `tile` command with the library.
fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = folder.command(arguments);
    command.env("LD_PRELOAD", folder.path("shim.so"));
    command
}

fn errors(diagnostics: &Value) -> usize {
    diagnostics.as_array().expect("a list").iter().filter(|each| each["severity"] == 1).count()
}

#[test]
fn a_folder_that_does_not_answer_delays_nothing_else() {
    // The settings of both folders make lints errors.
    let settings = "[lints]\nL0015 = \"error\"\n";
    let unused = KERNEL.replace("    return\n", "    %unused = addf %x, %x : tile<f32>\n    return\n");
    let folder = Folder::with(&[
        ("far/a.tile", &unused),
        ("far/tile.toml", settings),
        ("near/b.tile", &unused),
        ("near/tile.toml", settings),
    ]);
    let Some(()) = with_shim(&folder) else { return };
    let mut command = command(&folder, &[]);
    command.env("TILE_FAULT_HANG", folder.path("far")).env("TILE_FAULT_RELEASE", folder.path("release"));
    let folders = json!([{ "uri": file_uri(folder.root()), "name": "folder" }]);
    let parameters = json!({ "capabilities": {}, "workspaceFolders": folders });
    let mut client = Client::initialized(&mut command, parameters);
    let (far, near) = (file_uri(&folder.path("far/a.tile")), file_uri(&folder.path("near/b.tile")));
    let published = |client: &mut Client, uri: &str, wanted: usize| {
        client.wait_for(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && errors(&params["diagnostics"]) == wanted
        })
    };
    client.open_at(&far, &unused);
    // The program is checked without its settings.
    published(&mut client, &far, 0);
    let search = client.ask("workspace/symbol", json!({ "query": "k" }));
    client.open_at(&near, &unused);
    published(&mut client, &near, 1);
    for number in 0..1000 {
        client.open_at(&format!("{far}.{number}.tile"), KERNEL);
        client
            .notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": far, "type": 2 + number % 2 }] }));
        if number % 100 == 0 {
            assert_alive(&mut client);
        }
    }
    // Searches that were cancelled occupy no threads.
    for _ in 0..600 {
        let id = client.ask("workspace/symbol", json!({ "query": "k" }));
        client.notify("$/cancelRequest", json!({ "id": id }));
    }
    assert_alive(&mut client);
    let symbols = client.answer(search).expect("the open programs have symbols");
    assert_eq!(symbols[0]["location"]["uri"], far, "{symbols}");
    folder.write("release", "");
    published(&mut client, &far, 1);
}

#[test]
fn jumps_of_the_clock_change_nothing() {
    let folder = Folder::of(KERNEL);
    let Some(()) = with_shim(&folder) else { return };
    let jumping =
        |arguments: &[&str]| Running::start(command(&folder, arguments).env("TILE_FAULT_CLOCK", "1")).finish();
    for arguments in [&["run", "a.tile"][..], &["run", "--timeout=60", "a.tile"], &["check", "a.tile"]] {
        let (here, jumped) = (folder.tile(arguments), jumping(arguments));
        assert_eq!((here.status, here.err), (jumped.status, jumped.err), "{arguments:?}");
    }
    let tested = jumping(&["test", "."]);
    assert!(tested.status == Some(0) && tested.out.ends_with("1 passed, 0 failed\n"), "{tested:?}");
    let mut client = Client::started(command(&folder, &[]).env("TILE_FAULT_CLOCK", "1"), json!({}));
    let uri = file_uri(&folder.path("a.tile"));
    client.open_at(&uri, KERNEL);
    for _ in 0..10 {
        let target = json!({ "uri": uri, "entry": "k", "launch": null });
        client.execute("tile.run", target).expect("the run succeeds");
        client.execute("tile.showBytecode", json!({ "uri": uri })).expect("the text is shown");
        assert_alive(&mut client);
    }
}
