//! The texts of parts of an op that is completed, where no visible value or type determines them.

use tile_dialect::{AttrKind, AttrName, AttrRow, Class, Element, OperandName, OperandRow, Version};

/// The extent of a tensor view if no value can be one.
pub(super) const EXTENT: i64 = 16;

/// The text in place of an operand that no visible value can be.
pub(super) fn placeholder(row: &OperandRow) -> String {
    let is = |name: OperandName| row.name == name.text();
    if is(OperandName::DynamicStrides) {
        return "1".to_string();
    }
    if is(OperandName::DynamicShape) { EXTENT.to_string() } else { format!("%{}", row.name) }
}

/// The words of an enum that an attribute accepts.
pub(super) fn words(attr: &AttrRow, version: Version) -> Vec<&'static str> {
    let AttrKind::Enum { of, only, .. } = attr.kind else { return Vec::new() };
    let is_allowed = |index: usize| only.is_empty() || only.contains(&(index as u8));
    let values = of.values.iter().enumerate().filter(|(index, value)| is_allowed(*index) && value.since <= version);
    values.map(|(_, value)| value.name).collect()
}

/// Reports whether 0 is not a value of an attribute.
pub(super) fn is_at_least_one(attr: &AttrRow) -> bool {
    [AttrName::NumElem, AttrName::Alignment].iter().any(|name| attr.name == name.text())
}

/// A default type for a class.
pub(super) fn default_type(class: Class) -> String {
    let tensor = "tensor_view<?x?xf32, strides=[?,1]>";
    match class {
        Class::TileOf(elements) | Class::ScalarOf(elements) => {
            let usual = elements.iter().find(|element| matches!(element, Element::I32 | Element::F32));
            format!("tile<{}>", usual.or(elements.first()).map_or("f32", |element| element.name()))
        }
        Class::Any | Class::Tile => "tile<i32>".to_string(),
        Class::Pointers | Class::Pointer => "tile<ptr<f32>>".to_string(),
        Class::Token => "token".to_string(),
        Class::TensorView => tensor.to_string(),
        Class::TileView | Class::PartitionView => format!("partition_view<tile=(64x64), {tensor}>"),
        Class::StridedView => format!("strided_view<tile=(64x64), traversal_strides=[64,64], {tensor}>"),
        Class::GatherScatterView => format!("gather_scatter_view<tile=(64x64), {tensor}>"),
    }
}
