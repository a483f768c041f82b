//! Strings and names, in quotes if necessary.

use super::writer::Writer;
use std::fmt::Write;

/// Writes a string literal. Text stays readable; invalid UTF-8 and control characters are escaped byte by byte.
pub(super) fn string(out: &mut Writer, bytes: &[u8]) {
    out.push("\"");
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '"' => out.push("\\\""),
                '\\' => out.push("\\\\"),
                '\n' => out.push("\\n"),
                '\t' => out.push("\\t"),
                control if control.is_control() => {
                    let mut buffer = [0; 4];
                    escaped(out, control.encode_utf8(&mut buffer).as_bytes());
                }
                char => _ = out.write_char(char),
            }
        }
        escaped(out, chunk.invalid());
    }
    out.push("\"");
}

fn escaped(out: &mut Writer, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(out, "\\{byte:02X}");
    }
}

/// Writes `@name`, in quotes if the name is not a word.
pub(super) fn symbol(out: &mut Writer, name: &str) {
    out.push("@");
    word(out, name);
}

/// Writes a word, in quotes if the lexer would not read it as one.
pub(super) fn word(out: &mut Writer, text: &str) {
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if first && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte)) {
        out.push(text);
    } else {
        string(out, text.as_bytes());
    }
}

/// A string literal, in quotes.
pub(crate) fn string_literal(bytes: &[u8]) -> String {
    let mut out = Writer::new(0);
    string(&mut out, bytes);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::attr::unescape;

    #[test]
    fn strings_read_back_as_the_same_bytes() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&b"plain %d\n"[..], "größer → \u{85}".as_bytes(), b"\"\\\t\0", &all] {
            let mut out = Writer::new(0);
            string(&mut out, bytes);
            assert_eq!(&*unescape(&out.finish()), bytes);
        }
    }
}
