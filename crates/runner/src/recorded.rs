//! What values and buffers held in a run, for editors.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;
use tile_analysis::number::{self, decode, decode_int, shortest};
use tile_dialect::Element;
pub use tile_engine::{Execution, Shown, Summary};
use tile_engine::{Recorded, Tally};
use tile_launch::{Buffer, Value};

/// How many elements of a buffer are shown.
const FIRST: usize = 8;

/// What a value held in all executions of its op.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct RecordedValue {
    /// Its name, with `%`, and with `#` and its index in a pack.
    pub name: String,
    /// The range of its definition, in bytes of the program's text.
    pub range: Range<u32>,
    /// Its type.
    pub ty: String,
    /// How often it was computed.
    pub runs: u64,
    /// The summary of the elements of all executions; `None` for pointers and views.
    pub total: Option<Summary>,
    /// The first execution with the smallest element.
    pub least: Option<Execution>,
    /// The first execution with the largest element.
    pub greatest: Option<Execution>,
    /// The first execution with a NaN.
    pub nan: Option<Execution>,
    /// The first executions, in the order of the grid.
    pub first: Vec<(Execution, Shown)>,
}

/// The contents of a buffer before and after a run.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct RecordedBuffer {
    /// The argument, without `%`.
    pub name: String,
    /// The element type.
    pub element: String,
    /// The extents, outermost first.
    pub shape: Vec<u64>,
    /// The strides in elements.
    pub strides: Vec<u64>,
    /// The size in bytes.
    pub size: u64,
    /// The contents before the run.
    pub before: BufferContents,
    /// The contents after the run; `None` if they are the same.
    pub after: Option<BufferContents>,
}

/// A short form of the contents of a buffer.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct BufferContents {
    /// The summary of all elements.
    pub summary: Summary,
    /// The first elements in row-major order.
    pub first: Vec<String>,
    /// Whether there are more elements.
    pub has_more: bool,
}

impl RecordedValue {
    /// Adds a name, a location and a type to the record of a run.
    pub(crate) fn new(recorded: &Recorded, name: String, range: Range<u32>, ty: String) -> RecordedValue {
        let first = recorded.first.iter().map(|traced| {
            let (block, iterations) = (traced.block, traced.iterations.clone());
            (Execution { block, iterations }, traced.shown.clone())
        });
        RecordedValue {
            name,
            range,
            ty,
            runs: recorded.runs,
            total: (!recorded.total.is_empty()).then(|| recorded.total.summary()),
            least: recorded.least.clone(),
            greatest: recorded.greatest.clone(),
            nan: recorded.nan.clone(),
            first: first.collect(),
        }
    }
}

/// The contents of all buffers before and after a run.
pub(crate) fn buffers(before: &[(String, Value)], after: &[(String, Value)]) -> Vec<RecordedBuffer> {
    let pairs = before.iter().zip(after).filter_map(|((name, before), (_, after))| match (before, after) {
        (Value::Buffer(before), Value::Buffer(after)) => Some((name, before, after)),
        _ => None,
    });
    let one = |(name, before, after): (&String, &Buffer, &Buffer)| RecordedBuffer {
        name: name.clone(),
        element: before.element.to_string(),
        shape: before.shape.clone(),
        strides: before.strides.clone(),
        size: before.bytes.len() as u64,
        before: contents(before),
        after: (before.bytes != after.bytes).then(|| contents(after)),
    };
    pairs.map(one).collect()
}

fn contents(buffer: &Buffer) -> BufferContents {
    let element = buffer.element;
    let dense: Cow<'_, [u8]> = match buffer.count().filter(|_| buffer.is_dense()) {
        Some(count) => buffer.bytes[..count * element.bytes()].into(),
        None => buffer.dense().unwrap_or_default().into(),
    };
    let mut tally = Tally::default();
    for part in dense.chunks(PART * element.bytes()) {
        number::decode_all(element, part).into_iter().for_each(|value| tally.add(value, 1));
    }
    let shown = (0..FIRST).map_while(|index| number::read(element, &dense, index)).map(|bits| text(element, bits));
    let has_more = dense.len() > FIRST * element.bytes();
    BufferContents { summary: tally.summary(), first: shown.collect(), has_more }
}

/// How many elements are decoded at a time.
const PART: usize = 1 << 12;

/// An element as text.
fn text(element: Element, bits: u64) -> String {
    match element {
        Element::I1 => (bits & 1).to_string(),
        element if element.is_int() => decode_int(element, bits).to_string(),
        element => shortest::real(element, decode(element, bits)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(element: Element, shape: &[u64], strides: &[u64], values: &[f64]) -> Value {
        let (shape, strides) = (shape.to_vec(), strides.to_vec());
        Value::Buffer(Buffer { element, shape, strides, bytes: number::encode_all(element, values) })
    }

    #[test]
    fn gaps_between_rows_are_no_contents() {
        let before = buffer(Element::F32, &[2, 2], &[3, 1], &[1.0, 2.0, 99.0, 3.0, f64::NAN, 99.0]);
        let found = buffers(&[("a".to_string(), before.clone())], &[("a".to_string(), before)]);
        let [RecordedBuffer { size: 24, before, after: None, .. }] = &found[..] else { panic!("{found:?}") };
        assert_eq!(before.first, ["1", "2", "3", "nan"]);
        assert_eq!(before.summary.to_string(), "min 1, max 3, mean 2, 1 NaN");
        assert!(!before.has_more);
    }

    #[test]
    fn changed_contents_are_shown_and_integers_are_exact() {
        let zero = buffer(Element::I64, &[9], &[1], &[0.0; 9]);
        let mut after = zero.clone();
        let Value::Buffer(changed) = &mut after else { panic!("a buffer") };
        changed.bytes[..8].copy_from_slice(&i64::MAX.to_le_bytes());
        let found = buffers(
            &[("a".to_string(), zero), ("n".to_string(), Value::Address)],
            &[("a".to_string(), after), ("n".to_string(), Value::Address)],
        );
        let after = found[0].after.as_ref().expect("the run changed the buffer");
        assert_eq!((found.len(), after.first[0].as_str(), after.has_more), (1, "9223372036854775807", true));
        assert_eq!(found[0].before.summary.to_string(), "all 0");
    }
}
