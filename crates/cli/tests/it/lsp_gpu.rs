//! GPU features of the language server that need no GPU: listings of compiled code, and the list of targets.
//!
//! Scripts stand in for NVIDIA's tools; one test uses the real ones, if installed.
use crate::editor::{Client, URI};
use crate::harness::{Folder, HELLO};
use crate::waiting::soon;
use crate::{process, skip};

use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The start of the stand-in for the compiler, which records every call.
const ABOUT: &str = r#"#!/bin/sh
echo "$*" >> "$0.calls"
case "$1" in
  --version) echo "Cuda compilation tools, release 13.3, V13.3.7"; exit 0;;
  --list-versions) printf '13.1\n13.2\n13.3\n'; exit 0;;
  --help) printf '    =sm_80  - SM 80\n    =sm_90  - SM 90\n'; exit 0;;
esac
while [ $# -gt 1 ]; do [ "$1" = -o ] && out="$2"; shift; done
"#;

/// A folder with a disassembler, and a compiler that runs this script and records every call.
fn folder_with_tools(script: &str) -> Folder {
    let folder = Folder::with_compiler("");
    folder.script("bin/tileiras", &format!("{ABOUT}{script}\n"));
    folder.script("bin/nvdisasm", "#!/bin/sh\necho '/*0000*/ EXIT ;'\n");
    folder
}

/// A client of a server that finds all programs and settings in this folder.
fn open_client(folder: &Folder, options: Value) -> Client {
    let mut path = OsString::from(folder.path("bin"));
    path.push(":/usr/bin:/bin");
    fs::create_dir_all(folder.path("tmp")).expect("folders can be created");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile"));
    command.env("PATH", path).env("TMPDIR", folder.path("tmp")).env("TILE_CACHE_DIR", folder.path("cache"));
    command.env("XDG_CONFIG_HOME", folder.path("config"));
    for variable in ["TILE_TILEIRAS", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"] {
        command.env_remove(variable);
    }
    let mut client = Client::started(&mut command, options);
    client.open(HELLO);
    client
}

fn lenses(client: &mut Client) -> Vec<String> {
    let found = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": URI } })).expect("lenses");
    let all = found.as_array().into_iter().flatten();
    all.map(|lens| lens["command"]["title"].as_str().expect("a title").to_string()).collect()
}

fn message(error: &Value) -> &str {
    error["message"].as_str().expect("a message")
}

#[test]
fn listings_are_offered_without_starting_the_tools() {
    let folder = folder_with_tools("echo > \"$out\"");
    let mut client = open_client(&folder, json!({ "build": { "gpu": "sm_90" } }));
    let titles = lenses(&mut client);
    assert!(titles.contains(&"Show PTX".to_string()) && titles.contains(&"Show SASS".to_string()), "{titles:?}");
    assert_eq!(folder.calls(), [""; 0], "looking for a program does not start it");
    let shown = client.execute("tile.showSass", json!({ "uri": URI })).expect("the listing is shown");
    let text = shown["text"].as_str().expect("a text");
    assert!(
        text.starts_with("// SASS of a.tile for sm_90, by tileiras 13.3.7.") && text.ends_with("EXIT ;\n"),
        "{text}"
    );
    assert!(folder.calls().concat().contains("--gpu-name=sm_90"), "{:?}", folder.calls());
    let path = PathBuf::from(shown["path"].as_str().expect("a path"));
    assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some(text));
    assert!(fs::metadata(&path).expect("the file exists").permissions().readonly());
    let reported = client.notified("window/showMessage");
    assert!(message(&reported).contains("a.sass"), "{reported}");
    assert!(
        text.contains("// No source lines: the disassembly contains no kernel.") && shown["lines"] == json!([]),
        "{text}"
    );
    // The command can name a GPU, and leave the display to the client.
    client.messages.clear();
    let wanted = json!({ "uri": URI, "gpu": "sm_80", "show": false });
    let shown = client.execute("tile.showSass", wanted).expect("the listing is created");
    assert!(shown["text"].as_str().is_some_and(|text| text.contains(" for sm_80,")), "{shown}");
    assert!(client.messages.iter().all(|reported| reported["method"] != "window/showMessage"), "{:?}", client.messages);
    // A cubin without PTX, and a GPU that the compiler does not know.
    let refused = client.execute("tile.showPtx", json!({ "uri": URI })).expect_err("the cubin contains none");
    assert!(message(&refused).contains("contains no PTX"), "{refused}");
    let refused = client.execute("tile.showPtx", json!({ "uri": URI, "gpu": "sm_70" })).expect_err("no such GPU");
    assert!(message(&refused).contains("does not support sm_70"), "{refused}");
}

#[test]
fn listings_are_related_to_lines_of_the_program() {
    let folder = folder_with_tools("echo > \"$out\"");
    let kernel = ".text.k:\n//## File \"a.tile\", line 320\n/*0000*/ STG.E.64 [R2], R4 ;\n/*0010*/ EXIT ;\n";
    folder.script("bin/nvdisasm", &format!("#!/bin/sh\ncat <<'END'\n{kernel}END\n"));
    let mut client = open_client(&folder, json!({ "build": { "gpu": "sm_90" } }));
    let shown = client.execute("tile.showSass", json!({ "uri": URI, "show": false })).expect("the listing is shown");
    let store = json!({ "class": "global-store", "name": "STG.64", "bits": 64, "count": 1 });
    let branch = json!({ "class": "branch", "name": "branch", "bits": null, "count": 1 });
    let expected = json!([{
        "kernel": "k", "lines": [4], "rows": [7, 8], "instructions": 2, "registers": null,
        "mix": [store, branch], "summary": "1 STG.64",
    }]);
    assert_eq!(shown["lines"], expected, "{shown}");
    let row = |row: usize| shown["text"].as_str().and_then(|text| text.lines().nth(row)).map(str::trim);
    assert_eq!((row(6), row(7)), (Some("// line 5: print_tko \"hello\\n\" -> token"), Some("STG.E.64 [R2], R4")));
}

#[test]
fn compile_errors_are_reported_with_their_line() {
    let folder = folder_with_tools("echo 'error: a.tile:320:5: no luck' >&2; exit 1");
    let mut client = open_client(&folder, json!({}));
    let refused = client.execute("tile.showPtx", json!({ "uri": URI })).expect_err("the program is refused");
    // The GPU is that of this machine, or else the newest one that the compiler supports.
    assert!(message(&refused).contains("cannot compile"), "{refused}");
    assert!(message(&refused).starts_with("line "), "{refused}");
}

#[test]
fn without_tools_there_is_no_lens_and_the_command_reports_the_missing_tool() {
    let folder = Folder::hello();
    let mut client = open_client(&folder, json!({}));
    let has_compiler = PathBuf::from("/usr/local/cuda/bin/tileiras").exists() || PathBuf::from("/opt/cuda").exists();
    if !has_compiler {
        assert!(lenses(&mut client).iter().all(|title| !title.contains("PTX") && !title.contains("SASS")));
        let refused = client.execute("tile.showPtx", json!({ "uri": URI })).expect_err("the compiler is missing");
        assert!(message(&refused).contains("`tileiras`, NVIDIA's compiler for Tile IR, was not found"), "{refused}");
    }
    let folder = folder_with_tools("echo > \"$out\"");
    let mut client = open_client(&folder, json!({ "codeLens": { "listings": false } }));
    assert!(lenses(&mut client).iter().all(|title| !title.contains("PTX")));
    // Nothing is started in an untrusted workspace.
    let mut client = open_client(&folder, json!({ "trusted": false }));
    assert_eq!(lenses(&mut client), [""; 0]);
    let refused = client.execute("tile.showPtx", json!({ "uri": URI })).expect_err("the workspace is not trusted");
    assert!(message(&refused).contains("only in a trusted workspace"), "{refused}");
    assert_eq!(folder.calls(), [""; 0]);
}

/// A compiler that does not end. It starts a child, writes its process id to a file, and creates another file.
const ENDLESS: &str = "sleep 300 & echo $! > \"$0.child\"; touch \"$0.begun\"; sleep 300";

/// A server with a running compiler.
struct Compiling {
    folder: Folder,
    client: Client,
    /// The request that waits for the compiler.
    request: i64,
}

impl Compiling {
    fn in_folder(folder: Folder) -> Compiling {
        let mut client = open_client(&folder, json!({ "build": { "gpu": "sm_90" } }));
        let request = Compiling::ask(&mut client);
        let begun = folder.path("bin/tileiras.begun");
        soon("the compiler starts", || begun.exists().then_some(()));
        Compiling { folder, client, request }
    }

    fn ask(client: &mut Client) -> i64 {
        let params = json!({ "command": "tile.showPtx", "arguments": [{ "uri": URI }], "workDoneToken": "compiling" });
        client.ask("workspace/executeCommand", params)
    }

    /// The error code of the response.
    fn code(&mut self) -> Value {
        self.client.answer(self.request).expect_err("the compilation was stopped")["code"].clone()
    }

    /// Waits until no process and no temporary file is left.
    fn is_over(&self) {
        let folders = || fs::read_dir(self.folder.path("tmp")).expect("the folder exists").count();
        soon("the input of the compiler is removed", || (folders() == 0).then_some(()));
        process::wait_for_end(&self.folder.path("bin/tileiras.child"));
    }

    fn server_ends(&mut self) {
        let server = &mut self.client.server;
        soon("the server ends", || server.try_wait().expect("the server is our child"));
    }
}

/// The error code of cancelled requests.
const CANCELLED: i64 = -32800;

#[test]
fn a_compilation_can_be_cancelled() {
    let mut compiling = Compiling::in_folder(folder_with_tools(ENDLESS));
    compiling.client.notify("$/cancelRequest", json!({ "id": compiling.request }));
    assert_eq!(compiling.code(), CANCELLED);
    compiling.is_over();
    // The server still answers.
    assert!(!lenses(&mut compiling.client).is_empty());
}

#[test]
fn a_compiler_that_hangs_on_its_version_can_be_cancelled() {
    let folder = folder_with_tools("");
    folder.script("bin/tileiras", &format!("#!/bin/sh\n{ENDLESS}\n"));
    let mut compiling = Compiling::in_folder(folder);
    compiling.client.notify("$/cancelRequest", json!({ "id": compiling.request }));
    assert_eq!(compiling.code(), CANCELLED);
    compiling.is_over();
}

#[test]
fn a_compilation_can_be_stopped_through_its_progress() {
    let mut compiling = Compiling::in_folder(folder_with_tools(ENDLESS));
    assert_eq!(compiling.client.notified("$/progress")["value"]["cancellable"], true);
    compiling.client.notify("window/workDoneProgress/cancel", json!({ "token": "compiling" }));
    assert_eq!(compiling.code(), CANCELLED);
    compiling.is_over();
}

#[test]
fn a_compilation_is_stopped_by_closing_its_document_or_by_another_request() {
    let mut compiling = Compiling::in_folder(folder_with_tools(ENDLESS));
    fs::remove_file(compiling.folder.path("bin/tileiras.begun")).expect("the file exists");
    let again = Compiling::ask(&mut compiling.client);
    assert_eq!(compiling.code(), CANCELLED);
    let begun = compiling.folder.path("bin/tileiras.begun");
    soon("the compiler starts again", || begun.exists().then_some(()));
    compiling.client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    compiling.request = again;
    assert_eq!(compiling.code(), CANCELLED);
    compiling.is_over();
}

#[test]
fn a_compilation_ends_with_the_server() {
    let mut compiling = Compiling::in_folder(folder_with_tools(ENDLESS));
    compiling.client.request("shutdown", Value::Null).expect("the server shuts down");
    compiling.client.notify("exit", Value::Null);
    compiling.server_ends();
    compiling.is_over();
}

#[test]
fn a_compilation_ends_with_the_client() {
    let mut compiling = Compiling::in_folder(folder_with_tools(ENDLESS));
    compiling.client.input = None;
    compiling.server_ends();
    compiling.is_over();
}

#[test]
fn a_compilation_ends_when_the_server_is_terminated() {
    use std::os::unix::process::ExitStatusExt;
    let mut compiling = Compiling::in_folder(folder_with_tools(ENDLESS));
    process::signal(compiling.client.server.id(), process::Signal::TERM);
    compiling.server_ends();
    let status = compiling.client.server.wait().expect("the server has ended");
    assert_eq!(status.signal(), Some(15), "the signal terminates the server");
    compiling.is_over();
}

#[test]
fn listings_are_removed_when_the_server_ends() {
    let folder = folder_with_tools("echo > \"$out\"");
    let shown = |client: &mut Client, command: &str| {
        let shown = client.execute(command, json!({ "uri": URI, "show": false })).expect("the listing is shown");
        PathBuf::from(shown["path"].as_str().expect("a path"))
    };
    let mut client = open_client(&folder, json!({ "build": { "gpu": "sm_90" } }));
    let [sass, bytecode] = ["tile.showSass", "tile.copyBytecode"].map(|command| shown(&mut client, command));
    assert!(sass.exists() && bytecode.exists());
    assert_eq!(sass.parent(), bytecode.parent());
    // Another server has its own folder.
    let other = shown(&mut open_client(&folder, json!({})), "tile.showBytecode");
    assert!(sass.exists() && other.parent() != sass.parent());
    client.request("shutdown", Value::Null).expect("the server shuts down");
    client.notify("exit", Value::Null);
    client.server.wait().expect("the server ends");
    assert!(!sass.parent().expect("a folder").exists());
}

#[test]
fn the_real_compiler_shows_ptx() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let find = |name: &str| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file());
    if let Some(missing) = ["tileiras", "ptxas"].into_iter().find(|name| find(name).is_none()) {
        return skip::without_tool(missing);
    }
    let folder = Folder::hello();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile"));
    command.env("TMPDIR", folder.root()).env("TILE_CACHE_DIR", folder.path("cache"));
    let mut client = Client::started(&mut command, json!({ "build": { "gpu": "sm_90" } }));
    client.open(HELLO);
    assert!(lenses(&mut client).contains(&"Show PTX".to_string()));
    let shown = client.execute("tile.showPtx", json!({ "uri": URI })).expect("the listing is shown");
    let text = shown["text"].as_str().expect("a text");
    assert!(text.contains(".target sm_90") && text.contains(".entry k"), "{text}");
}

#[test]
fn targets_are_listed_and_chosen_by_name() {
    let folder = Folder::hello();
    let program = env!("CARGO_BIN_EXE_tile");
    folder.script(
        "bin/box",
        &format!("#!/bin/sh\necho \"$*\" >> '{}'\nshift\nexec '{program}' \"$@\"\n", folder.path("used").display()),
    );
    let launcher = format!("'{}'", folder.path("bin/box").display());
    folder.write("config/tile/targets", format!("# mine\nbox = {launcher}\n"));
    let mut client = open_client(&folder, json!({ "run": { "target": "box:cpu" } }));
    let listed = client.request("tile/targets", json!({})).expect("a list");
    let names: Vec<(&str, bool)> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|each| (each["target"].as_str().expect("a name"), each["isChosen"] == true))
        .collect();
    assert_eq!(names, [("cpu", false), ("cuda", false), ("box", false), ("box:cpu", true)]);
    assert!(listed[2]["description"].as_str().is_some_and(|text| text.contains("bin/box")), "{listed}");
    // The settings choose the target, unless the command names another.
    assert_eq!(lenses(&mut client)[0], "▶ Run on box:cpu");
    assert_eq!(client.run()["passed"], true);
    let used = || fs::read_to_string(folder.path("used")).unwrap_or_default();
    assert_eq!(used(), "tile worker --sandbox\n");
    let target = json!({ "uri": URI, "entry": "k", "target": "cpu" });
    assert_eq!(client.execute("tile.run", target).expect("the run succeeds")["passed"], true);
    assert_eq!(used(), "tile worker --sandbox\n", "the run with `cpu` used no launcher");
    let refused = client.execute("tile.run", json!({ "uri": URI, "entry": "k", "target": "bax" }));
    let refused = refused.expect_err("the target is unknown");
    assert!(message(&refused).contains("one of your hosts: `box`"), "{refused}");
    // The settings can also name a launcher.
    let mut client = open_client(&folder, json!({ "run": { "launcher": launcher } }));
    assert_eq!(client.run()["passed"], true);
    assert_eq!(used(), "tile worker --sandbox\n".repeat(2));
    let mut client = open_client(&folder, json!({ "run": { "launcher": "'open" } }));
    let refused = client.execute("tile.run", json!({ "uri": URI, "entry": "k" })).expect_err("the launcher is invalid");
    assert!(message(&refused).contains("an unclosed quote"), "{refused}");
}
