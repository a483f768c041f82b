//! The promises of `SECURITY.md` that involve several processes. Other tests that it lists are next to the code.

use crate::editor::Client;
use crate::harness::{CommandOutput, Folder, Running, endless, entry};
use crate::process::children;
use crate::skip;
use crate::waiting::soon;
use serde_json::json;
use std::fs;
use std::process::Command;

/// Variables that hold secrets.
const SECRETS: [&str; 3] = ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK"];

/// The value of the variables.
const SECRET: &str = "a-secret-value";

fn with_secrets(command: &mut Command) -> &mut Command {
    command.envs(SECRETS.map(|name| (name, SECRET)))
}

/// Starts an endless kernel with this command. Returns the running command and its worker.
fn running(command: &mut Command) -> (Running, u32) {
    let running = Running::start(with_secrets(command));
    let worker = soon("a worker starts", || children(running.child.id()).pop());
    (running, worker)
}

/// A file of a process in `/proc`.
fn proc(process: u32, file: &str) -> String {
    fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default()
}

#[test]
fn a_worker_for_the_cpu_engine_is_in_a_sandbox() {
    let folder = Folder::of(&endless());
    let doctor = folder.tile(&["doctor"]).out;
    let Some(supported) = doctor.lines().next().and_then(|line| line.split_once("its sandbox: ")) else {
        panic!("{doctor}")
    };
    if supported.1 != "Landlock and seccomp" {
        return skip::skipped(format_args!("the sandbox of this system is: {}", supported.1));
    }
    let commands = [["run", "a.tile"], ["test", "a.tile"], ["view", "a.tile"]];
    for arguments in commands {
        let mut arguments = arguments.to_vec();
        if arguments[0] == "view" {
            arguments.extend(["--value", "%n", "-o", "page.html"]);
        }
        let (_running, worker) = running(&mut folder.command(&arguments));
        soon("the kernel runs", || proc(worker, "status").contains("Seccomp:\t2\n").then_some(()));
        for thread in fs::read_dir(format!("/proc/{worker}/task")).expect("the worker runs").flatten() {
            let status = fs::read_to_string(thread.path().join("status")).unwrap_or_default();
            for line in ["NoNewPrivs:\t1\n", "Seccomp:\t2\n"] {
                assert!(status.is_empty() || status.contains(line), "{arguments:?}: {status}");
            }
        }
    }
}

#[test]
fn a_worker_receives_no_secrets() {
    let folder = Folder::of(&endless());
    let (_running, worker) = running(folder.command(&["run", "a.tile"]).env("CUDA_VISIBLE_DEVICES", "3"));
    // Until the child starts the program, it has the environment of its parent.
    let environment = soon("the program starts", || {
        proc(worker, "cmdline").contains("--sandbox").then(|| proc(worker, "environ")).filter(|found| !found.is_empty())
    });
    assert!(environment.contains("PATH=") && environment.contains("CUDA_VISIBLE_DEVICES=3"), "{environment}");
    assert!(!environment.contains(SECRET), "{environment}");
}

#[test]
fn the_compiler_receives_no_secrets() {
    let folder = Folder::with_compiler("env > \"$(dirname \"$0\")/environment\"; head -c 10 \"$1\" > \"$out\"");
    let mut command = folder.command(&["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90"]);
    let output = CommandOutput::from(with_secrets(&mut command).output().expect("the command runs"));
    assert_eq!(output.status, Some(0), "{}", output.err);
    let environment = folder.read("bin/environment");
    assert!(environment.contains("PATH=") && !environment.contains(SECRET), "{environment}");
}

/// A launcher is a command of the user: `ssh` needs its agent.
#[test]
fn a_launcher_receives_the_whole_environment() {
    let folder = Folder::hello();
    let text = format!("#!/bin/sh\nenv > environment\nshift\nexec \"{}\" \"$@\"\n", env!("CARGO_BIN_EXE_tile"));
    folder.script("launcher.sh", &text);
    let mut command = folder.command(&["run", "a.tile", "--launcher", "./launcher.sh"]);
    let output = CommandOutput::from(with_secrets(&mut command).output().expect("the command runs"));
    assert_eq!(output.status, Some(0), "{}", output.err);
    assert!(folder.read("environment").contains(SECRET));
}

/// A folder whose author wants programs to be started. Each of them leaves a file.
fn trap() -> Folder {
    let program = entry(
        &["launch", "  %p = f32[4] npy(\"/etc/hostname\")", "expect %p == npy(\"../../secret.npy\")"],
        "%p: tile<ptr<f32>>",
        &["print_tko \"hello\\n\" -> token"],
    );
    let folder = Folder::of(&program);
    for name in ["tileiras", "ptxas", "nvdisasm", "cuobjdump", "ssh", "tile", "git", "sh"] {
        folder.script(&format!("trap/{name}"), &format!("#!/bin/sh\ntouch '{}'\n", folder.path("started").display()));
        folder.script(name, &format!("#!/bin/sh\ntouch '{}'\n", folder.path("started").display()));
    }
    folder
}

#[test]
fn opening_and_saving_files_starts_nothing() {
    let folder = trap();
    let mut command = folder.command(&[]);
    command.env("PATH", folder.path("trap")).env("TILE_TILEIRAS", folder.path("trap/tileiras"));
    let root = format!("file://{}", folder.root().display());
    let uri = format!("{root}/a.tile");
    let folders = json!([{ "uri": root, "name": "folder" }]);
    let mut client = Client::initialized(&mut command, json!({ "capabilities": {}, "workspaceFolders": folders }));
    let text = folder.read("a.tile");
    client.open_at(&uri, &text);
    client.change(&uri, 2, json!({ "text": text }));
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    let document = json!({ "uri": uri });
    let position = json!({ "line": 5, "character": 6 });
    for method in ["codeLens", "documentLink", "documentSymbol", "foldingRange", "semanticTokens/full", "diagnostic"] {
        // Some need a capability; then they are refused.
        let _ = client.request(&format!("textDocument/{method}"), json!({ "textDocument": document }));
    }
    for method in ["hover", "completion", "definition", "signatureHelp", "documentHighlight"] {
        let _ = client
            .request(&format!("textDocument/{method}"), json!({ "textDocument": document, "position": position }));
        assert_eq!(children(client.server.id()), [0; 0], "{method}");
    }
    client.request("shutdown", json!(null)).expect("the server answers");
    assert!(!folder.path("started").exists());
}

#[test]
fn commands_that_only_read_start_nothing() {
    let folder = trap();
    fs::write(folder.path("b.tile"), crate::harness::HELLO).expect("the folder is writable");
    for arguments in [
        &["check", "."][..],
        &["check", "--fix", "."],
        &["fmt", "."],
        &["build", "b.tile"],
        &["dis", "b.tileirbc"],
        &["graph", "b.tile", "-o", "b.html"],
        &["doc", "addf"],
        &["explain", "E0002"],
    ] {
        let mut command = folder.command(arguments);
        command.env("PATH", folder.path("trap")).env("TILE_TILEIRAS", folder.path("trap/tileiras"));
        let output = CommandOutput::from(command.output().expect("the command runs"));
        assert_ne!(output.status, Some(2), "{arguments:?}: {}", output.err);
        assert!(!folder.path("started").exists(), "{arguments:?}");
    }
}

/// A folder can neither name programs nor pass them on the search path.
#[test]
fn a_folder_cannot_choose_programs() {
    let folder = trap();
    for key in ["launcher = 'ssh box'", "target = 'box'", "tileiras = './tileiras'", "[run]\nlauncher = 'ssh'"] {
        folder.write("tile.toml", key);
        let output = folder.tile(&["check", "."]);
        assert!(output.status == Some(2) && output.err.contains("unknown"), "{key}: {}", output.err);
    }
    fs::remove_file(folder.path("tile.toml")).expect("the file exists");
    fs::write(folder.path("b.tile"), crate::harness::HELLO).expect("the folder is writable");
    for path in ["", ".", ":.:", "trap"] {
        let mut command = folder.command(&["build", "b.tile", "--emit", "cubin", "--gpu", "sm_90"]);
        command.env("PATH", path).env_remove("CUDA_HOME").env_remove("CUDA_PATH");
        let output = CommandOutput::from(command.output().expect("the command runs"));
        assert!(output.status != Some(0) && !folder.path("started").exists(), "{path:?}: {}", output.err);
    }
}

/// Addresses that a kernel computes from nothing, from its own buffers, and outside of the range of a host's addresses.
#[test]
fn forged_pointers_reach_no_memory() {
    let access = |pointer: &[&str], access: &str| {
        let body = [pointer, &[access]].concat();
        let program = entry(&["launch", "  %p = f32[6] iota"], "%p: tile<ptr<f32>>", &body);
        let folder = Folder::of(&program);
        for options in
            [&["run", "a.tile"][..], &["run", "--sanitize", "a.tile"], &["run", "--schedule", "seed=1", "a.tile"]]
        {
            let output = folder.tile(options);
            assert_eq!(
                (output.status, output.out.as_str(), output.messages()),
                (Some(1), "", 1),
                "{program}{}",
                output.err
            );
            assert!(output.err.starts_with("error[R01"), "{program}{}", output.err);
        }
    };
    let load = "%x, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token";
    let store =
        "%x = constant <f32: 1.0> : tile<f32> %t = store_ptr_tko weak %q, %x : tile<ptr<f32>>, tile<f32> -> token";
    let convert = "%q = int_to_ptr %i : tile<i64> -> tile<ptr<f32>>";
    for address in [0, 4, 4096, 0x40_0000, 0x5555_5555_4000, 0x7fff_ffff_e000, i64::MAX - 3, i64::MIN, -4, -4096] {
        let constant = format!("%i = constant <i64: {address}> : tile<i64>");
        access(&[&constant, convert], load);
        access(&[&constant, convert], store);
    }
    for distance in [-4, 24, 28, 4096, 1 << 32, i64::MAX / 4, i64::MIN / 4] {
        let constant = format!("%d = constant <i64: {distance}> : tile<i64>");
        let base = "%b = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>";
        let add = "%i = addi %b, %d : tile<i64>";
        access(&[&constant, base, add, convert], load);
        access(&[&constant, base, add, convert], store);
        access(&[&constant, "%q = offset %p, %d : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>"], load);
    }
    // A view can claim any shape.
    let view = "partition_view<tile=(1048576), tensor_view<1048576xf32, strides=[1]>>";
    access(
        &[
            "%i = constant <i32: 0> : tile<i32>",
            "%v = make_tensor_view %p, shape = [1048576], strides = [1] : tensor_view<1048576xf32, strides=[1]>",
            &format!("%w = make_partition_view %v : {view}"),
        ],
        &format!("%x, %t = load_view_tko weak %w[%i] : {view}, tile<i32> -> tile<1048576xf32>, token"),
    );
}

/// A page contains texts of the program, and its policy permits it to load nothing.
#[test]
fn a_page_runs_no_text_of_a_program() {
    let name = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
    let program = entry(
        &[&format!("launch \"{name}\""), "  %p = f32[4] iota"],
        "%p: tile<ptr<f32>>",
        &[&format!("// {name}"), &format!("print_tko \"{name}\" -> token")],
    );
    let folder = Folder::of(&program);
    for arguments in
        [&["view", "a.tile", "--value", "%p", "-o", "page.html"][..], &["graph", "a.tile", "-o", "page.html"]]
    {
        let output = folder.tile(arguments);
        assert_eq!(output.status, Some(0), "{arguments:?}: {}", output.err);
        let page = folder.read("page.html");
        assert!(page.contains("Content-Security-Policy") && page.contains("default-src 'none'"), "{arguments:?}");
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "{arguments:?}");
    }
}
