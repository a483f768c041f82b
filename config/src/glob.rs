//! Patterns for paths: `*`, `?`, `[a-z]`, `{a,b}` and, between slashes, `**`.
//!
//! A pattern becomes steps, and a path is matched byte by byte against all steps that can come next at once, so a match
//! takes at most the length of the pattern times that of the path, whatever the pattern.

mod git;

use std::borrow::Cow;
use std::path::Path;

/// What paths are to look like.
#[derive(Clone, Debug)]
pub struct Glob {
    /// What paths begin with, which the steps leave out.
    head: Vec<u8>,
    steps: Vec<Step>,
    /// What paths end with, which the steps ask for too.
    tail: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// This byte.
    Byte(u8),
    /// A byte of these ranges, or of none of them.
    One { ranges: Vec<(u8, u8)>, negated: bool, slash: bool },
    /// Any number of bytes.
    Many { slash: bool },
    /// Nothing: both the next step and this one may come.
    Fork(usize),
    /// Nothing: this step comes.
    Jump(usize),
}

impl Step {
    fn takes(&self, byte: u8) -> bool {
        match self {
            Step::Byte(one) => *one == byte,
            Step::One { ranges, negated, slash } => {
                (*slash || byte != b'/') && ranges.iter().any(|range| (range.0..=range.1).contains(&byte)) != *negated
            }
            Step::Many { slash } => *slash || byte != b'/',
            Step::Fork(_) | Step::Jump(_) => false,
        }
    }
}

impl Glob {
    /// Reads a pattern. With `slash`, `*`, `?` and `[…]` take slashes too. The error says what is wrong.
    pub fn new(pattern: &[u8], slash: bool) -> Result<Glob, &'static str> {
        let mut reader = Reader { pattern, at: 0, slash, steps: Vec::new(), open: Vec::new(), plain: 0 };
        let head = reader.literal();
        reader.plain = reader.steps.len();
        reader.rest()?;
        let tail = reader.steps[reader.plain..].iter().map_while(|step| match step {
            Step::Byte(byte) => Some(*byte),
            _ => None,
        });
        Ok(Glob { head, tail: tail.collect(), steps: reader.steps })
    }

    /// Whether a path looks like it: a whole path with slashes, or a name.
    pub fn matches(&self, path: &[u8]) -> bool {
        // Comparing with nothing would be slow: the address of an empty `Vec` is none to read from, which costs processors
        // hundreds of cycles where a comparison reads under a mask.
        let rest = if self.head.is_empty() { Some(path) } else { path.strip_prefix(&*self.head) };
        rest.is_some_and(|rest| (self.tail.is_empty() || rest.ends_with(&self.tail)) && self.takes(rest))
    }

    fn takes(&self, text: &[u8]) -> bool {
        let mut now = Places::new(self.steps.len() + 1);
        let mut next = now.clone();
        now.enter(0, &self.steps);
        for &byte in text {
            next.clear();
            for &at in &now.list {
                match self.steps.get(at) {
                    Some(step @ Step::Many { .. }) if step.takes(byte) => next.enter(at, &self.steps),
                    Some(step) if step.takes(byte) => next.enter(at + 1, &self.steps),
                    _ => {}
                }
            }
            if next.list.is_empty() {
                return false;
            }
            (now, next) = (next, now);
        }
        now.holds[self.steps.len()]
    }
}

/// The steps that can come next.
#[derive(Clone)]
struct Places {
    list: Vec<usize>,
    holds: Vec<bool>,
}

impl Places {
    fn new(count: usize) -> Places {
        Places { list: Vec::with_capacity(count), holds: vec![false; count] }
    }

    fn clear(&mut self) {
        for at in self.list.drain(..) {
            self.holds[at] = false;
        }
    }

    fn add(&mut self, at: usize) {
        if !std::mem::replace(&mut self.holds[at], true) {
            self.list.push(at);
        }
    }

    /// Adds a step and those that can come in its stead.
    fn enter(&mut self, at: usize, steps: &[Step]) {
        let mut read = self.list.len();
        self.add(at);
        while let Some(&at) = self.list.get(read) {
            read += 1;
            match steps.get(at) {
                Some(Step::Many { .. }) => self.add(at + 1),
                Some(&Step::Jump(to)) => self.add(to),
                Some(&Step::Fork(to)) => {
                    self.add(at + 1);
                    self.add(to);
                }
                _ => {}
            }
        }
    }
}

/// The bytes that mean something.
const SPECIAL: &[u8] = b"*?[{}\\";

struct Reader<'p> {
    pattern: &'p [u8],
    at: usize,
    slash: bool,
    steps: Vec<Step>,
    open: Vec<Open>,
    /// Where the bytes begin that stand behind everything special.
    plain: usize,
}

/// Braces that are not closed yet.
struct Open {
    /// Where the branch begins: a fork to the one behind it.
    fork: usize,
    /// The ends of the branches before: jumps behind the braces.
    jumps: Vec<usize>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.pattern.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += 1;
        byte
    }

    /// What stands before the first byte that means something. A `**` asks what is before it, so a slash stays.
    fn literal(&mut self) -> Vec<u8> {
        let end = self.pattern.iter().position(|byte| SPECIAL.contains(byte)).unwrap_or(self.pattern.len());
        self.at = end;
        self.pattern[..end].to_vec()
    }

    fn rest(&mut self) -> Result<(), &'static str> {
        while let Some(byte) = self.next() {
            match byte {
                b'?' => self.push(Step::One { ranges: Vec::new(), negated: true, slash: self.slash }),
                b'*' => self.star(),
                b'[' => self.class()?,
                b'{' => self.begin(Vec::new()),
                b',' if !self.open.is_empty() => self.branch(),
                b'}' => self.end()?,
                b'\\' => match self.next() {
                    Some(byte) => self.steps.push(Step::Byte(byte)),
                    None => return Err("nothing stands behind its last `\\`"),
                },
                byte => self.steps.push(Step::Byte(byte)),
            }
        }
        if self.open.is_empty() { Ok(()) } else { Err("a `{` is not closed") }
    }

    fn push(&mut self, step: Step) {
        self.steps.push(step);
        self.plain = self.steps.len();
    }

    /// A `*`, or a `**`, which stands for any number of folders when it stands between slashes.
    fn star(&mut self) {
        let begins = |byte: &u8| *byte == b'/' || !self.open.is_empty() && b"{,".contains(byte);
        let is_first = self.at < 2 || begins(&self.pattern[self.at - 2]);
        if self.peek() != Some(b'*') {
            return self.push(Step::Many { slash: self.slash });
        }
        self.at += 1;
        match self.peek() {
            Some(b'/') if is_first => {
                self.at += 1;
                self.push(Step::Fork(self.steps.len() + 3));
                self.push(Step::Many { slash: true });
                self.push(Step::Byte(b'/'));
            }
            None if is_first => self.push(Step::Many { slash: true }),
            Some(b',' | b'}') if is_first && !self.open.is_empty() => self.push(Step::Many { slash: true }),
            _ => self.push(Step::Many { slash: self.slash }),
        }
    }

    fn class(&mut self) -> Result<(), &'static str> {
        const OPEN: &str = "a `[` is not closed";
        let negated = matches!(self.peek(), Some(b'!' | b'^'));
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        loop {
            let from = match self.next().ok_or(OPEN)? {
                b']' if !ranges.is_empty() => break,
                byte => byte,
            };
            let is_range = self.peek() == Some(b'-') && self.pattern.get(self.at + 1).is_some_and(|to| *to != b']');
            self.at += usize::from(is_range);
            let to = if is_range { self.next().ok_or(OPEN)? } else { from };
            if to < from {
                return Err("a range in `[…]` ends before it begins");
            }
            ranges.push((from, to));
        }
        self.push(Step::One { ranges, negated, slash: self.slash });
        Ok(())
    }

    fn begin(&mut self, jumps: Vec<usize>) {
        self.open.push(Open { fork: self.steps.len(), jumps });
        self.push(Step::Fork(0));
    }

    /// One branch ends, the next begins.
    fn branch(&mut self) {
        let Some(Open { fork, mut jumps }) = self.open.pop() else { return };
        jumps.push(self.steps.len());
        self.push(Step::Jump(0));
        self.steps[fork] = Step::Fork(self.steps.len());
        self.begin(jumps);
    }

    fn end(&mut self) -> Result<(), &'static str> {
        let Open { fork, jumps } = self.open.pop().ok_or("a `}` closes nothing")?;
        self.steps[fork] = Step::Fork(fork + 1);
        self.plain = self.steps.len();
        for jump in jumps {
            self.steps[jump] = Step::Jump(self.plain);
        }
        Ok(())
    }
}

/// A path as patterns see it: bytes with slashes.
pub fn slashed(path: &Path) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if cfg!(windows) {
        Cow::Owned(bytes.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect())
    } else {
        Cow::Borrowed(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Patterns, whether their wildcards take slashes, what they match, what they do not.
    const CASES: &[(&str, bool, &[&str], &[&str])] = &[
        ("gen", true, &["gen"], &["gens", "agen", "gen/a", ""]),
        ("*.mlir", true, &["a.mlir", "a/b.mlir", ".mlir"], &["a.mlirx", "mlir"]),
        ("*.mlir", false, &["a.mlir"], &["a/b.mlir"]),
        ("dumps/*.mlir", true, &["dumps/a.mlir", "dumps/a/b.mlir"], &["a/dumps/b.mlir", "dumps.mlir"]),
        ("a*b*c", false, &["abc", "aXbbbYc"], &["abcd", "a/bc", "ac"]),
        ("a?c", false, &["abc"], &["ac", "abbc", "a/c"]),
        ("a?c", true, &["a/c"], &["ac"]),
        ("[a-cx]1", false, &["a1", "b1", "x1"], &["d1", "1", "-1"]),
        ("[!a-c]", false, &["d", "-"], &["a", "b", "/", "dd"]),
        ("[^a]", true, &["b", "/"], &["a"]),
        ("[]-]", false, &["]", "-"], &["a"]),
        ("[!]]", false, &["a"], &["]"]),
        ("[a-]", false, &["a", "-"], &["b"]),
        ("{a,b}.tile", true, &["a.tile", "b.tile"], &["c.tile", "{a,b}.tile", "atile"]),
        ("x{a,b{c,d}e,}y", false, &["xay", "xbcey", "xbdey", "xy"], &["xby", "xaby", "xbce"]),
        ("{*.a,b/**}", false, &["x.a", "b/c", "b/c/d"], &["b", "x/y.a", "c/b/d"]),
        ("a,b", true, &["a,b"], &["a", "b"]),
        ("**/gen", false, &["gen", "a/gen", "a/b/gen"], &["agen", "gen/a", "a/agen"]),
        ("a/**/b", false, &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/xb", "x/a/b"]),
        ("a/**", false, &["a/b", "a/b/c"], &["a", "ab"]),
        ("**", false, &["a", "a/b"], &[]),
        ("a**b", false, &["ab", "axb"], &["a/b"]),
        ("a/**b", false, &["a/b", "a/xb"], &["a/x/b"]),
        ("\\*", true, &["*"], &["a", "\\*"]),
        ("\\{a\\}\\[", true, &["{a}["], &["a"]),
    ];

    #[test]
    fn patterns_match_what_they_say() {
        for (pattern, slash, yes, no) in CASES {
            let glob = Glob::new(pattern.as_bytes(), *slash).expect(pattern);
            for path in *yes {
                assert!(glob.matches(path.as_bytes()), "`{pattern}` matches `{path}`");
            }
            for path in *no {
                assert!(!glob.matches(path.as_bytes()), "`{pattern}` does not match `{path}`");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (pattern, wrong) in [
            ("{a,b", "a `{` is not closed"),
            ("a}", "a `}` closes nothing"),
            ("[a", "a `[` is not closed"),
            ("[", "a `[` is not closed"),
            ("[a-", "a `[` is not closed"),
            ("[z-a]", "a range in `[…]` ends before it begins"),
            ("a\\", "nothing stands behind its last `\\`"),
        ] {
            assert_eq!(Glob::new(pattern.as_bytes(), true).err(), Some(wrong), "{pattern}");
        }
    }

    #[test]
    fn no_pattern_takes_long() {
        let (pattern, path) = ("{a,*}".repeat(200) + "b", "a".repeat(2000));
        assert!(!Glob::new(pattern.as_bytes(), true).expect("a pattern").takes(path.as_bytes()));
    }
}
