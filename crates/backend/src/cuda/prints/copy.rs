//! Copies a body with replacements for its printing ops.

use tile_analysis::build::BodyBuilder;
use tile_analysis::ir::{Attr, Body, Op, OpId, RegionId, Value};
use tile_analysis::types::Type;
use tile_dialect::{EnumRow, Mnemonic};

/// A replacement for printing ops.
pub(super) trait Print {
    /// Adds ops to a region of the copy in place of `op`, which prints `args` of `types` with its format after `token`
    /// and has results of the types `results`. Returns the token that later ops wait for.
    fn print(
        &self,
        copy: &mut Copy<'_>,
        region: RegionId,
        op: (OpId, &[u8]),
        args: (&[Value], &[Type]),
        token: Option<Value>,
        results: &[Type],
    ) -> Option<Value>;
}

/// A copy of a body under construction.
pub(super) struct Copy<'a> {
    old: &'a Body,
    new: BodyBuilder,
    /// The new value for each old one, if it has been copied.
    values: Vec<Option<Value>>,
    /// The old op that each new op originates from.
    origins: Vec<OpId>,
    /// The old op that is being copied.
    origin: OpId,
}

impl<'a> Copy<'a> {
    /// Starts a copy with the parameters of a body and no ops.
    pub(super) fn new(old: &'a Body) -> Copy<'a> {
        let mut new = BodyBuilder::new(old.name.clone());
        let mut values = vec![None; old.values.len()];
        for &arg in &old.regions[0].args {
            values[arg.0 as usize] = Some(new.add_arg(BodyBuilder::ENTRY, old.ty(arg)));
        }
        new.name_params(old.params.iter().cloned());
        if let Some(hints) = &old.hints {
            new.set_hints((**hints).clone());
        }
        Copy { old, new, values, origins: Vec::new(), origin: OpId(0) }
    }

    /// Copies all ops. Returns the new body and the old op that each of its ops originates from.
    pub(super) fn finish(mut self, printing: &impl Print) -> (Body, Vec<OpId>) {
        self.region(RegionId(0), BodyBuilder::ENTRY, printing);
        (self.new.finish(), self.origins)
    }

    fn region(&mut self, from: RegionId, to: RegionId, printing: &impl Print) {
        for &id in &self.old.region(from).ops {
            self.origin = id;
            let op = self.old.op(id);
            if op.op == Mnemonic::PrintTko {
                self.print(id, op, to, printing);
            } else {
                self.op(op, to, printing);
            }
        }
    }

    fn op(&mut self, op: &Op, to: RegionId, printing: &impl Print) {
        let old = self.old;
        let groups: Vec<Vec<Value>> = (0..op.op.row().operands.len()).map(|row| self.group(op, row)).collect();
        let groups: Vec<&[Value]> = groups.iter().map(Vec::as_slice).collect();
        let results: Vec<Type> = old.results(op).map(|result| old.ty(result)).collect();
        let inner: Vec<RegionId> = old.regions_of(op).map(|region| self.add_region(region)).collect();
        let attrs = old.attrs_of(op).iter().cloned();
        let id = self.push(to, op.op, &groups, attrs, &results, &inner);
        let first = self.new.body().op(id).results.start;
        for (result, new) in old.results(op).zip(first..) {
            self.values[result.0 as usize] = Some(Value(new));
        }
        for (from, to) in old.regions_of(op).zip(inner) {
            self.region(from, to, printing);
        }
    }

    /// Replaces a printing op. Uses of its token become uses of the replacement's token.
    fn print(&mut self, id: OpId, op: &Op, to: RegionId, printing: &impl Print) {
        let old = self.old;
        let (args, token) = (self.group(op, 0), self.group(op, 1));
        let types: Vec<Type> = old.group(op, 0).iter().map(|&arg| old.ty(arg)).collect();
        let Attr::Str(format) = old.attr(op, 0) else { return };
        let results: Vec<Type> = old.results(op).map(|result| old.ty(result)).collect();
        let done = printing.print(self, to, (id, format), (&args, &types), token.first().copied(), &results);
        for result in old.results(op) {
            self.values[result.0 as usize] = done;
        }
    }

    fn group(&mut self, op: &Op, row: usize) -> Vec<Value> {
        let old = self.old;
        old.group(op, row).iter().map(|&value| self.value(value)).collect()
    }

    /// The new value for an old one. An undefined value maps to an undefined value.
    fn value(&mut self, value: Value) -> Value {
        let known = self.values[value.0 as usize];
        let new = known.unwrap_or_else(|| self.new.add_value(self.old.ty(value)));
        self.values[value.0 as usize] = Some(new);
        new
    }

    fn add_region(&mut self, old: RegionId) -> RegionId {
        let region = self.new.add_region(&[]);
        for &arg in &self.old.region(old).args {
            self.values[arg.0 as usize] = Some(self.new.add_arg(region, self.old.ty(arg)));
        }
        region
    }

    /// Adds a region with arguments of these types. Returns it with its first argument.
    pub(super) fn add_region_of(&mut self, types: &[Type]) -> (RegionId, Option<Value>) {
        let region = self.new.add_region(types);
        (region, self.new.body().region(region).args.first().copied())
    }

    /// Adds an op that originates from the one that is being copied.
    pub(super) fn push(
        &mut self,
        region: RegionId,
        op: Mnemonic,
        groups: &[&[Value]],
        attrs: impl IntoIterator<Item = Attr>,
        results: &[Type],
        regions: &[RegionId],
    ) -> OpId {
        self.origins.push(self.origin);
        self.new.push_op(region, op, groups, attrs, results, regions)
    }

    /// The first result of an added op.
    pub(super) fn first_result(&self, id: OpId) -> Option<Value> {
        self.new.body().results(self.new.body().op(id)).next()
    }

    /// Adds an op without regions. Returns its results.
    pub(super) fn add<const RESULTS: usize>(
        &mut self,
        region: RegionId,
        op: Mnemonic,
        groups: &[&[Value]],
        attrs: impl IntoIterator<Item = Attr>,
        results: [Type; RESULTS],
    ) -> [Value; RESULTS] {
        let id = self.push(region, op, groups, attrs, &results, &[]);
        let first = self.new.result(id).0;
        std::array::from_fn(|index| Value(first + index as u32))
    }
}

/// The attribute with a value of an enumeration.
pub(super) fn constant(row: &EnumRow, name: &str) -> Attr {
    Attr::Enum(row.value(name).unwrap_or_default())
}
