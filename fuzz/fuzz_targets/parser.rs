//! The parser: the trees of a text are lossless, and their nodes and errors lie within it.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use tile_fuzz::trees::{assert_in_text, assert_lossless};
use tile_fuzz::{limits, mutate, seeds};
use tile_syntax::{PieceKind, parse_item, parse_outline, split};

fuzz_target!(init: tile_fuzz::start(seeds::programs), |bytes: &[u8]| {
    limits::text(bytes, |text| {
        let pieces = split(text);
        let outline = parse_outline(text, &pieces);
        assert_in_text(text, &outline);
        assert_lossless(text, &outline.tokens);
        for piece in pieces.iter().filter(|piece| piece.kind == PieceKind::Item) {
            let item = &text[piece.range.clone()];
            let tree = parse_item(item);
            assert_lossless(item, &tree.tokens);
            assert_in_text(item, &tree);
        }
    });
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::program(data, size, max_size, seed)
});
