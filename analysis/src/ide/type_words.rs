//! Descriptions of types: shape, element and size.

use super::gpu_words;
use crate::preview::PreviewType;
use crate::types::{Access, Scalar, TensorViewType, TileType, TileViewType, Type, TypeKind};
use tile_dialect::{MEMORY_SPACE, PADDING, ptr_attr};

/// Describes a type and its GPU requirements in a few sentences of Markdown. Empty for an unknown type.
pub fn words(ty: Type) -> String {
    let needs = gpu_words::of_type(ty).into_iter().map(|sentence| format!(" {sentence}"));
    kind_words(ty) + &needs.collect::<String>()
}

fn kind_words(ty: Type) -> String {
    match ty.kind() {
        TypeKind::Unknown => String::new(),
        TypeKind::Tile(tile) => tile_words(tile),
        TypeKind::Pointer(pointer) => match memory(pointer.attr) {
            Some(memory) => format!("A pointer to {} in {memory}.", pointer.to),
            None => format!("A pointer to {} in device memory.", pointer.to),
        },
        TypeKind::Number(element) => format!("`{element}`: {}", element.row().doc),
        TypeKind::TensorView(view) => tensor_words(view),
        TypeKind::TileView(view) => view_words(view),
        TypeKind::Token => {
            "An ordering token: it carries no data, but memory operations that take it are ordered after its producer."
                .to_string()
        }
        TypeKind::Preview(ty) => preview_words(ty),
        TypeKind::Foreign(_) => "A type of another dialect.".to_string(),
    }
}

fn preview_words(ty: &PreviewType) -> String {
    match ty {
        PreviewType::Tile { .. } => "A tile whose type depends on constant parameters (SIMT preview).".to_string(),
        PreviewType::Symbol(name) => {
            format!("The element type given by the constant parameter `{name}` (SIMT preview).")
        }
        PreviewType::Fragment(fragment) => {
            let space = MEMORY_SPACE.values.get(usize::from(fragment.space)).map_or("", |value| value.doc);
            format!("One thread's part of a tile (SIMT preview). {space}")
        }
        PreviewType::Word(_) => "The type of a constant parameter (SIMT preview).".to_string(),
    }
}

fn tile_words(tile: &TileType) -> String {
    let size = bytes(tile);
    match (tile.element, tile.rank()) {
        (Scalar::Number(element), 0) => format!("A scalar {element}: {size}."),
        (Scalar::Pointer(pointer), 0) => {
            let memory = memory(pointer.attr).unwrap_or("device memory");
            format!("A pointer to {} in {memory}: {size}.", pointer.to)
        }
        (Scalar::Number(element), _) => {
            format!("A tile of {} {element}: {}{size}.", extents(&tile.shape), count(tile))
        }
        (Scalar::Pointer(pointer), _) => {
            format!("A tile of {} pointers to {}: {}{size}.", extents(&tile.shape), pointer.to, count(tile))
        }
    }
}

/// The number of elements; empty for a tile of rank 0 or 1, whose only extent already is that number.
fn count(tile: &TileType) -> String {
    if tile.rank() < 2 { String::new() } else { format!("{} elements, ", thousands(tile.len() as u64)) }
}

fn extents(shape: &[i64]) -> String {
    shape.iter().map(i64::to_string).collect::<Vec<_>>().join(" × ")
}

fn dynamic(shape: &[Option<i64>]) -> String {
    let words = shape.iter().map(|extent| extent.map_or("?".to_string(), |extent| extent.to_string()));
    words.collect::<Vec<_>>().join(" × ")
}

/// The size of a tile in bytes; `None` for other types.
pub(super) fn bytes_of(ty: Type) -> Option<u64> {
    ty.as_tile().map(tile_bytes)
}

fn bytes(tile: &TileType) -> String {
    size(tile_bytes(tile))
}

/// The size of all elements in bytes. Two 4-bit elements share a byte.
fn tile_bytes(tile: &TileType) -> u64 {
    let (count, each) = (tile.len() as u64, tile.element);
    match each {
        Scalar::Pointer(_) => count * 8,
        Scalar::Number(element) if element.bits() == 4 => count.div_ceil(2),
        Scalar::Number(element) => count * element.bytes() as u64,
    }
}

/// Formats a number of bytes with a unit.
pub(super) fn size(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    const GIB: u64 = 1 << 30;
    match bytes {
        1 => "1 byte".to_string(),
        0..KIB => format!("{bytes} bytes"),
        KIB..MIB => format!("{} KiB", fraction(bytes, KIB)),
        MIB..GIB => format!("{} MiB", fraction(bytes, MIB)),
        _ => format!("{} GiB", fraction(bytes, GIB)),
    }
}

fn fraction(bytes: u64, unit: u64) -> String {
    if bytes.is_multiple_of(unit) { (bytes / unit).to_string() } else { format!("{:.1}", bytes as f64 / unit as f64) }
}

/// Formats `16384` as `16 384`, with narrow no-break spaces.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.len() > 4 {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// The memory that a pointer attribute denotes; `None` for plain device memory.
fn memory(attr: Option<u8>) -> Option<&'static str> {
    match attr? {
        ptr_attr::UNICAST => Some("single-device memory"),
        ptr_attr::MULTICAST => Some("multicast memory"),
        _ => None,
    }
}

fn tensor_words(view: &TensorViewType) -> String {
    let (element, memory) = (view.element, memory(view.attr).unwrap_or("device memory"));
    if view.shape.is_empty() {
        return format!("A scalar {element} in {memory}, viewed as a tensor of rank 0.");
    }
    let capital = memory[..1].to_uppercase() + &memory[1..];
    let mut out = format!("{capital} viewed as a tensor of {} {element}, ", dynamic(&view.shape));
    out += &strides(view);
    out.push('.');
    if view.shape.iter().chain(&view.strides).any(Option::is_none) {
        out += " `?` is known only at run time.";
    }
    out
}

fn strides(view: &TensorViewType) -> String {
    if is_row_major(view) {
        return "row-major".to_string();
    }
    let words = view.strides.iter().map(|stride| stride.map_or("?".to_string(), |stride| stride.to_string()));
    format!("with strides [{}]", words.collect::<Vec<_>>().join(", "))
}

fn is_row_major(view: &TensorViewType) -> bool {
    let mut expected = Some(1);
    view.shape.iter().zip(&view.strides).rev().all(|(extent, stride)| {
        let fits = expected.is_some() && *stride == expected;
        expected = expected.zip(*extent).map(|(stride, extent)| stride * extent);
        fits
    })
}

fn view_words(view: &TileViewType) -> String {
    let (tensor, tile) = (view.tensor(), extents(&view.tile));
    let element = tensor.element;
    let how = match &view.access {
        Access::Partition { .. } => format!("Adjacent tiles of {tile} {element}"),
        Access::Strided { traversal, .. } => {
            let steps = traversal.iter().map(i64::to_string).collect::<Vec<_>>().join(" × ");
            format!("Tiles of {tile} {element}, one every {steps} elements,")
        }
        Access::GatherScatter { sparse_dim } => {
            format!("Tiles of {tile} {element}, gathered along dimension {sparse_dim},")
        }
    };
    format!("{how} in a tensor of {}.{}{} {}", dynamic(&tensor.shape), index_space(view), dim_map(view), padding(view))
}

/// The number of tiles, as far as the types determine it.
fn index_space(view: &TileViewType) -> String {
    if matches!(view.access, Access::GatherScatter { .. }) {
        return String::new();
    }
    let tensor = view.tensor();
    let along = |k: usize| tensor.shape.get(view.tensor_dim(k)).copied().flatten().map(|n| view.index_space(k, n));
    let all: Vec<Option<i64>> = (0..view.tile.len()).map(along).collect();
    if all.iter().all(Option::is_none) { String::new() } else { format!(" The index space is {}.", dynamic(&all)) }
}

fn dim_map(view: &TileViewType) -> String {
    let (Access::Partition { dim_map } | Access::Strided { dim_map, .. }) = &view.access else { return String::new() };
    if dim_map.iter().enumerate().all(|(k, &dim)| k == dim) {
        return String::new();
    }
    let dims = dim_map.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    format!(" Tile dimensions map to tensor dimensions {dims}.")
}

fn padding(view: &TileViewType) -> String {
    match view.padding {
        Some(value) => {
            let meaning = PADDING.values.get(value as usize).map_or("?", |value| value.doc);
            format!("Out-of-bounds loads read {}", lower_first(meaning))
        }
        None => "Out-of-bounds loads read unspecified values.".to_string(),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::read::ty;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let tokens = tile_syntax::lex(text);
        let mut wrong: Vec<ty::TypeProblem> = Vec::new();
        let read = ty::read(text, &tokens, 0..tokens.len(), &Context::default(), &mut wrong);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(words(read), expected);
    }

    #[test]
    fn tiles() {
        check("tile<f32>", "A scalar f32: 4 bytes.");
        check("tile<i1>", "A scalar i1: 1 byte.");
        check("tile<128xbf16>", "A tile of 128 bf16: 256 bytes.");
        check("tile<64x64xf32>", "A tile of 64 × 64 f32: 4096 elements, 16 KiB.");
        check("tile<128x256xf32>", "A tile of 128 × 256 f32: 32\u{202f}768 elements, 128 KiB.");
        check("tile<8xf4E2M1FN>", "A tile of 8 f4E2M1FN: 4 bytes. `f4E2M1FN` needs sm_100 or later.");
        check("tile<ptr<f16>>", "A pointer to f16 in device memory: 8 bytes.");
        check(
            "tile<ptr<f16, <unicast>>>",
            "A pointer to f16 in single-device memory: 8 bytes. `unicast` needs sm_100, sm_103 or sm_107.",
        );
        check("tile<ptr<f16, <none>>>", "A pointer to f16 in device memory: 8 bytes.");
        check("tile<4x4xptr<f16>>", "A tile of 4 × 4 pointers to f16: 16 elements, 128 bytes.");
    }

    #[test]
    fn views() {
        check(
            "tensor_view<?x64xf32, strides=[64,1]>",
            "Device memory viewed as a tensor of ? × 64 f32, row-major. `?` is known only at run time.",
        );
        check(
            "tensor_view<8x64xf32, strides=[1,8]>",
            "Device memory viewed as a tensor of 8 × 64 f32, with strides [1, 8].",
        );
        check(
            "partition_view<tile=(4x8), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>",
            "Adjacent tiles of 4 × 8 f32 in a tensor of ? × 64. The index space is ? × 8. Out-of-bounds loads read zero.",
        );
        check(
            "partition_view<tile=(4x8), tensor_view<64x64xf32, strides=[64,1]>, dim_map=[1, 0]>",
            "Adjacent tiles of 4 × 8 f32 in a tensor of 64 × 64. The index space is 16 × 8. Tile dimensions map to tensor \
             dimensions 1, 0. Out-of-bounds loads read unspecified values.",
        );
    }
}
