//! Bytecode: what NVIDIA's disassembler reads of ours is the program that went in, and its compiler takes it.

use tile_analysis::context::Options;
use tile_backend::bytecode::{self, VERSIONS};
use tile_dialect::Version;
use tile_tests::programs::{self, Lowered, lower};
use tile_tests::shape::shape;
use tile_tests::{examples, tools};

/// Where two shapes differ first.
fn difference(ours: &str, theirs: &str) -> Option<String> {
    let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some(format!("ours   {a:?}\ntheirs {b:?}")),
        }
    }
}

/// Programs that are valid on their own, by name.
fn programs() -> Vec<(String, Lowered)> {
    let options = Options::default();
    let examples = examples().into_iter().filter_map(|(name, text)| {
        let lowered = lower(&text, &name, options).ok()?;
        Some((name, lowered))
    });
    let pages = tile_analysis::diagnostics::PAGES.iter().filter_map(|page| {
        let lowered = lower(page.right, page.code, options).ok()?;
        Some((page.code.to_string(), lowered))
    });
    let chunks = programs::upstream_chunks().into_iter().filter(|(_, text)| !text.contains("testing$"));
    let chunks = chunks.filter_map(|(name, text)| Some((name.clone(), lower(&text, &name, options).ok()?)));
    examples.chain(pages).chain(chunks).filter(|(_, lowered)| !lowered.module.entries.is_empty()).collect()
}

#[test]
fn the_disassembler_reads_what_was_written() {
    let Some(disassembler) = tools::find("tileirdisasm") else { return };
    let mut wrong = Vec::new();
    let programs = programs();
    for (name, program) in &programs {
        let bytes = match bytecode::encode(&program.module, Some(&program.debug), Version::V13_4) {
            Ok(bytes) => bytes,
            Err(obstacles) => {
                wrong.push(format!("{name}: {obstacles:?}"));
                continue;
            }
        };
        let read = tools::disassemble(&disassembler, &bytes);
        let read = read
            .and_then(|text| lower(&text, name, Options::default()).map_err(|errors| format!("{errors:?}\n{text}")));
        let found = match &read {
            Err(message) => Some(message.clone()),
            Ok(read) => {
                difference(&shape(&program.module, Some(&program.debug)), &shape(&read.module, Some(&read.debug)))
            }
        };
        wrong.extend(found.map(|found| format!("{name}: {found}")));
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

#[test]
fn the_disassembler_reads_every_version() {
    let Some(disassembler) = tools::find("tileirdisasm") else { return };
    let mut wrong = Vec::new();
    for (name, program) in &programs() {
        for version in VERSIONS {
            // What a version cannot hold is told, which other tests are about.
            let Ok(bytes) = bytecode::encode(&program.module, None, version) else { continue };
            let read = tools::disassemble(&disassembler, &bytes);
            wrong.extend(read.err().map(|message| format!("{name} at {version}: {message}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
