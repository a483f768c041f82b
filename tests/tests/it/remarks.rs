//! Each remark of NVIDIA's compilers has a page and a probable cause, and its fix works.
//!
//! Two kinds of programs provoke remarks: those of the pages, and those in `tests/remarks`.

use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::fixes;
use tile_analysis::program::Program;
use tile_backend::bytecode;
use tile_backend::cuda::compiler::{self, Compiler};
use tile_backend::cuda::notes::{Origin, PAGES, Wanted};
use tile_dialect::Version;
use tile_tests::{root, tools};

/// A program that provokes a remark.
struct Provoked {
    /// A page, whose wrong program is compiled, or the name of a file in `tests/remarks`.
    program: &'static str,
    /// The page of the remark.
    code: &'static str,
    /// A part of its message.
    message: &'static str,
    /// A part of the probable cause; empty if there is none.
    cause: &'static str,
    /// The op that it is about.
    op: &'static str,
    /// Whether 13.4 gives it too.
    since_13_4: bool,
}

const fn row(
    [program, code, op]: [&'static str; 3],
    message: &'static str,
    cause: &'static str,
    since_13_4: bool,
) -> Provoked {
    Provoked { program, code, message, cause, op, since_13_4 }
}

const LOAD: &str = "load_view_tko";
const STORE: &str = "store_view_tko";
const VIEW: &str = "make_tensor_view";

const PROVOKED: [Provoked; 25] = [
    row(["P0101", "P0101", LOAD], "base pointer not 16-byte", "`%from` is aligned to 16 bytes", true),
    row(["reduction", "P0101", "atomic_red_view_tko"], "base pointer not 16-byte", "`%p` is aligned to 16 bytes", true),
    row(["P0102", "P0102", "mmaf"], "using FMA instructions", "the factors are `f32`", true),
    row(["P0104", "P0104", "@k"], "high register usage", "1152 registers for each of 128 threads", false),
    row(["P0105", "P0105", VIEW], "may require 43 bits", "as large as `%n` allow", false),
    row(["P0106", "P0106", LOAD], "stride not 16-byte", "stride `%n` of dimension 0 is a multiple of 4 elements", true),
    row(["P0106", "P0105", VIEW], "may require 43 bits", "as large as `%n` allow", false),
    row(["tile_step", "P0106", LOAD], "contiguous striding", "advance by 33 elements", true),
    row(["P0107", "P0107", STORE], "no contiguous dimension", "the strides are [4096, 4]", true),
    row(["one_column", "P0107", LOAD], "no contiguous dimension", "the strides are [1024, 16]", true),
    row(["P0108", "P0108", STORE], "contiguous tensor extent", "has 1023 elements, which are 4092 bytes", false),
    row(["dynamic_extent", "P0108", STORE], "contiguous tensor extent", "the extent `%n` of dimension 1", false),
    row(["P0109", "P0109", LOAD], "leading tile dimension", "has 2 elements along the contiguous dimension", true),
    row(["P0110", "P0110", LOAD], "padding", "the padding value is `neg_inf`", true),
    row(["dynamic_padding", "P0110", LOAD], "padding", "the padding value is `neg_inf`", true),
    row(["P0111", "P0111", LOAD], "memory semantic must be weak", "", true),
    row(["P0112", "P0112", STORE], "rank exceeds 5-dimension limit", "has 6 dimensions", true),
    row(["descriptor_stride", "P0112", LOAD], "hardware coordinate limits", "a stride of 4398046511104 bytes", true),
    row(["descriptor_extent", "P0112", LOAD], "hardware coordinate limits", "", true),
    row(["boolean", "P0112", STORE], "unsupported element type", "the element type is `i1`", true),
    row(["hint", "P0103", STORE], "used latency", "", true),
    row(["default_hint", "P0103", STORE], "used default latency", "", true),
    row(["hint_out_of_range", "P0103", STORE], "value 99 clamped to 10", "", true),
    row(["hint_incorrect", "P0103", STORE], "incorrect allow_tma", "", true),
    row(["hint", "P0103", LOAD], "load instruction selected", "", true),
];

fn text(program: &str) -> String {
    let page = PAGES.iter().find(|page| page.code == program);
    let file =
        || std::fs::read_to_string(root().join(format!("tests/remarks/{program}.tile"))).expect("the file exists");
    page.map_or_else(file, |page| page.wrong.to_string())
}

/// All remarks of a compiler about a program for `sm_90`.
fn remarks(compiler: &Compiler, text: &str) -> Vec<Diagnostic> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    let found = db::diagnostics(&db, file);
    assert!(found.iter().all(|found| !found.is_error_everywhere()), "{found:#?}\n{text}");
    let (program, debug) = (Program::of(&db, file), debug_info(&db, file, "a.tile"));
    let version = compiler.facts().version(Version::NEWEST).expect("the compiler reads bytecode");
    let bytes = bytecode::encode(&program.module(), Some(&debug), version).expect("the program can be encoded");
    let options = compiler::Options { remarks: true, ..compiler::Options::default() };
    let code = compiler.compile(&bytes, "sm_90", &options).expect("the program compiles");
    Origin::new(&program, &debug).notes(&code, Wanted::All)
}

/// Each release with remarks, and whether it is 13.5 or newer.
fn compilers() -> Vec<(Compiler, bool)> {
    if tools::find("tileiras").is_none() || tools::find("ptxas").is_none() {
        return Vec::new();
    }
    let all = tools::releases().iter().map(|release| Compiler::at(release.folder.join("tileiras"), None));
    let all = all.map(|compiler| compiler.expect("the compiler reports its version"));
    all.filter(|compiler| compiler.facts().remarks)
        .map(|each| (each.facts().reads(Version::V13_5), each))
        .map(|(new, each)| (each, new))
        .collect()
}

#[test]
fn each_remark_has_a_page_and_a_probable_cause() {
    for (compiler, is_new) in compilers() {
        let release = compiler.facts().release.clone();
        for row in PROVOKED.iter().filter(|row| is_new || row.since_13_4) {
            let text = text(row.program);
            let found = remarks(&compiler, &text);
            let is_it = |found: &&Diagnostic| {
                let op = &text[found.range.start as usize..found.range.end as usize];
                found.page.code == row.code && op == row.op && found.message.contains(row.message)
            };
            let Some(remark) = found.iter().find(is_it) else {
                panic!("{release}: {} does not provoke {} at {}: {found:#?}", row.program, row.code, row.op)
            };
            let has_cause =
                remark.notes.iter().any(|note| note.contains("probable cause: ") && note.contains(row.cause));
            assert!(row.cause.is_empty() || has_cause, "{release}: {}: {remark:#?}", row.program);
        }
    }
}

#[test]
fn fixes_of_remarks_remove_them() {
    for (compiler, is_new) in compilers() {
        for (program, code) in [("P0101", "P0101"), ("P0106", "P0106"), ("dynamic_extent", "P0108"), ("P0105", "P0105")]
        {
            if matches!(code, "P0105" | "P0108") && !is_new {
                continue;
            }
            let mut text = text(program);
            let mut applied = 0;
            // A program can have several remarks with fixes: one for each view.
            while let Some(fix) = remarks(&compiler, &text)
                .iter()
                .filter(|found| found.page.code == code)
                .find_map(|found| found.fixes.first())
            {
                text = fixes::apply(&text, &fix.edits);
                applied += 1;
                assert!(applied < 4, "{program}: the fix does not remove the remark\n{text}");
            }
            assert!(applied > 0, "{program} has a fix");
            let left = remarks(&compiler, &text);
            assert!(left.iter().all(|found| found.page.code != code), "{program}: {left:#?}\n{text}");
        }
    }
}
