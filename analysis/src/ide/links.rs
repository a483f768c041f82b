//! Links to the files named in launch directives. The files are not read.

use super::directive::{self, SIGN};
use super::semantic_tokens::Kind;
use crate::db::File;
use std::ops::Range;

/// A file name in a directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The name, without its quotes, in bytes of the file.
    pub range: Range<u32>,
    /// The unescaped name, relative to the folder of the program.
    pub name: String,
}

/// The function with a file name as its argument.
const FILE_FUNCTION: &str = "npy";

/// All file names in the directives of a program.
pub fn links(db: &dyn salsa::Database, file: File) -> Vec<Link> {
    let text = file.text(db);
    let mut found = Vec::new();
    if !text.contains(SIGN) {
        return found;
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let directive = line.trim();
        if directive.starts_with(SIGN) {
            in_directive(directive, start as u32, &mut found);
        }
    }
    found
}

fn in_directive(directive: &str, start: u32, found: &mut Vec<Link>) {
    let mut is_argument = false;
    directive::words(directive, |range, kind| {
        let word = &directive[range.start as usize..range.end as usize];
        let is_closed = word.len() > 2 && word.ends_with('"');
        if is_argument && kind == Kind::Text && is_closed {
            let range = range.start + start + 1..range.end + start - 1;
            found.push(Link { range, name: unescaped(&word[1..word.len() - 1]) });
        }
        is_argument = kind == Kind::Function && word == FILE_FUNCTION;
    });
}

/// Removes escapes: a backslash stands for the character after it.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn of_arguments_and_formulas() {
        let text = "cuda_tile.module @m {\n  //@ launch \"npy\"\n  //@   %a = f32[4] npy(\"in.npy\")\n  \
                    //@ expect %a ~= npy(\"sub/a \\\"b\\\".npy\", bf16) + npy ( \"c.npy\" )\n  //@ expect print \"x\"\n  // npy(\"no.npy\")\n  \
                    //@   %b = f32[4] npy(\"open\n  entry @k(%a: tile<ptr<f32>>) {\n  }\n}\n";
        let (db, file) = fixture::file(text);
        let found = links(&db, file);
        let names: Vec<&str> = found.iter().map(|link| &*link.name).collect();
        assert_eq!(names, ["in.npy", "sub/a \"b\".npy", "c.npy"]);
        assert_eq!(&text[found[0].range.start as usize..found[0].range.end as usize], "in.npy");
    }
}
