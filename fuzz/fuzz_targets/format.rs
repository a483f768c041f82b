//! The formatter: it is idempotent and keeps all tokens, strings and comments. A text without syntax errors has none
//! afterwards, and a valid program keeps its meaning.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use tile_analysis::context::Options as CheckOptions;
use tile_backend::bytecode::{VERSIONS, encode};
use tile_fmt::{Options, format, format_range};
use tile_fuzz::{limits, mutate, program, seeds, session};
use tile_syntax::lex;

/// The characters of the tokens and comments, without dialect prefixes and whitespace.
fn significant(text: &str) -> String {
    let tokens = lex(text);
    let mut parts: Vec<(u32, u32)> = (0..tokens.len()).map(|at| (tokens.start(at), tokens.end(at))).collect();
    parts.extend(tokens.comments());
    parts.sort_unstable();
    let parts = parts.into_iter().flat_map(|(start, end)| text[start as usize..end as usize].chars());
    let all: String = parts.filter(|c| !c.is_whitespace()).collect();
    all.replace("!cuda_tile.", "").replace("#cuda_tile.", "").replace("cuda_tile.", "")
}

fn bytecode(text: &str) -> Option<Vec<u8>> {
    let program = program::lowered(text, CheckOptions::default())?;
    encode(&program.module, None, VERSIONS[VERSIONS.len() - 1]).ok()
}

fuzz_target!(init: tile_fuzz::start(seeds::programs), |bytes: &[u8]| {
    limits::text(bytes, |text| {
        let width = [100, 40, 1000][text.len() % 3];
        let options = Options { width };
        let formatted = format(text, &options);
        assert_eq!(format(&formatted, &options), formatted, "formatting again");
        let start = session::boundary(text, text.len() / 3);
        let end = session::boundary(text, text.len() / 2);
        let part = format_range(text, start..end, &options);
        let (before, after) = (significant(text), significant(&part));
        assert_eq!(before, after, "formatting {start}..{end} changes tokens");
        if program::has_syntax_errors(text) {
            assert_eq!(before, significant(&formatted));
        } else {
            assert!(!program::has_syntax_errors(&formatted), "formatting adds errors:\n{formatted}");
        }
    });
    if let Some(before) = str::from_utf8(bytes).ok().and_then(|text| Some((text, bytecode(text)?))) {
        let (text, before) = before;
        assert_eq!(bytecode(&format(text, &Options::default())), Some(before), "formatting changes the program");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::program(data, size, max_size, seed)
});
