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
mod sections;
mod tables;
#[cfg(test)]
mod tests;
mod types;

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

/// The program that a bytecode file holds.
pub fn decode(file: &[u8]) -> Result<Decoded, Error> {
    let sections = Sections::find(file)?;
    let table = |id, what| sections.optional(id).map_or(Ok(Table::empty(what)), |part| Table::read::<4>(part, what));
    let constants = match sections.optional(section::CONSTANT) {
        Some(part) => Table::read::<8>(part, "constants")?,
        None => Table::empty("constants"),
    };
    let mut decoder = Decoder {
        version: sections.version,
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
    for (body, locations) in decoder.functions(functions)? {
        module.entries.push(Arc::new(body));
        entries.push(locations);
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

    fn functions(&mut self, mut cursor: Cursor<'a>) -> Read<Vec<(Body, Locations)>> {
        let count = cursor.count("functions", 5)?;
        let functions = (0..count).map(|_| self.function(&mut cursor)).collect::<Read<_>>()?;
        cursor.finish_padded()?;
        Ok(functions)
    }

    /// What kind of function follows, which must be an entry. Whether its hints are there.
    fn function_form(&self, cursor: &mut Cursor, name: &str) -> Read<bool> {
        let offset = cursor.offset();
        let form = cursor.byte()?;
        let since_13_5 = self.version >= Version::V13_5;
        if since_13_5 && form & !function_form::KNOWN != 0 {
            let unknown = form & !function_form::KNOWN;
            return cursor.fail_at(offset, format!("unknown bits {unknown:#x} in the form of the function `{name}`"));
        }
        if form & function_flag::KERNEL == 0 {
            return cursor.fail_at(offset, format!("the function `{name}` is not an entry"));
        }
        if since_13_5 && form & function_form::KIND != 0 {
            return cursor.fail_at(offset, format!("the entry `{name}` must have the form of a function with a body"));
        }
        if since_13_5 && form & function_form::PRIVATE != 0 {
            return cursor.fail_at(offset, format!("the entry `{name}` is private; an entry must be public"));
        }
        Ok(since_13_5 || form & function_flag::HINTS != 0)
    }

    fn function(&mut self, cursor: &mut Cursor<'a>) -> Read<(Body, Locations)> {
        let name = self.name(cursor)?;
        let params = self.signature(cursor)?;
        let has_hints = self.function_form(cursor, &name)?;
        let track = Track::of(cursor.varint()?);
        let hints = if has_hints { Some(self.tagged_hints(cursor)?) } else { None };
        // No hints and an empty list of hints are the same.
        let hints = hints.filter(|hints| self.version < Version::V13_5 || !hints.by_architecture.is_empty());
        if self.version >= Version::V13_5 {
            self.param_attrs(cursor)?;
        }
        let length = cursor.varint()?;
        let body = cursor.part(length, "the body of an entry")?;
        self.body(Head { name, params, hints, track, body })
    }
}
