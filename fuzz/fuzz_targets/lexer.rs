//! The lexer and the splitter: tokens cover every byte except whitespace, pieces cover the text, and splitting after an
//! edit gives the same pieces as splitting the new text.

#![no_main]

use fastrand::Rng;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use tile_fuzz::{limits, mutate, seeds, session, trees};
use tile_syntax::{Cut, lex, split};

/// Edits of each input.
const EDITS: usize = 4;

/// Texts that an edit inserts.
const TYPED: [&str; 10] = ["", "", "{", "}", "\n", "entry", "entry @x() {\n", "//", "\"", "cuda_tile.module @n {\n"];

fuzz_target!(init: tile_fuzz::start(seeds::programs), |bytes: &[u8]| {
    limits::text(bytes, |text| {
        let tokens = lex(text);
        trees::assert_lossless(text, &tokens);
        let mut at = 0;
        for piece in split(text) {
            assert_eq!(piece.range.start, at, "the pieces are contiguous");
            assert!(text.is_char_boundary(piece.range.end), "{piece:?}");
            at = piece.range.end;
        }
        assert_eq!(at, text.len(), "the pieces reach the end");
        let (mut text, mut cut) = (text.to_string(), Cut::new(text));
        let mut random = Rng::with_seed(tokens.len() as u64);
        for _ in 0..EDITS {
            let start = session::boundary(&text, random.usize(..=text.len()));
            let end = session::boundary(&text, start + random.usize(..20)).max(start);
            let typed = TYPED[random.usize(..TYPED.len())];
            text.replace_range(start..end, typed);
            cut.edit(&text, start..end, typed.len());
            assert_eq!(cut, Cut::new(&text), "after replacing {start}..{end} by {typed:?}");
        }
    });
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::program(data, size, max_size, seed)
});
