//! Encodes the SIMT preview: its types, and functions without a body.

use super::encoder::Encoder;
use super::types::long_list;
use crate::format::{DYNAMIC, attr_tag, function_form, type_tag};
use crate::varint;
use tile_analysis::ir::Attr;
use tile_analysis::preview::{Function, PreviewType, PreviewValue};
use tile_dialect::layout::{Field, What, layout};
use tile_dialect::{FRAGMENT_TAG, PREVIEW_VERSION, PreviewAttr, SYMBOL_TYPE_TAG};

/// Appends a tag of the preview, which can take more than one byte.
fn tag(tag: u16, bytes: &mut Vec<u8>) {
    varint::write(bytes, tag.into());
}

impl<'a> Encoder<'a> {
    /// Records that the program has preview content, which only one version supports.
    pub(super) fn needs_preview(&mut self, what: impl FnOnce() -> String) {
        self.has_preview = true;
        if self.version < PREVIEW_VERSION {
            self.newer(what(), PREVIEW_VERSION);
        }
    }

    /// Encodes a preview type as an entry of the type table.
    pub(super) fn preview_type(&mut self, ty: &'static PreviewType) -> Vec<u8> {
        self.needs_preview(|| format!("the type `{ty}`"));
        let mut bytes = Vec::new();
        match ty {
            PreviewType::Word(word) => tag(word.row().tag, &mut bytes),
            PreviewType::Symbol(name) => {
                tag(SYMBOL_TYPE_TAG, &mut bytes);
                tag(PreviewAttr::Var.row().tag, &mut bytes);
                varint::write(&mut bytes, self.strings.index(name.as_bytes()));
            }
            PreviewType::Tile { shape, element } => {
                bytes.push(type_tag::TILE);
                varint::write(&mut bytes, self.ty(*element));
                known_extents(shape, &mut bytes);
                self.tuple(shape, &mut bytes);
            }
            PreviewType::Fragment(fragment) => {
                tag(FRAGMENT_TAG, &mut bytes);
                self.tuple(&fragment.shape, &mut bytes);
                known_extents(&fragment.shape, &mut bytes);
                varint::write(&mut bytes, self.ty(fragment.element));
                varint::write(&mut bytes, fragment.space.into());
                for layout in [&fragment.mem_layout, &fragment.fragmap] {
                    tag(PreviewAttr::Layout.row().tag, &mut bytes);
                    self.symbolic_list(&layout.shapes, &mut bytes);
                    self.symbolic_list(&layout.strides, &mut bytes);
                }
                self.symbolic(&fragment.alignment, &mut bytes);
            }
        }
        bytes
    }

    fn tuple(&mut self, shape: &'static [PreviewValue], bytes: &mut Vec<u8>) {
        tag(PreviewAttr::Tuple.row().tag, bytes);
        self.symbolic_list(shape, bytes);
    }

    /// Appends the record of a function without a body.
    pub(super) fn bodiless(&mut self, function: &'a Function) {
        self.needs_preview(|| format!("`{}`", function.op.row().name));
        let mut bytes = std::mem::take(&mut self.functions);
        varint::write(&mut bytes, self.strings.index(function.name().as_bytes()));
        let signature = self.signature(function);
        varint::write(&mut bytes, signature);
        bytes.push(function_form::PRIVATE | if function.is_declaration() { 0 } else { function_form::EXTERN });
        // The function has no location.
        varint::write(&mut bytes, 0);
        if function.is_declaration() {
            self.declaration(function, &mut bytes);
        } else {
            self.implementation(function, signature, &mut bytes);
        }
        self.functions = bytes;
    }

    fn signature(&mut self, function: &Function) -> u64 {
        let params: Vec<u64> = function.params.iter().map(|param| self.ty(param.ty)).collect();
        let results: Vec<u64> = function.results.iter().map(|&ty| self.ty(ty)).collect();
        self.types.function(&params, &results)
    }

    /// Appends a dictionary for each argument.
    fn arg_attrs(&mut self, function: &'a Function, bytes: &mut Vec<u8>) {
        varint::write(bytes, function.params.len() as u64);
        for param in &function.params {
            self.dictionary(&param.attrs, bytes);
        }
    }

    fn declaration(&mut self, function: &'a Function, bytes: &mut Vec<u8>) {
        bytes.push(attr_tag::ARRAY);
        self.arg_attrs(function, bytes);
        bytes.push(0);
        bytes.push(attr_tag::ARRAY);
        self.symbolic_list(function.const_params(), bytes);
    }

    fn implementation(&mut self, function: &'a Function, signature: u64, bytes: &mut Vec<u8>) {
        let row = function.op.row();
        let is_present = |field: &Field| match field {
            Field::Attr(index) if row.attrs[usize::from(*index)].name == "arg_attrs" => !function.params.is_empty(),
            Field::Attr(index) => function.attrs[usize::from(*index)] != Attr::Absent,
            Field::Operand(_) => false,
        };
        for piece in layout(function.op) {
            match &piece.what {
                What::Flags(fields) => {
                    let bits = fields.iter().enumerate().map(|(bit, field)| u64::from(is_present(field)) << bit);
                    varint::write(bytes, bits.sum());
                }
                What::One { field: field @ Field::Attr(index), flagged } if !flagged || is_present(field) => {
                    let index = usize::from(*index);
                    match row.attrs[index].name {
                        "function_type" => varint::write(bytes, signature),
                        "arg_attrs" => self.arg_attrs(function, bytes),
                        _ => self.attr(&row.attrs[index], &function.attrs[index], bytes),
                    }
                }
                _ => {}
            }
        }
        // One region without blocks, and no body.
        bytes.extend([1, 0, 0]);
    }
}

/// Appends the extents. Those that are not numbers are written as dynamic.
fn known_extents(shape: &[PreviewValue], bytes: &mut Vec<u8>) {
    let known: Vec<i64> = shape.iter().map(|extent| extent.as_int().unwrap_or(DYNAMIC)).collect();
    long_list(bytes, &known);
}
