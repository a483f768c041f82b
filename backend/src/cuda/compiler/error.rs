//! Why there is no code.

use super::crash::Crash;
use super::environment::VARIABLE;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

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
    /// What lies there is no Tile IR compiler: it does not say its version.
    NotACompiler {
        /// The program.
        path: PathBuf,
        /// What it said instead.
        said: String,
    },
    /// It does not know the GPU.
    UnknownGpu {
        /// The GPU, such as `sm_90`.
        gpu: String,
        /// The compiler's release.
        release: String,
        /// Those that it knows.
        known: Vec<String>,
    },
    /// It does not know the bytecode's version.
    UnknownVersion {
        /// The version.
        version: String,
        /// The compiler's release.
        release: String,
        /// Those that it knows.
        known: Vec<String>,
    },
    /// It cannot do what an option asks for.
    NoOption {
        /// The option.
        option: &'static str,
        /// The compiler's release.
        release: String,
    },
    /// It calls `ptxas`, which it does not find.
    NoPtxas,
    /// It calls `ptxas`, which does not work.
    BrokenPtxas {
        /// The program.
        path: PathBuf,
        /// What it said.
        said: String,
    },
    /// It loads `libnvvm`, which is not there.
    NoLibrary,
    /// Somebody stopped it.
    Stopped,
    /// It did not say what it can do.
    Late(Duration),
    /// It crashed.
    Crashed(Box<Crash>),
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
            CompileError::NotACompiler { path, said } => {
                write!(f, "`{}` does not say its version as `tileiras` does: {}", path.display(), first_line(said))
            }
            CompileError::UnknownGpu { gpu, release, known } => write!(
                f,
                "the compiler `tileiras` {release} makes no code for {gpu}, only for {}{}",
                known.join(", "),
                newer(gpu)
            ),
            CompileError::UnknownVersion { version, release, known } => write!(
                f,
                "the compiler `tileiras` {release} does not read bytecode {version}, only {}: install a newer one, or choose an older version",
                known.join(", ")
            ),
            CompileError::NoOption { option, release } => {
                write!(f, "the compiler `tileiras` {release} has no `{option}`: install a newer one")
            }
            CompileError::NoPtxas => write!(
                f,
                "`tileiras` does not find `ptxas`, which it calls: install it with `pip install nvidia-cuda-nvcc`, or put its folder on the search path"
            ),
            CompileError::BrokenPtxas { path, said } => write!(
                f,
                "`tileiras` calls `{}`, which does not work: {}\n  help: `pip install --force-reinstall nvidia-cuda-nvcc` brings another one",
                path.display(),
                first_line(said)
            ),
            CompileError::NoLibrary => write!(
                f,
                "`tileiras` needs the library `libnvvm`, which is not in the folders `lib` or `nvvm` beside its own: install it with `pip install nvidia-nvvm`"
            ),
            CompileError::Stopped => write!(f, "`tileiras` was stopped"),
            CompileError::Late(limit) => {
                write!(f, "`tileiras` does not say its version: it was given up after {limit:?}")
            }
            CompileError::Crashed(crash) => write!(f, "{crash}"),
            CompileError::Refused { said } => write!(f, "`tileiras` refuses the program\n{}", said.trim_end()),
        }
    }
}

impl std::error::Error for CompileError {}

fn first_line(said: &str) -> &str {
    said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it says nothing")
}

/// What else may be said of a GPU that the compiler does not know.
fn newer(gpu: &str) -> String {
    let number: Option<u32> = gpu.strip_prefix("sm_").and_then(|number| number.parse().ok());
    match number {
        Some(..80) => ": Tile IR needs a GPU of sm_80 or later".to_string(),
        Some(90) => ": sm_90 needs `tileiras` 13.3 or later".to_string(),
        Some(_) => ": a newer `tileiras` may".to_string(),
        None => ": a GPU is named like sm_90".to_string(),
    }
}
