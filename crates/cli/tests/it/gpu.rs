//! GPU features that need no GPU: cross-compilation, the cache, `tile doctor`, and workers on other machines.
//!
//! A script stands in for NVIDIA's compiler.
use crate::process;
use crate::skip;

use crate::harness::{CommandOutput, Folder, HELLO};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn code_is_compiled_for_absent_gpus() {
    let folder = Folder::with_compiler("head -c 10 \"$1\" > \"$out\"");
    let build = ["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90", "--opt-level=1", "--sanitize=memcheck"];
    let output = folder.tile(&build);
    assert_eq!((output.status, output.err.as_str()), (Some(0), ""));
    let cubin = fs::read(folder.path("a.cubin")).expect("the file exists");
    assert_eq!(&cubin[8..10], [13, 3], "bytecode of the newest version that the compiler reads");
    let [call] = &folder.calls()[..] else { panic!("{:?}", folder.calls()) };
    assert!(call.starts_with("--gpu-name=sm_90 --opt-level=1 --lineinfo --sanitize=memcheck -o"), "{call}");
    assert_eq!((folder.tile(&build).status, folder.calls().len()), (Some(0), 1), "the second build uses the cache");
}

/// `tileiras` 13.5 prints this warning when it compiles.
#[test]
fn a_warning_of_the_compiler_is_shown_at_its_entry() {
    let warning = r#"    warning[]: High register usage
      --> "a.tile":4:9
       |
       = name: RegisterPressure
       = reason: Estimated per-thread register usage exceeds the available budget. This is usually caused by a large tile size.
       = suggestion: Reduce the tile size or lower the occupancy hint.
"#;
    let folder = Folder::with_compiler(&format!("head -c 10 \"$1\" > \"$out\"\ncat >&2 <<'END'\n{warning}\nEND"));
    for _ in ["compiled", "from the cache"] {
        let output = folder.tile(&["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90"]);
        let head =
            "warning[P0104]: high register usage: estimated per-thread register usage exceeds the available budget\n";
        assert!(output.status == Some(0) && output.err.starts_with(head), "{}", output.err);
        for part in ["a.tile:4:9", "this is usually caused by a large tile size", "suggestion: reduce the tile size"] {
            assert!(output.err.contains(part), "{}", output.err);
        }
        assert!(!output.err.contains("RegisterPressure"), "{}", output.err);
    }
    let output = folder.tile(&["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90", "-o", "b.cubin"]);
    assert_eq!(output.status, Some(0));
}

#[test]
fn unsupported_features_of_the_compiler_are_reported() {
    let folder = Folder::with_compiler("echo > \"$out\"");
    for (arguments, words) in [
        (&["--emit", "cubin"][..], "`--gpu` is required: expected one of sm_80, sm_90"),
        (&["--emit", "cubin", "--gpu", "sm_75"], "Tile IR needs sm_80 or later"),
        (&["--emit", "cubin", "--gpu", "sm_120"], "does not support sm_120"),
        (
            &["--emit", "cubin", "--gpu", "sm_90", "--bytecode-version", "13.4"],
            "does not support bytecode 13.4, only 13.1",
        ),
        (&["--emit", "cubin", "--gpu", "sm_90", "--remarks"], "does not support `--remarks`"),
        (&["--emit", "ptx", "--gpu", "sm_90"], "contains no PTX"),
        (&["--emit", "cubin", "--gpu", "sm_90", "-g"], "unexpected argument"),
        (&["--emit", "cubin", "--gpu", "sm_90", "--device-debug", "--opt-level=3"], "cannot be combined with"),
        (&["--gpu", "sm_75"], "unknown GPU `sm_75`; expected one of sm_80, sm_86"),
        (&["--opt-level=1"], "has no effect on bytecode"),
        (&["--annotate", "--gpu", "sm_90"], "`--annotate` requires `--emit ptx` or `--emit sass`"),
        (&["--annotate=addresses", "--emit", "ptx", "--gpu", "sm_90"], "PTX has no addresses"),
        (&["--annotate=all", "--emit", "sass", "--gpu", "sm_90"], "possible values: lines, addresses"),
        (&["--annotate", "--no-debug-info", "--emit", "sass", "--gpu", "sm_90"], "cannot be used with"),
        (&["--opt-level=9", "--emit", "cubin"], "expected a level from 0 to 3"),
    ] {
        let output = folder.tile(&[&["build", "a.tile"], arguments].concat());
        assert!(
            output.status == Some(2) && output.err.contains(words),
            "{arguments:?}: {:?} {}",
            output.status,
            output.err
        );
    }
    assert!(folder.calls().len() <= 1);
}

/// A disassembler that prints the live registers, or the source lines.
const DISASSEMBLER: &str = r#"#!/bin/sh
case "$*" in
  *--life-range-mode*) cat <<'END'
.text.k:
                                    // | GPR   | PRED   |
        /*0000*/  S2R R0, SR_TID ;  // |   1   |        |
        /*0010*/  STG.E.64 [R2], R4 ; // |   6   |   1    |
END
  ;;
  *) cat <<'END'
.text.k:
	//## File "a.tile", line 256
        /*0000*/  S2R R0, SR_TID ;
	//## File "a.tile", line 323
        /*0010*/  STG.E.64 [R2], R4 ;
        /*0020*/  EXIT ;
END
  ;;
esac
"#;

#[test]
fn a_listing_is_annotated_with_source_lines() {
    let folder = Folder::with_compiler("echo > \"$out\"");
    let build = ["build", "a.tile", "--emit", "sass", "--gpu", "sm_90", "-o", "-"];
    let path = format!("{}:/usr/bin:/bin", folder.path("bin").display());
    let annotated = |detail: &str| {
        let mut command = folder.command(&[&build[..], &[detail]].concat());
        CommandOutput::from(command.env("PATH", &path).output().expect("the command runs"))
    };
    folder.script("bin/nvdisasm", "#!/bin/sh\necho broken >&2\nexit 3\n");
    let failed = annotated("--annotate");
    assert!(
        failed.status == Some(2) && failed.err.contains("nvdisasm` failed (exit status: 3): broken"),
        "{}",
        failed.err
    );
    folder.script("bin/nvdisasm", DISASSEMBLER);
    let expected = "// SASS of a.tile for sm_90, by tileiras 13.3.7.

// kernel k: 3 instructions, 6 live registers: 1 STG.64, 1 move, 1 branch
//   line 4: 1 instruction, 1 live register: 1 move
//   line 5: 2 instructions, 6 live registers: 1 STG.64, 1 branch

    // line 4: entry @k() {
    S2R R0, SR_TID
    // line 5: print_tko \"hello\\n\" -> token
    STG.E.64 [R2], R4
    EXIT
";
    let output = annotated("--annotate");
    assert_eq!((output.status, output.out.as_str()), (Some(0), expected), "{}", output.err);
    let output = annotated("--annotate=addresses").out;
    assert!(output.contains("\n    /*0010*/   6 live  STG.E.64 [R2], R4\n    /*0020*/           EXIT\n"), "{output}");
    assert!(folder.calls().iter().all(|call| call.contains("--lineinfo")), "{:?}", folder.calls());
}

#[test]
fn unsupported_types_are_reported_before_the_compiler_starts() {
    let folder = Folder::with_compiler("echo > \"$out\"");
    folder.write("scales.tile", SCALES);
    for (arguments, words) in [
        (&["--emit", "cubin", "--gpu", "sm_90"][..], "`f8E8M0FNU` needs sm_100 or later, but the target is sm_90"),
        (&["--gpu", "sm_89"], "`f8E8M0FNU` needs sm_100 or later, but the target is sm_89"),
    ] {
        let output = folder.tile(&[&["build", "scales.tile"], arguments].concat());
        assert!(output.status == Some(1) && output.err.contains("error[E0804]"), "{:?} {}", output.status, output.err);
        assert!(output.err.contains(words) && output.err.contains("scales.tile:3:10"), "{}", output.err);
    }
    folder.write("tile.toml", "gpu = \"sm_80\"\n");
    let output = folder.tile(&["build", "scales.tile", "--emit", "cubin"]);
    assert!(output.status == Some(1) && output.err.contains("the target is sm_80"), "{}", output.err);
    assert_eq!(folder.calls(), [""; 0]);
    assert_eq!(folder.tile(&["build", "a.tile", "--emit", "cubin"]).status, Some(0));
    assert!(folder.calls()[0].starts_with("--gpu-name=sm_80 "), "{:?}", folder.calls());
}

/// A program that needs sm_100 or later.
const SCALES: &str = "cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>) {
    %a = constant <f8E8M0FNU: 1.0> : tile<f8E8M0FNU>
    %b = bitcast %a : tile<f8E8M0FNU> -> tile<i8>
    %t = store_ptr_tko weak %p, %b : tile<ptr<i8>>, tile<i8> -> token
  }
}
";

#[test]
fn messages_of_the_compiler_become_diagnostics() {
    let complaint = "echo '#cuda_tile.di_loc<loc(\"a.tile\":5:5) in #x>: error: no prints here' >&2\n\
        echo 'error: failed to compile Tile IR program' >&2; exit 5";
    let output = Folder::with_compiler(complaint).tile(&["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90"]);
    assert_eq!(output.status, Some(1));
    assert!(output.err.contains("error[E0803]") && output.err.contains("a.tile:5:5"), "{}", output.err);
    assert!(output.err.contains("cannot compile this for sm_90: no prints here"), "{}", output.err);
    let warning = "echo > \"$out\"; echo 'loc(\"a.tile\":5:5): warning: prints are slow' >&2";
    let output = Folder::with_compiler(warning).tile(&["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90"]);
    assert!(output.status == Some(0) && output.err.contains("[P0103]: prints are slow"), "{}", output.err);
    let crash = Folder::with_compiler("kill -SEGV $$").tile(&["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90"]);
    assert!(crash.status == Some(2) && crash.err.contains("crashed"), "{}", crash.err);
}

#[test]
fn the_cache_can_be_shown_and_cleared() {
    let folder = Folder::with_compiler("echo made > \"$out\"");
    let shown = |folder: &Folder, arguments: &[&str]| {
        let output = folder.tile(arguments);
        assert_eq!(output.status, Some(0), "{}", output.err);
        output.out
    };
    assert!(shown(&folder, &["cache"]).contains("0 entries"));
    folder.tile(&["build", "a.tile", "--emit", "cubin", "--gpu", "sm_90"]);
    let text = shown(&folder, &["cache"]);
    assert!(text.contains("2 entries") && text.contains("(limit 1 GiB)"), "{text}");
    assert!(shown(&folder, &["cache", "--clear"]).contains("2 entries"));
    assert!(shown(&folder, &["cache"]).contains("0 entries"));
    let off =
        CommandOutput::from(folder.command(&["cache"]).env("TILE_CACHE_SIZE", "0").output().expect("the command runs"));
    assert!(off.status == Some(2) && off.err.contains("TILE_CACHE_SIZE"), "{}", off.err);
}

#[test]
fn the_doctor_reports_missing_components() {
    let folder = Folder::with_compiler("");
    let output = folder.tile(&["doctor"]);
    assert!(output.out.contains("ok      tileiras: 13.3.7 at "), "{}", output.out);
    assert!(output.out.contains("not 13.5, so ops of 13.5 cannot be compiled"), "{}", output.out);
    let is_fine = output.out.lines().all(|line| line.starts_with("ok "));
    assert_eq!(output.status, Some(i32::from(!is_fine)));
    folder.script("bin/ptxas", "#!/bin/sh\necho 'cannot load a library'; exit 127\n");
    let output = folder.tile(&["doctor"]);
    assert!(output.status == Some(1) && output.out.contains("missing ptxas: "), "{}", output.out);
    assert!(output.out.contains("cannot load a library"), "{}", output.out);
    fs::remove_file(folder.path("bin/tileiras")).expect("the file exists");
    let output = folder.tile(&["doctor"]);
    assert!(output.status == Some(1) && output.out.contains("missing tileiras: TILE_TILEIRAS names"), "{}", output.out);
}

#[test]
fn gpu_options_require_a_gpu() {
    let folder = Folder::hello();
    for option in ["--compare=cpu", "--bench=3", "--remarks", "--opt-level=1", "--sanitize=memcheck", "--lineinfo"] {
        let output = folder.tile(&["run", "a.tile", option]);
        let name = if option.starts_with("--sanitize") { option } else { option.split('=').next().unwrap_or(option) };
        let words = format!("`{name}` is only supported on GPUs");
        assert!(output.status == Some(2) && output.err.contains(&words), "{option}: {}", output.err);
    }
}

/// A launcher that runs the command `before` and then its arguments, as `ssh` does, with the program under test as
/// `tile`.
fn launcher(folder: &Folder, before: &str) -> String {
    let text =
        format!("#!/bin/sh\n{before}\n[ \"$1\" = tile ] || exit 9\nshift\n\"{}\" \"$@\"\n", env!("CARGO_BIN_EXE_tile"));
    folder.script("launch it.sh", &text);
    format!("'{}'", folder.path("launch it.sh").display())
}

#[test]
fn a_launcher_starts_the_worker() {
    let folder = Folder::hello();
    let launcher = launcher(&folder, "echo called >> calls");
    let output = folder.tile(&["run", "a.tile", "--launcher", &launcher]);
    assert_eq!((output.status, output.out.as_str()), (Some(0), "hello\n"), "{}", output.err);
    let output = folder.tile(&["test", "a.tile", "--launcher", &launcher, "-j2"]);
    assert!(output.status == Some(0) && output.out.contains("1 passed"), "{}{}", output.out, output.err);
    assert!(folder.tile(&["doctor", "--launcher", &launcher]).out.contains("tile: "));
    assert_eq!(fs::read_to_string(folder.path("calls")).expect("the launcher was called").lines().count(), 3);
}

#[test]
fn a_broken_connection_is_reported() {
    let folder = Folder::hello();
    let run = |launcher: &str| {
        let output = folder.tile(&["run", "a.tile", "--launcher", launcher]);
        assert_eq!(output.status, Some(2), "{}", output.err);
        output.err
    };
    let refused = run("sh -c 'echo Connection refused >&2; exit 255'");
    assert!(refused.contains("Connection refused") && refused.contains("exit status: 255"), "{refused}");
    assert!(refused.contains("tile doctor"), "{refused}");
    let greeting = run("sh -c 'echo Welcome to this machine, enjoy your stay'");
    assert!(greeting.contains("does not answer as a worker of this version"), "{greeting}");
    assert!(run("/no/such/launcher x").contains("cannot start"));
    assert!(folder.tile(&["run", "a.tile", "--launcher", "ssh 'x"]).err.contains("an unclosed quote"));
}

#[test]
fn a_connection_that_breaks_during_a_run_is_reported() {
    let folder = Folder::hello();
    folder.write("a.tile", HELLO.replace("-> token", "-> token loop { continue }"));
    let script = format!("#!/bin/sh\necho $$ > link\n\"{}\" worker\n", env!("CARGO_BIN_EXE_tile"));
    folder.script("link.sh", &script);
    let mut command =
        folder.command(&["run", "a.tile", "--launcher", &format!("'{}'", folder.path("link.sh").display())]);
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs");
    let mut printed = [0; 5];
    run.stdout.as_mut().expect("standard output is piped").read_exact(&mut printed).expect("the kernel prints");
    let link = fs::read_to_string(folder.path("link")).expect("the launcher has started");
    process::signal_group(link.trim().parse().expect("a number"), process::Signal::KILL);
    let output = CommandOutput::from(run.wait_with_output().expect("the command ends"));
    assert_eq!(output.status, Some(2), "{}", output.err);
    assert!(output.err.contains("ended while its worker was running `@k`"), "{}", output.err);
}

#[test]
fn a_launcher_that_does_not_answer_times_out() {
    let folder = Folder::hello();
    // Some launchers print something before they hang.
    for begins in ["", "printf ab"] {
        folder.script("slow.sh", &format!("#!/bin/sh\n{begins}\nsleep 300 &\necho $! > child\nsleep 300\n"));
        let launcher = folder.path("slow.sh").display().to_string();
        let mut command = folder.command(&["run", "a.tile", "--launcher", &launcher]);
        let began = std::time::Instant::now();
        let output =
            CommandOutput::from(command.env("TILE_CONNECT_TIMEOUT", "0.5").output().expect("the command runs"));
        let words = format!("the launcher `{launcher}` timed out after 500ms");
        assert!(output.status == Some(2) && output.err.contains(&words), "{}", output.err);
        assert!(output.err.contains("TILE_CONNECT_TIMEOUT") && output.err.contains("tile --version"), "{}", output.err);
        assert!(began.elapsed() < std::time::Duration::from_secs(200), "the launcher did not time out");
        process::wait_for_end(&folder.path("child"));
    }
}

#[test]
fn a_remote_run_has_a_time_limit() {
    let folder = Folder::hello();
    folder.write("a.tile", HELLO.replace("print_tko \"hello\\n\" -> token", "loop { continue }"));
    let launcher = launcher(&folder, "");
    let output = folder.tile(&["run", "a.tile", "--timeout=0.3", "--launcher", &launcher]);
    assert!(output.status == Some(1) && output.err.contains("R0402"), "{:?} {}", output.status, output.err);
}

#[test]
fn launches_are_distributed_over_the_hosts_of_the_user() {
    let folder = Folder::hello();
    let one = HELLO.replace("cuda_tile.module @m {\n", "").replace("\n}\n", "\n");
    let entries: String = (0..12).map(|number| one.replace("@k", &format!("@k{number}"))).collect();
    folder.write("a.tile", format!("cuda_tile.module @m {{\n{entries}}}\n"));
    let program = env!("CARGO_BIN_EXE_tile");
    // Each waits for the other one, which would not be used any more if all launches were done.
    let wait = "until grep -q one used && grep -q two used; do sleep 0.02; done";
    for name in ["one", "two"] {
        folder.script(name, &format!("#!/bin/sh\necho {name} >> used\n{wait}\nexec '{program}' worker\n"));
    }
    let [one, two] = ["one", "two"].map(|name| folder.path(name).display().to_string());
    folder.write("config/tile/targets", format!("# mine\none = '{one}'\ntwo = '{two}'\n"));
    let output = folder.tile(&["test", "a.tile", "--target", "one:cpu,two:cpu", "-j", "2"]);
    assert!(output.status == Some(0) && output.out.contains("12 passed"), "{}{}", output.out, output.err);
    let mut used: Vec<String> =
        fs::read_to_string(folder.path("used")).expect("both hosts were used").lines().map(str::to_string).collect();
    used.sort();
    assert_eq!(used, ["one", "two"]);
    // A workspace cannot define hosts.
    fs::remove_file(folder.path("config/tile/targets")).expect("the file exists");
    folder.write("tile/targets", format!("one = '{one}'\n"));
    let output = folder.tile(&["test", "a.tile", "--target", "one:cpu"]);
    assert!(output.status == Some(2) && output.err.contains("expected `cpu`, `cuda`"), "{}", output.err);
}

/// A worker through a real `sshd` on this machine, if installed. It talks to `ssh` through pipes instead of a port.
#[test]
fn a_worker_over_ssh() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into()]);
    let Some(sshd) = folders.map(|folder| folder.join("sshd")).find(|path| path.is_file()) else {
        return skip::skipped("no `sshd` on the search path");
    };
    let folder = Folder::hello();
    let key = |name: &str| {
        let path = folder.path(name).display().to_string();
        let status = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f", &path]).status();
        assert!(status.expect("ssh-keygen comes with sshd").success());
        path
    };
    let (host, user) = (key("host"), key("user"));
    fs::copy(folder.path("user.pub"), folder.path("allowed")).expect("the file exists");
    folder.script("remote/tile", &format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_tile")));
    folder.write(
        "sshd_config",
        format!(
            "HostKey {host}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n\
             PidFile none\nSetEnv PATH={}:/usr/bin:/bin\n",
            folder.path("allowed").display(),
            folder.path("remote").display(),
        ),
    );
    // Some builds of `sshd` require this folder.
    let _ = fs::create_dir_all("/run/sshd");
    let (config, log) = (folder.path("sshd_config"), folder.path("log"));
    let tested = Command::new(&sshd).arg("-t").arg("-f").arg(&config).output().expect("sshd starts");
    if !tested.status.success() {
        // For example, its unprivileged user may not exist.
        let why = String::from_utf8_lossy(&tested.stderr);
        return skip::skipped(format_args!("`sshd` does not start: {}", why.lines().next().unwrap_or_default()));
    }
    let server = format!("{} -i -E {} -f {}", sshd.display(), log.display(), config.display());
    let launcher = format!(
        "ssh -i {user} -o 'ProxyCommand={server}' -o BatchMode=yes -o StrictHostKeyChecking=no \
         -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR this-machine"
    );
    let output = folder.tile(&["run", "a.tile", "--launcher", &launcher]);
    let log = fs::read_to_string(log).unwrap_or_default();
    assert_eq!((output.status, output.out.as_str()), (Some(0), "hello\n"), "{}\n{log}", output.err);
}
