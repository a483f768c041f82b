//! Evaluation of single ops with constant operands by the CPU engine.
//!
//! Only results that the language defines to the last bit are computed, so that every target agrees:
//! - integers, comparisons, and ops that move bits (`select`, `bitcast`, shapes);
//! - `addf`, `subf`, `mulf`, `divf`, `sqrt` and `fma` with the rounding modes of IEEE 754, without `flush_to_zero`. In
//!   `f16` and `bf16` only sums and products to the nearest number, because the others are emulated;
//! - conversions that round at most once.
//!
//! Not computed are other functions (`exp`, `sin`, …), products of matrices, reductions, anything that computes with or
//! results in NaN, whose bits are open, and ops that are undefined or unspecified for their operands.

use crate::ops::{choice, flag, is_signed};
use tile_analysis::build::BodyBuilder;
use tile_analysis::ir::{Attr, Body, Dense, Module, Op, OpId, Value};
use tile_analysis::number::{decode, read};
use tile_analysis::types::{TileType, Type};
use tile_dialect::{AttrName, Element, Mnemonic as M, rounding};
use tile_engine::{Memory, Observer, Options, Traced, Watch, run};

/// The most elements of a tile that is computed element by element; uniform tiles can be larger.
const MAX_ELEMENTS: usize = 1 << 10;

/// The result of an op with one result, if it is defined to the last bit.
pub(crate) fn evaluate(body: &Body, op: &Op, operands: &[&Dense]) -> Option<Dense> {
    let result = body.ty(Value(op.results.start));
    let kind = Kind::of(op.op)?;
    let types: Option<Vec<&TileType>> = body.operands(op).iter().map(|value| body.ty(*value).as_tile()).collect();
    let (types, tile) = (types?, result.as_tile()?);
    let element = tile.number()?;
    // A constant cannot have every type: `i4` is excluded.
    let can_be_constant = M::Constant.row().results.iter().all(|row| result.is_a(row.class));
    if !can_be_constant || !kind.is_exact(body, op, operands, element) {
        return None;
    }
    let is_uniform = operands.iter().all(|dense| dense.bits.len() == 1);
    if kind == Kind::Shape && is_uniform {
        return Some(Dense::new(element, vec![operands.first()?.bits[0]]));
    }
    let is_small = types.iter().all(|ty| ty.len() <= MAX_ELEMENTS) && tile.len() <= MAX_ELEMENTS;
    // Element by element, equal operands give equal results.
    let is_scalar = is_uniform && kind != Kind::Bits;
    if !is_scalar && !is_small {
        return None;
    }
    let shape = |ty: &TileType| if is_scalar { Vec::new() } else { ty.shape.to_vec() };
    let types: Vec<Type> =
        types.iter().zip(operands).map(|(ty, dense)| Type::tile(&shape(ty), dense.element)).collect();
    let count = if is_scalar { 1 } else { tile.len() };
    let bits = computed(body, op, (&types, operands), Type::tile(&shape(tile), element), (element, count))?;
    let is_nan = |bits: &u64| kind == Kind::Float && element.is_float() && decode(element, *bits).is_nan();
    (!bits.iter().any(is_nan)).then(|| Dense::new(element, bits))
}

/// How an op computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Each element from the integers at the same place, or by moving bits.
    Integer,
    /// Each element from the numbers at the same place, some of which are floats.
    Float,
    /// The elements of a single operand at other places.
    Shape,
    /// The bits of the elements at other places.
    Bits,
}

impl Kind {
    fn of(op: M) -> Option<Kind> {
        Some(match op {
            M::Absi | M::Addi | M::Subi | M::Muli | M::Mulhii | M::Negi | M::Divi | M::Remi => Kind::Integer,
            M::Andi | M::Ori | M::Xori | M::Shli | M::Shri | M::Maxi | M::Mini | M::Cmpi => Kind::Integer,
            M::Exti | M::Trunci | M::Select | M::Bitcast => Kind::Integer,
            M::Addf | M::Subf | M::Mulf | M::Divf | M::Sqrt | M::Fma | M::Absf | M::Negf => Kind::Float,
            M::Ceil | M::Floor | M::Maxf | M::Minf | M::Cmpf | M::Ftof | M::Ftoi | M::Itof => Kind::Float,
            M::Reshape | M::Broadcast | M::Permute => Kind::Shape,
            M::Pack | M::Unpack | M::Cat => Kind::Bits,
            _ => return None,
        })
    }

    /// Whether the language defines the result to the last bit.
    fn is_exact(self, body: &Body, op: &Op, operands: &[&Dense], result: Element) -> bool {
        let amounts = || operands.get(1).map_or(&[][..], |amounts| &amounts.bits);
        match self {
            Kind::Integer if matches!(op.op, M::Shli | M::Shri) => {
                amounts().iter().all(|&amount| amount < result.bits().into())
            }
            Kind::Float => {
                let is_nan = |dense: &&Dense| {
                    dense.element.is_float() && dense.bits.iter().any(|&bits| decode(dense.element, bits).is_nan())
                };
                !operands.iter().any(is_nan)
                    && !flag(body, op, AttrName::FlushToZero)
                    && rounds_exactly(body, op, operands, result)
            }
            _ => true,
        }
    }
}

/// Whether every target rounds the result of a float op in the same way.
fn rounds_exactly(body: &Body, op: &Op, operands: &[&Dense], result: Element) -> bool {
    let is_large = |element| matches!(element, Element::F32 | Element::F64);
    let is_half = |element| matches!(element, Element::F16 | Element::BF16);
    let Some(source) = operands.first() else { return false };
    let mode = choice(body, op, AttrName::RoundingMode);
    let is_nearest = mode == rounding::NEAREST_EVEN;
    let is_ieee = is_nearest || [rounding::ZERO, rounding::NEGATIVE_INF, rounding::POSITIVE_INF].contains(&mode);
    match op.op {
        M::Addf | M::Subf | M::Mulf => is_large(result) && is_ieee || is_half(result) && is_nearest,
        M::Divf | M::Sqrt | M::Fma => is_large(result) && is_ieee,
        M::Absf | M::Negf | M::Ceil | M::Floor | M::Maxf | M::Minf => is_large(result) || is_half(result),
        M::Cmpf => is_large(source.element) || is_half(source.element),
        M::Itof => is_large(result) && is_nearest,
        M::Ftoi => is_large(source.element) && result != Element::I1 && is_in_range(body, op, source, result),
        M::Ftof => {
            let converts = (source.element, result);
            let is_direct = matches!(converts, (Element::F32, Element::F16 | Element::BF16 | Element::F64))
                || matches!(converts, (Element::F16 | Element::BF16, Element::F32 | Element::F64))
                || converts == (Element::F64, Element::F32);
            is_direct && is_nearest
        }
        _ => false,
    }
}

/// Whether an integer type has all numbers of a float constant, rounded towards zero.
fn is_in_range(body: &Body, op: &Op, source: &Dense, result: Element) -> bool {
    let count = 1i128 << result.bits();
    let (low, high) = if is_signed(body, op) { (-count / 2, count / 2 - 1) } else { (0, count - 1) };
    source.bits.iter().all(|&bits| {
        let value = decode(source.element, bits).trunc();
        // The conversion to `i128` saturates.
        value.is_finite() && (low..=high).contains(&(value as i128))
    })
}

/// Runs an op on constants, with the sanitizer. Returns the bits of the elements of its result.
fn computed(
    body: &Body,
    op: &Op,
    (types, operands): (&[Type], &[&Dense]),
    result: Type,
    (element, count): (Element, usize),
) -> Option<Vec<u64>> {
    let mut builder = BodyBuilder::new("constant");
    let add = |builder: &mut BodyBuilder, op, groups: &[&[Value]], attrs: Vec<Attr>, ty| -> OpId {
        builder.push_op(BodyBuilder::ENTRY, op, groups, attrs, &[ty], &[])
    };
    let mut values = Vec::new();
    for (ty, dense) in types.iter().zip(operands) {
        let constant = add(&mut builder, M::Constant, &[], vec![Attr::Dense(Box::new((*dense).clone()))], *ty);
        values.push(builder.result(constant));
    }
    let mut rest = &values[..];
    let groups: Vec<&[Value]> = (0..op.op.row().operands.len())
        .map(|row| {
            let (group, after) = rest.split_at(body.group(op, row).len());
            rest = after;
            group
        })
        .collect();
    let id = add(&mut builder, op.op, &groups, body.attrs_of(op).to_vec(), result);
    let watch = Watch { trace: vec![builder.result(id)], contents: true, ..Watch::default() };
    builder.push_op(BodyBuilder::ENTRY, M::Return, &[&[]], [], &[], &[]);
    let options = Options { watch, sanitize: true, threads: Some(1), ..Options::default() };
    let (mut memory, mut contents) = (Memory::new(), Contents::default());
    run(&Module::default(), &builder.finish(), &[], &mut memory, &options, &mut contents).ok()?;
    let bytes = contents.0?;
    (0..count).map(|index| read(element, &bytes, index)).collect()
}

/// Keeps the elements of the traced value.
#[derive(Default)]
struct Contents(Option<Vec<u8>>);

impl Observer for Contents {
    fn printed(&mut self, _: OpId, _: [u32; 3], _: &[u8]) {}

    fn traced(&mut self, traced: &Traced) {
        self.0.clone_from(&traced.contents);
    }
}
