//! The tiles that are live at each op: an estimate of the registers and the shared memory that a tile block needs.
//!
//! A tile is live from the op that computes it to its last use; a tile that a loop body uses but does not compute is
//! live throughout the loop. Not counted are tiles that a compiler computes where they are used: constants, indices,
//! masks and pointers that are expressions of the coordinates, and rearrangements of other tiles. A loaded tile that is
//! only used as a factor of matrix products counts as shared memory, the others as registers.

use crate::interpret::{Interpretation, interpret};
use crate::loops::initial_values;
use std::collections::{BTreeMap, BTreeSet};
use tile_analysis::ir::{Body, HintValue, Op, OpId, RegionId, Value};
use tile_analysis::types::Scalar;
use tile_dialect::{Effect, Element, Group, Mnemonic as M, OperandName, Rule};

/// The live tiles at one op, in bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Live {
    /// The tiles in registers.
    pub registers: u64,
    /// The factors of matrix products that are loaded to shared memory.
    pub shared: u64,
    /// All of them by element type; pointers count as `i64`.
    pub by_element: BTreeMap<&'static str, u64>,
}

/// The live tiles of an entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    /// The live tiles at each op, by its number.
    pub at: Vec<Live>,
    /// The op at which most registers are needed.
    pub peak: Option<OpId>,
}

/// The registers that a thread can use, on every GPU.
pub const MAX_REGISTERS: u64 = 255;

/// The warps of a tile block that the compiler chooses for most programs without a hint.
const DEFAULT_WARPS: i64 = 4;

/// The threads of a tile block on a GPU such as `sm_90`, from the hints of the entry.
pub fn threads(body: &Body, gpu: Option<&str>) -> u64 {
    let hints = body.hints.iter().flat_map(|hints| &hints.by_architecture);
    let of = |wanted: &str| {
        let mut named = hints.clone().filter(|(name, _)| **name == *wanted).flat_map(|(_, hints)| hints);
        named.find_map(|(name, value)| match value {
            HintValue::Int(warps) if **name == *"num_worker_warps_per_cta" => Some(*warps),
            _ => None,
        })
    };
    let warps = gpu.and_then(of).or_else(|| of("default")).unwrap_or(DEFAULT_WARPS);
    32 * warps.clamp(1, 32) as u64
}

impl Live {
    /// The registers that each thread needs for the tiles, if they are distributed evenly.
    pub fn registers_per_thread(&self, threads: u64) -> u64 {
        self.registers.div_ceil(4 * threads)
    }

    /// All live tiles, in bytes.
    pub fn total(&self) -> u64 {
        self.registers + self.shared
    }
}

impl Footprint {
    /// The live tiles of an entry.
    pub fn of(body: &Body) -> Footprint {
        let tiles = Tiles::of(body, &interpret(body));
        let mut walk = Walk { body, tiles, at: vec![Live::default(); body.ops.len()] };
        walk.region(RegionId(0), BTreeSet::new());
        let most = (0..).map(OpId).zip(&walk.at).max_by_key(|(id, live)| (live.registers, std::cmp::Reverse(id.0)));
        let peak = most.filter(|(_, live)| live.registers > 0).map(|(id, _)| id);
        Footprint { peak, at: walk.at }
    }

    /// The ops at which other tiles are live than at the one before, and the peak, with their live tiles.
    pub fn changes(&self, body: &Body) -> Vec<(OpId, &Live)> {
        let mut before = &Live::default();
        let mut changes = Vec::new();
        for (id, live) in (0..).map(OpId).zip(&self.at) {
            let is_change = live != before || self.peak == Some(id);
            if is_change && live.total() > 0 && !body.op(id).op.row().is_terminator() {
                changes.push((id, live));
                before = live;
            }
        }
        changes
    }

    /// The live tiles at the op that needs most registers.
    pub fn most(&self) -> Live {
        self.peak.map_or_else(Live::default, |peak| self.at[peak.0 as usize].clone())
    }

    /// The most shared memory that factors of matrix products need at the same time, in bytes.
    pub fn shared(&self) -> u64 {
        self.at.iter().map(|live| live.shared).max().unwrap_or(0)
    }
}

/// Where the elements of each value are kept.
struct Tiles {
    /// The tile that a value is a rearrangement of, or itself; `None` for values that are not kept.
    root: Vec<Option<Value>>,
    /// Whether the tile is in shared memory.
    is_shared: Vec<bool>,
    bytes: Vec<u64>,
    elements: Vec<&'static str>,
}

impl Tiles {
    fn of(body: &Body, interpretation: &Interpretation) -> Tiles {
        let count = body.values.len();
        let mut tiles = Tiles {
            root: vec![None; count],
            is_shared: vec![false; count],
            bytes: vec![0; count],
            elements: vec![""; count],
        };
        for (value, ty) in (0..).map(Value).zip(&body.values) {
            let index = value.0 as usize;
            let Some(tile) = ty.as_tile() else { continue };
            let element = match tile.element {
                Scalar::Number(element) => element,
                Scalar::Pointer(_) => Element::I64,
            };
            tiles.bytes[index] = (tile.len() as u64 * u64::from(element.bits())).div_ceil(8);
            tiles.elements[index] = element.row().name;
            let op = body.defining_op(value).map(|op| body.op(op));
            let is_scalar = tile.len() == 1;
            if !is_scalar && !interpretation.is_computed(value) && op.is_none_or(|op| op.op != M::Constant) {
                tiles.root[index] = tiles.kept(body, value, op);
            }
        }
        tiles.find_shared(body);
        tiles
    }

    /// The tile that holds the elements of a value.
    fn kept(&self, body: &Body, value: Value, op: Option<&Op>) -> Option<Value> {
        let source = op.and_then(|op| body.operands(op).first().copied());
        match (op.map(|op| op.op), source) {
            (Some(M::Reshape | M::Broadcast | M::Permute | M::Assume | M::Extract), Some(source)) => {
                self.root[source.0 as usize]
            }
            _ => Some(value),
        }
    }

    /// Finds the loaded tiles whose only uses are as factors of matrix products.
    fn find_shared(&mut self, body: &Body) {
        let mut is_factor = vec![false; body.values.len()];
        let mut is_other = vec![false; body.values.len()];
        for op in &body.ops {
            for (index, operand) in body.operands(op).iter().enumerate() {
                let Some(root) = self.root[operand.0 as usize] else { continue };
                let result = body.results(op).next();
                let is_alias = result.is_some_and(|result| self.root[result.0 as usize] == Some(root));
                if is_product(op) && index < 2 {
                    is_factor[root.0 as usize] = true;
                } else if !is_alias {
                    is_other[root.0 as usize] = true;
                }
            }
        }
        for (index, is_shared) in self.is_shared.iter_mut().enumerate() {
            let op = body.defining_op(Value(index as u32)).map(|op| body.op(op));
            let is_load = op.is_some_and(|op| matches!(op.op, M::LoadViewTko | M::LoadPtrTko));
            *is_shared = is_load && is_factor[index] && !is_other[index];
        }
    }
}

/// Whether an op is a matrix product, whose first two operands are the factors.
fn is_product(op: &Op) -> bool {
    let row = op.op.row();
    let is_elementwise =
        |rule: &Rule| matches!(rule, Rule::SameType(names) if names.contains(&"lhs") && names.contains(&"acc"));
    row.operand(OperandName::Acc).is_some() && !row.rules.iter().any(is_elementwise)
}

/// Whether an op computes element by element, so that its result can take the place of an operand.
fn is_elementwise(op: &Op) -> bool {
    let row = op.op.row();
    let groups = [Group::Integer, Group::Float, Group::Bitwise, Group::Conversion];
    (groups.contains(&row.group) && !is_product(op)) || op.op == M::Select
}

struct Walk<'a> {
    body: &'a Body,
    tiles: Tiles,
    at: Vec<Live>,
}

impl Walk<'_> {
    /// Walks a region backwards. Takes the tiles that are live at its end, and returns those live at its start.
    fn region(&mut self, region: RegionId, mut live: BTreeSet<Value>) -> BTreeSet<Value> {
        let body = self.body;
        for &id in body.region(region).ops.iter().rev() {
            live = self.op(id, body.op(id), live);
        }
        live.retain(|value| !body.region(region).args.contains(value));
        live
    }

    fn op(&mut self, id: OpId, op: &Op, after: BTreeSet<Value>) -> BTreeSet<Value> {
        let results: Vec<Value> = self.body.results(op).filter_map(|result| self.root(result)).collect();
        let operands: Vec<Value> = self.body.operands(op).iter().filter_map(|&operand| self.root(operand)).collect();
        let mut before = after.clone();
        before.retain(|value| !results.contains(value));
        if op.op.row().effect == Effect::Regions {
            before = self.inner(op, before);
        }
        let overwritten = self.overwritten(op, &before);
        before.extend(&operands);
        let mut during: BTreeSet<Value> = after.into_iter().chain(results).chain(operands).collect();
        if op.op.row().effect == Effect::Regions {
            during.extend(&before);
        }
        during.retain(|value| !overwritten.contains(value));
        self.at[id.0 as usize] = self.measure(&during);
        before
    }

    /// The operands whose place the results take: those of an elementwise op, the accumulator of a matrix product, and
    /// the initial values of a loop, except for `used` ones, which are needed in the loop or later.
    fn overwritten(&self, op: &Op, used: &BTreeSet<Value>) -> Vec<Value> {
        let body = self.body;
        let operands = match op.op {
            M::For | M::Loop => initial_values(body, op),
            _ if is_elementwise(op) => body.operands(op),
            _ if is_product(op) => {
                op.op.row().operand(OperandName::Acc).map_or(&[][..], |(acc, _)| body.group(op, acc))
            }
            _ => &[],
        };
        operands.iter().filter_map(|&operand| self.root(operand)).filter(|root| !used.contains(root)).collect()
    }

    /// Walks the regions of a loop or branch. Returns the tiles that are live before it.
    fn inner(&mut self, op: &Op, after: BTreeSet<Value>) -> BTreeSet<Value> {
        let repeats = matches!(op.op, M::For | M::Loop);
        let mut inside = after.clone();
        if repeats {
            let first = op.results.start;
            let regions = op.regions.clone();
            regions.for_each(|region| self.used_in(RegionId(region), first, &mut inside));
        }
        let mut before = after;
        for region in self.body.regions_of(op) {
            before.extend(self.region(region, inside.clone()));
        }
        before.extend(inside);
        before
    }

    /// Adds the tiles that a region uses but that are defined before it.
    fn used_in(&self, region: RegionId, first: u32, found: &mut BTreeSet<Value>) {
        for &id in &self.body.region(region).ops {
            let op = self.body.op(id);
            let roots = self.body.operands(op).iter().filter_map(|&operand| self.root(operand));
            // Values are numbered in the order of their ops.
            found.extend(roots.filter(|root| root.0 < first));
            self.body.regions_of(op).for_each(|region| self.used_in(region, first, found));
        }
    }

    fn root(&self, value: Value) -> Option<Value> {
        self.tiles.root[value.0 as usize]
    }

    fn measure(&self, live: &BTreeSet<Value>) -> Live {
        let mut sum = Live::default();
        for value in live {
            let index = value.0 as usize;
            let bytes = self.tiles.bytes[index];
            *if self.tiles.is_shared[index] { &mut sum.shared } else { &mut sum.registers } += bytes;
            *sum.by_element.entry(self.tiles.elements[index]).or_default() += bytes;
        }
        sum
    }
}
