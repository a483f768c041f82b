//! Listings by NVIDIA's tools: their instructions belong to the ops that they implement.

use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::program::Program;
use tile_backend::bytecode;
use tile_backend::cuda::annotate::{self, Annotated, Class, Detail, Group, Owners};
use tile_backend::cuda::compiler::{self, Compiler};
use tile_backend::cuda::listing::Listing;
use tile_dialect::Version;
use tile_tests::{root, tools};

/// The annotated listing of an example, with its text and the instructions of each line.
struct Example {
    annotated: Annotated,
    lines: Vec<String>,
    groups: Vec<Group>,
    text: String,
}

impl Example {
    fn compiled(compiler: &Compiler, name: &str, gpu: &str, listing: Listing) -> Example {
        let text = std::fs::read_to_string(root().join(format!("examples/{name}.tile"))).expect("the example exists");
        let db = Database::default();
        let file = File::new(&db, Arc::from(text.as_str()), Options::default());
        let (program, debug) = (Program::of(&db, file), debug_info(&db, file, "a.tile"));
        let version = compiler.facts().version(Version::NEWEST).expect("the compiler reads bytecode");
        let bytes = bytecode::with_debug_info(&program, Some(&annotate::spaced(debug.clone())), version)
            .expect("the program can be encoded");
        let options = compiler::Options { line_info: true, ..compiler::Options::default() };
        let code = compiler.compile(&bytes, gpu, &options).expect("the program compiles");
        let annotated = listing.annotated(&code.cubin, compiler).expect("the code is disassembled");
        let owners = Owners::new(&program, &debug, "a.tile");
        let rendered = annotate::rendered(&annotated, &owners, Detail::Lines, "// title");
        let lines = text.lines().map(str::to_string).collect();
        Example { annotated, lines, groups: rendered.groups, text: rendered.text }
    }

    /// The instructions of a class in the lines that contain one of these ops.
    fn count(&self, class: Class, ops: &[&str]) -> u32 {
        let contains = |line: &u32| ops.iter().any(|op| self.lines[*line as usize].contains(op));
        self.groups.iter().filter(|group| group.lines.iter().any(contains)).map(|group| group.mix.of(class)).sum()
    }

    /// The instructions of a class.
    fn total(&self, class: Class) -> u32 {
        self.groups.iter().map(|group| group.mix.of(class)).sum()
    }
}

fn compiler() -> Option<Compiler> {
    let (tileiras, _, _) = (tools::find("tileiras")?, tools::find("ptxas")?, tools::find("nvdisasm")?);
    Some(Compiler::at(tileiras, None).expect("the compiler reports its version"))
}

/// A product in a loop: the ops of the loop and the last op of the product.
const PRODUCT: [&str; 5] = ["for ", "load_view_tko", "mmaf", "continue", "iter_values"];

#[test]
fn products_and_copies_of_tiles_belong_to_their_ops() {
    let Some(compiler) = compiler() else { return };
    for gpu in ["sm_80", "sm_90", "sm_100", "sm_120"] {
        let example = Example::compiled(&compiler, "gemm_tuned", gpu, Listing::Sass);
        let products = example.total(Class::TensorCore);
        assert!(products > 0, "{gpu}: {}", example.text);
        assert_eq!(example.count(Class::TensorCore, &PRODUCT), products, "{gpu}: {}", example.text);
        let copies = example.total(Class::Tma);
        assert_eq!(copies > 0, gpu != "sm_80", "{gpu}: {}", example.text);
        assert_eq!(example.count(Class::Tma, &["load_view_tko", "store_view_tko"]), copies, "{gpu}: {}", example.text);
        assert!(example.count(Class::Conversion, &["ftof"]) > 0, "{gpu}: {}", example.text);
    }
}

#[test]
fn loads_and_stores_belong_to_their_ops() {
    let Some(compiler) = compiler() else { return };
    for gpu in ["sm_80", "sm_90", "sm_100", "sm_120"] {
        for (name, loads, stores) in [
            ("softmax", &["load_view_tko"][..], &["store_view_tko"][..]),
            ("fused_attention", &["load_view_tko"], &["store_view_tko"]),
        ] {
            let example = Example::compiled(&compiler, name, gpu, Listing::Sass);
            let counts = [(Class::GlobalLoad, loads), (Class::GlobalStore, stores)];
            for (class, ops) in counts {
                let total = example.total(class);
                assert!(total > 0 && example.count(class, ops) == total, "{name}, {gpu}, {class:?}: {}", example.text);
            }
            let all = example.annotated.kernels.iter().flat_map(|kernel| kernel.instructions());
            let most = all.filter_map(|instruction| instruction.live).max();
            assert!(most.is_some_and(|most| (16..256).contains(&most)), "{name}, {gpu}: {most:?}");
        }
    }
}

#[test]
fn ptx_belongs_to_the_same_ops() {
    let Some(compiler) = compiler() else { return };
    for gpu in ["sm_90", "sm_100"] {
        let example = Example::compiled(&compiler, "gemm_tuned", gpu, Listing::Ptx);
        let products = example.total(Class::TensorCore);
        assert!(products > 0 && example.count(Class::TensorCore, &PRODUCT) == products, "{gpu}: {}", example.text);
        let copies = example.total(Class::Tma);
        assert!(copies > 0, "{gpu}: {}", example.text);
        assert_eq!(example.count(Class::Tma, &["load_view_tko", "store_view_tko"]), copies, "{gpu}: {}", example.text);
        let owned = example.groups.iter().filter(|group| !group.lines.is_empty()).map(|group| group.mix.instructions);
        let all: u32 = example.groups.iter().map(|group| group.mix.instructions).sum();
        assert!(owned.sum::<u32>() * 20 > all * 19, "{gpu}: {}", example.text);
    }
}
