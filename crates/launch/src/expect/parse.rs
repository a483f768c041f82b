//! The parser for expectations.

use super::super::LaunchError;
use super::super::cursor::{Cursor, Parsed};
use super::super::expr::{self, Expr};
use super::super::gradient;
use super::{Expect, GradientCheck, findings};
use std::ops::Range;
use tile_analysis::suggest;

/// Parses the text after the word `expect`. `names` are the launch's arguments, `range` is the whole line.
pub(in super::super) fn parse(cursor: &mut Cursor<'_>, names: &[String], range: Range<usize>) -> Parsed<Expect> {
    let expect = match cursor.peek_word() {
        "print" => {
            cursor.word();
            let mut text = cursor.string()?.0;
            // Adjacent strings are concatenated, on the same line or on those below.
            while cursor.peek() == Some('"') {
                text += &cursor.string()?.0;
            }
            Expect::Print { text, range }
        }
        "error" => {
            cursor.word();
            let code = findings::code(cursor)?;
            Expect::Error { code, range }
        }
        _ if begins_formula(cursor) => comparison(cursor, names, range)?,
        _ => return Err(unknown(cursor, names)),
    };
    cursor.finish()?;
    Ok(expect)
}

fn unknown(cursor: &mut Cursor<'_>, names: &[String]) -> LaunchError {
    let all = "write `%c ~= …`, `%c == …`, `print \"…\"` or `error CODE`";
    let (word, range) = cursor.word();
    if word.is_empty() {
        return cursor.expected("an expectation").help(all);
    }
    let help = match suggest::closest(word, ["print", "error"]) {
        _ if names.iter().any(|name| name == word) => format!("did you mean `%{word}`?"),
        Some(known) => format!("did you mean `{known}`?"),
        None => all.to_string(),
    };
    LaunchError::new(range, format!("unknown expectation `{word}`")).help(help)
}

/// Whether a formula comes next: not the end of the line, and not a word except for the name of a function.
fn begins_formula(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = cursor.clone();
    let (word, _) = ahead.word();
    if word.is_empty() { ahead.peek().is_some() } else { ahead.peek() == Some('(') }
}

fn comparison(cursor: &mut Cursor<'_>, names: &[String], range: Range<usize>) -> Parsed<Expect> {
    if gradient::is_next(cursor) {
        return gradient_on_left(cursor, names, range);
    }
    let left = expr::operand(cursor, names)?;
    let sign = cursor.start();
    if cursor.eat("==") {
        return exact(cursor, names, left, sign, range);
    }
    if !cursor.eat("~=") {
        return Err(no_sign(cursor, &left));
    }
    if gradient::is_next(cursor) {
        let gradient = gradient::parse(cursor, names)?;
        refuse_operator(cursor)?;
        let (rtol, atol) = tolerances(cursor)?;
        let check = GradientCheck { gradient, other: left, is_left: false, rtol, atol, range };
        return Ok(Expect::Gradient(check));
    }
    let right = expr::formula(cursor, names)?;
    let (rtol, atol) = tolerances(cursor)?;
    Ok(Expect::Close { left, right, rtol, atol, range })
}

/// Parses the text after `==`, which is at `sign`.
fn exact(cursor: &mut Cursor<'_>, names: &[String], left: Expr, sign: usize, range: Range<usize>) -> Parsed<Expect> {
    if gradient::is_next(cursor) {
        return Err(exact_gradient(sign));
    }
    let right = exact_side(cursor, names, &left)?;
    if matches!(cursor.peek_word(), "rtol" | "atol") {
        let error = LaunchError::new(cursor.next_token(), "`==` compares exactly and has no tolerance");
        return Err(error.help("compare with `~=`"));
    }
    Ok(Expect::Equal { left, right, range })
}

fn gradient_on_left(cursor: &mut Cursor<'_>, names: &[String], range: Range<usize>) -> Parsed<Expect> {
    let gradient = gradient::parse(cursor, names)?;
    let sign = cursor.start();
    if cursor.eat("==") {
        return Err(exact_gradient(sign));
    }
    if !cursor.eat("~=") {
        refuse_operator(cursor)?;
        return Err(cursor.expected("`~=`"));
    }
    if gradient::is_next(cursor) {
        let error = LaunchError::new(cursor.next_token(), "only one side of an expectation can be a gradient");
        return Err(error.help("compare it with a buffer or a formula"));
    }
    let other = expr::formula(cursor, names)?;
    let (rtol, atol) = tolerances(cursor)?;
    Ok(Expect::Gradient(GradientCheck { gradient, other, is_left: true, rtol, atol, range }))
}

/// Returns an error for an operator after a gradient.
fn refuse_operator(cursor: &mut Cursor<'_>) -> Parsed<()> {
    match cursor.peek() {
        Some(c) if !c.is_ascii_alphanumeric() && c != '~' => Err(gradient::not_alone(cursor.next_token())),
        _ => Ok(()),
    }
}

/// The error for `==` at this offset.
fn exact_gradient(sign: usize) -> LaunchError {
    let error = LaunchError::new(sign..sign + "==".len(), "a gradient by finite differences is not exact");
    error.help("compare with `~=`")
}

/// Parses the right side of `==`. After a buffer it can be a comparison: `%c == %a > 0`. After a formula, the author
/// may have meant either of the two signs in `%a + %b == %c == 1`.
fn exact_side(cursor: &mut Cursor<'_>, names: &[String], left: &Expr) -> Parsed<Expr> {
    if left.as_argument().is_some() {
        return expr::formula(cursor, names);
    }
    let right = expr::operand(cursor, names)?;
    match expr::next_comparison(cursor) {
        None => Ok(right),
        Some(sign) => {
            let help =
                format!("put one of them in parentheses: `({left} == {right}) {} …`", cursor.slice(sign.clone()));
            Err(LaunchError::new(sign, "comparisons cannot be chained").help(help))
        }
    }
}

/// The error if neither `~=` nor `==` follows the left side.
fn no_sign(cursor: &mut Cursor<'_>, left: &Expr) -> LaunchError {
    let Some(sign) = expr::next_comparison(cursor) else {
        return cursor.expected("`~=` or `==`").help("`~=` compares within a tolerance, `==` exactly");
    };
    let symbol = cursor.slice(sign.clone());
    let error = LaunchError::new(sign, format!("expected `~=` or `==`, found `{symbol}`"));
    error.help(format!("put the comparison in parentheses: `({left} {symbol} …) == 1`"))
}

/// Parses `rtol=1e-3` and `atol=1e-5`, both optional and in any order.
fn tolerances(cursor: &mut Cursor<'_>) -> Parsed<(Option<f64>, Option<f64>)> {
    let (mut rtol, mut atol) = (None, None);
    while !cursor.peek_word().is_empty() {
        let (key, range) = cursor.word();
        let slot = match key {
            "rtol" => &mut rtol,
            "atol" => &mut atol,
            _ => {
                let error = LaunchError::new(range, format!("unknown tolerance `{key}`"));
                return Err(error.help(suggest::did_you_mean(key, &["rtol", "atol"])));
            }
        };
        cursor.expect("=")?;
        let (number, place) = cursor.number()?;
        let value = number.to_f64();
        if value.is_nan() || value < 0.0 {
            return Err(LaunchError::new(place, format!("a tolerance cannot be {number}")));
        }
        if slot.replace(value).is_some() {
            return Err(LaunchError::new(range, format!("`{key}` is given twice")));
        }
    }
    Ok((rtol, atol))
}
