//! Encodes the type table. A type follows the types that it refers to.

use super::sections::Table;
use crate::format::{DYNAMIC, type_tag};
use crate::varint;
use rustc_hash::FxHashMap;
use tile_analysis::types::{Access, Pointer, Scalar, TensorViewType, TileViewType, Type, TypeKind};
use tile_dialect::{Element, PTR_ATTR, Version};

/// Distinct types, numbered in order of insertion.
pub(super) struct Types {
    version: Version,
    pub(super) indices: FxHashMap<Type, u64>,
    elements: FxHashMap<Element, u64>,
    pointers: FxHashMap<Pointer, u64>,
    functions: FxHashMap<(Vec<u64>, Vec<u64>), u64>,
    table: Table,
    /// Unsupported types that have not been reported yet.
    pub(super) newer: Vec<(String, Option<Version>)>,
}

impl Types {
    pub(super) fn new(version: Version) -> Types {
        Types {
            version,
            indices: FxHashMap::default(),
            elements: FxHashMap::default(),
            pointers: FxHashMap::default(),
            functions: FxHashMap::default(),
            table: Table::default(),
            newer: Vec::new(),
        }
    }

    /// The table of types.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the number of the function type with these parameters and results.
    pub(super) fn function(&mut self, params: &[u64], results: &[u64]) -> u64 {
        let key = (params.to_vec(), results.to_vec());
        if let Some(&index) = self.functions.get(&key) {
            return index;
        }
        let index = self.table.len() as u64;
        let bytes = self.table.entry();
        bytes.push(type_tag::FUNCTION);
        for list in [params, results] {
            varint::write(bytes, list.len() as u64);
            list.iter().for_each(|&ty| varint::write(bytes, ty));
        }
        self.functions.insert(key, index);
        index
    }

    /// Adds a type with an entry that the caller has encoded.
    pub(super) fn insert(&mut self, ty: Type, entry: &[u8]) -> u64 {
        let index = self.table.len() as u64;
        self.table.entry().extend_from_slice(entry);
        self.indices.insert(ty, index);
        index
    }

    pub(super) fn index(&mut self, ty: Type) -> u64 {
        if let Some(&index) = self.indices.get(&ty) {
            return index;
        }
        let index = match ty.kind() {
            TypeKind::Tile(tile) => {
                let element = match tile.element {
                    Scalar::Number(element) => self.element(element),
                    Scalar::Pointer(pointer) => self.pointer(pointer),
                };
                self.add(type_tag::TILE, |bytes| {
                    varint::write(bytes, element);
                    long_list(bytes, &tile.shape);
                })
            }
            TypeKind::Pointer(pointer) => self.pointer(*pointer),
            TypeKind::Number(element) => self.element(*element),
            TypeKind::TensorView(view) => self.tensor_view(view),
            TypeKind::TileView(view) => self.tile_view(ty, view),
            TypeKind::Token => self.add(type_tag::TOKEN, |_| {}),
            TypeKind::Unknown | TypeKind::Preview(_) | TypeKind::Foreign(_) => {
                self.newer.push((format!("the type `{ty}`"), None));
                0
            }
        };
        self.indices.insert(ty, index);
        index
    }

    fn add(&mut self, tag: u8, payload: impl FnOnce(&mut Vec<u8>)) -> u64 {
        let index = self.table.len() as u64;
        let bytes = self.table.entry();
        bytes.push(tag);
        payload(bytes);
        index
    }

    fn need(&mut self, what: impl FnOnce() -> String, since: Version) {
        if self.version < since {
            self.newer.push((what(), Some(since)));
        }
    }

    pub(super) fn element(&mut self, element: Element) -> u64 {
        if let Some(&index) = self.elements.get(&element) {
            return index;
        }
        self.need(|| format!("the element type `{element}`"), element.row().since);
        let index = self.table.len() as u64;
        varint::write(self.table.entry(), element.row().tag.into());
        self.elements.insert(element, index);
        index
    }

    fn pointer(&mut self, pointer: Pointer) -> u64 {
        if let Some(&index) = self.pointers.get(&pointer) {
            return index;
        }
        let element = self.element(pointer.to);
        let flags = self.pointer_flags(pointer.attr);
        let index = self.add(type_tag::POINTER, |bytes| {
            bytes.extend(flags);
            varint::write(bytes, element);
            bytes.extend(pointer.attr);
        });
        self.pointers.insert(pointer, index);
        index
    }

    /// The flags of a pointer or tensor view: whether a pointer attribute follows at the end. Versions before 13.4 have
    /// no flags.
    fn pointer_flags(&mut self, attr: Option<u8>) -> Option<u8> {
        if let Some(value) = attr.and_then(|attr| PTR_ATTR.values.get(usize::from(attr))) {
            self.need(|| format!("the {} `{}`", PTR_ATTR.title, value.name), value.since);
        }
        (self.version >= Version::V13_4).then_some(u8::from(attr.is_some()))
    }

    fn tensor_view(&mut self, view: &TensorViewType) -> u64 {
        let element = self.element(view.element);
        let flags = self.pointer_flags(view.attr);
        self.add(type_tag::TENSOR_VIEW, |bytes| {
            bytes.extend(flags);
            varint::write(bytes, element);
            for list in [&view.shape, &view.strides] {
                let list: Vec<i64> = list.iter().map(|extent| extent.unwrap_or(DYNAMIC)).collect();
                long_list(bytes, &list);
            }
            bytes.extend(view.attr);
        })
    }

    fn tile_view(&mut self, ty: Type, view: &TileViewType) -> u64 {
        let tensor = self.index(view.tensor);
        let tag = match view.access {
            Access::Partition { .. } => type_tag::PARTITION_VIEW,
            Access::Strided { .. } => type_tag::STRIDED_VIEW,
            Access::GatherScatter { .. } => type_tag::GATHER_SCATTER_VIEW,
        };
        if tag != type_tag::PARTITION_VIEW {
            self.need(|| format!("the type `{ty}`"), Version::V13_3);
        }
        let flagged = self.version >= Version::V13_3;
        let has_padding = u8::from(view.padding.is_some());
        self.add(tag, |bytes| {
            if flagged {
                bytes.push(has_padding);
            }
            short_list(bytes, view.tile.iter().copied());
            if let Access::Strided { traversal, .. } = &view.access {
                short_list(bytes, traversal.iter().copied());
            }
            varint::write(bytes, tensor);
            match &view.access {
                Access::Partition { dim_map } | Access::Strided { dim_map, .. } => {
                    short_list(bytes, dim_map.iter().map(|&dim| dim as i64));
                }
                Access::GatherScatter { sparse_dim } => varint::write(bytes, *sparse_dim as u64),
            }
            if !flagged {
                bytes.push(has_padding);
            }
            bytes.extend(view.padding);
        })
    }
}

/// Appends a count and numbers of eight bytes.
pub(super) fn long_list(bytes: &mut Vec<u8>, values: &[i64]) {
    varint::write(bytes, values.len() as u64);
    values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
}

/// Appends a count and numbers of four bytes.
pub(super) fn short_list(bytes: &mut Vec<u8>, values: impl ExactSizeIterator<Item = i64>) {
    varint::write(bytes, values.len() as u64);
    values.for_each(|value| bytes.extend_from_slice(&(value as i32).to_le_bytes()));
}
