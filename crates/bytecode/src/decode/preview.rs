//! Decodes the SIMT preview: its types, and functions without a body.

use super::cursor::Cursor;
use super::decoder::Decoder;
use super::error::Read;
use crate::format::DYNAMIC;
use std::fmt::Display;
use tile_analysis::ir::{Attr, AttrValue, NamedAttrs};
use tile_analysis::preview::{
    Fragment, Function, Layout, Param, PreviewType, PreviewValue, check_fragment, check_functions, check_tile,
};
use tile_analysis::print;
use tile_analysis::types::Type;
use tile_dialect::layout::{Field, What, layout};
use tile_dialect::{AttrName, FRAGMENT_TAG, MEMORY_SPACE, Mnemonic, PREVIEW_TYPES, PreviewAttr, SYMBOL_TYPE_TAG};

/// The part of a function's record before its form.
pub(super) struct Head {
    pub(super) name: Box<str>,
    pub(super) params: Vec<Type>,
    pub(super) results: Vec<Type>,
    pub(super) entries_before: usize,
}

impl<'a> Decoder<'a> {
    /// Checks that the header announces preview content.
    pub(super) fn need_preview(&self, cursor: &Cursor, offset: usize, what: impl Display) -> Read<()> {
        if self.preview {
            return Ok(());
        }
        cursor.fail_at(
            offset,
            format!("{what} is part of the SIMT preview, but the header of the file does not announce preview content"),
        )
    }

    /// Reads a preview type after its tag. Returns `None` if the tag is not that of a preview type.
    pub(super) fn preview_entry(&mut self, entry: &mut Cursor, tag: u64, start: usize) -> Read<Option<Type>> {
        let Some(row) = PREVIEW_TYPES.iter().find(|row| u64::from(row.tag) == tag) else { return Ok(None) };
        self.need_preview(entry, start, format_args!("the type `{}`", row.name))?;
        let ty = match (row.tag, row.word) {
            (_, Some(word)) => PreviewType::Word(word),
            (SYMBOL_TYPE_TAG, _) => self.symbol(entry)?,
            (FRAGMENT_TAG, _) => PreviewType::Fragment(self.fragment(entry, start)?),
            _ => return Ok(None),
        };
        Ok(Some(Type::preview(ty)))
    }

    fn symbol(&mut self, entry: &mut Cursor) -> Read<PreviewType> {
        let offset = entry.offset();
        let value = self.symbolic(entry)?;
        match (value.attr, value.text()) {
            (PreviewAttr::Var, Some(name)) => Ok(PreviewType::Symbol(name.into())),
            _ => entry.fail_at(offset, "a symbolic type must be named by a variable"),
        }
    }

    fn fragment(&mut self, entry: &mut Cursor, start: usize) -> Read<Fragment> {
        let shape = self.symbolic(entry)?;
        let offset = entry.offset();
        let known = entry.list::<8>("extents")?;
        let shape = self.extents(entry, offset, &known, &shape)?;
        let element = self.ty(entry)?;
        let space = self.keyword(&MEMORY_SPACE, entry)?;
        let mem_layout = self.layout(entry)?;
        let fragmap = self.layout(entry)?;
        let alignment = self.symbolic(entry)?;
        let fragment = Fragment { shape, element, space, mem_layout, fragmap, alignment };
        match check_fragment(&fragment) {
            Ok(()) => Ok(fragment),
            Err(message) => entry.fail_at(start, message),
        }
    }

    fn layout(&mut self, entry: &mut Cursor) -> Read<Layout> {
        let offset = entry.offset();
        let value = self.symbolic(entry)?;
        Layout::of(&value).map_or_else(|| entry.fail_at(offset, "expected a layout"), Ok)
    }

    /// Returns extents as expressions, after comparing them with the list of known extents, in which expressions other
    /// than numbers are dynamic.
    fn extents(&self, entry: &Cursor, offset: usize, known: &[i64], shape: &PreviewValue) -> Read<Box<[PreviewValue]>> {
        if shape.attr != PreviewAttr::Tuple {
            return entry.fail_at(offset, "a symbolic shape must be a tuple");
        }
        let shape = shape.list(0);
        if shape.len() != known.len() {
            return entry.fail_at(
                offset,
                format!("{} extents are listed for a symbolic shape of {}", known.len(), shape.len()),
            );
        }
        for (index, (extent, &known)) in shape.iter().zip(known).enumerate() {
            if extent.as_int().unwrap_or(DYNAMIC) != known {
                let message = match extent.as_int() {
                    Some(extent) => {
                        format!("extent {index} is listed as {known}, but is {extent} in the symbolic shape")
                    }
                    None => format!("extent {index} is symbolic, so it must be listed as dynamic, not as {known}"),
                };
                return entry.fail_at(offset, message);
            }
        }
        Ok(shape.into())
    }

    /// Reads a tile with symbolic extents or a symbolic element type. Symbolic extents are at the end of its entry.
    pub(super) fn symbolic_tile(&mut self, entry: &mut Cursor, element: Type, offset: usize) -> Read<Type> {
        self.need_preview(entry, offset, "a symbolic tile")?;
        let known = entry.list::<8>("extents")?;
        let shape: Box<[PreviewValue]> = if entry.left() > 0 {
            let shape = self.symbolic(entry)?;
            self.extents(entry, offset, &known, &shape)?
        } else {
            known.into_iter().map(PreviewValue::int).collect()
        };
        match check_tile(&shape, element) {
            Ok(()) => Ok(Type::preview(PreviewType::Tile { shape, element })),
            Err(message) => entry.fail_at(offset, message),
        }
    }

    /// Reads a declaration after its location.
    pub(super) fn declaration(&mut self, cursor: &mut Cursor, head: Head) -> Read<Function> {
        let mut function = Function::new(Mnemonic::PreviewFunc, head.entries_before);
        function.set(AttrName::SymName, Attr::Symbol(head.name.clone()));
        let offset = cursor.offset();
        let AttrValue::Array(attrs) = self.value(cursor)? else {
            return cursor.fail_at(offset, "the attributes of arguments must be a list of dictionaries");
        };
        function.params = self.params(cursor, offset, &head.params, attrs)?;
        function.results = head.results.into();
        let offset = cursor.offset();
        if cursor.varint()? != 0 {
            return cursor.fail_at(offset, format!("the declaration of `{}` must not have a body", head.name));
        }
        let offset = cursor.offset();
        let AttrValue::Array(params) = self.value(cursor)? else {
            return cursor.fail_at(offset, "constant parameters must be a list");
        };
        let params =
            params.iter().map(|param| param.as_preview().filter(|found| found.attr == PreviewAttr::ConstParam));
        match params.map(Option::<&PreviewValue>::cloned).collect::<Option<Box<[_]>>>() {
            Some(params) if params.is_empty() => {}
            Some(params) => function.set(AttrName::ConstParams, Attr::Symbolic(params)),
            None => return cursor.fail_at(offset, "a constant parameter must be a `preview$const_param`"),
        }
        Ok(function)
    }

    /// Reads an implementation after its location. It is encoded as an op with the layout in its row.
    pub(super) fn implementation(&mut self, cursor: &mut Cursor<'a>, entries_before: usize) -> Read<Function> {
        let mut function = Function::new(Mnemonic::PreviewExternImpl, entries_before);
        let row = function.op.row();
        let mut present: Vec<Field> = Vec::new();
        let mut arg_attrs = Vec::new();
        let (mut params, mut results) = (Vec::new(), Vec::new());
        let start = cursor.offset();
        for piece in layout(function.op) {
            match &piece.what {
                What::Flags(fields) => {
                    let bits = cursor.varint()?;
                    let unknown = bits >> fields.len() << fields.len();
                    if unknown != 0 {
                        self.warn(start, format!("unknown presence bits {unknown:#x} of `{}` are ignored", row.name));
                    }
                    present.extend(
                        fields.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, field)| *field),
                    );
                }
                What::One { field: field @ Field::Attr(index), flagged } => {
                    if *flagged && !present.contains(field) {
                        continue;
                    }
                    let index = usize::from(*index);
                    match row.attrs[index].name {
                        "function_type" => (params, results) = self.function_type(cursor)?,
                        "arg_attrs" => arg_attrs = self.values(cursor)?,
                        // An empty list differs from an absent one.
                        "const_args" => function.attrs[index] = Attr::Symbolic(self.symbolic_list(cursor)?.into()),
                        _ => function.attrs[index] = self.attr(&row.attrs[index], cursor, None)?,
                    }
                }
                _ => {}
            }
        }
        function.params = self.params(cursor, start, &params, arg_attrs)?;
        function.results = results.into();
        let offset = cursor.offset();
        if (cursor.varint()?, cursor.varint()?) != (1, 0) {
            return cursor.fail_at(offset, format!("`{}` must have one region without blocks", function.name()));
        }
        let offset = cursor.offset();
        if cursor.varint()? != 0 {
            return cursor.fail_at(offset, format!("the implementation `{}` must not have a body", function.name()));
        }
        Ok(function)
    }

    fn params(&self, cursor: &Cursor, offset: usize, types: &[Type], attrs: Vec<AttrValue>) -> Read<Box<[Param]>> {
        if !attrs.is_empty() && attrs.len() != types.len() {
            let message = format!("{} dictionaries of attributes for {} arguments", attrs.len(), types.len());
            return cursor.fail_at(offset, message);
        }
        let mut attrs = attrs.into_iter();
        let mut param = |(index, &ty): (usize, &Type)| match attrs.next() {
            None => Ok(Param { name: format!("arg{index}").into(), ty, attrs: NamedAttrs::default() }),
            Some(AttrValue::Dict(attrs)) => Ok(Param { name: format!("arg{index}").into(), ty, attrs }),
            Some(other) => {
                let found = print::attr_literal(&other);
                cursor.fail_at(offset, format!("the attributes of an argument must not be `{found}`"))
            }
        };
        types.iter().enumerate().map(&mut param).collect()
    }

    /// Checks the rules of functions. `offsets` are the starts of their records.
    pub(super) fn check_functions(&self, cursor: &Cursor, functions: &[Function], offsets: &[usize]) -> Read<()> {
        match check_functions(functions).into_iter().next() {
            Some(broken) => {
                let (name, message) = (functions[broken.function].name(), broken.message);
                let is_named = message.contains(&format!("`@{name}`"));
                let message = if is_named { message } else { format!("`@{name}`: {message}") };
                cursor.fail_at(offsets[broken.function], message)
            }
            None => Ok(()),
        }
    }
}
