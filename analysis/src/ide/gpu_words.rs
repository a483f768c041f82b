//! GPU requirements as sentences.

use crate::gpu::{self, GpuTarget};
use crate::ir::{Body, Op};
use crate::types::Type;
use tile_dialect::{ELEMENTS, ENUMS, Gpu, OpRow, Support, Version, ops};

/// The GPUs that support a feature, as a sentence such as "It needs sm_90 or later."; `None` if all do.
pub(super) fn needs(subject: &str, support: Support) -> Option<String> {
    let (since, gpus) = *support.pairs().last()?;
    let needs = format!("{subject} needs {gpus}");
    Some(match support.pairs() {
        [.., (_, before), _] => format!("{needs} ({before} with compilers before {since})."),
        _ => format!("{needs}."),
    })
}

/// The detail of a completion, prefixed with the GPUs that it needs if the target lacks it.
pub(super) fn offered(about: &str, support: Support, target: Option<GpuTarget>) -> String {
    match target.filter(|target| target.lacks(support)) {
        Some(target) => format!("needs {}; target is {}. {about}", support.at(target.compiler), target.gpu),
        None => about.to_string(),
    }
}

/// The requirements of an op for any types, as sentences.
pub(super) fn of_op(row: &OpRow) -> Vec<String> {
    let limits = row.limits.iter().filter_map(|limit| {
        let ((_, keyword), (_, element)) = (limit.attr, limit.operand);
        needs(&format!("`{keyword}` of `{element}`"), limit.gpus)
    });
    needs("It", row.gpus).into_iter().chain(limits).collect()
}

/// The requirements of an op in a program, as sentences.
pub(super) fn of_op_here(body: &Body, op: &Op) -> Vec<String> {
    gpu::requirements(body, op).iter().filter_map(|found| needs(&found.what, found.support)).collect()
}

/// The requirements of the parts of a type, as sentences.
pub(super) fn of_type(ty: Type) -> Vec<String> {
    gpu::features(ty).filter_map(|(name, support)| needs(&format!("`{name}`"), support)).collect()
}

/// The features that a GPU does not support with the newest compiler, as a sentence; `None` if it supports all.
pub(super) fn lacks(gpu: Gpu) -> Option<String> {
    let newest = Version::ALL[Version::ALL.len() - 1];
    let is_missing = |support: Support| !support.at(newest).has(gpu);
    let elements = ELEMENTS.iter().filter(|row| is_missing(row.gpus)).map(|row| format!("`{}`", row.name));
    let values = ENUMS.iter().flat_map(|of| of.values).filter(|value| is_missing(value.gpus));
    let values = values.map(|value| format!("`{}`", value.name));
    let rows = ops().iter().filter(|row| is_missing(row.gpus)).map(|row| format!("`{}`", row.name));
    let limits = ops().iter().flat_map(|row| row.limits.iter().map(move |limit| (row, limit)));
    let limits = limits.filter(|(_, limit)| is_missing(limit.gpus)).map(|(row, limit)| {
        let ((_, keyword), (_, element)) = (limit.attr, limit.operand);
        format!("`{keyword}` of `{element}` in `{}`", row.name)
    });
    let all: Vec<String> = elements.chain(values).chain(rows).chain(limits).collect();
    (!all.is_empty()).then(|| format!("Not supported: {}.", all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_dialect::{Element, Mnemonic};

    #[test]
    fn requirements_are_sentences() {
        let of = |element: Element| needs("It", element.row().gpus);
        assert_eq!(of(Element::F32), None);
        assert_eq!(of(Element::FNv8E5M3FNU).as_deref(), Some("It needs sm_107."));
        let fp8 = "It needs sm_89 or later (sm_90 or later with compilers before 13.5).";
        assert_eq!(of(Element::F8E5M2).as_deref(), Some(fp8));
        assert_eq!(of_op(Mnemonic::AtomicRmwTko.row()), ["`addf` of `bf16` needs sm_89 or later."]);
        assert_eq!(of_op(Mnemonic::MultimemStoreViewTko.row()), ["It needs sm_100, sm_103 or sm_107."]);
    }

    #[test]
    fn one_gpu_supports_everything() {
        assert_eq!(lacks(Gpu::Sm107), None);
        assert_eq!(lacks(Gpu::Sm100).as_deref(), Some("Not supported: `fnv8E5M3FNU`."));
        assert!(lacks(Gpu::Sm80).is_some_and(|all| all.contains("`f8E4M3FN`") && all.contains("`addf` of `bf16`")));
    }
}
