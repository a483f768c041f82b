//! The stack of a stopped run.

use crate::protocol::{SourceFile, StackFrame};
use crate::source::Source;
use tile_analysis::ir::OpId;
use tile_backend::debug::Stopped;

/// The stack: the next op, and the ops around it.
pub(crate) fn frames(source: &Source, stopped: &Stopped) -> Vec<StackFrame> {
    let op = OpId(stopped.op);
    let mut loops = stopped.iterations.iter().rev();
    let around = source.nesting.around(op).map(|op| {
        let name = source.op_name(op);
        let iteration = if matches!(name, "for" | "loop") { loops.next() } else { None };
        (iteration.map_or(name.to_string(), |iteration| format!("{name}, iteration {iteration}")), source.op(op))
    });
    let this = (source.op_name(op).to_string(), source.op(op));
    let entry = (format!("@{}, {}", source.body().name, tile_block(stopped.block)), source.entry());
    let all = std::iter::once(this).chain(around).chain([entry]);
    let file = std::path::Path::new(&source.path).file_name().map(|name| name.to_string_lossy().into_owned());
    let frame = |(id, (name, place)): (usize, (String, tile_analysis::lines::Position))| StackFrame {
        id: id + 1,
        name,
        source: SourceFile { name: file.clone(), path: source.path.clone() },
        line: place.row,
        column: place.column,
    };
    all.enumerate().map(frame).collect()
}

/// A tile block in messages.
pub(crate) fn tile_block([x, y, z]: [u32; 3]) -> String {
    format!("tile block ({x}, {y}, {z})")
}
