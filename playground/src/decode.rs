//! The text of a bytecode file.

use serde::Serialize;
use tile_analysis::print;
use tile_bytecode::decode::decode_readable;

/// A decoded file.
#[derive(Serialize, Debug)]
pub(crate) struct Decoded {
    /// The program.
    text: String,
    /// What was skipped, or is missing from the text.
    warnings: Vec<String>,
}

/// Decodes the readable part of a file.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, String> {
    let decoded = decode_readable(bytes, true).map_err(|error| error.to_string())?;
    let incomplete = decoded.unread.iter().filter_map(|unread| {
        let note = format!("incomplete from byte {} on: {}", unread.error.offset, unread.error.message);
        Some((unread.cut_entry?, note))
    });
    let notes: Vec<_> = incomplete.collect();
    let text = print::annotated(&decoded.module, None, print::Options::default(), &notes);
    let unread = decoded.unread.iter().map(|unread| unread.error.to_string());
    let warnings = decoded.warnings.iter().map(ToString::to_string).chain(unread).collect();
    Ok(Decoded { text: tile_fmt::format(&text, &tile_fmt::Options::default()), warnings })
}
