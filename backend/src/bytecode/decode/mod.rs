//! Decoding: from the bytes of a file to a program, of any version that is known.
//!
//! The program is in the newest form of the IR, whatever its version: what the version did not have yet has its default.
//! A file of a later minor version than the newest known is read by the newest known rules, as far as they carry.
//!
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

use crate::bytecode::format::section;
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

/// A program that was stored as bytecode.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    /// The version of the bytecode; the newest known where the file's own is newer.
    pub version: Version,
    /// The program.
    pub module: Module,
    /// Where its ops come from, if the file says it.
    pub debug: Option<DebugInfo>,
    /// Bytes that were read although some of NVIDIA's tools refuse them, or that were skipped.
    pub warnings: Vec<Error>,
    /// Parts of the file that are missing from the program. [`decode`] returns none.
    pub unread: Vec<Unread>,
}

/// The program that a bytecode file holds. Content of the SIMT preview is refused.
pub fn decode(file: &[u8]) -> Result<Decoded, Error> {
    decode_with(file, false)
}

/// The program that a bytecode file holds. `preview` says whether it may have content of the SIMT preview.
pub fn decode_with(file: &[u8], preview: bool) -> Result<Decoded, Error> {
    let mut decoded = decode_readable(file, preview)?;
    if decoded.unread.is_empty() { Ok(decoded) } else { Err(decoded.unread.swap_remove(0).error) }
}

/// The part of a program that can be read: where a function, the globals or the debug information cannot, the rest is
/// decoded all the same. Fails where the file as a whole cannot be read.
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

/// How many elements all constants may have for each byte of the file. Packed truth values have 8, and several constants
/// may share their bytes.
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
            return cursor.fail_at(offset, format!("{alignment} is no alignment"));
        };
        let (mut private, mut constant) = (false, false);
        if self.version >= Version::V13_3 {
            private = self.keyword(&VISIBILITY, cursor)? == visibility::PRIVATE;
            constant = cursor.varint()? != 0;
        }
        Ok(Global { name, ty, value, alignment, constant, private })
    }
}
