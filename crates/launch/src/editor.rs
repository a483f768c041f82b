//! Hovers and completions inside launch directives. Offsets are bytes of the file; nothing is read from disk or run.

mod expectation;
mod item;
mod line;
mod names;

pub use item::Completion;
pub use names::ArgumentAt;

use super::address::MULTICAST;
use super::words::{WordContext, word_at};
use expectation::expectation;
use item::{completion, words_at};
use line::DirectiveLine;
use names::Names;
use std::ops::Range;
use tile_analysis::db::{File, Queries};
use tile_analysis::diagnostic::Page;
use tile_analysis::ide::doc::Topic;
use tile_analysis::ide::hover::about;
use tile_dialect::{Element, ElementRow};

/// A hover text for a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoverText {
    /// The word.
    pub range: Range<u32>,
    /// Markdown.
    pub text: String,
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
        () if line.text[..word.start].ends_with('%') => Names::at(db, file, offset)?.hover(name)?,
        () if line.text[..word.start].ends_with('@') && is_forward(line.text) => names::entry(db, file, name)?,
        () => match (findings.iter().find(|page| page.code == name), word_at(name, line.text)) {
            (Some(page), _) => about(page),
            (None, Some(word)) => topic_text(&Topic::Term(&word.term)),
            (None, None) => Topic::Element(Element::from_name(name)?.row()).brief(),
        },
    };
    let range = (line.start + word.start) as u32..(line.start + word.end) as u32;
    Some(HoverText { range, text })
}

/// The argument whose name is at an offset of a line of directives.
pub fn argument_at(db: &Queries, file: File, offset: u32) -> Option<ArgumentAt> {
    let line = DirectiveLine::at(file.text(db), offset)?;
    let word = line.word();
    line.text[..word.start].ends_with('%').then(|| Names::at(db, file, offset)?.argument(&line.text[word]))?
}

/// The hover text of a topic: the beginning of its page, and its example.
fn topic_text(topic: &Topic) -> String {
    format!("{}\nFor example:\n\n```tile\n{}```\n", topic.brief(), topic.example())
}

/// Whether a line begins a launch.
fn begins_launch(line: &str) -> bool {
    line.starts_with("launch") || line.starts_with("bench")
}

/// Whether a line names the forward kernel.
fn is_forward(line: &str) -> bool {
    line.trim_start().starts_with("forward")
}

/// The completions at an offset of a line of directives, and the text range that they replace. `findings` as for
/// [`hover`].
pub fn completions(db: &Queries, file: File, offset: u32, findings: &[&Page]) -> Option<(Range<u32>, Vec<Completion>)> {
    let line = DirectiveLine::at(file.text(db), offset)?;
    let names = Names::at(db, file, offset);
    let parameters = |with_value| names.as_ref().map_or(Vec::new(), |names| names.parameters(with_value));
    let buffers = || names.as_ref().map_or(Vec::new(), Names::buffers);
    let values = || names.as_ref().map_or(Vec::new(), Names::values);
    let mut start = line.word().start.min(line.before.len());
    let before = line.before[..start].trim_end();
    let ends_with = |sign| line.before[..start].ends_with(sign);
    let items = if ends_with('%') {
        start -= 1;
        match line.before[..start].trim() {
            "" => parameters(true),
            before if before.starts_with("expect") => values(),
            before if is_address_due(before) => buffers(),
            _ => parameters(false),
        }
    } else if is_forward(before) && ends_with('@') {
        start -= 1;
        names::entries(db, file)
    } else if is_address_due(before) {
        buffers()
    } else if before.matches('"').count() % 2 == 1 {
        Vec::new()
    } else if before.is_empty() {
        words_at(WordContext::Line).into_iter().chain(parameters(true)).collect()
    } else if before.trim() == "forward" {
        names::entries(db, file)
    } else {
        let mut items = inside(before, findings, &values);
        // A pointer or an `i64` can be an address.
        if before.trim_start().starts_with('%') && before.ends_with('=') && !before.ends_with("==") {
            items.extend(words_at(WordContext::Address));
            let address = |item: Completion| Completion {
                label: format!("&{}", item.label),
                snippet: format!("&{}", item.snippet),
                ..item
            };
            items.extend(buffers().into_iter().map(address));
        }
        items
    };
    Some(((line.start + start) as u32..offset, items))
}

/// Whether the name of a buffer is expected: after `&` or `multicast(`.
fn is_address_due(before: &str) -> bool {
    let before = before.trim_end();
    let is_argument = !before.trim_start().starts_with("expect");
    is_argument && (before.ends_with('&') || before.trim_end_matches(['(', ' ']).ends_with(MULTICAST))
}

/// The completions after the beginning of a line. `named` returns the parameters of the entry.
fn inside(before: &str, findings: &[&Page], named: &dyn Fn() -> Vec<Completion>) -> Vec<Completion> {
    let before = before.trim_start();
    if begins_launch(before) || is_forward(before) {
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
        let padded = shown("  //@ launch\n  //@   %|p = f32[8, 3] strides=[4, 1] replicas=2 zeros");
        assert!(padded.ends_with("\nShape `[8, 3]`, strides `[4, 1]`, 124 bytes each.\n"), "{padded}");
        assert!(shown("  //@ expect error R01|07").contains("R0107"));
        assert!(shown("  //@ expect %p ~= soft|max(%p)").contains("over its sum"));
        assert_eq!(shown("  // lau|nch"), "");
    }

    #[test]
    fn completions_depend_on_the_context() {
        assert_eq!(labels("  //@ |")[..4], ["launch", "bench", "expect", "forward"]);
        assert!(labels("  //@ |").contains(&"%p".to_string()));
        assert_eq!(labels("  //@ launch |"), ["grid"]);
        assert_eq!(labels("  //@ bench |"), ["grid"]);
        assert_eq!(labels("  //@   %|"), ["%p", "%n"]);
        assert!(labels("  //@   %p = |").contains(&"f32".to_string()));
        assert!(labels("  //@   %p = f32[8] |").contains(&"uniform".to_string()));
        assert!(labels("  //@   %p = f32[8] uniform(|").is_empty());
        assert_eq!(labels("  //@ expect |")[..6], ["%p", "%n", "grad", "print", "error", "sum"]);
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

    #[test]
    fn the_forward_kernel_has_completions_and_hovers() {
        let other = "  entry @f(%p: tile<ptr<f32>>, %y: tile<ptr<f16>>) {\n  }\n";
        let launch = format!("{other}  //@ launch\n  //@ forward @f\n");
        let labels = |line: &str| labels(&format!("{launch}{line}"));
        assert_eq!(labels("  //@ forward |"), ["@f", "@k"]);
        assert_eq!(labels("  //@ forward @|"), ["@f", "@k"]);
        assert_eq!(labels("  //@ forward @f|"), ["@f", "@k"]);
        assert_eq!(labels("  //@ forward @f |"), ["grid"]);
        assert_eq!(labels("  //@ forward @f grid=|"), [""; 0]);
        assert_eq!(labels("  //@   %|"), ["%p", "%n", "%y"]);
        assert_eq!(labels("  //@ expect |")[..4], ["%p", "%n", "%y", "grad"]);
        assert_eq!(labels("  //@ expect %p ~= |")[..4], ["%p", "%n", "%y", "grad"]);
        assert_eq!(labels("  //@ expect grad(|")[..3], ["%p", "%n", "%y"]);
        let shown = |line: &str| {
            let (db, file, offset) = at(&format!("{launch}{line}"));
            hover(&db, file, offset, &[&RACE]).map_or(String::new(), |shown| shown.text)
        };
        assert!(
            shown("  //@ forward @f|").starts_with("```tile\nentry @f(%p: tile<ptr<f32>>, %y: tile<ptr<f16>>)\n```")
        );
        assert!(shown("  //@ for|ward @f").contains("Names the kernel that the gradients"));
        assert!(shown("  //@   %y| = f16[1] zeros").contains("Parameter 2 of `@f`"));
        assert!(shown("  //@ expect gr|ad(%y, %p) ~= 1").contains("The gradient of a kernel"));
        assert_eq!(shown("  //@ expect %p == %p @f|"), "");
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
        assert_eq!(
            shown,
            "```tile\n%a = f32[8] iota\n```\n\nA buffer of this launch, referenced by `%list`.\n\nShape `[8]`, strides `[1]`, 32 bytes.\n"
        );
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
            let mut topics = tile_analysis::ide::doc::language().into_iter().chain(crate::words::topics());
            let topic = topics.find(|topic| item.topic == Some(topic.key())).expect("it has a page");
            assert!(topic.name() == name && topic.page().contains("For example:"), "{name}");
        }
    }
}
