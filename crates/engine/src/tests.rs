//! Programs whose results were computed by hand or by other means.

mod arithmetic;
mod control;
mod conversions;
mod folds;
mod grids;
mod launches;
mod matrices;
mod memory;
mod pages;
mod recording;
mod reuse;
mod shapes;
mod shortcuts;
mod strays;
mod together;
mod views;
mod watch;

use super::*;
use crate::findings::Finding;
use tile_analysis::context::Options as CheckOptions;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::Severity;
use tile_analysis::ir::{Module, OpId};
use tile_analysis::program::Program;
use tile_dialect::Element;

/// Compiles a text, which must have no errors by the rules before 13.5.
fn program(text: &str) -> Module {
    let db = Database::default();
    let file = File::new(&db, text.into(), CheckOptions::default());
    let errors: Vec<_> = db::diagnostics(&db, file)
        .into_iter()
        // Programs before 13.5 can have tiles of pointers to f4, and views of f4 with any strides.
        .filter(|diagnostic| {
            diagnostic.severity == Severity::Error && !["E0212", "E0535"].contains(&diagnostic.page.code)
        })
        .map(|diagnostic| diagnostic.message)
        .collect();
    assert_eq!(errors, Vec::<String>::new(), "in\n{text}");
    Program::of(&db, file).module()
}

/// An entry, its arguments, and the result of its run.
struct Bench {
    module: Module,
    memory: Memory,
    arguments: Vec<Argument>,
    options: Options,
    printed: Vec<u8>,
}

impl Bench {
    /// A module with one entry of these parameters.
    fn new(parameters: &str, body: &str) -> Bench {
        Bench::of(&format!("cuda_tile.module @m {{\nentry @k({parameters}) {{\n{body}\n}}\n}}\n"))
    }

    /// The first entry of a text.
    fn of(text: &str) -> Bench {
        let options = Options { max_ops: Some(1_000_000), ..Options::default() };
        let (memory, arguments, printed) = (Memory::new(), Vec::new(), Vec::new());
        Bench { module: program(text), memory, arguments, options, printed }
    }

    fn grid(mut self, grid: [u32; 3]) -> Bench {
        self.options.grid = grid;
        self
    }

    fn sanitize(mut self) -> Bench {
        self.options.sanitize = true;
        self
    }

    /// Passes a number for the next parameter.
    fn scalar(mut self, bits: u64) -> Bench {
        self.arguments.push(Argument::Scalar(bits));
        self
    }

    /// Passes a buffer for the next parameter.
    fn buffer(mut self, element: Element, values: &[f64]) -> Bench {
        let name = self.module.entries[0].params[self.arguments.len()].clone();
        let bytes = tile_analysis::number::encode_all(element, values);
        let id = self.memory.allocate(format!("%{name}"), element, bytes);
        self.arguments.push(Argument::Pointer(id));
        self
    }

    fn try_run(&mut self) -> Result<Statistics, Box<Finding>> {
        let entry = self.module.entries[0].clone();
        run(&self.module, &entry, &self.arguments, &mut self.memory, &self.options, &mut self.printed)
    }

    fn run(mut self) -> Bench {
        if let Err(finding) = self.try_run() {
            panic!("{}: {} {:?}", finding.page.name, finding.message, finding.notes);
        }
        self
    }

    /// The contents of the buffer of a parameter.
    fn values(&self, index: usize) -> Vec<f64> {
        let Argument::Pointer(id) = self.arguments[index] else { panic!("a buffer") };
        tile_analysis::number::decode_all(self.memory.element(id), &self.memory.bytes(id))
    }

    fn printed(&self) -> String {
        String::from_utf8(self.printed.clone()).unwrap()
    }

    /// The name of the finding that ends the run, and its message.
    fn finding(mut self) -> (&'static str, String) {
        let finding = self.try_run().expect_err("a finding");
        (finding.page.name, finding.message)
    }
}

/// The output of a program without parameters.
fn printed(body: &str) -> String {
    Bench::new("", body).run().printed()
}

/// The output of a program that prints its value `%r` of a type.
fn shown(code: &str, ty: &str, conversion: &str) -> String {
    printed(&format!("{code}\nprint_tko \"{conversion}\", %r : {ty} -> token"))
}

/// Checks ops of constants: each case has the constants `%0`, `%1`, … as `<element: value> : type`, the op that defines
/// the result, the result's type, the conversion it is printed with, and what is printed.
fn check(cases: &[(&[&str], &str, &str, &str, &str)]) {
    for (constants, op, ty, conversion, expected) in cases {
        let mut code = String::new();
        for (index, constant) in constants.iter().enumerate() {
            code += &format!("%{index} = constant {constant}\n");
        }
        code += &format!("%r = {op}");
        assert_eq!(shown(&code, ty, conversion), *expected, "{op} of {constants:?}");
    }
}
