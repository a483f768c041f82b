//! Runs the ops of an entry, block after block.

use super::integers::{Attrs, compute, modify};
use super::memory::Memory;
use super::value::{Pointer, Tensor, Value, indices, number, place, wrap};
use tile_analysis::ir::{self, Attr, Body, Module, Op, RegionId};
use tile_analysis::types::{Access, TileType, TileViewType};
use tile_dialect::{Element, Mnemonic, signedness};

/// An argument of the entry: the bits of a number, or the bytes of a buffer.
pub(crate) type Argument = Result<u64, Vec<u8>>;

/// The contents of the buffers of an entry after its run, in the order of the parameters. `None` if the program uses
/// something that this evaluator does not support.
pub fn evaluate(module: &Module, grid: [u32; 3], arguments: &[Argument]) -> Option<Vec<Vec<u8>>> {
    let mut memory = Memory::default();
    let mut values = Vec::new();
    for argument in arguments {
        values.push(match argument {
            Ok(bits) => Value::Numbers(vec![*bits]),
            Err(bytes) => {
                memory.0.push(bytes.clone());
                Value::Pointers(vec![Pointer { buffer: memory.0.len() - 1, offset: 0 }])
            }
        });
    }
    let (body, buffers) = (&module.entries[0], memory.0.len());
    let mut globals = Vec::new();
    for global in &module.globals {
        let (element, bits) = (global.value.element, &global.value.bits);
        let count = global.ty.as_tile()?.shape.iter().product::<i64>() as usize;
        let bytes = (0..count).flat_map(|at| bits[at % bits.len()].to_le_bytes()[..element.bytes()].to_vec());
        globals.push((global.name.clone(), memory.0.len()));
        memory.0.push(bytes.collect());
    }
    for z in 0..grid[2] {
        for y in 0..grid[1] {
            for x in 0..grid[0] {
                let values_of = vec![Value::Token; body.values.len()];
                let mut block =
                    Block { body, globals: &globals, memory: &mut memory, values: values_of, grid, block: [x, y, z] };
                block.region(RegionId(0), values.clone())?;
            }
        }
    }
    memory.0.truncate(buffers);
    Some(memory.0)
}

/// A tile block.
struct Block<'a> {
    body: &'a Body,
    /// The buffer of each global.
    globals: &'a [(Box<str>, usize)],
    memory: &'a mut Memory,
    values: Vec<Value>,
    grid: [u32; 3],
    block: [u32; 3],
}

/// How a region ends.
enum End {
    Yield(Vec<Value>),
    Break(Vec<Value>),
    Continue(Vec<Value>),
    Return,
}

/// The maximum number of iterations of a loop.
const MAX_ITERATIONS: usize = 10_000;

impl Block<'_> {
    /// Runs a region with these arguments.
    fn region(&mut self, region: RegionId, arguments: Vec<Value>) -> Option<End> {
        let body = self.body;
        let region = body.region(region);
        for (value, argument) in region.args.iter().zip(arguments) {
            self.values[value.0 as usize] = argument;
        }
        for &id in &region.ops {
            let op = body.op(id);
            if let Some(end) = self.op(op)? {
                return Some(end);
            }
        }
        Some(End::Yield(Vec::new()))
    }

    fn value(&self, value: ir::Value) -> &Value {
        &self.values[value.0 as usize]
    }

    fn operands(&self, op: &Op) -> Vec<Value> {
        self.body.operands(op).iter().map(|&value| self.value(value).clone()).collect()
    }

    fn tile(&self, value: ir::Value) -> Option<&'static TileType> {
        self.body.ty(value).as_tile()
    }

    fn element(&self, value: ir::Value) -> Option<Element> {
        self.tile(value)?.number()
    }

    fn attr(&self, op: &Op, name: &str) -> Option<&Attr> {
        let (index, _) = op.op.row().attr_named(name)?;
        Some(self.body.attr(op, index))
    }

    fn choice(&self, op: &Op, name: &str) -> Option<u8> {
        self.attr(op, name)?.as_enum()
    }

    /// The operands of a group.
    fn group(&self, op: &Op, name: &str) -> Vec<Value> {
        let group = op.op.row().operand_named(name).map(|(index, _)| self.body.group(op, index));
        group.unwrap_or_default().iter().map(|&value| self.value(value).clone()).collect()
    }

    /// The operand of this name, if it is present.
    fn named(&self, op: &Op, name: &str) -> Option<Value> {
        self.group(op, name).into_iter().next()
    }

    fn define(&mut self, op: &Op, results: Vec<Value>) {
        for (value, result) in self.body.results(op).zip(results) {
            self.values[value.0 as usize] = result;
        }
    }

    /// Runs an op. Returns how the region ends, if it does.
    fn op(&mut self, op: &Op) -> Option<Option<End>> {
        let operands = self.operands(op);
        let end = match op.op {
            Mnemonic::Yield => End::Yield(operands),
            Mnemonic::Break => End::Break(operands),
            Mnemonic::Continue => End::Continue(operands),
            Mnemonic::Return => End::Return,
            Mnemonic::If | Mnemonic::For | Mnemonic::Loop => return self.control(op, &operands),
            _ => {
                let results = self.results(op, operands)?;
                self.define(op, results);
                return Some(None);
            }
        };
        Some(Some(end))
    }

    fn control(&mut self, op: &Op, operands: &[Value]) -> Option<Option<End>> {
        let regions: Vec<RegionId> = self.body.regions_of(op).collect();
        if op.op == Mnemonic::If {
            let is_true = operands[0].numbers()?[0] == 1;
            let Some(&region) = regions.get(usize::from(!is_true)) else { return Some(None) };
            return Some(match self.region(region, Vec::new())? {
                End::Yield(values) => {
                    self.define(op, values);
                    None
                }
                end => Some(end),
            });
        }
        let is_for = op.op == Mnemonic::For;
        let mut carried = operands[if is_for { 3 } else { 0 }..].to_vec();
        let bounds = if is_for {
            let is_signed = !self.attr(op, "unsignedCmp").is_some_and(Attr::is_flag);
            let element = self.element(self.body.operands(op)[0])?;
            let of = |index: usize| Some(number(element, operands[index].numbers()?[0], is_signed));
            Some((element, of(0)?, of(1)?, of(2)?))
        } else {
            None
        };
        for iteration in 0..MAX_ITERATIONS as i128 {
            let mut arguments = carried.clone();
            if let Some((element, low, high, step)) = bounds {
                let counter = low + iteration * step;
                if counter >= high {
                    self.define(op, carried);
                    return Some(None);
                }
                arguments.insert(0, Value::Numbers(vec![wrap(element, counter)]));
            }
            match self.region(regions[0], arguments)? {
                End::Continue(values) => carried = values,
                End::Break(values) => {
                    self.define(op, values);
                    return Some(None);
                }
                End::Return => return Some(Some(End::Return)),
                // An implicit terminator.
                End::Yield(_) => {}
            }
        }
        None
    }

    /// The results of an op without control flow.
    fn results(&mut self, op: &Op, operands: Vec<Value>) -> Option<Vec<Value>> {
        let ids = self.body.operands(op);
        let result = self.body.results(op).next();
        let shape = |value: ir::Value| self.tile(value).map(|tile| tile.shape.to_vec());
        let one = match op.op {
            Mnemonic::GetTileBlockId | Mnemonic::GetNumTileBlocks => {
                let all = if op.op == Mnemonic::GetTileBlockId { self.block } else { self.grid };
                return Some(all.iter().map(|&number| Value::Numbers(vec![number.into()])).collect());
            }
            Mnemonic::MakeToken | Mnemonic::JoinTokens | Mnemonic::MemoryFenceAliasTko => Value::Token,
            Mnemonic::GdcWaitTko | Mnemonic::GdcLaunchDependentsTko => Value::Token,
            Mnemonic::Assert => return Some(Vec::new()),
            Mnemonic::PrintTko => Value::Token,
            Mnemonic::Assume | Mnemonic::Reshape | Mnemonic::PtrToPtr => operands[0].clone(),
            // Addresses are only converted back.
            Mnemonic::PtrToInt | Mnemonic::IntToPtr => operands[0].clone(),
            Mnemonic::MakePartitionView | Mnemonic::MakeStridedView | Mnemonic::MakeGatherScatterView => {
                operands[0].clone()
            }
            Mnemonic::GetTensorShape | Mnemonic::GetIndexSpaceShape => return self.extents(op, &operands[0]),
            Mnemonic::GetGlobal => {
                let Attr::Symbol(name) = self.attr(op, "name")? else { return None };
                let (_, buffer) = self.globals.iter().find(|(global, _)| global == name)?;
                Value::Pointers(vec![Pointer { buffer: *buffer, offset: 0 }])
            }
            Mnemonic::Constant => {
                let Attr::Dense(dense) = self.attr(op, "value")? else { return None };
                let count = shape(result?)?.iter().product::<i64>() as usize;
                Value::Numbers((0..count).map(|index| dense.bits[index % dense.bits.len()]).collect())
            }
            Mnemonic::Iota => {
                let element = self.element(result?)?;
                Value::Numbers((0..shape(result?)?[0]).map(|index| wrap(element, index.into())).collect())
            }
            Mnemonic::Broadcast => {
                let from = shape(ids[0])?;
                let inside = |index: Vec<i64>| {
                    let index: Vec<i64> = index.iter().zip(&from).map(|(index, extent)| index % extent).collect();
                    place(&from, &index)
                };
                operands[0].at(indices(&shape(result?)?).into_iter().map(inside))
            }
            Mnemonic::Permute => {
                let Attr::IntList(order) = self.attr(op, "permutation")? else { return None };
                let from = shape(ids[0])?;
                let inside = |index: Vec<i64>| {
                    let mut source = vec![0; from.len()];
                    order.iter().zip(&index).for_each(|(dim, index)| source[*dim as usize] = *index);
                    place(&from, &source)
                };
                operands[0].at(indices(&shape(result?)?).into_iter().map(inside))
            }
            Mnemonic::Cat => {
                let dim = self.attr(op, "dim")?.as_int()? as usize;
                let (from, [left, right]) = (shape(ids[0])?, [operands[0].numbers()?, operands[1].numbers()?]);
                let element = |mut index: Vec<i64>| {
                    let is_right = index[dim] >= from[dim];
                    index[dim] %= from[dim];
                    if is_right { right[place(&from, &index)] } else { left[place(&from, &index)] }
                };
                Value::Numbers(indices(&shape(result?)?).into_iter().map(element).collect())
            }
            Mnemonic::Extract | Mnemonic::Insert => self.slice(op, &operands)?,
            Mnemonic::Pack | Mnemonic::Unpack => {
                let (from, to) = (self.element(ids[0])?.bits(), self.element(result?)?.bits());
                let bit = |index: usize| {
                    let (element, bit) = (index / from as usize, index % from as usize);
                    operands[0].numbers().and_then(|all| Some(all.get(element)? >> bit & 1))
                };
                let count = shape(result?)?[0] as usize;
                let element = |element: usize| {
                    let bits = (0..to as usize).map(|index| bit(element * to as usize + index));
                    bits.rev().try_fold(0, |sum, bit| Some(sum << 1 | bit?))
                };
                Value::Numbers((0..count).map(element).collect::<Option<_>>()?)
            }
            Mnemonic::Select => {
                let [condition, yes, no] = [operands[0].numbers()?, operands[1].numbers()?, operands[2].numbers()?];
                Value::Numbers((0..yes.len()).map(|at| if condition[at] == 1 { yes[at] } else { no[at] }).collect())
            }
            Mnemonic::Mmai => self.product(op, &operands)?,
            Mnemonic::Reduce | Mnemonic::Scan => return self.fold(op, &operands),
            Mnemonic::Offset => {
                let size = self.tile(ids[0])?.pointee()?.bytes() as i64;
                let element = self.element(ids[1])?;
                let moved = operands[0]
                    .pointers()?
                    .iter()
                    .zip(operands[1].numbers()?)
                    .map(|(at, by)| Pointer { offset: at.offset + number(element, *by, true) as i64 * size, ..*at });
                Value::Pointers(moved.collect())
            }
            Mnemonic::Alloca => {
                let element = self.tile(result?)?.pointee()?;
                let count = self.attr(op, "num_elem")?.as_int()? as usize;
                self.memory.0.push(vec![0; count * element.bytes()]);
                Value::Pointers(vec![Pointer { buffer: self.memory.0.len() - 1, offset: 0 }])
            }
            Mnemonic::MakeTensorView => self.tensor_view(op, &operands)?,
            Mnemonic::LoadPtrTko | Mnemonic::StorePtrTko => return self.access(op),
            Mnemonic::AtomicRmwTko | Mnemonic::AtomicCasTko => return self.atomic(op),
            Mnemonic::LoadViewTko | Mnemonic::StoreViewTko | Mnemonic::AtomicRedViewTko => return self.view(op),
            _ => {
                let attrs = Attrs {
                    is_signed: self.choice(op, "signedness") == Some(signedness::SIGNED),
                    rounding: self.choice(op, "rounding"),
                    predicate: self.choice(op, "comparison_predicate"),
                };
                let (from, to) = (self.element(*ids.first()?)?, self.element(result?)?);
                let tiles: Vec<&[u64]> = operands.iter().map(Value::numbers).collect::<Option<_>>()?;
                let of = |at: usize| {
                    compute(op.op, &attrs, from, to, &tiles.iter().map(|tile| tile[at]).collect::<Vec<_>>())
                };
                Value::Numbers((0..tiles[0].len()).map(of).collect::<Option<_>>()?)
            }
        };
        Some(vec![one])
    }

    fn slice(&self, op: &Op, operands: &[Value]) -> Option<Value> {
        let ids = self.body.operands(op);
        let is_extract = op.op == Mnemonic::Extract;
        let result = self.body.results(op).next()?;
        let (whole, part) = if is_extract { (ids[0], result) } else { (ids[1], ids[0]) };
        let [whole, part] = [&self.tile(whole)?.shape, &self.tile(part)?.shape];
        let numbers = &operands[if is_extract { 1 } else { 2 }..];
        let first: Vec<i64> = numbers
            .iter()
            .zip(part)
            .map(|(number, extent)| Some(number.numbers()?[0] as i64 * extent))
            .collect::<Option<_>>()?;
        let inside = |index: &Vec<i64>| {
            let index: Vec<i64> = index.iter().zip(&first).map(|(index, first)| index + first).collect();
            place(whole, &index)
        };
        let places: Vec<usize> = indices(part).iter().map(inside).collect();
        if is_extract {
            return Some(operands[0].at(places.into_iter()));
        }
        let mut bits = operands[1].numbers()?.to_vec();
        places.into_iter().zip(operands[0].numbers()?).for_each(|(place, value)| bits[place] = *value);
        Some(Value::Numbers(bits))
    }

    fn product(&self, op: &Op, operands: &[Value]) -> Option<Value> {
        let ids = self.body.operands(op);
        let [left, right, sum] = [ids[0], ids[1], ids[2]].map(|id| self.tile(id).map(|tile| tile.shape.to_vec()));
        let (left, right, sum) = (left?, right?, sum?);
        let is_signed = |name: &str| self.choice(op, name) == Some(signedness::SIGNED);
        let (a, b) = (operands[0].numbers()?, operands[1].numbers()?);
        let element = |(at, index): (usize, Vec<i64>)| {
            let (batch, inner) = index.split_at(index.len() - 2);
            let depth = left[left.len() - 1];
            let products = (0..depth).map(|k| {
                let x = a[place(&left, &[batch, &[inner[0], k]].concat())];
                let y = b[place(&right, &[batch, &[k, inner[1]]].concat())];
                number(Element::I8, x, is_signed("signedness_lhs"))
                    * number(Element::I8, y, is_signed("signedness_rhs"))
            });
            Some(wrap(Element::I32, products.sum::<i128>() + i128::from(operands[2].numbers()?[at])))
        };
        indices(&sum).into_iter().enumerate().map(element).collect::<Option<_>>().map(Value::Numbers)
    }

    /// A reduction or a scan, from the first element of each row to the last.
    fn fold(&mut self, op: &Op, operands: &[Value]) -> Option<Vec<Value>> {
        let ids = self.body.operands(op).to_vec();
        let shape = self.tile(ids[0])?.shape.to_vec();
        let dim = self.attr(op, "dim")?.as_int()? as usize;
        let Attr::Identities(identities) = self.attr(op, "identities")?.clone() else { return None };
        let is_reversed = matches!(self.attr(op, "reverse"), Some(Attr::Bool(true)));
        let region = self.body.regions_of(op).next()?;
        let mut rows = shape.clone();
        rows[dim] = 1;
        let is_scan = op.op == Mnemonic::Scan;
        let count = if is_scan { shape.iter().product::<i64>() } else { rows.iter().product::<i64>() } as usize;
        let mut results: Vec<Vec<u64>> = vec![vec![0; count]; operands.len()];
        for (row, mut index) in indices(&rows).into_iter().enumerate() {
            let mut sums: Vec<Value> = identities.iter().map(|(_, bits)| Value::Numbers(vec![*bits])).collect();
            for step in 0..shape[dim] {
                index[dim] = if is_reversed { shape[dim] - 1 - step } else { step };
                let at = place(&shape, &index);
                let elements = operands.iter().map(|operand| operand.at(std::iter::once(at)));
                let arguments = elements.zip(sums).flat_map(|(element, sum)| [element, sum]).collect();
                let End::Yield(next) = self.region(region, arguments)? else { return None };
                sums = next;
                if is_scan {
                    sums.iter().zip(&mut results).try_for_each(|(sum, result)| {
                        result[at] = sum.numbers()?[0];
                        Some(())
                    })?;
                }
            }
            if !is_scan {
                sums.iter().zip(&mut results).try_for_each(|(sum, result)| {
                    result[row] = sum.numbers()?[0];
                    Some(())
                })?;
            }
        }
        Some(results.into_iter().map(Value::Numbers).collect())
    }

    fn tensor_view(&self, op: &Op, operands: &[Value]) -> Option<Value> {
        let ty = self.body.ty(self.body.results(op).next()?).as_tensor_view()?;
        let mut dynamic = self.body.operands(op)[1..]
            .iter()
            .map(|&value| Some(number(self.element(value)?, self.value(value).numbers()?[0], true) as i64));
        let mut listed = |extents: &[Option<i64>]| -> Option<Vec<i64>> {
            extents.iter().map(|extent| extent.map_or_else(|| dynamic.next().flatten(), Some)).collect()
        };
        let (shape, strides) = (listed(&ty.shape)?, listed(&ty.strides)?);
        Some(Value::Tensor(Tensor { base: operands[0].pointers()?[0], shape, strides }))
    }

    fn extents(&self, op: &Op, tensor: &Value) -> Option<Vec<Value>> {
        let Value::Tensor(Tensor { shape, .. }) = tensor else { return None };
        let element = self.element(self.body.results(op).next()?)?;
        let view = self.body.ty(self.body.operands(op)[0]).as_tile_view();
        let extent = |k: usize| view.map_or(shape[k], |view| view.index_space(k, shape[view.tensor_dim(k)]));
        Some((0..shape.len()).map(|k| Value::Numbers(vec![wrap(element, extent(k).into())])).collect())
    }

    fn access(&mut self, op: &Op) -> Option<Vec<Value>> {
        let is_load = op.op == Mnemonic::LoadPtrTko;
        let pointers = self.named(op, if is_load { "source" } else { "destination" })?;
        let element = self.tile(self.body.operands(op)[0])?.pointee()?;
        let mask = self.named(op, "mask");
        let is_masked = |at: usize| mask.as_ref().and_then(Value::numbers).is_some_and(|mask| mask[at] == 0);
        let all = pointers.pointers()?;
        if is_load {
            let padding = self.named(op, "paddingValue");
            let load = |(at, pointer): (usize, &Pointer)| {
                if is_masked(at) {
                    return Some(padding.as_ref()?.numbers()?[at]);
                }
                self.memory.load(*pointer, element)
            };
            let loaded = all.iter().enumerate().map(load).collect::<Option<_>>()?;
            return Some(vec![Value::Numbers(loaded), Value::Token]);
        }
        let value = self.named(op, "value")?;
        for (at, pointer) in all.iter().enumerate().filter(|(at, _)| !is_masked(*at)) {
            self.memory.store(*pointer, element, value.numbers()?[at])?;
        }
        Some(vec![Value::Token])
    }

    fn atomic(&mut self, op: &Op) -> Option<Vec<Value>> {
        let pointers = self.named(op, "pointers")?;
        let element = self.tile(self.body.operands(op)[0])?.pointee()?;
        let mask = self.named(op, "mask");
        let is_rmw = op.op == Mnemonic::AtomicRmwTko;
        let value = self.named(op, if is_rmw { "arg" } else { "val" })?;
        let expected = self.named(op, "cmp");
        let mut olds = Vec::new();
        for (at, pointer) in pointers.pointers()?.iter().enumerate() {
            if mask.as_ref().and_then(Value::numbers).is_some_and(|mask| mask[at] == 0) {
                olds.push(expected.as_ref().and_then(Value::numbers).map_or(0, |expected| expected[at]));
                continue;
            }
            let (old, new) = (self.memory.load(*pointer, element)?, value.numbers()?[at]);
            let new = match &expected {
                None => modify(self.choice(op, "mode")?, element, old, new)?,
                Some(expected) if expected.numbers()?[at] == old => new,
                Some(_) => old,
            };
            self.memory.store(*pointer, element, new)?;
            olds.push(old);
        }
        Some(vec![Value::Numbers(olds), Value::Token])
    }

    /// A load, a store or an atomic op through a partition or strided view.
    fn view(&mut self, op: &Op) -> Option<Vec<Value>> {
        let (group, _) = op.op.row().operand_named("view")?;
        let view = *self.body.group(op, group).first()?;
        let ty: &TileViewType = self.body.ty(view).as_tile_view()?;
        let Value::Tensor(tensor) = self.value(view).clone() else { return None };
        let starts = self.group(op, "index");
        let starts: Vec<&[u64]> = starts.iter().map(Value::numbers).collect::<Option<_>>()?;
        let sparse = if let Access::GatherScatter { sparse_dim } = ty.access { Some(sparse_dim) } else { None };
        let element = ty.tensor().element;
        let value = self.named(op, "tile").or_else(|| self.named(op, "value"));
        let mut loaded = Vec::new();
        for (at, index) in indices(&ty.tile).iter().enumerate() {
            let (mut offset, mut is_inside) = (0, true);
            for (k, within) in index.iter().enumerate() {
                let dim = ty.tensor_dim(k);
                let position = match sparse {
                    Some(sparse) if sparse == k => starts[k][*within as usize] as i64,
                    Some(_) => starts[k][0] as i64 + within,
                    None => starts[k][0] as i64 * ty.step(k) + within,
                };
                is_inside &= position < tensor.shape[dim];
                offset += position * tensor.strides[dim];
            }
            let pointer = Pointer { offset: tensor.base.offset + offset * element.bytes() as i64, ..tensor.base };
            match (op.op, &value) {
                // The only padding of integers.
                (Mnemonic::LoadViewTko, _) if !is_inside => loaded.push(0),
                (Mnemonic::LoadViewTko, _) => loaded.push(self.memory.load(pointer, element)?),
                _ if !is_inside => {}
                (Mnemonic::StoreViewTko, Some(value)) => self.memory.store(pointer, element, value.numbers()?[at])?,
                (_, Some(value)) => {
                    let (old, mode) = (self.memory.load(pointer, element)?, self.choice(op, "mode")?);
                    self.memory.store(pointer, element, modify(mode, element, old, value.numbers()?[at])?)?;
                }
                _ => return None,
            }
        }
        let is_load = op.op == Mnemonic::LoadViewTko;
        Some(if is_load { vec![Value::Numbers(loaded), Value::Token] } else { vec![Value::Token] })
    }
}
