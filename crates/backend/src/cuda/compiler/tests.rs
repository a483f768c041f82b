//! Tests of the compiler driver with scripts that imitate the compiler.

use super::crash::FILES;
use super::*;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

/// The start of every script: it answers queries and logs its calls.
const ABOUT: &str = r#"#!/bin/sh
case "$1" in
  --version) echo "Cuda compilation tools, release 13.4, V13.4.1"; exit 0;;
  --list-versions) printf '13.1\n13.3\n'; exit 0;;
  --help) printf '    =sm_90  - SM 90\n'; exit 0;;
esac
echo "$*" >> "$0.calls"
while [ $# -gt 1 ]; do [ "$1" = -o ] && out="$2"; shift; done
"#;

/// A folder with a fake compiler and a working `ptxas`.
struct Fake(TempDir);

impl Fake {
    fn new(script: &str) -> Fake {
        let fake = Fake(tempfile::tempdir().expect("a temporary folder"));
        fake.script("tileiras", &format!("{ABOUT}{script}\n"));
        fake.script("ptxas", "#!/bin/sh\necho ptxas\n");
        fake
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("bin").join(name)
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("the path has a folder")).expect("the folder is writable");
        fs::create_dir_all(self.0.path().join("nvvm/bin")).expect("the folder is writable");
        fs::write(self.0.path().join("nvvm/bin/libnvvm.so"), "").expect("the folder is writable");
        // Another process writes the script. Otherwise a thread that forks meanwhile could inherit a writable
        // descriptor, and the script could not be executed.
        let mut shell = std::process::Command::new("sh")
            .args(["-c", "cat > \"$0\"", &path.display().to_string()])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("`sh` is installed");
        std::io::Write::write_all(&mut shell.stdin.take().expect("standard input is piped"), text.as_bytes())
            .expect("the shell reads its input");
        shell.wait().expect("the shell ends");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the test owns the file");
    }

    fn compiler(&self) -> Compiler {
        Compiler::at(self.path("tileiras"), Some(self.cache())).expect("the fake compiler reports a version")
    }

    fn cache(&self) -> Cache {
        Cache::at(self.0.path().join("cache"), 1 << 20)
    }

    fn compile(&self) -> Result<Code, CompileError> {
        self.compiler().compile(b"code", "sm_90", &Options::default())
    }

    /// The number of compilations.
    fn calls(&self) -> usize {
        fs::read_to_string(self.path("tileiras.calls")).map_or(0, |text| text.lines().count())
    }
}

#[test]
fn a_second_compilation_uses_the_cache() {
    let fake = Fake::new("echo made > \"$out\"; echo 'warning: slow' >&2");
    let first = fake.compile().expect("the program compiles");
    assert_eq!(
        (first.cubin.as_slice(), first.output.as_str(), first.is_cached),
        (&b"made\n"[..], "warning: slow", false)
    );
    let second = fake.compile().expect("the result is cached");
    assert!(second.is_cached && second.cubin == first.cubin && second.output == first.output);
    assert_eq!(fake.calls(), 1);
    let other = Options { memcheck: true, ..Options::default() };
    assert!(!fake.compiler().compile(b"code", "sm_90", &other).expect("the program compiles").is_cached);
    assert!(!fake.compiler().compile(b"other", "sm_90", &Options::default()).expect("the program compiles").is_cached);
    assert_eq!(fake.calls(), 3);
    // Another compiler at the same path.
    fake.script("tileiras", &format!("{ABOUT}echo better > \"$out\"\n"));
    assert_eq!(fake.compile().expect("the program compiles").cubin, b"better\n");
}

#[test]
fn damaged_entries_are_recreated() {
    let fake = Fake::new("echo made > \"$out\"");
    fake.compile().expect("the program compiles");
    for entry in fs::read_dir(fake.cache().folder()).expect("the cache folder exists").flatten() {
        let mut bytes = fs::read(entry.path()).expect("the entry is readable");
        let last = bytes.len() - 1;
        bytes[last] ^= 0x40;
        fs::write(entry.path(), bytes).expect("the entry is writable");
    }
    let again = fake.compile().expect("the program compiles");
    assert!(!again.is_cached && again.cubin == b"made\n");
    assert_eq!(fake.calls(), 2);
}

#[test]
fn failures_are_distinguished() {
    let closing = "echo 'error: failed to compile Tile IR program' >&2; exit 5";
    let fake = Fake::new(&format!("echo 'error: no such type' >&2; {closing}"));
    assert!(matches!(fake.compile(), Err(CompileError::Refused { output }) if output.contains("no such type")));
    let silent = Fake::new(closing);
    assert!(matches!(silent.compile(), Err(CompileError::Refused { .. })), "no message, and ptxas works");
    silent.script("ptxas", "#!/bin/sh\necho 'ptxas: cannot load' >&2; exit 127\n");
    match silent.compile() {
        Err(CompileError::BrokenPtxas { output, .. }) => assert!(output.contains("cannot load"), "{output}"),
        other => panic!("{other:?}"),
    }
    fs::remove_file(silent.0.path().join("nvvm/bin/libnvvm.so")).expect("the library exists");
    assert!(matches!(silent.compile(), Err(CompileError::NoLibrary)));
}

#[test]
fn unsupported_options_are_reported_without_compiling() {
    let fake = Fake::new("echo made > \"$out\"");
    let compiler = fake.compiler();
    let message = |gpu: &str, options: &Options| {
        let error = compiler.compile(b"", gpu, options).expect_err("the check fails");
        error.to_string()
    };
    let plain = Options::default();
    assert!(message("sm_75", &plain).contains("sm_80 or later"));
    assert!(message("sm_130", &plain).contains("only sm_90"));
    assert!(message("H200", &plain).contains("names such as sm_90"));
    assert!(message("sm_90", &Options { remarks: true, ..plain.clone() }).contains("not support `--remarks`"));
    assert_eq!(fake.calls(), 0);
    let none = Fake::new("");
    none.script("tileiras", "#!/bin/sh\necho 'usage: x'\n");
    let error = Compiler::at(none.path("tileiras"), None).expect_err("the program is not a compiler");
    assert!(error.to_string().contains("usage: x"), "{error}");
}

#[test]
fn crashes_have_the_details_for_a_report() {
    let crash_within = |limit: Duration, script: &str| {
        let options = Options { opt_level: Some(1), ..Options::default() };
        match Fake::new(script).compiler().with_timeout(limit).compile(b"code", "sm_90", &options) {
            Err(CompileError::Crashed(crash)) => *crash,
            other => panic!("{script}: {other:?}"),
        }
    };
    let crash = |script: &str| crash_within(Duration::from_secs(60), script);
    let killed = crash("echo '/x.cpp:12: f: Assertion `a < 3 failed.' >&2; kill -ABRT $$");
    assert!(killed.to_string().contains("crashed (signal: 6") && killed.output.contains("Assertion"), "{killed}");
    assert_eq!(killed.command[1..], ["--gpu-name=sm_90", "--opt-level=1", "--lineinfo", "-o", FILES[1], FILES[0]]);
    assert_eq!((killed.bytecode.as_slice(), killed.made_for.as_str()), (&b"code"[..], "--gpu sm_90 --opt-level=1"));
    assert!(killed.versions.contains("V13.4.1") && killed.versions.contains("ptxas"), "{}", killed.versions);
    // The same assertion with another line number, and a different assertion.
    let same = crash("echo '/x.cpp:13: f: Assertion `a < 3 failed.' >&2; kill -ABRT $$");
    let other = crash("echo '/x.cpp:13: f: Assertion `b < 3 failed.' >&2; kill -ABRT $$");
    assert!(same.kind() == killed.kind() && other.kind() != killed.kind(), "{}", same.kind());
    // A signal reported by a shell, and messages of the compiler itself.
    for script in
        ["exit 139", "echo 'LLVM ERROR: out of registers' >&2; exit 1", "echo 'x: internal error' >&2; exit 1"]
    {
        crash(script);
    }
    let late = crash_within(Duration::from_millis(400), "sleep 60");
    assert!(late.to_string().contains("did not finish within 400ms"));
}

#[test]
fn libraries_are_linked_and_a_crash_of_the_linker_is_retried() {
    // Crashes twice, then succeeds.
    let fake = Fake::new(
        r#"echo x >> "$0.tries"
[ "$(wc -l < "$0.tries")" -lt 3 ] && kill -SEGV $$
printf code > "$out""#,
    );
    let path = fake.path("math.tilelib");
    fs::write(&path, "first").expect("the folder is writable");
    let libraries = || {
        vec![
            Library::read(&path).expect("the library is readable"),
            Library::read(&path).expect("the library is readable"),
        ]
    };
    let compile = |libraries| {
        fake.compiler()
            .with_libraries(libraries)
            .compile(b"code", "sm_90", &Options::default())
            .expect("the program compiles")
    };
    assert!(!compile(libraries()).is_cached);
    let calls = fs::read_to_string(fake.path("tileiras.calls")).expect("the compiler was called");
    let last = calls.lines().last().expect("a call");
    assert_eq!(calls.lines().count(), 3, "{calls}");
    assert!(last.contains("--preview=simt -l ") && last.matches(" -l /").count() == 2, "{last}");
    assert!(compile(libraries()).is_cached);
    fs::write(&path, "second").expect("the folder is writable");
    assert!(!compile(libraries()).is_cached, "another library");
    let missing = Library::read(&fake.path("missing.tilelib")).expect_err("the file does not exist");
    assert!(missing.contains("missing.tilelib"), "{missing}");
}

#[test]
fn preview_content_is_announced_to_the_compiler() {
    let fake = Fake::new(r#"printf code > "$out""#);
    let bytecode = [b"\x7fTileIR\0\x0d\x05".as_slice(), &[1, 0, 0]].concat();
    fake.compiler().compile(&bytecode, "sm_90", &Options::default()).expect("the program compiles");
    fake.compile().expect("the program compiles");
    let calls = fs::read_to_string(fake.path("tileiras.calls")).expect("the compiler was called");
    let announced: Vec<bool> = calls.lines().map(|call| call.contains("--preview=simt")).collect();
    assert_eq!(announced, [true, false], "{calls}");
}
