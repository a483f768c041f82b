//! The parser for specifications.

use super::{Init, MAX_REPLICAS, Spec, list};
use crate::address;
use crate::cursor::{Cursor, Parsed};
use crate::error::LaunchError;
use crate::literal::{Number, is_unsigned};
use crate::shape::{MAX_RANK, bracketed};
use std::ops::Range;
use tile_analysis::suggest;
use tile_dialect::Element;

/// The names of the initializers.
pub(in super::super) const INITS: [&str; 7] = ["zeros", "ones", "fill", "iota", "uniform", "normal", "npy"];
const INIT_HELP: &str = "write `zeros`, `ones`, `fill(x)`, `iota`, `uniform(lo, hi, seed=n)`, `normal(mean, sd, seed=n)`, \
    `npy(\"file.npy\")` or a list such as `[1, 2]`";

/// Parses a standalone specification, such as that of `--arg '%a=…'`. Ranges of errors are relative to `text`. Ranges
/// in the specification are 0, since it is not part of a program.
pub fn parse_spec(text: &str) -> Result<Spec, LaunchError> {
    let mut cursor = Cursor::new(text, 0..text.len());
    let mut found = spec(&mut cursor)?;
    cursor.finish()?;
    found.forget_ranges();
    Ok(found)
}

/// Parses a specification and leaves the cursor at its end.
pub(in super::super) fn spec(cursor: &mut Cursor<'_>) -> Parsed<Spec> {
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
    let named_number = matches!(cursor.peek_word(), "inf" | "nan" | "true" | "false");
    if named_number || cursor.peek().is_some_and(numeric) {
        return Ok(Spec::Scalar(cursor.number()?.0));
    }
    if address::is_next(cursor) {
        return address::parse(cursor).map(Spec::Address);
    }
    if cursor.peek_word().is_empty() {
        let help = "a scalar gets a number, a pointer a buffer such as `f32[1024] zeros`";
        return Err(cursor.expected("a number or a buffer").help(help));
    }
    buffer(cursor)
}

fn buffer(cursor: &mut Cursor<'_>) -> Parsed<Spec> {
    let element = element(cursor)?;
    let shape = shape(cursor)?;
    let (mut strides, mut replicas) = (None, None);
    loop {
        let key = cursor.next_token();
        match cursor.peek_word() {
            "strides" if strides.is_some() => return Err(LaunchError::new(key, "the strides are given twice")),
            "strides" => strides = Some(read_strides(cursor, &shape)?),
            "replicas" if replicas.is_some() => return Err(LaunchError::new(key, "the replicas are given twice")),
            "replicas" => replicas = Some(read_replicas(cursor)?),
            _ => break,
        }
    }
    let init = match replicas {
        Some(replicas) if cursor.peek() == Some('[') => init_of_replicas(cursor, element, &shape, replicas)?,
        _ => init(cursor, element, &shape)?,
    };
    Ok(Spec::Buffer { element, shape, strides, replicas, init })
}

/// Parses `replicas=4`.
fn read_replicas(cursor: &mut Cursor<'_>) -> Parsed<u64> {
    cursor.word();
    cursor.expect("=")?;
    Ok(cursor.whole("the number of replicas", 1, MAX_REPLICAS.into())? as u64)
}

/// Parses a list with an entry for each replica: a nested list or an initializer.
fn init_of_replicas(cursor: &mut Cursor<'_>, element: Element, shape: &[u64], replicas: u64) -> Parsed<Init> {
    let start = cursor.start();
    cursor.expect("[")?;
    let mut inits = vec![];
    while !cursor.eat("]") {
        let is_word = INITS.contains(&cursor.peek_word());
        inits.push(if is_word { init(cursor, element, shape)? } else { list::parse(cursor, element, shape)? });
        if !cursor.eat(",") {
            cursor.expect("]")?;
            break;
        }
    }
    if inits.len() as u64 == replicas {
        return Ok(Init::Replicas(inits));
    }
    let message = format!("the list has {} entries, but there are {replicas} replicas", inits.len());
    Err(LaunchError::new(start..cursor.position(), message).help("write one entry for each replica"))
}

/// Parses an element type.
pub(in super::super) fn element(cursor: &mut Cursor<'_>) -> Parsed<Element> {
    let (name, range) = cursor.word();
    if name.is_empty() {
        return Err(cursor.expected("an element type"));
    }
    Element::from_name(name)
        .ok_or_else(|| LaunchError::new(range, format!("unknown element type `{name}`")).help(suggest::element(name)))
}

fn shape(cursor: &mut Cursor<'_>) -> Parsed<Vec<u64>> {
    if cursor.peek() != Some('[') {
        let error = cursor.expected("the shape in brackets");
        return Err(error.help("write `f32[1024]`, or `f32[]` for a single element"));
    }
    let range = cursor.start();
    let shape = cursor.whole_list("an extent", 0)?;
    if shape.len() > MAX_RANK {
        let message = format!("a buffer can have at most {MAX_RANK} dimensions, found {}", shape.len());
        return Err(LaunchError::new(range..cursor.position(), message));
    }
    Ok(shape)
}

/// Parses `strides=[64, 1]`.
fn read_strides(cursor: &mut Cursor<'_>, shape: &[u64]) -> Parsed<Vec<u64>> {
    let start = cursor.start();
    cursor.word();
    cursor.expect("=")?;
    let strides = cursor.whole_list("a stride", 1)?;
    if strides.len() == shape.len() {
        return Ok(strides);
    }
    let message =
        format!("the rank of {} is {}, but `strides` has length {}", bracketed(shape), shape.len(), strides.len());
    Err(LaunchError::new(start..cursor.position(), message).help("write one stride for each dimension, in elements"))
}

fn init(cursor: &mut Cursor<'_>, element: Element, shape: &[u64]) -> Parsed<Init> {
    if cursor.at_end() {
        let end = cursor.position();
        return Err(LaunchError::new(end..end, "the initial contents of the buffer are missing").help(INIT_HELP));
    }
    if cursor.peek() == Some('[') {
        return list::parse(cursor, element, shape);
    }
    let (word, range) = cursor.word();
    match word {
        "zeros" => Ok(Init::Zeros),
        "ones" => Ok(Init::Ones),
        "iota" => Ok(Init::Iota),
        "fill" => fill(cursor, element),
        "uniform" => uniform(cursor, element, range.start),
        "normal" => normal(cursor, element, range),
        "npy" => file(cursor).map(Init::Npy),
        "" => Err(cursor.expected("the initial contents of the buffer").help(INIT_HELP)),
        _ => Err(unknown_init(word, range)),
    }
}

fn unknown_init(word: &str, range: Range<usize>) -> LaunchError {
    let help = match word {
        "zero" | "empty" => "did you mean `zeros`?".to_string(),
        "one" => "did you mean `ones`?".to_string(),
        "full" | "constant" | "splat" => "did you mean `fill(x)`?".to_string(),
        "arange" | "range" => "did you mean `iota`?".to_string(),
        "rand" | "random" => "did you mean `uniform(lo, hi, seed=n)`?".to_string(),
        "randn" | "gauss" | "gaussian" => "did you mean `normal(mean, sd, seed=n)`?".to_string(),
        "replica" | "copies" | "devices" => "did you mean `replicas=2`?".to_string(),
        "load" | "file" => "did you mean `npy(\"file.npy\")`?".to_string(),
        _ => match suggest::closest(word, INITS) {
            Some(init) => format!("did you mean `{init}`?"),
            None => INIT_HELP.to_string(),
        },
    };
    LaunchError::new(range, format!("unknown initializer `{word}`")).help(help)
}

fn fill(cursor: &mut Cursor<'_>, element: Element) -> Parsed<Init> {
    cursor.expect("(")?;
    let (number, range) = cursor.number()?;
    number.encode(element).map_err(|message| LaunchError::new(range, message))?;
    cursor.expect(")")?;
    Ok(Init::Fill(number))
}

fn uniform(cursor: &mut Cursor<'_>, element: Element, start: usize) -> Parsed<Init> {
    let (low, high, seed) = distribution(cursor)?;
    let range = start..cursor.position();
    let (from, to) = (low.to_f64(), high.to_f64());
    if !(from < to && (to - from).is_finite()) {
        let message = format!("uniform({low}, {high}) is an empty range");
        return Err(LaunchError::new(range, message).help("the first bound must be less than the second"));
    }
    if element.is_int() {
        let bounds = [low.encode(element), below(high).encode(element)];
        if let Some(message) = bounds.into_iter().find_map(Result::err) {
            return Err(LaunchError::new(range, message));
        }
    } else if from < 0.0 && is_unsigned(element) {
        return Err(LaunchError::new(range, format!("{element} has no sign and cannot hold {low}")));
    }
    Ok(Init::Uniform { low, high, seed })
}

/// The largest integer below an excluded upper bound, which itself need not fit.
fn below(high: Number) -> Number {
    match high {
        Number::Whole(value) => Number::Whole(value - 1),
        real => real,
    }
}

fn normal(cursor: &mut Cursor<'_>, element: Element, word: Range<usize>) -> Parsed<Init> {
    if element.is_int() {
        let error = LaunchError::new(word, format!("`normal` produces fractions, but the element type is {element}"));
        return Err(error.help("write `uniform(lo, hi, seed=n)`"));
    }
    if is_unsigned(element) {
        let error = LaunchError::new(word, format!("`normal` produces negative numbers, but {element} has no sign"));
        return Err(error.help("write `uniform(lo, hi, seed=n)`"));
    }
    let (mean, deviation, seed) = distribution(cursor)?;
    if deviation.to_f64() >= 0.0 && mean.to_f64().is_finite() && deviation.to_f64().is_finite() {
        return Ok(Init::Normal { mean, deviation, seed });
    }
    let range = word.start..cursor.position();
    Err(LaunchError::new(
        range,
        format!("normal({mean}, {deviation}) needs a finite mean and a finite deviation of at least 0"),
    ))
}

/// Parses `(a, b[, seed=n])`; the default seed is 0.
fn distribution(cursor: &mut Cursor<'_>) -> Parsed<(Number, Number, u64)> {
    cursor.expect("(")?;
    let first = cursor.number()?.0;
    cursor.expect(",")?;
    let second = cursor.number()?.0;
    let mut seed = 0;
    if cursor.eat(",") {
        if !cursor.eat_word("seed") {
            return Err(cursor.expected("`seed=`").help("write `seed=1`"));
        }
        cursor.expect("=")?;
        seed = cursor.whole("the seed", 0, u64::MAX.into())? as u64;
    }
    cursor.expect(")")?;
    Ok((first, second, seed))
}

/// Parses `("file.npy")`.
fn file(cursor: &mut Cursor<'_>) -> Parsed<String> {
    cursor.expect("(")?;
    let (name, range) = cursor.string()?;
    if name.is_empty() {
        return Err(LaunchError::new(range, "the file's name is empty"));
    }
    cursor.expect(")")?;
    Ok(name)
}
