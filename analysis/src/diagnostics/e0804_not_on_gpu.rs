//! E0804: not on this GPU.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::{Gpu, Gpus, Support, Version};

/// The page of E0804.
pub(super) static PAGE: Page = Page {
    code: "E0804",
    name: "not-on-gpu",
    severity: Severity::Error,
    text: r#"The program uses something that the GPU it is checked for does not support, so NVIDIA's compiler
refuses it for that GPU: an element type, a pointer attribute, an op, or an op with an element type.
The message names the GPUs that support it; the note lists them. The wrong program is checked for
sm_90.

An element type or a pointer attribute is reported where it enters the entry: at the op that creates
the first value of it, or that uses a parameter of it. Later ops are not reported again, and unused
parameters are not reported at all.

`gpu = "sm_90"` in `tile.toml`, `--gpu sm_90` and the setting `tile.check.gpu` select the GPU; `tile
build` and runs on a GPU check for the GPU that they compile for. Without a GPU nothing is reported.
What a GPU supports also depends on the version of the compiler, which `--target-version` selects."#,
    fix: "Convert to an element type that the GPU supports, or choose a GPU that supports the feature.",
    see: &["E0801", "E0803", "E0515"],
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

/// Something that a GPU does not support with the compiler of a version. `what` is the subject of the message.
pub(crate) fn not_on_gpu(range: Range<u32>, what: &str, support: Support, gpu: Gpu, compiler: Version) -> Diagnostic {
    let gpus = support.at(compiler);
    let found = Diagnostic::new(&PAGE, range, format!("{what} needs {gpus}, and the target is {gpu}"));
    let found = found.note(format!("choose a GPU that supports it, or do without it: {}", listed(gpus)));
    let later = Version::ALL.into_iter().find(|&version| version > compiler && support.at(version).has(gpu));
    match later {
        Some(version) => {
            found.note(format!("version {version} of the compiler is the first that supports it on {gpu}"))
        }
        None => found,
    }
}

fn listed(gpus: Gpus) -> String {
    gpus.iter().map(Gpu::name).collect::<Vec<_>>().join(", ")
}

impl Diagnostic {
    /// Whether the program is invalid for every GPU, not only for the one that it is checked for.
    pub fn is_error_everywhere(&self) -> bool {
        self.severity == Severity::Error && self.page.code != PAGE.code
    }
}
