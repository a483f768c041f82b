//! The rest of a statement, shown after the cursor as it is typed.

use super::statement_types;
use crate::db::File;

/// The types that complete the statement before an offset at the end of a line; `None` if more than them is missing.
pub fn rest_of_statement(db: &dyn salsa::Database, file: File, offset: u32) -> Option<String> {
    let (before, after) = file.text(db).split_at_checked(offset as usize)?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_end = after.lines().next().unwrap_or_default().trim().is_empty();
    if !is_end || line.trim().is_empty() || line.contains("//") {
        return None;
    }
    let rest = statement_types::before(db, file, offset)?.rest()?;
    Some(if line.ends_with(' ') { rest } else { format!(" {rest}") })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, entry};
    use super::*;

    /// What completes a line in an entry with a pointer `%p`.
    fn rest(line: &str) -> Option<String> {
        let known = "    %x, %y, %z = get_tile_block_id : tile<i32>\n    %a = constant <f32: 1.0> : tile<4x8xf32>\n    \
                     %v = make_tensor_view %p, shape = [%x, 8], strides = [8, 1] : tile<i32> -> tensor_view<?x8xf32, strides=[8,1]>\n    \
                     %w = make_partition_view %v : partition_view<tile=(4x8), tensor_view<?x8xf32, strides=[8,1]>>\n";
        let (db, file, offset) = cursor(&entry(&format!("{known}    {line}\n    %later = negf %a : tile<4x8xf32>")));
        rest_of_statement(&db, file, offset)
    }

    #[track_caller]
    fn is(line: &str, expected: &str) {
        assert_eq!(rest(line).as_deref(), Some(expected), "{line}");
    }

    #[test]
    fn types_that_follow_from_the_operands() {
        is("%b = addf %a, %a$0", " : tile<4x8xf32>");
        is("%b = addf %a, %a $0", ": tile<4x8xf32>");
        is("%b = addf %a, %a : $0", "tile<4x8xf32>");
        is("%b = cmpi less_than %x, %y, signed : tile<i32> $0", "-> tile<i1>");
        is("print_tko \"%f\\n\", %a$0", " : tile<4x8xf32> -> token");
        let view = "partition_view<tile=(4x8), tensor_view<?x8xf32, strides=[8,1]>>";
        is("%b, %t = load_view_tko weak %w[%x, %y]$0", &format!(" : {view}, tile<i32> -> tile<4x8xf32>, token"));
        is("%b = reduce %a dim=1 identities=[0.0 : f32]$0", " : tile<4x8xf32> -> tile<4xf32>");
    }

    #[test]
    fn types_that_follow_from_lists_and_attributes() {
        is(
            "%b = make_tensor_view %p, shape = [%x, 4], strides = [%y, 1]$0",
            " : tile<i32> -> tensor_view<?x4xf32, strides=[?,1]>",
        );
        is("%b = make_tensor_view %p, shape = [16], strides = [1]$0", " : tensor_view<16xf32, strides=[1]>");
        is("%b = permute %a [1, 0]$0", " : tile<4x8xf32> -> tile<8x4xf32>");
        is("%b = cat %a, %a dim = 1$0", " : tile<4x8xf32>, tile<4x8xf32> -> tile<4x16xf32>");
        is("%b = constant <i32: [[1, 2], [3, 4]]>$0", " : tile<2x2xi32>");
    }

    #[test]
    fn likely_types_where_the_result_is_free() {
        is("%b = reshape %a$0", " : tile<4x8xf32> -> tile<1x4x8xf32>");
        is("%b = make_partition_view %v$0", " : partition_view<tile=(4x8), tensor_view<?x8xf32, strides=[8,1]>>");
        is("%b = ftof %a$0", " : tile<4x8xf32> -> tile<4x8xf16>");
        is(
            "%b = get_index_space_shape %w$0",
            " : partition_view<tile=(4x8), tensor_view<?x8xf32, strides=[8,1]>> -> tile<i32>",
        );
    }

    #[test]
    fn nothing_while_an_operand_is_missing() {
        for line in [
            "$0",
            "%b = $0",
            "%b = addf$0",
            "%b = addf %a$0",
            "%b = addf %a, $0",
            "%b = addf %a, %unknown$0",
            "%b = addf %a, %x$0",
            "%b = addf %a, %a$0 : tile<4x8xf32>",
            "%b = addf %a, %a : tile<4x8xf32>$0",
            "%b, %t = load_view_tko weak %w$0",
            "%b, %t = load_view_tko weak %w[%x$0",
            "%b = make_tensor_view %p, shape = [%x]$0",
            "%b = permute %a [0, 0]$0",
            "%b, %c = reduce %a, %a dim=1 identities=[0.0 : f32, 0.0 : f32]$0",
            "// addf %a, %a$0",
            "return$0",
        ] {
            assert_eq!(rest(line), None, "{line}");
        }
    }
}
