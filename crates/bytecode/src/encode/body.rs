//! Encodes the body of an entry. The layout in each op's row describes its encoding.

use super::encoder::Encoder;
use crate::format::MAX_DEPTH;
use crate::unsupported::Site;
use crate::varint;
use tile_analysis::ir::{Attr, Body, Def, Op, OpId, RegionId, Value};
use tile_dialect::layout::{Field, What, layout};
use tile_dialect::{AttrKind, AttrRow, OpRow, Presence, Version};

/// Encodes the ops of an entry.
pub(super) fn encode<'a>(encoder: &mut Encoder<'a>, entry: usize, body: &'a Body) -> Vec<u8> {
    let mut bytes = std::mem::take(&mut encoder.code);
    bytes.clear();
    let mut writer =
        Writer { encoder, entry, body, bytes, numbers: vec![UNNUMBERED; body.values.len()], next: 0, depth: 0 };
    writer.number(&body.regions[0].args);
    writer.ops(RegionId(0));
    writer.bytes
}

/// Marks a value without a number in the bytecode.
const UNNUMBERED: u32 = u32::MAX;

struct Writer<'e, 'a> {
    encoder: &'e mut Encoder<'a>,
    entry: usize,
    body: &'a Body,
    bytes: Vec<u8>,
    /// The number of each value while it is in scope.
    numbers: Vec<u32>,
    next: u32,
    depth: usize,
}

impl<'a> Writer<'_, 'a> {
    fn number(&mut self, values: &[Value]) {
        for value in values {
            self.numbers[value.0 as usize] = self.next;
            self.next += 1;
        }
    }

    fn ops(&mut self, region: RegionId) {
        let body = self.body;
        for &op in &body.region(region).ops {
            self.encoder.site = Site::Op(self.entry, op);
            self.op(op);
        }
    }

    fn op(&mut self, id: OpId) {
        let op = self.body.op(id);
        let row = op.op.row();
        let Some(opcode) = row.opcode else {
            return self.encoder.never(format!("`{}` in an entry", row.name));
        };
        if let Some(debug) = &mut self.encoder.debug {
            debug.op(id);
        }
        self.check_version(op, row);
        self.encoder.has_preview |= row.is_preview();
        varint::write(&mut self.bytes, opcode.into());
        let version = self.encoder.version;
        for piece in layout(op.op).iter().filter(|piece| piece.since <= version) {
            self.piece(op, row, &piece.what);
        }
        let results = self.stored_results(op, row);
        for value in results {
            self.numbers[value.0 as usize] = self.next;
            self.next += 1;
        }
    }

    /// The results that exist in the version. They precede all others.
    fn stored_results(&self, op: &Op, row: &OpRow) -> impl ExactSizeIterator<Item = Value> + use<> {
        let version = self.encoder.version;
        let later = row.results.iter().filter(|result| result.since > version && result.since > row.since).count();
        let count = op.results.len().saturating_sub(later);
        self.body.results(op).take(count)
    }

    fn piece(&mut self, op: &'a Op, row: &'static OpRow, what: &What) {
        match what {
            What::Results { counted } => {
                let results = self.stored_results(op, row);
                if *counted {
                    varint::write(&mut self.bytes, results.len() as u64);
                }
                for value in results {
                    let ty = self.encoder.ty(self.body.ty(value));
                    varint::write(&mut self.bytes, ty);
                }
            }
            What::Flags(fields) => {
                let bits = fields.iter().enumerate().map(|(bit, &field)| u64::from(self.is_present(op, field)) << bit);
                let bits: u64 = bits.sum();
                varint::write(&mut self.bytes, bits);
            }
            What::One { field, flagged } => {
                if !flagged || self.is_present(op, *field) && self.is_stored(row, *field) {
                    self.field(op, row, *field);
                }
            }
            What::Counted(group) => {
                varint::write(&mut self.bytes, self.body.group(op, *group as usize).len() as u64);
                self.group(op, *group);
            }
            What::All(groups) => {
                let count: usize = groups.iter().map(|&group| self.body.group(op, group as usize).len()).sum();
                varint::write(&mut self.bytes, count as u64);
                groups.iter().for_each(|&group| self.group(op, group));
            }
            What::Regions => self.regions(op, row),
        }
    }

    fn is_present(&self, op: &Op, field: Field) -> bool {
        match field {
            Field::Attr(index) => !matches!(self.body.attr(op, index as usize), Attr::Absent),
            Field::Operand(index) => !self.body.group(op, index as usize).is_empty(),
        }
    }

    fn is_stored(&self, row: &OpRow, field: Field) -> bool {
        let since = match field {
            Field::Attr(index) => row.attrs[index as usize].since,
            Field::Operand(index) => row.operands[index as usize].since,
        };
        since <= self.encoder.version || since <= row.since
    }

    fn field(&mut self, op: &'a Op, row: &'static OpRow, field: Field) {
        match field {
            Field::Attr(index) => {
                let (row, attr) = (&row.attrs[index as usize], self.body.attr(op, index as usize));
                match (row.kind, attr) {
                    (AttrKind::BoolList(of), Attr::Absent) => self.all_false(op, of),
                    (AttrKind::ConstArgs, Attr::Absent) => varint::write(&mut self.bytes, 0),
                    _ => self.encoder.attr(row, attr, &mut self.bytes),
                }
            }
            Field::Operand(index) => {
                self.group(op, index);
                if self.body.group(op, index as usize).len() != 1 {
                    let name = row.operands[index as usize].name;
                    self.encoder.never(format!("a `{}` without `{name}`", row.name));
                }
            }
        }
    }

    /// Writes `false` for each operand of a group.
    fn all_false(&mut self, op: &Op, group: &str) {
        let count = op.op.row().operand_named(group).map_or(0, |(group, _)| self.body.group(op, group).len());
        varint::write(&mut self.bytes, count as u64);
        self.bytes.resize(self.bytes.len() + count, 0);
    }

    fn group(&mut self, op: &Op, group: u8) {
        let body = self.body;
        for &value in body.group(op, group as usize) {
            match self.numbers.get(value.0 as usize) {
                Some(&number) if number != UNNUMBERED => varint::write(&mut self.bytes, number.into()),
                _ => self.unnumbered(value),
            }
        }
    }

    /// Reports the use of a value without a number: a result that was added in a later version.
    fn unnumbered(&mut self, value: Value) {
        let later = match self.body.def(value) {
            Some(Def::Result(op, index)) => {
                let row = self.body.op(op).op.row();
                row.results.get(index).map(|result| (row.name, result.name, result.since))
            }
            _ => None,
        };
        match later {
            Some((op, result, since)) => self.encoder.newer(format!("the `{result}` of `{op}`"), since),
            None => self.encoder.never("the use of an undefined value"),
        }
    }

    /// Writes the regions of an op. An absent region is written as a region without a block.
    fn regions(&mut self, op: &Op, row: &OpRow) {
        let site = self.encoder.site;
        if self.depth == MAX_DEPTH {
            return self.encoder.never(format!("regions nested more than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        varint::write(&mut self.bytes, row.regions.len() as u64);
        for index in 0..row.regions.len() as u32 {
            match op.regions.start + index {
                region if region < op.regions.end => self.region(RegionId(region)),
                _ => self.bytes.push(0),
            }
        }
        self.depth -= 1;
        self.encoder.site = site;
    }

    /// Writes a region. The numbers of its values are reused after it.
    fn region(&mut self, id: RegionId) {
        let (body, outside) = (self.body, self.next);
        let region = body.region(id);
        self.bytes.push(1);
        varint::write(&mut self.bytes, region.args.len() as u64);
        for &arg in &region.args {
            let ty = self.encoder.ty(body.ty(arg));
            varint::write(&mut self.bytes, ty);
        }
        self.number(&region.args);
        varint::write(&mut self.bytes, region.ops.len() as u64);
        self.ops(id);
        self.next = outside;
    }

    /// Reports parts of an op that the version does not support.
    fn check_version(&mut self, op: &'a Op, row: &'static OpRow) {
        let version = self.encoder.version;
        if version == Version::NEWEST {
            return;
        }
        if row.since > version {
            return self.encoder.newer(format!("`{}`", row.name), row.since);
        }
        for (index, attr_row) in row.attrs.iter().enumerate() {
            let attr = self.body.attr(op, index);
            if attr_row.since > version && !is_default(attr_row, attr) {
                let word = match attr_row.kind {
                    AttrKind::Flag(keyword) => keyword,
                    _ => attr_row.name,
                };
                self.encoder.newer(format!("`{word}` of `{}`", row.name), attr_row.since);
            }
            if let (AttrKind::Enum { of, .. }, Attr::Enum(value)) = (attr_row.kind, attr)
                && let Some(value) = of.values.get(*value as usize).filter(|value| value.since > version)
            {
                self.encoder.newer(format!("`{}` of `{}`", value.name, row.name), value.since);
            }
        }
        for (index, operand) in row.operands.iter().enumerate() {
            if operand.since > version && !self.body.group(op, index).is_empty() {
                self.encoder.newer(format!("the operand `{}` of `{}`", operand.name, row.name), operand.since);
            }
        }
    }
}

/// Whether an attribute has the value that versions without the attribute imply.
fn is_default(row: &AttrRow, attr: &Attr) -> bool {
    match (attr, row.presence) {
        (Attr::Absent, _) => true,
        (Attr::Enum(value), Presence::Default(default)) => *value == default,
        (Attr::Int(value), Presence::DefaultInt(default)) => *value == default,
        (Attr::BoolList(list), _) => list.iter().all(|value| !value),
        _ => false,
    }
}
