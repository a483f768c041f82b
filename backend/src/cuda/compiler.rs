//! NVIDIA's compiler for Tile IR bytecode, `tileiras`: a program of the CUDA toolkit.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The variable that names the compiler.
pub const VARIABLE: &str = "TILE_TILEIRAS";

/// The variables that name a toolkit.
const TOOLKITS: [&str; 2] = ["CUDA_HOME", "CUDA_PATH"];

/// After how long a compilation is given up.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// Why there is no code.
#[derive(Debug)]
pub enum CompileError {
    /// There is no compiler.
    Missing,
    /// There is none where [`VARIABLE`] says.
    Named(PathBuf),
    /// It cannot be started, or its files cannot be written or read.
    Io {
        /// The file or program.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It calls `ptxas`, which it does not find.
    NoPtxas,
    /// It loads `libnvvm`, which is not there.
    NoLibrary,
    /// It did not end.
    Late,
    /// It crashed.
    Crashed {
        /// How it ended.
        status: ExitStatus,
        /// What it said.
        said: String,
    },
    /// It refuses the program.
    Refused {
        /// What it said.
        said: String,
    },
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Missing => write!(
                f,
                "there is no `tileiras`, NVIDIA's compiler for Tile IR: install it with `pip install nvidia-cuda-tileiras nvidia-cuda-nvcc nvidia-nvvm`, or name it in {VARIABLE}"
            ),
            CompileError::Named(path) => {
                write!(f, "there is no program `{}`, which {VARIABLE} names", path.display())
            }
            CompileError::Io { path, error } => write!(f, "`{}`: {error}", path.display()),
            CompileError::NoPtxas => write!(
                f,
                "`tileiras` does not find `ptxas`, which it calls: install it with `pip install nvidia-cuda-nvcc`, or put its folder on the search path"
            ),
            CompileError::NoLibrary => write!(
                f,
                "`tileiras` needs the library `libnvvm`, which is not in the folders `lib` or `nvvm` beside its own: install it with `pip install nvidia-nvvm`"
            ),
            CompileError::Late => write!(f, "`tileiras` was given up after {TIMEOUT:?}: it had not ended"),
            CompileError::Crashed { status, said } => write!(f, "`tileiras` crashed ({status})\n{said}"),
            CompileError::Refused { said } => write!(f, "`tileiras` refuses the program\n{said}"),
        }
    }
}

impl std::error::Error for CompileError {}

/// The compiler of this machine.
#[derive(Clone, Debug)]
pub struct Compiler {
    path: PathBuf,
}

impl Compiler {
    /// Looks for the compiler: where [`VARIABLE`] says, on the search path, in the toolkit's folders, in those of the
    /// active Python.
    pub fn find() -> Result<Compiler, CompileError> {
        if let Some(path) = std::env::var_os(VARIABLE).map(PathBuf::from) {
            return if path.is_file() { Ok(Compiler { path }) } else { Err(CompileError::Named(path)) };
        }
        let path = folders().map(|folder| folder.join(program("tileiras"))).find(|path| path.is_file());
        path.map(|path| Compiler { path }).ok_or(CompileError::Missing)
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Compiles bytecode for a GPU, such as `sm_90`. Returns what the driver loads: a cubin.
    pub fn compile(&self, bytecode: &[u8], gpu: &str) -> Result<Vec<u8>, CompileError> {
        let folder = tempfile::tempdir().map_err(|error| CompileError::Io { path: std::env::temp_dir(), error })?;
        let (program, cubin) = (folder.path().join("program.tileirbc"), folder.path().join("program.cubin"));
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| CompileError::Io { path, error }
        };
        std::fs::write(&program, bytecode).map_err(io(&program))?;
        let mut command = Command::new(&self.path);
        command.arg(format!("--gpu-name={gpu}")).arg("--lineinfo").arg("-o").arg(&cubin).arg(&program);
        command.env("PATH", self.search_path());
        let has_library = self.has_library();
        if has_library {
            // The compiler would rather load the library of the toolkit named there, which refuses every program where
            // it is older.
            TOOLKITS.iter().for_each(|variable| _ = command.env_remove(variable));
        }
        let (status, said) = run(command).map_err(io(&self.path))?.ok_or(CompileError::Late)?;
        match status.code() {
            Some(0) => std::fs::read(&cubin).map_err(io(&cubin)),
            _ if said.contains("ptxas") && said.contains("not found") => Err(CompileError::NoPtxas),
            Some(_) if !has_library => Err(CompileError::NoLibrary),
            None => Err(CompileError::Crashed { status, said }),
            Some(_) => Err(CompileError::Refused { said }),
        }
    }

    /// Whether the library is there that the compiler loads. Without it, it refuses every program and does not say why.
    fn has_library(&self) -> bool {
        const FOLDERS: [&str; 6] = ["lib", "lib64", "bin", "nvvm/lib64", "nvvm/lib", "nvvm/bin"];
        let Some(toolkit) = self.path.parent().and_then(Path::parent) else { return true };
        let is_library = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().contains("nvvm");
        FOLDERS
            .iter()
            .any(|folder| std::fs::read_dir(toolkit.join(folder)).into_iter().flatten().flatten().any(is_library))
    }

    /// The compiler calls `ptxas`, which may lie beside it.
    fn search_path(&self) -> OsString {
        let own = self.path.parent().map(Path::to_owned);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = own.into_iter().chain(std::env::split_paths(&path));
        std::env::join_paths(all).unwrap_or(path)
    }
}

fn program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// Where a compiler may lie, in the order in which they count.
fn folders() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let toolkits = TOOLKITS.into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let standard = ["/usr/local/cuda", "/opt/cuda"].into_iter().map(PathBuf::from);
    let pythons = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(std::env::var_os);
    let toolkits = toolkits.chain(standard).map(|toolkit| toolkit.join("bin"));
    on_path.into_iter().chain(toolkits).chain(pythons.flat_map(|python| packages(Path::new(&python))))
}

/// The folders of the toolkit's programs among the packages of a Python.
fn packages(python: &Path) -> Vec<PathBuf> {
    let lib = python.join("lib");
    let versions = std::fs::read_dir(&lib).into_iter().flatten().flatten().map(|entry| entry.path());
    let unix = versions.map(|version| version.join("site-packages"));
    let all = unix.chain([python.join("Lib").join("site-packages")]);
    all.map(|packages| packages.join("nvidia").join("cu13").join("bin")).collect()
}

/// Runs a command to its end. Nothing where it takes too long.
fn run(mut command: Command) -> io::Result<Option<(ExitStatus, String)>> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let readers = [child.stdout.take().map(reader), child.stderr.take().map(reader)];
    let started = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if started.elapsed() > TIMEOUT => {
                kill(&mut child);
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let said = readers.into_iter().flatten().map(|reader| reader.join().unwrap_or_default());
    Ok(Some((status, said.collect::<String>().trim_end().to_string())))
}

fn reader(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut said = Vec::new();
        // What could be read until then is said.
        let _ = stream.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    })
}

/// Kills a child and what it started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        // One that has ended meanwhile is as dead as it should be.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}
