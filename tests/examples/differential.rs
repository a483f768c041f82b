//! Compares the modes of the CPU engine on random programs.
//!
//! ```sh
//! cargo run --release -p tile-tests --example differential -- --seed 0 --count 200000
//! ```

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tile_tests::differential;
use tile_tests::generate::{Profile, Program};

const USAGE: &str = "\
usage: differential [--seed N] [--count N] [--profile cpu|integers|gpu] [--jobs N] [--failures FOLDER]
       differential [--seed N] [--count N] [--profile cpu|integers|gpu] --show | --write FOLDER
       differential --run FILE

  --seed N            the seed of the first program (0)
  --count N           the number of programs (1000)
  --profile PROFILE   what programs may contain (cpu)
  --jobs N            the number of programs that run at once (all cores)
  --show              print the programs instead of running them
  --failures FOLDER   the folder for programs with a disagreement (failures)
  --write FOLDER      write the programs, with the results of the CPU engine as expectations
  --run FILE          run a program in every mode; the exit status is 1 if two disagree";

struct Settings {
    seed: u64,
    count: u64,
    profile: Profile,
    jobs: usize,
    show: bool,
    failures: String,
    write: Option<String>,
    run: Option<String>,
}

fn settings() -> Option<Settings> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let (profile, failures) = (Profile::Cpu, "failures".to_string());
    let mut settings = Settings { seed: 0, count: 1000, profile, jobs, show: false, failures, write: None, run: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seed" => settings.seed = arguments.next()?.parse().ok()?,
            "--count" => settings.count = arguments.next()?.parse().ok()?,
            "--jobs" => settings.jobs = arguments.next()?.parse().ok()?,
            "--show" => settings.show = true,
            "--failures" => settings.failures = arguments.next()?,
            "--write" => settings.write = Some(arguments.next()?),
            "--run" => settings.run = Some(arguments.next()?),
            "--profile" => {
                settings.profile = match arguments.next()?.as_str() {
                    "cpu" => Profile::Cpu,
                    "integers" => Profile::Integers,
                    "gpu" => Profile::Gpu,
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    Some(settings)
}

fn main() {
    let Some(settings) = settings() else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    if let Some(path) = &settings.run {
        let text = std::fs::read_to_string(path).expect("the file is readable");
        let found = differential::disagreement(&text);
        if let Some(found) = &found {
            println!("{}: {}", found.mode, found.message);
        }
        std::process::exit(i32::from(found.is_some()));
    }
    let seeds = settings.seed..settings.seed + settings.count;
    if let Some(folder) = &settings.write {
        write(folder, seeds, settings.profile).expect("the folder is writable");
        return;
    }
    if settings.show {
        seeds.for_each(|seed| println!("{}", Program::of(seed, settings.profile).text()));
        return;
    }
    let (next, failed, started) = (AtomicU64::new(seeds.start), AtomicU64::new(0), Instant::now());
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            let text = Program::of(seed, settings.profile).text();
            if let Some(found) = differential::disagreement(&text) {
                failed.fetch_add(1, Ordering::Relaxed);
                report(&settings, seed, &text, &found);
            }
            let done = seed - seeds.start + 1;
            if done.is_multiple_of(500) {
                let rate = done as f64 / started.elapsed().as_secs_f64();
                let count = seeds.end - seeds.start;
                eprint!("\r{done} of {count} programs, {} failed, {rate:.0}/s ", failed.load(Ordering::Relaxed));
                _ = std::io::stderr().flush();
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs {
            scope.spawn(work);
        }
    });
    let failed = failed.load(Ordering::Relaxed);
    println!("\n{} programs in {} modes, {failed} failed", settings.count, differential::MODES.len());
    std::process::exit(i32::from(failed > 0));
}

/// The number of programs in a file.
const IN_FILE: usize = 10;

/// Writes programs with their expectations.
fn write(folder: &str, seeds: std::ops::Range<u64>, profile: Profile) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let seeds: Vec<u64> = seeds.collect();
    for seeds in seeds.chunks(IN_FILE) {
        let mut text = "cuda_tile.module @random {\n".to_string();
        for &seed in seeds {
            match differential::with_expectations(&Program::of(seed, profile)) {
                Ok(items) => text.push_str(&items),
                Err(message) => println!("seed {seed}: {message}"),
            }
        }
        text.push_str("}\n");
        std::fs::write(format!("{folder}/p{:06}.tile", seeds[0]), text)?;
    }
    Ok(())
}

fn report(settings: &Settings, seed: u64, text: &str, found: &differential::Disagreement) {
    let path = format!("{}/{seed}.tile", settings.failures);
    let written = std::fs::create_dir_all(&settings.failures).and_then(|()| std::fs::write(&path, text));
    println!("\nseed {seed}, {}: {}", found.mode, found.message);
    match written {
        Ok(()) => println!("  written to {path}"),
        Err(error) => println!("  {path}: {error}"),
    }
}
