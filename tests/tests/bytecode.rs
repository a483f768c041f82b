//! Bytecode: what NVIDIA's disassembler reads of ours is the program that went in, and its compiler takes it.

use std::path::Path;
use tile_analysis::context::Options;
use tile_backend::bytecode::{self, VERSIONS};
use tile_dialect::Version;
use tile_tests::programs::{self, Lowered, lower};
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
    let programs = programs::valid();
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
    for (name, program) in &programs::valid() {
        for version in VERSIONS {
            // What a version cannot hold is told, which other tests are about.
            let Ok(bytes) = bytecode::encode(&program.module, None, version) else { continue };
            let read = tools::disassemble(&disassembler, &bytes);
            wrong.extend(read.err().map(|message| format!("{name} at {version}: {message}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
