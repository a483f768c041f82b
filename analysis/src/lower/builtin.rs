//! Types that MLIR brings along. Programs hold them in attributes that are nobody's own, and as types that only NVIDIA's
//! tests have: what they mean does not matter here, but whether they are written as types does.

use tile_dialect::Builtin;

/// How deeply such types may nest.
const MAX_DEPTH: usize = 32;

/// Whether a text is a type of MLIR's own, or of some dialect, and nothing else.
pub(super) fn is_type(text: &str) -> bool {
    let mut reader = Reader { rest: text };
    reader.ty(0).is_some() && reader.rest.trim_start().is_empty()
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn ty(&mut self, depth: usize) -> Option<()> {
        if depth == MAX_DEPTH {
            return None;
        }
        if self.eat("(") {
            self.list(depth)?;
            self.eat("->").then_some(())?;
            return if self.eat("(") { self.list(depth) } else { self.ty(depth + 1) };
        }
        if self.eat("!") {
            self.word(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$'))?;
            return if self.rest.trim_start().starts_with('<') { self.brackets() } else { Some(()) };
        }
        let word = self.word(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')?;
        match Builtin::from_name(word)? {
            Builtin::Scalar => Some(()),
            Builtin::Shaped => self.shaped(depth),
            Builtin::Enclosed => self.brackets(),
        }
    }

    /// Types up to the closing parenthesis.
    fn list(&mut self, depth: usize) -> Option<()> {
        if self.eat(")") {
            return Some(());
        }
        loop {
            self.ty(depth + 1)?;
            if !self.eat(",") {
                return self.eat(")").then_some(());
            }
        }
    }

    /// `<2x?xf32>`, with more behind the element where it says how the elements lie.
    fn shaped(&mut self, depth: usize) -> Option<()> {
        let whole = self.rest;
        self.eat("<").then_some(())?;
        while !self.eat("*x") {
            self.rest = self.rest.trim_start();
            let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            let extent = if self.rest.starts_with('?') { 1 } else { digits };
            let is_scalable = self.rest.starts_with('[');
            if extent == 0 && !is_scalable {
                break;
            }
            if is_scalable {
                self.rest = &self.rest[self.rest.find(']')? + 1..];
            }
            self.rest = self.rest[extent..].trim_start().strip_prefix('x')?;
        }
        self.ty(depth + 1)?;
        if self.eat(">") {
            return Some(());
        }
        self.eat(",").then_some(())?;
        self.rest = whole;
        self.brackets()
    }

    /// Whatever stands between angle brackets.
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
    use super::is_type;

    #[test]
    fn types_are_told_from_other_text() {
        let types = "i1|si8|ui64|f80|index|none|f8E4M3B11FNUZ|tensor<4x?xf32>|tensor<*xf32>|vector<[4]x2xi8>|vector<f32>\
             |tensor<2x3xf32, #x.y<1>>|memref<4xf32, strided<[1]>>|tuple<>|(i32) -> f32|() -> (i1, f32)|!a.b|!a.b<c<d>>\
             |tensor<4x!a.b<2>>|((i1) -> i1) -> ()|tensor<2xtensor<1xi8>>| i32 ";
        for ty in types.split('|') {
            assert!(is_type(ty), "{ty}");
        }
        let others = "|i|f3|x32|32|tensor|tensor<>|tensor<2>|tensor<2i32>|tensor<xi32>|tensor<-1xi16>|tensor<2xi 16>\
             |vector<4xf2>|(i32)|(i32) ->|(i32) -> ?f32|(i32,) -> f32|tuple<|!|i32 i32|tensor<2xf32";
        for text in others.split('|') {
            assert!(!is_type(text), "{text}");
        }
        assert!(!is_type(&"tensor<1x".repeat(1000)));
    }
}
