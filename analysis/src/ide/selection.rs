//! Selection ranges around an offset, from the word to the whole file.

use crate::db::{self, File};
use std::ops::Range;
use tile_syntax::{Node, NodeKind, Token, Tree};

/// The ranges that contain an offset, each nested in the next, smallest first. The last one is the whole file.
pub fn selections(db: &dyn salsa::Database, file: File, offset: u32) -> Vec<Range<u32>> {
    let text = file.text(db);
    let offset = offset.min(text.len() as u32);
    let mut found = Vec::new();
    if let Some((start, item)) = db::layout(db, file).at(db, offset) {
        in_tree(db::syntax(db, item), item.text(db), offset - start, &mut found);
        found.iter_mut().for_each(|range| *range = range.start + start..range.end + start);
    }
    in_tree(&db::file_outline(db, file).tree, text, offset, &mut found);
    found.push(0..text.len() as u32);
    nested(found)
}

/// Drops ranges that do not properly contain the previous one.
fn nested(ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    let mut kept: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        let is_wider = |last: &Range<u32>| range.start <= last.start && last.end <= range.end && range != *last;
        if kept.last().is_none_or(is_wider) {
            kept.push(range);
        }
    }
    kept
}

fn in_tree(tree: &Tree, text: &str, offset: u32, found: &mut Vec<Range<u32>>) {
    comments(tree, text, offset, found);
    let touched = touched(tree, offset);
    if let Some(token) = touched.filter(|&token| tree.tokens.kind(token) != Token::Item) {
        found.push(tree.tokens.start(token)..tree.tokens.end(token));
    }
    let mut path = touched.map_or_else(|| around(tree, offset), |token| tree.path_to(token));
    path.reverse();
    for node in path.into_iter().filter(|&node| node != Node::ROOT) {
        let range = tree.range(node);
        if !(range.start <= offset && offset <= range.end) {
            continue;
        }
        if tree.kind(node) == NodeKind::Region {
            found.extend(inside(&range, text).filter(|inner| inner.start <= offset && offset <= inner.end));
        }
        found.push(range);
    }
}

/// The token at an offset, or the one that ends there.
fn touched(tree: &Tree, offset: u32) -> Option<usize> {
    let tokens = &tree.tokens;
    let at = tokens.at(offset);
    let holds = |&token: &usize| token < tokens.len() && tokens.start(token) <= offset && offset <= tokens.end(token);
    let is_word = |token: usize| tokens.end(token) - tokens.start(token) > 1;
    let candidates = [Some(at), at.checked_sub(1)].into_iter().flatten().filter(holds);
    candidates.max_by_key(|&token| (is_word(token), token))
}

/// The nodes around an offset between two tokens, outermost first.
fn around(tree: &Tree, offset: u32) -> Vec<Node> {
    let mut path = vec![Node::ROOT];
    let holds = |node: &Node| {
        let range = tree.range(*node);
        range.start <= offset && offset < range.end
    };
    while let Some(child) = tree.children(path[path.len() - 1]).find(holds) {
        path.push(child);
    }
    path
}

/// The range between the braces of a region, without surrounding whitespace.
fn inside(region: &Range<u32>, text: &str) -> Option<Range<u32>> {
    let braced = &text[region.start as usize..region.end as usize];
    let open = braced.find('{')? + 1;
    let inner = braced[open..].strip_suffix('}')?;
    let start = region.start + (open + inner.len() - inner.trim_start().len()) as u32;
    let end = start + inner.trim().len() as u32;
    (start < end).then_some(start..end)
}

/// Adds the comment at an offset and the block of comment lines around it.
fn comments(tree: &Tree, text: &str, offset: u32, found: &mut Vec<Range<u32>>) {
    let comments = tree.tokens.comments();
    let index = comments.partition_point(|&(_, end)| end < offset);
    let Some(&(start, end)) = comments.get(index).filter(|&&(start, _)| start <= offset) else { return };
    found.push(start..end);
    let joined = |before: u32, after: u32| {
        let between = &text[before as usize..after as usize];
        between.trim().is_empty() && between.matches('\n').count() == 1
    };
    let (mut first, mut last) = (index, index);
    while first > 0 && joined(comments[first - 1].1, comments[first].0) {
        first -= 1;
    }
    while last + 1 < comments.len() && joined(comments[last].1, comments[last + 1].0) {
        last += 1;
    }
    found.push(comments[first].0..comments[last].1);
}

#[cfg(test)]
mod tests {
    use super::super::fixture::cursor;
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let (db, file, offset) = cursor(text);
        let text = file.text(&db).to_string();
        let found = selections(&db, file, offset);
        let shown: Vec<&str> = found.iter().map(|range| &text[range.start as usize..range.end as usize]).collect();
        assert_eq!(shown[..expected.len()], *expected);
        assert_eq!(shown.last(), Some(&text.as_str()));
        assert!(found.windows(2).all(|pair| pair[1].start <= pair[0].start && pair[0].end <= pair[1].end));
    }

    #[test]
    fn from_a_word_to_the_file() {
        let entry = "entry @k(%p: tile<ptr<f32>>) {\n    %a = addf %p, %$0q : tile<f32>\n    return\n  }";
        let bare = entry.replace("$0", "");
        let inner = "%a = addf %p, %q : tile<f32>\n    return";
        let body = format!("{{\n    {inner}\n  }}");
        check(
            &format!("!t = tile<f32>\ncuda_tile.module @m {{\n  {entry}\n}}\n"),
            &["%q", "%a = addf %p, %q : tile<f32>", inner, &body, &bare],
        );
    }

    #[test]
    fn types_grow_by_their_brackets() {
        check(
            "cuda_tile.module @m {\n  entry @k(%p: tile<ptr<f$032>>) {\n  }\n}\n",
            &["f32", "tile<ptr<f32>>", "%p: tile<ptr<f32>>", "(%p: tile<ptr<f32>>)"],
        );
    }

    #[test]
    fn a_comment_grows_to_its_block() {
        check("// one\n// t$0wo\n\n// three\n", &["// two", "// one\n// two"]);
    }

    #[test]
    fn blanks_and_broken_text_have_ranges_too() {
        check("cuda_tile.module @m {\n  $0\n}\n", &["{\n  \n}"]);
        check("$0", &[""]);
        check("}$0{", &["{"]);
        check("entry @k( { %$0 = ", &[]);
    }
}
