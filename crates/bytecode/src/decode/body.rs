//! Decodes the body of an entry. The layout in each op's row describes its encoding.

use super::cursor::Cursor;
use super::debug_section::Track;
use super::decoder::Decoder;
use super::error::{Error, Read};
use crate::format::MAX_DEPTH;
use std::ops::Range;
use tile_analysis::build::BodyBuilder;
use tile_analysis::debug_info::Locations;
use tile_analysis::ir::{Attr, Body, Hints, NamedAttrs, OpId, RegionId, Value};
use tile_analysis::types::Type;
use tile_dialect::layout::{Field, What, layout};
use tile_dialect::{Arity, AttrKind, Class, OpRow, Version, by_opcode};

/// An entry, and the error at which its body ends, if any.
pub(super) struct Entry {
    pub(super) body: Body,
    pub(super) locations: Locations,
    pub(super) error: Option<Error>,
}

/// The record of a function after its name and its type.
pub(super) struct Record<'a> {
    pub(super) private: bool,
    pub(super) param_attrs: Vec<NamedAttrs>,
    pub(super) hints: Option<Hints>,
    pub(super) track: Track,
    pub(super) body: Cursor<'a>,
}

impl<'a> Decoder<'a> {
    /// Reads the body of an entry and the locations of its ops. If an op cannot be read, the body ends before it.
    pub(super) fn body(&mut self, name: Box<str>, params: Vec<Type>, record: Record<'a>) -> Entry {
        let mut builder = BodyBuilder::new(name);
        let params = params.iter().enumerate();
        let visible = params.map(|(index, &ty)| builder.add_param(format!("arg{index}"), ty)).collect();
        builder.set_param_attrs(record.param_attrs);
        let mut reader = BodyReader {
            decoder: self,
            builder,
            visible,
            track: record.track,
            locations: Locations::default(),
            depth: 1,
            parts: Parts::default(),
        };
        let error = reader.ops(record.body).err();
        let mut body = reader.builder.finish();
        body.private = record.private;
        body.hints = record.hints.map(Box::new);
        Entry { body, locations: reader.locations, error }
    }
}

struct BodyReader<'d, 'a> {
    decoder: &'d mut Decoder<'a>,
    builder: BodyBuilder,
    /// The values in scope, by number.
    visible: Vec<Value>,
    track: Track,
    locations: Locations,
    /// The number of open regions, including the entry's own.
    depth: usize,
    parts: Parts,
}

/// The parts of an op that is being read. Reused for all ops, to keep its buffers.
#[derive(Default)]
struct Parts {
    /// The types of the results: first those in the file, then those added in later versions.
    results: Vec<Type>,
    /// The fields whose presence bits are set.
    present: Vec<Field>,
    /// An attribute for each row.
    attrs: Vec<Attr>,
    /// The operands of each row.
    groups: Vec<Vec<Value>>,
    /// The number of regions.
    regions: usize,
}

impl Parts {
    /// Prepares for an op.
    fn start(&mut self, row: &OpRow) {
        self.results.clear();
        self.present.clear();
        self.attrs.clear();
        self.attrs.extend(row.attrs.iter().map(Attr::default_of));
        self.groups.iter_mut().for_each(Vec::clear);
        self.groups.resize_with(row.operands.len(), Vec::new);
        self.regions = 0;
    }
}

impl BodyReader<'_, '_> {
    /// Reads the location of the entry and the ops of its body.
    fn ops(&mut self, mut cursor: Cursor) -> Read<()> {
        self.locations.entry = self.decoder.next_location(&mut self.track, &cursor)?;
        let mut is_terminated = false;
        while cursor.left() > 0 {
            is_terminated = self.op(&mut cursor, BodyBuilder::ENTRY)?;
        }
        if is_terminated { Ok(()) } else { cursor.fail("the body of an entry must end with a `return`") }
    }

    /// Reads an op. Returns whether it is a terminator.
    fn op(&mut self, cursor: &mut Cursor, region: RegionId) -> Read<bool> {
        let start = cursor.offset();
        let row = self.row(cursor)?;
        let location = self.decoder.next_location(&mut self.track, cursor)?;
        let mut parts = std::mem::take(&mut self.parts);
        parts.start(row);
        let version = self.decoder.version;
        for piece in layout(row.op).iter().filter(|piece| piece.since <= version) {
            self.piece(cursor, row, &piece.what, &mut parts)?;
        }
        drop_default_lists(row, &mut parts);
        let stored = parts.results.len();
        self.add_later_results(cursor, row, &mut parts.results, start)?;
        self.check_classes(cursor, row, &parts, start)?;
        let regions: Vec<RegionId> = (0..parts.regions).map(|_| self.builder.add_region(&[])).collect();
        let groups: Vec<&[Value]> = parts.groups.iter().map(Vec::as_slice).collect();
        let id = self.builder.push_op(region, row.op, &groups, parts.attrs.drain(..), &parts.results, &regions);
        self.parts = parts;
        if let Some(location) = location {
            self.locations.set(id.0 as usize, location);
        }
        self.regions(cursor, row, id, &regions)?;
        let defined: Range<u32> = self.builder.body().op(id).results.clone();
        self.visible.extend(defined.take(stored).map(Value));
        Ok(row.is_terminator())
    }

    fn row(&self, cursor: &mut Cursor) -> Read<&'static OpRow> {
        let offset = cursor.offset();
        let opcode = cursor.varint()?;
        match by_opcode(opcode) {
            Some(row) => {
                self.decoder.need(cursor, offset, format_args!("the op `{}`", row.name), row.since)?;
                if row.is_preview() {
                    self.decoder.need_preview(cursor, offset, format_args!("the op `{}`", row.name))?;
                }
                Ok(row)
            }
            None => cursor.fail_at(offset, format!("unknown opcode {opcode:#x}")),
        }
    }

    fn piece(&mut self, cursor: &mut Cursor, row: &'static OpRow, what: &What, parts: &mut Parts) -> Read<()> {
        match what {
            What::Results { counted } => self.result_types(cursor, row, *counted, parts),
            What::Flags(fields) => self.flags(cursor, row, fields, parts),
            What::One { field, flagged } => {
                if *flagged && !parts.present.contains(field) {
                    return Ok(());
                }
                match *field {
                    Field::Attr(index) => {
                        let ty = parts.results.first().copied();
                        let index = index as usize;
                        parts.attrs[index] = self.decoder.attr(&row.attrs[index], cursor, ty)?;
                        Ok(())
                    }
                    Field::Operand(index) => self.operands(cursor, 1, &mut parts.groups[index as usize]),
                }
            }
            What::Counted(index) => {
                let count = cursor.count("operands", 1)?;
                self.operands(cursor, count, &mut parts.groups[*index as usize])
            }
            What::All(groups) => self.all_operands(cursor, row, groups, parts),
            What::Regions => {
                parts.regions = self.region_count(cursor, row)?;
                Ok(())
            }
        }
    }

    /// Reads the types of the results that exist in the version.
    fn result_types(&mut self, cursor: &mut Cursor, row: &'static OpRow, counted: bool, parts: &mut Parts) -> Read<()> {
        let offset = cursor.offset();
        let stored: Vec<_> = row.results.iter().filter(|result| self.is_stored(row, result.since)).collect();
        let open = stored.iter().any(|result| result.arity == Arity::Variadic);
        let count = if counted { cursor.count("results", 1)? } else { stored.len() };
        let fixed = stored.len() - usize::from(open);
        if count < fixed || count > fixed && !open {
            return cursor.fail_at(offset, format!("`{}` has {fixed} results, not {count}", row.name));
        }
        for _ in 0..count {
            parts.results.push(self.decoder.ty(cursor)?);
        }
        Ok(())
    }

    /// Whether the version supports a part of an op that was added in `since`.
    fn is_stored(&self, row: &OpRow, since: Version) -> bool {
        since <= self.decoder.version || since <= row.since
    }

    fn flags(&mut self, cursor: &mut Cursor, row: &OpRow, fields: &[Field], parts: &mut Parts) -> Read<()> {
        let offset = cursor.offset();
        let bits = cursor.varint()?;
        let unknown = bits >> fields.len() << fields.len();
        if unknown != 0 {
            self.decoder.warn(offset, format!("unknown presence bits {unknown:#x} of `{}` are ignored", row.name));
        }
        for (_, &field) in fields.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1) {
            let (name, since) = match field {
                Field::Attr(index) => (row.attrs[index as usize].name, row.attrs[index as usize].since),
                Field::Operand(index) => (row.operands[index as usize].name, row.operands[index as usize].since),
            };
            if !self.is_stored(row, since) {
                self.decoder.need(cursor, offset, format_args!("the `{name}` of `{}`", row.name), since)?;
            }
            parts.present.push(field);
            if let Field::Attr(index) = field
                && matches!(row.attrs[index as usize].kind, AttrKind::Flag(_))
            {
                parts.attrs[index as usize] = Attr::Flag;
            }
        }
        Ok(())
    }

    fn operands(&self, cursor: &mut Cursor, count: usize, group: &mut Vec<Value>) -> Read<()> {
        for _ in 0..count {
            let offset = cursor.offset();
            let number = cursor.varint()?;
            match usize::try_from(number).ok().and_then(|number| self.visible.get(number)) {
                Some(&value) => group.push(value),
                None => {
                    let count = self.visible.len();
                    return cursor
                        .fail_at(offset, format!("value {number} is out of range: {count} values are in scope"));
                }
            }
        }
        Ok(())
    }

    /// Reads the operands of several groups with one count. At most one group is variadic.
    fn all_operands(&mut self, cursor: &mut Cursor, row: &OpRow, groups: &[u8], parts: &mut Parts) -> Read<()> {
        let offset = cursor.offset();
        let total = cursor.count("operands", 1)?;
        let fixed = groups.iter().filter(|&&group| row.operands[group as usize].arity == Arity::One).count();
        let Some(open) = total.checked_sub(fixed).filter(|&open| open == 0 || fixed < groups.len()) else {
            return cursor.fail_at(offset, format!("`{}` has at least {fixed} operands, not {total}", row.name));
        };
        for &group in groups {
            let one = row.operands[group as usize].arity == Arity::One;
            self.operands(cursor, if one { 1 } else { open }, &mut parts.groups[group as usize])?;
        }
        Ok(())
    }

    /// Adds the results that were added in later versions. They are unused tokens.
    fn add_later_results(&self, cursor: &Cursor, row: &OpRow, results: &mut Vec<Type>, start: usize) -> Read<()> {
        for result in row.results.iter().filter(|result| !self.is_stored(row, result.since)) {
            if result.class != Class::Token {
                return cursor
                    .fail_at(start, format!("`{}` does not have `{}` in this version", row.name, result.name));
            }
            results.push(Type::token());
        }
        Ok(())
    }

    /// Checks the class of each operand and result, which does not depend on the others.
    fn check_classes(&self, cursor: &Cursor, row: &OpRow, parts: &Parts, start: usize) -> Read<()> {
        let body = self.builder.body();
        for (operand, group) in row.operands.iter().zip(&parts.groups) {
            if let Some(&wrong) = group.iter().find(|&&value| !body.ty(value).is_a(operand.class)) {
                let (name, ty) = (operand.name, body.ty(wrong));
                return cursor.fail_at(start, format!("the operand `{name}` of `{}` cannot be a `{ty}`", row.name));
            }
        }
        let last = row.results.len().saturating_sub(1);
        for (index, &ty) in parts.results.iter().enumerate() {
            let result = &row.results[index.min(last)];
            if !ty.is_a(result.class) {
                return cursor
                    .fail_at(start, format!("the result `{}` of `{}` cannot be a `{ty}`", result.name, row.name));
            }
        }
        Ok(())
    }

    fn region_count(&self, cursor: &mut Cursor, row: &OpRow) -> Read<usize> {
        let offset = cursor.offset();
        let count = cursor.count("regions", 1)?;
        let least = row.regions.iter().filter(|region| !region.optional).count();
        if (least..=row.regions.len()).contains(&count) {
            return Ok(count);
        }
        cursor.fail_at(offset, format!("`{}` has {} regions, not {count}", row.name, row.regions.len()))
    }

    fn regions(&mut self, cursor: &mut Cursor, row: &OpRow, op: OpId, regions: &[RegionId]) -> Read<()> {
        for (&region, region_row) in regions.iter().zip(row.regions) {
            let offset = cursor.offset();
            match cursor.varint()? {
                1 => self.block(cursor, region)?,
                0 if region_row.optional => self.builder.remove_last_region(op),
                count => {
                    let message = format!("a region of `{}` has {count} blocks; it must have one", row.name);
                    return cursor.fail_at(offset, message);
                }
            }
        }
        Ok(())
    }

    /// Reads a block. Its values are in scope only inside it.
    fn block(&mut self, cursor: &mut Cursor, region: RegionId) -> Read<()> {
        if self.depth == MAX_DEPTH {
            return cursor.fail(format!("regions are nested more than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        let outside = self.visible.len();
        for _ in 0..cursor.count("block arguments", 1)? {
            let ty = self.decoder.ty(cursor)?;
            let arg = self.builder.add_arg(region, ty);
            self.visible.push(arg);
        }
        let mut is_terminated = false;
        for _ in 0..cursor.count("ops", 1)? {
            is_terminated = self.op(cursor, region)?;
        }
        if !is_terminated {
            return cursor.fail("a block must end with a terminator, such as `yield` or `continue`");
        }
        self.visible.truncate(outside);
        self.depth -= 1;
        Ok(())
    }
}

/// Drops lists of Booleans that are all false, because that is the default.
fn drop_default_lists(row: &OpRow, parts: &mut Parts) {
    for (attr_row, attr) in row.attrs.iter().zip(&mut parts.attrs) {
        if let (AttrKind::BoolList(of), Attr::BoolList(list)) = (attr_row.kind, &*attr)
            && !list.contains(&true)
            && row.operand_named(of).is_some_and(|(group, _)| parts.groups[group].len() == list.len())
        {
            *attr = Attr::Absent;
        }
    }
}
