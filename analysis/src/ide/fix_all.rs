//! Mending everything that can be mended without asking.

use crate::diagnostic::{Diagnostic, Edit, Fix, Severity};

/// The codes of errors whose only fix is no guess: a bracket or a comma that must stand there.
const CERTAIN: [&str; 1] = ["E0001"];

/// The fix of a diagnostic where nobody needs to choose: it is the only one, and what is legal stays what it means, or
/// what is missing can be nothing else.
pub fn certain(found: &Diagnostic) -> Option<&Fix> {
    let is_certain = found.page.severity != Severity::Error || CERTAIN.contains(&found.page.code);
    match &found.fixes[..] {
        [only] if is_certain => Some(only),
        _ => None,
    }
}

/// The edits of all certain fixes.
pub fn fix_all(found: &[Diagnostic]) -> Vec<Edit> {
    edits(found.iter().filter_map(certain)).0
}

/// The edits of fixes in the order of the text, and how many fixes they make. Where two touch, the first is kept; the
/// other is found again when the first has been made.
pub fn edits<'f>(fixes: impl Iterator<Item = &'f Fix>) -> (Vec<Edit>, usize) {
    let mut edits: Vec<Edit> = Vec::new();
    let mut count = 0;
    for fix in fixes {
        let meets = |edit: &Edit| {
            edits.iter().any(|other| edit.range.start <= other.range.end && other.range.start <= edit.range.end)
        };
        if !fix.edits.iter().any(meets) {
            edits.extend(fix.edits.iter().cloned());
            count += 1;
        }
    }
    Edit::sort(&mut edits);
    (edits, count)
}

/// A text after edits, which are in its order.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let (mut mended, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        mended += &text[at..edit.range.start as usize];
        mended += &edit.content;
        at = edit.range.end as usize;
    }
    mended + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::db;

    #[test]
    fn what_is_certain_is_mended_at_once() {
        let text = fixture::entry(
            "    %a = constant <f32: 1.0> : tile<f32>\n    %b = pow %a, %a : tile<f32>\n    print \"hello\"\n    %c = iotta : tile<8xi32>",
        );
        let (db, file) = fixture::file(&text);
        let found = db::diagnostics(&db, file);
        assert_eq!(found.len(), 3, "{found:?}");
        let fixed = apply(&text, &fix_all(&found));
        assert!(fixed.contains("%b = fpowf %a") && fixed.contains("print_tko \"hello\""), "{fixed}");
        assert!(fixed.contains("iotta"), "a guess is left to people: {fixed}");
        let (db, file) = fixture::file(&fixed);
        assert_eq!(db::diagnostics(&db, file).len(), 1);
    }
}
