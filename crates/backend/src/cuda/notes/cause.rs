//! What in a program probably causes a remark, according to our analysis.

use tile_analysis::diagnostic::{Applicability, Edit, Fix};
use tile_analysis::ir::{Body, Op, OpId, Value};
use tile_analysis::program::Program;
use tile_analysis::suggest::unused;
use tile_analysis::types::{Access, TensorViewType, TileViewType};
use tile_dataflow::divisibility::is_stated;
use tile_dataflow::footprint::{self, Footprint, MAX_REGISTERS};
use tile_dataflow::names::SourceNames;
use tile_dialect::{Element, Mnemonic, PADDING};

/// A kind of cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// The message says all that is known.
    Nothing,
    /// The base pointer has no stated alignment.
    Pointer,
    /// A stride that is not a multiple of 16 bytes, or not known to be.
    Stride,
    /// A strided view whose tiles start at other addresses.
    TileStep,
    /// No stride is the constant 1.
    NoUnitStride,
    /// The extent of the contiguous dimension.
    Extent,
    /// The extent of a tile along the contiguous dimension.
    TileRow,
    /// The padding value.
    Padding,
    /// The number of dimensions.
    Rank,
    /// Extents or strides that are too large for a descriptor.
    Size,
    /// The element type.
    Element,
    /// The element types of the factors of a product.
    Factors,
    /// Extents and strides without an upper bound.
    Bounds,
    /// The tiles that are live at the same time.
    LiveTiles,
}

/// A probable cause: notes, and a fix if stating a fact is enough. Ranges of fixes are in bytes of the program.
#[derive(Default)]
pub(super) struct Found {
    pub(super) notes: Vec<String>,
    /// What to write.
    pub(super) help: Option<String>,
    pub(super) fix: Option<Fix>,
}

/// An assumption that the program can state.
struct Stated {
    help: String,
    fix: Fix,
}

/// The alignment that TMA requires, in bytes.
const ALIGNMENT: i64 = 16;
/// The dimensions of a descriptor of TMA, at most.
const MAX_RANK: usize = 5;
/// Each extent in a descriptor of TMA is at most this.
const MAX_EXTENT: i64 = 1 << 32;
/// Each stride in a descriptor of TMA, in bytes, is less than this.
const MAX_STRIDE: i64 = 1 << 40;
/// The largest offset that 32 bits can count.
const MAX_OFFSET: i64 = i32::MAX as i64;

/// Looks for the cause of a remark about an op, or about its entry.
pub(super) fn find(program: &Program<'_>, entry: usize, op: OpId, cause: Cause) -> Found {
    let Some((start, lowered)) = program.entries.get(entry) else { return Found::default() };
    let text = &program.text[*start as usize..];
    let names = SourceNames { body: &lowered.body, spans: &lowered.spans, text };
    let search = Search { names, start: *start };
    match cause {
        Cause::Nothing => Found::default(),
        Cause::LiveTiles => search.live_tiles(),
        Cause::Factors => search.factors(op),
        Cause::Bounds => search.view(op).map(|view| search.bounds(&view)).unwrap_or_default(),
        _ => search.view(op).map(|view| search.tma(&view, cause)).unwrap_or_default(),
    }
}

struct Search<'a> {
    names: SourceNames<'a>,
    /// The start of the entry in the program, in bytes.
    start: u32,
}

/// A tensor view, and the tiles that an access divides it into.
struct View<'a> {
    id: OpId,
    op: &'a Op,
    ty: &'static TensorViewType,
    tiles: Option<&'static TileViewType>,
}

impl View<'_> {
    fn bits(&self) -> i64 {
        4 * self.ty.element.nibbles() as i64
    }

    /// The elements of 16 bytes.
    fn aligned_elements(&self) -> i64 {
        (ALIGNMENT * 8 / self.bits()).max(1)
    }

    /// The dimension whose elements are adjacent.
    fn contiguous(&self) -> Option<usize> {
        self.ty.strides.iter().rposition(|stride| *stride == Some(1))
    }

    /// The dimension of the tiles whose elements are adjacent.
    fn contiguous_of_tile(&self) -> Option<usize> {
        let dim = self.contiguous()?;
        match &self.tiles?.access {
            Access::Partition { dim_map } | Access::Strided { dim_map, .. } => dim_map.iter().position(|&of| of == dim),
            Access::GatherScatter { .. } => Some(dim),
        }
    }
}

impl<'a> Search<'a> {
    fn body(&self) -> &'a Body {
        self.names.body
    }

    /// The tensor view that an op makes or accesses, if an op of the same entry makes it.
    fn view(&self, id: OpId) -> Option<View<'a>> {
        let (body, op) = (self.body(), self.body().op(id));
        let (id, tiles) = if op.op == Mnemonic::MakeTensorView {
            (id, None)
        } else {
            let views = body.operands(op).iter();
            let (tiles, ty) = views.filter_map(|&value| Some((value, body.ty(value).as_tile_view()?))).next()?;
            let tensor = body.operand(body.op(body.defining_op(tiles)?), 0)?;
            (body.defining_op(tensor)?, Some(ty))
        };
        let op = Some(body.op(id)).filter(|op| op.op == Mnemonic::MakeTensorView)?;
        Some(View { id, op, ty: body.ty(Value(op.results.start)).as_tensor_view()?, tiles })
    }

    fn tma(&self, view: &View<'_>, cause: Cause) -> Found {
        match cause {
            Cause::Pointer => self.pointer(view),
            Cause::Stride => self.stride(view),
            Cause::Extent => self.extent(view),
            Cause::NoUnitStride => note(no_unit_stride(view)),
            Cause::TileStep => notes(tile_step(view)),
            Cause::TileRow => notes(tile_row(view)),
            Cause::Padding => notes(padding(view)),
            Cause::Rank => {
                note(format!("the tensor view has {} dimensions; TMA supports {MAX_RANK}", view.ty.shape.len()))
            }
            Cause::Size => Found { notes: sizes(view), ..Found::default() },
            Cause::Element => note(format!("the element type is `{}`", view.ty.element)),
            _ => Found::default(),
        }
    }

    fn pointer(&self, view: &View<'_>) -> Found {
        let Some(base) = self.body().operand(view.op, 0) else { return Found::default() };
        if is_stated(self.body(), base, ALIGNMENT as u64) {
            return Found::default();
        }
        let name = self.names.value(base);
        let text = format!("nothing states that `{name}` is aligned to {ALIGNMENT} bytes");
        missing(text, self.assume(view, base, &format!("div_by<{ALIGNMENT}>")))
    }

    /// The first stride that is not known to be a multiple of 16 bytes.
    fn stride(&self, view: &View<'_>) -> Found {
        let needed = view.aligned_elements();
        let mut dynamic = self.body().group(view.op, 2).iter();
        for (dim, stride) in view.ty.strides.iter().enumerate() {
            match stride {
                Some(1) => {}
                Some(stride) if stride % needed == 0 => {}
                Some(stride) => {
                    let bytes = stride * view.bits() / 8;
                    return note(format!(
                        "dimension {dim} has stride {stride}, which is {bytes} bytes; TMA needs a multiple of {ALIGNMENT} bytes"
                    ));
                }
                None => {
                    let Some(&value) = dynamic.next() else { break };
                    if !is_stated(self.body(), value, needed as u64) {
                        let name = self.names.value(value);
                        let text = format!(
                            "nothing states that the stride `{name}` of dimension {dim} is a multiple of {needed} elements ({ALIGNMENT} bytes)"
                        );
                        return missing(text, self.assume(view, value, &format!("div_by<{needed}>")));
                    }
                }
            }
        }
        Found::default()
    }

    fn extent(&self, view: &View<'_>) -> Found {
        let Some(dim) = view.contiguous() else { return Found::default() };
        let needed = view.aligned_elements();
        if let Some(extent) = view.ty.shape[dim] {
            let bytes = extent * view.bits() / 8;
            return note(format!(
                "dimension {dim}, which is contiguous, has {extent} elements, which are {bytes} bytes; TMA stores need a multiple of {ALIGNMENT} bytes"
            ));
        }
        let index = view.ty.shape[..dim].iter().filter(|extent| extent.is_none()).count();
        let Some(&value) = self.body().group(view.op, 1).get(index) else { return Found::default() };
        let text = format!(
            "nothing states that the extent `{}` of dimension {dim}, which is contiguous, is a multiple of {needed} elements ({ALIGNMENT} bytes)",
            self.names.value(value)
        );
        missing(text, self.assume(view, value, &format!("div_by<{needed}>")))
    }

    /// The element types of the factors, if tensor cores do not multiply them.
    fn factors(&self, id: OpId) -> Found {
        let (body, op) = (self.body(), self.body().op(id));
        let Some(element) = body.operand(op, 0).and_then(|factor| body.ty(factor).as_tile()?.number()) else {
            return Found::default();
        };
        match element {
            Element::F32 => note(
                "the factors are `f32`; tensor cores multiply `tf32`, `f16`, `bf16` and narrower types".to_string(),
            ),
            element => {
                note(format!("the factors are `{element}`, and the tiles have the extents in the types of the op"))
            }
        }
    }

    /// The dynamic extents and strides, and how large a single one may be.
    fn bounds(&self, view: &View<'_>) -> Found {
        let (extents, strides) = (self.body().group(view.op, 1), self.body().group(view.op, 2));
        let mut all = [extents, strides].concat();
        all.sort_unstable_by_key(|value| value.0);
        all.dedup();
        let named: Vec<String> = all.iter().map(|&value| format!("`{}`", self.names.value(value))).collect();
        if named.is_empty() {
            return note("the constant extents and strides allow offsets of more than 32 bits".to_string());
        }
        let text = format!("offsets are as large as {} allow, for which no bound is known", named.join(", "));
        let fix = all.first().filter(|_| all.len() == 1 && strides.is_empty());
        let fix = fix
            .zip(largest_extent(view))
            .and_then(|(&value, most)| self.assume(view, value, &format!("bounded<0, {most}>")));
        missing(text, fix)
    }

    /// The registers that live tiles need where most are live.
    fn live_tiles(&self) -> Found {
        let footprint = Footprint::of(self.body());
        let (Some(peak), live) = (footprint.peak, footprint.most()) else { return Found::default() };
        let threads = footprint::threads(self.body(), None);
        let registers = live.registers_per_thread(threads);
        let name = self.body().op(peak).op.row().name;
        let kinds: Vec<String> =
            live.by_element.iter().map(|(element, bytes)| format!("{bytes} bytes of `{element}`")).collect();
        let text = format!(
            "most tiles are live at `{name}` ({}): {registers} registers for each of {threads} threads; a thread has at most {MAX_REGISTERS}",
            kinds.join(", ")
        );
        note(text)
    }

    /// Defines a value with an assumption above the view, and uses it there.
    fn assume(&self, view: &View<'_>, value: Value, predicate: &str) -> Option<Stated> {
        let spans = self.names.spans;
        let statement = spans.statements.get(view.id.0 as usize)?.clone();
        let before = self.names.text.get(..statement.start as usize)?;
        let indent = &before[before.trim_end_matches([' ', '\t']).len()..];
        let name = self.names.value(value);
        let stem = format!("{}_known", name.replace('#', "_"));
        let new = unused(&stem, |name| self.names.text.contains(name));
        let ty = self.body().ty(value);
        let at = |offset: u32| offset + self.start;
        let inside = |range: &std::ops::Range<u32>| statement.start <= range.start && range.end <= statement.end;
        let uses = spans.uses.iter().filter(|(range, used)| *used == value && inside(range));
        let mut edits: Vec<Edit> =
            uses.map(|(range, _)| Edit { range: at(range.start)..at(range.end), content: new.clone() }).collect();
        if edits.is_empty() {
            return None;
        }
        let assumption = format!("{new} = assume {predicate}, {name} : {ty}");
        let definition = format!("{assumption}\n{indent}");
        edits.push(Edit { range: at(statement.start)..at(statement.start), content: definition });
        Edit::sort(&mut edits);
        let help = format!("if that holds, add `{assumption}`, and make the tensor view from it");
        Some(Stated {
            help,
            fix: Fix::new(format!("state it with `assume {predicate}`"), Applicability::Unsafe, edits),
        })
    }
}

/// A fact that is missing, and the fix that states it.
fn missing(text: String, fix: Option<Stated>) -> Found {
    let (help, fix) = fix.map_or((None, None), |stated| (Some(stated.help), Some(stated.fix)));
    Found { notes: vec![text], help, fix }
}

fn note(text: String) -> Found {
    Found { notes: vec![text], ..Found::default() }
}

fn notes(text: Option<String>) -> Found {
    Found { notes: text.into_iter().collect(), ..Found::default() }
}

fn no_unit_stride(view: &View<'_>) -> String {
    let shown: Vec<String> = view
        .ty
        .strides
        .iter()
        .map(|stride| stride.map_or_else(|| "?".to_string(), |stride| stride.to_string()))
        .collect();
    format!("the strides are [{}]; one must be the constant 1", shown.join(", "))
}

/// How far consecutive tiles are apart, for a strided view.
fn tile_step(view: &View<'_>) -> Option<String> {
    let Access::Strided { traversal, .. } = &view.tiles?.access else { return None };
    let step = *traversal.get(view.contiguous_of_tile()?)?;
    let bytes = step * view.bits() / 8;
    Some(format!(
        "tiles advance by {step} elements along the contiguous dimension, which are {bytes} bytes; TMA needs a multiple of {ALIGNMENT} bytes"
    ))
}

/// The size of a row of a tile.
fn tile_row(view: &View<'_>) -> Option<String> {
    let extent = *view.tiles?.tile.get(view.contiguous_of_tile()?)?;
    let bytes = extent * view.bits() / 8;
    (bytes % ALIGNMENT != 0).then(|| format!("a tile has {extent} elements along the contiguous dimension, which are {bytes} bytes; TMA needs a multiple of {ALIGNMENT} bytes"))
}

fn padding(view: &View<'_>) -> Option<String> {
    let name = PADDING.values.get(usize::from(view.tiles?.padding?))?.name;
    Some(format!("the padding value is `{name}`; the hardware pads with zero"))
}

/// The extents and strides that a descriptor cannot contain.
fn sizes(view: &View<'_>) -> Vec<String> {
    let extents = view.ty.shape.iter().enumerate().filter_map(|(dim, extent)| {
        let extent = (*extent)?;
        (extent > MAX_EXTENT).then(|| format!("dimension {dim} has {extent} elements; TMA supports at most 2^32"))
    });
    let strides = view.ty.strides.iter().enumerate().filter_map(|(dim, stride)| {
        let bytes = (*stride)?.saturating_mul(view.bits()) / 8;
        (bytes >= MAX_STRIDE)
            .then(|| format!("dimension {dim} has a stride of {bytes} bytes; TMA supports less than 2^40"))
    });
    extents.chain(strides).collect()
}

/// The largest value of the only dynamic extent for which all offsets have 32 bits, if the strides are constants.
fn largest_extent(view: &View<'_>) -> Option<i64> {
    let (mut others, mut own) = (0_i64, None);
    for (extent, stride) in view.ty.shape.iter().zip(&view.ty.strides) {
        let bytes = (*stride)?.checked_mul(view.bits())? / 8;
        match extent {
            Some(extent) => others = others.checked_add((extent - 1).checked_mul(bytes)?)?,
            None if own.is_none() => own = Some(bytes),
            None => return None,
        }
    }
    let most = (MAX_OFFSET - others) / own?.max(1);
    (most > 0).then_some(most)
}
