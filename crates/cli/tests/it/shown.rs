//! Snapshots of the output of each command: help, reports, traces, diagnostics in every format.
//!
//! `INSTA_UPDATE=always cargo test -p tile --test it shown` updates them; review the diff.

use crate::harness::{CommandOutput, Folder, entry};
use crate::running::watched;
use insta::assert_snapshot;
use std::env::consts::EXE_SUFFIX;

const COMMANDS: [&str; 19] = [
    "check",
    "build",
    "dis",
    "run",
    "test",
    "bench",
    "tune",
    "opt",
    "diff",
    "graph",
    "view",
    "reduce",
    "doctor",
    "cache",
    "lsp",
    "fmt",
    "doc",
    "explain",
    "debug-adapter",
];

/// Removes times, which differ between runs.
fn without_times(text: &str) -> String {
    let cut = |line: &str| match line.split_once("\"seconds\":") {
        Some((before, _)) => format!("{before}\"seconds\":…\n"),
        None if line.starts_with("ok ") => line.split(" (").next().map_or(String::new(), |ok| format!("{ok} (…)\n")),
        None => format!("{line}\n"),
    };
    text.lines().map(cut).collect()
}

/// Runs a command. Returns the command line, the output and the status as text.
fn transcript(folder: &Folder, arguments: &[&str]) -> String {
    let CommandOutput { status, out, err } = folder.tile(arguments);
    let out = without_times(&out);
    let part = |name: &str, text: String| if text.is_empty() { String::new() } else { format!("-- {name}\n{text}") };
    let status = status.expect("no signal terminates the command");
    format!("$ tile {}\n{}{}-- status {status}\n", arguments.join(" "), part("stdout", out), part("stderr", err))
}

fn transcripts(folder: &Folder, commands: &[&[&str]]) -> String {
    commands.iter().map(|arguments| transcript(folder, arguments)).collect::<Vec<_>>().join("\n")
}

#[test]
fn help() {
    let folder = Folder::hello();
    let mut all = transcript(&folder, &["--help"]);
    for command in COMMANDS {
        all.push('\n');
        all.push_str(&transcript(&folder, &[command, "-h"]));
    }
    assert_snapshot!(all.replace(&format!("tile{EXE_SUFFIX}"), "tile"));
}

#[test]
fn diagnostics() {
    let body = ["%a = iota : tile<100xi32>", "%b = addf %a, %a : tile<4xf32>", "%c = pow %b, %d : tile<4xf32>"];
    let folder = Folder::of(&entry(&[], "%n: tile<i32>", &body));
    let formats = ["full", "concise", "json", "json-lines", "github", "sarif"];
    let arguments = formats.map(|format| ["check", "--output-format", format, "a.tile"]);
    let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    let all = transcripts(&folder, &arguments.each_ref().map(|arguments| &arguments[..]));
    assert_snapshot!(all.replace(&version, "\"VERSION\""));
}

#[test]
fn reports() {
    let body = ["%one = constant <f32: 1.0> : tile<f32>", "print_tko \"one is %f\\n\", %one : tile<f32> -> token"];
    let directives = [
        "launch \"good\" grid=(2, 1, 1)",
        "expect print \"one is 1.000000\\none is 1.000000\\n\"",
        "launch \"bad\"",
        "expect print \"two\"",
    ];
    let folder = Folder::of(&entry(&directives, "", &body));
    let run = ["run", "a.tile", "--launch", "good"];
    assert_snapshot!(transcripts(&folder, &[&run, &["run", "a.tile", "--launch", "bad"], &["test", "a.tile"]]));
}

#[test]
fn annotations() {
    let directives = [
        "launch \"good\"",
        "  %p = i32[4] zeros",
        "expect %p[0] == 0",
        "launch \"50%, bad::case\"",
        "  %p = i32[4] iota",
        "expect %p == [0, 1, 5, 3]",
        "expect print \"two\\n\"",
        "launch \"race\" grid=(2, 1, 1)",
        "  %p = i32[4] zeros",
    ];
    let body = [
        "%x, %y, %z = get_tile_block_id : tile<i32>",
        "%t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token",
    ];
    let folder = Folder::of(&entry(&directives, "%p: tile<ptr<i32>>", &body));
    folder.write("in/b.tile", "cuda_tile.module @m { entry @k() { %x = addi %y, %y : tile<i32> } }\n");
    folder.write("in/c.tile", entry(&["launch", "  %q = 1"], "%p: tile<i32>", &[]));
    folder.write("in/d.tile", entry(&["launch"], "", &[]));
    let test = ["test", "--output-format", "github", "a.tile", "in", "no.tile"];
    let format = ["fmt", "--check", "--output-format", "github"];
    assert_snapshot!(transcripts(&folder, &[&test, &["test", "--output-format", "github", "in/d.tile"], &format]));
}

#[test]
fn findings() {
    let body = [
        "%x, %y, %z = get_tile_block_id : tile<i32>",
        "%q = offset %p, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>",
        "%t = store_ptr_tko weak %q, %x : tile<ptr<i32>>, tile<i32> -> token",
    ];
    let folder = Folder::of(&entry(&["launch grid=(4, 1, 1)", "  %p = i32[2] zeros"], "%p: tile<ptr<i32>>", &body));
    assert_snapshot!(transcripts(&folder, &[&["run", "a.tile"], &["run", "a.tile", "--output-format", "json-lines"]]));
}

#[test]
fn traces() {
    let folder = Folder::of(&watched());
    let names = ["--trace=%x", "--trace=%sum", "--trace=%large", "--trace=%small", "--trace=%view"];
    let text = [&["run", "a.tile", "--trace-block=1"][..], &names].concat();
    let json = ["run", "a.tile", "--trace-block=0", "--trace=%x", "--trace=%large", "--output-format=json-lines"];
    assert_snapshot!(transcripts(&folder, &[&text, &json]));
}
