//! A checked program with the arguments of its first launch, and what it leaves in memory.

use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options as CheckOptions;
use tile_analysis::diagnostic::Severity;
use tile_analysis::ir::{Body, Module};
use tile_analysis::number::{decode, read};
use tile_analysis::types::{Scalar, Type};
use tile_dialect::Element;
use tile_engine::{AllocationId, Argument, Memory, Observer, Options, run};
use tile_launch::find::EntryLaunches;
use tile_launch::{Buffer, Launch, Number, Value, find};

/// A valid program with one launch.
pub struct Prepared {
    /// Its text.
    pub text: String,
    /// Its IR.
    pub module: Module,
    /// The number of tile blocks along x, y and z.
    pub grid: [u32; 3],
    /// The arguments by name, in the order of the parameters.
    pub arguments: Vec<(String, Value)>,
    /// The index of the entry.
    entry: usize,
}

/// What a run leaves in memory, and the text that it printed.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The buffers and the globals, by name.
    pub buffers: Vec<(String, Buffer)>,
    /// The printed text; `None` if it is unknown.
    pub printed: Option<Vec<u8>>,
}

/// The maximum size of a buffer in bytes.
const MAX_BYTES: u64 = 1 << 24;

/// The number of ops after which a run is stopped.
const MAX_OPS: u64 = 10_000_000;

impl Prepared {
    /// Checks a program with a launch, or returns its errors.
    pub fn of(text: &str) -> Result<Prepared, String> {
        Prepared::all(text)?.into_iter().next().ok_or_else(|| "the program has no launch".to_string())?
    }

    /// Checks a program and prepares the launches that are not for benchmarks, or returns its errors. Every launch can
    /// have an error of its own, such as a missing file.
    pub fn all(text: &str) -> Result<Vec<Result<Prepared, String>>, String> {
        let checked = batch::check(text, CheckOptions::default(), |_| Keep::Everything);
        let errors: Vec<String> = (checked.diagnostics.iter())
            .filter(|found| found.severity == Severity::Error)
            .map(|found| {
                format!("{} at {:?}", found.message, text.get(found.range.start as usize..found.range.end as usize))
            })
            .collect();
        if !errors.is_empty() {
            return Err(errors.join("\n"));
        }
        let mistakes = find::diagnostics_of(text, &checked);
        if let Some(mistake) = mistakes.first() {
            return Err(mistake.message.clone());
        }
        let launches = find::of(text, &checked);
        let module = checked.program(text).module();
        let of_entry = |(entry, launches): (usize, &EntryLaunches)| {
            let of_launch = |launch| Prepared::launch(text, &module, (entry, launches), launch);
            let tests = launches.directives.launches.iter().filter(|launch| !launch.is_bench);
            tests.map(of_launch).collect::<Vec<_>>()
        };
        Ok(launches.iter().enumerate().flat_map(of_entry).collect())
    }

    fn launch(
        text: &str,
        module: &Module,
        (entry, launches): (usize, &EntryLaunches),
        launch: &Launch,
    ) -> Result<Prepared, String> {
        let none = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let argument = |name: &str| {
            let found = launch.arg(name).ok_or_else(|| format!("no argument for `%{name}`"))?;
            let value = found.value(MAX_BYTES, &none).map_err(|error| error.message)?;
            Ok((name.to_string(), value))
        };
        let arguments = launches.entry.params.iter().map(|name| argument(name)).collect::<Result<_, String>>()?;
        Ok(Prepared { text: text.to_string(), module: module.clone(), grid: launch.grid, arguments, entry })
    }

    /// Its entry.
    pub fn entry(&self) -> &Body {
        &self.module.entries[self.entry]
    }

    /// The arguments: the bits of a number, or the bytes of a buffer.
    pub fn bits(&self) -> impl Iterator<Item = Result<u64, Vec<u8>>> {
        let types = self.entry().regions[0].args.iter().map(|&value| self.entry().ty(value));
        types.zip(&self.arguments).map(|(ty, (_, value))| match value {
            Value::Buffer(buffer) => Err(buffer.bytes.clone()),
            Value::Scalar(number) => Ok(scalar(*number, ty)),
            Value::Address => Ok(0),
        })
    }

    /// Runs a module, which has the parameters of this program, with an observer. A finding is an error.
    pub fn run<O: Observer + Printed>(
        &self,
        module: &Module,
        options: Options,
        mut observer: O,
    ) -> Result<Outcome, String> {
        let (mut memory, entry) = (Memory::new(), &module.entries[self.entry]);
        let mut placed = Vec::new();
        let types = entry.regions[0].args.iter().map(|&value| entry.ty(value));
        let arguments: Vec<Argument> =
            types.zip(&self.arguments).map(|(ty, value)| place(ty, value, &mut memory, &mut placed)).collect();
        let options = Options { grid: self.grid, max_ops: Some(MAX_OPS), ..options };
        run(module, entry, &arguments, &mut memory, &options, &mut observer).map_err(|finding| {
            let op = finding.op.map_or("the launch", |op| entry.op(op).op.row().name);
            format!("{} at `{op}` in block {:?}: {}", finding.page.code, finding.block, finding.message)
        })?;
        let mut buffers: Vec<(String, Buffer)> =
            placed.into_iter().map(|(name, id, buffer)| (name, Buffer { bytes: memory.bytes(id), ..buffer })).collect();
        for global in &module.globals {
            if let Some(id) = memory.global(&global.name) {
                let (element, bytes) = (global.value.element, memory.bytes(id));
                let count = memory.count(id) as u64;
                let buffer = Buffer { element, shape: vec![count], strides: vec![1], bytes };
                buffers.push((format!("@{}", global.name), buffer));
            }
        }
        Ok(Outcome { buffers, printed: Some(observer.text()) })
    }
}

/// An observer that collects the printed text.
pub trait Printed {
    /// The printed text.
    fn text(self) -> Vec<u8>;
}

impl Printed for Vec<u8> {
    fn text(self) -> Vec<u8> {
        self
    }
}

/// Allocates the buffer of an argument.
fn place(
    ty: Type,
    (name, value): &(String, Value),
    memory: &mut Memory,
    placed: &mut Vec<(String, AllocationId, Buffer)>,
) -> Argument {
    match value {
        Value::Buffer(buffer) => {
            let id = memory.allocate(format!("%{name}"), buffer.element, &buffer.bytes);
            placed.push((format!("%{name}"), id, Buffer { bytes: Vec::new(), ..buffer.clone() }));
            Argument::Pointer(id)
        }
        Value::Scalar(number) => Argument::Scalar(scalar(*number, ty)),
        Value::Address => Argument::Scalar(0),
    }
}

fn scalar(number: Number, ty: Type) -> u64 {
    match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Number(element)) => number.encode(element).unwrap_or(0),
        _ => 0,
    }
}

impl Outcome {
    /// The first difference from another outcome, except between NaNs of `f32` and `f64`.
    pub fn difference(&self, other: &Outcome) -> Option<String> {
        for ((name, expected), (_, found)) in self.buffers.iter().zip(&other.buffers) {
            let size = expected.element.bytes();
            let value = |buffer: &Buffer, index| read(buffer.element, &buffer.bytes, index).unwrap_or(0);
            // An op with several NaN operands returns any of them.
            let has_any_nan = matches!(expected.element, Element::F32 | Element::F64);
            let both_are_nan = |index| [expected, found].iter().all(|it| decode(it.element, value(it, index)).is_nan());
            let pairs = expected.bytes.chunks(size).zip(found.bytes.chunks(size)).enumerate();
            let mut differing = pairs.filter(|(_, (a, b))| a != b).map(|(index, _)| index);
            let differs = differing.find(|&index| !(has_any_nan && both_are_nan(index)));
            if let Some(index) = differs {
                let of = |buffer: &Buffer| {
                    let bits = value(buffer, index);
                    format!("{bits:#x} ({})", decode(buffer.element, bits))
                };
                let (expected, found) = (of(expected), of(found));
                return Some(format!("{name}[{index}] is {expected} in the first mode, but {found} in this one"));
            }
        }
        let (Some(expected), Some(found)) = (&self.printed, &other.printed) else { return None };
        (expected != found).then(|| {
            let [expected, found] = [expected, found].map(|printed| String::from_utf8_lossy(printed).into_owned());
            format!("the first mode prints\n{expected}but this one prints\n{found}")
        })
    }
}
