//! Decodes types. A type is read at its first use.

use super::cursor::Cursor;
use super::decoder::Decoder;
use super::error::Read;
use crate::format::{DYNAMIC, type_tag};
use std::fmt::Display;
use tile_analysis::types::{Access, Pointer, Scalar, TensorViewType, TileType, TileViewType, Type, TypeKind};
use tile_dialect::{ELEMENTS, Element, PADDING, PTR_ATTR, Version};

/// A decoded tile type.
enum Tile {
    /// An ordinary tile.
    Plain(TileType),
    /// A tile of the preview.
    Symbolic(Type),
}

/// The maximum nesting depth of types, such as a view of a tensor view of an element.
const MAX_NESTING: usize = 4;

impl<'a> Decoder<'a> {
    /// Reads the number of a type and returns the type.
    pub(super) fn ty(&mut self, cursor: &mut Cursor) -> Read<Type> {
        self.type_inside(cursor, 0)
    }

    /// Reads the number of an element type and returns the type.
    pub(super) fn element(&mut self, cursor: &mut Cursor) -> Read<Element> {
        self.element_inside(cursor, 0)
    }

    /// Reads the number of a function type and returns its parameters and results.
    pub(super) fn function_type(&mut self, cursor: &mut Cursor) -> Read<(Vec<Type>, Vec<Type>)> {
        let offset = cursor.offset();
        let index = cursor.varint()?;
        let mut entry = self.types.table.entry(index, cursor)?;
        if entry.varint()? != u64::from(type_tag::FUNCTION) {
            return cursor.fail_at(offset, "the signature of a function must be a function type");
        }
        let mut list = |what| {
            let count = entry.count(what, 1)?;
            (0..count).map(|_| self.ty(&mut entry)).collect::<Read<Vec<Type>>>()
        };
        let types = (list("parameters")?, list("results")?);
        entry.finish()?;
        Ok(types)
    }

    fn type_inside(&mut self, cursor: &mut Cursor, depth: usize) -> Read<Type> {
        let at = cursor.clone();
        let index = cursor.varint()?;
        let slot = usize::try_from(index).unwrap_or(usize::MAX);
        if let Some(Some(known)) = self.types.known.get(slot) {
            return Ok(*known);
        }
        if depth == MAX_NESTING {
            return at.fail("types are nested too deeply");
        }
        let mut entry = self.types.table.entry(index, &at)?;
        let ty = self.nested(&mut entry, |this, entry| this.entry(entry, depth))?;
        entry.finish()?;
        self.types.known[slot] = Some(ty);
        Ok(ty)
    }

    fn entry(&mut self, entry: &mut Cursor, depth: usize) -> Read<Type> {
        let start = entry.offset();
        let tag = entry.varint()?;
        if let Some(row) = ELEMENTS.iter().find(|row| u64::from(row.tag) == tag) {
            self.need(entry, start, format_args!("the element type `{}`", row.name), row.since)?;
            return Ok(Type::new(TypeKind::Number(row.element)));
        }
        if let Some(ty) = self.preview_entry(entry, tag, start)? {
            return Ok(ty);
        }
        let text = match u8::try_from(tag).unwrap_or(u8::MAX) {
            type_tag::TOKEN => return Ok(Type::token()),
            type_tag::POINTER => self.pointer(entry, depth)?.to_string(),
            type_tag::TILE => match self.tile(entry, depth)? {
                Tile::Plain(tile) => tile.to_string(),
                Tile::Symbolic(ty) => return Ok(ty),
            },
            type_tag::TENSOR_VIEW => self.tensor_view(entry, depth)?.to_string(),
            tag @ (type_tag::PARTITION_VIEW | type_tag::STRIDED_VIEW | type_tag::GATHER_SCATTER_VIEW) => {
                self.tile_view(entry, tag, depth)?.to_string()
            }
            type_tag::FUNCTION => return entry.fail_at(start, "unexpected function type"),
            _ => return entry.fail_at(start, format!("unknown type tag {tag}")),
        };
        // The rules for types are implemented only in the parser of the textual form.
        match tile_analysis::read::type_of(&text) {
            Ok(ty) if ty.to_string() == text => Ok(ty),
            Ok(ty) => entry.fail_at(start, format!("inconsistent parts of the type `{ty}`")),
            Err(wrong) => entry.fail_at(start, format!("`{text}` is not a valid type: {}", wrong.message)),
        }
    }

    /// Checks that the version supports something that was added in `since`.
    pub(super) fn need(&self, cursor: &Cursor, offset: usize, what: impl Display, since: Version) -> Read<()> {
        if self.version >= since {
            return Ok(());
        }
        cursor.fail_at(offset, format!("{what} was added in {since}, but this is bytecode {}", self.version))
    }

    fn element_inside(&mut self, cursor: &mut Cursor, depth: usize) -> Read<Element> {
        let offset = cursor.offset();
        let ty = self.type_inside(cursor, depth)?;
        match ty.kind() {
            TypeKind::Number(element) => Ok(*element),
            _ => cursor.fail_at(offset, format!("expected an element type, found `{ty}`")),
        }
    }

    fn pointer(&mut self, entry: &mut Cursor, depth: usize) -> Read<Pointer> {
        let has_attr = self.has_pointer_attr(entry)?;
        let to = self.element_inside(entry, depth + 1)?;
        Ok(Pointer { to, attr: self.pointer_attr(entry, has_attr)? })
    }

    /// Reads whether a pointer attribute follows at the end. Versions before 13.4 have none.
    fn has_pointer_attr(&mut self, entry: &mut Cursor) -> Read<bool> {
        if self.version < Version::V13_4 { Ok(false) } else { self.one_flag(entry) }
    }

    fn pointer_attr(&mut self, entry: &mut Cursor, present: bool) -> Read<Option<u8>> {
        if present { self.keyword(&PTR_ATTR, entry).map(Some) } else { Ok(None) }
    }

    /// Reads presence bits of which only the first is defined. Tools before 13.5 ignore the others.
    fn one_flag(&mut self, entry: &mut Cursor) -> Read<bool> {
        let offset = entry.offset();
        let flags = entry.varint()?;
        let unknown = flags & !1;
        if unknown != 0 && self.version >= Version::V13_5 {
            return entry.fail_at(offset, format!("unknown presence bits {unknown:#x} in a type"));
        }
        if unknown != 0 {
            let message =
                format!("unknown presence bits {unknown:#x} in a type are ignored; tools since 13.5 refuse them");
            self.warn(offset, message);
        }
        Ok(flags & 1 == 1)
    }

    fn tile(&mut self, entry: &mut Cursor, depth: usize) -> Read<Tile> {
        let offset = entry.offset();
        let inner = self.type_inside(entry, depth + 1)?;
        let element = match inner.kind() {
            TypeKind::Number(element) => Scalar::Number(*element),
            TypeKind::Pointer(pointer) => Scalar::Pointer(*pointer),
            TypeKind::Preview(_) => return self.symbolic_tile(entry, inner, offset).map(Tile::Symbolic),
            _ => return entry.fail_at(offset, format!("`{inner}` cannot be the element type of a tile")),
        };
        let extents = entry.clone();
        let shape = entry.list::<8>("extents")?.into();
        if self.preview && entry.left() > 0 {
            *entry = extents;
            return self.symbolic_tile(entry, inner, offset).map(Tile::Symbolic);
        }
        Ok(Tile::Plain(TileType { shape, element }))
    }

    fn tensor_view(&mut self, entry: &mut Cursor, depth: usize) -> Read<TensorViewType> {
        let has_attr = self.has_pointer_attr(entry)?;
        let element = self.element_inside(entry, depth + 1)?;
        let open =
            |list: Vec<i64>| list.into_iter().map(|extent| Some(extent).filter(|&extent| extent != DYNAMIC)).collect();
        let shape = open(entry.list::<8>("extents")?);
        let strides = open(entry.list::<8>("strides")?);
        Ok(TensorViewType { element, shape, strides, attr: self.pointer_attr(entry, has_attr)? })
    }

    fn tile_view(&mut self, entry: &mut Cursor, tag: u8, depth: usize) -> Read<TileViewType> {
        let start = entry.offset();
        if tag != type_tag::PARTITION_VIEW {
            self.need(entry, start, "this kind of view", Version::V13_3)?;
        }
        // In older versions, the flag for the padding is just before it.
        let flagged = self.version >= Version::V13_3;
        let mut padded = if flagged { self.one_flag(entry)? } else { false };
        let tile = entry.list::<4>("extents")?;
        let traversal = if tag == type_tag::STRIDED_VIEW { entry.list::<4>("strides")? } else { Vec::new() };
        let offset = entry.offset();
        let tensor = self.type_inside(entry, depth + 1)?;
        let Some(view) = tensor.as_tensor_view() else {
            return entry.fail_at(offset, format!("expected a tensor view, found `{tensor}`"));
        };
        let access = match tag {
            type_tag::GATHER_SCATTER_VIEW => {
                Access::GatherScatter { sparse_dim: usize::try_from(entry.varint()?).unwrap_or(usize::MAX) }
            }
            _ => {
                let dim_map = permutation(entry, view.shape.len())?;
                if tag == type_tag::PARTITION_VIEW {
                    Access::Partition { dim_map }
                } else {
                    Access::Strided { traversal: traversal.into(), dim_map }
                }
            }
        };
        if !flagged {
            padded = self.one_flag(entry)?;
        }
        let padding = if padded { Some(padding(entry)?) } else { None };
        Ok(TileViewType { tile: tile.into(), tensor, padding, access })
    }
}

fn padding(entry: &mut Cursor) -> Read<u8> {
    let offset = entry.offset();
    let value = entry.byte()?;
    if usize::from(value) < PADDING.values.len() {
        return Ok(value);
    }
    entry.fail_at(offset, format!("unknown padding value {value}"))
}

/// Reads the tensor's dimension for each dimension of the tile. The length is checked here, because the textual form
/// omits the identity.
fn permutation(entry: &mut Cursor, rank: usize) -> Read<Box<[usize]>> {
    let offset = entry.offset();
    let list = entry.list::<4>("dimensions")?;
    let dims: Option<Box<[usize]>> = list.iter().map(|&dim| usize::try_from(dim).ok()).collect();
    match dims.filter(|dims| dims.len() == rank) {
        Some(dims) => Ok(dims),
        None => entry.fail_at(offset, format!("the dimension map {list:?} does not fit a tensor of rank {rank}")),
    }
}
