//! `tile-fmt`: its input, output and exit status.

#[cfg(unix)]
use crate::process;
#[cfg(unix)]
use crate::skip;

use crate::harness::Folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tile_fmt::command::{Arguments, FAILED, Format, SUCCESS, Streams, UNFORMATTED, run};

const UGLY: &str = "entry @a(  ) {\nreturn }\n";
const PRETTY: &str = "entry @a() {\n  return\n}\n";

/// The outcome of a run.
struct Formatted {
    status: u8,
    output: String,
    messages: String,
}

fn run_on(input: &[u8], arguments: &Arguments) -> Formatted {
    let (mut output, mut messages) = (Vec::new(), Vec::new());
    let (color, to_terminal) = (false, false);
    let streams = Streams { input: &mut &*input, output: &mut output, messages: &mut messages, color, to_terminal };
    let status = run(arguments, streams);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Formatted { status, output: text(output), messages: text(messages) }
}

fn paths(paths: &[&Path]) -> Arguments {
    Arguments { paths: paths.iter().map(PathBuf::from).collect(), ..Arguments::default() }
}

#[test]
fn folders_are_searched_for_tile_files() {
    let folder = Folder::with(&[
        ("a.tile", UGLY),
        ("inner/b.tile", UGLY),
        (".hidden/c.tile", UGLY),
        ("d.mlir", UGLY),
        ("e.tile", PRETTY),
    ]);
    let outcome = run_on(b"", &paths(&[folder.root()]));
    assert_eq!((outcome.status, outcome.output.as_str(), outcome.messages.as_str()), (SUCCESS, "", ""));
    assert_eq!(folder.read("a.tile"), PRETTY);
    assert_eq!(folder.read("inner/b.tile"), PRETTY);
    assert_eq!(folder.read(".hidden/c.tile"), UGLY);
    assert_eq!(folder.read("d.mlir"), UGLY);
    // No temporary files remain.
    assert_eq!(fs::read_dir(folder.root()).expect("the folder").count(), 5);
}

#[test]
fn a_folder_without_programs_is_reported() {
    let folder = Folder::with(&[("d.mlir", UGLY), ("out/e.tile", UGLY), (".gitignore", "out")]);
    let outcome = run_on(b"", &paths(&[folder.root()]));
    assert_eq!((outcome.status, outcome.output.as_str()), (SUCCESS, ""));
    let note = format!("the folder `{}` contains no `.tile` files to format", folder.root().display());
    assert!(outcome.messages.contains(&note), "{}", outcome.messages);
}

#[test]
fn a_named_file_can_have_any_name() {
    let folder = Folder::with(&[("d.mlir", UGLY)]);
    assert_eq!(run_on(b"", &paths(&[&folder.path("d.mlir")])).status, SUCCESS);
    assert_eq!(folder.read("d.mlir"), PRETTY);
}

#[test]
fn a_formatted_file_is_not_touched() {
    let folder = Folder::with(&[("a.tile", PRETTY)]);
    let path = folder.path("a.tile");
    let before = fs::metadata(&path).and_then(|found| found.modified()).expect("a time");
    assert_eq!(run_on(b"", &paths(&[&path])).status, SUCCESS);
    assert_eq!(fs::metadata(&path).and_then(|found| found.modified()).expect("a time"), before);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::with(&[("a.tile", UGLY)]);
    let (path, link) = (folder.path("a.tile"), folder.path("link.tile"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink(&path, &link).expect("a link");
    assert_eq!(run_on(b"", &paths(&[&link])).status, SUCCESS);
    assert_eq!(folder.read("a.tile"), PRETTY);
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    assert_eq!(fs::metadata(&path).expect("the file").permissions().mode() & 0o777, 0o640);
}

#[cfg(unix)]
#[test]
fn one_file_by_many_names_is_formatted() {
    use std::os::unix::fs::MetadataExt;
    for link in [
        |to: &Path, name: &Path| std::os::unix::fs::symlink(to, name),
        |to: &Path, name: &Path| fs::hard_link(to, name),
    ] {
        let folder = Folder::with(&[("m.tile", UGLY)]);
        let path = folder.path("m.tile");
        let names: Vec<PathBuf> = (0..40).map(|number| folder.root().join(format!("{number}.tile"))).collect();
        names.iter().for_each(|name| link(&path, name).expect("a link"));
        let twice = [folder.root(), &path, &path];
        let outcome = run_on(b"", &paths(&twice));
        assert_eq!((outcome.status, outcome.messages.as_str()), (SUCCESS, ""));
        assert!(names.iter().chain([&path]).all(|name| fs::read_to_string(name).is_ok_and(|text| text == PRETTY)));
        assert_eq!(fs::read_dir(folder.root()).expect("the folder").count(), 41, "no temporary files remain");
        let target = fs::metadata(&path).expect("the file");
        let is_linked = |name: &PathBuf| fs::metadata(name).is_ok_and(|found| found.ino() == target.ino());
        assert!(names.iter().all(is_linked), "all of them still name one file");
    }
}

/// This holds even for root, who can write every file.
#[cfg(unix)]
#[test]
fn a_read_only_file_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a.tile", UGLY)]);
    let path = folder.path("a.tile");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("permissions");
    let outcome = run_on(b"", &paths(&[&path]));
    let message = "it is read-only (mode 444); `chmod u+w` makes it writable";
    let message = format!("error: cannot write `{}`: {message}\n", path.display());
    assert_eq!((outcome.status, outcome.messages), (FAILED, message));
    assert_eq!(folder.read("a.tile"), UGLY);
}

/// A link in a cloned folder must not rewrite a file elsewhere, unless the user names it.
#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_followed_only_if_it_is_named() {
    let folder = Folder::with(&[("outside.tile", UGLY)]);
    let inside = folder.path("inside");
    fs::create_dir(&inside).expect("a folder");
    let link = inside.join("link.tile");
    std::os::unix::fs::symlink("../outside.tile", &link).expect("a link");
    run_on(b"", &paths(&[&inside]));
    assert_eq!(folder.read("outside.tile"), UGLY);
    assert_eq!(run_on(b"", &paths(&[&link])).status, SUCCESS);
    assert_eq!(folder.read("outside.tile"), PRETTY);
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    let outcome = run_on(UGLY.as_bytes(), &paths(&[Path::new("-")]));
    assert_eq!((outcome.status, outcome.output.as_str()), (SUCCESS, PRETTY));
}

#[test]
fn check_lists_unformatted_files() {
    let folder = Folder::with(&[("a.tile", UGLY), ("b.tile", PRETTY)]);
    let arguments = Arguments { check: true, ..paths(&[folder.root()]) };
    let outcome = run_on(b"", &arguments);
    assert_eq!(outcome.status, UNFORMATTED);
    assert_eq!(outcome.output, format!("{}\n", folder.path("a.tile").display()));
    assert_eq!(folder.read("a.tile"), UGLY);

    let fine = Arguments { check: true, ..paths(&[&folder.path("b.tile")]) };
    assert_eq!(run_on(b"", &fine).status, SUCCESS);
}

#[test]
fn annotations_are_at_the_first_line_that_would_change() {
    let cases = [
        (UGLY, 1),
        ("entry @a() {\n  return\n }\n", 3),
        ("entry @a() {\n  return\n}", 3),
        ("entry @a() {\n  return\n}\n\n\n", 4),
        ("\n", 1),
    ];
    for (text, row) in cases {
        let stdin_filename = Some("in/a,b.tile".to_owned());
        let arguments =
            Arguments { check: true, output_format: Format::Github, stdin_filename, ..paths(&[Path::new("-")]) };
        let outcome = run_on(text.as_bytes(), &arguments);
        let place = format!("file=in/a%2Cb.tile,line={row},endLine={row}");
        let expected = format!("::error {place},title=tile fmt::not formatted; run `tile fmt`\n");
        assert_eq!((outcome.status, outcome.output), (UNFORMATTED, expected), "{text:?}");
    }
}

#[test]
fn diff_prints_the_changes() {
    let stdin_filename = Some("kernel.tile".to_owned());
    let arguments = Arguments { diff: true, stdin_filename, ..paths(&[Path::new("-")]) };
    let outcome = run_on(UGLY.as_bytes(), &arguments);
    assert_eq!(outcome.status, UNFORMATTED);
    assert_eq!(
        outcome.output,
        "--- kernel.tile\n+++ kernel.tile (formatted)\n@@ -1,2 +1,3 @@\n-entry @a(  ) {\n-return }\n+entry @a() {\n+  return\n+}\n"
    );
    assert_eq!(run_on(PRETTY.as_bytes(), &arguments).status, SUCCESS);
}

#[test]
fn a_range_of_lines_is_formatted() {
    let two = "entry @a(  ) {\nreturn }\nentry @b(  ) {\nreturn }\n";
    let folder = Folder::with(&[("a.tile", two)]);
    let range = |paths: &[&Path]| Arguments { range: "3-4".parse().ok(), ..self::paths(paths) };
    let file = folder.path("a.tile");
    assert_eq!(run_on(b"", &range(&[&file])).status, SUCCESS);
    assert_eq!(folder.read("a.tile"), format!("entry @a(  ) {{\nreturn }}\n{}", PRETTY.replace("@a", "@b")));
    assert_eq!(run_on(two.as_bytes(), &range(&[Path::new("-")])).output, folder.read("a.tile"));
    assert_eq!(run_on(b"", &range(&[&file, &file])).status, FAILED);
    assert_eq!(run_on(b"", &range(&[folder.root()])).status, FAILED);
}

#[test]
fn unreadable_files_are_reported_and_the_rest_is_formatted() {
    let folder = Folder::with(&[("a.tile", UGLY)]);
    fs::write(folder.path("b.tile"), b"entry \xff\xfe").expect("a file");
    fs::write(folder.path("c.tile"), b"TileIR\0").expect("a file");
    let outcome = run_on(b"", &paths(&[Path::new("no/such/file.tile"), folder.root()]));
    assert_eq!(outcome.status, FAILED);
    assert_eq!(folder.read("a.tile"), PRETTY);
    let lines: Vec<&str> = outcome.messages.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0] == "error: file `no/such/file.tile` not found");
    assert!(lines[1].ends_with("b.tile`: it contains binary data, not UTF-8 text"));
    assert!(lines[2].ends_with("c.tile`: it contains binary data, not UTF-8 text"));
}

/// A text that takes a while to format and to write.
#[cfg(unix)]
fn large() -> (String, String) {
    let body = |indent: &str| format!("{indent}%x = iota : tile<8xi32>\n").repeat(20_000);
    (format!("entry @a(  ) {{\n{}return }}\n", body("")), format!("entry @a() {{\n{}  return\n}}\n", body("  ")))
}

#[cfg(unix)]
#[test]
fn a_killed_program_leaves_the_old_text_or_the_new_one() {
    let (ugly, pretty) = large();
    let program = || Command::new(env!("CARGO_BIN_EXE_tile-fmt"));
    let mut kept = 0;
    for wait in (0..60).map(|step| step * 3) {
        let folder = Folder::with(&[("a.tile", &ugly), ("b.tile", &ugly), ("c.tile", &ugly), ("d.tile", &ugly)]);
        let mut running = program().current_dir(folder.root()).spawn().expect("the program");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        running.kill().expect("the process can be killed"); // with SIGKILL
        running.wait().expect("the process has ended");
        for name in ["a.tile", "b.tile", "c.tile", "d.tile"] {
            let text = folder.read(name);
            assert!(text == ugly || text == pretty, "{name} is damaged after {wait} ms");
            kept += usize::from(text == ugly);
        }
    }
    assert!(kept > 0, "the process was always killed too late");
}

/// Ctrl-C, `kill` and a closed terminal.
#[cfg(unix)]
#[test]
fn an_interrupted_program_leaves_no_temporary_files() {
    use process::Signal;
    use std::os::unix::process::ExitStatusExt;
    let names: Vec<String> = (0..300).map(|number| format!("{number}.tile")).collect();
    let mut kept = 0;
    for (turn, signal) in [Signal::INT, Signal::TERM, Signal::HUP].into_iter().cycle().take(30).enumerate() {
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), UGLY)).collect();
        let folder = Folder::with(&files);
        let mut running =
            Command::new(env!("CARGO_BIN_EXE_tile-fmt")).current_dir(folder.root()).spawn().expect("the program");
        std::thread::sleep(std::time::Duration::from_millis(turn as u64));
        process::signal(running.id(), signal);
        let status = running.wait().expect("the process has ended");
        assert!(status.signal() == Some(signal.as_raw()) || status.success(), "{status}");
        let texts = names.iter().map(|name| folder.read(name));
        kept += texts.inspect(|text| assert!(text == UGLY || text == PRETTY)).filter(|text| text == UGLY).count();
        assert_eq!(fs::read_dir(folder.root()).expect("the folder").count(), names.len(), "no temporary files remain");
    }
    assert!(kept > 0, "the process was always interrupted too late");
}

#[cfg(unix)]
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let (ugly, pretty) = large();
    let folder = Folder::with(&[("a.tile", &ugly), ("b.tile", &ugly)]);
    let script = "trap '' HUP; \"$0\" a.tile b.tile & kill -HUP $!; sleep 0.05; kill -HUP $!; wait $!";
    let status =
        Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_tile-fmt")]).current_dir(folder.root()).status();
    assert!(status.is_ok_and(|status| status.success()));
    assert!(folder.read("a.tile") == pretty && folder.read("b.tile") == pretty);
}

#[cfg(unix)]
#[test]
fn an_unwritable_file_is_left_alone() {
    use std::os::unix::{fs::PermissionsExt, process::CommandExt};
    let folder = Folder::with(&[("a.tile", UGLY)]);
    let path = folder.path("a.tile");
    fs::set_permissions(folder.root(), fs::Permissions::from_mode(0o777)).expect("permissions");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("permissions");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile-fmt"));
    command.arg("a.tile").current_dir(folder.root());
    let mut why = "it is read-only";
    if fs::OpenOptions::new().write(true).open(&path).is_ok() {
        // Root can write every file, so another user tries.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("permissions");
        command.uid(65534);
        why = "Permission denied";
    }
    let Ok(output) = command.output() else {
        return skip::skipped("the program cannot be run by another user");
    };
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with(&format!("error: cannot write `a.tile`: {why}")), "{message}");
    assert_eq!(folder.read("a.tile"), UGLY);
    assert_eq!(fs::read_dir(folder.root()).expect("the folder").count(), 1, "no temporary files remain");
}

#[cfg(unix)]
#[test]
fn a_full_disk_keeps_the_old_text() {
    let (ugly, _) = large();
    let folder = Folder::with(&[("a.tile", &ugly)]);
    // Limits files to a few blocks; exceeding the limit is an error, not a signal.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" a.tile";
    let command = ["-c", script, env!("CARGO_BIN_EXE_tile-fmt")];
    let output = Command::new("sh").args(command).current_dir(folder.root()).output().expect("a shell");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write `a.tile`: "));
    assert!(
        !String::from_utf8_lossy(&output.stderr).contains(".tile-"),
        "the temporary name means nothing to the user"
    );
    assert!(folder.read("a.tile") == ugly);
    assert_eq!(fs::read_dir(folder.root()).expect("the folder").count(), 1, "no temporary files remain");
}

#[test]
fn the_exit_status_is_that_of_the_run() {
    let folder = Folder::with(&[("a.tile", UGLY)]);
    let status = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tile-fmt")).args(arguments).current_dir(folder.root()).output();
        output.expect("the program").status.code()
    };
    assert_eq!(status(&["--check"]), Some(1));
    assert_eq!(status(&["--no-such-option"]), Some(2));
    assert_eq!(status(&[]), Some(0));
    assert_eq!(status(&["--check", "a.tile"]), Some(0));
    assert_eq!(status(&["b.tile"]), Some(2));
}
