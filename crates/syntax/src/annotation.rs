//! Annotations of files on GitHub, as [workflow commands].
//!
//! [workflow commands]: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands

use crate::visible::escape;
use std::fmt;

/// The severity of an annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// A failure.
    Error,
    /// Something to look at.
    Warning,
    /// Information.
    Notice,
}

/// Where an annotation appears. Rows and columns count from 1; columns count characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// The file name as the user gave it.
    pub file: &'a str,
    /// The first and the last row.
    pub rows: [u32; 2],
    /// The first column in the first row, and the column after the last in the last row.
    pub columns: Option<[u32; 2]>,
}

/// An annotation. Its [`Display`](fmt::Display) is the command, a single line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation<'a> {
    /// The severity.
    pub level: Level,
    /// The place in a file, if any.
    pub place: Option<Place<'a>>,
    /// The title.
    pub title: &'a str,
    /// The text, which may have several lines.
    pub message: &'a str,
}

impl fmt::Display for Annotation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Notice => "notice",
        };
        write!(f, "::{level} ")?;
        if let Some(Place { file, rows: [row, end_row], columns }) = &self.place {
            write!(f, "file={},line={row},", property(&name_in_repository(file)))?;
            match columns {
                Some([column, end_column]) => {
                    write!(f, "col={column},endLine={end_row},endColumn={end_column},")?;
                }
                None => write!(f, "endLine={end_row},")?,
            }
        }
        write!(f, "title={}::{}", property(self.title), data(self.message))
    }
}

/// The name of a file in a repository, which code hosts compare: with slashes, and without a leading `./`.
pub fn name_in_repository(name: &str) -> String {
    let name = if cfg!(windows) { name.replace('\\', "/") } else { name.to_string() };
    name.strip_prefix("./").unwrap_or(&name).to_string()
}

fn data(text: &str) -> String {
    escape(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_end_a_property_or_the_command() {
        let place = Place { file: "./a,b:c%.tile", rows: [3, 4], columns: Some([5, 6]) };
        let annotation = Annotation {
            level: Level::Error,
            place: Some(place),
            title: "a,b::c",
            message: "50%, a::b\r\n::error::\x1b",
        };
        let expected = "::error file=a%2Cb%3Ac%25.tile,line=3,col=5,endLine=4,endColumn=6,title=a%2Cb%3A%3Ac\
                        ::50%25, a::b%0D%0A::error::\\u{1b}";
        assert_eq!(annotation.to_string(), expected);
    }

    #[test]
    fn columns_and_places_are_optional() {
        let place = Place { file: "a.tile", rows: [3, 3], columns: None };
        let annotation = Annotation { level: Level::Notice, place: Some(place), title: "t", message: "m" };
        assert_eq!(annotation.to_string(), "::notice file=a.tile,line=3,endLine=3,title=t::m");
        let annotation = Annotation { level: Level::Warning, place: None, ..annotation };
        assert_eq!(annotation.to_string(), "::warning title=t::m");
    }
}
