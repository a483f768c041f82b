//! Random programs: the checker accepts them, and every mode of the CPU engine gives the same results.

use std::collections::BTreeSet;
use tile_tests::differential::{MODES, Prepared, disagreement, with_expectations};
use tile_tests::generate::{NOT_GENERATED, Profile, Program, is_generated, public_ops};

#[test]
fn every_mode_gives_the_same_results() {
    assert!(MODES.len() > 10);
    for seed in 0..200 {
        let text = Program::of(seed, Profile::Cpu).text();
        let found = disagreement(&text);
        assert!(found.is_none(), "seed {seed}: {found:?} in\n{text}");
    }
}

/// The evaluator is independent of the engine, and supports most integer programs.
#[test]
fn integer_programs_are_evaluated() {
    let evaluator = MODES.iter().find(|mode| mode.name == "evaluator of integers").expect("a mode");
    let mut evaluated = 0;
    for seed in 0..150 {
        let text = Program::of(seed, Profile::Integers).text();
        let found = disagreement(&text);
        assert!(found.is_none(), "seed {seed}: {found:?} in\n{text}");
        let program = Prepared::of(&text).expect("a valid program");
        evaluated += usize::from(evaluator.run(&program).expect("no finding").is_some());
    }
    assert!(evaluated > 75, "only {evaluated} of 150 programs are evaluated");
}

#[test]
fn results_of_a_run_are_expectations() {
    let expected = with_expectations(&Program::of(0, Profile::Gpu)).expect("a valid program");
    assert!(expected.contains("//@ expect %"), "{expected}");
    assert!(Prepared::of(&format!("cuda_tile.module @m {{\n{expected}}}\n")).is_ok());
}

#[test]
fn a_seed_determines_the_program() {
    for profile in [Profile::Cpu, Profile::Integers, Profile::Gpu] {
        for seed in 0..20 {
            let [one, other] = [(); 2].map(|()| Program::of(seed, profile).text());
            assert_eq!(one, other);
            assert!(Prepared::of(&one).is_ok(), "seed {seed}: {:?} in\n{one}", Prepared::of(&one).err());
        }
    }
}

#[test]
fn every_op_is_generated_or_listed() {
    for row in public_ops() {
        let listed = NOT_GENERATED.iter().any(|(name, _)| *name == row.name);
        assert_ne!(is_generated(row), listed, "{}", row.name);
    }
}

#[test]
fn programs_contain_every_op() {
    let mut missing: BTreeSet<&str> =
        public_ops().filter(|row| row.opcode.is_some() && is_generated(row)).map(|row| row.name).collect();
    for seed in 0..2000 {
        let text = Program::of(seed, Profile::Cpu).text();
        let words: BTreeSet<&str> = text.split_whitespace().collect();
        missing.retain(|name| !words.contains(name));
        if missing.is_empty() {
            return;
        }
    }
    assert_eq!(missing, BTreeSet::new());
}
