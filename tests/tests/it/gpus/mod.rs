//! What each GPU lacks: whatever NVIDIA's compiler refuses for a GPU is reported, and nothing else.
//!
//! `tests/gpus/README.md` says how the files are made that this compares with.

mod measure;

use std::collections::BTreeSet;
use tile_analysis::gpu::GpuTarget;
use tile_analysis::ir::{Op, Value};
use tile_dialect::{AttrKind, Class, Element, Gpu, Mnemonic, Version, ops};
use tile_tests::gpus::refusals::{self, Measured, is_of_gpu};
use tile_tests::gpus::{self, Valid};

/// The reports that differ from what a release of the compiler does.
fn differences(release: &str, measured: &Measured) -> Vec<String> {
    let compiler = gpus::version_of(release);
    let mut wrong = Vec::new();
    for program in gpus::programs(compiler) {
        let Some(refusals) = measured.programs.get(&program.key) else {
            if program.key.contains(&measured.only) {
                wrong.push(format!("{release}: `{}` has not been measured", program.key));
            }
            continue;
        };
        for gpu in Gpu::ALL {
            let reason = refusals.get(&gpu);
            if reason.is_some_and(|reason| !is_of_gpu(reason)) {
                // Refused for every GPU, so the measurement does not show whether this one lacks anything.
                continue;
            }
            let reported = program.lacks(GpuTarget { gpu, compiler });
            if reason.is_some() == reported.is_empty() {
                let reported: Vec<_> = reported.into_iter().map(|found| found.message).collect();
                wrong.push(format!("{release}, {gpu}: `{}`: {reason:?}, but reported is {reported:?}", program.key));
            }
        }
    }
    wrong
}

#[test]
fn what_the_compiler_refuses_for_a_gpu_is_reported_and_nothing_else() {
    let measured = refusals::all();
    assert!(!measured.is_empty(), "the measurements are there");
    let wrong: Vec<String> = measured.iter().flat_map(|(release, measured)| differences(release, measured)).collect();
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong[..wrong.len().min(50)].join("\n"));
}

/// Where a program compiles for one GPU, a refusal for another one is about that GPU, so it must say so.
#[test]
fn other_refusals_do_not_depend_on_the_gpu() {
    for (release, measured) in refusals::all() {
        for (key, refusals) in &measured.programs {
            let compiles = Gpu::ALL.into_iter().any(|gpu| !refusals.contains_key(&gpu));
            let other = refusals.iter().find(|(_, reason)| !is_of_gpu(reason));
            assert!(!compiles || other.is_none(), "{release}: `{key}`: {other:?}");
        }
    }
}

#[test]
fn every_op_has_programs() {
    let programs = gpus::programs(Version::NEWEST);
    let named: BTreeSet<&str> = programs.iter().flat_map(|program| &program.ops).map(String::as_str).collect();
    for row in ops().iter().filter(|row| !row.name.contains('$')) {
        assert!(named.contains(row.name), "no program is about `{}`: add it to tests/gpus/programs.toml", row.name);
    }
}

#[test]
fn every_op_has_a_program_for_each_restricted_element_that_it_takes() {
    let seen: BTreeSet<_> = gpus::programs(Version::NEWEST).iter().flat_map(used).collect();
    for row in ops() {
        for operand in row.operands {
            let (Class::TileOf(elements) | Class::ScalarOf(elements)) = operand.class else { continue };
            for &element in elements.iter().filter(|element| !element.row().gpus.is_everywhere()) {
                // The other side of `pack` is i8, and it changes the width.
                let is_other_side = row.op == Mnemonic::Pack && element.bits() == 8;
                // Tiles of pointers to elements of four bits have rank 0: such elements are accessed through views.
                let is_packed = element.bits() == 4 && row.operands.iter().any(|other| other.class == Class::Pointers);
                let is_impossible = is_other_side || is_packed;
                let is_seen = seen.contains(&(row.op, element));
                assert!(is_seen || is_impossible, "no program gives `{element}` to `{}`", row.name);
            }
        }
    }
}

/// The ops of a program with the elements of their operands.
fn used(program: &Valid) -> Vec<(Mnemonic, Element)> {
    let body = program.body();
    let element = |value: &Value| body.ty(*value).as_tile()?.number();
    let of_op = |op: &Op| body.operands(op).iter().filter_map(element).map(|element| (op.op, element)).collect();
    body.ops.iter().flat_map(|op| -> Vec<_> { of_op(op) }).collect()
}

#[test]
fn limits_name_attributes_and_operands() {
    for row in ops() {
        for limit in row.limits {
            let ((attr, keyword), (operand, _)) = (limit.attr, limit.operand);
            let (_, attr) = row.attr_named(attr).unwrap_or_else(|| panic!("`{}` has no `{attr}`", row.name));
            let AttrKind::Enum { of, .. } = attr.kind else { panic!("`{}` is not an enum", attr.name) };
            assert!(of.value(keyword).is_some() && row.operand_named(operand).is_some(), "{}: {limit:?}", row.name);
        }
    }
}

#[test]
fn measure_anew() {
    match std::env::var("TILE_MEASURE_GPUS").as_deref() {
        Ok("1") => measure::measure(""),
        Ok(only) => measure::measure(only),
        Err(_) => {}
    }
}

/// The compiler of the search path still does what was measured: a part of the programs, on a part of the GPUs.
#[test]
fn the_installed_compiler_does_what_was_measured() {
    measure::sample();
}
