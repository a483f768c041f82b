//! What a GPU runs, as far as that can be seen without one: the compiler takes it, and says why when it does not.

use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::ir::Module;
use tile_backend::bytecode;
use tile_backend::cuda::compiler::{CompileError, Compiler};
use tile_backend::cuda::marks;
use tile_dialect::Version;
use tile_tests::tools;

fn module(text: &str) -> Module {
    let db = Database::default();
    db::module(&db, File::new(&db, Arc::from(text), Options::default()))
}

fn encoded(module: &Module) -> Vec<u8> {
    bytecode::encode(module, None, Version::NEWEST).expect("it has bytecode")
}

#[test]
fn the_compiler_makes_code() {
    let (Some(_), Some(_)) = (tools::find("tileiras"), tools::find("ptxas")) else { return };
    let compiler = Compiler::find().expect("it is on the search path");
    let printing = module("cuda_tile.module @m {\n entry @k() {\n print_tko \"hello\" -> token\n }\n}\n");
    let code = compiler.compile(&encoded(&printing), "sm_90").expect("it compiles");
    assert_eq!(&code[..4], b"\x7FELF");
    // Hopper has no scales of this type.
    let text = "cuda_tile.module @m {\n entry @k(%p: tile<ptr<f8E8M0FNU>>) {\n \
        %a, %t = load_ptr_tko weak %p : tile<ptr<f8E8M0FNU>> -> tile<f8E8M0FNU>, token\n \
        %u = store_ptr_tko weak %p, %a : tile<ptr<f8E8M0FNU>>, tile<f8E8M0FNU> -> token\n }\n}\n";
    match compiler.compile(&encoded(&module(text)), "sm_90") {
        Err(CompileError::Refused { said }) => assert!(said.contains("f8E8M0FNU"), "{said}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn printing_ops_are_marked_in_the_launched_entry() {
    let text = "cuda_tile.module @m {\n entry @k() {\n %a = iota : tile<4xi32>\n print_tko \"a %d\", %a : tile<4xi32> -> token\n }\n \
        entry @other() {\n print_tko \"b\" -> token\n }\n}\n";
    let mut marked = module(text);
    marks::mark(&mut marked, "k");
    let bytes = encoded(&marked);
    let holds = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(holds(b"\x011\x02a %d"), "the op is the second one of its entry");
    assert!(holds(b"b") && !holds(b"\x02b"), "another entry stays as it is");
}
