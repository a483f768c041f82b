//! Bytecode: what NVIDIA's disassembler reads of ours is the program that went in, and its compiler takes it.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use tile_analysis::context::Options;
use tile_analysis::ir::{Body, Value};
use tile_backend::bytecode::{self, VERSIONS};
use tile_dialect::{Element, Mnemonic, Version, ops};
use tile_tests::programs::{Lowered, lower, valid};
use tile_tests::shape::{difference, shape};
use tile_tests::tools;

/// What the disassembler makes of a program that differs from it.
fn changed(disassembler: &Path, name: &str, program: &Lowered) -> Option<String> {
    let bytes = match bytecode::encode(&program.module, Some(&program.debug), Version::V13_4) {
        Ok(bytes) => bytes,
        Err(obstacles) => return Some(format!("{obstacles:?}")),
    };
    let text = match tools::disassemble(disassembler, &bytes) {
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
        return Some(format!("the producer is lost\n{text}"));
    }
    difference(&shape(&module, Some(&program.debug)), &shape(&read.module, Some(&read.debug)))
}

#[test]
fn the_disassembler_reads_what_was_written() {
    let Some(disassembler) = tools::find("tileirdisasm") else { return };
    let programs = valid();
    let wrong = programs.iter().filter_map(|(name, program)| {
        changed(&disassembler, name, program).map(|difference| format!("{name}: {difference}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

#[test]
fn the_disassembler_reads_every_version() {
    let Some(disassembler) = tools::find("tileirdisasm") else { return };
    let mut wrong = Vec::new();
    for (name, program) in &valid() {
        for version in VERSIONS {
            // What a version cannot hold is told, which other tests are about.
            let Ok(bytes) = bytecode::encode(&program.module, None, version) else { continue };
            let read = tools::disassemble(&disassembler, &bytes);
            wrong.extend(read.err().map(|message| format!("{name} at {version}: {message}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_programs_hold_every_op() {
    let used: Vec<Mnemonic> = valid().iter().flat_map(|(_, program)| ops_of(program)).collect();
    // What no released tool reads cannot be tried.
    for row in ops().iter().filter(|row| row.opcode.is_some() && row.since <= Version::NEWEST) {
        assert!(used.contains(&row.op), "no program has `{}`: add it to one in tests/programs", row.name);
    }
}

fn ops_of(program: &Lowered) -> impl Iterator<Item = Mnemonic> {
    program.module.entries.iter().flat_map(|body| body.ops.iter().map(|op| op.op))
}

/// Why NVIDIA's compiler refuses a valid program for a GPU, as far as is known: what it says then.
fn refusal(program: &Lowered, gpu: &str) -> Option<String> {
    // A parameter that nothing uses is not looked at.
    let values = |body: &Body| -> Vec<Value> {
        body.ops.iter().flat_map(|op| body.results(op).chain(body.operands(op).to_vec())).collect()
    };
    let uses = |body: &Body, element| {
        values(body).iter().any(|&value| body.ty(value).as_tile().and_then(|tile| tile.number()) == Some(element))
    };
    let lacks = |element: &Element| gpu == "sm_90" && program.module.entries.iter().any(|body| uses(body, *element));
    if let Some(element) = [Element::F8E8M0FNU, Element::F4E2M1FN].iter().find(|element| lacks(element)) {
        return Some(format!("unsupported type '{element}'"));
    }
    let mut params =
        program.module.entries.iter().flat_map(|body| body.regions[0].args.iter().map(|&param| body.ty(param)));
    // It gives no reason for these.
    params.any(|ty| ty.as_tile().is_none()).then(|| "failed to compile".to_string())
}

/// What the compiler does with a program that was not to be expected.
fn surprise(assembler: &Path, name: &str, program: &Lowered, gpu: &str) -> Option<String> {
    let bytes = bytecode::encode(&program.module, Some(&program.debug), Version::V13_4);
    let result = tools::assemble(assembler, &bytes.unwrap_or_default(), gpu);
    match (result, refusal(program, gpu)) {
        (Ok(()), None) => None,
        (Err(message), Some(reason)) if message.contains(&reason) => None,
        (Ok(()), Some(reason)) => Some(format!("{name} compiles for {gpu}, although: {reason}")),
        (Err(message), _) => Some(format!("{name} for {gpu}: {message}")),
    }
}

#[test]
fn the_compiler_takes_what_was_written() {
    let (Some(assembler), Some(_)) = (tools::find("tileiras"), tools::find("ptxas")) else { return };
    let (next, programs, found) = (AtomicUsize::new(0), valid(), Mutex::new(Vec::new()));
    let work = || {
        while let Some((name, program)) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            for gpu in ["sm_90", "sm_100", "sm_120"] {
                let surprise = surprise(&assembler, name, program, gpu);
                found.lock().unwrap_or_else(PoisonError::into_inner).extend(surprise);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(4));
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
