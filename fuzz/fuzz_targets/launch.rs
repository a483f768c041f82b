//! Launch directives and formulas: ranges of errors lie within the text, a launch is the same after printing and
//! parsing it, and evaluating it never panics.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::io;
use tile_fuzz::{limits, mutate, seeds};
use tile_launch::expr::{Scope, parse_expr};
use tile_launch::{After, Launch, LaunchError, Value, parse, parse_spec};

/// The most bytes of a buffer, and the most elements of a formula.
const MAX_BYTES: u64 = 1 << 12;
const MAX_ELEMENTS: usize = 1 << 9;

fn no_file(_: &str) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::NotFound.into())
}

fn assert_in_text(text: &str, error: &LaunchError) {
    assert!(text.get(error.range.clone()).is_some(), "{error:?} of {} bytes", text.len());
}

fn evaluate(text: &str, launch: &Launch) {
    let values = launch.args.iter().filter_map(|arg| Some((arg.name.clone(), arg.value(MAX_BYTES, &no_file).ok()?)));
    let args: Vec<(String, Value)> = values.take(4).collect();
    let before = Scope { args: &args, files: &no_file, max_elements: MAX_ELEMENTS };
    let after = After { args: &args, printed: "1", findings: &[] };
    for expect in launch.expects.iter().take(4) {
        if let Err(error) = expect.check(&after, &before) {
            assert_in_text(text, &error);
        }
    }
}

fuzz_target!(init: tile_fuzz::start(seeds::directives), |bytes: &[u8]| {
    limits::text(bytes, |text| {
        let found = parse(text, 0..text.len());
        found.errors.iter().for_each(|error| assert_in_text(text, error));
        for launch in &found.launches {
            evaluate(text, launch);
            if found.errors_in(launch).next().is_none() {
                let printed = launch.to_string();
                let again = parse(&printed, 0..printed.len());
                assert!(again.errors.is_empty() && again.launches.len() == 1, "{printed}\n{:?}", again.errors);
                assert_eq!(again.launches[0].to_string(), printed, "of\n{text}");
            }
        }
        match parse_expr(text, &[]) {
            Ok(expr) => _ = expr.eval(&Scope { args: &[], files: &no_file, max_elements: MAX_ELEMENTS }),
            Err(error) => assert_in_text(text, &error),
        }
        match parse_spec(text) {
            Ok(spec) => _ = spec.value(MAX_BYTES, &no_file),
            Err(error) => assert_in_text(text, &error),
        }
    });
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::directives(data, size, max_size, seed)
});
