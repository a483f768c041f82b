//! Compiling a document with NVIDIA's compiler. It is a program of the user, so it is started only on request and in a
//! trusted workspace.

use crate::commands::{ShowRequest, refused};
use crate::documents::Snapshot;
use crate::progress::Progress;
use crate::shared::Shared;
use crate::tasks;
use std::time::Duration;
use tile_analysis::db::{self, Database, File};
use tile_analysis::debug_info::{DebugInfo, debug_info_of};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::gpu::GpuTarget;
use tile_analysis::program::Program;
use tile_backend::bytecode;
use tile_backend::cuda::annotate::{self, Owners};
use tile_backend::cuda::compiler::{Code, CompileError, Compiler, Options, Stop};
use tile_backend::cuda::notes::Origin;
use tile_backend::worker::Start;
use tile_dialect::{Gpu, Version};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::ProgressToken;

/// The time limit of the compiler.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The default GPU if none is named and this machine has none: the first one that Tile IR supported. If the compiler
/// does not know it, the newest known one is used.
const DEFAULT_GPU: &str = "sm_100";

/// A compilation to start.
pub(super) struct Compilation {
    /// Its title for the user.
    pub(super) title: String,
    /// Names it for [`crate::tasks`]: a newer one of the same name stops it.
    pub(super) name: String,
    pub(super) options: Options,
}

/// A compiled document.
pub(super) struct Compiled {
    /// The document that was compiled.
    pub(super) snapshot: Snapshot,
    pub(super) compiler: Compiler,
    pub(super) gpu: String,
    pub(super) encoded: Encoded,
    pub(super) code: Code,
}

/// Compiles a document, and processes the result on the same thread. Dropping the future stops the compiler.
pub(super) async fn compile<T: Send + 'static>(
    shared: &Shared,
    wanted: &ShowRequest,
    compilation: Compilation,
    token: Option<ProgressToken>,
    process: impl FnOnce(Compiled) -> T + Send + 'static,
) -> Result<T> {
    let Some(snapshot) = shared.documents.get(&wanted.uri) else {
        return Err(refused("the document is not open".to_string()));
    };
    let Compilation { title, name: own, options } = compilation;
    let wanted_gpu = wanted.gpu.clone().unwrap_or_else(|| shared.settings().gpu.to_string());
    let task = shared.tasks.begin(&wanted.uri, own.clone(), token.clone());
    let _progress = Progress::begin(shared, token, own, title, true);
    let work = Work { task: task.handle(), stop: Stop::default() };
    let (preparation, for_check) = (work.clone(), options.clone());
    let found = on_thread(move || preparation.prepare(&wanted_gpu, &for_check)).await?;
    if task.is_stopped() {
        return Err(stopped());
    }
    let (compiler, gpu, version) = found.map_err(refused)?;
    let name = name(&snapshot);
    let target = Gpu::from_name(&gpu).map(|gpu| GpuTarget { gpu, compiler: compiler.facts().rules() });
    let encoded = shared
        .answer(&snapshot.uri, move |db, file, now| Ok((now.clone(), encode(db, file, &name, version, target, now)?)))
        .await?;
    let encoded = encoded.unwrap_or_else(|| Err("the document is not open".to_string()));
    let (snapshot, encoded) = encoded.map_err(refused)?;
    let (for_gpu, compiled) = (gpu.clone(), snapshot.clone());
    let processed = on_thread(move || {
        let code = compiler.compile(&encoded.bytes, &for_gpu, &options)?;
        let processed = process(Compiled { snapshot: compiled, compiler, gpu: for_gpu, encoded, code });
        work.task.ended();
        Ok(processed)
    });
    match processed.await? {
        _ if task.is_stopped() => Err(stopped()),
        Ok(processed) => Ok(processed),
        Err(CompileError::Refused { output }) => Err(refused(reason(shared, &snapshot, &gpu, output).await?)),
        Err(error) => Err(refused(error.to_string())),
    }
}

/// Runs blocking work on another thread than the one that reads messages.
async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::internal_error())
}

/// The file's name.
fn name(snapshot: &Snapshot) -> String {
    let uri = snapshot.uri.as_str();
    uri.rsplit('/').next().unwrap_or(uri).to_string()
}

/// The error if the compiler was stopped by its progress token, or by a newer request for the same text.
fn stopped() -> Error {
    Error { message: "the compiler was stopped".into(), ..Error::new(ErrorCode::RequestCancelled) }
}

/// Work on threads for the task. It holds the task's handle, so that the server waits for these threads when it shuts
/// down.
#[derive(Clone)]
struct Work {
    task: tasks::Stop,
    /// Stops the processes that are started.
    stop: Stop,
}

impl Work {
    /// Makes stopping the task stop its processes.
    fn begin(&self) {
        let stop = self.stop.clone();
        self.task.started(move || stop.stop());
    }

    /// Finds the compiler, the GPU, and the version of the bytecode.
    fn prepare(&self, wanted_gpu: &str, options: &Options) -> std::result::Result<(Compiler, String, Version), String> {
        self.begin();
        let compiler = Compiler::find_until(&self.stop).map_err(|error| error.to_string())?.with_timeout(TIMEOUT);
        let facts = compiler.facts();
        let gpu = if wanted_gpu.is_empty() { self.gpu_here(&facts.gpus) } else { wanted_gpu.to_string() };
        compiler.check(&gpu, options).map_err(|error| error.to_string())?;
        let version = facts.version(Version::NEWEST);
        let version =
            version.ok_or_else(|| format!("`tileiras` {} supports none of the bytecode versions", facts.release))?;
        Ok((compiler, gpu, version))
    }

    /// The first GPU of this machine that the compiler supports, or else the default. A worker looks it up, since that
    /// loads the driver.
    fn gpu_here(&self, known: &[String]) -> String {
        let machine = Start::Here.worker().and_then(|mut worker| {
            let (killer, stop) = (worker.killer(), self.stop.clone());
            self.task.started(move || {
                stop.stop();
                killer.kill();
            });
            worker.inspect_machine()
        });
        self.begin();
        let own = machine.unwrap_or_default().gpus.into_iter().flatten().map(|gpu| gpu.architecture);
        let is_known = |gpu: &String| known.is_empty() || known.contains(gpu);
        let mut all = own.chain([DEFAULT_GPU.to_string()]).filter(is_known);
        all.next().or_else(|| known.last().cloned()).unwrap_or_else(|| DEFAULT_GPU.to_string())
    }
}

/// A program for the compiler.
pub(super) struct Encoded {
    /// The name of its file.
    pub(super) name: String,
    bytes: Vec<u8>,
    /// The ops of each line.
    pub(super) owners: Owners,
}

/// Encodes the bytecode for the compiler, if the program has no errors and uses no feature that the target lacks.
fn encode(
    db: &Database,
    file: File,
    name: &str,
    version: Version,
    target: Option<GpuTarget>,
    now: &Snapshot,
) -> std::result::Result<Encoded, String> {
    let found = db::diagnostics(db, file);
    if let Some(error) = found.iter().find(|found| found.is_error_everywhere()) {
        return Err(format!("the program has an error: {}", error.message));
    }
    let program = Program::of(db, file);
    if let Some(lacks) = target.and_then(|target| program.lacks(target).into_iter().next()) {
        return Err(message_with_line(&lacks, now));
    }
    let bytes = bytecode::with_debug_info(&program, Some(&locations(&program, name)), version);
    let bytes = bytes.map_err(|found| found.first().map_or(String::new(), |found| found.message.clone()))?;
    let owners = Owners::new(&program, &debug_info_of(&program, name), name);
    Ok(Encoded { name: name.to_string(), bytes, owners })
}

/// The source locations that the compiler is given.
pub(super) fn locations(program: &Program<'_>, name: &str) -> DebugInfo {
    annotate::spaced(debug_info_of(program, name))
}

/// Why the compiler rejects the program, with the line in question.
async fn reason(shared: &Shared, snapshot: &Snapshot, gpu: &str, output: String) -> Result<String> {
    let (edit, gpu, name) = (snapshot.edit, gpu.to_string(), name(snapshot));
    let plain = output.clone();
    let found = shared
        .answer(&snapshot.uri, move |db, file, now| {
            let program = Program::of(db, file);
            let refusal = Origin::new(&program, &locations(&program, &name)).refusal(&gpu, &output);
            // If the text has changed, its line numbers are different.
            refusal.first().filter(|_| now.edit == edit).map(|first| message_with_line(first, now))
        })
        .await?;
    Ok(found.flatten().unwrap_or_else(|| format!("`tileiras` refuses the program: {}", plain.trim())))
}

fn message_with_line(found: &Diagnostic, now: &Snapshot) -> String {
    let line = now.text.position(found.range.start).line + 1;
    let notes: String = found.notes.iter().map(|note| format!("\n{note}")).collect();
    format!("line {line}: {}{notes}", found.message)
}
