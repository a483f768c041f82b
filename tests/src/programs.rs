//! Programs that several tests use, and their IR.

use crate::{collect as collect_programs, root};
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::debug_info::{DebugInfo, debug_info};
use tile_analysis::diagnostic::Severity;
use tile_analysis::ir::Module;
use tile_analysis::program::Program;
use tile_analysis::source::Spans;
use tile_analysis::types::TypeKind;

/// The IR of a valid program.
pub struct Lowered {
    /// Its IR.
    pub module: Module,
    /// The source locations of its ops.
    pub debug: DebugInfo,
    /// The text ranges of each entry's parts.
    pub spans: Vec<Arc<Spans>>,
}

/// Lowers a program, or returns the messages of its errors.
pub fn lower(text: &str, path: &str, options: Options) -> Result<Lowered, Vec<String>> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), options);
    let found = db::diagnostics(&db, file).into_iter();
    let errors = found.filter(|found| found.severity == Severity::Error).map(|found| found.message);
    let errors: Vec<String> = errors.collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let spans = Program::of(&db, file).entries.iter().map(|(_, entry)| entry.spans.clone()).collect();
    Ok(Lowered { module: Program::of(&db, file).module(), debug: debug_info(&db, file, path), spans })
}

/// Valid programs with their names: the examples, `tests/programs`, the right programs of the diagnostics' pages, and
/// NVIDIA's tests if they are present.
pub fn valid() -> Vec<(String, Lowered)> {
    let options = Options::default();
    let examples = crate::examples().into_iter().chain(every_op());
    let examples = examples.filter_map(|(name, text)| {
        let lowered = lower(&text, &name, options).ok()?;
        Some((name, lowered))
    });
    let pages = tile_analysis::diagnostics::PAGES.iter().filter_map(|page| {
        let lowered = lower(page.right, page.code, options).ok()?;
        Some((page.code.to_string(), lowered))
    });
    let chunks = upstream_chunks().into_iter().filter(|(_, text)| !text.contains("testing$"));
    let chunks = chunks.filter_map(|(name, text)| Some((name.clone(), lower(&text, &name, options).ok()?)));
    let all = examples.chain(pages).chain(chunks);
    all.filter(|(_, program)| !program.module.entries.is_empty() && !has_foreign_types(program)).collect()
}

/// Whether a program uses a type of another dialect, which is valid but cannot be encoded as bytecode.
fn has_foreign_types(program: &Lowered) -> bool {
    let mut types = program.module.entries.iter().flat_map(|body| &body.values);
    types.any(|ty| matches!(ty.kind(), TypeKind::Foreign(_)))
}

/// The programs in `tests/programs`, which contain every op with all of its attributes and optional operands.
pub fn every_op() -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect_programs(&root().join("tests/programs"), &mut found);
    found.sort();
    found
}

/// The parts of NVIDIA's test files, with names, if `../shared` contains them. They are not part of the project.
pub fn upstream_chunks() -> Vec<(String, String)> {
    let folder = root().join("../shared/conformance/upstream");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    if files.is_empty() {
        crate::skipped_without_upstream();
    }
    files.sort();
    let chunks = files.iter().flat_map(|path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let name = path.strip_prefix(&folder).unwrap_or(path).display().to_string();
        let chunks: Vec<String> = text.split("// -----").map(str::to_string).collect();
        chunks.into_iter().enumerate().map(move |(number, chunk)| (format!("{name}#{number}"), chunk))
    });
    chunks.collect()
}

fn collect(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "mlir") {
            found.push(path);
        }
    }
}
