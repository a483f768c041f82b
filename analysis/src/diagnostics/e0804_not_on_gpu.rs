//! E0804: not on this GPU.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::{Gpu, Gpus, Support, Version};

/// The page of E0804.
pub(super) static PAGE: Page = Page {
    code: "E0804",
    name: "not-on-gpu",
    severity: Severity::Error,
    text: r#"The program uses something that the target GPU does not support, so NVIDIA's compiler rejects it for
that GPU: an element type, a pointer attribute, an op, or an op with an element type. What a GPU
supports also depends on the version of the compiler. Without a target GPU, nothing is reported.

An element type or a pointer attribute is reported where it enters the entry: at the op that makes
the first value of that type, or that uses a parameter of that type. Later ops are not reported
again, and an unused parameter is not reported at all.

The first program below has this error for sm_90."#,
    fix: r#"Use something that the GPU supports, or choose one of the GPUs that the note lists: with
`gpu = "sm_100"` in `tile.toml`, `--gpu sm_100` or the setting `tile.check.gpu`. `tile build` and
runs on a GPU check for the GPU that they compile for. If the note names a newer version of the
compiler, choose it with `--target-version`."#,
    see: &["E0801", "E0803", "versions", "ptr_attr"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f8E8M0FNU>>) {
    %a, %t = load_ptr_tko weak %p : tile<ptr<f8E8M0FNU>> -> tile<f8E8M0FNU>, token
    %u = store_ptr_tko weak %p, %a : tile<ptr<f8E8M0FNU>>, tile<f8E8M0FNU> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f8E4M3FN>>) {
    %a, %t = load_ptr_tko weak %p : tile<ptr<f8E4M3FN>> -> tile<f8E4M3FN>, token
    %u = store_ptr_tko weak %p, %a : tile<ptr<f8E4M3FN>>, tile<f8E4M3FN> -> token
  }
}
"#,
};

/// Something that the GPU does not support with this version of the compiler. `what` is the subject of the message.
pub(crate) fn not_on_gpu(range: Range<u32>, what: &str, support: Support, gpu: Gpu, compiler: Version) -> Diagnostic {
    let gpus = support.at(compiler);
    let found = Diagnostic::new(&PAGE, range, format!("{what} needs {gpus}, but the target is {gpu}"));
    let found = Diagnostic { only_for: Some(gpu), ..found }.note(format!("supported on {}", listed(gpus)));
    let later = Version::ALL.into_iter().find(|&version| version > compiler && support.at(version).has(gpu));
    match later {
        Some(version) => found.note(format!("supported on {gpu} since version {version} of the compiler")),
        None => found,
    }
}

fn listed(gpus: Gpus) -> String {
    gpus.iter().map(Gpu::name).collect::<Vec<_>>().join(", ")
}
