//! Decodes the header and the sections of a file.

use super::cursor::Cursor;
use super::error::{Error, Read};
use crate::format::{MAGIC, PREVIEW_BIT, VERSIONS, section, version_bytes};
use tile_dialect::{PREVIEW_FEATURE, PREVIEW_VERSION, Version};

/// The sections of a file, by number.
pub(super) struct Sections<'a> {
    pub(super) version: Version,
    /// Warnings about parts that were skipped, or read by the rules of another version.
    pub(super) warnings: Vec<Error>,
    /// Whether the header announces preview content.
    pub(super) has_preview: bool,
    parts: [Option<Cursor<'a>>; KNOWN],
    /// The end of the file, where missing sections are reported.
    end: Cursor<'a>,
}

const KNOWN: usize = section::PRODUCER as usize + 1;

/// The names of the sections in messages.
const NAMES: [&str; KNOWN] = [
    "the end",
    "the string section",
    "the function section",
    "the debug section",
    "the constant section",
    "the type section",
    "the global section",
    "the producer section",
];

impl<'a> Sections<'a> {
    /// Reads the header of a file and finds its sections, which can be in any order.
    pub(super) fn find(file: &'a [u8], preview: bool) -> Read<Sections<'a>> {
        let mut cursor = Cursor::new(file);
        let mut warnings = Vec::new();
        let (version, has_preview) = head(&mut cursor, preview, &mut warnings)?;
        let is_newer = warnings.iter().any(|warning: &Error| warning.offset == VERSION_OFFSET);
        let mut parts = [const { None }; KNOWN];
        loop {
            let offset = cursor.offset();
            let id = cursor.byte()?;
            let (number, aligned) = (id & !section::ALIGNED, id & section::ALIGNED != 0);
            if number == section::END {
                if aligned {
                    return cursor.fail_at(offset, "the end marker must not have an alignment");
                }
                cursor.finish()?;
                return Ok(Sections { version, warnings, has_preview, parts, end: cursor });
            }
            let Some(slot) = parts.get_mut(number as usize) else {
                let message = format!("unknown section kind {number}");
                if !is_newer {
                    return cursor.fail_at(offset, message);
                }
                content(&mut cursor, aligned, "a section of an unknown kind")?;
                warnings.push(Error { offset, message: format!("{message}; the section is skipped") });
                continue;
            };
            if slot.is_some() {
                return cursor.fail_at(offset, format!("{} occurs twice", NAMES[number as usize]));
            }
            *slot = Some(content(&mut cursor, aligned, NAMES[number as usize])?);
        }
    }

    /// Returns an optional section.
    pub(super) fn optional(&self, id: u8) -> Option<Cursor<'a>> {
        self.parts[id as usize].clone()
    }

    /// Returns a required section.
    pub(super) fn required(&self, id: u8) -> Read<Cursor<'a>> {
        match self.optional(id) {
            Some(part) => Ok(part),
            None => self.end.fail(format!("{} is missing", NAMES[id as usize])),
        }
    }
}

/// The offset of the version.
const VERSION_OFFSET: usize = MAGIC.len();

/// Reads the magic number, the version and the tag. Returns the version and whether there is preview content. An
/// unknown later minor version is treated as the newest known one.
fn head(cursor: &mut Cursor, preview: bool, warnings: &mut Vec<Error>) -> Read<(Version, bool)> {
    if cursor.left() < MAGIC.len() || cursor.bytes(MAGIC.len())? != MAGIC {
        return cursor.fail_at(0, "not Tile IR bytecode: expected the bytes `7F TileIR 00` at the start");
    }
    let bytes @ [major, minor] = [cursor.byte()?, cursor.byte()?];
    let tag_offset = cursor.offset();
    let tag = cursor.fixed::<2>()?;
    let [first, .., last] = VERSIONS;
    let mut warn = |offset, message| warnings.push(Error { offset, message });
    if let Some(version) = VERSIONS.into_iter().find(|&version| version_bytes(version) == bytes) {
        if tag != 0 && version < PREVIEW_VERSION {
            warn(tag_offset, format!("tag {tag:#x} in the header is ignored; tools since 13.5 refuse it"));
            return Ok((version, false));
        }
        return Ok((version, has_preview(cursor, version, tag as u16, preview)?));
    }
    let [known_major, known_minor] = version_bytes(last);
    if major == known_major && minor > known_minor {
        let message =
            format!("bytecode version {major}.{minor} is newer than {last}, the newest known; reading it as {last}");
        warn(VERSION_OFFSET, message);
        return Ok((last, has_preview(cursor, last, tag as u16, preview)?));
    }
    let message = format!("unsupported bytecode version {major}.{minor}: expected {first} to {last}");
    cursor.fail_at(VERSION_OFFSET, message)
}

/// Whether the tag of the header announces preview content. Fails if that is not `allowed`.
fn has_preview(cursor: &Cursor, version: Version, tag: u16, allowed: bool) -> Read<bool> {
    let offset = cursor.offset() - size_of::<u16>();
    let unknown = tag & !PREVIEW_BIT;
    let message = match (tag, allowed) {
        (0, _) => return Ok(false),
        _ if unknown != 0 => format!("unknown bits {unknown:#x} in the tag of the header"),
        _ if version != PREVIEW_VERSION => {
            format!("preview content is valid in bytecode {PREVIEW_VERSION} only, but this is bytecode {version}")
        }
        (_, false) => {
            format!("the file has content of the SIMT preview; enable it with `--preview {PREVIEW_FEATURE}`")
        }
        (_, true) => return Ok(true),
    };
    cursor.fail_at(offset, message)
}

/// Reads the content of a section after its number.
fn content<'a>(cursor: &mut Cursor<'a>, aligned: bool, name: &'static str) -> Read<Cursor<'a>> {
    let length = cursor.varint()?;
    if aligned {
        let offset = cursor.offset();
        let alignment = cursor.varint()?;
        match usize::try_from(alignment).ok().filter(|alignment| alignment.is_power_of_two() && *alignment <= 1 << 30) {
            Some(alignment) => cursor.align(alignment)?,
            None => return cursor.fail_at(offset, format!("alignment {alignment} is not a power of two")),
        }
    }
    cursor.part(length, name)
}
