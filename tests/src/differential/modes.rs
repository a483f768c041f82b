//! The modes of the CPU engine.

use super::prepared::{Outcome, Prepared};
use crate::evaluate::evaluate;
use tile_analysis::ir;
use tile_backend::bytecode;
use tile_dialect::{Effect, Element, Version};
use tile_engine::{Options, Watch};
use tile_launch::{Buffer, Value};

/// A way to run a program.
pub struct Mode {
    /// Its name in reports.
    pub name: &'static str,
    run: fn(&Prepared) -> Result<Option<Outcome>, String>,
}

impl Mode {
    /// Runs a program; `None` if the mode does not differ from the others for it.
    pub fn run(&self, program: &Prepared) -> Result<Option<Outcome>, String> {
        (self.run)(program)
    }
}

const fn mode(name: &'static str, run: fn(&Prepared) -> Result<Option<Outcome>, String>) -> Mode {
    Mode { name, run }
}

/// Every mode. The first one runs op by op, without any optimization. The second one reports undefined behavior, so
/// that shrinking a program with a disagreement of another mode keeps it valid.
pub const MODES: &[Mode] = &[
    mode("watched: profile", |program| with(program, watching(Watch { profile: true, ..Watch::default() }))),
    mode("sanitized", |program| with(program, sanitized())),
    mode("plain, 1 thread", |program| with(program, threads(1))),
    mode("plain, 2 threads", |program| with(program, threads(2))),
    mode("plain, 4 threads", |program| with(program, threads(4))),
    mode("plain, without batches", unbatched),
    mode("watched, 4 threads", |program| {
        with(program, Options { threads: Some(4), ..watching(Watch { profile: true, ..Watch::default() }) })
    }),
    mode("watched: trace, records and accesses", |program| with(program, watching(everything(program)))),
    mode("watched: steps", |program| with(program, watching(Watch { steps: true, ..Watch::default() }))),
    mode("sanitized and watched", |program| {
        with(program, Options { sanitize: true, ..watching(Watch { profile: true, ..Watch::default() }) })
    }),
    mode("scheduled, seed 1", |program| with(program, scheduled(1))),
    mode("scheduled, seed 2", |program| with(program, scheduled(2))),
    mode("sanitized and scheduled", |program| with(program, Options { sanitize: true, ..scheduled(3) })),
    mode("from bytecode", from_bytecode),
    mode("evaluator of integers", evaluated),
];

fn with(program: &Prepared, options: Options) -> Result<Option<Outcome>, String> {
    program.run(&program.module, options, Vec::new()).map(Some)
}

fn threads(count: usize) -> Options {
    Options { threads: Some(count), ..Options::default() }
}

fn watching(watch: Watch) -> Options {
    Options { watch, threads: Some(1), ..Options::default() }
}

fn sanitized() -> Options {
    Options { sanitize: true, ..Options::default() }
}

fn scheduled(seed: u64) -> Options {
    Options { schedule: Some(seed), ..Options::default() }
}

/// Traces, records and accesses of all values.
fn everything(program: &Prepared) -> Watch {
    let trace = (0..program.entry().values.len() as u32).map(ir::Value).collect();
    Watch { trace, records: true, accesses: true, ..Watch::default() }
}

/// Runs a program without control flow with an assertion in front, which excludes it from batches.
fn unbatched(program: &Prepared) -> Result<Option<Outcome>, String> {
    let is_batched = |op: &ir::Op| op.regions.is_empty() && op.op.row().effect != Effect::Regions;
    let Some((header, _)) = program.text.split_once(") {\n") else { return Ok(None) };
    if !program.entry().ops.iter().all(is_batched) {
        return Ok(None);
    }
    let at = header.len() + ") {\n".len();
    let assertion = "%unbatched = constant <i1: true> : tile<i1>\nassert %unbatched, \"\" : tile<i1>\n";
    let text = [&program.text[..at], assertion, &program.text[at..]].concat();
    let changed = Prepared::of(&text)?;
    changed.run(&changed.module, threads(1), Vec::new()).map(Some)
}

/// Runs the program that is decoded from its bytecode.
fn from_bytecode(program: &Prepared) -> Result<Option<Outcome>, String> {
    let encoded = bytecode::encode(&program.module, None, Version::V13_5);
    let encoded = encoded.map_err(|found| format!("cannot be encoded: {}", found.len()))?;
    let decoded = bytecode::decode(&encoded).map_err(|error| format!("cannot be decoded: {error:?}"))?;
    program.run(&decoded.module, threads(1), Vec::new()).map(Some)
}

/// Evaluates an integer program without the engine.
fn evaluated(program: &Prepared) -> Result<Option<Outcome>, String> {
    let is_float = |element: Option<Element>| element.is_some_and(Element::is_float);
    let types = program.entry().values.iter().filter_map(|ty| ty.as_tile());
    if types.into_iter().any(|tile| is_float(tile.number()) || is_float(tile.pointee())) {
        return Ok(None);
    }
    let arguments: Vec<Result<u64, Vec<u8>>> = program.bits().collect();
    let Some(buffers) = evaluate(&program.module, program.grid, &arguments) else { return Ok(None) };
    let named = program.arguments.iter().filter_map(|(name, value)| match value {
        Value::Buffer(buffer) => Some((format!("%{name}"), buffer.clone())),
        _ => None,
    });
    let buffers = named.zip(buffers).map(|((name, buffer), bytes)| (name, Buffer { bytes, ..buffer })).collect();
    Ok(Some(Outcome { buffers, printed: None }))
}
