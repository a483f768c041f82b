//! The parser for expectations.

use super::super::cursor::{Cursor, Parsed};
use super::super::{LaunchError, expr};
use super::Expect;
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
            let code = code(cursor)?;
            Expect::Error { code, range }
        }
        "" if cursor.peek() == Some('%') => comparison(cursor, names, range)?,
        _ => return Err(unknown(cursor, names)),
    };
    cursor.finish()?;
    Ok(expect)
}

fn code(cursor: &mut Cursor<'_>) -> Parsed<String> {
    let (code, _) = cursor.word();
    if code.is_empty() {
        return Err(cursor.expected("the code of a finding, such as `R0001`"));
    }
    Ok(code.to_string())
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

fn comparison(cursor: &mut Cursor<'_>, names: &[String], range: Range<usize>) -> Parsed<Expect> {
    let (output, _) = cursor.value_in_formula(names)?;
    let output = output.to_string();
    let part = expr::slice(cursor)?;
    if cursor.eat("==") {
        let expr = expr::formula(cursor, names)?;
        if matches!(cursor.peek_word(), "rtol" | "atol") {
            let error = LaunchError::new(cursor.next_token(), "`==` compares exactly and has no tolerance");
            return Err(error.help("compare with `~=`"));
        }
        return Ok(Expect::Equal { output, part, expr, range });
    }
    if !cursor.eat("~=") {
        let error = cursor.expected("`~=` or `==`");
        let help = "write one output on the left; `~=` compares within a tolerance, `==` exactly";
        return Err(error.help(help));
    }
    let expr = expr::formula(cursor, names)?;
    let (rtol, atol) = tolerances(cursor)?;
    Ok(Expect::Close { output, part, expr, rtol, atol, range })
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
