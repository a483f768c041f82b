//! Makes every request of an editor at the words of every example, both in the whole text and in the text truncated
//! after the word, as while typing. Nothing may panic, and all ranges must be valid.

use crate::programs;
use std::path::Path;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::ide::{actions, completion, hover, inlay};

/// Only every fifth word is tested: the words of a file are alike, and testing all of them takes too long.
const EVERY: usize = 5;

fn request(db: &Database, file: File, at: u32) {
    let text = file.text(db);
    let fits = |range: &std::ops::Range<u32>| text.get(range.start as usize..range.end as usize).is_some();
    if let Some(shown) = hover::hover(db, file, at) {
        assert!(fits(&shown.range) && !shown.text.is_empty());
    }
    let offered = completion::completions(db, file, at);
    assert!(fits(&offered.replaced) && offered.replaced.end == at, "{:?} at {at}", offered.replaced);
    assert!(offered.items.iter().all(|item| !item.label.is_empty()));
    for action in actions::actions(db, file, at..at) {
        assert!(action.edits.iter().all(|edit| fits(&edit.range)), "{action:?}");
    }
}

#[test]
fn no_request_panics_while_a_text_is_typed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    programs(&root.join("../crates/dialect/src/examples"), &mut all);
    programs(&root.join("../examples"), &mut all);
    for path in all {
        let text = std::fs::read_to_string(&path).expect("the example is readable");
        let db = Database::default();
        let full = File::new(&db, text.as_str().into(), Options::default());
        let is_word = |c: char| c.is_ascii_alphanumeric() || "%@!#_".contains(c);
        let ends =
            text.char_indices().filter(|&(at, c)| !is_word(c) && text[..at].ends_with(is_word)).map(|(at, _)| at);
        for at in ends.step_by(EVERY) {
            request(&db, full, at as u32);
            let cut = File::new(&db, text[..at].into(), Options::default());
            request(&db, cut, at as u32);
            for inlay in inlay::inlays(&db, cut, &(0..at as u32), inlay::InlayOptions::default()) {
                assert!(inlay.at as usize <= at && text.is_char_boundary(inlay.at as usize), "{inlay:?}");
            }
        }
    }
}
