//! Symbolic expressions: classification and constant evaluation.

use crate::types::PreviewValue;
use tile_dialect::PreviewAttr;

/// The maximum nesting depth of expressions.
pub(super) const MAX_DEPTH: usize = 64;

/// Whether an attribute is an expression, which can be used as a constant parameter, an extent or a layout.
pub(super) fn is_expr(attr: PreviewAttr) -> bool {
    use PreviewAttr::*;
    matches!(
        attr,
        Int | Var | Mul | Div | Add | Sub | FloorDiv | CeilDiv | Neg | Tuple | ConcreteType | Builtin | ConstStr
    )
}

/// Whether an expression is an integer. A plain division is not, because its rounding is undefined.
pub fn is_integer(value: &PreviewValue) -> bool {
    use PreviewAttr::*;
    match value.attr {
        Int | Var | Builtin => true,
        Mul | Add | Sub | FloorDiv | CeilDiv | Neg => value.children().all(is_integer),
        _ => false,
    }
}

/// Whether an expression can be the extent of a tile: an integer without divisions.
pub fn is_extent(value: &PreviewValue) -> bool {
    use PreviewAttr::*;
    match value.attr {
        Int | Var | Builtin => true,
        Mul | Add | Sub | Neg => value.children().all(is_extent),
        _ => false,
    }
}

/// The value of an expression; `None` if it contains variables, or if it does not fit 64 bits.
pub fn constant(value: &PreviewValue) -> Option<i64> {
    use PreviewAttr::*;
    if let Some(number) = value.as_int() {
        return Some(number);
    }
    let mut parts = value.children().map(constant);
    let first = parts.next()??;
    if value.attr == Neg {
        return first.checked_neg();
    }
    let second = parts.next()??;
    match value.attr {
        Mul => first.checked_mul(second),
        Add => first.checked_add(second),
        Sub => first.checked_sub(second),
        FloorDiv => floor_div(first, second),
        CeilDiv => floor_div(first.checked_neg()?, second)?.checked_neg(),
        _ => None,
    }
}

fn floor_div(first: i64, second: i64) -> Option<i64> {
    let quotient = first.checked_div(second)?;
    let rounds_up = first % second != 0 && (first < 0) != (second < 0);
    Some(quotient - i64::from(rounds_up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Field;

    fn pair(attr: PreviewAttr, first: i64, second: i64) -> PreviewValue {
        let field = |value| Field::One(Box::new(PreviewValue::int(value)));
        PreviewValue { attr, fields: [field(first), field(second)].into() }
    }

    #[test]
    fn divisions_round_according_to_their_names() {
        for (first, second, floor, ceil) in
            [(6, 4, 1, 2), (-6, 4, -2, -1), (6, -4, -2, -1), (-6, -4, 1, 2), (8, 4, 2, 2)]
        {
            assert_eq!(constant(&pair(PreviewAttr::FloorDiv, first, second)), Some(floor), "{first}/{second}");
            assert_eq!(constant(&pair(PreviewAttr::CeilDiv, first, second)), Some(ceil), "{first}/+{second}");
        }
        assert_eq!(constant(&pair(PreviewAttr::FloorDiv, 1, 0)), None);
        assert_eq!(constant(&pair(PreviewAttr::FloorDiv, i64::MIN, -1)), None);
        assert_eq!(constant(&pair(PreviewAttr::Mul, i64::MAX, 2)), None);
        assert_eq!(constant(&pair(PreviewAttr::Div, 4, 2)), None, "a plain division is not a number");
    }
}
