//! Pieces to insert into inputs, from the op table, the examples of its ops and the pages of diagnostics.

use fastrand::Rng;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use tile_analysis::diagnostics::PAGES;
use tile_dialect::{ARCHITECTURES, DIALECT_PREFIX, ELEMENTS, ENUMS, HINTS, TYPE_NAMES, ops};
use tile_launch::words;
use tile_syntax::{Node, NodeKind, PieceKind, Token, lex, parse_item, split};

/// The pieces, by kind.
pub(super) struct Dictionary {
    /// Whole entries with their directives.
    pub(super) items: Vec<String>,
    /// Statements, with the blocks of their regions.
    pub(super) statements: Vec<String>,
    /// Names of ops in every spelling, with and without the prefix.
    pub(super) ops: Vec<String>,
    /// Types.
    pub(super) types: Vec<String>,
    /// Attributes and their values.
    pub(super) attrs: Vec<String>,
    /// Tokens of all kinds.
    tokens: Vec<(Token, String)>,
    /// Pieces that occur in no valid program.
    pub(super) odd: Vec<String>,
    /// Lines of launch directives.
    pub(super) directives: Vec<String>,
    /// Words of launch directives and their formulas.
    pub(super) directive_words: Vec<String>,
    /// Pieces of project files.
    pub(super) settings: Vec<String>,
}

pub(super) static DICTIONARY: LazyLock<Dictionary> = LazyLock::new(Dictionary::new);

/// A random piece; empty if there is none.
pub(super) fn pick<'d>(pieces: &'d [String], random: &mut Rng) -> &'d str {
    random.choice(pieces).map_or("", String::as_str)
}

/// The ranges of the nodes of a kind in all entries of a text.
pub(super) fn nodes(text: &str, kinds: &[NodeKind]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    for piece in split(text).iter().filter(|piece| piece.kind == PieceKind::Item) {
        let tree = parse_item(&text[piece.range.clone()]);
        let wanted = tree.descendants(Node::ROOT).filter(|&node| kinds.contains(&tree.kind(node)));
        found.extend(wanted.map(|node| {
            let range = tree.range(node);
            piece.range.start + range.start as usize..piece.range.start + range.end as usize
        }));
    }
    found
}

impl Dictionary {
    fn new() -> Dictionary {
        let examples = ops().iter().map(|row| row.example_program());
        let pages = PAGES.iter().flat_map(|page| [page.wrong, page.right].map(str::to_string));
        let notes = words::topics().filter_map(|topic| topic.notes().map(|notes| notes.example.to_string()));
        let texts: Vec<String> = examples.chain(pages).chain(notes).collect();
        let all = |kinds: &[NodeKind]| {
            let pieces =
                texts.iter().flat_map(|text| nodes(text, kinds).into_iter().map(|range| text[range].to_string()));
            sorted(pieces.filter(|piece| !piece.is_empty()))
        };
        let elements: Vec<&str> = ELEMENTS.iter().map(|row| row.name).collect();
        let mut types = all(&[NodeKind::Type]);
        types.extend(elements.iter().map(|element| format!("tile<4x{element}>")));
        types.extend(elements.iter().map(|element| format!("tile<ptr<{element}>>")));
        let mut attrs = all(&[NodeKind::Attr, NodeKind::DictEntry, NodeKind::AttrValue]);
        for row in ENUMS {
            for value in row.values {
                attrs.extend([value.name.to_string(), format!("{}<{}>", row.name, value.name)]);
            }
        }
        attrs.extend(HINTS.iter().map(|row| format!("{} = 4", row.name)));
        attrs.extend(ARCHITECTURES.iter().map(|row| format!("{} = {{}}", row.name)));
        let names = ops().iter().flat_map(|row| {
            let spellings = row.spellings.iter().map(|spelling| spelling.name);
            std::iter::once(row.name).chain(spellings)
        });
        let names = sorted(names.flat_map(|name| [name.to_string(), format!("{DIALECT_PREFIX}{name}")]));
        let mut tokens: BTreeSet<(u8, String)> = BTreeSet::new();
        for text in &texts {
            let found = lex(text);
            let words = (0..found.len()).map(|at| (found.kind(at) as u8, found.text(at, text).to_string()));
            tokens.extend(words);
        }
        let kinds: Vec<(Token, String)> = texts
            .iter()
            .flat_map(|text| {
                let found = lex(text);
                (0..found.len()).map(|at| (found.kind(at), found.text(at, text).to_string())).collect::<Vec<_>>()
            })
            .filter(|(kind, text)| tokens.remove(&(*kind as u8, text.clone())))
            .collect();
        let lines = texts.iter().flat_map(|text| text.lines()).map(str::trim);
        let directives: Vec<String> =
            sorted(lines.filter(|line| line.starts_with("//@")).map(|line| format!("\n{line}\n")));
        let items = texts.iter().flat_map(|text| {
            let pieces = split(text).into_iter().filter(|piece| piece.kind == PieceKind::Item);
            pieces.map(|piece| format!("\n{}\n", &text[piece.range])).collect::<Vec<_>>()
        });
        let words = words::words().flat_map(|word| [word.term.name.to_string(), format!("{}(%a)", word.term.name)]);
        let operators =
            ["==", "~=", "@", "[", "]", "(", ")", ",", ":", "-", "1e-3", "rtol=0.1", "axis=0", ".T", "%a", "\""];
        let elements = elements.iter().flat_map(|element| [element.to_string(), format!("{element}[4] ")]);
        Dictionary {
            items: sorted(items),
            statements: all(&[NodeKind::Op]).into_iter().filter(|text| text.len() < 400).collect(),
            ops: names,
            types,
            attrs,
            tokens: kinds,
            odd: odd(),
            directives,
            directive_words: words.chain(operators.map(str::to_string)).chain(elements).chain(numbers()).collect(),
            settings: settings(),
        }
    }

    /// A random token of a kind.
    pub(super) fn token(&self, kind: Token, random: &mut Rng) -> &str {
        let same: Vec<&str> = self.tokens.iter().filter(|(other, _)| *other == kind).map(|(_, text)| &**text).collect();
        random.choice(same).unwrap_or("")
    }

    /// A random token.
    pub(super) fn any_token(&self, random: &mut Rng) -> &str {
        match random.usize(..TYPE_NAMES.len() + 20) {
            at if at < TYPE_NAMES.len() => TYPE_NAMES[at],
            _ => random.choice(&self.tokens).map_or("", |(_, text)| text),
        }
    }
}

fn sorted(pieces: impl Iterator<Item = String>) -> Vec<String> {
    pieces.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Numbers at the limits of types.
pub(super) fn numbers() -> impl Iterator<Item = String> {
    let numbers = [
        "0",
        "1",
        "-1",
        "2",
        "3",
        "7",
        "8",
        "64",
        "127",
        "128",
        "255",
        "256",
        "65535",
        "16777216",
        "2147483647",
        "2147483648",
        "-2147483648",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999",
        "0x0",
        "0x7F",
        "0xFFFFFFFFFFFFFFFF",
        "0xFFFFFFFFFFFFFFFFF",
        "0.0",
        "-0.0",
        "1.0",
        "1.5e308",
        "1.0e999",
        "1.0e-999",
        "inf",
        "nan",
    ];
    numbers.into_iter().map(str::to_string)
}

fn odd() -> Vec<String> {
    let pieces = [
        "{-#",
        "#-}",
        "\"",
        "\"\\",
        "//",
        "%",
        "@",
        "^",
        "#",
        "!",
        "é",
        "𝄞",
        "\0",
        "\u{feff}",
        "\r",
        "\r\n",
        "\n",
        "\t",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "->",
        "::",
        "%a#1",
        "%a:4",
        "?x",
        "8x",
        "x8",
        "tile<",
        "ptr<",
        "()",
        "<>",
        "<{",
        "}>",
        "loc(",
        "loc(#l)",
        "#l = loc(unknown)\n",
        "!t = tile<f32>\n",
        "^bb0(%x: tile<i32>):",
        "// fmt: off\n",
        "// fmt: on\n",
        "// tile: allow(L0001)\n",
        "//@ launch\n",
        "//@ expect ",
        "cuda_tile.module @m {\n",
        "\n}\n",
        "({\n",
        "\n})",
        "\u{2028}",
        "\\",
        "\\FF",
        "cuda_tile.",
        "!cuda_tile.",
        "#cuda_tile.",
        ": tile<i32>",
        "= ",
        "entry @k() {\n",
    ];
    pieces.into_iter().map(str::to_string).chain(numbers()).collect()
}

fn settings() -> Vec<String> {
    let pieces = [
        "target-version = ",
        "gpu = ",
        "line-width = ",
        "preview = ",
        "exclude = ",
        "lints = ",
        "[lints]\n",
        "\n",
        "[",
        "]",
        "{",
        "}",
        "[[",
        "]]",
        "\"",
        "'",
        "\"\"\"",
        "'''",
        "\\u00e9",
        "\\x",
        "=",
        ".",
        ",",
        "#",
        "\"simt\"",
        "\"13.3\"",
        "\"sm_90\"",
        "\"off\"",
        "\"hint\"",
        "\"warning\"",
        "\"error\"",
        "L0001 = ",
        "for-step = ",
        "\"**/*\"",
        "\"[!a-z]\"",
        "\"{a,b}\"",
        "\"\\\\\"",
        "true",
        "false",
        "0x10",
        "0b1",
        "1_0",
        "1e5",
        "inf",
        "nan",
        "1979-05-27T07:32:00Z",
        "07:32:00",
        "\r\n",
        "\r",
        "é",
        "\0",
        "[lints.a]\n",
        "a.b.c = 1\n",
    ];
    pieces.into_iter().map(str::to_string).chain(numbers()).collect()
}
