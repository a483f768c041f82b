//! Punctuation and characters of other languages.

/// Signs of other languages, and how to write them in Tile IR.
const SIGNS: &[(&[&str], &str)] = &[
    (&["#define", "#include", "#if", "#ifdef", "#ifndef", "#pragma"], "Tile IR has no preprocessor; remove the line"),
    (&["#", "/*", "*/"], "a comment starts with `//` and runs to the end of the line"),
    (&[";"], "a statement ends at the end of its line: remove the `;`"),
    (&["&&", "&"], "Tile IR has no operators; write `andi %a, %b : tile<i1>`"),
    (&["||"], "Tile IR has no operators; write `ori %a, %b : tile<i1>`"),
    (&["!", "~"], "Tile IR has no operators; write `xori %a, %true : tile<i1>`"),
    (&["^"], "Tile IR has no operators; write `xori %a, %b : tile<i32>`"),
    (&["@"], "`@` must be followed directly by a name, as in `@kernel`; a matrix product is `mmaf %a, %b, %acc : …`"),
    (&["$"], "the name of a value starts with `%`"),
    (&["%"], "`%` must be followed directly by the name of a value, as in `%x`"),
    (&["'", "`", "\u{2018}", "\u{2019}", "\u{201c}", "\u{201d}"], "a string is enclosed in `\"`"),
    (&["\\"], "a statement continues on the next line without a special character: remove the `\\`"),
    (&["..", "..."], "parts cannot be abbreviated by dots: write all of them"),
    (&["\u{2192}", "\u{21d2}"], "an arrow is written `->`"),
    (&["\u{2212}", "\u{2013}", "\u{2014}"], "a minus sign is written `-`"),
    (&["\u{d7}"], "extents are joined by the letter `x`, as in `8x16xf32`"),
    (&["\u{a0}", "\u{2009}", "\u{202f}", "\u{feff}", "\u{200b}"], "replace it with an ordinary space"),
];

/// The replacements of signs that have a single counterpart.
const REPLACEMENTS: &[(&[&str], &str)] = &[
    (&["#"], "//"),
    (&[";"], ""),
    (&["\u{201c}", "\u{201d}"], "\""),
    (&["\u{2192}", "\u{21d2}"], "->"),
    (&["\u{2212}", "\u{2013}"], "-"),
    (&["\u{d7}"], "x"),
    (&["\u{a0}", "\u{2009}", "\u{202f}"], " "),
];

/// A hint about a sign of another language.
pub fn sign(text: &str) -> Option<&'static str> {
    SIGNS.iter().find(|(signs, _)| signs.contains(&text)).map(|(_, hint)| *hint)
}

/// The replacement of a sign of another language.
pub fn replacement(text: &str) -> Option<&'static str> {
    REPLACEMENTS.iter().find(|(signs, _)| signs.contains(&text)).map(|(_, sign)| *sign)
}
