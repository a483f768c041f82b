//! Finds the buffers that addresses of a run are in.

use super::accessed::Accessed;
use super::placement::Placement;
use tile_engine::Memory;
use tile_launch::Value;

/// Where the buffers of a launch are.
pub(super) struct Buffers(Vec<PlacedBuffer>);

struct PlacedBuffer {
    name: String,
    /// The addresses, in units of 4 bits.
    start: u64,
    end: u64,
    /// The size of an element in the same unit.
    element: u64,
}

impl Buffers {
    pub(super) fn of(values: &[(String, Value)], placement: &Placement, memory: &Memory) -> Buffers {
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

    /// The elements of an access, in the buffer that contains the first of them; `None` if it is in no buffer.
    pub(super) fn accessed(&self, accessed: &tile_engine::Accessed) -> Option<Accessed> {
        let (_, first) = *accessed.elements.first()?;
        let buffer = self.0.iter().find(|buffer| (buffer.start..buffer.end).contains(&first))?;
        let mut runs: Vec<(i64, i64)> = Vec::new();
        let inside = accessed.elements.iter().filter(|(_, address)| (buffer.start..buffer.end).contains(address));
        for (_, address) in inside {
            let index = ((address - buffer.start) / buffer.element) as i64;
            match runs.last_mut() {
                Some((first, count)) if *first + *count == index => *count += 1,
                _ => runs.push((index, 1)),
            }
        }
        let (op, block, iterations) = (accessed.op.0, accessed.block, accessed.iterations.clone());
        Some(Accessed { op, block, iterations, buffer: buffer.name.clone(), runs })
    }
}
