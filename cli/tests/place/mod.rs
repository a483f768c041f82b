//! A folder with a program, and with a script that behaves like NVIDIA's compiler.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

pub(crate) const HELLO: &str = "cuda_tile.module @m {
  //@ launch
  //@ expect print \"hello\\n\"
  entry @k() {
    print_tko \"hello\\n\" -> token
  }
}
";

/// What every stand-in for the compiler answers about itself.
pub(crate) const ABOUT: &str = r#"#!/bin/sh
case "$1" in
  --version) echo "Cuda compilation tools, release 13.3, V13.3.7"; exit 0;;
  --list-versions) printf '13.1\n13.2\n13.3\n'; exit 0;;
  --help) printf '    =sm_80  - SM 80\n    =sm_90  - SM 90\n'; exit 0;;
esac
echo "$*" >> "$0.calls"
while [ $# -gt 1 ]; do [ "$1" = -o ] && out="$2"; shift; done
"#;

pub(crate) struct Place(pub(crate) TempDir);

pub(crate) struct Said {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Place {
        let place = Place(tempfile::tempdir().expect("a folder"));
        place.write("a.tile", HELLO);
        place
    }

    /// A place with a compiler that does this.
    pub(crate) fn with_compiler(does: &str) -> Place {
        let place = Place::new();
        place.script("bin/tileiras", &format!("{ABOUT}{does}\n"));
        place.script("bin/ptxas", "#!/bin/sh\necho ptxas\n");
        place.write("lib/libnvvm.so", "");
        place
    }

    /// The same with the driver of a GPU that is not there: see `driver/libcuda.rs`.
    pub(crate) fn with_gpu(does: &str) -> Place {
        let place = Place::with_compiler(does);
        place.link(&driver(), "driver");
        place
    }

    fn link(&self, to: &Path, name: &str) {
        std::os::unix::fs::symlink(to, self.path(name)).expect("it takes links");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().expect("a folder")).expect("it takes folders");
        fs::write(self.path(name), text).expect("it takes files");
    }

    pub(crate) fn script(&self, name: &str, text: &str) {
        self.write(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).expect("it is ours");
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tile"));
        command.args(arguments).current_dir(&self.0).env("TILE_CACHE_DIR", self.path("cache"));
        if self.path("driver").exists() {
            command.env("LD_LIBRARY_PATH", self.path("driver")).env("STAND_IN_LOG", self.path("driver.calls"));
        }
        command.env("TILE_TILEIRAS", self.path("bin/tileiras")).env("XDG_CONFIG_HOME", self.path("config"));
        command.env("XDG_STATE_HOME", self.path("state"));
        command
    }

    pub(crate) fn tile(&self, arguments: &[&str]) -> Said {
        said(self.command(arguments).output().expect("it runs"))
    }

    /// What the driver was asked for.
    pub(crate) fn driver_calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("driver.calls")).unwrap_or_default();
        text.lines().map(str::to_string).collect()
    }

    /// How the compiler was called.
    pub(crate) fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("bin/tileiras.calls")).unwrap_or_default();
        text.lines().map(str::to_string).collect()
    }
}

pub(crate) fn said(output: Output) -> Said {
    let text = |bytes| String::from_utf8(bytes).expect("what the program says is text");
    Said { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The folder of the library that behaves like a driver. It is compiled when it is first asked for, and kept.
fn driver() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| made(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/driver/libcuda.rs"))).clone()
}

fn made(source: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    fs::read(source).expect("it is there").hash(&mut hasher);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("driver-{:016x}", hasher.finish()));
    let library = folder.join("libcuda.so.1");
    if !library.exists() {
        // Other tests may do the same at the same time, of other users too: the folder comes into being with its file.
        let new = folder.with_extension(format!("new-{}", std::process::id()));
        fs::create_dir_all(&new).expect("it takes folders");
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        command.args(["--edition", "2021", "--crate-type", "cdylib", "-C", "strip=symbols", "-o"]);
        let built = command.arg(new.join("libcuda.so.1")).arg(source).status();
        assert!(built.expect("there is a compiler").success());
        if fs::rename(&new, &folder).is_err() {
            assert!(library.exists(), "another test has made it");
            let _ = fs::remove_dir_all(new);
        }
    }
    folder
}
