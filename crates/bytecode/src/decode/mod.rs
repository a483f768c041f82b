//! Decoding of bytecode of any known version.
//!
//! The result is in the newest form of the IR, whatever the version of the file: parts that were added later have their
//! defaults. A file of an unknown later minor version is read by the newest known rules, as far as possible.
//!
//! For any input, the decoder does not panic, hang, or use memory out of proportion to the file: every read is checked
//! against the end of its part, and every count against the remaining bytes.
//!
//! Decoded programs can be printed and encoded. The decoder does not check the rules between types and ops: use
//! [`tile_analysis::print::check`] before running a program.

mod attr;
mod body;
mod constant;
mod cursor;
mod debug;
mod debug_section;
mod decoder;
mod error;
mod function;
mod known_types;
mod preview;
mod sections;
mod tables;
#[cfg(test)]
mod tests;
mod types;
mod value;

pub use decoder::Unread;
pub use error::Error;

use crate::format::section;
use cursor::Cursor;
use debug_section::Debug;
use decoder::Decoder;
use error::Read;
use function::Functions;
use known_types::Types;
use sections::Sections;
use tables::Table;
use tile_analysis::debug_info::DebugInfo;
use tile_analysis::ir::{Global, Module};
use tile_dialect::{VISIBILITY, Version, visibility};

/// A decoded program.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    /// The version of the bytecode, or the newest known one if the file is newer.
    pub version: Version,
    /// The program.
    pub module: Module,
    /// The locations of its ops, if the file has any.
    pub debug: Option<DebugInfo>,
    /// Warnings about content that was skipped, or that some of NVIDIA's tools reject.
    pub warnings: Vec<Error>,
    /// Parts of the file that are missing from the program. Always empty in the result of [`decode`].
    pub unread: Vec<Unread>,
}

/// Decodes a bytecode file. Content of the SIMT preview is an error.
pub fn decode(file: &[u8]) -> Result<Decoded, Error> {
    decode_with(file, false)
}

/// Decodes a bytecode file. `preview` allows content of the SIMT preview.
pub fn decode_with(file: &[u8], preview: bool) -> Result<Decoded, Error> {
    let mut decoded = decode_readable(file, preview)?;
    if decoded.unread.is_empty() { Ok(decoded) } else { Err(decoded.unread.swap_remove(0).error) }
}

/// Decodes the readable part of a bytecode file: functions, globals or debug information that cannot be read are left
/// out. Fails if the file as a whole cannot be read.
pub fn decode_readable(file: &[u8], preview: bool) -> Result<Decoded, Error> {
    let sections = Sections::find(file, preview)?;
    let table = |id, what| sections.optional(id).map_or(Ok(Table::empty(what)), |part| Table::read::<4>(part, what));
    let constants = match sections.optional(section::CONSTANT) {
        Some(part) => Table::read::<8>(part, "constants")?,
        None => Table::empty("constants"),
    };
    let decoder = Decoder {
        version: sections.version,
        preview: sections.has_preview,
        open_values: 0,
        strings: Table::read::<4>(sections.required(section::STRING)?, "strings")?,
        types: Types::new(table(section::TYPE, "types")?),
        constants,
        debug: None,
        elements_left: file.len().saturating_mul(ELEMENTS_PER_BYTE),
        warnings: sections.warnings.clone(),
        unread: Vec::new(),
    };
    decoder.read(&sections)
}

/// The maximum number of elements in all constants per byte of the file. A byte holds 8 packed Booleans, and constants
/// can share bytes.
const ELEMENTS_PER_BYTE: usize = 64;

impl<'a> Decoder<'a> {
    fn read(mut self, sections: &Sections<'a>) -> Read<Decoded> {
        let functions = sections.required(section::FUNCTION)?;
        let mut module = Module::default();
        let debug = self.debug_section(sections, &functions);
        self.note_unread(debug);
        let producer = sections.optional(section::PRODUCER).map_or(Ok(None), |part| self.producer(part).map(Some));
        module.producer = self.note_unread(producer).flatten();
        let globals = sections.optional(section::GLOBAL).map_or(Ok(Vec::new()), |part| self.globals(part));
        module.globals = self.note_unread(globals).unwrap_or_default();
        let Functions { entries, locations, bodiless } = self.functions(functions);
        (module.entries, module.functions) = (entries, bodiless);
        let debug = self.debug.map(|debug| DebugInfo { attrs: debug.into_attrs(), entries: locations });
        Ok(Decoded { version: self.version, module, debug, warnings: self.warnings, unread: self.unread })
    }

    fn debug_section(&mut self, sections: &Sections<'a>, functions: &Cursor<'a>) -> Read<()> {
        self.debug = sections.optional(section::DEBUG).map(Debug::read).transpose()?;
        let read = self.debug_attrs(functions);
        if read.is_err() {
            self.debug = None;
        }
        read
    }

    fn producer(&self, mut cursor: Cursor<'a>) -> Read<Box<[u8]>> {
        self.need(&cursor, cursor.offset(), "the producer section", Version::V13_3)?;
        let producer = self.string(&mut cursor)?.into();
        cursor.finish_padded()?;
        Ok(producer)
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
            return cursor.fail_at(offset, format!("{alignment} is not a valid alignment"));
        };
        let (mut private, mut constant) = (false, false);
        if self.version >= Version::V13_3 {
            private = self.keyword(&VISIBILITY, cursor)? == visibility::PRIVATE;
            constant = cursor.varint()? != 0;
        }
        Ok(Global { name, ty, value, alignment, constant, private })
    }
}
