//! The bytecode decoder on any bytes: it returns an error within the file, or a program that can be printed. A valid
//! program can be encoded, and keeps its bytecode after decoding it again.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use tile_analysis::print;
use tile_backend::bytecode::decode::decode_readable;
use tile_backend::bytecode::{decode_with, encode};
use tile_fuzz::{limits, mutate, seeds};

fuzz_target!(init: tile_fuzz::start(seeds::bytecode), |bytes: &[u8]| {
    limits::limited(bytes, |bytes| match decode_readable(bytes, true) {
        Err(error) => assert!(error.offset <= bytes.len(), "{error} is beyond the end"),
        Ok(decoded) => {
            for error in decoded.warnings.iter().chain(decoded.unread.iter().map(|unread| &unread.error)) {
                assert!(error.offset <= bytes.len(), "{error} is beyond the end");
            }
        }
    });
    let Ok(decoded) = decode_readable(bytes, true) else { return };
    let debug = decoded.debug.as_ref();
    print::module(&decoded.module, debug, print::Options::default());
    let encoded = encode(&decoded.module, debug, decoded.version);
    if decoded.unread.is_empty() && print::check(&decoded.module, debug).is_ok() {
        let first = match encoded {
            Ok(first) => first,
            // The decoder accepts any attribute as the value of a hint, the encoder only numbers, Booleans and strings.
            Err(unsupported) if unsupported.iter().all(|one| one.what.contains(" of the hint ")) => return,
            Err(unsupported) => panic!("a valid program cannot be encoded: {unsupported:?}"),
        };
        let again = decode_with(&first, true).unwrap_or_else(|error| panic!("encoded bytes: {error}"));
        let second = encode(&again.module, again.debug.as_ref(), again.version);
        assert!(second.as_ref() == Ok(&first), "the decoded program has other bytecode");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::bytecode(data, size, max_size, seed)
});
