//! `tile debug-adapter`: stepping through the launches of `debugging/sums.tile` and `debugging/product.tile`.

mod breakpoints;
mod editor;
mod formulas;
mod movement;

use editor::{Editor, pair, program, step};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn stepping_through_a_loop() {
    let mut editor = Editor::launched(json!({ "program": program(), "launch": "two" }));
    let reported = editor.break_at(&[16, 3]);
    assert_eq!((&reported[0]["verified"], &reported[0]["line"]), (&json!(true), &json!(16)));
    assert_eq!(reported[1]["verified"], false, "a line before the entry");
    editor.ask("configurationDone", json!({}));
    let (reason, stack) = editor.stop();
    assert_eq!(reason, "breakpoint");
    let stack: Vec<(&str, u64)> = stack.iter().map(|(name, line)| (&**name, *line)).collect();
    assert_eq!(stack, [("addi", 16), ("for, iteration 0", 14), ("@sums, tile block (0, 0, 0)", 6)]);
    assert_eq!(editor.go("next"), step("step", "continue", 17));
    assert_eq!(editor.go("next"), step("breakpoint", "addi", 16));
    assert_eq!(editor.scope("Tile block"), [pair("coordinates", "(0, 0, 0)"), pair("iteration, loop 1", "1")]);
    assert_eq!(editor.go("continue"), step("breakpoint", "addi", 16));
    // After the loop, in the same tile block.
    assert_eq!(editor.go("stepOut"), step("step", "print_tko", 19));
    assert_eq!(editor.value("total"), "[0, 0, 0, 0]");
    // In the next tile block.
    assert_eq!(editor.go("continue"), step("breakpoint", "addi", 16));
    assert_eq!(editor.scope("Tile block")[0], pair("coordinates", "(1, 0, 0)"));
    assert_eq!(editor.ask("threads", json!({}))["threads"][0]["name"], "tile block (1, 0, 0)");
    editor.break_at(&[]);
    assert_eq!(editor.go("stepOut"), step("step", "print_tko", 19));
    assert_eq!(editor.go("next"), step("step", "constant", 20));
    assert_eq!(editor.scope("Values")[0], pair("%total", "4xi32 [3, 3, 3, 3]"), "the token of the print has no value");
    editor.ask("continue", json!({ "threadId": 1 }));
    let (output, code) = editor.end();
    let expected = [
        pair("stdout", "sum [0, 0, 0, 0]\n"),
        pair("console", "now in tile block (1, 0, 0)\n"),
        pair("stdout", "sum [3, 3, 3, 3]\n"),
        pair("console", "expectation met\n"),
    ];
    assert_eq!((output, code), (expected.to_vec(), 0));
    assert_eq!(editor.refused("continue", json!({ "threadId": 1 })), "the run has not stopped");
}

#[test]
fn values_can_be_inspected() {
    let arguments = json!({ "program": program(), "entry": "sums", "block": [1, 0, 0], "stopOnEntry": true });
    let mut editor = Editor::launched(arguments);
    editor.break_at(&[25]);
    editor.ask("configurationDone", json!({}));
    let (reason, stack) = editor.stop();
    assert_eq!((&*reason, stack[0].1), ("entry", 7));
    assert_eq!(editor.scope("Parameters"), [pair("%out", "i32[8] [0, 0, 0, 0, 0, 0, 0, 0]")]);
    assert!(editor.scope("Values").is_empty(), "nothing has been computed");
    assert_eq!(editor.go("continue"), step("breakpoint", "addi", 25));
    let values = editor.scope("Values");
    // The latest value comes first. Values in the loop are not visible here.
    assert_eq!(values[..2], [pair("%lanes", "4xi32 [0, 1, 2, 3]"), pair("%firsts", "4xi32 [4, 4, 4, 4]")]);
    assert!(values.iter().all(|(name, _)| name != "%next" && name != "%i"), "{values:?}");
    let lanes = editor.ask("evaluate", json!({ "expression": " %lanes ", "context": "hover" }));
    assert_eq!((&lanes["type"], &lanes["indexedVariables"]), (&json!("tile<4xi32>"), &json!(4)));
    let elements = editor.inside(&lanes["variablesReference"]);
    assert_eq!(elements, [pair("[0]", "0"), pair("[1]", "1"), pair("[2]", "2"), pair("[3]", "3")]);
    let some = json!({ "variablesReference": lanes["variablesReference"], "start": 2, "count": 1 });
    assert_eq!(editor.ask("variables", some)["variables"][0]["name"], "[2]");
    for reference in [json!(0), json!(999), json!(1_000_000), json!(u64::MAX)] {
        assert!(editor.inside(&reference).is_empty(), "nothing has the number {reference}");
    }
    let refused = editor.refused("variables", json!({ "variablesReference": "x" }));
    assert_eq!(refused, "invalid arguments of `variables`: invalid type: string \"x\", expected u64");
    let far = json!({ "variablesReference": lanes["variablesReference"], "start": u64::MAX, "count": u64::MAX });
    assert_eq!(editor.ask("variables", far)["variables"], json!([]));
    assert_eq!(editor.refused("launch", json!({ "program": program() })), "the session already debugs a launch");
    let refused = editor.answer("evaluate", json!({ "expression": "%next" }));
    assert_eq!(refused["body"]["error"]["showUser"], false, "a failed evaluation is not shown as an error");
    assert_eq!(refused["message"], "`%next` is not in scope at this op");
}

#[test]
fn a_failure_is_an_exception() {
    let mut editor = Editor::launched(json!({ "program": program(), "entry": "too_far" }));
    editor.ask("configurationDone", json!({}));
    let stopped = editor.event("stopped");
    assert_eq!(
        (&stopped["reason"], &stopped["description"]),
        (&json!("exception"), &json!("tile block (1, 0, 0): failed"))
    );
    let message = "this writes element 4 of `%out`, which has 4 elements of i32";
    assert_eq!(stopped["text"], format!("R0102: {message}"));
    assert_eq!(
        editor.ask("exceptionInfo", json!({ "threadId": 1 }))["description"],
        format!("{message}, in tile block (1, 0, 0)")
    );
    assert_eq!(editor.value("%place"), "4");
    editor.ask("continue", json!({ "threadId": 1 }));
    let (output, code) = editor.end();
    assert_eq!(code, 1);
    assert_eq!(output[0].0, "stderr");
    assert!(output[0].1.contains(message), "{output:?}");
}

#[test]
fn an_endless_run_can_be_paused_and_terminated() {
    let arguments = json!({ "program": program(), "entry": "for_ever", "sanitize": false });
    let mut editor = Editor::launched(arguments);
    editor.ask("configurationDone", json!({}));
    editor.ask("pause", json!({ "threadId": 1 }));
    let (reason, stack) = editor.stop();
    assert_eq!(
        (&*reason, stack[1].0.starts_with("@for_ever") || stack[1].0.starts_with("loop, iteration")),
        ("pause", true)
    );
    editor.ask("continue", json!({ "threadId": 1 }));
    editor.ask("terminate", json!({}));
    assert_eq!(editor.end(), (Vec::new(), 0), "the termination is not reported");
    editor.ask("disconnect", json!({}));
    assert!(editor.child.wait().expect("the adapter ends").success());
}

#[test]
fn invalid_requests_are_refused() {
    let mut editor = Editor::new();
    assert_eq!(editor.refused("configurationDone", json!({})), "nothing has been launched");
    assert_eq!(editor.refused("next", json!({})), "no launch is running");
    let refused = editor.refused("launch", json!({}));
    assert_eq!(refused, "the launch configuration has no `program`");
    let refused = editor.refused("launch", json!({ "program": "none.tile" }));
    assert_eq!(refused, "file `none.tile` not found");
    let refused = editor.refused("launch", json!({ "program": program(), "launch": "too" }));
    assert!(refused.ends_with("has no launch `too`: did you mean `two`?"), "{refused}");
    let refused = editor.refused("launch", json!({ "program": program(), "block": [2] }));
    assert_eq!(refused, "`block` is [2]; the grid's tile blocks are [0, 0, 0] to [1, 0, 0]");
    // A launch without a name is chosen by its number.
    editor.ask("launch", json!({ "program": program(), "entry": "for_ever", "launch": "#2", "block": [2] }));
    let refused = editor.refused("fly", json!({}));
    assert_eq!(refused, "unsupported request `fly`");
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("broken.tile");
    std::fs::write(&broken, "cuda_tile.module @m {\n  entry @k() {\n    oops\n  }\n}\n").expect("written");
    let refused = editor.refused("launch", json!({ "program": broken }));
    assert!(refused.starts_with(&format!("{}:3: ", broken.display())), "{refused}");
    editor.ask("launch", json!({ "program": program() }));
    let elsewhere = json!({ "source": { "path": Path::new("/elsewhere.tile") }, "breakpoints": [{ "line": 16 }] });
    assert_eq!(editor.ask("setBreakpoints", elsewhere)["breakpoints"][0]["verified"], false);
}

#[test]
fn invalid_messages_are_skipped() {
    let broken = [
        ("Content-Length: x\r\n\r\n", "a header has no valid length"),
        ("\r\n\r\n", "a header has no valid length"),
        ("Content-Length: 99999999999\r\n\r\n", "a message is longer than the limit of 64 MiB"),
        ("Content-Length: 18446744073709551615\r\n\r\n{}", "a message is longer than the limit of 64 MiB"),
        ("Content-Length: 99999999999999999999999\r\n\r\n", "a message is longer than the limit of 64 MiB"),
        ("Content-Length: 3\r\n\r\n{{{", "the message is not valid JSON"),
        ("Content-Length: 2\r\n\r\n[]", "the message is not a JSON object"),
        ("Content-Length: 0\r\n\r\n", "the message is not valid JSON"),
        ("Content-Length: 11\r\n\r\n{\"seq\":\"a\"}", "the message is not a request: invalid type"),
    ];
    let mut editor = Editor::launched(json!({ "program": program() }));
    for (text, why) in broken {
        editor.write(text);
        editor.ask("threads", json!({}));
        let output = editor.event("output")["output"].as_str().expect("a text").to_string();
        assert!(output.contains(why), "{text:?}: {output}");
    }
    editor.ask("configurationDone", json!({}));
    assert_eq!(editor.end().1, 0);
    editor.ask("disconnect", json!({}));
    assert!(editor.child.wait().expect("the adapter ends").success());
    // The adapter ends when the editor disconnects.
    let mut editor = Editor::launched(json!({ "program": program() }));
    editor.ask("configurationDone", json!({}));
    editor.to = None;
    assert!(editor.child.wait().expect("the adapter ends").success());
}

/// The same restriction applies to runs that an editor starts.
#[test]
fn only_files_in_the_opened_folder_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let kernels = folder.path().join("opened/kernels");
    std::fs::create_dir_all(&kernels).expect("a folder");
    let data = [b"\x93NUMPY\x01\0\x76\0".to_vec(), npy_header(), 1.0_f32.to_le_bytes().to_vec()].concat();
    for name in ["secret.npy", "opened/beside.npy", "opened/kernels/own.npy"] {
        std::fs::write(folder.path().join(name), &data).expect("a file");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../secret.npy", kernels.join("link.npy")).expect("a link");
    let opened = folder.path().join("opened").display().to_string();
    let within: &[&str] = &["--folder", &opened];
    let outside = "is outside `";
    let cases: [(&[&str], &str, Option<&str>); 8] = [
        (&[], "own.npy", None),
        (&[], "../beside.npy", Some(outside)),
        (within, "../beside.npy", None),
        (within, "../../secret.npy", Some(outside)),
        (within, "/etc/passwd", Some(outside)),
        (within, if cfg!(unix) { "link.npy" } else { "../../secret.npy" }, Some(outside)),
        (within, "none.npy", Some("not found")),
        (&["--files-outside-folder"], "../../secret.npy", None),
    ];
    for (options, file, refusal) in cases {
        let text = format!(
            "cuda_tile.module @m {{\n  //@ launch grid=(1, 1, 1)\n  //@   %p = f32[1] npy(\"{file}\")\n  \
             entry @k(%p: tile<ptr<f32>>) {{\n    return\n  }}\n}}\n"
        );
        std::fs::write(kernels.join("a.tile"), text).expect("a file");
        let mut editor = Editor::with(options);
        let answer = editor.answer("launch", json!({ "program": kernels.join("a.tile") }));
        let message = answer["message"].as_str();
        assert_eq!(answer["success"], refusal.is_none(), "{options:?} {file}: {answer}");
        assert!(refusal.is_none_or(|why| message.is_some_and(|message| message.contains(why))), "{file}: {answer}");
    }
}

/// The padded header of an array of one f32.
fn npy_header() -> Vec<u8> {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
    format!("{header:117}\n").into_bytes()
}

/// A program cannot be standard input, which carries the messages, nor an endless device.
#[cfg(target_os = "linux")]
#[test]
fn only_regular_files_are_debugged() {
    let mut editor = Editor::new();
    let refused = editor.refused("launch", json!({ "program": "/dev/zero" }));
    assert_eq!(refused, "cannot read `/dev/zero`: it is a device, not a regular file");
    let refused = editor.refused("launch", json!({ "program": "-" }));
    assert_eq!(refused, "file `-` not found");
}

/// The messages of one session, without sequence numbers.
#[test]
fn a_conversation() {
    let mut editor = Editor::new();
    let path = program();
    let mut all = String::new();
    let mut ask = |editor: &mut Editor, command: &str, arguments: Value| {
        let mut answer = editor.answer(command, arguments.clone());
        ["seq", "request_seq"].iter().for_each(|key| _ = answer.as_object_mut().expect("an object").remove(*key));
        all.push_str(&format!("--> {command} {arguments}\n<-- {answer:#}\n\n"));
    };
    ask(&mut editor, "initialize", json!({ "adapterID": "tile" }));
    ask(&mut editor, "launch", json!({ "program": path, "launch": "two" }));
    editor.event("initialized");
    ask(&mut editor, "setBreakpoints", json!({ "source": { "path": path }, "breakpoints": [{ "line": 16 }] }));
    ask(&mut editor, "configurationDone", json!({}));
    editor.event("stopped");
    for (command, arguments) in [
        ("threads", json!({})),
        ("stackTrace", json!({ "threadId": 1 })),
        ("scopes", json!({ "frameId": 1 })),
        ("variables", json!({ "variablesReference": 1 })),
        ("evaluate", json!({ "expression": "%sum" })),
        ("disconnect", json!({})),
    ] {
        ask(&mut editor, command, arguments);
    }
    insta::assert_snapshot!(all.replace(&path, "sums.tile"));
}
