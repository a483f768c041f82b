//! Documentation by name: what `tile doc TERM` prints and what editors show about a word.
//!
//! A [`Topic`] is something that has a page. Those of the language are listed by [`language`]; callers add what they know
//! beyond it, such as launch directives, and hand all of them to [`find`], [`near`] and [`answer`].

mod answer;
mod facts;
mod lint_comment;
mod page;
mod search;
mod topic;

pub use answer::{answer, list};
pub use search::{find, near};
pub use topic::{Topic, attribute, language, names, term};

#[cfg(test)]
mod tests;
