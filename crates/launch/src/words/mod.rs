//! The words of launch directives and of their formulas, with their pages: for hovers, completions and `tile doc`.

mod directives;
mod example;
mod functions;
mod terms;
mod word;

pub use example::example_program;
pub use word::{Word, WordContext};

use tile_analysis::ide::doc::Topic;

/// Every word.
pub fn words() -> impl Iterator<Item = &'static Word> {
    directives::WORDS.iter().chain(functions::WORDS)
}

/// All topics about launches that have a page, in the order of lists.
pub fn topics() -> impl Iterator<Item = Topic> {
    words().map(|word| &word.term).chain(terms::ROWS).map(Topic::Term)
}

/// The word with this name that fits a line. Some words have one meaning in formulas and another elsewhere.
pub fn word_at(name: &str, line: &str) -> Option<&'static Word> {
    let found: Vec<&Word> = words().filter(|word| word.term.name == name).collect();
    let in_formula = line.trim_start().starts_with("expect");
    let fits = |word: &&&Word| (word.place == WordContext::Formula) == in_formula;
    found.iter().find(fits).or(found.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{directive, expr, spec};
    use tile_analysis::ide::doc;

    fn has(place: WordContext, name: &str) -> bool {
        words().any(|word| word.place == place && word.term.name == name)
    }

    #[test]
    fn every_parsed_word_is_documented() {
        assert!(directive::NAMES.into_iter().all(|name| has(WordContext::Line, name)));
        assert!(spec::INITS.into_iter().all(|name| has(WordContext::Init, name)));
        for name in expr::functions() {
            assert!(has(WordContext::Formula, name), "{name}");
            assert_eq!(word_at(name, " expect %x == ").map(|word| word.place), Some(WordContext::Formula), "{name}");
        }
        assert_eq!(words().filter(|word| word.place == WordContext::Formula).count(), expr::functions().count());
    }

    #[test]
    fn pages_have_syntax_and_an_example() {
        for topic in topics() {
            let (key, notes) = (topic.key(), topic.notes().expect("it has notes"));
            assert!(topic.doc().ends_with('.') && notes.rules.iter().all(|rule| rule.ends_with('.')), "{key}");
            assert!(!notes.syntax.is_empty() && notes.example.contains("//@ launch"), "{key}");
            assert!(!notes.see.is_empty() && topic.since().is_none(), "{key}");
        }
    }

    #[test]
    fn words_with_several_meanings_are_distinguished() {
        let all: Vec<Topic> = topics().collect();
        let keys: Vec<String> = doc::find(&all, "npy").iter().map(Topic::key).collect();
        assert_eq!(keys, ["buffer content npy", "formula function npy"]);
        assert_eq!(word_at("npy", "   %x = f32[4] ").map(|word| word.place), Some(WordContext::Init));
    }
}
