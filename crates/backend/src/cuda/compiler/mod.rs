//! The driver of `tileiras`, NVIDIA's compiler for Tile IR bytecode, which is a program of the CUDA toolkit.

pub(crate) mod child;
mod crash;
mod environment;
mod error;
mod facts;
mod find;
mod library;
mod options;
mod stop;

pub use crash::Crash;
pub use environment::VARIABLE;
pub use error::CompileError;
pub use facts::Facts;
pub use find::program;
pub use library::{Library, bytecode_of_library, first_call};
pub use options::Options;
pub use stop::Stop;

use super::cache::Cache;
use super::remarks::{self, Remark};
use crate::shell::quoted;
use environment::TOOLKITS;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};
use tile_input::MAX_PROGRAM;

/// The time limit of a compilation.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// A compiler and its capabilities.
#[derive(Clone, Debug)]
pub struct Compiler {
    path: PathBuf,
    facts: Facts,
    cache: Option<Cache>,
    timeout: Duration,
    stop: Stop,
    /// The libraries that programs are linked with.
    libraries: Arc<[Library]>,
}

/// The result of a compilation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Code {
    /// The binary that the driver loads.
    pub cubin: Vec<u8>,
    /// The compiler's remarks, if requested.
    pub remarks: Vec<Remark>,
    /// The compiler's other output.
    pub output: String,
    /// Whether it comes from the cache.
    #[serde(skip)]
    pub is_cached: bool,
}

/// Identifies the state of a file: path, size and modification time in nanoseconds.
type Stamp = (PathBuf, u64, u128);

/// Whether the compiler can be found. It is not started.
pub fn is_installed() -> bool {
    find::compiler().is_ok()
}

impl Compiler {
    /// Finds the compiler of this machine: named by [`VARIABLE`], on `PATH`, in the folders of CUDA toolkits, or in the
    /// packages of the active Python environment. It uses the user's cache.
    pub fn find() -> Result<Compiler, CompileError> {
        Compiler::find_until(&Stop::default())
    }

    /// Finds the compiler. `stop` interrupts the search and everything that the compiler does later.
    pub fn find_until(stop: &Stop) -> Result<Compiler, CompileError> {
        Compiler::open(find::compiler()?, Cache::of_user(), stop.clone())
    }

    /// The compiler at this path.
    pub fn at(path: PathBuf, cache: Option<Cache>) -> Result<Compiler, CompileError> {
        Compiler::open(path, cache, Stop::default())
    }

    /// Opens a compiler. Its capabilities come from the cache or from the compiler itself.
    fn open(path: PathBuf, cache: Option<Cache>, stop: Stop) -> Result<Compiler, CompileError> {
        let key = key("facts", &stamp(&path));
        let cached = cache.as_ref().and_then(|cache| read_back::<Facts>(&cache.get(&key)?));
        let facts = match cached {
            Some(facts) => facts,
            None => {
                let facts = Facts::query(&path, &stop)?;
                store(cache.as_ref(), &key, &facts);
                facts
            }
        };
        Ok(Compiler { path, facts, cache, timeout: TIMEOUT, stop, libraries: Arc::default() })
    }

    /// Returns the compiler with another time limit.
    pub fn with_timeout(self, timeout: Duration) -> Compiler {
        Compiler { timeout, ..self }
    }

    /// Returns the compiler with libraries that every program is linked with.
    pub fn with_libraries(self, libraries: Vec<Library>) -> Compiler {
        Compiler { libraries: libraries.into(), ..self }
    }

    /// Returns the compiler without a cache.
    pub fn without_cache(self) -> Compiler {
        Compiler { cache: None, ..self }
    }

    /// The handle that stops it.
    pub(super) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its capabilities.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Reports a GPU or options that the compiler does not support.
    pub fn check(&self, gpu: &str, options: &Options) -> Result<(), CompileError> {
        let Facts { release, gpus, .. } = &self.facts;
        if !gpus.is_empty() && gpus.iter().all(|known| known != gpu) {
            let (gpu, release, known) = (gpu.to_string(), release.clone(), gpus.clone());
            return Err(CompileError::UnknownGpu { gpu, release, known });
        }
        if options.remarks && !self.facts.remarks {
            return Err(CompileError::NoOption { option: "--remarks", release: release.clone() });
        }
        Ok(())
    }

    /// Compiles bytecode for a GPU, such as `sm_90`, or returns the cached result.
    pub fn compile(&self, bytecode: &[u8], gpu: &str, options: &Options) -> Result<Code, CompileError> {
        self.check(gpu, options)?;
        let key = if self.libraries.is_empty() {
            key("code", &(self.fingerprint(), gpu, options, bytecode))
        } else {
            key("linked", &(self.fingerprint(), gpu, options, bytecode, &*self.libraries))
        };
        if let Some(code) = self.cache.as_ref().and_then(|cache| read_back::<Code>(&cache.get(&key)?)) {
            return Ok(Code { is_cached: true, ..code });
        }
        let attempts = if self.libraries.is_empty() { 1 } else { library::ATTEMPTS };
        let mut result = self.compile_uncached(bytecode, gpu, options);
        for _ in 1..attempts {
            if !matches!(result, Err(CompileError::Crashed(_))) {
                break;
            }
            result = self.compile_uncached(bytecode, gpu, options);
        }
        let code = result?;
        store(self.cache.as_ref(), &key, &code);
        Ok(code)
    }

    /// Identifies everything besides the program that the code depends on: this compiler and its `ptxas`.
    fn fingerprint(&self) -> (&str, Stamp, Option<Stamp>) {
        (&self.facts.version_text, stamp(&self.path), self.ptxas().map(|path| stamp(&path)))
    }

    fn compile_uncached(&self, bytecode: &[u8], gpu: &str, options: &Options) -> Result<Code, CompileError> {
        let folder = tempfile::tempdir().map_err(|error| CompileError::Io { path: std::env::temp_dir(), error })?;
        let [program, cubin, remarks] = crash::FILES.map(|name| folder.path().join(name));
        fs::write(&program, bytecode).map_err(io(&program))?;
        let mut command = child::tool(&self.path);
        command.arg(format!("--gpu-name={gpu}")).args(options.arguments()).arg("-o").arg(&cubin);
        if options.remarks {
            command.args(["--remarks=all", "--remark-format=yaml"]);
            command.arg(format!("--remarks-output-file={}", remarks.display()));
        }
        command.args(library::preview_option(bytecode, &self.libraries));
        for (number, library) in self.libraries.iter().enumerate() {
            let path = folder.path().join(format!("library{number}.tilelib"));
            fs::write(&path, library.bytes()).map_err(io(&path))?;
            command.arg("-l").arg(path);
        }
        command.arg(&program).env("PATH", self.search_path());
        if self.has_library() {
            // The folders in these variables take precedence over the compiler's own library, and an older library
            // there rejects every program.
            TOOLKITS.iter().for_each(|variable| _ = command.env_remove(variable));
        }
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let files = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
        let words = words.map(|word| word.to_string_lossy().replace(&files, "")).collect();
        let crash = |how: String, output: String| {
            CompileError::Crashed(Box::new(self.crash(how, output, words, bytecode, (gpu, options))))
        };
        let ended = child::run(command, self.timeout, &self.stop).map_err(io(&self.path))?;
        let Some(ended) = ended else {
            if self.stop.is_stopped() {
                return Err(CompileError::Stopped);
            }
            return Err(crash(format!("did not finish within {:?}", self.timeout), String::new()));
        };
        if crash::is_crash(&ended) {
            return Err(crash(format!("crashed ({})", ended.status), ended.output));
        }
        if ended.status.code() != Some(0) {
            return Err(self.failure(ended));
        }
        let cubin = tile_input::read(&cubin, MAX_PROGRAM).map_err(io(&cubin))?;
        // A program without loads and stores has no remarks file.
        let remarks = tile_input::read_text(&remarks, MAX_PROGRAM).map(|yaml| remarks::read(&yaml)).unwrap_or_default();
        Ok(Code { cubin, remarks, output: ended.output, is_cached: false })
    }

    fn crash(
        &self,
        how: String,
        output: String,
        command: Vec<String>,
        bytecode: &[u8],
        (gpu, options): (&str, &Options),
    ) -> Crash {
        let ptxas = self.ptxas().map_or("no ptxas".to_string(), |path| path.display().to_string());
        let versions = format!("{}\n{}\n{ptxas}", self.facts.version_text, self.path.display());
        let preview =
            library::preview_option(bytecode, &self.libraries).map_or(String::new(), |option| format!(" {option}"));
        let libraries: String =
            self.libraries.iter().map(|library| format!(" -l {}", quoted(library.name()))).collect();
        let made_for = format!("--gpu {gpu}{}{preview}{libraries}", options.for_tile());
        Crash { how, output, command, versions, made_for, bytecode: bytecode.to_vec() }
    }

    /// The reason why the compiler failed. It does not report some missing dependencies itself.
    fn failure(&self, ended: child::Ended) -> CompileError {
        let output = ended.output;
        let is_silent = super::compiler_output::read(&output).is_empty();
        let names_ptxas = output.contains("ptxas");
        match self.ptxas() {
            None if is_silent || names_ptxas => CompileError::NoPtxas,
            _ if is_silent && !self.has_library() => CompileError::NoLibrary,
            Some(path) if is_silent || names_ptxas => match ptxas_error(&path, &self.stop) {
                Some(output) => CompileError::BrokenPtxas { path, output },
                None => CompileError::Refused { output },
            },
            _ => CompileError::Refused { output },
        }
    }

    /// The `ptxas` that the compiler calls: the one next to it, or one on `PATH`.
    pub fn ptxas(&self) -> Option<PathBuf> {
        let name = find::with_suffix("ptxas");
        let path = self.search_path();
        std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|path| path.is_file())
    }

    /// Whether `libnvvm` is present. Without it, the compiler rejects every program without giving a reason.
    pub fn has_library(&self) -> bool {
        const FOLDERS: [&str; 6] = ["lib", "lib64", "bin", "nvvm/lib64", "nvvm/lib", "nvvm/bin"];
        let Some(toolkit) = self.path.parent().and_then(Path::parent) else { return true };
        let is_library = |entry: fs::DirEntry| entry.file_name().to_string_lossy().contains("nvvm");
        FOLDERS.iter().any(|folder| fs::read_dir(toolkit.join(folder)).into_iter().flatten().flatten().any(is_library))
    }

    /// The `PATH` of the compiler. It includes the compiler's own folder, which can contain `ptxas`.
    fn search_path(&self) -> OsString {
        let own = self.path.parent().map(Path::to_owned);
        let all = own.into_iter().chain(find::on_path());
        std::env::join_paths(all).unwrap_or_default()
    }
}

/// Checks whether `ptxas` works. Returns its error message if not.
pub fn ptxas_error(ptxas: &Path, stop: &Stop) -> Option<String> {
    let mut command = child::tool(ptxas);
    command.arg("--version");
    match child::run(command, Duration::from_secs(20), stop) {
        Ok(Some(ended)) if ended.status.success() => None,
        Ok(Some(ended)) => Some(format!("{} ({})", ended.output, ended.status).trim().to_string()),
        Ok(None) => Some("timed out".to_string()),
        Err(error) => Some(error.to_string()),
    }
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> CompileError + use<> {
    let path = path.to_owned();
    move |error| CompileError::Io { path, error }
}

/// The current state of a file; size and time are 0 if it does not exist.
fn stamp(path: &Path) -> Stamp {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Ok(metadata) = fs::metadata(&path) else { return (path, 0, 0) };
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (path, metadata.len(), changed.map_or(0, |time| time.as_nanos()))
}

/// The cache key of a value; empty if it cannot be serialized. Nothing is stored under an empty key.
fn key(kind: &str, what: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(&(kind, what)).unwrap_or_default()
}

fn read_back<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// Stores a value in the cache. Errors are ignored: the value is computed again next time.
fn store(cache: Option<&Cache>, key: &[u8], what: &impl Serialize) {
    if let (Some(cache), Ok(bytes), false) = (cache, postcard::to_stdvec(what), key.is_empty()) {
        let _ = cache.put(key, &bytes);
    }
}

#[cfg(all(test, unix))]
mod tests;
