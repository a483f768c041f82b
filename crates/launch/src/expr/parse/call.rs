//! Parses function calls.

use super::super::super::LaunchError;
use super::super::super::cursor::Parsed;
use super::super::super::gradient;
use super::super::super::spec::parse_element;
use super::super::{Binary, ElementName, Function, NodeId, Op, Reduction};
use super::Parser;
use std::ops::Range;
use tile_analysis::suggest;

impl Parser<'_, '_> {
    pub(super) fn call(&mut self, start: usize) -> Parsed<NodeId> {
        let (name, range) = self.cursor.word();
        if name == gradient::GRAD {
            return Err(gradient::not_alone(range));
        }
        let Some(callee) = callee(name) else { return Err(self.unknown_function(name, range)) };
        self.cursor.expect("(")?;
        let op = self.arguments(callee)?;
        self.cursor.expect(")")?;
        Ok(self.push(op, start))
    }

    fn unknown_function(&self, name: &str, range: Range<usize>) -> LaunchError {
        let error = LaunchError::new(range, format!("unknown function `{name}`"));
        if self.names.iter().any(|known| known == name) {
            return error.help(format!("did you mean `%{name}`?"));
        }
        let help = match name {
            "dot" | "matmul" => "write `a @ b`".to_string(),
            "pow" => "write `a ** b`".to_string(),
            "relu" => "write `maximum(x, 0)`".to_string(),
            "astype" => "write `cast(x, f16)`".to_string(),
            "avg" | "average" => "did you mean `mean`?".to_string(),
            _ => suggest::did_you_mean(name, &FUNCTIONS.map(|(name, _)| name)),
        };
        error.help(help)
    }

    fn arguments(&mut self, callee: Callee) -> Parsed<Op> {
        match callee {
            Callee::Map(function) => Ok(Op::Map(function, self.comparison()?)),
            Callee::Binary(op) => {
                let left = self.comparison()?;
                let right = self.next()?;
                Ok(Op::Binary(op, left, right))
            }
            Callee::Reduce(kind) => {
                let of = self.comparison()?;
                let (axes, keep) = self.reduction_options()?;
                Ok(Op::Reduce { kind, of, axes, keep })
            }
            Callee::Cumsum => self.comparison().and_then(|of| Ok(Op::Cumsum { of, axis: self.one_axis(0)? })),
            Callee::Softmax => self.comparison().and_then(|of| Ok(Op::Softmax { of, axis: self.one_axis(-1)? })),
            Callee::Sort => self.comparison().and_then(|of| Ok(Op::Sort { of, axis: self.one_axis(-1)? })),
            Callee::Argsort => self.comparison().and_then(|of| Ok(Op::Argsort { of, axis: self.one_axis(-1)? })),
            Callee::Cholesky => self.comparison().map(Op::Cholesky),
            Callee::Transpose => self.transpose(),
            Callee::Reshape => {
                let of = self.comparison()?;
                self.comma()?;
                Ok(Op::Reshape { of, shape: self.whole_numbers("an extent")? })
            }
            Callee::Cast => {
                let of = self.comparison()?;
                self.comma()?;
                Ok(Op::Cast { of, element: ElementName(parse_element(self.cursor)?) })
            }
            Callee::Where => Ok(Op::Where(self.comparison()?, self.next()?, self.next()?)),
            Callee::Npy => self.npy(),
            Callee::Arange => Ok(Op::Arange(self.cursor.whole("the count", 0, i64::MAX.into())? as u64)),
        }
    }

    fn comma(&mut self) -> Parsed<()> {
        self.cursor.expect(",")
    }

    /// The next positional argument.
    fn next(&mut self) -> Parsed<NodeId> {
        self.comma()?;
        self.comparison()
    }

    fn transpose(&mut self) -> Parsed<Op> {
        let of = self.comparison()?;
        if !self.cursor.eat(",") {
            return Ok(Op::Transpose { of, axes: None });
        }
        if self.cursor.eat_word("axes") {
            self.cursor.expect("=")?;
        }
        Ok(Op::Transpose { of, axes: Some(self.whole_numbers("an axis")?) })
    }

    fn npy(&mut self) -> Parsed<Op> {
        let (file, _) = self.cursor.string()?;
        let element = if self.cursor.eat(",") { Some(ElementName(parse_element(self.cursor)?)) } else { None };
        Ok(Op::Npy(file, element))
    }

    /// Parses `, axis=1` and `, keepdims=true`, both optional. The axis can be written without `axis=`.
    fn reduction_options(&mut self) -> Parsed<(Option<Vec<i64>>, bool)> {
        let (mut axes, mut keep) = (None, None);
        while self.cursor.eat(",") {
            let range = self.cursor.next_token();
            if self.cursor.eat_word("keepdims") {
                self.cursor.expect("=")?;
                let value = self.boolean()?;
                if keep.replace(value).is_some() {
                    return Err(LaunchError::new(range, "`keepdims` is given twice"));
                }
                continue;
            }
            self.axis_name()?;
            if axes.replace(self.whole_numbers("an axis")?).is_some() {
                return Err(LaunchError::new(range, "the axis is given twice"));
            }
        }
        Ok((axes, keep.unwrap_or(false)))
    }

    /// Parses `, axis=1`; `default` if it is omitted.
    fn one_axis(&mut self, default: i64) -> Parsed<i64> {
        if !self.cursor.eat(",") {
            return Ok(default);
        }
        self.axis_name()?;
        self.integer("an axis")
    }

    /// Skips the optional `axis=`.
    fn axis_name(&mut self) -> Parsed<()> {
        if self.cursor.eat_word("axis") {
            return self.cursor.expect("=");
        }
        let (word, range) = self.cursor.word();
        if word.is_empty() {
            return Ok(());
        }
        let help = suggest::did_you_mean(word, &["axis", "keepdims"]);
        Err(LaunchError::new(range, format!("unknown option `{word}`")).help(help))
    }

    fn boolean(&mut self) -> Parsed<bool> {
        for (word, value) in [("true", true), ("false", false), ("True", true), ("False", false)] {
            if self.cursor.eat_word(word) {
                return Ok(value);
            }
        }
        Err(self.cursor.expected("`true` or `false`"))
    }

    pub(super) fn integer(&mut self, what: &str) -> Parsed<i64> {
        Ok(self.cursor.whole(what, i64::MIN.into(), i64::MAX.into())? as i64)
    }

    /// Parses `2`, `[2, -1]` or `(2, -1)`.
    fn whole_numbers(&mut self, what: &str) -> Parsed<Vec<i64>> {
        let close = if self.cursor.eat("[") {
            "]"
        } else if self.cursor.eat("(") {
            ")"
        } else {
            return self.integer(what).map(|number| vec![number]);
        };
        let mut numbers = vec![];
        while !self.cursor.eat(close) {
            numbers.push(self.integer(what)?);
            if !self.cursor.eat(",") {
                self.cursor.expect(close)?;
                break;
            }
        }
        Ok(numbers)
    }
}

#[derive(Clone, Copy)]
enum Callee {
    Map(Function),
    Binary(Binary),
    Reduce(Reduction),
    Cumsum,
    Softmax,
    Sort,
    Argsort,
    Cholesky,
    Transpose,
    Reshape,
    Cast,
    Where,
    Npy,
    Arange,
}

/// The names of all functions.
#[cfg(test)]
pub(in super::super::super) fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

fn callee(name: &str) -> Option<Callee> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, callee)| *callee)
}

const FUNCTIONS: [(&str, Callee); 32] = [
    ("sum", Callee::Reduce(Reduction::Sum)),
    ("max", Callee::Reduce(Reduction::Max)),
    ("min", Callee::Reduce(Reduction::Min)),
    ("mean", Callee::Reduce(Reduction::Mean)),
    ("exp", Callee::Map(Function::Exp)),
    ("exp2", Callee::Map(Function::Exp2)),
    ("log", Callee::Map(Function::Log)),
    ("log2", Callee::Map(Function::Log2)),
    ("sqrt", Callee::Map(Function::Sqrt)),
    ("rsqrt", Callee::Map(Function::Rsqrt)),
    ("tanh", Callee::Map(Function::Tanh)),
    ("sin", Callee::Map(Function::Sin)),
    ("cos", Callee::Map(Function::Cos)),
    ("tan", Callee::Map(Function::Tan)),
    ("sinh", Callee::Map(Function::Sinh)),
    ("cosh", Callee::Map(Function::Cosh)),
    ("abs", Callee::Map(Function::Abs)),
    ("floor", Callee::Map(Function::Floor)),
    ("ceil", Callee::Map(Function::Ceil)),
    ("maximum", Callee::Binary(Binary::Maximum)),
    ("minimum", Callee::Binary(Binary::Minimum)),
    ("where", Callee::Where),
    ("transpose", Callee::Transpose),
    ("reshape", Callee::Reshape),
    ("cast", Callee::Cast),
    ("softmax", Callee::Softmax),
    ("cumsum", Callee::Cumsum),
    ("sort", Callee::Sort),
    ("argsort", Callee::Argsort),
    ("cholesky", Callee::Cholesky),
    ("arange", Callee::Arange),
    ("npy", Callee::Npy),
];
