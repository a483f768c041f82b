//! Printing: from the typed IR back to text.
//!
//! Custom form is driven by the same form of the op's row that the parser follows, so what is printed is what is read. An op
//! whose custom form cannot say what the IR holds, such as a load with padding but without a mask, is printed in generic
//! form, which always can.
//!
//! The text is made for people: one statement a line, names in the manner of NVIDIA's printer. It does not break long lines;
//! that is the formatter's.

mod attr;
mod check;
mod custom;
mod function;
mod generic;
mod literal;
mod location;
mod names;
mod one;
mod options;
mod printer;
pub(crate) mod quote;
pub(crate) mod spelt;
mod statement;
mod writer;

pub use attr::attr_literal;
pub use check::{Broken, check, check_bytecode};
pub use one::{OneOp, usual_name};
pub use options::{Options, Style};
pub use quote::string_literal;

use crate::debug_info::DebugInfo;
use crate::ir::{Body, Function, Module};
use location::Aliases;
use printer::Printer;
use tile_dialect::Mnemonic;
use writer::Writer;

/// The text of a whole program: one module with its globals and entries. With `debug` every op that has a location says
/// it, and a table of what the locations stand for follows.
pub fn module(module: &Module, debug: Option<&DebugInfo>, options: Options) -> String {
    annotated(module, debug, options, &[])
}

/// The same, with a comment above each entry that a note names by its number.
pub fn annotated(module: &Module, debug: Option<&DebugInfo>, options: Options, notes: &[(usize, String)]) -> String {
    let aliases = debug.map(Aliases::of);
    let nothing = Body::default();
    let mut head = Printer::new(&nothing, None, options, 0);
    head.module(module.producer.as_deref());
    let mut text = head.finish();
    for global in &module.globals {
        let mut printer = Printer::new(&nothing, None, options, 1);
        printer.global(global);
        text.push_str(&printer.finish());
    }
    let mut functions = module.functions.iter().peekable();
    for (index, entry) in module.entries.iter().enumerate() {
        while let Some(before) = functions.next_if(|function| function.entries_before <= index) {
            text.push_str(&function::function(before, 1));
        }
        if !text.ends_with(" {\n") {
            text.push('\n');
        }
        for (_, note) in notes.iter().filter(|(entry, _)| *entry == index) {
            text.push_str(&format!("  // {}\n", note.replace(char::is_control, " ")));
        }
        let locations = debug.and_then(|debug| debug.entries.get(index));
        let mut printer = Printer::new(entry, aliases.as_ref().zip(locations), options, 1);
        printer.item(Mnemonic::Entry);
        text.push_str(&printer.finish());
    }
    functions.for_each(|function| text.push_str(&function::function(function, 1)));
    text.push_str("}\n");
    if let Some(aliases) = aliases {
        let mut out = Writer::new(0);
        aliases.push_table(&mut out);
        text.push_str(&out.finish());
    }
    text
}

/// The text of a function without a body, without the indentation that it has in a module.
pub(crate) fn declaration(function: &Function) -> String {
    function::function(function, 0).trim_end().to_string()
}

/// Prints one item of a module with its indentation: an entry, or a function of upstream's tests.
pub fn item(op: Mnemonic, body: &Body, options: Options) -> String {
    let mut printer = Printer::new(body, None, options, 1);
    printer.item(op);
    printer.finish()
}
