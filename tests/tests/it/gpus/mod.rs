//! GPU requirements: the checker reports exactly what NVIDIA's compiler refuses for a GPU.
//!
//! `tests/gpus/README.md` describes how the measurements are made.

mod measure;

use std::collections::BTreeSet;
use tile_analysis::gpu::GpuTarget;
use tile_analysis::ir::{Op, Value};
use tile_dialect::{AttrKind, Class, Element, Gpu, Mnemonic, Version, ops};
use tile_tests::gpus::refusals::{self, Measured, is_of_gpu};
use tile_tests::gpus::{self, Valid};

/// The differences between our diagnostics and the measurement of a release.
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
                // Refused for every GPU, so the measurement does not show what this one lacks.
                continue;
            }
            let reported = program.lacks(GpuTarget { gpu, compiler });
            if reason.is_some() == reported.is_empty() {
                let reported: Vec<_> = reported.into_iter().map(|found| found.message).collect();
                wrong.push(format!(
                    "{release}, {gpu}: `{}`: the compiler reports {reason:?}, `tile` reports {reported:?}",
                    program.key
                ));
            }
        }
    }
    wrong
}

#[test]
fn reports_match_the_measurements() {
    let measured = refusals::all();
    assert!(!measured.is_empty(), "no measurements in tests/gpus");
    let wrong: Vec<String> = measured.iter().flat_map(|(release, measured)| differences(release, measured)).collect();
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong[..wrong.len().min(50)].join("\n"));
}

/// If a program compiles for one GPU, a refusal for another one must name the GPU as the reason.
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
        assert!(named.contains(row.name), "no program tests `{}`; add one to tests/gpus/programs.toml", row.name);
    }
}

#[test]
fn every_op_has_a_program_for_each_restricted_element_that_it_takes() {
    let seen: BTreeSet<_> = gpus::programs(Version::NEWEST).iter().flat_map(used).collect();
    for row in ops() {
        for operand in row.operands {
            let (Class::TileOf(elements) | Class::ScalarOf(elements)) = operand.class else { continue };
            for &element in elements.iter().filter(|element| !element.row().gpus.is_everywhere()) {
                // `pack` converts between `i8` and an element of another width.
                let is_other_side = row.op == Mnemonic::Pack && element.bits() == 8;
                // Tiles of pointers to 4-bit elements must have rank 0; such elements are accessed through views.
                let is_packed = element.bits() == 4 && row.operands.iter().any(|other| other.class == Class::Pointers);
                let is_impossible = is_other_side || is_packed;
                let is_seen = seen.contains(&(row.op, element));
                assert!(is_seen || is_impossible, "no program tests `{}` with `{element}`", row.name);
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
fn write_measurements() {
    match std::env::var("TILE_MEASURE_GPUS").as_deref() {
        Ok("1") => measure::measure(""),
        Ok(only) => measure::measure(only),
        Err(_) => {}
    }
}

/// The installed compiler agrees with its measurement on a sample of programs and GPUs.
#[test]
fn the_installed_compiler_agrees_with_its_measurement() {
    measure::sample();
}
