//! Printing: from the typed IR back to text.
//!
//! Custom form is printed from the same form of the op's row that the parser follows, so the text is parsed as the same
//! op. An op whose custom form cannot express the IR, such as a load with padding but without a mask, is printed in
//! generic form, which always can.
//!
//! The text is meant for people: one statement on each line, and names in the style of NVIDIA's printer. Long lines are
//! not broken; that is left to the formatter.

mod attr;
mod check;
mod custom;
mod function;
mod generic;
mod literal;
mod location;
mod names;
mod one_op;
mod options;
pub(crate) mod prefixed;
mod printer;
pub(crate) mod quote;
mod statement;
mod writer;

pub use attr::{attr_literal, hint_literal, op_attr_literal};
pub use check::{Broken, check, check_bytecode};
pub use names::{Name, Names};
pub use one_op::{OneOp, usual_name};
pub use options::{Options, Style};

use crate::debug_info::DebugInfo;
use crate::ir::{Body, Function, Hints, Module};
use location::Aliases;
use printer::Printer;
use std::borrow::Cow;
use tile_dialect::Mnemonic;
use writer::Writer;

/// The text of a whole program: one module with its globals and entries. With `debug`, every op with a location refers
/// to it, and the definitions of the locations follow the module.
pub fn module(module: &Module, debug: Option<&DebugInfo>, options: Options) -> String {
    annotated(module, debug, options, &[])
}

/// The text of optimization hints: `<sm_90 = {occupancy = 2}>`.
pub fn hints(hints: &Hints) -> String {
    let mut out = Writer::new(0);
    attr::hints(&mut out, hints);
    out.finish()
}

/// Like [`module`], with a comment above each entry for which there is a note. Notes refer to entries by index.
pub fn annotated(module: &Module, debug: Option<&DebugInfo>, options: Options, notes: &[(usize, String)]) -> String {
    text(module, debug, options, notes, &[])
}

/// Like [`module`], with names for the values of each entry, in the order of the entries.
pub fn with_names(module: &Module, names: &[Names], options: Options) -> String {
    text(module, None, options, &[], names)
}

fn text(
    module: &Module,
    debug: Option<&DebugInfo>,
    options: Options,
    notes: &[(usize, String)],
    names: &[Names],
) -> String {
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
        if let Some(names) = names.get(index) {
            printer.names = Cow::Borrowed(names);
        }
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

/// The text of a function without a body, not indented.
pub(crate) fn declaration(function: &Function) -> String {
    function::function(function, 0).trim_end().to_string()
}

/// The text of one item of a module, indented as inside the module: an entry, or a function of upstream's tests.
pub fn item(op: Mnemonic, body: &Body, options: Options) -> String {
    let mut printer = Printer::new(body, None, options, 1);
    printer.item(op);
    printer.finish()
}
