//! What is done with a compiler, tried with scripts that behave like one.

use super::crash::FILES;
use super::*;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

/// What every script answers about itself.
const ABOUT: &str = r#"#!/bin/sh
case "$1" in
  --version) echo "Cuda compilation tools, release 13.4, V13.4.1"; exit 0;;
  --list-versions) printf '13.1\n13.3\n'; exit 0;;
  --help) printf '    =sm_90  - SM 90\n'; exit 0;;
esac
echo "$*" >> "$0.calls"
while [ $# -gt 1 ]; do [ "$1" = -o ] && out="$2"; shift; done
"#;

/// A folder with a script that calls itself a compiler, beside a `ptxas` that works.
struct Fake(TempDir);

impl Fake {
    fn new(does: &str) -> Fake {
        let fake = Fake(tempfile::tempdir().expect("a folder"));
        fake.script("tileiras", &format!("{ABOUT}{does}\n"));
        fake.script("ptxas", "#!/bin/sh\necho ptxas\n");
        fake
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("bin").join(name)
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it takes folders");
        fs::create_dir_all(self.0.path().join("nvvm/bin")).expect("it takes folders");
        fs::write(self.0.path().join("nvvm/bin/libnvvm.so"), "").expect("it takes files");
        // By another process, so that no descriptor for writing is open when another thread forks.
        let mut shell = std::process::Command::new("sh")
            .args(["-c", "cat > \"$0\"", &path.display().to_string()])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("there is a shell");
        std::io::Write::write_all(&mut shell.stdin.take().expect("it is piped"), text.as_bytes()).expect("it reads");
        shell.wait().expect("it ends");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }

    fn compiler(&self) -> Compiler {
        Compiler::at(self.path("tileiras"), Some(self.cache())).expect("it says its version")
    }

    fn cache(&self) -> Cache {
        Cache::at(self.0.path().join("cache"), 1 << 20)
    }

    fn compile(&self) -> Result<Code, CompileError> {
        self.compiler().compile(b"code", "sm_90", &Options::default())
    }

    /// How often it was called to compile.
    fn calls(&self) -> usize {
        fs::read_to_string(self.path("tileiras.calls")).map_or(0, |text| text.lines().count())
    }
}

#[test]
fn a_second_compilation_compiles_nothing() {
    let fake = Fake::new("echo made > \"$out\"; echo 'warning: slow' >&2");
    let first = fake.compile().expect("it compiles");
    assert_eq!(
        (first.cubin.as_slice(), first.said.as_str(), first.is_cached),
        (&b"made\n"[..], "warning: slow", false)
    );
    let second = fake.compile().expect("it was compiled");
    assert!(second.is_cached && second.cubin == first.cubin && second.said == first.said);
    assert_eq!(fake.calls(), 1);
    let other = Options { memcheck: true, ..Options::default() };
    assert!(!fake.compiler().compile(b"code", "sm_90", &other).expect("it compiles").is_cached);
    assert!(!fake.compiler().compile(b"other", "sm_90", &Options::default()).expect("it compiles").is_cached);
    assert_eq!(fake.calls(), 3);
    // Another compiler in its place.
    fake.script("tileiras", &format!("{ABOUT}echo better > \"$out\"\n"));
    assert_eq!(fake.compile().expect("it compiles").cubin, b"better\n");
}

#[test]
fn damaged_entries_are_made_again() {
    let fake = Fake::new("echo made > \"$out\"");
    fake.compile().expect("it compiles");
    for entry in fs::read_dir(fake.cache().folder()).expect("it is there").flatten() {
        let mut bytes = fs::read(entry.path()).expect("it can be read");
        let last = bytes.len() - 1;
        bytes[last] ^= 0x40;
        fs::write(entry.path(), bytes).expect("it can be written");
    }
    let again = fake.compile().expect("it compiles");
    assert!(!again.is_cached && again.cubin == b"made\n");
    assert_eq!(fake.calls(), 2);
}

#[test]
fn what_goes_wrong_is_told_apart() {
    let closing = "echo 'error: failed to compile Tile IR program' >&2; exit 5";
    let fake = Fake::new(&format!("echo 'error: no such type' >&2; {closing}"));
    assert!(matches!(fake.compile(), Err(CompileError::Refused { said }) if said.contains("no such type")));
    let silent = Fake::new(closing);
    assert!(matches!(silent.compile(), Err(CompileError::Refused { .. })), "it says nothing, and ptxas works");
    silent.script("ptxas", "#!/bin/sh\necho 'ptxas: cannot load' >&2; exit 127\n");
    match silent.compile() {
        Err(CompileError::BrokenPtxas { said, .. }) => assert!(said.contains("cannot load"), "{said}"),
        other => panic!("{other:?}"),
    }
    fs::remove_file(silent.0.path().join("nvvm/bin/libnvvm.so")).expect("it is there");
    assert!(matches!(silent.compile(), Err(CompileError::NoLibrary)));
}

#[test]
fn what_a_compiler_lacks_is_told_before_it_is_called() {
    let fake = Fake::new("echo made > \"$out\"");
    let compiler = fake.compiler();
    let message = |gpu: &str, options: &Options| {
        let error = compiler.compile(b"", gpu, options).expect_err("it is refused");
        error.to_string()
    };
    let plain = Options::default();
    assert!(message("sm_75", &plain).contains("sm_80 or later"));
    assert!(message("sm_130", &plain).contains("only for sm_90"));
    assert!(message("H200", &plain).contains("named like sm_90"));
    assert!(message("sm_90", &Options { remarks: true, ..plain.clone() }).contains("no `--remarks`"));
    assert_eq!(fake.calls(), 0);
    let none = Fake::new("");
    none.script("tileiras", "#!/bin/sh\necho 'usage: x'\n");
    let error = Compiler::at(none.path("tileiras"), None).expect_err("it is no compiler");
    assert!(error.to_string().contains("usage: x"), "{error}");
}

#[test]
fn crashes_are_told_with_what_its_makers_ask_for() {
    let crash_within = |limit: Duration, does: &str| {
        let options = Options { opt_level: Some(1), ..Options::default() };
        match Fake::new(does).compiler().with_timeout(limit).compile(b"code", "sm_90", &options) {
            Err(CompileError::Crashed(crash)) => *crash,
            other => panic!("{does}: {other:?}"),
        }
    };
    let crash = |does: &str| crash_within(Duration::from_secs(60), does);
    let killed = crash("echo '/x.cpp:12: f: Assertion `a < 3 failed.' >&2; kill -ABRT $$");
    assert!(killed.to_string().contains("crashed (signal: 6") && killed.said.contains("Assertion"), "{killed}");
    assert_eq!(killed.command[1..], ["--gpu-name=sm_90", "--opt-level=1", "--lineinfo", "-o", FILES[1], FILES[0]]);
    assert_eq!((killed.bytecode.as_slice(), killed.made_for.as_str()), (&b"code"[..], "--gpu sm_90 --opt-level=1"));
    assert!(killed.versions.contains("V13.4.1") && killed.versions.contains("ptxas"), "{}", killed.versions);
    // The same assertion of another program, and another one.
    let same = crash("echo '/x.cpp:13: f: Assertion `a < 3 failed.' >&2; kill -ABRT $$");
    let other = crash("echo '/x.cpp:13: f: Assertion `b < 3 failed.' >&2; kill -ABRT $$");
    assert!(same.kind() == killed.kind() && other.kind() != killed.kind(), "{}", same.kind());
    // Through a script, or by the word of the compiler itself.
    for does in ["exit 139", "echo 'LLVM ERROR: out of registers' >&2; exit 1", "echo 'x: internal error' >&2; exit 1"]
    {
        crash(does);
    }
    let late = crash_within(Duration::from_millis(400), "sleep 60");
    assert!(late.to_string().contains("had not ended after 400ms"));
}

#[test]
fn libraries_are_passed_on_and_a_crash_of_their_linker_is_tried_again() {
    // Crashes twice, then says what it was called with.
    let fake = Fake::new(
        r#"echo x >> "$0.tries"
[ "$(wc -l < "$0.tries")" -lt 3 ] && kill -SEGV $$
printf code > "$out""#,
    );
    let path = fake.path("math.tilelib");
    fs::write(&path, "first").expect("it takes files");
    let libraries =
        || vec![Library::read(&path).expect("it can be read"), Library::read(&path).expect("it can be read")];
    let compile = |libraries| {
        fake.compiler().with_libraries(libraries).compile(b"code", "sm_90", &Options::default()).expect("it compiles")
    };
    assert!(!compile(libraries()).is_cached);
    let calls = fs::read_to_string(fake.path("tileiras.calls")).expect("it was called");
    let last = calls.lines().last().expect("a call");
    assert_eq!(calls.lines().count(), 3, "{calls}");
    assert!(last.contains("--preview=simt -l ") && last.matches(" -l /").count() == 2, "{last}");
    assert!(compile(libraries()).is_cached);
    fs::write(&path, "second").expect("it takes files");
    assert!(!compile(libraries()).is_cached, "another library");
    let missing = Library::read(&fake.path("missing.tilelib")).expect_err("it is not there");
    assert!(missing.contains("missing.tilelib"), "{missing}");
}

#[test]
fn preview_content_is_announced_to_the_compiler() {
    let fake = Fake::new(r#"printf code > "$out""#);
    let bytecode = [b"\x7fTileIR\0\x0d\x05".as_slice(), &[1, 0, 0]].concat();
    fake.compiler().compile(&bytecode, "sm_90", &Options::default()).expect("it compiles");
    fake.compile().expect("it compiles");
    let calls = fs::read_to_string(fake.path("tileiras.calls")).expect("it was called");
    let announced: Vec<bool> = calls.lines().map(|call| call.contains("--preview=simt")).collect();
    assert_eq!(announced, [true, false], "{calls}");
}
