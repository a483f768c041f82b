//! Value numbering: values of both bodies that are certain to be equal get the same class.

use crate::commutative::exchangeable;
use crate::side::Side;
use crate::signature::Signature;
use rustc_hash::FxHashMap;
use tile_analysis::ir::{OpId, RegionId, Value};

/// The classes that are known before numbering: those of aligned ops, and of the values and regions of these.
#[derive(Default)]
pub(crate) struct Pins {
    pub(crate) ops: FxHashMap<OpId, u32>,
    pub(crate) values: FxHashMap<Value, u32>,
    pub(crate) regions: FxHashMap<RegionId, u32>,
}

/// The classes of a body.
#[derive(Default)]
pub(crate) struct Classes {
    pub(crate) ops: Vec<u32>,
    pub(crate) values: Vec<u32>,
}

/// Gives out classes.
#[derive(Default)]
pub(crate) struct Numbering {
    known: FxHashMap<Box<[u32]>, u32>,
    next: u32,
}

/// The first number of a key, which distinguishes the kinds of keys.
const OP: u32 = 0;
const RESULT: u32 = 1;
const ARGUMENT: u32 = 2;
const PLACE: u32 = 3;

impl Numbering {
    /// A class that nothing else has.
    pub(crate) fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn class(&mut self, key: Vec<u32>) -> u32 {
        if let Some(&class) = self.known.get(&key[..]) {
            return class;
        }
        let class = self.fresh();
        self.known.insert(key.into(), class);
        class
    }

    /// Numbers a body.
    pub(crate) fn number(&mut self, side: &Side, signatures: &[Signature], pins: &Pins) -> Classes {
        let classes = Classes { ops: vec![0; side.body.ops.len()], values: vec![0; side.body.values.len()] };
        let mut pass = Pass { numbering: self, side, signatures, pins, classes };
        if !side.body.regions.is_empty() {
            pass.args(RegionId(0), None);
            pass.region(RegionId(0), 0);
        }
        pass.classes
    }
}

struct Pass<'a> {
    numbering: &'a mut Numbering,
    side: &'a Side<'a>,
    signatures: &'a [Signature],
    pins: &'a Pins,
    classes: Classes,
}

impl Pass<'_> {
    /// Numbers the ops of a region. `level` is the number of enclosing ops that are numbered by their content.
    fn region(&mut self, region: RegionId, level: u32) {
        for &op in &self.side.body.region(region).ops {
            self.op(op, region, level);
        }
    }

    fn op(&mut self, id: OpId, region: RegionId, level: u32) {
        let (side, op) = (self.side, self.side.op(id));
        let by_content = side.is_pure(id) && !self.pins.ops.contains_key(&id);
        let inner = level + u32::from(by_content && !op.regions.is_empty());
        for nested in side.body.regions_of(op) {
            self.args(nested, by_content.then_some(level));
            self.region(nested, inner);
        }
        let class = match self.pins.ops.get(&id) {
            Some(&class) => class,
            None if by_content => self.content(id, region, level),
            None => self.numbering.fresh(),
        };
        self.classes.ops[id.0 as usize] = class;
        let is_pinned = self.pins.ops.contains_key(&id);
        for (rank, value) in side.body.results(op).enumerate() {
            self.classes.values[value.0 as usize] = match self.pins.values.get(&value) {
                Some(&class) => class,
                None if is_pinned => self.numbering.fresh(),
                None => self.numbering.class(vec![RESULT, class, rank as u32]),
            };
        }
    }

    /// Numbers the arguments of a region: by their position, if the op is numbered by its content.
    fn args(&mut self, region: RegionId, level: Option<u32>) {
        for (index, &arg) in self.side.body.region(region).args.iter().enumerate() {
            self.classes.values[arg.0 as usize] = match (self.pins.values.get(&arg), level) {
                (Some(&class), _) => class,
                (None, Some(level)) => self.numbering.class(vec![ARGUMENT, level, index as u32]),
                (None, None) => self.numbering.fresh(),
            };
        }
    }

    /// The class of a pure op: its signature, its operands, and what its regions return.
    fn content(&mut self, id: OpId, region: RegionId, level: u32) -> u32 {
        let (side, op) = (self.side, self.side.op(id));
        let Signature { attrs, types, shape } = self.signatures[id.0 as usize];
        let place = if side.is_movable(id) { 0 } else { self.place(region, level) };
        let mut key = vec![OP, attrs, types, shape, place];
        let first = key.len();
        key.extend(side.body.operands(op).iter().map(|value| self.classes.values[value.0 as usize]));
        key[first..first + exchangeable(op.op, side.body.operands(op).len())].sort_unstable();
        for nested in side.body.regions_of(op) {
            let Some(&end) = side.body.region(nested).ops.last() else { continue };
            key.push(self.signatures[end.0 as usize].attrs);
            let returned = side.body.operands(side.op(end)).iter();
            key.extend(returned.map(|value| self.classes.values[value.0 as usize]));
        }
        self.numbering.class(key)
    }

    /// The class of a region.
    fn place(&mut self, region: RegionId, level: u32) -> u32 {
        match self.pins.regions.get(&region) {
            Some(&class) => class,
            None if level > 0 => self.numbering.class(vec![PLACE, level]),
            None => self.numbering.fresh(),
        }
    }
}
