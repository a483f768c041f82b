//! Project files (`tile.toml`): rows of settings and errors lie within the file.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::path::Path;
use tile_config::Config;
use tile_fuzz::{limits, mutate, seeds};

/// The memory for each byte. The TOML parser needs about 80 bytes for each byte of a dotted key or of nested brackets,
/// but a project file has at most 1 MiB.
const MEMORY_PER_BYTE: usize = 100;

fuzz_target!(init: tile_fuzz::start(seeds::project_files), |bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    limits::limited_to(MEMORY_PER_BYTE, bytes, |_| {
        let rows = 1..=text.matches('\n').count() + 1;
        match Config::parse(text, Path::new("/project/tile.toml")) {
            Ok(config) => {
                let values = [&config.target_version, &config.gpu].into_iter().flatten().chain(&config.preview);
                assert!(values.chain(config.lints.iter().map(|(lint, _)| lint)).all(|value| rows.contains(&value.row)));
                config.excludes(Path::new("/project/a/b.tile"));
            }
            Err(message) => {
                let rest = message.strip_prefix("/project/tile.toml:").expect("the path comes first");
                let (row, message) = rest.split_once(": ").expect("the row follows");
                assert!(row.parse().is_ok_and(|row: usize| rows.contains(&row)), "{row} of {rows:?}: {message}");
                assert!(!message.is_empty());
            }
        }
    });
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::project_file(data, size, max_size, seed)
});
