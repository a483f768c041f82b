//! Programs that `tileiras` refuses, as measured: `gpus/tileiras-RELEASE.tsv`.

use crate::root;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use tile_dialect::Gpu;

/// The reason why a program is refused, for each GPU that it does not compile for.
pub type Refusals = BTreeMap<Gpu, String>;

/// The measurement of one release of the compiler.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Measured {
    /// Refusals by the program's key.
    pub programs: BTreeMap<String, Refusals>,
    /// The word that the keys of all measured programs contain; empty if every program was measured.
    pub only: String,
}

/// The start of the line that contains the word of [`Measured::only`].
const ONLY: &str = "# only programs with this word: ";

/// Whether the compiler names the GPU as the reason. Crashes and errors of its verifier do not depend on the GPU.
pub fn is_of_gpu(reason: &str) -> bool {
    reason.contains("Incompatibility with architecture")
}

/// The file of a release, such as `13.5.37`.
pub fn path(release: &str) -> PathBuf {
    root().join(format!("tests/gpus/tileiras-{release}.tsv"))
}

/// All measured releases with their measurements.
pub fn all() -> Vec<(String, Measured)> {
    let folder = std::fs::read_dir(root().join("tests/gpus")).expect("the folder is readable");
    let names = folder.flatten().filter_map(|file| file.file_name().into_string().ok());
    let release = |name: String| Some(name.strip_prefix("tileiras-")?.strip_suffix(".tsv")?.to_string());
    let read = |release: String| {
        let text = std::fs::read_to_string(path(&release)).expect("the file is readable");
        (release, Measured::parse(&text))
    };
    names.filter_map(release).map(read).collect()
}

impl Measured {
    /// Parses a file: one program a line, followed by `REASON: GPU GPU …` for each reason, separated by tabs.
    pub fn parse(text: &str) -> Measured {
        let mut all = Measured::default();
        for line in text.lines() {
            if let Some(only) = line.strip_prefix(ONLY) {
                all.only = only.to_string();
            }
            if line.starts_with('#') {
                continue;
            }
            let mut cells = line.split('\t');
            let refusals = all.programs.entry(cells.next().unwrap_or_default().to_string()).or_default();
            for cell in cells {
                let (reason, gpus) = cell.rsplit_once(": ").expect("a cell is `REASON: GPUS`");
                let gpus = gpus.split(' ').map(|name| Gpu::from_name(name).expect("the GPU is known"));
                refusals.extend(gpus.map(|gpu| (gpu, reason.to_string())));
            }
        }
        all
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = "# program, then each reason of a refusal with its GPUs\n".to_string();
        if !self.only.is_empty() {
            writeln!(text, "{ONLY}{}", self.only).expect("writing to a string succeeds");
        }
        for (key, refusals) in &self.programs {
            text.push_str(key);
            let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (gpu, reason) in refusals {
                reasons.entry(reason).or_default().push(gpu.name());
            }
            for (reason, gpus) in reasons {
                write!(text, "\t{reason}: {}", gpus.join(" ")).expect("writing to a string succeeds");
            }
            text.push('\n');
        }
        text
    }
}
