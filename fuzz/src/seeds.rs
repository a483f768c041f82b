//! The first inputs of the targets, from the examples and tests of the repository. `.ci/fuzz seeds` adds them to the
//! corpus.

use crate::program::lowered;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use tile_analysis::context::Options;
use tile_analysis::diagnostics::PAGES;
use tile_backend::bytecode::{self, VERSIONS};
use tile_dialect::{Element, ops};
use tile_launch::{npy, words};

/// The size of the longest program that is a seed, in bytes. Large inputs make every mutation slow.
const MAX_PROGRAM: usize = 3000;

/// Writes seeds to a folder, in files named after their contents.
pub fn write(folder: &Path, seeds: &[Vec<u8>]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for seed in seeds {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        fs::write(folder.join(format!("seed-{:016x}", hasher.finish())), seed)?;
    }
    Ok(())
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "tile") {
            found.push(path);
        }
    }
}

/// The short programs of the examples, the tests, the op table and the pages of diagnostics.
pub fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = Vec::new();
    for folder in ["examples", "tests", "formatter/tests/cases", "analysis/tests/cases"] {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    let files = paths.iter().filter_map(|path| fs::read_to_string(path).ok());
    // Some files contain many cases.
    let parts = files.flat_map(|text| text.split("// -----").map(str::to_string).collect::<Vec<_>>());
    let of_ops = ops().iter().map(|row| row.example_program());
    let of_pages = PAGES.iter().flat_map(|page| [page.wrong, page.right].map(str::to_string));
    let mut all: Vec<String> = parts.chain(of_ops).chain(of_pages).filter(|text| text.len() <= MAX_PROGRAM).collect();
    all.sort();
    all.dedup();
    all
}

/// Programs.
pub fn programs() -> Vec<Vec<u8>> {
    texts().into_iter().map(String::into_bytes).collect()
}

/// Programs without errors.
pub fn valid_programs() -> Vec<Vec<u8>> {
    let valid = texts().into_iter().filter(|text| lowered(text, Options::default()).is_some());
    valid.map(String::into_bytes).collect()
}

/// Valid programs with launches, each followed by messages of a session.
pub fn sessions(messages: &[&str]) -> Vec<Vec<u8>> {
    let programs = texts().into_iter().filter(|text| text.contains("//@ launch"));
    let programs = programs.filter(|text| lowered(text, Options::default()).is_some());
    let with = |(index, text): (usize, String)| {
        let count = messages.len().min(12);
        let chosen = (0..count).map(|at| messages[(index * 5 + at) % messages.len()]);
        let messages: Vec<&str> = chosen.collect();
        crate::session::join(&text, &messages).into_bytes()
    };
    programs.enumerate().map(with).collect()
}

/// The bytecode of valid programs.
pub fn bytecode() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for (index, text) in texts().iter().enumerate() {
        let Some(program) = lowered(text, Options::default()) else { continue };
        let debug = (index % 2 == 0).then_some(&program.debug);
        let versions = [VERSIONS[index % VERSIONS.len()], VERSIONS[VERSIONS.len() - 1]];
        files.extend(versions.into_iter().filter_map(|version| bytecode::encode(&program.module, debug, version).ok()));
    }
    files
}

/// Comments with launch directives.
pub fn directives() -> Vec<Vec<u8>> {
    let examples = words::topics().filter_map(|topic| topic.notes().map(|notes| notes.example.to_string()));
    let texts = texts().into_iter().chain(examples);
    let directives = texts.filter_map(|text| {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("//@")).collect();
        (!lines.is_empty()).then(|| lines.join("\n").into_bytes())
    });
    directives.collect()
}

/// `.npy` files of several types and shapes.
pub fn npy_files() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for element in
        [Element::I1, Element::I8, Element::I32, Element::F16, Element::BF16, Element::F64, Element::F4E2M1FN]
    {
        for shape in [&[][..], &[0], &[3], &[2, 3]] {
            let count: u64 = shape.iter().product();
            let mut file = npy::header(element, shape);
            file.extend((0..count as usize * element.bytes()).map(|byte| byte as u8 % 2));
            files.push(file);
        }
    }
    let dictionaries = [
        "{'descr': '>i4', 'fortran_order': True, 'shape': (2, 2), }",
        "{'descr': '|V2', 'fortran_order': False, 'shape': (1,), }",
        "{\"shape\": (1, 1, 1), 'fortran_order': False, 'descr': '<u8'}",
    ];
    for (version, text) in (1..).zip(dictionaries) {
        let mut file = b"\x93NUMPY".to_vec();
        file.extend([version, 0]);
        let length = (text.len() as u32).to_le_bytes();
        file.extend(&length[..if version == 1 { 2 } else { 4 }]);
        file.extend(text.as_bytes());
        file.extend([1; 16]);
        files.push(file);
    }
    files
}

/// Project files.
pub fn project_files() -> Vec<Vec<u8>> {
    let files = [
        "target-version = \"13.3\"\ngpu = \"sm_90\"\nline-width = 120\npreview = [\"simt\"]\n",
        "exclude = [\"gen\", \"*.mlir\", \"a/**/b?[c-d]{e,f}\"]\n\n[lints]\nL0001 = \"off\"\nfor-step = \"error\"\n",
        "line-width = 0x50 # comment\nlints = { L0001 = 'hint', \"a\\u00e9\" = \"warning\" }\n",
        "preview = [\n  \"simt\",\n]\nexclude = []\n[lints]\n'x' = \"\"\"info\"\"\"\n",
        "gpu = 1.0\nunknown = 1979-05-27T07:32:00Z\n[[lints]]\n",
    ];
    files.map(|text| text.as_bytes().to_vec()).to_vec()
}
