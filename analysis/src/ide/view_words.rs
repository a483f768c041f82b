//! Descriptions of the layout of a view's tiles.

use super::type_words::{bytes_of, size};
use crate::ir::{Body, Value};
use crate::range_analysis::KnownValues;
use crate::types::{Access, TileViewType, Type};
use std::fmt::Write;
use tile_dialect::OperandName;

/// The names of the tile indices.
const INDEX: [&str; 4] = ["x", "y", "z", "w"];

/// The extents and the strides that the type of a view leaves open, as far as they are known: as a number, or as the
/// name of the value that contains them.
#[derive(Clone, Default)]
pub struct OpenSizes {
    /// The extent of each dimension of the tensor; `None` for unknown ones, and for those in the type.
    pub extents: Vec<Option<Size>>,
    /// The stride of each dimension.
    pub strides: Vec<Option<Size>>,
}

/// A size that is not part of a type.
#[derive(Clone)]
pub enum Size {
    /// The only number that the value can contain.
    Number(i64),
    /// The name of the value.
    Named(String),
}

impl OpenSizes {
    /// The sizes of the tensor view that a tile view divides. `name` returns the name of a value.
    pub fn of(body: &Body, known: &KnownValues, view: Value, name: impl Fn(Value) -> String) -> OpenSizes {
        Self::find(body, known, view, name).unwrap_or_default()
    }

    fn find(body: &Body, known: &KnownValues, view: Value, name: impl Fn(Value) -> String) -> Option<OpenSizes> {
        let definition = |value: Value| body.defining_op(value).map(|op| body.op(op));
        let tensor = body.operands(definition(view)?).first().copied()?;
        let ty = body.ty(tensor).as_tensor_view()?;
        let op = definition(tensor)?;
        let size = |value: Value| match known.only(value).filter(|size| (0..=i64::MAX / 2).contains(size)) {
            Some(number) => Some(Size::Number(number)),
            // A value that is not defined has no name.
            None => Some(name(value)).filter(|name| !name.is_empty()).map(Size::Named),
        };
        let open = |operand: OperandName, of_type: &[Option<i64>]| {
            let (group, _) = op.op.row().operand(operand)?;
            let mut values = body.group(op, group).iter();
            let each = of_type.iter().map(|known| if known.is_none() { size(*values.next()?) } else { None });
            Some(each.collect::<Vec<Option<Size>>>())
        };
        Some(OpenSizes {
            extents: open(OperandName::DynamicShape, &ty.shape)?,
            strides: open(OperandName::DynamicStrides, &ty.strides)?,
        })
    }
}

/// The number of tiles along a dimension of a tile view, such as `16` or `⌈%n/64⌉`; `None` if the extent is unknown.
pub fn tiles_along(view: &TileViewType, k: usize, sizes: &OpenSizes) -> Option<String> {
    let dim = view.tensor_dim(k);
    let extent = view.tensor().shape.get(dim).copied().flatten().map(Size::Number);
    Some(match extent.or_else(|| sizes.extents.get(dim).cloned().flatten())? {
        Size::Number(extent) => view.index_space(k, extent).to_string(),
        Size::Named(name) if view.step(k) == 1 => name,
        Size::Named(name) => format!("⌈{name}/{}⌉", view.step(k)),
    })
}

/// Returns details of a tile view (tile type, index space, tile positions) as a Markdown list; empty for other types.
pub fn details(ty: Type, sizes: &OpenSizes) -> String {
    let Some(view) = ty.as_tile_view() else { return String::new() };
    let mut out = String::new();
    let bytes = bytes_of(view.tile_type()).map_or(String::new(), |bytes| format!(", {}", size(bytes)));
    let _ = writeln!(out, "- tile: `{}`{bytes}", view.tile_type());
    if matches!(view.access, Access::GatherScatter { .. }) {
        return out;
    }
    let _ = writeln!(out, "- index space: {}", index_space(view, sizes));
    let _ = writeln!(out, "- tile `[{}]` starts at element `[{}]`{}", indices(view), starts(view), offset(view, sizes));
    if let Some(sentence) = steps(view) {
        let _ = writeln!(out, "- {sentence}");
    }
    out
}

fn index(k: usize) -> String {
    INDEX.get(k).map_or_else(|| format!("i{k}"), |name| name.to_string())
}

fn indices(view: &TileViewType) -> String {
    (0..view.tile.len()).map(index).collect::<Vec<_>>().join(", ")
}

/// The index space: `16 × ⌈%n/64⌉`.
fn index_space(view: &TileViewType, sizes: &OpenSizes) -> String {
    let unknown = |k: usize| format!("⌈extent {}/{}⌉", view.tensor_dim(k), view.step(k));
    let along = |k: usize| tiles_along(view, k, sizes).unwrap_or_else(|| unknown(k));
    let all: Vec<String> = (0..view.tile.len()).map(along).collect();
    all.join(" × ") + if all.len() == 1 { " tiles" } else { "" }
}

/// Formats a product, such as `64·x`.
fn scaled(factor: i64, name: &str) -> String {
    if factor == 1 { name.to_string() } else { format!("{factor}·{name}") }
}

/// The tile dimension mapped to a tensor dimension.
fn tile_dim(view: &TileViewType, dim: usize) -> Option<usize> {
    (0..view.tile.len()).find(|&k| view.tensor_dim(k) == dim)
}

fn starts(view: &TileViewType) -> String {
    let along = |dim: usize| tile_dim(view, dim).map_or("0".to_string(), |k| scaled(view.step(k), &index(k)));
    (0..view.tensor().shape.len()).map(along).collect::<Vec<_>>().join(", ")
}

/// The offset of a tile in elements from the start of the tensor, as ` (offset 96·x + y)`.
fn offset(view: &TileViewType, sizes: &OpenSizes) -> String {
    let tensor = view.tensor();
    let term = |(dim, stride): (usize, &Option<i64>)| {
        let k = tile_dim(view, dim)?;
        Some(match stride.map(Size::Number).or_else(|| sizes.strides.get(dim).cloned().flatten()) {
            Some(Size::Number(0)) => return None,
            Some(Size::Number(stride)) => scaled(stride.saturating_mul(view.step(k)), &index(k)),
            Some(Size::Named(name)) => format!("{}·{name}", scaled(view.step(k), &index(k))),
            None => format!("{}·stride {dim}", scaled(view.step(k), &index(k))),
        })
    };
    let terms: Vec<String> = tensor.strides.iter().enumerate().filter_map(term).collect();
    if terms.is_empty() { String::new() } else { format!(" (offset {})", terms.join(" + ")) }
}

/// A note if tiles overlap or leave gaps.
fn steps(view: &TileViewType) -> Option<String> {
    let closer = (0..view.tile.len()).any(|k| view.step(k) < view.tile[k]);
    let farther = (0..view.tile.len()).any(|k| view.step(k) > view.tile[k]);
    match (closer, farther) {
        (true, _) => Some("neighboring tiles overlap: stores from different tile blocks can conflict".to_string()),
        (_, true) => Some("there are gaps between tiles: some elements are in no tile".to_string()),
        _ => None,
    }
}
