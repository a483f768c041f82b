//! The types of the preview.

use super::print;
use crate::types::{Fragment, PreviewType, PreviewValue, Type};
use std::fmt;
use tile_dialect::MEMORY_SPACE;

impl PreviewType {
    /// The variables that it refers to.
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

/// The spelling without the dialect prefix, as in a signature.
impl fmt::Display for PreviewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PreviewType::Tile { shape, element } => {
                f.write_str("tile<")?;
                extents(f, shape)?;
                write!(f, "{element}>")
            }
            PreviewType::Symbol(name) => write!(f, "preview$sym_t<{}>", print::MaybeQuoted(name)),
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
