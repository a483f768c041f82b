//! Random programs: the checker accepts them, and every mode of the CPU engine gives the same results.

use std::collections::BTreeSet;
use tile_tests::differential::{MODES, Prepared, disagreement};
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
