//! The types of the preview.

use super::layout::Layout;
use super::print;
use super::value::PreviewValue;
use crate::types::Type;
use std::fmt;
use tile_dialect::{MEMORY_SPACE, PreviewWord};

/// A type of the preview.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PreviewType {
    /// A tile whose extents or element type depend on constant parameters: `tile<[N]x4xf32>`.
    Tile {
        /// The extents; a number where it is known.
        shape: Box<[PreviewValue]>,
        /// The element type: a number, a pointer or a [`PreviewType::Symbol`].
        element: Type,
    },
    /// An element type that a constant parameter stands for.
    Symbol(Box<str>),
    /// What one thread has of a tile.
    Fragment(Fragment),
    /// A type that its name describes in full.
    Word(PreviewWord),
}

/// What one thread has of a tile.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fragment {
    /// The extents; a number where it is known.
    pub shape: Box<[PreviewValue]>,
    /// The element type.
    pub element: Type,
    /// Where the elements lie, a value of [`MEMORY_SPACE`].
    pub space: u8,
    /// Where in memory each element of the fragment lies.
    pub mem_layout: Layout,
    /// Which element of the tile (invocation, participant, footprint) stands for.
    pub fragmap: Layout,
    /// The alignment in elements.
    pub alignment: PreviewValue,
}

impl PreviewType {
    /// The variables that it names.
    pub fn variables(&self) -> Vec<&str> {
        let of_element = |element: &Type| match element.as_preview() {
            Some(PreviewType::Symbol(name)) => Some(&**name),
            _ => None,
        };
        match self {
            PreviewType::Tile { shape, element } => {
                shape.iter().flat_map(PreviewValue::variables).chain(of_element(element)).collect()
            }
            PreviewType::Symbol(name) => vec![name],
            PreviewType::Fragment(fragment) => {
                let layouts = [&fragment.mem_layout, &fragment.fragmap].into_iter();
                let layouts = layouts.flat_map(|layout| layout.shapes.iter().chain(&layout.strides));
                let parts = fragment.shape.iter().chain(layouts).chain([&fragment.alignment]);
                parts.flat_map(PreviewValue::variables).chain(of_element(&fragment.element)).collect()
            }
            PreviewType::Word(_) => Vec::new(),
        }
    }
}

/// The spelling without the dialect's prefix, as in a signature.
impl fmt::Display for PreviewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PreviewType::Tile { shape, element } => {
                f.write_str("tile<")?;
                extents(f, shape)?;
                write!(f, "{element}>")
            }
            PreviewType::Symbol(name) => write!(f, "preview$sym_t<{}>", print::Word(name)),
            PreviewType::Fragment(fragment) => write!(f, "{fragment}"),
            PreviewType::Word(word) => f.write_str(word.row().name),
        }
    }
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("preview$fragment<")?;
        extents(f, &self.shape)?;
        write!(f, "{}, {}, ", self.element, MEMORY_SPACE.keyword(self.space))?;
        write!(f, "mem_layout = <{}>, fragmap = <{}>", self.mem_layout, self.fragmap)?;
        if self.alignment.as_int() != Some(1) {
            write!(f, ", alignment = {}", print::compact(&self.alignment))?;
        }
        f.write_str(">")
    }
}

fn extents(f: &mut fmt::Formatter<'_>, shape: &[PreviewValue]) -> fmt::Result {
    for extent in shape {
        match extent.as_int() {
            Some(extent) => write!(f, "{extent}x")?,
            None => write!(f, "[{}]x", print::compact(extent))?,
        }
    }
    Ok(())
}
