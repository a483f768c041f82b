//! The changes that editors offer.

use tile_analysis::db::{Database, File};
use tile_analysis::diagnostic::Edit;
use tile_opt::at::offers;

const PROGRAM: &str = "cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %two = constant <i32: 2> : tile<i32>
    %four = addi %two, %two : tile<i32>
    %a = addi %n, %four : tile<i32>
    %b = addi %n, %four : tile<i32>
    for %i in (%two to %n, step %two) : tile<i32> {
      %c = muli %a, %b : tile<i32>
      %t = store_ptr_tko weak %p, %c : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  entry @other(%n: tile<i32>) {
    %unused = addi %n, %n : tile<i32>
  }
}
";

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut out = text.to_string();
    for edit in edits.iter().rev() {
        out.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.content);
    }
    out
}

/// The titles of the offers at a place, each with the text that it leads to.
fn at(text: &str, place: &str) -> Vec<(String, String)> {
    let db = Database::default();
    let file = File::new(&db, text.into(), Default::default());
    let offset = text.find(place).expect("the place is in the program") as u32;
    offers(&db, file, offset).into_iter().map(|offer| (offer.title, applied(text, &offer.edits))).collect()
}

#[test]
fn an_offer_changes_one_op() {
    let offered = |place, title: &str, text: String| {
        assert_eq!(at(PROGRAM, place), [(title.to_string(), text)]);
    };
    let folded = PROGRAM.replace("addi %two, %two", "constant <i32: 4>");
    offered("%four = ", "Replace `%four` with its constant value", folded);
    let merged = PROGRAM.replace("    %b = addi %n, %four : tile<i32>\n", "").replace("muli %a, %b", "muli %a, %a");
    offered("%b = ", "Merge `%b` with the equal value above", merged);
    let line = "    %c = muli %a, %b : tile<i32>\n";
    let moved = PROGRAM.replace(&format!("  {line}"), "").replace("    for", &format!("{line}    for"));
    offered("muli", "Move `%c` out of the loop", moved);
    for place in ["%two = ", "store_ptr_tko", "cuda_tile.module", "%i in"] {
        assert_eq!(at(PROGRAM, place), [], "{place}");
    }
}

#[test]
fn an_entry_is_optimized_alone() {
    let unused = "    %unused = addi %n, %n : tile<i32>\n";
    assert_eq!(at(PROGRAM, "@other"), [("Optimize `@other`".to_string(), PROGRAM.replace(unused, ""))]);
    let [(_, text)] = &at(PROGRAM, "@k")[..] else { panic!("no offer") };
    assert!(text.contains(unused) && text.contains("%c = muli %a, %a : tile<i32>\n    for"), "{text}");
}

#[test]
fn an_entry_with_errors_has_no_offers() {
    let text = PROGRAM.replace("%n, %four", "%n, %undeclared");
    for place in ["@k", "%four = ", "%c = "] {
        assert_eq!(at(&text, place), [], "{place}");
    }
    assert_eq!(at(&text, "@other").len(), 1);
}
