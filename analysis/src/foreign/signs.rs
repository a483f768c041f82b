//! Punctuation and characters.

/// Signs of other languages, how to call each, and what to do in Tile IR.
const SIGNS: &[(&[&str], &str)] = &[
    (&["#define", "#include", "#if", "#ifdef", "#ifndef", "#pragma"], "Tile IR has no preprocessor; remove the line"),
    (&["#", "/*", "*/"], "a comment starts with `//` and ends with its line"),
    (&[";"], "a statement ends with its line: remove the `;`"),
    (&["&&", "&"], "Tile IR has no operators; write `andi %a, %b : tile<i1>`"),
    (&["||"], "Tile IR has no operators; write `ori %a, %b : tile<i1>`"),
    (&["!", "~"], "Tile IR has no operators; write `xori %a, %true : tile<i1>`"),
    (&["^"], "Tile IR has no operators; write `xori %a, %b : tile<i32>`"),
    (&["@"], "a name follows `@` directly, as in `@kernel`; a matrix product is `mmaf %a, %b, %acc : …`"),
    (&["$"], "the name of a value starts with `%`"),
    (&["%"], "the name of a value follows `%` directly, as in `%x`"),
    (&["'", "`", "\u{2018}", "\u{2019}", "\u{201c}", "\u{201d}"], "a string is enclosed in `\"`"),
    (&["\\"], "a statement continues on the next line without any sign: remove the `\\`"),
    (&["..", "..."], "write every part: nothing can be abbreviated by dots"),
    (&["\u{2192}", "\u{21d2}"], "an arrow is written `->`"),
    (&["\u{2212}", "\u{2013}", "\u{2014}"], "a minus sign is written `-`"),
    (&["\u{d7}"], "extents are joined by the letter `x`, as in `8x16xf32`"),
    (&["\u{a0}", "\u{2009}", "\u{202f}", "\u{feff}", "\u{200b}"], "replace it by a plain blank"),
];

/// What to write instead of a sign, where that is one other sign.
const REPLACEMENTS: &[(&[&str], &str)] = &[
    (&["#"], "//"),
    (&[";"], ""),
    (&["\u{201c}", "\u{201d}"], "\""),
    (&["\u{2192}", "\u{21d2}"], "->"),
    (&["\u{2212}", "\u{2013}"], "-"),
    (&["\u{d7}"], "x"),
    (&["\u{a0}", "\u{2009}", "\u{202f}"], " "),
];

/// What to do about a sign of another language.
pub fn sign(text: &str) -> Option<&'static str> {
    SIGNS.iter().find(|(signs, _)| signs.contains(&text)).map(|(_, hint)| *hint)
}

/// What to write instead of a sign of another language.
pub fn replacement(text: &str) -> Option<&'static str> {
    REPLACEMENTS.iter().find(|(signs, _)| signs.contains(&text)).map(|(_, sign)| *sign)
}
