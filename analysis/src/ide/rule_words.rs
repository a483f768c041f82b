//! The rules of an op in words.

use tile_dialect::{OpRow, Rule};

/// Every rule of an op as a sentence, in the order of the table.
pub fn rules(row: &OpRow) -> Vec<String> {
    row.rules.iter().map(sentence).collect()
}

/// The rule from which the type of a result follows, as a sentence; `None` where no rule speaks of it.
pub fn rule_of(row: &OpRow, result: &str) -> Option<String> {
    row.rules.iter().find(|rule| rule.names().contains(&result)).map(sentence)
}

fn sentence(rule: &Rule) -> String {
    match rule {
        Rule::SameType(names) => format!("{} have one type.", all(names)),
        Rule::SameShape(names) => format!("{} have one shape.", all(names)),
        Rule::SameElement(names) => format!("{} have one element type.", all(names)),
        Rule::SameRank(names) => format!("{} have as many dimensions.", all(names)),
        Rule::TruthOf(truth, of) => format!("`{truth}` is a tile of i1 in the shape of `{of}`."),
        Rule::PointsTo(pointers, to) => format!("`{pointers}` holds a pointer to each element of `{to}`."),
        Rule::TileOfView(tile, view) => format!("`{tile}` is the tile that `{view}` is cut into."),
        Rule::SameTypes(some, others) => format!("`{some}` and `{others}` have the same types, one by one."),
    }
}

/// `a`, `b` and `c`.
fn all(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
