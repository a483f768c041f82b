//! Text to bytecode to text: a valid program keeps its bytecode of every version after decoding it, and after printing
//! and reading the decoded program.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use tile_analysis::context::Options;
use tile_analysis::print::{self, Style};
use tile_backend::bytecode::{VERSIONS, decode_with, encode};
use tile_fuzz::{limits, mutate, program, seeds};

fuzz_target!(init: tile_fuzz::start(seeds::valid_programs), |bytes: &[u8]| {
    limits::unlimited_text(bytes, |text| {
        let options = Options { preview: true, ..Options::default() };
        let Some(program) = program::lowered(text, options) else { return };
        for version in VERSIONS {
            let debug = Some(&program.debug);
            let Ok(bytes) = encode(&program.module, debug, version) else { continue };
            let decoded = decode_with(&bytes, true).unwrap_or_else(|error| panic!("{version}: {error}"));
            let again = encode(&decoded.module, decoded.debug.as_ref(), version);
            assert!(again.as_ref() == Ok(&bytes), "{version}: the decoded program has other bytecode: {:?}", again.err());
            if version != VERSIONS[text.len() % VERSIONS.len()] {
                continue;
            }
            let plain = encode(&decoded.module, None, version).expect("it was encoded with locations");
            for style in [Style::Custom, Style::Generic] {
                let text = print::module(&decoded.module, None, print::Options { style, ..print::Options::default() });
                let Some(read) = program::lowered(&text, options) else { panic!("{version}: errors in\n{text}") };
                let again = encode(&read.module, None, version);
                assert!(again.as_ref() == Ok(&plain), "{version}: the printed program has other bytecode\n{text}");
            }
        }
    });
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::program(data, size, max_size, seed)
});
