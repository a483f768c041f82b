//! The cost of ops, and its table.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::time::Duration;
use tile_analysis::lines::Lines;
use tile_engine::Cost;
use tile_input::size;

/// The cost of an op, in all tile blocks together.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
pub struct OpCost {
    /// The op's name.
    pub op: String,
    /// The range of the name, in bytes of the program's text.
    pub range: Range<u32>,
    /// The number of runs.
    pub runs: u64,
    /// The time in nanoseconds, without the ops in its regions.
    pub nanoseconds: u64,
    /// The number of bytes read from memory.
    pub read: u64,
    /// The number of bytes written to memory.
    pub written: u64,
}

impl OpCost {
    /// Creates the entry of an op.
    pub(crate) fn new(op: &str, range: Range<u32>, cost: &Cost) -> OpCost {
        let nanoseconds = u64::try_from(cost.time.as_nanos()).unwrap_or(u64::MAX);
        let Cost { runs, read, written, .. } = *cost;
        OpCost { op: op.to_string(), range, runs, nanoseconds, read, written }
    }

    /// The share of the total time, from 0 to 1.
    pub fn share(&self, all: &[OpCost]) -> f64 {
        let all: u64 = all.iter().map(|cost| cost.nanoseconds).sum();
        if all == 0 { 0.0 } else { self.nanoseconds as f64 / all as f64 }
    }
}

/// The maximum number of ops with their own row.
const MAX_LINES: usize = 24;

/// The maximum number of characters of a source line.
const WIDTH: usize = 60;

/// Formats a table with a row for each op, in the given order, and a row for the total.
pub fn table(costs: &[OpCost], text: &str, lines: &Lines) -> String {
    let (shown, rest) = costs.split_at(costs.len().min(MAX_LINES));
    let mut rows = vec![["line", "op", "runs", "time", "share", "read", "written", "source"].map(str::to_string)];
    for cost in shown {
        let row = lines.place(cost.range.start, text).row;
        let [row, op] = [row.to_string(), cost.op.clone()];
        let numbers = numbers(std::slice::from_ref(cost), costs);
        let [runs, time, share, read, written] = numbers;
        rows.push([row, op, runs, time, share, read, written, source(text, cost.range.start)]);
    }
    let sum = |name: String, of: &[OpCost]| {
        let [runs, time, share, read, written] = numbers(of, costs);
        [String::new(), name, runs, time, share, read, written, String::new()]
    };
    if !rest.is_empty() {
        rows.push(sum(format!("{} more", rest.len()), rest));
    }
    rows.push(sum("all".to_string(), costs));
    aligned(&rows)
}

/// Runs, time, share, bytes read and bytes written.
fn numbers(of: &[OpCost], all: &[OpCost]) -> [String; 5] {
    let sum = |part: fn(&OpCost) -> u64| of.iter().map(part).sum::<u64>();
    let share: f64 = of.iter().map(|cost| cost.share(all)).sum();
    let bytes = |count| if count == 0 { "-".to_string() } else { size::shown(count) };
    let time = match Duration::from_nanos(sum(|cost| cost.nanoseconds)) {
        short if short < Duration::from_micros(1) => format!("{short:?}"),
        time => format!("{time:.1?}"),
    };
    let (read, written) = (bytes(sum(|cost| cost.read)), bytes(sum(|cost| cost.written)));
    [sum(|cost| cost.runs).to_string(), time, format!("{:.1} %", share * 100.0), read, written]
}

/// The source line at an offset, truncated if it is long.
fn source(text: &str, offset: u32) -> String {
    let offset = offset as usize;
    let start = text[..offset].rfind('\n').map_or(0, |found| found + 1);
    let line = text[start..].lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}

/// Aligns columns: names to the left, numbers to the right.
fn aligned(rows: &[[String; 8]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(width);
    let mut table = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| match column {
            1 => format!("{cell:width$}"),
            7 => cell.clone(),
            _ => format!("{cell:>width$}"),
        });
        table.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        table.push('\n');
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_keeps_the_order_and_is_aligned() {
        let text = "  %a = addi %b, %c : tile<i32>\n  store\n";
        let cost = |op: &str, start, nanoseconds, read| {
            let (op, range) = (op.to_string(), start..start + 1);
            OpCost { op, range, runs: 10, nanoseconds, read, written: 0 }
        };
        let costs = [cost("load", 33, 3_000_000, 4096), cost("addi", 7, 1_000_000, 0)];
        let expected = "\
line  op    runs   time    share   read  written  source
   2  load    10  3.0ms   75.0 %  4 KiB        -  store
   1  addi    10  1.0ms   25.0 %      -        -  %a = addi %b, %c : tile<i32>
      all     20  4.0ms  100.0 %  4 KiB        -
";
        assert_eq!(table(&costs, text, &Lines::new(text)), expected);
    }
}
