//! Did you mean.

use tile_dialect::{ELEMENTS, Element};

/// The candidate closest to `word`, if it is close enough to be a misspelling.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = word.chars().count().div_ceil(3).min(3);
    candidates
        .into_iter()
        .map(|candidate| (distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "did you mean `x`?", or the list of all there are.
pub fn did_you_mean(word: &str, candidates: &[&str]) -> String {
    match closest(word, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None if candidates.is_empty() => "there is none".to_string(),
        None => format!("there is {}", list(candidates)),
    }
}

/// As [`did_you_mean`], for the names of values, which are given without their `%`.
pub fn value(name: &str, known: &[&str]) -> String {
    match closest(name, known.iter().copied()) {
        Some(close) => format!("did you mean `%{close}`?"),
        None if known.is_empty() => "there is none".to_string(),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("%{name}")).collect();
            format!("there is {}", list(&known.iter().map(String::as_str).collect::<Vec<_>>()))
        }
    }
}

fn list(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// What other languages call an element type.
const ALIASES: [(&str, Element); 26] = [
    ("bool", Element::I1),
    ("int4", Element::I4),
    ("int8", Element::I8),
    ("uint8", Element::I8),
    ("u8", Element::I8),
    ("int16", Element::I16),
    ("uint16", Element::I16),
    ("u16", Element::I16),
    ("int32", Element::I32),
    ("uint32", Element::I32),
    ("u32", Element::I32),
    ("int64", Element::I64),
    ("uint64", Element::I64),
    ("u64", Element::I64),
    ("half", Element::F16),
    ("float16", Element::F16),
    ("bfloat16", Element::BF16),
    ("float", Element::F32),
    ("float32", Element::F32),
    ("double", Element::F64),
    ("float64", Element::F64),
    ("e4m3", Element::F8E4M3FN),
    ("e5m2", Element::F8E5M2),
    ("e8m0", Element::F8E8M0FNU),
    ("e2m1", Element::F4E2M1FN),
    ("e5m3", Element::FNv8E5M3FNU),
];

/// The element type that other languages call `name`.
pub fn element_alias(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    ALIASES.iter().find(|(alias, _)| lower == *alias).map(|(_, element)| element.name())
}

/// Which element type is meant by a name that is none.
pub fn element(name: &str) -> String {
    let lower = name.to_lowercase();
    let alias = element_alias(name);
    let prefix = || {
        let starts = |row: &&tile_dialect::ElementRow| lower.len() > 3 && row.name.to_lowercase().starts_with(&lower);
        ELEMENTS.iter().find(starts).map(|row| row.name)
    };
    let names: Vec<&str> = ELEMENTS.iter().map(|row| row.name).collect();
    match alias.or_else(prefix) {
        Some(name) => format!("did you mean `{name}`?"),
        None => did_you_mean(name, &names),
    }
}

/// How many letters are lost, added, changed or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut before = vec![0; b.len() + 1];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[j] = changed.min(next[j - 1] + 1).min(row[j] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelling_finds_its_word() {
        assert_eq!(closest("zeroes", ["zeros", "ones"]), Some("zeros"));
        assert_eq!(closest("unifrom", ["zeros", "uniform"]), Some("uniform"));
        assert_eq!(closest("banana", ["zeros", "uniform"]), None);
        assert_eq!(closest("", ["zeros"]), None);
    }

    #[test]
    fn names_of_other_languages_are_known() {
        assert_eq!(element("float32"), "did you mean `f32`?");
        assert_eq!(element("f8e4m3"), "did you mean `f8E4M3FN`?");
        assert_eq!(element("BF16"), "did you mean `bf16`?");
    }
}
