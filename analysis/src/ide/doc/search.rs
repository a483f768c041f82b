//! Finding pages by what a person types.

use super::Topic;
use crate::suggest;
use tile_dialect::DIALECT_PREFIX;

/// How many near names are worth reading.
const MAX_NEAR: usize = 8;

/// The topics that a query names, all of them where several share the name. A query may say the kind as well
/// (`rounding zero`), be written as in a program (`rounding<zero>`), and have the prefix of the dialect.
pub fn find(topics: &[Topic], query: &str) -> Vec<Topic> {
    let query = query.trim();
    let words = words(query);
    let spelt = |name: &str| name.eq_ignore_ascii_case(query);
    let same = |name: &str| !words.is_empty() && self::words(name) == words;
    let tiers: [&dyn Fn(&Topic) -> bool; 5] = [
        &|topic| spelt(topic.name()),
        &|topic| topic.also().into_iter().any(spelt),
        &|topic| same(topic.name()),
        &|topic| topic.also().into_iter().any(same),
        &|topic| is_qualified(topic, &words),
    ];
    let found = tiers.iter().map(|fits| topics.iter().copied().filter(fits).collect::<Vec<_>>());
    found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// The words of a name: `padding_value = zero` has three.
fn words(text: &str) -> Vec<String> {
    let text = text.trim_start_matches(['!', '#']);
    let text = text.strip_prefix(DIALECT_PREFIX).unwrap_or(text);
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// Whether the words are a topic's name with some words of its kind before or after it.
fn is_qualified(topic: &Topic, query: &[String]) -> bool {
    let name = words(topic.name());
    let rest = query.strip_prefix(&name[..]).or_else(|| query.strip_suffix(&name[..]));
    let kind = words(&format!("{} {}", topic.kind(), family(topic)));
    rest.is_some_and(|rest| !rest.is_empty() && rest.iter().all(|word| kind.contains(word)))
}

/// The name of the enum that a value belongs to.
fn family(topic: &Topic) -> &'static str {
    match topic {
        Topic::Value(of, _) => of.name,
        _ => "",
    }
}

/// Topics that a query may have meant, the likeliest first, each name once: other spellings, names that hold the query or
/// that it holds, and pages whose first sentence has it.
pub fn near(topics: &[Topic], query: &str) -> Vec<Topic> {
    let query = words(query).join("_");
    if query.is_empty() {
        return Vec::new();
    }
    let alias = suggest::element_alias(&query);
    let closest = suggest::closest(&query, topics.iter().map(Topic::name));
    let rank = |topic: &Topic| match Some(topic.name()) {
        name if name == alias => Some(0),
        name if name == closest => Some(CLOSEST),
        _ => holds(topic, &query),
    };
    let ranked = topics.iter().filter_map(|topic| Some((rank(topic)?, topic.name().len(), *topic)));
    let mut found: Vec<(usize, usize, Topic)> = ranked.collect();
    found.sort_by_key(|(rank, length, topic)| (*rank, *length, topic.name()));
    let mut seen = vec![query.as_str()];
    let mut near: Vec<Topic> = found.into_iter().map(|(.., topic)| topic).collect();
    near.retain(|topic| {
        let is_new = !seen.contains(&topic.name());
        seen.push(topic.name());
        is_new
    });
    near.truncate(MAX_NEAR);
    near
}

/// The rank of the likeliest misspelling among those of [`holds`]: a name that begins with the query comes before it.
const CLOSEST: usize = 2;

/// How a topic holds a query, or the query a topic's name, the least for the nearest.
fn holds(topic: &Topic, query: &str) -> Option<usize> {
    let name = words(topic.name()).join("_");
    let is_in = |text: &str| words(text).join("_").contains(query);
    match query.len() {
        2.. if name.starts_with(query) => Some(1),
        2.. if name.ends_with(query) => Some(3),
        3.. if name.contains(query) => Some(4),
        3.. if name.len() > 2 && query.split('_').any(|word| word == name) => Some(5),
        3.. if topic.also().into_iter().any(is_in) => Some(6),
        4.. if words(&topic.summary()).iter().any(|word| word == query) => Some(7),
        _ => None,
    }
}
