//! Malicious folders: links to devices, named pipes, and terminal control characters.

use crate::harness::{Folder, entry};

/// Asserts that a text contains no control or bidirectional characters.
#[track_caller]
fn is_plain(text: &str) {
    let is_special = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(is_special), "{text:?}");
}

#[cfg(target_os = "linux")]
mod files {
    use super::*;
    use crate::harness::Running;
    use rustix::fs::{CWD, Mode, mkfifoat};
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    /// A valid program without entries.
    const FINE: &str = "cuda_tile.module @m {\n}\n";

    fn pipe(path: &Path) {
        mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR).expect("pipes can be created");
    }

    fn zeros(path: &Path) {
        symlink("/dev/zero", path).expect("links are supported");
    }

    /// Creates a special file at a path.
    type Make = fn(&Path);

    /// Special files, and their descriptions in messages.
    const SPECIAL: [(Make, &str); 2] = [(zeros, "it is a device"), (pipe, "it is a named pipe")];

    #[test]
    fn settings_files_must_be_regular() {
        for (name, is_error_of) in
            [(".gitignore", "check fmt test"), (".ignore", "check fmt test"), ("tile.toml", "check fmt")]
        {
            for (make, description) in SPECIAL {
                let folder = Folder::of(FINE);
                make(&folder.path(name));
                for command in ["check", "fmt", "test"] {
                    let output = folder.tile(&[command, "."]);
                    if is_error_of.contains(command) {
                        assert_eq!(output.status, Some(2), "{command} {name}: {}", output.err);
                        let why = format!("{name}`: {description}, not a regular file\n");
                        let why = if name == "tile.toml" { why.replace('`', "") } else { why };
                        assert!(output.err.contains(&why), "{command} {name}: {}", output.err);
                    }
                }
            }
        }
    }

    #[test]
    fn settings_files_have_a_size_limit() {
        let folder = Folder::of(FINE);
        fs::File::create(folder.path(".gitignore")).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
        let message = "cannot read `./.gitignore`: it is larger than the limit of 1 MiB";
        folder.tile(&["check", "."]).is(2, "1 file checked, nothing found\n", &format!("error: {message}\n"));
    }

    #[test]
    fn searches_find_only_regular_files() {
        let folder = Folder::of(FINE);
        for name in ["b.tile", "c.mlir"] {
            zeros(&folder.path(name));
            pipe(&folder.path(&format!("pipe.{name}")));
        }
        folder.tile(&["check", "."]).is(0, "1 file checked, nothing found\n", "");
        folder.tile(&["fmt", "--check", "."]).is(0, "", "");
        let nothing = "nothing to run: no entry has a launch directive (`//@ launch`)\n";
        folder.tile(&["test", "--allow-empty", "."]).is(0, "0 passed, 0 failed\n", nothing);
    }

    #[test]
    fn a_named_device_is_not_read() {
        let folder = Folder::with_bytes(&[]);
        zeros(&folder.path("a.tile"));
        for command in ["check", "run", "test", "fmt", "dis", "build"] {
            let why = "cannot read `a.tile`: it is a device, not a regular file";
            folder.tile(&[command, "a.tile"]).refuses(2, why);
        }
    }

    #[test]
    fn a_named_pipe_on_the_command_line_is_read() {
        let folder = Folder::with_bytes(&[]);
        pipe(&folder.path("pipe"));
        let mut running = Running::start(&mut folder.command(&["check", "pipe"]));
        fs::write(folder.path("pipe"), FINE).expect("the command reads the pipe");
        running.finish().is(0, "1 file checked, nothing found\n", "");
        // A minimal /dev may not have it.
        if Path::new("/dev/stdin").exists() {
            folder.tile_reading(FINE.as_bytes(), &["check", "/dev/stdin"]).is(0, "1 file checked, nothing found\n", "");
        }
    }

    #[test]
    fn what_a_pipe_contains_is_formatted_to_standard_output_and_not_fixed() {
        let folder = Folder::with_bytes(&[]);
        pipe(&folder.path("pipe"));
        let mut running = Running::start(&mut folder.command(&["fmt", "pipe"]));
        fs::write(folder.path("pipe"), "entry   @k() {}").expect("the command reads the pipe");
        let formatted = "entry @k() {\n}\n";
        running.finish().is(0, formatted, "");
        let mut running = Running::start(&mut folder.command(&["check", "--fix", "pipe"]));
        fs::write(folder.path("pipe"), "entry @k() { return }").expect("the command reads the pipe");
        running.finish().refuses(2, "`pipe` cannot be fixed in place; name a file, or use --diff");
        if Path::new("/dev/stdin").exists() {
            folder.tile_reading(b"entry   @k() {}", &["fmt", "/dev/stdin"]).is(0, formatted, "");
        }
    }

    #[test]
    fn data_files_of_launches_must_be_regular() {
        for (make, description) in SPECIAL {
            let (of_argument, of_formula) = ("%p = f32[2] npy(\"x.npy\")", "expect %p == npy(\"x.npy\")");
            for directives in [vec![of_argument], vec!["%p = f32[2] zeros", of_formula]] {
                let directives: Vec<&str> = ["launch"].into_iter().chain(directives).collect();
                let folder = Folder::of(&entry(&directives, "%p: tile<ptr<f32>>", &[]));
                make(&folder.path("x.npy"));
                for command in ["run", "test"] {
                    let output = folder.tile(&[command, "--timeout", "60", "a.tile"]);
                    let why = format!("cannot read `x.npy`: {description}, not a regular file");
                    let shown = format!("{}{}", output.out, output.err);
                    assert!(output.status != Some(0) && shown.contains(&why), "{output:?}");
                }
            }
        }
    }
}

#[test]
fn a_launch_cannot_fake_the_report() {
    let name = "a\\0A3 passed, 0 failed\\0A\x1b[31m\u{202e}";
    let folder = Folder::of(&entry(&[&format!("launch \"{name}\" grid=(1, 1, 1)"), "launch \"b\""], "", &["return"]));
    for arguments in
        [&["test", "a.tile"][..], &["test", "--filter", "no", "a.tile"], &["run", "--launch", "c", "a.tile"]]
    {
        let output = folder.tile(arguments);
        is_plain(&output.out);
        is_plain(&output.err);
        let lines = output.out.lines().chain(output.err.lines());
        assert!(lines.filter(|line| line.ends_with(" failed")).count() <= 1, "{output:?}");
        assert!(!output.out.starts_with("3 passed") && !output.out.contains("\n3 passed"), "{output:?}");
    }
}

/// The marker below an excerpt is aligned with the escaped text.
#[test]
fn control_characters_are_shown_as_escapes() {
    let text = "cuda_tile.module @m {\r\n  entry @k(%x: tile<i32>) {\t// \x1b[2J\u{202e}\r\n    \
                %s = print_tko \"\x1b[31m\u{2066}\", %no : tile<i32> -> token\r\n  }\r\n}\r\n";
    let file = if cfg!(unix) { "\x1b[31m.tile" } else { "a.tile" };
    let shown = if cfg!(unix) { "\\u{1b}[31m.tile" } else { "a.tile" };
    let folder = Folder::with_bytes(&[(file, text.as_bytes())]);
    let full = folder.tile(&["check", file]);
    let excerpt = format!(
        "error[E0101]: unknown value `%no`
  ┌─ {shown}:3:30
  │
3 │     %s = print_tko \"\\u{{1b}}[31m\\u{{2066}}\", %no : tile<i32> -> token
  │                                          ^^^
"
    );
    assert!(full.out.starts_with(&excerpt), "{}", full.out);
    let formats = ["full", "concise", "github", "json", "sarif"].map(|format| format!("--output-format={format}"));
    let checks = formats.iter().map(|format| vec!["check", format, file]);
    let others = [vec!["run", file], vec!["test", file], vec!["build", file], vec!["fmt", "--check", file]];
    let github = [vec!["test", "--output-format=github", file], vec!["fmt", "--check", "--output-format=github", file]];
    for arguments in checks.chain(others).chain(github).chain([vec!["check", "no\x1b[31m.tile"], vec!["dis", file]]) {
        let output = folder.tile(&arguments);
        assert_ne!(output.status, Some(0), "{arguments:?}");
        is_plain(&output.out);
        is_plain(&output.err);
    }
}

/// Prints and diffs are escaped on a terminal, and unchanged in a file or pipe.
#[cfg(target_os = "linux")]
#[test]
fn prints_are_escaped_on_a_terminal() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::{fs, io::Read};
    let hello = entry(&["launch"], "", &["print_tko \"a\\1B[31mb\\09c\\0A\" -> token"]);
    let folder = Folder::of(&hello);
    folder.tile(&["run", "a.tile"]).is(0, "a\x1b[31mb\tc\n", "");
    let ugly = "cuda_tile.module @m {\n// \x1b[2J\nentry @k() { }\n}\n";
    fs::write(folder.path("b.tile"), ugly).expect("a file");
    assert!(folder.tile(&["fmt", "--diff", "b.tile"]).out.contains("\x1b[2J"), "the diff is a valid patch");
    let on_terminal = |arguments: &[&str]| {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).ok()?;
        grantpt(&terminal).and_then(|()| unlockpt(&terminal)).ok()?;
        let name = ptsname(&terminal, Vec::new()).ok()?.into_string().ok()?;
        let side = fs::File::options().read(true).write(true).open(name).ok()?;
        let mut command = folder.command(arguments);
        let mut child = command.env("NO_COLOR", "1").stdout(side).spawn().expect("the command starts");
        // The command keeps a handle to the other side.
        drop(command);
        let mut out = Vec::new();
        // Reading fails once the other side is closed.
        let _ = fs::File::from(terminal).read_to_end(&mut out);
        child.wait().expect("the command ends");
        Some(String::from_utf8(out).expect("the output is UTF-8"))
    };
    let Some(printed) = on_terminal(&["run", "a.tile"]) else {
        eprintln!("skipped: no terminal can be opened");
        return;
    };
    assert!(printed.contains("a\\u{1b}[31mb") && !printed.contains('\x1b'), "{printed:?}");
    for arguments in [["fmt", "--diff", "b.tile"], ["check", "--diff", "b.tile"], ["fmt", "--check", "b.tile"]] {
        let shown = on_terminal(&arguments).expect("a terminal can be opened");
        assert!(!shown.contains('\x1b'), "{shown:?}");
    }
    assert!(on_terminal(&["fmt", "--diff", "b.tile"]).expect("a terminal can be opened").contains("// \\u{1b}[2J"));
}
