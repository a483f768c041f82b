//! Types that are built into MLIR. Programs contain them in attributes of unknown meaning, and in NVIDIA's tests: their
//! meaning does not matter here, only whether they are well-formed.

use tile_dialect::{Builtin, Scalar};

/// How deeply such types may nest.
const MAX_DEPTH: usize = 32;

/// A type that is not the language's.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Foreign {
    /// One without parts.
    Scalar(Scalar),
    /// Elements in rows: the extents, where their number is known, and the type of the elements. An extent may be open.
    Shaped(Option<Vec<Option<u64>>>, Box<Foreign>),
    /// A function, a tuple, or a type of some dialect.
    Other,
}

/// The type of MLIR's own, or of some dialect, that a text is, if it is one and nothing else.
pub(crate) fn read(text: &str) -> Option<Foreign> {
    let mut reader = BuiltinReader { rest: text };
    reader.ty(0).filter(|_| reader.rest.trim_start().is_empty())
}

struct BuiltinReader<'a> {
    rest: &'a str,
}

impl<'a> BuiltinReader<'a> {
    fn ty(&mut self, depth: usize) -> Option<Foreign> {
        if depth == MAX_DEPTH {
            return None;
        }
        if self.eat("(") {
            self.list(")", depth)?;
            self.eat("->").then_some(())?;
            if self.eat("(") {
                self.list(")", depth)?
            } else {
                _ = self.ty(depth + 1)?
            }
            return Some(Foreign::Other);
        }
        if self.eat("!") {
            self.word(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$'))?;
            if self.rest.trim_start().starts_with('<') {
                self.brackets()?;
            }
            return Some(Foreign::Other);
        }
        let word = self.word(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')?;
        match Builtin::from_name(word)? {
            Builtin::Scalar(scalar) => Some(Foreign::Scalar(scalar)),
            Builtin::Shaped => self.shaped(word, depth),
            Builtin::Enclosed => {
                self.eat("<").then_some(())?;
                match word {
                    "complex" => {
                        let part = self.ty(depth + 1)?;
                        let is_number = matches!(part, Foreign::Scalar(Scalar::Int { .. } | Scalar::Float(_)));
                        (is_number && self.eat(">")).then_some(())?;
                    }
                    _ => self.list(">", depth)?,
                }
                Some(Foreign::Other)
            }
        }
    }

    /// Types up to what closes the list.
    fn list(&mut self, close: &str, depth: usize) -> Option<()> {
        if self.eat(close) {
            return Some(());
        }
        loop {
            self.ty(depth + 1)?;
            if !self.eat(",") {
                return self.eat(close).then_some(());
            }
        }
    }

    /// `<2x?xf32>`, possibly with a layout after the element.
    fn shaped(&mut self, name: &str, depth: usize) -> Option<Foreign> {
        let whole = self.rest;
        self.eat("<").then_some(())?;
        let extents = if self.eat("*x") { None } else { Some(self.extents(name)?) };
        let others: &[&str] = match name {
            "tensor" => &["!", "complex", "vector"],
            "memref" => &["!", "complex", "vector", "memref"],
            _ => &[],
        };
        let is_other = others.iter().any(|other| self.rest.trim_start().starts_with(other));
        let element = self.ty(depth + 1)?;
        let is_number = matches!(element, Foreign::Scalar(scalar) if scalar != Scalar::None);
        (is_number || is_other).then_some(())?;
        (name != "vector" || extents.is_some()).then_some(())?;
        if !self.eat(">") {
            self.eat(",").then_some(())?;
            self.rest = whole;
            self.brackets()?;
        }
        Some(Foreign::Shaped(extents, Box::new(element)))
    }

    /// `2x?x`: those of a vector are known and not zero; some of them may be multiples, as in `[4]x`.
    fn extents(&mut self, name: &str) -> Option<Vec<Option<u64>>> {
        let mut extents = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            let is_multiple = name == "vector" && self.eat("[");
            let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            let (extent, rest) = match (digits, self.rest.strip_prefix('?')) {
                (0, Some(rest)) if name != "vector" => (None, rest),
                (0, _) => return (!is_multiple).then_some(extents),
                _ => (Some(self.rest[..digits].parse().ok()?), &self.rest[digits..]),
            };
            let rest = if is_multiple { rest.trim_start().strip_prefix(']')? } else { rest };
            self.rest = rest.trim_start().strip_prefix('x')?;
            (name != "vector" || extent != Some(0)).then_some(())?;
            extents.push(extent.filter(|_| !is_multiple));
        }
    }

    /// Skips everything between angle brackets.
    fn brackets(&mut self) -> Option<()> {
        let mut depth = 0;
        for (at, byte) in self.rest.bytes().enumerate().skip_while(|(_, byte)| byte.is_ascii_whitespace()) {
            match byte {
                b'<' => depth += 1,
                b'>' if self.rest.as_bytes()[at - 1] != b'-' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.rest = &self.rest[at + 1..];
                return Some(()).filter(|()| byte == b'>');
            }
        }
        None
    }

    fn word(&mut self, belongs: impl Fn(&u8) -> bool) -> Option<&'a str> {
        self.rest = self.rest.trim_start();
        let length = self.rest.bytes().take_while(|byte| belongs(byte)).count();
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = self.rest.trim_start().strip_prefix(mark);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Foreign, read};
    use tile_dialect::Scalar;

    #[test]
    fn types_are_told_from_other_text() {
        let types = "i1|si8|ui64|f80|index|none|f8E4M3B11FNUZ|tensor<4x?xf32>|tensor<*xf32>|vector<[4]x2xi8>|vector<f32>\
             |tensor<2x3xf32, #x.y<1>>|memref<4xf32, strided<[1]>>|memref<?xi8, 1>|tuple<>|tuple<i1, f32>|complex<f32>\
             |(i32) -> f32|() -> (i1, f32)|!a.b|!a.b<c<d>>|tensor<4x!a.b<2>>|((i1) -> i1) -> ()|tensor<2xvector<1xi8>>|memref<2xmemref<1xi8>>| i32 ";
        for ty in types.split('|') {
            assert!(read(ty).is_some(), "{ty}");
        }
        let others = "|i|f3|x32|32|tensor|tensor<>|tensor<2>|tensor<2i32>|tensor<xi32>|tensor<-1xi16>|tensor<2xi 16>\
             |vector<4xf2>|(i32)|(i32) ->|(i32) -> ?f32|(i32,) -> f32|tuple<|!|i32 i32|tensor<2xf32|vector<0xi8>\
             |vector<?xi8>|vector<*xi8>|vector<2xnone>|tensor<2xnone>|memref<none>|complex<index>|complex<>|tile<4xi32>\
             |tensor<2xtensor<1xi8>>|tensor<2xtuple<>>|memref<2xtensor<1xi8>>";
        for text in others.split('|') {
            assert!(read(text).is_none(), "{text}");
        }
        assert!(read(&"memref<1x".repeat(1000)).is_none());
    }

    #[test]
    fn extents_and_elements_are_known() {
        let element = Box::new(Foreign::Scalar(Scalar::Float(32)));
        assert_eq!(read("tensor<2x?xf32>"), Some(Foreign::Shaped(Some(vec![Some(2), None]), element.clone())));
        assert_eq!(read("vector<[4]x2xf32>"), Some(Foreign::Shaped(Some(vec![None, Some(2)]), element.clone())));
        assert_eq!(read("tensor<*xf32>"), Some(Foreign::Shaped(None, element)));
    }
}
