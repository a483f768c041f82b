//! Parsing of `tile.toml`.

use crate::closest::closest;
use crate::config::{Config, Level, Located};
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The top-level keys.
const KEYS: [&str; 6] = ["exclude", "gpu", "line-width", "lints", "preview", "target-version"];

/// The valid line widths.
const WIDTHS: RangeInclusive<i64> = 40..=1000;

/// A row and an error message.
type Problem = (usize, String);

struct TomlReader<'t>(&'t str);

/// Parses the text of a project file.
pub(crate) fn config(text: &str, path: &Path) -> Result<Config, Problem> {
    let reader = TomlReader(text);
    let table = DeTable::parse(text).map_err(|error| {
        let row = error.span().map_or(1, |span| reader.row(&span));
        (row, error.message().to_string())
    })?;
    let mut config = Config { path: path.to_path_buf(), ..Config::default() };
    for (key, value) in table.get_ref() {
        match &**key.get_ref() {
            "target-version" => config.target_version = Some(reader.located(value, reader.string(value)?)),
            "gpu" => config.gpu = Some(reader.located(value, reader.string(value)?)),
            "line-width" => config.line_width = Some(reader.width(value)?),
            "preview" => config.preview = reader.words(value)?,
            "exclude" => config.exclude = reader.patterns(value)?,
            "lints" => config.lints = reader.lints(value)?,
            unknown => return Err((reader.row(&key.span()), reader.unknown(unknown, &KEYS))),
        }
    }
    Ok(config)
}

impl TomlReader<'_> {
    fn row(&self, span: &Range<usize>) -> usize {
        self.0.as_bytes()[..span.start.min(self.0.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
    }

    fn located<T, U>(&self, at: &Spanned<U>, value: T) -> Located<T> {
        Located { value, row: self.row(&at.span()) }
    }

    fn unknown(&self, key: &str, known: &[&str]) -> String {
        match closest(key, known.iter().copied()) {
            Some(close) => format!("unknown key `{key}`; did you mean `{close}`?"),
            None => format!("unknown key `{key}`; expected {}", listed(known)),
        }
    }

    fn expected<T>(&self, value: &Spanned<DeValue>, expected_kind: &str) -> Result<T, Problem> {
        Err((self.row(&value.span()), format!("expected {expected_kind}")))
    }

    fn string(&self, value: &Spanned<DeValue>) -> Result<String, Problem> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            _ => self.expected(value, "a string"),
        }
    }

    fn words(&self, value: &Spanned<DeValue>) -> Result<Vec<Located<String>>, Problem> {
        let DeValue::Array(list) = value.get_ref() else { return self.expected(value, "an array of names") };
        list.iter().map(|word| Ok(self.located(word, self.string(word)?))).collect()
    }

    fn width(&self, value: &Spanned<DeValue>) -> Result<usize, Problem> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        match number.filter(|number| WIDTHS.contains(number)) {
            Some(width) => Ok(width as usize),
            None => self.expected(value, &format!("a number from {} to {}", WIDTHS.start(), WIDTHS.end())),
        }
    }

    fn patterns(&self, value: &Spanned<DeValue>) -> Result<Vec<String>, Problem> {
        let DeValue::Array(list) = value.get_ref() else { return self.expected(value, "an array of patterns") };
        let mut all = Vec::new();
        for pattern in list {
            let text = self.string(pattern)?;
            let expanded = alternatives(&text, &mut all);
            expanded.map_err(|error| (self.row(&pattern.span()), format!("invalid pattern `{text}`: {error}")))?;
        }
        Ok(all)
    }

    fn lints(&self, value: &Spanned<DeValue>) -> Result<Vec<(Located<String>, Level)>, Problem> {
        let DeValue::Table(table) = value.get_ref() else { return self.expected(value, "a table of lint levels") };
        let levels = Level::ALL.map(|(name, _)| name);
        let lint = |(key, value): (&Spanned<_>, &Spanned<DeValue>)| {
            let name = self.string(value)?;
            match Level::ALL.into_iter().find(|(known, _)| *known == name) {
                Some((_, level)) => Ok((self.located(key, AsRef::<str>::as_ref(key.get_ref()).to_string()), level)),
                None => Err((self.row(&value.span()), format!("unknown level `{name}`; expected {}", listed(&levels)))),
            }
        };
        table.iter().map(lint).collect()
    }
}

/// The maximum number of patterns, after alternatives are expanded.
const MAX_PATTERNS: usize = 1000;

/// Adds a pattern of files to others, with each combination of its alternatives in braces. Returns an error message if
/// the pattern is invalid.
fn alternatives(pattern: &str, all: &mut Vec<String>) -> Result<(), &'static str> {
    match first_braces(pattern)? {
        None if all.len() >= MAX_PATTERNS => return Err("there are more than 1000 patterns"),
        None => all.push(pattern.to_string()),
        Some(braces) => {
            let (before, after) = (&pattern[..braces.range.start], &pattern[braces.range.end..]);
            for part in braces.parts {
                alternatives(&[before, part, after].concat(), all)?;
            }
        }
    }
    Ok(())
}

/// Alternatives in braces.
struct Braces<'p> {
    /// From the opening to the closing brace.
    range: Range<usize>,
    parts: Vec<&'p str>,
}

/// The first braces in a pattern. Returns an error message if the pattern is invalid.
fn first_braces(pattern: &str) -> Result<Option<Braces<'_>>, &'static str> {
    let (mut parts, mut depth, mut start, mut part) = (Vec::new(), 0, 0, 0);
    let mut rest = pattern.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' => _ = rest.next().ok_or("nothing follows the last `\\`")?,
            '[' => {
                // A bracket at the start of a set belongs to the set.
                let first = rest.find(|(_, c)| !matches!(c, '!' | '^'));
                first.and_then(|_| rest.find(|(_, c)| *c == ']')).ok_or("a `[` has no `]`")?;
            }
            '{' => {
                if depth == 0 {
                    (start, part) = (at, at + 1);
                }
                depth += 1;
            }
            ',' if depth == 1 => {
                parts.push(&pattern[part..at]);
                part = at + 1;
            }
            '}' if depth == 0 => return Err("a `}` has no `{`"),
            '}' => {
                depth -= 1;
                if depth == 0 {
                    parts.push(&pattern[part..at]);
                    return Ok(Some(Braces { range: start..at + 1, parts }));
                }
            }
            _ => {}
        }
    }
    if depth > 0 { Err("a `{` has no `}`") } else { Ok(None) }
}

fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        Config::parse(text, Path::new("tile.toml")).expect_err("the file is invalid")
    }

    #[test]
    fn a_complete_file_is_parsed() {
        let text = "target-version = \"13.3\"\ngpu = \"sm_90\"\nline-width = 120\npreview = [\"simt\"]\nexclude = [\"gen\", \"*.mlir\"]\n\n[lints]\nL0001 = \"off\"\nfor-step = \"error\"\n";
        let config = Config::parse(text, Path::new("/project/tile.toml")).expect("the file is valid");
        assert_eq!(config.target_version, Some(Located { value: "13.3".to_string(), row: 1 }));
        assert_eq!(config.gpu, Some(Located { value: "sm_90".to_string(), row: 2 }));
        assert_eq!(config.line_width, Some(120));
        assert_eq!(config.preview, [Located { value: "simt".to_string(), row: 4 }]);
        assert!(
            config.excludes(Path::new("/project/gen/deep/a.tile")) && config.excludes(Path::new("/project/a.mlir"))
        );
        assert!(!config.excludes(Path::new("/project/a.tile")));
        let lints: Vec<_> = config.lints.iter().map(|(lint, level)| (lint.value.as_str(), lint.row, *level)).collect();
        assert_eq!(lints, [("L0001", 8, Level::Off), ("for-step", 9, Level::Error)]);
    }

    #[test]
    fn patterns_match_files_and_folders() {
        let cases = [
            ("*.mlir", "a.mlir deep/a.mlir", "a.tile"),
            ("gen", "gen/a.tile gen/deep/a.tile", "deep/gen/a.tile general.tile"),
            ("**/gen", "deep/gen/a.tile", "deep/general/a.tile"),
            ("a?[b-d][!x]", "a-by", "a-bx a-ey"),
            (r"\{a\}[]]", "{a}]", "a"),
            ("{x,y{1,2},}z", "xz y1z y2z z", "yz x,z"),
            ("a[^{,}]", "ab", "a{ a,"),
        ];
        for (pattern, excluded, included) in cases {
            let text = format!("exclude = ['{pattern}']");
            let config = Config::parse(&text, Path::new("/project/tile.toml")).expect("the file is valid");
            let excludes = |file: &str| config.excludes(&Path::new("/project").join(file));
            assert!(excluded.split(' ').all(excludes), "{pattern}");
            assert!(!included.split(' ').any(excludes), "{pattern}");
        }
    }

    #[test]
    fn errors_have_rows() {
        assert_eq!(problem("\nline-widht = 3"), "tile.toml:2: unknown key `line-widht`; did you mean `line-width`?");
        assert_eq!(problem("line-width = 3"), "tile.toml:1: expected a number from 40 to 1000");
        assert_eq!(problem("preview = \"simt\""), "tile.toml:1: expected an array of names");
        assert_eq!(problem("exclude = \"gen\""), "tile.toml:1: expected an array of patterns");
        assert_eq!(problem("exclude = [\n\"a\",\n\"{b\"]"), "tile.toml:3: invalid pattern `{b`: a `{` has no `}`");
        assert_eq!(problem("exclude = [\"a[]b\"]"), "tile.toml:1: invalid pattern `a[]b`: a `[` has no `]`");
        assert_eq!(problem("exclude = ['a}']"), "tile.toml:1: invalid pattern `a}`: a `}` has no `{`");
        let many = "{a,b}".repeat(50);
        assert!(problem(&format!("exclude = ['{many}']")).ends_with("there are more than 1000 patterns"));
        assert_eq!(problem("exclude = ['a\\']"), "tile.toml:1: invalid pattern `a\\`: nothing follows the last `\\`");
        assert_eq!(
            problem("[lints]\nL0001 = \"no\""),
            "tile.toml:2: unknown level `no`; expected `off`, `hint`, `info`, `warning`, `error`"
        );
        assert!(problem("color = 1").starts_with("tile.toml:1: unknown key `color`; expected `exclude`"));
        assert!(problem("line-width = ").starts_with("tile.toml:1: "));
    }
}
