//! Matrix products, with every combination of element types that the checker accepts.

use super::builder::{Builder, Profile};
use super::choices::supported;
use super::literals::Range;
use super::types::Tile;
use super::want::{load, want};
use std::sync::LazyLock;
use tile_dialect::{Class, Element, Mnemonic};

/// The ops of this module.
pub(super) const OPS: &[Mnemonic] = &[Mnemonic::Mmaf, Mnemonic::Mmai, Mnemonic::MmafScaled];

/// The element types of the operands, the number of elements of a scaled block, and whether `sm_90` supports them.
#[derive(Clone, Debug)]
struct Product {
    op: Mnemonic,
    elements: Vec<Element>,
    block: u32,
    on_gpu: bool,
}

/// Adds a product. Returns whether it did.
pub(super) fn add(builder: &mut Builder, op: Mnemonic) -> bool {
    static ALL: LazyLock<Vec<Product>> = LazyLock::new(all);
    let (profile, gpu) = (builder.profile, builder.profile == Profile::Gpu);
    let fits = |product: &&Product| {
        let is_integer = product.elements.iter().all(|element| element.is_int());
        product.op == op && (!gpu || product.on_gpu) && (profile != Profile::Integers || is_integer)
    };
    let fitting: Vec<&Product> = ALL.iter().filter(fits).collect();
    if fitting.is_empty() {
        return false;
    }
    let product = builder.pick(&fitting).clone();
    let size = |builder: &mut Builder| 1 << builder.rng.u32(0..=4);
    let (rows, columns) = (size(builder), size(builder));
    let depth = if product.block > 1 { product.block << builder.rng.u32(0..=1) } else { size(builder) };
    let is_batch = builder.chance(20);
    let shaped = |element: Element, rows: u32, columns: u32| {
        let shape: &[u32] = if is_batch { &[2, rows, columns] } else { &[rows, columns] };
        Tile::new(element, shape)
    };
    let blocks = depth / product.block;
    let shapes = [(rows, depth), (depth, columns), (rows, columns), (rows, blocks), (blocks, columns)];
    let tiles = product.elements.iter().zip(shapes);
    let tiles: Vec<Tile> = tiles.map(|(&element, (rows, columns))| shaped(element, rows, columns)).collect();
    if tiles.iter().any(|tile| tile.count() > 512 || tile.count() % 2 == 1 && tile.element.bits() == 4) {
        return false;
    }
    let values: Vec<String> = tiles.iter().enumerate().map(|(index, tile)| factor(builder, tile, index)).collect();
    let signs = signs(builder, op);
    let types: Vec<String> = tiles.iter().map(Tile::to_string).collect();
    builder.define(&tiles[2], &format!("{} {}{signs} : {}", op.row().name, values.join(", "), types.join(", ")));
    true
}

fn signs(builder: &mut Builder, op: Mnemonic) -> String {
    let sign = |builder: &mut Builder| builder.pick(&["signed", "unsigned"]);
    match op {
        Mnemonic::Mmai => format!(" {} {}", sign(builder), sign(builder)),
        Mnemonic::Mmaf if builder.profile != Profile::Gpu && builder.chance(20) => " fast_acc".to_string(),
        _ => String::new(),
    }
}

/// An operand of a product.
fn factor(builder: &mut Builder, tile: &Tile, index: usize) -> String {
    let is_scale = index > 2;
    let range = match builder.profile {
        // Negative scales are undefined.
        _ if is_scale => Range::Positive,
        // Sums of small whole numbers are exact, even on tensor cores.
        Profile::Gpu if tile.element.is_float() => Range::Small,
        _ => return want(builder, tile),
    };
    if range == Range::Small { load(builder, tile, range) } else { builder.constant(tile, range) }
}

fn all() -> Vec<Product> {
    let mut found = Vec::new();
    for &op in OPS {
        let classes = op.row().operands.iter().map(|operand| match operand.class {
            Class::TileOf(elements) => elements,
            _ => &[],
        });
        let classes: Vec<&[Element]> = classes.collect();
        for &factor in classes[0] {
            for &sum in classes[2] {
                let scales = classes.get(3).map_or(&[Element::I1][..], |scales| scales);
                for &scale in scales {
                    for block in if classes.len() > 3 { &[16, 32][..] } else { &[1] } {
                        let elements = [factor, factor, sum, scale, scale][..classes.len()].to_vec();
                        found.extend(Product::accepted(op, elements, *block));
                    }
                }
            }
        }
    }
    found
}

impl Product {
    /// The product, if the checker accepts it.
    fn accepted(op: Mnemonic, elements: Vec<Element>, block: u32) -> Option<Product> {
        let blocks = 32 / block;
        let shapes = [[4, 32], [32, 4], [4, 4], [4, blocks], [blocks, 4]];
        let tiles: Vec<Tile> =
            elements.iter().zip(shapes).map(|(&element, shape)| Tile::new(element, &shape)).collect();
        let mut body = String::new();
        for (index, tile) in tiles.iter().enumerate() {
            let one = if tile.element.is_int() { "1" } else { "1.0" };
            body += &format!("%{index} = constant <{}: {one}> : {tile}\n", tile.element);
        }
        let names: Vec<String> = (0..tiles.len()).map(|index| format!("%{index}")).collect();
        let types: Vec<String> = tiles.iter().map(Tile::to_string).collect();
        let signs = if op == Mnemonic::Mmai { " signed signed" } else { "" };
        body += &format!("%r = {} {}{signs} : {}\n", op.row().name, names.join(", "), types.join(", "));
        supported(&body).map(|on_gpu| Product { op, elements, block, on_gpu })
    }
}
