//! Finds the buffers that addresses of a run are in.

use crate::accessed::Accessed;
use crate::placement::Placement;
use tile_engine::Memory;
use tile_launch::Value;

/// Where the buffers of a launch are.
pub(crate) struct Buffers(Vec<PlacedBuffer>);

struct PlacedBuffer {
    name: String,
    /// The addresses, in units of 4 bits.
    start: u64,
    end: u64,
    /// The size of an element in the same unit.
    element: u64,
}

impl Buffers {
    pub(crate) fn of(values: &[(String, Value)], placement: &Placement, memory: &Memory) -> Buffers {
        let placed = values.iter().zip(placement.starts(memory));
        let buffers = placed.filter_map(|((name, value), start)| match value {
            Value::Buffer(buffer) => {
                let bits = buffer.element.bits();
                let element = if bits == 4 { 1 } else { 2 * buffer.element.bytes() as u64 };
                let end = 2 * (start + buffer.bytes.len() as u64);
                Some(PlacedBuffer { name: name.clone(), start: 2 * start, end, element })
            }
            _ => None,
        });
        Buffers(buffers.collect())
    }

    /// The elements of an access in each buffer that contains some of them.
    pub(crate) fn accessed<'a>(&'a self, accessed: &'a tile_engine::Accessed) -> impl Iterator<Item = Accessed> + 'a {
        let found = self.0.iter().map(|buffer| (buffer, buffer.runs(&accessed.elements)));
        found.filter(|(_, runs)| !runs.is_empty()).map(|(buffer, runs)| Accessed {
            op: accessed.op.0,
            block: accessed.block,
            iterations: accessed.iterations.clone(),
            buffer: buffer.name.clone(),
            runs,
        })
    }
}

impl PlacedBuffer {
    /// The indices of those elements of an access that are in the buffer, as runs of adjacent ones.
    fn runs(&self, elements: &[(usize, u64)]) -> Vec<(i64, i64)> {
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for (_, address) in elements.iter().filter(|(_, address)| (self.start..self.end).contains(address)) {
            let index = ((address - self.start) / self.element) as i64;
            match runs.last_mut() {
                Some((first, count)) if *first + *count == index => *count += 1,
                _ => runs.push((index, 1)),
            }
        }
        runs
    }
}
