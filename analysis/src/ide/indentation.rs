//! The indentation of a new line.

use crate::db::{self, File};
use tile_syntax::{Node, NodeKind, Tree};

/// The blanks that the line at an offset begins with if only a complete statement of several lines precedes it: those
/// of the line where the statement starts. `None` if a statement goes on there, or if the editor knows the depth, which
/// is that of the line before.
pub fn after_statement(db: &dyn salsa::Database, file: File, offset: u32) -> Option<String> {
    let (start, item) = db::layout(db, file).before(offset)?;
    let text: &str = item.text(db);
    let before = text.get(..(offset - start) as usize)?.trim_end();
    let tree = db::syntax(db, item);
    let statement = tree.range(ended_by(tree, before.len() as u32)?);
    let is_broken = before.get(statement.start as usize..)?.contains('\n');
    let line = &before[before[..statement.start as usize].rfind('\n')? + 1..];
    is_broken.then(|| line[..line.len() - line.trim_start().len()].to_string())
}

/// The complete statement that ends at an offset.
fn ended_by(tree: &Tree, end: u32) -> Option<Node> {
    let last = tree.tokens.at(end.checked_sub(1)?);
    let op = tree.path_to(last).into_iter().rfind(|&node| tree.kind(node) == NodeKind::Op)?;
    let range = tree.range(op);
    let is_complete = tree.errors.iter().all(|error| error.range.end < range.start || range.end < error.range.start);
    (range.end == end && is_complete).then_some(op)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, entry};
    use super::*;

    /// Asserts the indentation at the cursor after a statement.
    #[track_caller]
    fn is(statement: &str, expected: Option<&str>) {
        let (db, file, offset) = cursor(&entry(statement));
        assert_eq!(after_statement(&db, file, offset).as_deref(), expected, "{statement}");
    }

    #[test]
    fn a_statement_of_several_lines_returns_to_its_depth() {
        let head = "    %x = constant <f32: 1.0> : tile<f32>\n";
        is(&format!("{head}    %y = addf %x,\n        %x\n        : tile<f32>\n        $0"), Some("    "));
        is(&format!("{head}    %y = addf %x,\n        %x : tile<f32>\n$0"), Some("    "));
        is(
            &format!(
                "{head}    loop {{\n      %y = addf %x,\n          %x : tile<f32>\n          $0\n      break\n    }}"
            ),
            Some("      "),
        );
        is(&format!("{head}    loop {{\n      break\n    }}\n    $0"), Some("    "));
    }

    #[test]
    fn other_lines_keep_the_depth_of_the_editor() {
        let head = "    %x = constant <f32: 1.0> : tile<f32>\n";
        is(&format!("{head}    $0"), None);
        is(&format!("{head}    %y = addf %x,\n        $0"), None);
        is(&format!("{head}    %y = addf %x,\n        %x\n        $0"), None);
        is(&format!("{head}    %y = addf %x,\n        %x\n        $0\n        : tile<f32>"), None);
        is(&format!("{head}    loop {{\n      $0"), None);
        is("    $0", None);
    }
}
