//! Hovers and completions inside launch directives. Offsets are bytes of the file; nothing is read from disk or run.

use super::address::MULTICAST;
use super::find::{self, EntryLaunches};
use super::words::{self, Word, WordContext, word_at};
use super::{Arg, Spec, bind};
use std::ops::Range;
use tile_analysis::db::{File, Queries};
use tile_analysis::diagnostic::Page;
use tile_analysis::ide::doc::Topic;
use tile_analysis::ide::hover::about;
use tile_analysis::types::Scalar;
use tile_dialect::{Element, ElementRow};

/// A hover text for a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoverText {
    /// The word.
    pub range: Range<u32>,
    /// Markdown.
    pub text: String,
}

/// A completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// Its label.
    pub label: String,
    /// The inserted text, as a snippet.
    pub snippet: String,
    /// A short description.
    pub detail: String,
    /// The key of its documentation, if it has any.
    pub topic: Option<String>,
}

/// A line of directives up to an offset, without its `//@`.
struct DirectiveLine<'t> {
    /// The offset of the text after `//@`.
    start: usize,
    /// That text.
    text: &'t str,
    /// The part of it before the offset.
    before: &'t str,
}

impl<'t> DirectiveLine<'t> {
    fn at(text: &'t str, offset: u32) -> Option<DirectiveLine<'t>> {
        let offset = offset as usize;
        let first = text.get(..offset)?.rfind('\n').map_or(0, |at| at + 1);
        let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
        let mark = text[first..end].find("//@").filter(|at| text[first..first + at].trim().is_empty())?;
        let start = first + mark + "//@".len();
        let before = text.get(start..offset)?;
        Some(DirectiveLine { start, text: &text[start..end], before })
    }

    /// The word around the end of `before`.
    fn word(&self) -> Range<usize> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = self.before.trim_end_matches(is_word).len();
        let rest = &self.text[self.before.len()..];
        start..self.before.len() + rest.find(|c| !is_word(c)).unwrap_or(rest.len())
    }
}

/// Whether an offset is in a line of directives.
pub fn is_directive(text: &str, offset: u32) -> bool {
    DirectiveLine::at(text, offset).is_some()
}

/// The hover text for the word at an offset of a line of directives. `findings` are the pages of the findings of runs.
pub fn hover(db: &Queries, file: File, offset: u32, findings: &[&Page]) -> Option<HoverText> {
    let line = DirectiveLine::at(file.text(db), offset)?;
    let word = line.word();
    let name = &line.text[word.clone()];
    let text = match () {
        () if line.text[..word.start].ends_with('%') => parameter(db, file, offset, name)?,
        () => match (findings.iter().find(|page| page.code == name), word_at(name, line.text)) {
            (Some(page), _) => about(page),
            (None, Some(word)) => topic_text(&Topic::Term(&word.term)),
            (None, None) => Topic::Element(Element::from_name(name)?.row()).brief(),
        },
    };
    let range = (line.start + word.start) as u32..(line.start + word.end) as u32;
    Some(HoverText { range, text })
}

/// The hover text of a topic: the beginning of its page, and its example.
fn topic_text(topic: &Topic) -> String {
    format!("{}\nFor example:\n\n```tile\n{}```\n", topic.brief(), topic.example())
}

/// The entry below an offset in its directives.
fn entry_below(db: &Queries, file: File, offset: u32) -> Option<EntryLaunches> {
    find::find(db, file).into_iter().find(|entry| entry.start >= offset)
}

fn parameter(db: &Queries, file: File, offset: u32, name: &str) -> Option<String> {
    let launches = entry_below(db, file, offset)?;
    let entry = &launches.entry;
    let Some(index) = entry.params.iter().position(|param| **param == *name) else {
        return buffer(&launches, offset, name);
    };
    let ty = entry.ty(*entry.regions.first()?.args.get(index)?);
    let gets = match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Pointer(pointer)) if pointer.is_multicast() => {
            format!("It gets all replicas of a buffer of {}, or an address of them: `multicast(%x)`.", pointer.to)
        }
        Some(Scalar::Pointer(pointer)) => {
            format!("It gets a buffer of {} in device memory, or an address in one: `&%x`.", pointer.to)
        }
        _ => "It gets a number.".to_string(),
    };
    Some(format!("```tile\n%{name}: {ty}\n```\n\nParameter {} of `@{}`. {gets}\n", index + 1, entry.name))
}

/// The hover text of a buffer that is not a parameter.
fn buffer(launches: &EntryLaunches, offset: u32, name: &str) -> Option<String> {
    let all = &launches.directives.launches;
    let launch = all.iter().rev().find(|launch| launch.range.start <= offset as usize)?;
    let arg = launch.arg(name)?;
    let names = launch.args.iter().filter(|other| other.spec.addresses().any(|address| address.of == name));
    let by = bind::listed(names.map(|other| format!("`%{}`", other.name)));
    let by = if by.is_empty() { "no address".to_string() } else { by };
    Some(format!("```tile\n%{name} = {}\n```\n\nA buffer of this launch, referenced by {by}.\n", shortened(&arg.spec)))
}

/// The completions at an offset of a line of directives, and the text range that they replace. `findings` as for
/// [`hover`].
pub fn completions(db: &Queries, file: File, offset: u32, findings: &[&Page]) -> Option<(Range<u32>, Vec<Completion>)> {
    let line = DirectiveLine::at(file.text(db), offset)?;
    let mut start = line.word().start.min(line.before.len());
    let before = line.before[..start].trim_end();
    let items = if before.ends_with('%') && line.before[..start].ends_with('%') {
        start -= 1;
        named_values(db, file, offset, &line.before[..start])
    } else if is_address_due(before) {
        buffers(db, file, offset)
    } else if before.matches('"').count() % 2 == 1 {
        Vec::new()
    } else if before.is_empty() {
        let mut items = words_at(WordContext::Line);
        items.extend(parameters(db, file, offset, true));
        items
    } else {
        let mut items = inside(before, findings, &|| values(db, file, offset));
        // A pointer or an `i64` can be an address.
        if before.trim_start().starts_with('%') && before.ends_with('=') && !before.ends_with("==") {
            items.extend(words_at(WordContext::Address));
            let address = |item: Completion| Completion {
                label: format!("&{}", item.label),
                snippet: format!("&{}", item.snippet),
                ..item
            };
            items.extend(buffers(db, file, offset).into_iter().map(address));
        }
        items
    };
    Some(((line.start + start) as u32..offset, items))
}

/// The completions after a `%`, given the line before it.
fn named_values(db: &Queries, file: File, offset: u32, before: &str) -> Vec<Completion> {
    let before = before.trim();
    match () {
        () if before.is_empty() => parameters(db, file, offset, true),
        () if before.starts_with("expect") => values(db, file, offset),
        () if is_address_due(before) => buffers(db, file, offset),
        () => parameters(db, file, offset, false),
    }
}

/// Whether the name of a buffer is expected: after `&` or `multicast(`.
fn is_address_due(before: &str) -> bool {
    let before = before.trim_end();
    let is_argument = !before.trim_start().starts_with("expect");
    is_argument && (before.ends_with('&') || before.trim_end_matches(['(', ' ']).ends_with(MULTICAST))
}

/// The buffers of the launch that contains an offset, with their contents.
fn buffers(db: &Queries, file: File, offset: u32) -> Vec<Completion> {
    let Some(launches) = entry_below(db, file, offset) else { return Vec::new() };
    let all = &launches.directives.launches;
    let Some(launch) = all.iter().rev().find(|launch| launch.range.start <= offset as usize) else {
        return Vec::new();
    };
    let buffers = launch.args.iter().filter(|arg| matches!(arg.spec, Spec::Buffer { .. }));
    let item = |arg: &Arg| completion(&format!("%{}", arg.name), &format!("%{}", arg.name), &shortened(&arg.spec));
    buffers.map(item).collect()
}

/// The parameters of the entry below and the buffers of the launch.
fn values(db: &Queries, file: File, offset: u32) -> Vec<Completion> {
    let mut items = parameters(db, file, offset, false);
    let further = buffers(db, file, offset).into_iter();
    let further: Vec<Completion> = further.filter(|item| items.iter().all(|known| known.label != item.label)).collect();
    items.extend(further);
    items
}

/// A specification, truncated if it is long.
fn shortened(spec: &Spec) -> String {
    const MAX_CHARACTERS: usize = 60;
    let text = spec.to_string();
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The completions after the beginning of a line. `named` returns the parameters of the entry.
fn inside(before: &str, findings: &[&Page], named: &dyn Fn() -> Vec<Completion>) -> Vec<Completion> {
    let before = before.trim_start();
    if before.starts_with("launch") {
        return if before.contains("grid") { Vec::new() } else { words_at(WordContext::Launch) };
    }
    if let Some(expected) = before.strip_prefix("expect") {
        if expected.trim() == "error" {
            return findings.iter().map(|page| completion(page.code, page.code, page.name)).collect();
        }
        return expectation(expected.trim(), named);
    }
    match before.split_once('=') {
        // The contents of the buffer follow the shape; the element type precedes it.
        Some((_, value)) if value.matches('(').count() > value.matches(')').count() => Vec::new(),
        Some((_, value)) if value.contains(']') => words_at(WordContext::Init),
        Some((_, value)) if value.trim().is_empty() => {
            let elements = tile_dialect::ELEMENTS.iter();
            let item = |row: &'static ElementRow| {
                let item = completion(row.name, &format!("{}[${{1:1024}}] ", row.name), row.doc);
                Completion { topic: Some(Topic::Element(row).key()), ..item }
            };
            elements.map(item).collect()
        }
        _ => Vec::new(),
    }
}

/// The completions after `expect` and this text.
fn expectation(expected: &str, named: &dyn Fn() -> Vec<Completion>) -> Vec<Completion> {
    let value = || named().into_iter().chain(words_at(WordContext::Formula));
    match sign(expected) {
        _ if expected.is_empty() => {
            named().into_iter().chain(words_at(WordContext::Expect)).chain(words_at(WordContext::Formula)).collect()
        }
        Sign::Missing if ["print", "error"].iter().any(|word| expected.starts_with(word)) => Vec::new(),
        Sign::Missing | Sign::Enclosed if is_value_due(expected) => value().collect(),
        Sign::Missing => vec![completion("~=", "~= ", "within a tolerance"), completion("==", "== ", "exactly")],
        Sign::Enclosed => Vec::new(),
        Sign::Before(formula) if formula.trim_end().is_empty() || is_value_due(formula) => value().collect(),
        Sign::Before(_) => words_at(WordContext::Tolerance),
    }
}

/// The place of `~=` or `==` in the text of an expectation.
enum Sign<'t> {
    /// The left side may end here.
    Missing,
    /// The left side has an open bracket.
    Enclosed,
    /// This text follows the sign.
    Before(&'t str),
}

fn sign(expected: &str) -> Sign<'_> {
    let mut depth = 0;
    for (at, c) in expected.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '~' | '=' if depth == 0 && expected[at + 1..].starts_with('=') => return Sign::Before(&expected[at + 2..]),
            _ => {}
        }
    }
    if depth > 0 { Sign::Enclosed } else { Sign::Missing }
}

/// Whether a value must follow the beginning of a formula, because it ends with an operator or an open bracket.
fn is_value_due(formula: &str) -> bool {
    let formula = formula.trim_end();
    let is_comparison = ["==", "!=", "<=", ">="].iter().any(|sign| formula.ends_with(sign));
    is_comparison || formula.ends_with(['+', '-', '*', '/', '@', '<', '>', '(', ',', '['])
}

fn words_at(place: WordContext) -> Vec<Completion> {
    let own = words::words().filter(|word| word.place == place);
    own.map(|word: &Word| {
        let topic = Topic::Term(&word.term);
        let item = completion(word.term.name, word.snippet, topic.summary().trim_end_matches('.'));
        Completion { topic: Some(topic.key()), ..item }
    })
    .collect()
}

fn completion(label: &str, snippet: &str, detail: &str) -> Completion {
    Completion { label: label.to_string(), snippet: snippet.to_string(), detail: detail.replace('`', ""), topic: None }
}

/// The parameters of the entry below; at the start of a line, with a suitable value.
fn parameters(db: &Queries, file: File, offset: u32, with_value: bool) -> Vec<Completion> {
    let Some(launches) = entry_below(db, file, offset) else { return Vec::new() };
    let all = bind::samples(&launches.entry).into_iter();
    let items = all.map(|(name, ty, sample)| {
        let snippet = if with_value { format!("%{name} = ${{1:{sample}}}") } else { format!("%{name}") };
        Completion { label: format!("%{name}"), snippet, detail: ty.to_string(), topic: None }
    });
    items.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_analysis::context::Options;
    use tile_analysis::db::Database;
    use tile_analysis::diagnostic::Severity;

    const RACE: Page = Page {
        code: "R0107",
        name: "race",
        severity: Severity::Error,
        text: "",
        fix: "",
        see: &[],
        wrong: "",
        right: "",
    };

    const ENTRY: &str = "  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {\n    return\n  }\n}\n";

    fn at(lines: &str) -> (Database, File, u32) {
        let text = format!("cuda_tile.module @m {{\n{lines}\n{ENTRY}");
        let offset = text.find('|').expect("a cursor") as u32;
        let db = Database::default();
        let file = File::new(&db, text.replacen('|', "", 1).into(), Options::default());
        (db, file, offset)
    }

    fn labels(lines: &str) -> Vec<String> {
        let (db, file, offset) = at(lines);
        let items = completions(&db, file, offset, &[&RACE]).map_or(Vec::new(), |(_, items)| items);
        items.into_iter().map(|item| item.label).collect()
    }

    #[test]
    fn hovers_explain_the_words_of_directives() {
        let shown = |lines: &str| {
            let (db, file, offset) = at(lines);
            hover(&db, file, offset, &[&RACE]).map_or(String::new(), |shown| shown.text)
        };
        assert!(shown("  //@ lau|nch grid=(1, 1, 1)").contains("Begins a launch"));
        assert!(shown("  //@ launch gr|id=(1, 1, 1)").contains("The number of tile blocks"));
        assert!(shown("  //@ lau|nch").contains("For example:\n\n```tile\n//@ launch"));
        assert!(shown("  //@   %p = f32[8] uni|form(0, 1)").contains("uniformly distributed"));
        assert!(shown("  //@   %p = f3|2[8] zeros").contains("`f32`"));
        assert!(shown("  //@   %|p = f32[8] zeros").contains("%p: tile<ptr<f32>>"));
        assert!(shown("  //@ expect error R01|07").contains("R0107"));
        assert!(shown("  //@ expect %p ~= soft|max(%p)").contains("over its sum"));
        assert_eq!(shown("  // lau|nch"), "");
    }

    #[test]
    fn completions_depend_on_the_context() {
        assert_eq!(labels("  //@ |")[..2], ["launch", "expect"]);
        assert!(labels("  //@ |").contains(&"%p".to_string()));
        assert_eq!(labels("  //@ launch |"), ["grid"]);
        assert_eq!(labels("  //@   %|"), ["%p", "%n"]);
        assert!(labels("  //@   %p = |").contains(&"f32".to_string()));
        assert!(labels("  //@   %p = f32[8] |").contains(&"uniform".to_string()));
        assert!(labels("  //@   %p = f32[8] uniform(|").is_empty());
        assert_eq!(labels("  //@ expect |")[..5], ["%p", "%n", "print", "error", "sum"]);
        assert_eq!(labels("  //@ expect %p |"), ["~=", "=="]);
        assert_eq!(labels("  //@ expect mean(%p) |"), ["~=", "=="]);
        assert_eq!(labels("  //@ expect (%p |"), [""; 0]);
        assert_eq!(labels("  //@ expect (%p == |")[..3], ["%p", "%n", "sum"]);
        assert_eq!(labels("  //@ expect %p * |")[..3], ["%p", "%n", "sum"]);
        assert_eq!(labels("  //@ expect (%p == %p) == |")[..2], ["%p", "%n"]);
        assert_eq!(labels("  //@ expect (%p == %p) ~= %p |"), ["rtol", "atol"]);
        assert_eq!(labels("  //@ expect %p ~= |")[..2], ["%p", "%n"]);
        assert_eq!(labels("  //@ expect %p ~= sum(%p) |"), ["rtol", "atol"]);
        assert!(labels("  //@ expect %p ~= 2 * s|").contains(&"sum".to_string()));
        assert!(labels("  //@ expect print |").is_empty());
        assert!(labels("  //@ expect error |").contains(&"R0107".to_string()));
        assert!(labels("  //@ expect %p ~= |").contains(&"softmax".to_string()));
        assert_eq!(labels("  //@ expect %p ~= %|"), ["%p", "%n"]);
        assert!(labels("  // |").is_empty());
    }

    const LAUNCH: &str = "  //@ launch\n  //@   %a = f32[8] iota\n  //@   %list = i64[1] [&%a]\n";

    #[test]
    fn addresses_have_completions_and_hovers() {
        let labels = |line: &str| labels(&format!("{LAUNCH}{line}"));
        assert_eq!(labels("  //@   %p = &|"), ["%a", "%list"]);
        assert_eq!(labels("  //@   %p = &%|"), ["%a", "%list"]);
        assert_eq!(labels("  //@   %p = multicast(|"), ["%a", "%list"]);
        assert_eq!(labels("  //@   %x = i64[2] [&%a, &|"), ["%a", "%list"]);
        let first = labels("  //@   %p = |");
        assert!(first.contains(&"multicast".to_string()) && first.contains(&"&%a".to_string()), "{first:?}");
        assert!(labels("  //@   %p = f32[8] |").contains(&"replicas".to_string()));
        assert_eq!(labels("  //@ expect %|"), ["%p", "%n", "%a", "%list"]);
        assert_eq!(labels("  //@ expect |")[..4], ["%p", "%n", "%a", "%list"]);
        let (db, file, offset) = at(&format!("{LAUNCH}  //@ expect %a| == 0"));
        let shown = hover(&db, file, offset, &[&RACE]).expect("a buffer").text;
        assert_eq!(shown, "```tile\n%a = f32[8] iota\n```\n\nA buffer of this launch, referenced by `%list`.\n");
        let (db, file, offset) = at("  //@ launch\n  //@   %p = f32[8] repl|icas=2 zeros");
        assert!(hover(&db, file, offset, &[&RACE]).expect("a word").text.contains("The number of replicas"));
        let (db, file, offset) = at("  //@ launch\n  //@   %p = multi|cast(%a)");
        assert!(hover(&db, file, offset, &[&RACE]).expect("a word").text.contains("multicast object"));
    }

    #[test]
    fn completions_have_documentation_pages() {
        for (lines, name) in [("  //@ |", "launch"), ("  //@ expect %p ~= |", "softmax"), ("  //@   %p = |", "f32")] {
            let (db, file, offset) = at(lines);
            let (_, items) = completions(&db, file, offset, &[&RACE]).expect("something is offered");
            let item = items.iter().find(|item| item.label == name).expect(name);
            let mut topics = tile_analysis::ide::doc::language().into_iter().chain(words::topics());
            let topic = topics.find(|topic| item.topic == Some(topic.key())).expect("it has a page");
            assert!(topic.name() == name && topic.page().contains("For example:"), "{name}");
        }
    }
}
