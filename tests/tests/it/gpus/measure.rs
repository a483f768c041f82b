//! Asks the `tileiras` on the search path for every program and GPU, and writes down what it says.

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

/// How many programs are compiled at once.
const BATCH: usize = 24;

/// How long a batch may take, in seconds: an unknown program that never ends is a crash.
const LIMIT: &str = "600";

/// One compiler and one GPU.
struct Asked<'a> {
    compiler: &'a Installed,
    gpu: Gpu,
    found: Mutex<BTreeMap<String, String>>,
}

/// Every how many programs one is compiled as a sample.
const SAMPLE: usize = 50;

/// Measures with the compiler of the search path, and writes the file of its release.
/// Programs whose keys lack the word `only` are left out.
pub(crate) fn measure(only: &str) {
    let Some(compiler) = Installed::find() else { return };
    let programs = gpus::programs(compiler.version).iter();
    let mut programs: Vec<&Valid> = programs.filter(|program| program.key.contains(only)).collect();
    // Those that need the same elements are likely to share their fate.
    programs.sort_by_key(|program| program.key.split_once(' ').map(|(_, rest)| rest.to_string()));
    let mut measured = Measured { only: only.to_string(), ..Measured::default() };
    for program in &programs {
        let before = measured.programs.insert(program.key.clone(), Refusals::new());
        assert!(before.is_none(), "two programs are called `{}`: give one an `is`", program.key);
    }
    let mut before = BTreeMap::new();
    for gpu in Gpu::ALL {
        before = compiler.refusals(gpu, &programs, &before);
        eprintln!("{gpu}: {} of {} refused", before.len(), programs.len());
        for (key, reason) in &before {
            measured.programs.entry(key.clone()).or_default().insert(gpu, reason.clone());
        }
    }
    std::fs::write(refusals::path(&compiler.release), measured.text()).expect("the file can be written");
}

/// Compares a sample with what was measured of the installed compiler, if it was.
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

/// The compiler of the search path.
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

    /// The reasons of refusals by program. Those that are expected are tried one by one, the others together.
    fn refusals(&self, gpu: Gpu, programs: &[&Valid], expected: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let asked = Asked { compiler: self, gpu, found: Mutex::default() };
        asked.all(programs, expected);
        asked.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The release that `tileiras --version` names.
fn release(assembler: &Path) -> String {
    let output = Command::new(assembler).arg("--version").output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let release = text.split_whitespace().find_map(|word| word.strip_prefix('V'));
    release.expect("it names its release").to_string()
}

impl Asked<'_> {
    /// Compiles everything: what is expected to be refused on its own, the rest in batches.
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

    /// Compiles programs as one, and where that fails as two halves.
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
        let bytes = bytes.unwrap_or_else(|_| panic!("{} cannot be written", programs[0].key));
        let folder = tempfile::tempdir().expect("a folder for the program");
        let (program, cubin) = (folder.path().join("program.tileirbc"), folder.path().join("program.cubin"));
        std::fs::write(&program, bytes).expect("it takes a file");
        // A crash leaves its dump in the working directory.
        let mut command = Command::new("timeout");
        command.current_dir(folder.path()).arg(LIMIT).arg(&self.compiler.path).arg(format!("--gpu-name={}", self.gpu));
        command.arg("-o").arg(&cubin).arg(&program).stdin(Stdio::null());
        let output = command.output().expect("it runs");
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

/// Why a program was refused, in one line without names and numbers of its own.
fn reason(code: Option<i32>, said: &str, program: &Path, gpu: &str) -> String {
    let said = said.replace(&program.display().to_string(), "PROGRAM").replace(&format!("'{gpu}'"), "'GPU'");
    let line = said.lines().find(|line| line.contains("error:")).or(said.lines().next()).unwrap_or_default();
    let words = line.rsplit("error:").next().unwrap_or_default().trim();
    let code = code.map_or("crash".to_string(), |code| format!("exit {code}"));
    format!("{code}, {words}").replace(['\t', '\n'], " ")
}
