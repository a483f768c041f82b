//! Records what each value holds, in memory that does not grow with the number of executions.

use crate::observer::{Execution, Recorded, Traced, show};
use crate::ops::context::Tiled;
use crate::ops::kernel::Context;
use crate::values::value::Value;
use tile_analysis::ir::{self, Body};
use tile_analysis::types::Type;

/// The records of one thread.
pub(crate) struct Recorder {
    /// By number of the value.
    records: Vec<Record>,
}

struct Record {
    ty: Type,
    tiled: Tiled,
    recorded: Recorded,
}

impl Recorder {
    pub(crate) fn new(body: &Body) -> Recorder {
        let values = (0..body.values.len() as u32).map(ir::Value);
        let record = |value| {
            let ty = body.ty(value);
            Record { ty, tiled: Tiled::of(ty), recorded: Recorded::new(value) }
        };
        Recorder { records: values.map(record).collect() }
    }

    /// Records a value that was just computed.
    pub(crate) fn computed(&mut self, number: usize, iterations: &[u64], value: &Value, context: &Context<'_>) {
        if matches!(value, Value::Token) {
            return;
        }
        let Record { ty, tiled, recorded } = &mut self.records[number];
        recorded.runs += 1;
        if let (Value::Tile(tile), None) = (value, tiled.pointee) {
            let tally = show::tally(tiled.element, tile, tile.stored().max(tiled.count));
            recorded.add(&tally, || Execution { block: context.block, iterations: iterations.to_vec() });
        }
        if recorded.keeps_next() {
            let shown = show::value(*ty, value, &context.memory, false);
            let (value, block) = (recorded.value, context.block);
            recorded.first.push(Traced { value, block, iterations: iterations.to_vec(), shown, contents: None });
        }
    }

    /// Adds the records of this thread to those of others.
    pub(crate) fn merge_into(self, all: &mut Vec<Recorded>) {
        let own = self.records.into_iter().map(|record| record.recorded);
        if all.is_empty() {
            all.extend(own);
        } else {
            all.iter_mut().zip(own).for_each(|(all, own)| all.merge(own));
        }
    }
}
