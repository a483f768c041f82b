//! Expressions in the position of an op.

use super::op;

/// Operators, longer ones first, and how to write them in Tile IR.
const OPERATORS: &[(&str, &str)] = &[
    ("**", "`fpowf %a, %b : T`"),
    ("<<", "`shli %a, %b : T`"),
    (">>", "`shri %a, %b signed : T`"),
    ("&&", "`andi %a, %b : T`"),
    ("||", "`ori %a, %b : T`"),
    ("//", "`divi %a, %b signed rounding<negative_inf> : T`"),
    ("==", "`cmpi equal %a, %b, signed : T -> C`, or `cmpf equal ordered %a, %b` for floats"),
    ("!=", "`cmpi not_equal %a, %b, signed : T -> C`, or `cmpf not_equal ordered %a, %b` for floats"),
    ("<", "`cmpi less_than %a, %b, signed : T -> C`, or `cmpf less_than ordered %a, %b` for floats"),
    (">", "`cmpi greater_than %a, %b, signed : T -> C`, or `cmpf greater_than ordered %a, %b` for floats"),
    ("?", "`select %c, %a, %b : C, T`"),
    ("@", "`mmaf %a, %b, %acc : T, T, T`"),
    ("+", "`addf %a, %b : T` for floats, `addi` for integers and `offset` for a pointer and an integer"),
    ("-", "`subf %a, %b : T` for floats and `subi` for integers"),
    ("*", "`mulf %a, %b : T` for floats and `muli` for integers"),
    ("/", "`divf %a, %b : T` for floats and `divi %a, %b signed` for integers"),
    ("&", "`andi %a, %b : T`"),
    ("|", "`ori %a, %b : T`"),
    ("^", "`xori %a, %b : T`"),
];

/// How to write an expression that starts with `word` in the position of an op. `before` and `rest` are the text around
/// it on its line.
pub fn expression(before: &str, word: &str, rest: &str) -> Option<String> {
    let is_defined = before.contains('=');
    let rest = rest.trim_start();
    match word.chars().next()? {
        '%' if !is_defined => assignment_hint(word, rest),
        '%' => Some(value_hint(word, rest)),
        '0'..='9' | '-' if word.contains('.') => Some(format!("write `constant <f32: {word}> : tile<f32>`")),
        '0'..='9' | '-' => Some(format!("write `constant <i32: {word}> : tile<i32>`")),
        '[' => Some("write `constant <i32: [1, 2, 3, 4]> : tile<4xi32>`".to_string()),
        '(' if is_defined => op("cast").map(|cast| format!("values are converted by ops: {}", cast.hint)),
        '*' => op("load").map(|load| format!("pointers are not dereferenced: {}", load.hint)),
        '=' => Some("a value is defined with one `=`".to_string()),
        '@' => Some("a kernel starts with `entry`, as in `entry @name(…) { … }`".to_string()),
        _ => None,
    }
}

/// A hint for a statement that starts with a value and does not define one.
fn assignment_hint(value: &str, rest: &str) -> Option<String> {
    if rest.starts_with('[') {
        return op("store").map(|store| format!("memory is not written by subscripts: {}", store.hint));
    }
    if rest.starts_with(':') {
        return Some(format!("types follow the op: write `{value} = iota : tile<8xi32>`"));
    }
    let changes = ["+=", "-=", "*=", "/=", "++", "--"].iter().any(|sign| rest.starts_with(sign));
    changes.then(|| {
        format!("values cannot be changed: define another one, as in `%next = addi {value}, %one : tile<i32>`")
    })
}

/// How to write an operand that is followed by an operator or a subscript. `rest` is the text after it on its line.
pub fn operand(rest: &str) -> Option<String> {
    let rest = rest.trim_start();
    let is_operator = OPERATORS.iter().any(|(sign, _)| rest.starts_with(sign));
    (is_operator || rest.starts_with('[')).then(|| value_hint("", rest))
}

/// A hint for a value in the position of an op.
fn value_hint(value: &str, rest: &str) -> String {
    if let Some((value, method)) = value.split_once('.') {
        let hint = op(method).map_or("an op takes the value as an operand", |op| op.hint);
        return format!("`{value}` has no methods: {hint}");
    }
    if rest.starts_with('[') {
        return "values have no subscripts: `offset` moves a pointer and `load_ptr_tko` loads from it; `extract` extracts a slice of a tile".into();
    }
    match OPERATORS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        Some((sign, op)) => format!("Tile IR has no operators; write `{sign}` as {op}"),
        None => format!("a value has one name: use `{value}` itself"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_found_by_their_longest_sign() {
        let hint = |rest| expression("%c = ", "%a", rest).unwrap_or_default();
        assert!(hint(" ** 2").contains("`fpowf"));
        assert!(hint(" * %b").contains("`mulf"));
        assert!(hint("[0]").contains("`extract`"));
        assert!(hint("").contains("use `%a` itself"));
        assert!(expression("", "%n", " += 1").unwrap_or_default().contains("cannot be changed"));
        assert_eq!(expression("", "x", ""), None);
    }
}
