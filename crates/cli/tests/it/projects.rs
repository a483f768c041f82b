//! `tile.toml` and `--preview` apply to every command that reads programs.

use crate::harness::{Folder, HELLO};
use serde_json::json;
use std::process::{Output, Stdio};

/// A program with preview content.
const PREVIEW: &str = "cuda_tile.module @m {
  //@ launch
  entry @k(%x: tile<f32>) {
    %y = preview$call @f(%x) : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}
";

/// A program with an op that 13.1 does not have.
const NEWER: &str = "cuda_tile.module @m {
  //@ launch
  entry @k() {
    %x = constant <f32: 1.0> : tile<f32>
    %y = atan2 %x, %x : tile<f32>
  }
}
";

/// The commands that check a program.
const COMMANDS: [&[&str]; 7] = [
    &["check"],
    &["build", "-o", "out.tileirbc"],
    &["run"],
    &["test"],
    &["graph"],
    &["view", "--accesses"],
    &["debug-adapter"],
];

/// All output of a command.
fn output(folder: &Folder, command: &[&str], options: &[&str]) -> String {
    let output: Output = if command == ["debug-adapter"] {
        let mut child = folder.command(&[command, options].concat());
        let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("the command starts");
        let program = folder.path("a.tile");
        let launch = json!({ "seq": 1, "type": "request", "command": "launch", "arguments": { "program": program } });
        let message = format!("Content-Length: {}\r\n\r\n{launch}", launch.to_string().len());
        std::io::Write::write_all(&mut child.stdin.take().expect("piped"), message.as_bytes())
            .expect("the adapter reads its input");
        child.wait_with_output().expect("the adapter ends")
    } else {
        folder.command(&[command, &["a.tile"], options].concat()).output().expect("the command runs")
    };
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

#[test]
fn an_option_or_a_project_enables_the_preview() {
    for command in COMMANDS {
        let folder = Folder::hello();
        folder.write("a.tile", PREVIEW.replace("  //@ launch\n", "  //@ launch\n  //@   %x = 1.0\n"));
        let refuses = |options: &[&str]| output(&folder, command, options).contains("which is not enabled");
        assert!(refuses(&[]), "{command:?}: {}", output(&folder, command, &[]));
        assert!(!refuses(&["--preview=simt"]), "{command:?}: {}", output(&folder, command, &["--preview=simt"]));
        folder.write("tile.toml", "preview = [\"simt\"]\n");
        assert!(!refuses(&[]), "{command:?}: {}", output(&folder, command, &[]));
    }
}

#[test]
fn the_version_of_a_project_applies() {
    for command in COMMANDS {
        let folder = Folder::hello();
        folder.write("a.tile", NEWER);
        let refuses = || output(&folder, command, &[]).contains("`atan2` needs version 13.2");
        assert!(!refuses(), "{command:?}: {}", output(&folder, command, &[]));
        folder.write("tile.toml", "target-version = \"13.1\"\n");
        assert!(refuses(), "{command:?}: {}", output(&folder, command, &[]));
    }
}

#[test]
fn bytecode_is_printed_in_the_version_of_the_project() {
    let folder = Folder::hello();
    folder.write("a.tile", HELLO);
    assert_eq!(folder.tile(&["build", "a.tile"]).status, Some(0));
    let newest = folder.tile(&["dis", "a.tileirbc"]).out;
    folder.write("tile.toml", "target-version = \"13.1\"\n");
    let oldest = folder.tile(&["dis", "a.tileirbc"]).out;
    assert!(newest.contains("print_tko \"hello") && oldest.contains("print \"hello"), "{newest}{oldest}");
    assert_eq!(folder.tile(&["dis", "a.tileirbc", "--target-version=13.5"]).out, newest);
    // An explicit bytecode version also determines the version to check against.
    folder.write("a.tile", NEWER);
    assert_eq!(folder.tile(&["build", "a.tile"]).status, Some(1));
    assert_eq!(folder.tile(&["build", "a.tile", "--bytecode-version=13.5"]).status, Some(0));
}
