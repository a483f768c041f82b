//! Printing: from the typed IR back to text.
//!
//! Custom form is driven by the same form of the op's row that the parser follows, so what is printed is what is read. An op
//! whose custom form cannot say what the IR holds, such as a load with padding but without a mask, is printed in generic
//! form, which always can.
//!
//! The text is made for people: one statement a line, names in the manner of NVIDIA's printer. It does not break long lines;
//! that is the formatter's.

mod attr;
mod custom;
mod generic;
mod literal;
mod names;
mod statement;
mod writer;

use crate::ir::{Body, Global, Module};
use statement::Printer;
use tile_dialect::{Mnemonic, Version};

/// How a program is printed.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The form of the ops.
    pub style: Style,
    /// The version whose spellings are used.
    pub version: Version,
}

/// The form in which ops are printed. Modules, globals and entries are always in custom form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// As the op's row says, as people write it.
    Custom,
    /// `"cuda_tile.addi"(%a, %b) <{…}> : (…) -> …`: every attribute and every type is spelt out.
    Generic,
}

impl Default for Options {
    fn default() -> Options {
        Options { style: Style::Custom, version: Version::NEWEST }
    }
}

/// The text of a whole program: one module with its globals and entries.
pub fn module(module: &Module, options: Options) -> String {
    let mut text = String::from("cuda_tile.module @kernels {\n");
    for global in &module.globals {
        text.push_str(&self::global(global, options));
    }
    for (index, entry) in module.entries.iter().enumerate() {
        if index > 0 || !module.globals.is_empty() {
            text.push('\n');
        }
        text.push_str(&item(Mnemonic::Entry, entry, options));
    }
    text.push_str("}\n");
    text
}

/// The text of one item of a module, indented as it stands there: an entry, or a function of upstream's tests.
pub fn item(op: Mnemonic, body: &Body, options: Options) -> String {
    let mut printer = Printer::new(body, options, 1);
    printer.item(op);
    printer.finish()
}

fn global(global: &Global, options: Options) -> String {
    let nothing = Body::default();
    let mut printer = Printer::new(&nothing, options, 1);
    printer.global(global);
    printer.finish()
}
