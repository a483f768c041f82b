//! NVIDIA's compiler for Tile IR bytecode, `tileiras`: a program of the CUDA toolkit.

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
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};
use tile_input::MAX_PROGRAM;

/// After how long a compilation is given up.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// A compiler, and what it can do.
#[derive(Clone, Debug)]
pub struct Compiler {
    path: PathBuf,
    facts: Facts,
    cache: Option<Cache>,
    timeout: Duration,
    stop: Stop,
    /// What programs are linked with.
    libraries: Arc<[Library]>,
}

/// What a compiler makes of a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Code {
    /// What the driver loads.
    pub cubin: Vec<u8>,
    /// What the compiler remarks, if it was asked to.
    pub remarks: Vec<Remark>,
    /// What else it said.
    pub said: String,
    /// Whether it was made before.
    #[serde(skip)]
    pub is_cached: bool,
}

/// What tells one file from another that took its place.
type Stamp = (PathBuf, u64, u128);

/// Whether there is a program to be the compiler. It is looked for, not started.
pub fn is_there() -> bool {
    find::compiler().is_ok()
}

impl Compiler {
    /// Looks for the compiler of this machine: where [`VARIABLE`] says, on the search path, in the toolkit's folders, in
    /// those of the active Python. What it made before is in the user's cache.
    pub fn find() -> Result<Compiler, CompileError> {
        Compiler::find_until(&Stop::default())
    }

    /// The same, until somebody stops it or what it does.
    pub fn find_until(stop: &Stop) -> Result<Compiler, CompileError> {
        Compiler::asked(find::compiler()?, Cache::of_user(), stop.clone())
    }

    /// The compiler that lies there.
    pub fn at(path: PathBuf, cache: Option<Cache>) -> Result<Compiler, CompileError> {
        Compiler::asked(path, cache, Stop::default())
    }

    /// A compiler with what it says of itself, now or when it was asked before.
    fn asked(path: PathBuf, cache: Option<Cache>, stop: Stop) -> Result<Compiler, CompileError> {
        let key = key("facts", &stamp(&path));
        let kept = cache.as_ref().and_then(|cache| read_back::<Facts>(&cache.get(&key)?));
        let facts = match kept {
            Some(facts) => facts,
            None => {
                let facts = Facts::ask(&path, &stop)?;
                keep(cache.as_ref(), &key, &facts);
                facts
            }
        };
        Ok(Compiler { path, facts, cache, timeout: TIMEOUT, stop, libraries: Arc::default() })
    }

    /// The same compiler, given up after another time.
    pub fn with_timeout(self, timeout: Duration) -> Compiler {
        Compiler { timeout, ..self }
    }

    /// The same compiler, which links every program with these libraries.
    pub fn with_libraries(self, libraries: Vec<Library>) -> Compiler {
        Compiler { libraries: libraries.into(), ..self }
    }

    /// The same compiler without what it made before, and without keeping what it makes.
    pub fn without_cache(self) -> Compiler {
        Compiler { cache: None, ..self }
    }

    /// What has it given up.
    pub(super) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it can do.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Refuses a GPU or options that the compiler does not know.
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

    /// Compiles bytecode for a GPU, such as `sm_90`, unless that was done before.
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
        let mut made = self.compile_anew(bytecode, gpu, options);
        for _ in 1..attempts {
            if !matches!(made, Err(CompileError::Crashed(_))) {
                break;
            }
            made = self.compile_anew(bytecode, gpu, options);
        }
        let code = made?;
        keep(self.cache.as_ref(), &key, &code);
        Ok(code)
    }

    /// What the code depends on beside the program: this compiler, and the `ptxas` that it calls.
    fn fingerprint(&self) -> (&str, Stamp, Option<Stamp>) {
        (&self.facts.version_text, stamp(&self.path), self.ptxas().map(|path| stamp(&path)))
    }

    fn compile_anew(&self, bytecode: &[u8], gpu: &str, options: &Options) -> Result<Code, CompileError> {
        let folder = tempfile::tempdir().map_err(|error| CompileError::Io { path: std::env::temp_dir(), error })?;
        let [program, cubin, remarks] = crash::FILES.map(|name| folder.path().join(name));
        fs::write(&program, bytecode).map_err(io(&program))?;
        let mut command = Command::new(&self.path);
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
            // The compiler would rather load the library of the toolkit named there, which refuses every program where
            // it is older.
            TOOLKITS.iter().for_each(|variable| _ = command.env_remove(variable));
        }
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let files = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
        let words = words.map(|word| word.to_string_lossy().replace(&files, "")).collect();
        let crash = |how: String, said: String| {
            CompileError::Crashed(Box::new(self.crash(how, said, words, bytecode, (gpu, options))))
        };
        let ended = child::run(command, self.timeout, &self.stop).map_err(io(&self.path))?;
        let Some(ended) = ended else {
            if self.stop.is_stopped() {
                return Err(CompileError::Stopped);
            }
            return Err(crash(format!("was given up: it had not ended after {:?}", self.timeout), String::new()));
        };
        if crash::is_crash(&ended) {
            return Err(crash(format!("crashed ({})", ended.status), ended.said));
        }
        if ended.status.code() != Some(0) {
            return Err(self.failure(ended));
        }
        let cubin = tile_input::read(&cubin, MAX_PROGRAM).map_err(io(&cubin))?;
        // A program without loads and stores has no remarks, and no file of them.
        let remarks = tile_input::read_text(&remarks, MAX_PROGRAM).map(|yaml| remarks::read(&yaml)).unwrap_or_default();
        Ok(Code { cubin, remarks, said: ended.said, is_cached: false })
    }

    fn crash(
        &self,
        how: String,
        said: String,
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
        Crash { how, said, command, versions, made_for, bytecode: bytecode.to_vec() }
    }

    /// Why the compiler failed. Of some of its own needs it says nothing.
    fn failure(&self, ended: child::Ended) -> CompileError {
        let said = ended.said;
        let is_silent = super::compiler_output::read(&said).is_empty();
        let names_ptxas = said.contains("ptxas");
        match self.ptxas() {
            None if is_silent || names_ptxas => CompileError::NoPtxas,
            _ if is_silent && !self.has_library() => CompileError::NoLibrary,
            Some(path) if is_silent || names_ptxas => match answer(&path, &self.stop) {
                Some(said) => CompileError::BrokenPtxas { path, said },
                None => CompileError::Refused { said },
            },
            _ => CompileError::Refused { said },
        }
    }

    /// The `ptxas` that the compiler calls: the one beside it, or one on the search path.
    pub fn ptxas(&self) -> Option<PathBuf> {
        let name = find::with_suffix("ptxas");
        let path = self.search_path();
        std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|path| path.is_file())
    }

    /// Whether the library is there that the compiler loads. Without it, it refuses every program and does not say why.
    pub fn has_library(&self) -> bool {
        const FOLDERS: [&str; 6] = ["lib", "lib64", "bin", "nvvm/lib64", "nvvm/lib", "nvvm/bin"];
        let Some(toolkit) = self.path.parent().and_then(Path::parent) else { return true };
        let is_library = |entry: fs::DirEntry| entry.file_name().to_string_lossy().contains("nvvm");
        FOLDERS.iter().any(|folder| fs::read_dir(toolkit.join(folder)).into_iter().flatten().flatten().any(is_library))
    }

    /// The compiler calls `ptxas`, which may lie beside it.
    fn search_path(&self) -> OsString {
        let own = self.path.parent().map(Path::to_owned);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = own.into_iter().chain(std::env::split_paths(&path));
        std::env::join_paths(all).unwrap_or(path)
    }
}

/// What `ptxas` says instead of its version; nothing where it works.
pub fn answer(ptxas: &Path, stop: &Stop) -> Option<String> {
    let mut command = Command::new(ptxas);
    command.arg("--version");
    match child::run(command, Duration::from_secs(20), stop) {
        Ok(Some(ended)) if ended.status.success() => None,
        Ok(Some(ended)) => Some(format!("{} ({})", ended.said, ended.status).trim().to_string()),
        Ok(None) => Some("it does not end".to_string()),
        Err(error) => Some(error.to_string()),
    }
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> CompileError + use<> {
    let path = path.to_owned();
    move |error| CompileError::Io { path, error }
}

/// A file as it is now, or as one that is not there.
fn stamp(path: &Path) -> Stamp {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Ok(metadata) = fs::metadata(&path) else { return (path, 0, 0) };
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (path, metadata.len(), changed.map_or(0, |time| time.as_nanos()))
}

/// The key of something in the cache. What cannot be written has an empty one, which nothing is kept under.
fn key(kind: &str, what: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(&(kind, what)).unwrap_or_default()
}

fn read_back<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// Puts something into the cache. Where that fails it is made again next time.
fn keep(cache: Option<&Cache>, key: &[u8], what: &impl Serialize) {
    if let (Some(cache), Ok(bytes), false) = (cache, postcard::to_stdvec(what), key.is_empty()) {
        let _ = cache.put(key, &bytes);
    }
}

#[cfg(all(test, unix))]
mod tests;
