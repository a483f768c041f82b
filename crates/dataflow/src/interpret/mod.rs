//! Symbolic interpretation of an entry: one walk computes the symbolic value of every IR value and collects the
//! accesses.

mod accesses;
mod branches;
mod exits;
mod integers;
mod lanes;
mod loops;
mod overflow;
mod shapes;
mod value;
mod views;

pub(crate) use value::{Address, Symbolic, Tensor};

use crate::access::{Access, Base, Condition, Loop};
use crate::overflow::Integers;
use crate::repetition::Repetition;
use crate::symbolic::{Poly, Symbol};
use exits::Exits;
use tile_analysis::ir::{Attr, Body, Op, OpId, RegionId, Value};
use tile_dialect::{AttrName, Mnemonic as M};

/// The symbolic values and the accesses of an entry.
pub(crate) struct Interpretation {
    /// The accesses, in the order of their ops.
    pub(crate) accesses: Vec<Access>,
    /// The loops, in the order of their ops.
    pub(crate) repetitions: Vec<Repetition>,
    values: Vec<Option<Symbolic>>,
}

/// Interprets an entry.
pub(crate) fn interpret(body: &Body) -> Interpretation {
    let mut interpreter = Interpreter::new(body);
    interpreter.params();
    interpreter.region(RegionId(0));
    interpreter.add_integers();
    let Interpreter { accesses, repetitions, values, .. } = interpreter;
    Interpretation { accesses, repetitions, values }
}

impl Interpretation {
    /// The object that a pointer points into.
    pub(crate) fn object(&self, pointer: Value) -> Option<&Base> {
        match self.values.get(pointer.0 as usize)?.as_ref()? {
            Symbolic::Pointer(address) => Some(&address.base),
            _ => None,
        }
    }

    /// Whether a value is a number, a pointer or a view that is computed without loading anything.
    pub(crate) fn is_computed(&self, value: Value) -> bool {
        let is_computed = |poly: &Poly| !poly.mentions(&|symbol| matches!(symbol, Symbol::Unknown(_)));
        match self.values.get(value.0 as usize).and_then(Option::as_ref) {
            Some(Symbolic::Integer(poly)) => is_computed(poly),
            Some(Symbolic::Pointer(address)) => {
                is_computed(&address.bits) && !matches!(address.base, Base::Computed(_))
            }
            Some(Symbolic::Tensor(_) | Symbolic::Tiled(..)) => true,
            Some(Symbolic::Opaque) | None => false,
        }
    }
}

/// The state of the walk.
struct Interpreter<'a> {
    body: &'a Body,
    /// The symbolic value of each IR value that was computed.
    values: Vec<Option<Symbolic>>,
    /// The loops around the current op, the outermost first.
    loops: Vec<Loop>,
    /// How each of these loops ends.
    exits: Vec<Exits>,
    /// The conditions under which the current op runs.
    conditions: Vec<Condition>,
    /// Whether accesses are collected; not while the change of carried values is determined.
    collects: bool,
    accesses: Vec<Access>,
    repetitions: Vec<Repetition>,
}

impl<'a> Interpreter<'a> {
    fn new(body: &'a Body) -> Interpreter<'a> {
        Interpreter {
            body,
            values: vec![None; body.values.len()],
            loops: Vec::new(),
            exits: Vec::new(),
            conditions: Vec::new(),
            collects: true,
            accesses: Vec::new(),
            repetitions: Vec::new(),
        }
    }

    /// Adds the integers to the accesses and the loops, once all values are known.
    fn add_integers(&mut self) {
        let loops = self.repetitions.iter().filter_map(|repetition| repetition.loops.last());
        let loops = loops.filter_map(|around| Some((around.op, around.bounds.clone()?))).collect();
        let integers = Integers::new(self.integers(), loops);
        self.accesses.iter_mut().for_each(|access| access.integers.clone_from(&integers));
        self.repetitions.iter_mut().for_each(|repetition| repetition.integers.clone_from(&integers));
    }

    fn params(&mut self) {
        for &param in &self.body.region(RegionId(0)).args {
            self.set(param, self.unknown(param, Symbol::Param(param)));
        }
    }

    fn set(&mut self, value: Value, symbolic: Symbolic) {
        self.values[value.0 as usize] = Some(symbolic);
    }

    fn get(&self, value: Value) -> Symbolic {
        let known = self.values[value.0 as usize].clone();
        known.unwrap_or_else(|| self.unknown(value, Symbol::Unknown(value)))
    }

    /// The integer in a value; `None` for other values.
    fn integer(&self, value: Value) -> Option<Poly> {
        match self.get(value) {
            Symbolic::Integer(poly) => Some(poly),
            _ => None,
        }
    }

    /// The integer in the operand of an op for its operand row `index`.
    fn operand(&self, op: &Op, index: usize) -> Option<Poly> {
        self.integer(self.body.operand(op, index)?)
    }

    fn attr(&self, op: &Op, name: AttrName) -> &'a Attr {
        op.op.row().attr(name).map_or(&Attr::Absent, |(index, _)| self.body.attr(op, index))
    }

    fn region(&mut self, region: RegionId) {
        let body = self.body;
        for &id in &body.region(region).ops {
            self.op(id, body.op(id));
        }
    }

    fn op(&mut self, id: OpId, op: &'a Op) {
        // An earlier pass over a loop may have left other values.
        self.body.results(op).for_each(|result| self.values[result.0 as usize] = None);
        match op.op {
            M::For => self.for_loop(id, op),
            M::Loop => self.endless_loop(id, op),
            M::If => self.branches(op),
            M::Continue => self.ends_iteration(op),
            M::Break => self.ends_loop(),
            M::Return => self.ends_block(),
            M::GetTileBlockId => self.grid_values(op, Symbol::Block),
            M::GetNumTileBlocks => self.grid_values(op, Symbol::Grid),
            M::GetTensorShape | M::GetIndexSpaceShape => self.extents(op),
            // The functions of `reduce` and `scan` access no memory.
            M::Reduce | M::Scan => {}
            _ => self.simple(id, op),
        }
    }

    fn simple(&mut self, id: OpId, op: &Op) {
        if self.collects {
            let access = self.access(id, op);
            self.accesses.extend(access);
        }
        let mut results = self.body.results(op);
        if let (Some(result), None) = (results.next(), results.next())
            && let Some(symbolic) = self.result(id, op)
        {
            self.set(result, symbolic);
        }
    }

    /// The single result of an op; `None` if it is unknown.
    fn result(&self, id: OpId, op: &Op) -> Option<Symbolic> {
        self.view(op).or_else(|| self.pointer(id, op)).or_else(|| self.rearranged(op)).or_else(|| self.arithmetic(op))
    }

    fn grid_values(&mut self, op: &Op, symbol: fn(u8) -> Symbol) {
        for (dim, result) in (0..3).zip(self.body.results(op)) {
            self.set(result, Symbolic::Integer(symbol(dim).into()));
        }
    }
}
