//! Errors of finding or running the compiler.

use super::crash::Crash;
use super::environment::VARIABLE;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// An error of finding or running the compiler.
#[derive(Debug)]
pub enum CompileError {
    /// No compiler was found.
    Missing,
    /// [`VARIABLE`] does not name a file.
    Named(PathBuf),
    /// The compiler cannot be started, or its files cannot be written or read.
    Io {
        /// The file or program.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The program is not a Tile IR compiler: it does not report a version.
    NotACompiler {
        /// The program.
        path: PathBuf,
        /// Its output instead.
        output: String,
    },
    /// The compiler does not support the GPU.
    UnknownGpu {
        /// The GPU, such as `sm_90`.
        gpu: String,
        /// The compiler's release.
        release: String,
        /// The supported GPUs.
        known: Vec<String>,
    },
    /// The compiler does not support the version of the bytecode.
    UnknownVersion {
        /// The version.
        version: String,
        /// The compiler's release.
        release: String,
        /// The supported versions.
        known: Vec<String>,
    },
    /// The compiler does not have an option.
    NoOption {
        /// The option.
        option: &'static str,
        /// The compiler's release.
        release: String,
    },
    /// The compiler cannot find `ptxas`, which it calls.
    NoPtxas,
    /// The `ptxas` that the compiler calls does not work.
    BrokenPtxas {
        /// The program.
        path: PathBuf,
        /// Its output.
        output: String,
    },
    /// The compiler cannot find `libnvvm`, which it loads.
    NoLibrary,
    /// The compiler was stopped.
    Stopped,
    /// The compiler did not report its version within this time.
    Late(Duration),
    /// The compiler crashed.
    Crashed(Box<Crash>),
    /// The compiler refuses the program.
    Refused {
        /// Its output.
        output: String,
    },
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Missing => write!(
                f,
                "`tileiras`, NVIDIA's compiler for Tile IR, was not found: install it with `pip install nvidia-cuda-tileiras nvidia-cuda-nvcc nvidia-nvvm`, or set {VARIABLE} to its path"
            ),
            CompileError::Named(path) => {
                write!(f, "{VARIABLE} names `{}`, which is not a file", path.display())
            }
            CompileError::Io { path, error } => write!(f, "`{}`: {error}", path.display()),
            CompileError::NotACompiler { path, output } => {
                write!(f, "`{}` does not report a version as `tileiras` does: {}", path.display(), first_line(output))
            }
            CompileError::UnknownGpu { gpu, release, known } => write!(
                f,
                "the compiler `tileiras` {release} does not support {gpu}, only {}{}",
                known.join(", "),
                newer(gpu)
            ),
            CompileError::UnknownVersion { version, release, known } => write!(
                f,
                "the compiler `tileiras` {release} does not support bytecode {version}, only {}: install a newer compiler, or choose an older version",
                known.join(", ")
            ),
            CompileError::NoOption { option, release } => {
                write!(f, "the compiler `tileiras` {release} does not support `{option}`: install a newer compiler")
            }
            CompileError::NoPtxas => write!(
                f,
                "`tileiras` cannot find `ptxas`, which it calls: install it with `pip install nvidia-cuda-nvcc`, or add its folder to `PATH`"
            ),
            CompileError::BrokenPtxas { path, output } => write!(
                f,
                "`tileiras` calls `{}`, which does not work: {}\n  help: reinstall it with `pip install --force-reinstall nvidia-cuda-nvcc`",
                path.display(),
                first_line(output)
            ),
            CompileError::NoLibrary => write!(
                f,
                "`tileiras` cannot find the library `libnvvm` in the folders `lib` or `nvvm` next to its own: install it with `pip install nvidia-nvvm`"
            ),
            CompileError::Stopped => write!(f, "`tileiras` was stopped"),
            CompileError::Late(limit) => {
                write!(f, "`tileiras` did not report its version within {limit:?}")
            }
            CompileError::Crashed(crash) => write!(f, "{crash}"),
            CompileError::Refused { output } => write!(f, "`tileiras` refuses the program\n{}", output.trim_end()),
        }
    }
}

impl std::error::Error for CompileError {}

fn first_line(output: &str) -> &str {
    output.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no output")
}

/// A hint about a GPU that the compiler does not support.
fn newer(gpu: &str) -> String {
    let number: Option<u32> = gpu.strip_prefix("sm_").and_then(|number| number.parse().ok());
    match number {
        Some(..80) => ": Tile IR needs sm_80 or later".to_string(),
        Some(90) => ": sm_90 needs `tileiras` 13.3 or later".to_string(),
        Some(_) => ": a newer `tileiras` may support it".to_string(),
        None => ": GPUs have names such as sm_90".to_string(),
    }
}
