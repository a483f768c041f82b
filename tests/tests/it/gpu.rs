//! GPU code, as far as it can be tested without a GPU: NVIDIA's compiler accepts our bytecode, and its messages are
//! mapped to ops.

use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::ir::Module;
use tile_analysis::program::Program;
use tile_backend::bytecode;
use tile_backend::cuda::compiler::{self, CompileError, Compiler};
use tile_backend::cuda::notes::{Origin, Wanted};
use tile_backend::cuda::{object_file, prints};
use tile_dialect::Version;
use tile_tests::tools;

fn module(text: &str) -> Module {
    let db = Database::default();
    Program::of(&db, File::new(&db, Arc::from(text), Options::default())).module()
}

fn encoded(module: &Module) -> Vec<u8> {
    bytecode::encode(module, None, Version::NEWEST).expect("the program can be encoded")
}

/// The installed compiler, without a cache.
fn compiler() -> Option<Compiler> {
    let (path, _) = (tools::find("tileiras")?, tools::find("ptxas")?);
    Some(Compiler::at(path, None).expect("the compiler reports its version"))
}

/// Compiles a program; returns the code, line and message of each note or error.
fn messages_of(compiler: &Compiler, text: &str, wanted: Wanted) -> Vec<(&'static str, u32, String)> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    assert_eq!(db::diagnostics(&db, file), [], "{text}");
    let program = Program::of(&db, file);
    let debug = debug_info(&db, file, "a.tile");
    let bytes = bytecode::encode(&program.module(), Some(&debug), Version::NEWEST).expect("the program can be encoded");
    let origin = Origin::new(&program, &debug);
    let options = compiler::Options { remarks: true, ..compiler::Options::default() };
    let found = match compiler.compile(&bytes, "sm_90", &options) {
        Ok(code) => origin.notes(&code, wanted),
        Err(CompileError::Refused { output }) => origin.refusal("sm_90", &output),
        Err(other) => panic!("{other}"),
    };
    let row = |at: u32| 1 + text[..at as usize].matches('\n').count() as u32;
    found.into_iter().map(|found| (found.page.code, row(found.range.start), found.message)).collect()
}

#[test]
fn the_compiler_produces_code() {
    let Some(compiler) = compiler() else { return };
    let printing = module("cuda_tile.module @m {\n entry @k() {\n print_tko \"hello\" -> token\n }\n}\n");
    let options = compiler::Options::default();
    let code = compiler.compile(&encoded(&printing), "sm_90", &options).expect("the program compiles");
    assert_eq!(&code.cubin[..4], b"\x7FELF");
    // Since 13.5 the compiler always keeps the PTX; before, only with debug information.
    assert_eq!(object_file::ptx(&code.cubin).is_some(), compiler.facts().reads(Version::V13_5));
    let text = "cuda_tile.module @m {\n entry @k() {\n print_tko \"hello\" -> token\n }\n}\n";
    let db = Database::default();
    let debug = debug_info(&db, File::new(&db, Arc::from(text), Options::default()), "a.tile");
    let bytes = bytecode::encode(&printing, Some(&debug), Version::NEWEST).expect("the program can be encoded");
    let code = compiler.compile(&bytes, "sm_90", &options).expect("the program compiles");
    assert!(object_file::ptx(&code.cubin).is_some_and(|ptx| ptx.starts_with(".version") && ptx.contains(".entry k")));
}

#[test]
fn the_compiler_produces_code_for_every_gpu_it_knows() {
    let Some(compiler) = compiler() else { return };
    let text =
        std::fs::read_to_string(tile_tests::root().join("examples/vector_add.tile")).expect("the example exists");
    let bytes = encoded(&module(&text));
    let wanted = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120"];
    let known = wanted.into_iter().filter(|gpu| compiler.facts().gpus.iter().any(|known| known == gpu));
    let known: Vec<&str> = known.collect();
    assert!(known.len() >= 4, "{known:?}");
    for gpu in known {
        let code = compiler.compile(&bytes, gpu, &compiler::Options::default());
        assert!(code.is_ok_and(|code| code.cubin.starts_with(b"\x7FELF")), "{gpu}");
    }
}

/// Codes that the compiler reports since 13.5.
const SINCE_13_5: [&str; 2] = ["P0104", "P0105"];

#[test]
fn the_wrong_programs_of_the_compilers_pages_are_reported() {
    let Some(compiler) = compiler() else { return };
    if !compiler.facts().remarks {
        return tile_tests::skipped("the compiler is too old to emit remarks");
    }
    for page in tile_backend::cuda::notes::PAGES {
        if SINCE_13_5.contains(&page.code) && !compiler.facts().reads(Version::V13_5) {
            tile_tests::skipped(format!("the compiler is too old for {}", page.code));
            continue;
        }
        let wanted = if page.code == "P0103" { Wanted::All } else { Wanted::Missed };
        let [wrong, right] = [page.wrong, page.right].map(|text| messages_of(&compiler, text, wanted));
        assert!(wrong.iter().any(|(code, ..)| *code == page.code), "{}: {wrong:?}", page.code);
        assert_eq!(right, [], "{}", page.code);
    }
}

#[test]
fn messages_of_the_compiler_are_reported_at_their_op() {
    let Some(compiler) = compiler() else { return };
    let at = |code: &str, text: &str| {
        let found = messages_of(&compiler, text, Wanted::Missed);
        let one = found.iter().find(|(known, ..)| *known == code).cloned();
        one.unwrap_or_else(|| panic!("{found:?} in\n{text}"))
    };
    let page = |code: &str| {
        tile_backend::cuda::notes::PAGES.iter().find(|page| page.code == code).expect("the page exists").wrong
    };
    let scales =
        "cuda_tile.module @m {\n  entry @k() {\n    %a = constant <f8E8M0FNU: 1.0> : tile<f8E8M0FNU>\n  }\n}\n";
    assert_eq!(at("E0803", scales).1, 3);
    let (_, row, message) = at("P0101", page("P0101"));
    assert!(row == 6 && message.contains("16-byte aligned"), "{row}: {message}");
    assert_eq!(at("P0102", page("P0102")).1, 12);
    // With explicit locations in another file, the message is still at the op in this text.
    let head = "#file = #cuda_tile.di_file<\"k.py\" in \"/src\">\n#unit = #cuda_tile.di_compile_unit<file = #file>\n\
        #k = #cuda_tile.di_subprogram<file = #file, line = 1, name = \"square\", linkageName = \"square\", compileUnit = #unit, scopeLine = 1>\n\
        #at = #cuda_tile.di_loc<loc(\"k.py\":7:9) in #k>\n";
    let placed: Vec<String> = page("P0102")
        .lines()
        .map(|line| match line.trim_start().starts_with('%') {
            true => format!("{line} loc(#at)\n"),
            false if line == "  }" => "  } loc(#at)\n".to_string(),
            false => format!("{line}\n"),
        })
        .collect();
    assert_eq!(at("P0102", &format!("{head}{}", placed.concat())).1, 4 + 12);
}

#[test]
fn printing_ops_are_marked_in_the_launched_entry() {
    let text = "cuda_tile.module @m {\n entry @k() {\n %a = iota : tile<4xi32>\n print_tko \"a %d\", %a : tile<4xi32> -> token\n }\n \
        entry @other() {\n print_tko \"b\" -> token\n }\n}\n";
    let mut marked = module(text);
    prints::rewrite(&mut marked, "k", [1; 3], Version::NEWEST);
    let bytes = encoded(&marked);
    let contains = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(contains(b"\x01print 1\x02a %d"), "the op is the second one of its entry");
    assert!(contains(b"b") && !contains(b"\x02b"), "other entries are unchanged");
}

#[test]
fn the_compiler_accepts_the_lock_around_prints() {
    let Some(compiler) = compiler() else { return };
    let text = "cuda_tile.module @m {\n entry @k(%n: tile<i32>) {\n %a = iota : tile<4xi64>\n \
        %one = constant <i32: 1> : tile<i32>\n for %i in (%one to %n, step %one) : tile<i32> {\n \
        print_tko \"<%> %i\\n\", %i, %a : tile<i32>, tile<4xi64> -> token\n }\n }\n}\n";
    let mut locked = module(text);
    prints::rewrite(&mut locked, "k", [2, 3, 4], Version::NEWEST);
    let facts = compiler.facts();
    let version = facts.version(Version::NEWEST).expect("the compiler reads a known bytecode version");
    let bytes = bytecode::encode(&locked, None, version).expect("the program can be encoded");
    let code = compiler.compile(&bytes, "sm_90", &compiler::Options::default()).expect("the program compiles");
    assert_eq!(&code.cubin[..4], b"\x7FELF");
}
