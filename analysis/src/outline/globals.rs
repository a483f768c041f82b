//! The globals of a file, in custom and in generic form.

use super::Builder;
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::ir::{Attr, Global};
use crate::lower::version;
use crate::read::attr::{AttrReader, Literal, Read};
use crate::read::dict::{Entry, entries};
use crate::read::ty;
use crate::types::{Type, TypeKind};
use std::ops::Range;
use tile_dialect::{AttrKind, AttrName, AttrRow, Mnemonic, OpRow, Presence, visibility};
use tile_syntax::{Node, NodeKind, Token};

/// The parts of a global in the text.
struct Written {
    /// Its attributes in the order of the row, except for the constant.
    attrs: Vec<Attr>,
    /// The range of its name.
    name: Range<u32>,
    literal: Option<Literal>,
    /// Its type, and the range of the type.
    ty: Option<(Type, Range<u32>)>,
}

impl Builder<'_> {
    pub(super) fn global(&mut self, node: Node) {
        self.global_location(node);
        let mut written = Written {
            attrs: Mnemonic::Global.row().attrs.iter().map(Attr::default_of).collect(),
            name: self.tree.range(node),
            literal: None,
            ty: None,
        };
        let name = self.tree.child(node, NodeKind::OpName);
        match name.filter(|&name| self.tree.token(name, 0) == Token::String) {
            Some(name) => self.generic_global(node, name, &mut written),
            None => self.custom_global(node, &mut written),
        }
        self.keep_global(written);
    }

    fn custom_global(&mut self, node: Node, written: &mut Written) {
        for attr in self.tree.children_of(node, NodeKind::Attr) {
            let index = self.tree.slot(attr) as usize;
            self.global_attr(index, attr, written, |reader, row| match row.kind {
                AttrKind::Dense => reader.literal().map(Value::Literal),
                _ => reader.attr(row).map(Value::Attr),
            });
        }
        if let Some(node) = self.tree.child(node, NodeKind::Type) {
            written.ty = Some((self.type_in(self.tree.tokens_of(node)), self.tree.range(node)));
            self.type_version(node, written.ty.as_ref().map_or(Type::unknown(), |(ty, _)| *ty));
        }
    }

    /// Reads `"cuda_tile.global"() <{sym_name = "g", value = dense<1> : !cuda_tile.tile<4xi32>}> : () -> ()`.
    fn generic_global(&mut self, node: Node, name: Node, written: &mut Written) {
        let row = Mnemonic::Global.row();
        let mut present = vec![false; row.attrs.len()];
        for Entry { name: key, value, .. } in entries(self.tree, self.text, node) {
            let Some((index, attr_row)) = row.attr_named(key) else { continue };
            present[index] = true;
            let Some(value) = value else {
                written.attrs[index] = Attr::Flag;
                continue;
            };
            if matches!(attr_row.kind, AttrKind::Dense) {
                written.ty = self.type_after_colon(value);
            }
            let element = written.ty.as_ref().and_then(|(ty, _)| ty.as_tile()?.number());
            self.global_attr(index, value, written, |reader, row| match (row.kind, element) {
                (AttrKind::Dense, Some(element)) => reader.generic_dense(element).map(Value::Literal),
                (AttrKind::Dense, None) => Ok(Value::Attr(Attr::Absent)),
                _ => reader.generic(row).map(Value::Attr),
            });
        }
        let missing =
            row.attrs.iter().zip(present).find(|(row, present)| !present && row.presence == Presence::Required);
        if let Some((attr, _)) = missing {
            self.diagnostics.push(d::missing_attribute(self.tree.range(name), row.name, attr.name));
        }
    }

    /// The type after the colon of `dense<…> : T`.
    fn type_after_colon(&mut self, value: Node) -> Option<(Type, Range<u32>)> {
        let tokens = self.tree.tokens_of(value);
        let colon = tokens.clone().rev().find(|&token| self.tree.tokens.kind(token) == Token::Colon)?;
        let tokens = colon + 1..tokens.end;
        let place = self.tree.tokens.start(tokens.start)..self.tree.tokens.end(tokens.end.checked_sub(1)?);
        Some((self.type_in(tokens), place))
    }

    fn type_in(&mut self, tokens: Range<usize>) -> Type {
        ty::read(self.text, &self.tree.tokens, tokens, &self.context, &mut self.diagnostics)
    }

    /// Reads an attribute of a global, and checks that the version supports it.
    fn global_attr(
        &mut self,
        index: usize,
        node: Node,
        written: &mut Written,
        read: impl FnOnce(&mut AttrReader, &'static AttrRow) -> Read<Value>,
    ) {
        let row: &'static OpRow = Mnemonic::Global.row();
        let attr_row = &row.attrs[index];
        let tokens = self.tree.tokens_of(node);
        let mut reader = AttrReader { text: self.text, tokens: &self.tree.tokens, at: tokens.start, end: tokens.end };
        let place = self.tree.range(node);
        if matches!(attr_row.kind, AttrKind::SymbolName) {
            written.name = place.clone();
        }
        let value = match read(&mut reader, attr_row) {
            Ok(Value::Literal(literal)) => {
                written.literal = Some(literal);
                Attr::Absent
            }
            Ok(Value::Attr(value)) => value,
            Err(wrong) => return self.diagnostics.push(*wrong),
        };
        let newer: Option<Diagnostic> = version::newer_attr(row, attr_row, &value, place, self.context.options.version);
        self.diagnostics.extend(newer);
        written.attrs[index] = value;
    }

    fn keep_global(&mut self, mut written: Written) {
        let (Some((ty, place)), Attr::Symbol(name)) =
            (written.ty, std::mem::replace(&mut written.attrs[0], Attr::Absent))
        else {
            return;
        };
        self.context.globals.entry(name.clone()).or_insert(ty);
        if !matches!(ty.kind(), TypeKind::Tile(_) | TypeKind::Unknown) {
            return self.diagnostics.push(d::global_class(place, ty));
        }
        let (TypeKind::Tile(tile), Some(literal)) = (ty.kind(), written.literal) else { return };
        if tile.rank() != 1 {
            return self.diagnostics.push(d::global_rank(place, tile));
        }
        self.diagnostics.extend(crate::verify::literal_fits(literal.dense.element, &literal.written, tile, place));
        let row = Mnemonic::Global.row();
        let by_name = |name| row.attr(name).map_or(&Attr::Absent, |(index, _)| &written.attrs[index]);
        let global = Global {
            name,
            ty,
            value: literal.dense,
            alignment: by_name(AttrName::Alignment).as_int().unwrap_or(0),
            constant: by_name(AttrName::Constant).is_flag(),
            private: by_name(AttrName::SymbolVisibility).as_enum() == Some(visibility::PRIVATE),
        };
        self.globals.push((global, written.name));
    }
}

/// The value of an attribute.
enum Value {
    Literal(Literal),
    Attr(Attr),
}
