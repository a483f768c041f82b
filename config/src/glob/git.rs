//! Patterns as lines of `.gitignore` write them, which git reads in its own way: no braces, classes by name, `\` inside
//! of classes, and a pattern that cannot be read matches nothing.

use super::{Glob, Step};

/// The bytes that mean something.
const SPECIAL: &[u8] = b"*?[\\";

/// Bytes, from the first to the last.
type Range = (u8, u8);

/// The classes by name, in ASCII.
const CLASSES: [(&[u8], &[Range]); 12] = [
    (b"alnum", &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    (b"alpha", &[(b'A', b'Z'), (b'a', b'z')]),
    (b"blank", &[(b' ', b' '), (b'\t', b'\t')]),
    (b"cntrl", &[(0, 31), (127, 127)]),
    (b"digit", &[(b'0', b'9')]),
    (b"graph", &[(33, 126)]),
    (b"lower", &[(b'a', b'z')]),
    (b"print", &[(32, 126)]),
    (b"punct", &[(33, 47), (58, 64), (91, 96), (123, 126)]),
    (b"space", &[(b'\t', b'\n'), (b'\r', b'\r'), (b' ', b' ')]),
    (b"upper", &[(b'A', b'Z')]),
    (b"xdigit", &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
];

impl Glob {
    /// Reads a pattern of `.gitignore`, without the signs before and behind it. `None` where nothing matches it.
    pub fn of_git(pattern: &[u8]) -> Option<Glob> {
        let start = pattern.iter().position(|byte| SPECIAL.contains(byte)).unwrap_or(pattern.len());
        let mut reader = Reader { pattern, start, at: start, steps: Vec::new(), plain: 0 };
        while let Some(byte) = reader.next() {
            match byte {
                b'?' => reader.push(Step::One { ranges: Vec::new(), negated: true, slash: false }),
                b'*' => reader.stars(),
                b'[' => reader.class()?,
                b'\\' => {
                    let byte = reader.next()?;
                    reader.steps.push(Step::Byte(byte));
                }
                byte => reader.steps.push(Step::Byte(byte)),
            }
        }
        let tail = reader.steps[reader.plain..].iter().map_while(|step| match step {
            Step::Byte(byte) => Some(*byte),
            _ => None,
        });
        Some(Glob { head: pattern[..start].to_vec(), tail: tail.collect(), steps: reader.steps })
    }
}

struct Reader<'p> {
    pattern: &'p [u8],
    /// Where the first byte stands that means something.
    start: usize,
    at: usize,
    steps: Vec<Step>,
    /// Where the bytes begin that stand behind everything special.
    plain: usize,
}

impl Reader<'_> {
    fn push(&mut self, step: Step) {
        self.steps.push(step);
        self.plain = self.steps.len();
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.pattern.get(self.at).copied();
        self.at += 1;
        byte
    }

    fn rest(&self) -> &[u8] {
        self.pattern.get(self.at..).unwrap_or(&[])
    }

    /// A `*`, or several, which stand for any number of folders when they stand between slashes. Git compares what
    /// stands before the first special byte by itself, so that counts as a slash.
    fn stars(&mut self) {
        let first = self.at - 1;
        let count = 1 + self.rest().iter().take_while(|byte| **byte == b'*').count();
        self.at = first + count;
        let follows = first == self.start || self.pattern[first - 1] == b'/';
        let slash = count > 1 && follows && (matches!(self.rest(), [] | [b'/', ..] | [b'\\', b'/', ..]));
        if slash && self.rest().starts_with(b"/") {
            self.at += 1;
            self.push(Step::Fork(self.steps.len() + 3));
            self.push(Step::Many { slash: true });
            self.push(Step::Byte(b'/'));
        } else {
            self.push(Step::Many { slash });
        }
    }

    fn class(&mut self) -> Option<()> {
        let negated = matches!(self.rest(), [b'!' | b'^', ..]);
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        // What a range may begin with: not the end of another, and no class.
        let mut from = None;
        let mut is_first = true;
        loop {
            let byte = self.next()?;
            match (byte, from) {
                (b']', _) if !is_first => break,
                (b'-', Some(from_byte)) if !matches!(self.rest(), [] | [b']', ..]) => {
                    ranges.push((from_byte, self.escaped()?));
                    from = None;
                }
                (b'[', _) if self.rest().starts_with(b":") => from = self.named(&mut ranges)?,
                _ => {
                    self.at -= 1;
                    let byte = self.escaped()?;
                    ranges.push((byte, byte));
                    from = Some(byte);
                }
            }
            is_first = false;
        }
        self.push(Step::One { ranges, negated, slash: false });
        Some(())
    }

    /// A byte of a class, which may have a `\` before it.
    fn escaped(&mut self) -> Option<u8> {
        match self.next()? {
            b'\\' => self.next(),
            byte => Some(byte),
        }
    }

    /// `[:alpha:]` inside of a class. Where no `:]` ends it, its `[` is a byte like others, and a range may begin with it.
    fn named(&mut self, ranges: &mut Vec<Range>) -> Option<Option<u8>> {
        let rest = self.rest();
        let end = rest[1..].iter().position(|byte| *byte == b']')? + 1;
        let Some(name) = rest[1..end].strip_suffix(b":") else {
            ranges.push((b'[', b'['));
            return Some(Some(b'['));
        };
        let (_, class) = CLASSES.iter().find(|(known, _)| *known == name)?;
        ranges.extend_from_slice(class);
        self.at += end + 1;
        Some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Patterns, what they match, what they do not. Git says the same.
    const CASES: &[(&str, &[&str], &[&str])] = &[
        ("{a,b}", &["{a,b}"], &["a", "b"]),
        ("*.tile", &["a.tile", ".tile"], &["a/b.tile", "a.tiles"]),
        ("a?c", &["abc"], &["a/c", "ac"]),
        ("[[:upper:]b]*", &["A", "bc"], &["a", ""]),
        ("[[:digit:]-z]", &["1", "-", "z"], &["y"]),
        ("[[:foo:]]", &[], &["f", ":", "[:foo:]"]),
        ("[[:alpha:", &[], &["a", "["]),
        ("[[:a]", &["[", ":", "a"], &["b"]),
        ("[a\\-c]", &["a", "-", "c"], &["b"]),
        ("[\\]]", &["]"], &["\\"]),
        ("[a-\\c]", &["b"], &["-", "\\"]),
        ("[]a]", &["]", "a"], &["b"]),
        ("[!]a]", &["b"], &["]", "a", "/"]),
        ("[b-a]", &["b"], &["a", "-"]),
        ("[a-]", &["a", "-"], &["b"]),
        ("[--0]", &["-", ".", "0"], &["1", "/"]),
        ("[a", &[], &["a", "[a"]),
        ("a\\", &[], &["a", "a\\"]),
        ("\\*\\a", &["*a"], &["xa", "\\*a"]),
        ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/xb"]),
        ("**/b", &["b", "a/b", "a/x/b"], &["ab"]),
        ("a/**", &["a/b", "a/b/c"], &["a"]),
        ("***/b", &["b", "a/c/b"], &["ab"]),
        ("x*/**b", &["xa/b", "x/ab"], &["xa/b/b"]),
        ("a**/b", &["a/b", "axy/b", "ax/y/b"], &["b"]),
        ("x?a**/b", &["xxa/b", "xxay/b"], &["xxay/z/b"]),
    ];

    #[test]
    fn patterns_match_what_git_says() {
        for (pattern, yes, no) in CASES {
            let glob = Glob::of_git(pattern.as_bytes());
            let matches = |path: &&&str| glob.as_ref().is_some_and(|glob| glob.matches(path.as_bytes()));
            assert_eq!(yes.iter().find(|path| !matches(path)), None, "`{pattern}` matches it");
            assert_eq!(no.iter().find(matches), None, "`{pattern}` does not match it");
        }
    }
}
