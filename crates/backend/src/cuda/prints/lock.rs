//! Prints under a lock: a global of the compiled module, which is 0 while the lock is free.
//!
//! ```text
//! %done = loop iter_values(%before = %token) : token -> token {
//!   %held, %taken = atomic_cas_tko acquire device %lock, %zero, %one token = %before
//!   %free = cmpi equal %held, %zero, signed
//!   if %free {
//!     %printed = print_tko "…" token = %taken
//!     %old, %released = atomic_rmw_tko release device %lock, xchg, %zero token = %printed
//!     break %released : token
//!   }
//!   continue %taken : token
//! }
//! ```
//!
//! The lock is released inside the loop that acquires it. Otherwise a token would have to order each release before the
//! next loop of the same block: without it, NVIDIA's compiler may move the release past that loop, and the block would
//! wait for itself. A block only ever waits for a block that is already running.

use super::copy::{Copy, Print, constant};
use super::{marks, nan};
use tile_analysis::build::BodyBuilder;
use tile_analysis::ir::{Attr, Dense, Global, OpId, RegionId, Value};
use tile_analysis::print_format::{Operand, SegmentKind, fitted, parse};
use tile_analysis::types::{Pointer, Scalar, Type};
use tile_dialect::{Element, MEMORY_SCOPE, Mnemonic as M, PREDICATE, RMW_MODE, SIGNEDNESS, ordering};

/// The name of the global, unless the program has one of that name.
const NAME: &str = "tile_print_lock";

/// How printing ops of an entry are replaced.
pub(super) struct Printing {
    /// The indices of the tile block, for the dimensions of the grid with several blocks.
    pub(super) block: Vec<Value>,
    /// The lock, if the grid has several tile blocks.
    pub(super) lock: Option<Lock>,
}

/// The values of the lock in the entry.
pub(super) struct Lock {
    pointer: Value,
    zero: Value,
    one: Value,
}

fn int() -> Type {
    Type::tile(&[], Element::I32)
}

/// Adds the indices of the tile block, for the dimensions of the grid with several blocks.
pub(super) fn block_number(copy: &mut Copy<'_>, grid: [u32; 3]) -> Vec<Value> {
    if grid == [1; 3] {
        return Vec::new();
    }
    let indices = copy.add(BodyBuilder::ENTRY, M::GetTileBlockId, &[], [], [int(); 3]);
    indices.into_iter().zip(grid).filter(|(_, extent)| *extent > 1).map(|(index, _)| index).collect()
}

impl Lock {
    /// Adds the global, and the values that use it at the start of the entry.
    pub(super) fn new(copy: &mut Copy<'_>, globals: &mut Vec<Global>) -> Lock {
        let mut name = NAME.to_string();
        while globals.iter().any(|global| *global.name == *name) {
            name.push('_');
        }
        let value = |bits| Dense::new(Element::I32, vec![bits]);
        globals.push(Global {
            name: name.clone().into(),
            ty: Type::tile(&[1], Element::I32),
            value: value(0),
            alignment: 0,
            constant: false,
            private: false,
        });
        let pointer = Type::tile_of(&[], Scalar::Pointer(Pointer::to(Element::I32)));
        let symbol = Attr::Symbol(name.into());
        let [pointer] = copy.add(BodyBuilder::ENTRY, M::GetGlobal, &[], [symbol], [pointer]);
        let mut number = |bits| {
            let attr = Attr::Dense(Box::new(value(bits)));
            let [number] = copy.add(BodyBuilder::ENTRY, M::Constant, &[], [attr], [int()]);
            number
        };
        Lock { pointer, zero: number(0), one: number(1) }
    }
}

impl Print for Printing {
    fn print(
        &self,
        copy: &mut Copy<'_>,
        region: RegionId,
        (op, format): (OpId, &[u8]),
        (args, types): (&[Value], &[Type]),
        token: Option<Value>,
        results: &[Type],
    ) -> Option<Value> {
        let operands: Vec<Option<Operand>> = types.iter().map(|&ty| Operand::of(ty)).collect();
        let format = [marks::mark(op, self.block.len()), text(format, &operands)].concat();
        let args = args.iter().zip(types).map(|(&arg, &ty)| nan::without_sign(copy, region, arg, ty));
        let args = [self.block.clone(), args.collect()].concat();
        let attr = Attr::Str(format.into());
        let Some(lock) = &self.lock else {
            let id = copy.push(region, M::PrintTko, &[&args, token.as_slice()], [attr], results, &[]);
            return copy.first_result(id);
        };
        let ty = Type::token();
        let before = token.unwrap_or_else(|| {
            let [token] = copy.add(region, M::MakeToken, &[], [], [ty]);
            token
        });
        let (body, carried) = copy.add_region_of(&[ty]);
        let done = copy.push(region, M::Loop, &[&[before]], [], &[ty], &[body]);
        let scope = constant(&MEMORY_SCOPE, "device");
        let order = |order| [Attr::Enum(order), scope.clone()];
        let operands = [&[lock.pointer][..], &[lock.zero], &[lock.one], &[], carried.as_slice()];
        let [held, taken] = copy.add(body, M::AtomicCasTko, &operands, order(ordering::ACQUIRE), [int(), ty]);
        let equal = [constant(&PREDICATE, "equal"), constant(&SIGNEDNESS, "signed")];
        let truth = Type::tile(&[], Element::I1);
        let [free] = copy.add(body, M::Cmpi, &[&[held], &[lock.zero]], equal, [truth]);
        let (then, _) = copy.add_region_of(&[]);
        copy.push(body, M::If, &[&[free]], [], &[], &[then]);
        let [printed] = copy.add(then, M::PrintTko, &[&args, &[taken]], [attr], [ty]);
        let exchange = order(ordering::RELEASE).into_iter().chain([constant(&RMW_MODE, "xchg")]);
        let operands = [&[lock.pointer][..], &[lock.zero], &[], &[printed]];
        let [_, released] = copy.add(then, M::AtomicRmwTko, &operands, exchange, [int(), ty]);
        copy.push(then, M::Break, &[&[released]], [], &[], &[]);
        copy.push(body, M::Continue, &[&[taken]], [], &[], &[]);
        copy.first_result(done)
    }
}

/// The format that prints the same as the CPU engine. A conversion without an operand is literal text.
pub(super) fn text(format: &[u8], operands: &[Option<Operand>]) -> Vec<u8> {
    let format = fitted(format, operands);
    let (mut out, mut conversions) = (Vec::new(), 0);
    for segment in parse(&format) {
        let is_conversion = matches!(segment.kind, SegmentKind::Conversion(_));
        conversions += usize::from(is_conversion);
        if is_conversion && conversions > operands.len() {
            out.push(b'%');
        }
        out.extend_from_slice(&format[segment.range]);
    }
    out
}
