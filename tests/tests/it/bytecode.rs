//! Our bytecode: NVIDIA's disassembler reads the original program from it, and NVIDIA's compiler accepts it.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use tile_analysis::context::Options;
use tile_analysis::gpu::{GpuTarget, lacks};
use tile_backend::bytecode::{self, Unsupported, VERSIONS};
use tile_dialect::{Gpu, Mnemonic, Version, ops};
use tile_tests::programs::{Lowered, lower, valid};
use tile_tests::shape::{difference, shape};
use tile_tests::tools::{self, Release};

/// The bytecode of a program for a release of NVIDIA's tools; `None` if it uses newer features.
fn encoded(program: &Lowered, release: &Release) -> Option<Vec<u8>> {
    // Since 13.5 the reader rejects such parameters.
    if release.version >= Version::V13_5 && has_other_params(program) {
        return None;
    }
    match bytecode::encode(&program.module, Some(&program.debug), release.version) {
        Ok(bytes) => Some(bytes),
        Err(unsupported) => {
            let is_newer = |unsupported: &Unsupported| unsupported.since.is_some_and(|since| since > release.version);
            assert!(unsupported.iter().all(is_newer), "{unsupported:?}");
            None
        }
    }
}

/// Encodes and disassembles a program; returns how the result differs from it, or an error.
fn changed(release: &Release, name: &str, program: &Lowered) -> Option<String> {
    let text = match release.disassemble(&encoded(program, release)?) {
        Ok(text) => text,
        Err(message) => return Some(message),
    };
    let read = match lower(&text, name, Options::default()) {
        Ok(read) => read,
        Err(errors) => return Some(format!("{errors:?}\n{text}")),
    };
    // The producer is printed as a comment.
    let mut module = program.module.clone();
    let producer = module.producer.take().map(|producer| String::from_utf8_lossy(&producer).into_owned());
    if producer.is_some_and(|producer| !text.contains(&format!("// Producer: {producer}"))) {
        return Some(format!("the producer is missing\n{text}"));
    }
    difference(&shape(&module, Some(&program.debug)), &shape(&read.module, Some(&read.debug)))
}

#[test]
fn the_disassembler_reads_the_original_program() {
    let programs = valid();
    for release in tools::releases() {
        let wrong = programs.iter().filter_map(|(name, program)| {
            changed(release, name, program).map(|difference| format!("{name}: {difference}"))
        });
        let wrong: Vec<String> = wrong.collect();
        let version = release.version;
        assert!(wrong.is_empty(), "{version}: {} of {}\n{}", wrong.len(), programs.len(), wrong.join("\n"));
    }
}

#[test]
fn the_disassembler_reads_every_version() {
    let mut wrong = Vec::new();
    let Some(newest) = tools::releases().first() else { return };
    for (name, program) in valid().iter().filter(|(_, program)| !has_other_params(program)) {
        for version in VERSIONS.into_iter().filter(|version| *version <= newest.version) {
            // Other tests check the errors for features that a version lacks.
            let Ok(bytes) = bytecode::encode(&program.module, None, version) else { continue };
            let read = newest.disassemble(&bytes);
            wrong.extend(read.err().map(|message| format!("{name} at {version}: {message}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_programs_contain_every_op() {
    let used: Vec<Mnemonic> = valid().iter().flat_map(|(_, program)| ops_of(program)).collect();
    // `preview.rs` tests the ops of the preview.
    for row in ops().iter().filter(|row| row.opcode.is_some() && !row.is_preview()) {
        assert!(used.contains(&row.op), "no program has `{}`: add it to one in tests/programs", row.name);
    }
}

fn ops_of(program: &Lowered) -> impl Iterator<Item = Mnemonic> {
    program.module.entries.iter().flat_map(|body| body.ops.iter().map(|op| op.op))
}

/// The error that the table predicts from NVIDIA's compiler for a valid program and a GPU.
fn refusal(program: &Lowered, target: GpuTarget) -> Option<&'static str> {
    let mut entries = program.module.entries.iter().zip(&program.spans);
    if entries.any(|(body, spans)| !lacks(body, spans, target).is_empty()) {
        return Some("Incompatibility with architecture");
    }
    // The compiler gives no reason for these.
    has_other_params(program).then_some("failed to compile")
}

/// Whether an entry has a parameter that is not a tile.
fn has_other_params(program: &Lowered) -> bool {
    let params = program.module.entries.iter().flat_map(|body| body.regions[0].args.iter().map(|&arg| body.ty(arg)));
    params.into_iter().any(|ty| ty.as_tile().is_none())
}

/// Compiles a program; describes the result if it is not the expected one.
fn unexpected_result(release: &Release, name: &str, program: &Lowered, gpu: Gpu) -> Option<String> {
    let version = release.version;
    let result = release.assemble(&encoded(program, release)?, gpu.name());
    match (result, refusal(program, GpuTarget { gpu, compiler: version })) {
        (Ok(()), None) => None,
        (Err(message), Some(reason)) if message.contains(reason) => None,
        (Ok(()), Some(reason)) => {
            Some(format!("{version}: {name} compiles for {gpu}, but expected the error: {reason}"))
        }
        (Err(message), _) => Some(format!("{version}: {name} for {gpu}: {message}")),
    }
}

/// Each release compiles every program for one GPU, and the newest one for an older or a newer GPU in turn, except the
/// examples, some of which take ten seconds; the small programs have every op.
#[test]
fn the_compiler_accepts_our_bytecode() {
    let examples: HashSet<String> = tile_tests::examples().into_iter().map(|(name, _)| name).collect();
    for (age, release) in tools::releases().iter().enumerate() {
        let (next, programs, found) = (AtomicUsize::new(0), valid(), Mutex::new(Vec::new()));
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some((name, program)) = programs.get(index) else { break };
                let in_turn = [Gpu::Sm90, Gpu::Sm120][index % 2];
                let has_second = age == 0 && !examples.contains(name);
                for gpu in [Gpu::Sm100].into_iter().chain(has_second.then_some(in_turn)) {
                    let unexpected = unexpected_result(release, name, program, gpu);
                    found.lock().unwrap_or_else(PoisonError::into_inner).extend(unexpected);
                }
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(4));
        std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
