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

/// The edits of all certain fixes, in the order of the text. Where two touch, the first is kept; the other is found again
/// when the first has been made.
pub fn fix_all(found: &[Diagnostic]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for fix in found.iter().filter_map(certain) {
        let meets = |edit: &Edit| {
            edits.iter().any(|other| edit.range.start <= other.range.end && other.range.start <= edit.range.end)
        };
        if !fix.edits.iter().any(meets) {
            edits.extend(fix.edits.iter().cloned());
        }
    }
    edits.sort_by_key(|edit| edit.range.start);
    edits
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
        let mut fixed = text.clone();
        for edit in fix_all(&found).iter().rev() {
            fixed.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.content);
        }
        assert!(fixed.contains("%b = fpowf %a") && fixed.contains("print_tko \"hello\""), "{fixed}");
        assert!(fixed.contains("iotta"), "a guess is left to people: {fixed}");
        let (db, file) = fixture::file(&fixed);
        assert_eq!(db::diagnostics(&db, file).len(), 1);
    }
}
