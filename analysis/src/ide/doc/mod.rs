//! Documentation by name: the pages that `tile doc TERM` prints and editors show.
//!
//! A [`Topic`] is anything with a page. [`language`] lists the topics of the language; callers add others, such as
//! launch directives, and pass all of them to [`find`], [`near`] and [`answer`].

mod answer;
mod facts;
mod lint_comment;
mod page;
mod search;
mod topic;
mod versions;

pub use answer::{answer, list};
pub use search::{find, near};
pub use topic::{Topic, attribute, language, names, term};
pub use versions::versions;

#[cfg(test)]
mod tests;
