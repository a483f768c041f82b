//! Decoding: from the bytes of a file to a program, of any version that is known.
//!
//! The program is in the newest form of the IR, whatever its version: what the version did not have yet has its default.
//! No bytes make the decoder panic, hang, or take memory that the length of the file does not justify: every read is
//! checked against the end of its part, and every count against the bytes that are left.
//!
//! What is decoded can be printed, encoded and looked at. Whether it keeps the rules between types and ops is another
//! question, which [`tile_analysis::print::check`] answers; only then may it be run.

mod attr;
mod body;
mod constant;
mod cursor;
mod debug;
mod error;
mod preview;
mod sections;
mod tables;
#[cfg(test)]
mod tests;
mod types;
mod value;

pub use error::Error;

use crate::bytecode::format::{function_flag, function_form, section};
use body::Head;
use cursor::Cursor;
use debug::{Debug, Track};
use error::Read;
use sections::Sections;
use std::sync::Arc;
use tables::Table;
use tile_analysis::debug_info::{DebugInfo, Locations};
use tile_analysis::ir::{Body, Global, Module};
use tile_analysis::preview::Function;
use tile_analysis::types::Type;
use tile_dialect::{VISIBILITY, Version, visibility};
use types::Types;

/// A program that was stored as bytecode.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    /// The version of the bytecode.
    pub version: Version,
    /// The program.
    pub module: Module,
    /// Where its ops come from, if the file says it.
    pub debug: Option<DebugInfo>,
}

/// The program that a bytecode file holds. Content of the SIMT preview is refused.
pub fn decode(file: &[u8]) -> Result<Decoded, Error> {
    decode_with(file, false)
}

/// The program that a bytecode file holds. `preview` says whether it may have content of the SIMT preview.
pub fn decode_with(file: &[u8], preview: bool) -> Result<Decoded, Error> {
    let sections = Sections::find(file, preview)?;
    let table = |id, what| sections.optional(id).map_or(Ok(Table::empty(what)), |part| Table::read::<4>(part, what));
    let constants = match sections.optional(section::CONSTANT) {
        Some(part) => Table::read::<8>(part, "constants")?,
        None => Table::empty("constants"),
    };
    let mut decoder = Decoder {
        version: sections.version,
        preview: sections.has_preview,
        open_values: 0,
        strings: Table::read::<4>(sections.required(section::STRING)?, "strings")?,
        types: Types::new(table(section::TYPE, "types")?),
        constants,
        debug: sections.optional(section::DEBUG).map(Debug::read).transpose()?,
        elements_left: file.len().saturating_mul(ELEMENTS_PER_BYTE),
    };
    let functions = sections.required(section::FUNCTION)?;
    decoder.debug_attrs(&functions)?;
    let mut module = Module::default();
    if let Some(mut cursor) = sections.optional(section::PRODUCER) {
        decoder.need(&cursor, cursor.offset(), "the producer section", Version::V13_3)?;
        module.producer = Some(decoder.string(&mut cursor)?.into());
        cursor.finish_padded()?;
    }
    if let Some(cursor) = sections.optional(section::GLOBAL) {
        module.globals = decoder.globals(cursor)?;
    }
    let mut entries = Vec::new();
    for function in decoder.functions(functions)? {
        match function {
            Record::Entry(body, locations) => {
                module.entries.push(Arc::new(*body));
                entries.push(locations);
            }
            Record::Bodiless(function) => module.functions.push(function),
        }
    }
    let debug = decoder.debug.map(|debug| DebugInfo { attrs: debug.into_attrs(), entries });
    Ok(Decoded { version: decoder.version, module, debug })
}

/// How many elements all constants may have for each byte of the file. Packed truth values have 8, and several constants
/// may share their bytes.
const ELEMENTS_PER_BYTE: usize = 64;

/// The tables of a file, and what has been read of them.
struct Decoder<'a> {
    version: Version,
    /// Whether the header announces preview content.
    preview: bool,
    /// How many attributes are being read, one in the other.
    open_values: usize,
    strings: Table<'a>,
    types: Types<'a>,
    constants: Table<'a>,
    debug: Option<Debug<'a>>,
    /// How many elements of constants may still come.
    elements_left: usize,
}

impl<'a> Decoder<'a> {
    /// The string whose number stands here.
    fn string(&self, cursor: &mut Cursor) -> Read<&'a [u8]> {
        let at = cursor.clone();
        let mut entry = self.strings.entry(cursor.varint()?, &at)?;
        entry.bytes(entry.left())
    }

    /// The name whose number stands here.
    fn name(&self, cursor: &mut Cursor) -> Read<Box<str>> {
        let offset = cursor.offset();
        match std::str::from_utf8(self.string(cursor)?) {
            Ok("") => cursor.fail_at(offset, "a name is empty"),
            Ok(name) => Ok(name.into()),
            Err(_) => cursor.fail_at(offset, "a name is no UTF-8 text"),
        }
    }

    fn globals(&mut self, mut cursor: Cursor<'a>) -> Read<Vec<Global>> {
        let count = cursor.count("globals", 4)?;
        let globals = (0..count).map(|_| self.global(&mut cursor)).collect::<Read<_>>()?;
        cursor.finish_padded()?;
        Ok(globals)
    }

    fn global(&mut self, cursor: &mut Cursor) -> Read<Global> {
        let name = self.name(cursor)?;
        let ty = self.ty(cursor)?;
        let value = self.constant(cursor, ty)?;
        let offset = cursor.offset();
        let alignment = cursor.varint()?;
        let Ok(alignment) = i64::try_from(alignment) else {
            return cursor.fail_at(offset, format!("{alignment} is no alignment"));
        };
        let (mut private, mut constant) = (false, false);
        if self.version >= Version::V13_3 {
            private = self.keyword(&VISIBILITY, cursor)? == visibility::PRIVATE;
            constant = cursor.varint()? != 0;
        }
        Ok(Global { name, ty, value, alignment, constant, private })
    }

    fn functions(&mut self, mut cursor: Cursor<'a>) -> Read<Vec<Record>> {
        let count = cursor.count("functions", 5)?;
        let (mut records, mut functions, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count {
            let offset = cursor.offset();
            let record = self.function(&mut cursor, records.len() - functions.len())?;
            if let Record::Bodiless(function) = &record {
                functions.push(function.clone());
                offsets.push(offset);
            }
            records.push(record);
        }
        cursor.finish_padded()?;
        self.check_functions(&cursor, &functions, &offsets)?;
        Ok(records)
    }

    /// Parameters must be tiles of rank 0. Readers of older versions print others too.
    fn check_params(&self, cursor: &Cursor, name: &str, params: &[Type]) -> Read<()> {
        let wrong = params.iter().find(|ty| ty.as_tile().is_none_or(|tile| tile.rank() != 0));
        match wrong.filter(|_| self.version >= Version::V13_5) {
            Some(ty) => {
                cursor.fail(format!("a parameter of the entry `{name}` must be a tile of rank 0, found `{ty}`"))
            }
            None => Ok(()),
        }
    }

    /// What kind of function follows.
    fn function_form(&self, cursor: &mut Cursor, name: &str) -> Read<Form> {
        let offset = cursor.offset();
        let form = cursor.byte()?;
        let is_entry = form & function_flag::KERNEL != 0;
        if self.version < Version::V13_5 {
            let has_hints = form & function_flag::HINTS != 0;
            let entry = Form::Entry { has_hints };
            return if is_entry {
                Ok(entry)
            } else {
                cursor.fail_at(offset, format!("the function `{name}` is not an entry"))
            };
        }
        let fail = |message: String| cursor.fail_at(offset, message);
        if form & !function_form::KNOWN != 0 {
            let unknown = form & !function_form::KNOWN;
            return fail(format!("unknown bits {unknown:#x} in the form of the function `{name}`"));
        }
        let is_private = form & function_form::PRIVATE != 0;
        let kind = match (is_entry, form & function_form::KIND) {
            (true, 0) if is_private => return fail(format!("the entry `{name}` is private; an entry must be public")),
            (true, 0) => return Ok(Form::Entry { has_hints: true }),
            (true, _) => return fail(format!("the entry `{name}` must have the form of a function with a body")),
            (false, 0) => Form::Declaration,
            (false, function_form::EXTERN) => Form::Implementation,
            (false, _) => return fail(format!("the function `{name}` has a form that no function may have")),
        };
        self.need_preview(cursor, offset, format_args!("the function `{name}` without a body"))?;
        if is_private { Ok(kind) } else { fail(format!("the function `{name}` has no body, so it must be private")) }
    }

    fn function(&mut self, cursor: &mut Cursor<'a>, entries_before: usize) -> Read<Record> {
        let name = self.name(cursor)?;
        let at = cursor.offset();
        let (params, results) = self.function_type(cursor)?;
        let form = self.function_form(cursor, &name)?;
        let track = Track::of(cursor.varint()?);
        let head = |params| preview::Head { name: name.clone(), params, results: results.clone(), entries_before };
        let has_hints = match form {
            Form::Declaration => return self.declaration(cursor, head(params)).map(Record::Bodiless),
            Form::Implementation => return self.implementation(cursor, head(params)).map(Record::Bodiless),
            Form::Entry { has_hints } => has_hints,
        };
        if !results.is_empty() {
            return cursor.fail_at(at, "an entry returns nothing, but this one has result types");
        }
        self.check_params(cursor, &name, &params)?;
        let hints = if has_hints { Some(self.tagged_hints(cursor)?) } else { None };
        // No hints and an empty list of hints are the same.
        let hints = hints.filter(|hints| self.version < Version::V13_5 || !hints.by_architecture.is_empty());
        let has_attrs = self.version >= Version::V13_5;
        let param_attrs = if has_attrs { self.param_attrs(cursor, params.len())? } else { Vec::new() };
        let length = cursor.varint()?;
        let body = cursor.part(length, "the body of an entry")?;
        let (body, locations) = self.body(Head { name, params, param_attrs, hints, track, body })?;
        Ok(Record::Entry(Box::new(body), locations))
    }
}

/// The form of a function.
enum Form {
    Entry { has_hints: bool },
    Declaration,
    Implementation,
}

/// A function of the function section.
enum Record {
    Entry(Box<Body>, Locations),
    Bodiless(Function),
}
