//! The optimizer, with a proof by running: programs compute the same bits before and after each pass.

use std::ops::Range;
use tile_analysis::db::{Database, File};
use tile_engine::Options;
use tile_opt::at::offers;
use tile_opt::{Failure, Optimized, Pass, Settings, optimize};
use tile_tests::differential::{Outcome, Prepared};
use tile_tests::examples;
use tile_tests::generate::{Profile, Program};
use tile_tests::programs::every_op;

/// Every pass alone, and all together.
fn pipelines() -> Vec<Vec<Pass>> {
    Pass::ALL.into_iter().map(|pass| vec![pass]).chain([Pass::ALL.to_vec()]).collect()
}

/// Optimizes a valid program. It must stay valid, and optimizing it again must change nothing.
fn optimized(text: &str, passes: &[Pass]) -> Optimized {
    let run = |text: &str| match optimize(text, passes, &Settings::default(), &mut |_| {}) {
        Ok(optimized) => optimized,
        Err(Failure::Errors(errors)) => panic!("{passes:?} from or to errors: {errors:?} in\n{text}"),
        Err(Failure::Invalid { pass, text, errors }) => panic!("{pass:?} made errors: {errors:?} in\n{text}"),
    };
    let optimized = run(text);
    let again = run(&optimized.text);
    assert_eq!(again.text, optimized.text, "{passes:?} is not idempotent");
    optimized
}

/// The outcomes of all launches of a program; `None` for one with undefined behavior, or that needs a file.
struct Outcomes(Vec<Option<Outcome>>);

impl Outcomes {
    fn of(text: &str) -> Result<Outcomes, String> {
        let run = |program: Result<Prepared, String>| {
            let program = program.ok()?;
            program.run(&program.module, Options { threads: Some(1), ..Options::default() }, Vec::new()).ok()
        };
        Ok(Outcomes(Prepared::all(text)?.into_iter().map(run).collect()))
    }

    /// Compares them with those of an optimized program. Returns the number of compared launches.
    fn compare(&self, name: &str, optimized: &str) -> usize {
        let found = Outcomes::of(optimized).unwrap_or_else(|error| panic!("{name}: {error} in\n{optimized}"));
        assert_eq!(self.0.len(), found.0.len(), "{name}: launches differ");
        let pairs = self.0.iter().zip(&found.0).filter_map(|(expected, found)| Some((expected.as_ref()?, found)));
        let pairs: Vec<_> = pairs.collect();
        for (expected, found) in &pairs {
            let found = found.as_ref().unwrap_or_else(|| panic!("{name}: a launch fails\n{optimized}"));
            assert!(*expected == found, "{name}: {:?} in\n{optimized}", expected.difference(found));
        }
        pairs.len()
    }
}

/// Random programs, in two parts that run at the same time.
fn check_random(seeds: Range<u64>) {
    let mut counts = [0; Pass::ALL.len()];
    let pipelines = pipelines();
    for seed in seeds {
        let text = Program::of(seed, Profile::Cpu).text();
        let outcomes = Outcomes::of(&text).expect("a valid program");
        // All passes together run on every program, and each alone on some.
        let alone = &pipelines[seed as usize % Pass::ALL.len()];
        for passes in [alone, &pipelines[Pass::ALL.len()]] {
            let optimized = optimized(&text, passes);
            for (pass, count) in &optimized.counts {
                counts[Pass::ALL.iter().position(|other| other == pass).expect("a pass")] += count;
            }
            if optimized.text != text {
                let compared = outcomes.compare(&format!("seed {seed}, {passes:?}"), &optimized.text);
                assert_eq!(compared, 1, "seed {seed} was not compared");
            }
        }
    }
    // Random programs contain no products that need no rounding.
    let rare = [Pass::Fma];
    for (pass, count) in Pass::ALL.into_iter().zip(counts) {
        assert!(count > 100 || rare.contains(&pass), "{pass:?} made only {count} improvements");
    }
}

#[test]
fn random_programs_compute_the_same_bits() {
    check_random(0..250);
}

#[test]
fn more_random_programs_compute_the_same_bits() {
    check_random(250..500);
}

/// Applies every offer of an editor alone.
#[test]
fn offers_compute_the_same_bits() {
    let mut compared = 0;
    for seed in 0..40 {
        let text = Program::of(seed, Profile::Cpu).text();
        let outcomes = Outcomes::of(&text).expect("a valid program");
        let db = Database::default();
        let file = File::new(&db, text.as_str().into(), Default::default());
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let at = start + line.len() - line.trim_start().len();
            start += line.len();
            // One in four, to save time.
            for offer in offers(&db, file, at as u32).into_iter().filter(|_| at % 4 == 0) {
                let mut after = text.clone();
                for edit in offer.edits.iter().rev() {
                    after.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.content);
                }
                compared += outcomes.compare(&format!("seed {seed}, {}", offer.title), &after);
            }
        }
    }
    assert!(compared > 100, "only {compared} offers were compared");
}

/// The examples, and the programs with every op.
#[test]
fn examples_compute_the_same_bits() {
    let mut compared = 0;
    for (name, text) in examples().into_iter().chain(every_op()) {
        // Some need the preview.
        let Ok(outcomes) = Outcomes::of(&text) else { continue };
        for passes in pipelines() {
            let optimized = optimized(&text, &passes);
            if optimized.text != text {
                compared += outcomes.compare(&format!("{name}, {passes:?}"), &optimized.text);
            }
        }
    }
    assert!(compared > 100, "only {compared} launches were compared");
}
