//! The type rules of ops as sentences.

use tile_dialect::{OpRow, Rule};

/// Returns every rule of an op as a sentence, in table order.
pub fn rules(row: &OpRow) -> Vec<String> {
    row.rules.iter().map(sentence).collect()
}

/// Returns the first rule that involves a result, as a sentence.
pub fn rule_of(row: &OpRow, result: &str) -> Option<String> {
    row.rules.iter().find(|rule| rule.names().contains(&result)).map(sentence)
}

fn sentence(rule: &Rule) -> String {
    match rule {
        Rule::SameType(names) => format!("{} have the same type.", all(names)),
        Rule::SameShape(names) => format!("{} have the same shape.", all(names)),
        Rule::SameElement(names) => format!("{} have the same element type.", all(names)),
        Rule::SameRank(names) => format!("{} have the same rank.", all(names)),
        Rule::TruthOf(truth, of) => format!("`{truth}` is a tile of i1 with the shape of `{of}`."),
        Rule::PointsTo(pointers, to) => format!("`{pointers}` contains a pointer to each element of `{to}`."),
        Rule::TileOfView(tile, view) => format!("`{tile}` has the tile type of `{view}`."),
        Rule::SameTypes(some, others) => format!("`{some}` and `{others}` have pairwise the same types."),
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
