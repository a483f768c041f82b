//! The whole contents of a value, a buffer or an expectation in a run, for the tile viewer.

use serde::{Deserialize, Serialize};
use tile_analysis::number;
use tile_dialect::Element;
use tile_engine::{Accessed, Execution, Traced};
use tile_launch::expect::ComparedElements;
use tile_launch::{Buffer, Value};

/// What the contents are of.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
pub enum Viewed {
    /// A value, by its name with `%`.
    Value(String),
    /// An argument with a buffer, by its name without `%`.
    Buffer(String),
    /// An expectation, by its number in the launch.
    Expectation(u32),
}

/// The contents of a tile or an array at one time.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Contents {
    /// When they are from.
    pub moment: Moment,
    /// The element type.
    pub element: String,
    /// The extents, outermost first.
    pub shape: Vec<u64>,
    /// The elements in row-major order, little-endian, 4-bit elements in one byte each.
    pub bytes: Vec<u8>,
    /// For a load, one bit for each element, the first in the lowest bit: whether the element was not in memory. Empty
    /// if all were.
    pub padding: Vec<u8>,
}

/// The time of some contents.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Moment {
    /// When a value was computed.
    Execution(Execution),
    /// Before the run.
    Before,
    /// After the run.
    After,
    /// Before and after the run, which did not change them.
    Unchanged,
    /// The actual result of an expectation, and its tolerances `[rtol, atol]`, which are 0 for an exact comparison.
    Actual([f64; 2]),
    /// The expected result.
    Expected,
}

/// Expectations with more elements are reported as `f32` if the actual ones are exact in it.
const MANY: usize = 1 << 20;

/// The contents of a buffer before and after the run.
pub(crate) fn of_argument(name: &str, before: &[(String, Value)], after: &[(String, Value)]) -> Vec<Contents> {
    match (find(name, before), find(name, after)) {
        (Some(before), Some(after)) if before == after => vec![of_buffer(Moment::Unchanged, after)],
        (Some(before), Some(after)) => vec![of_buffer(Moment::Before, before), of_buffer(Moment::After, after)],
        _ => Vec::new(),
    }
}

fn find<'v>(name: &str, values: &'v [(String, Value)]) -> Option<&'v Buffer> {
    match values.iter().find(|(known, _)| known == name) {
        Some((_, Value::Buffer(buffer))) => Some(buffer),
        _ => None,
    }
}

fn of_buffer(moment: Moment, buffer: &Buffer) -> Contents {
    let (shape, bytes) = (buffer.shape.clone(), buffer.dense().unwrap_or_default());
    Contents { moment, element: buffer.element.to_string(), shape, bytes, padding: Vec::new() }
}

/// Both sides of an expectation.
pub(crate) fn of_sides(compared: &ComparedElements) -> [Contents; 2] {
    let tolerances = compared.tolerance.map_or([0.0; 2], |tolerance| [tolerance.rtol, tolerance.atol]);
    let is_exact = |value: &f64| f64::from(*value as f32) == *value || value.is_nan();
    let is_short = compared.actual.len() > MANY && compared.actual.iter().all(is_exact);
    let element = if is_short { Element::F32 } else { Element::F64 };
    let sides = [(Moment::Actual(tolerances), &compared.actual), (Moment::Expected, &compared.expected)];
    sides.map(|(moment, elements)| {
        let (shape, bytes) = (compared.shape.clone(), number::encode_all(element, elements));
        Contents { moment, element: element.to_string(), shape, bytes, padding: Vec::new() }
    })
}

/// Marks the elements of a loaded tile that were not in memory.
#[derive(Default)]
pub(crate) struct Padding {
    /// The last access of the op that defines the value.
    last: Option<Accessed>,
}

impl Padding {
    pub(crate) fn accessed(&mut self, accessed: &Accessed) {
        self.last = Some(accessed.clone());
    }

    /// The bits of a tile with this many elements.
    pub(crate) fn of(&self, traced: &Traced, count: usize) -> Vec<u8> {
        let same = |last: &&Accessed| last.block == traced.block && last.iterations == traced.iterations;
        let Some(last) = self.last.as_ref().filter(same) else { return Vec::new() };
        let mut bits = vec![0u8; count.div_ceil(8)];
        (0..count).for_each(|index| bits[index / 8] |= 1 << (index % 8));
        for &(index, _) in last.elements.iter().filter(|(index, _)| *index < count) {
            bits[index / 8] &= !(1 << (index % 8));
        }
        if bits.iter().all(|&byte| byte == 0) { Vec::new() } else { bits }
    }
}
