//! Compiles every program for every GPU with the `tileiras` on the search path, and records the result.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use tile_backend::bytecode;
use tile_dialect::{Gpu, Version};
use tile_tests::gpus::refusals::{self, Measured, Refusals};
use tile_tests::gpus::{self, Valid};
use tile_tests::tools;

/// Number of programs compiled as one module.
const BATCH: usize = 24;

/// Time limit of a batch in seconds; exceeding it counts as a crash.
const LIMIT: &str = "600";

/// The measurement of one compiler and one GPU.
struct Measurement<'a> {
    compiler: &'a Installed,
    gpu: Gpu,
    found: Mutex<BTreeMap<String, String>>,
}

/// The sample contains every 50th program.
const SAMPLE: usize = 50;

/// Measures the compiler on the search path and writes the file of its release. Skips programs whose keys do not
/// contain `only`.
pub(crate) fn measure(only: &str) {
    let Some(compiler) = Installed::find() else { return };
    let programs = gpus::programs(compiler.version).iter();
    let mut programs: Vec<&Valid> = programs.filter(|program| program.key.contains(only)).collect();
    // Programs with the same element types are likely to have the same result, so put them into the same batch.
    programs.sort_by_key(|program| program.key.split_once(' ').map(|(_, rest)| rest.to_string()));
    let mut measured = Measured { only: only.to_string(), ..Measured::default() };
    for program in &programs {
        let before = measured.programs.insert(program.key.clone(), Refusals::new());
        assert!(before.is_none(), "two programs have the key `{}`; add an `is` to one of them", program.key);
    }
    let mut before = BTreeMap::new();
    for gpu in Gpu::ALL {
        before = compiler.refusals(gpu, &programs, &before);
        eprintln!("{gpu}: {} of {} refused", before.len(), programs.len());
        for (key, reason) in &before {
            measured.programs.entry(key.clone()).or_default().insert(gpu, reason.clone());
        }
    }
    std::fs::write(refusals::path(&compiler.release), measured.text()).expect("the file is writable");
}

/// Compares a sample with the measurement of the installed compiler, if there is one.
pub(crate) fn sample() {
    let Some(compiler) = Installed::find() else { return };
    let Ok(text) = std::fs::read_to_string(refusals::path(&compiler.release)) else {
        return tile_tests::skipped(format_args!("tileiras {} has not been measured", compiler.release));
    };
    let measured = Measured::parse(&text);
    let programs = gpus::programs(compiler.version).iter();
    let programs = programs.filter(|program| measured.programs.contains_key(&program.key));
    let programs: Vec<&Valid> = programs.step_by(SAMPLE).collect();
    for gpu in [Gpu::Sm80, Gpu::Sm90, Gpu::Sm107] {
        let expected = |program: &&Valid| {
            let reason = measured.programs.get(&program.key)?.get(&gpu)?;
            Some((program.key.clone(), reason.clone()))
        };
        let expected: BTreeMap<String, String> = programs.iter().filter_map(expected).collect();
        assert_eq!(compiler.refusals(gpu, &programs, &expected), expected, "{gpu}");
    }
}

/// The compiler on the search path.
struct Installed {
    path: PathBuf,
    release: String,
    version: Version,
}

impl Installed {
    fn find() -> Option<Installed> {
        let (path, _) = (tools::find("tileiras")?, tools::find("ptxas")?);
        let release = release(&path);
        let version = gpus::version_of(&release);
        Some(Installed { path, release, version })
    }

    /// The reasons of refusals by program. Programs that are expected to be refused are compiled one by one, the others
    /// in batches.
    fn refusals(&self, gpu: Gpu, programs: &[&Valid], expected: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let measurement = Measurement { compiler: self, gpu, found: Mutex::default() };
        measurement.all(programs, expected);
        measurement.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The release that `tileiras --version` names.
fn release(assembler: &Path) -> String {
    let output = Command::new(assembler).arg("--version").output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let release = text.split_whitespace().find_map(|word| word.strip_prefix('V'));
    release.expect("the compiler reports its release").to_string()
}

impl Measurement<'_> {
    /// Compiles everything: programs that are expected to be refused one by one, the rest in batches.
    fn all(&self, programs: &[&Valid], expected: &BTreeMap<String, String>) {
        let (alone, together): (Vec<&Valid>, Vec<&Valid>) =
            programs.iter().partition(|program| expected.contains_key(&program.key));
        let batches: Vec<&[&Valid]> = alone.chunks(1).chain(together.chunks(BATCH)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.batch(batch);
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    }

    /// Compiles programs as one module; if that fails, compiles both halves.
    fn batch(&self, programs: &[&Valid]) {
        match (self.compile(programs), programs) {
            (Ok(()), _) => {}
            (Err(reason), [program]) => {
                let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
                found.insert(program.key.clone(), reason);
            }
            (Err(_), _) => {
                let (front, back) = programs.split_at(programs.len() / 2);
                self.batch(front);
                self.batch(back);
            }
        }
    }

    fn compile(&self, programs: &[&Valid]) -> Result<(), String> {
        let lowered = gpus::meaning(&gpus::module_of(programs.iter().copied()), self.compiler.version);
        let lowered = lowered.unwrap_or_else(|errors| panic!("{errors:?}"));
        let bytes = bytecode::encode(&lowered.module, None, self.compiler.version);
        let bytes = bytes.unwrap_or_else(|_| panic!("cannot encode {}", programs[0].key));
        let folder = tempfile::tempdir().expect("a temporary folder is created");
        let (program, cubin) = (folder.path().join("program.tileirbc"), folder.path().join("program.cubin"));
        std::fs::write(&program, bytes).expect("the file is written");
        // A crash leaves a dump in the working directory.
        let mut command = Command::new("timeout");
        command.current_dir(folder.path()).arg(LIMIT).arg(&self.compiler.path).arg(format!("--gpu-name={}", self.gpu));
        command.arg("-o").arg(&cubin).arg(&program).stdin(Stdio::null());
        let output = command.output().expect("the command runs");
        match output.status.code() {
            Some(0) if cubin.is_file() => Ok(()),
            code => Err(reason(
                code,
                &String::from_utf8_lossy(&[output.stdout, output.stderr].concat()),
                &program,
                self.gpu.name(),
            )),
        }
    }
}

/// The reason of a refusal in one line, without the names of the program and the GPU.
fn reason(code: Option<i32>, message: &str, program: &Path, gpu: &str) -> String {
    let message = message.replace(&program.display().to_string(), "PROGRAM").replace(&format!("'{gpu}'"), "'GPU'");
    let line = message.lines().find(|line| line.contains("error:")).or(message.lines().next()).unwrap_or_default();
    let words = line.rsplit("error:").next().unwrap_or_default().trim();
    let code = code.map_or("crash".to_string(), |code| format!("exit {code}"));
    format!("{code}, {words}").replace(['\t', '\n'], " ")
}
