//! Finds pages by name.

use super::Topic;
use crate::{foreign, suggest};
use tile_dialect::DIALECT_PREFIX;

/// The maximum number of suggestions.
const MAX_NEAR: usize = 8;

/// Returns the topics that match a query exactly; several topics can share a name. A query can include the kind
/// (`rounding zero`), use program syntax (`rounding<zero>`) and have the dialect prefix.
pub fn find(topics: &[Topic], query: &str) -> Vec<Topic> {
    let query = query.trim();
    let words = words(query);
    let is_equal = |name: &str| name.eq_ignore_ascii_case(query);
    let same = |name: &str| !words.is_empty() && self::words(name) == words;
    let tiers: [&dyn Fn(&Topic) -> bool; 5] = [
        &|topic| is_equal(topic.name()),
        &|topic| topic.also().into_iter().any(is_equal),
        &|topic| same(topic.name()),
        &|topic| topic.also().into_iter().any(same),
        &|topic| is_qualified(topic, &words),
    ];
    let found = tiers.iter().map(|fits| topics.iter().copied().filter(fits).collect::<Vec<_>>());
    found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// The words of a name: `padding_value = zero` has three words.
fn words(text: &str) -> Vec<String> {
    let text = text.trim_start_matches(['!', '#']);
    let text = text.strip_prefix(DIALECT_PREFIX).unwrap_or(text);
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// Reports whether a query is a topic's name preceded or followed by words of its kind or of its group's heading.
fn is_qualified(topic: &Topic, query: &[String]) -> bool {
    let name = words(topic.name());
    let rest = query.strip_prefix(&name[..]).or_else(|| query.strip_suffix(&name[..]));
    let kind = words(&format!("{} {} {}", topic.kind(), family(topic), topic.group()));
    rest.is_some_and(|rest| !rest.is_empty() && rest.iter().all(|word| kind.contains(word)))
}

/// The enum's name for a value; empty for other topics.
fn family(topic: &Topic) -> &'static str {
    match topic {
        Topic::Value(of, _) => of.name,
        _ => "",
    }
}

/// Suggests topics for an unknown query, likeliest first, each name once: misspelled or partial names, or else pages
/// with the query in their aliases or first sentences.
pub fn near(topics: &[Topic], query: &str) -> Vec<Topic> {
    let query = words(query).join("_");
    if query.is_empty() {
        return Vec::new();
    }
    let counterparts = counterparts(&query);
    let is_beginning = topics.iter().any(|topic| begins(topic, &query));
    let closest = suggest::closest(&query, topics.iter().map(Topic::name)).filter(|_| !is_beginning);
    let by_name = |topic: &Topic| match topic.name() {
        name if counterparts.contains(&name) => Some(0),
        name if Some(name) == closest => Some(1),
        _ => by_name(topic, &query),
    };
    let found = ranked(topics, &query, &by_name);
    if found.is_empty() { ranked(topics, &query, &|topic| by_text(topic, &query)) } else { found }
}

/// The names equivalent to a word of another language.
fn counterparts(query: &str) -> Vec<&'static str> {
    let ops = foreign::op(query).map_or(&[][..], |found| found.ops);
    foreign::element(query).into_iter().chain(ops.iter().copied()).chain(foreign::keyword(query)).collect()
}

/// The topics with a rank, by rank and then by name length. Each name once, without the query itself.
fn ranked(topics: &[Topic], query: &str, rank: &dyn Fn(&Topic) -> Option<usize>) -> Vec<Topic> {
    let keyed = topics.iter().filter_map(|topic| Some((rank(topic)?, topic.name().len(), *topic)));
    let mut found: Vec<(usize, usize, Topic)> = keyed.collect();
    found.sort_by_key(|(rank, length, topic)| (*rank, *length, topic.name()));
    let mut seen = vec![query];
    let mut near = Vec::new();
    for (.., topic) in found {
        if !seen.contains(&topic.name()) {
            seen.push(topic.name());
            near.push(topic);
        }
    }
    near.truncate(MAX_NEAR);
    near
}

fn begins(topic: &Topic, query: &str) -> bool {
    query.len() > 1 && words(topic.name()).join("_").starts_with(query)
}

/// Ranks a topic whose name contains the query or is a word of it.
fn by_name(topic: &Topic, query: &str) -> Option<usize> {
    let name = words(topic.name()).join("_");
    match query.len() {
        _ if begins(topic, query) => Some(2),
        2.. if name.ends_with(query) => Some(3),
        3.. if name.contains(query) => Some(4),
        3.. if name.len() > 2 && query.split('_').any(|word| word == name) => Some(5),
        _ => None,
    }
}

/// Ranks a topic with the query in its aliases or its first sentence.
fn by_text(topic: &Topic, query: &str) -> Option<usize> {
    let has_word = |text: &str| words(text).iter().any(|word| word == query);
    match query.len() {
        3.. if topic.also().into_iter().any(has_word) => Some(0),
        4.. if has_word(&topic.summary()) => Some(1),
        _ => None,
    }
}
