//! Full and read-only disks, folders with many files or with links that lead in circles.

use super::{ALIVE, KERNEL, assert_alive, file_uri};
use crate::editor::Client;
use crate::harness::{CommandOutput, Folder, Running, entry};
use crate::skip::skipped;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// Copies the programs to `disk`, which no other process sees, and runs the rest with it as the current folder.
const FULL: &str = "mount -t tmpfs -o size=128k tmpfs disk && cp ./*.tile disk && cd disk && \
                    { dd if=/dev/zero of=filler bs=4096 count=99 2>/dev/null; true; } && ";
const READ_ONLY: &str = "mount -t tmpfs tmpfs disk && cp ./*.tile disk && mount -o remount,ro disk && cd disk && ";

/// A shell command that is run with a private disk. `None` if this system does not permit mounts.
fn with_disk(folder: &Folder, disk: &str, then: &str) -> Option<Command> {
    fs::create_dir_all(folder.path("disk")).expect("folders can be created");
    let script = |then: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", &format!("{disk}{then}"), "sh"]);
        command.arg(env!("CARGO_BIN_EXE_tile")).current_dir(folder.root());
        let place = |name: &str| folder.path("disk").join(name);
        command.env("TMPDIR", place("")).env("TILE_CACHE_DIR", place("cache")).env("XDG_STATE_HOME", place("state"));
        command.env("XDG_CONFIG_HOME", folder.path("config"));
        command
    };
    let works = script("true").output().is_ok_and(|output| output.status.success());
    if !works {
        skipped("this system does not permit processes to mount private disks");
    }
    works.then(|| script(then))
}

/// Runs `tile` on the disk, and then prints the program and the names of the files there.
fn on_disk(folder: &Folder, disk: &str, arguments: &str) -> Option<CommandOutput> {
    let script = format!("\"$1\" {arguments}; status=$?; cat a.tile; ls -A; exit $status");
    Some(Running::start(&mut with_disk(folder, disk, &script)?).finish())
}

/// A program of 8 KiB that the formatter changes, and that has a fix. It needs more than the rest of a page of the
/// disk.
fn program() -> String {
    let prints = vec!["%t=print \"a line of text\\n\"->token".to_string(); 200];
    let prints: Vec<&str> = prints.iter().map(String::as_str).collect();
    entry(&["launch", "  %p = f32[1000] ones"], "%p: tile<ptr<f32>>", &prints[..1]) + &"//x\n".repeat(2000)
}

#[test]
fn a_save_on_a_full_or_read_only_disk_leaves_the_old_file() {
    let folder = Folder::of(&program());
    for (disk, why, files) in
        [(FULL, "No space left on device", "a.tile\nfiller\n"), (READ_ONLY, "ead-only file", "a.tile\n")]
    {
        for arguments in ["fmt a.tile", "check --fix a.tile"] {
            let Some(output) = on_disk(&folder, disk, arguments) else { return };
            assert_eq!(output.status, Some(2), "{arguments}: {output:?}");
            assert!(output.err.contains("a.tile") && output.err.contains(why), "{arguments}: {}", output.err);
            assert!(output.out.ends_with(&(program() + files)), "{arguments}: {}", output.out);
        }
        let Some(output) = on_disk(&folder, disk, "run --save=%p=p.npy a.tile") else { return };
        assert_eq!(output.status, Some(2), "{output:?}");
        assert!(output.err.contains("p.npy") && output.err.contains(why), "{}", output.err);
        assert!(output.out.ends_with(&(program() + files)), "{}", output.out);
    }
}

#[test]
fn checks_and_runs_need_no_disk() {
    let folder = Folder::of(KERNEL);
    for disk in [FULL, READ_ONLY] {
        for arguments in ["check a.tile", "run a.tile", "test a.tile", "fmt --check a.tile"] {
            let Some(output) = on_disk(&folder, disk, arguments) else { return };
            assert_eq!((output.status, output.err.as_str()), (Some(0), ""), "{arguments}");
        }
    }
}

#[test]
fn the_server_works_without_a_disk() {
    let folder = Folder::of(KERNEL);
    for disk in [FULL, READ_ONLY] {
        let Some(mut command) = with_disk(&folder, disk, "exec \"$@\"") else { return };
        let mut client = Client::started(&mut command, json!({}));
        let uri = file_uri(&folder.path("disk/a.tile"));
        client.open_at(&uri, KERNEL);
        let target = json!({ "uri": uri, "entry": "k", "launch": null });
        client.execute("tile.run", target).expect("a run needs no disk");
        let refused = client.execute("tile.showBytecode", json!({ "uri": uri })).expect_err("the text needs a file");
        let message = refused["message"].as_str().expect("a message");
        assert!(
            message.contains("cannot") && message.contains(&folder.path("disk").display().to_string()),
            "{message}"
        );
        assert_alive(&mut client);
    }
}

/// A folder with 100,000 files, of which 500 are programs: fewer than the most symbols in an answer.
fn many_files() -> Folder {
    let folder = Folder::with(&[]);
    for number in 0..100_000 {
        if number % 1000 == 0 {
            fs::create_dir(folder.path(&format!("{}", number / 1000))).expect("folders can be created");
        }
        let (kind, text) = if number % 200 == 1 { ("tile", KERNEL) } else { ("txt", "") };
        let path = folder.path(&format!("{}/{number}.{kind}", number / 1000));
        fs::write(path, text).expect("files can be written");
    }
    folder
}

#[test]
fn folders_can_have_a_hundred_thousand_files() {
    let folder = many_files();
    folder.tile(&["fmt", "--check", "."]).is(0, "", "");
    let folders = json!([{ "uri": file_uri(folder.root()), "name": "folder" }]);
    let parameters = json!({ "capabilities": {}, "workspaceFolders": folders });
    let mut client = Client::initialized(&mut folder.command(&[]), parameters);
    let search = client.ask("workspace/symbol", json!({ "query": "k" }));
    // Other requests do not wait for the search.
    assert_alive(&mut client);
    // A search that takes long is continued by the next request.
    let mut symbols = client.answer(search);
    while symbols.as_ref().is_ok_and(|symbols| symbols.as_array().is_some_and(|found| found.len() < 2)) {
        symbols = client.request("workspace/symbol", json!({ "query": "k" }));
    }
    let mut found = programs(&symbols.expect("the server answers"));
    found.retain(|uri| uri != ALIVE);
    assert_eq!(found.len(), 500);
    found.dedup();
    assert_eq!(found.len(), 500, "each program is found once");
}

/// The files with a symbol, sorted.
fn programs(symbols: &Value) -> Vec<String> {
    let uri = |symbol: &Value| symbol["location"]["uri"].as_str().expect("a name").to_string();
    let mut found: Vec<String> = symbols.as_array().expect("a list").iter().map(uri).collect();
    found.sort();
    found
}

#[test]
fn links_may_lead_in_circles() {
    let folder = Folder::with(&[("a.tile", KERNEL), ("deep/b.tile", KERNEL)]);
    let link = |to: &str, name: &str| symlink(to, folder.path(name)).expect("links are supported");
    for (to, name) in [
        (".", "here"),
        ("..", "deep/up"),
        ("two", "one"),
        ("one", "two"),
        ("self.tile", "self.tile"),
        ("tile.toml", "deep/tile.toml"),
        (".gitignore", "deep/.gitignore"),
    ] {
        link(to, name);
    }
    let output = folder.tile(&["test", "."]);
    assert_eq!((output.status, output.err.as_str()), (Some(0), ""), "{output:?}");
    assert!(output.out.ends_with("2 passed, 0 failed\n"), "each program is tested once: {}", output.out);
    folder.tile(&["check", "here/here/deep/up/a.tile"]).is(0, "1 file checked, nothing found\n", "");
    let refused = folder.tile(&["check", "self.tile"]);
    assert!(refused.status == Some(2) && refused.err.contains("self.tile"), "{refused:?}");
    let folders = json!([{ "uri": file_uri(folder.root()), "name": "folder" }]);
    let parameters = json!({ "capabilities": {}, "workspaceFolders": folders });
    let mut client = Client::initialized(&mut folder.command(&[]), parameters);
    let symbols = client.request("workspace/symbol", json!({ "query": "k" })).expect("the server answers");
    assert_eq!(programs(&symbols), ["a.tile", "deep/b.tile"].map(|name| file_uri(&folder.path(name))));
    client.open_at(&file_uri(&folder.path("deep/up/here/deep/b.tile")), KERNEL);
    assert_alive(&mut client);
}
