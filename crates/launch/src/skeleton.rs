//! Generates a launch for an entry without one: a grid, and buffers as large as the entry's views require.

use super::find;
use super::literal::is_unsigned;
use std::fmt::Write;
use tile_analysis::db::{File, Queries};
use tile_analysis::diagnostic::{Applicability, Edit, Fix};
use tile_analysis::ide::cost;
use tile_analysis::ir::{Body, Op, OpId, Value};
use tile_analysis::range_analysis::KnownValues;
use tile_analysis::types::{Scalar, Type};
use tile_dialect::Mnemonic;

/// The assumed value of a dynamic extent.
const EXTENT: i64 = 256;

/// The edit that inserts a launch above the entry at an offset of the file; `None` if it already has directives.
pub fn skeleton(db: &Queries, file: File, at: u32) -> Option<Fix> {
    let entries = find::find(db, file);
    let launches = entries.iter().rev().find(|entry| entry.start <= at)?;
    let end = launches.start
        + launches.spans.statements.iter().map(|range| range.end).max().unwrap_or(launches.name.end - launches.start);
    if at > end.max(launches.name.end)
        || !launches.directives.launches.is_empty()
        || !launches.directives.errors.is_empty()
    {
        return None;
    }
    let text = file.text(db);
    let start = text[..launches.start as usize].rfind('\n').map_or(0, |found| found + 1);
    let indent = &text[start..launches.start as usize];
    if !indent.trim().is_empty() {
        return None;
    }
    let lines = lines(&launches.entry);
    let content = lines.iter().map(|line| format!("{indent}//@{line}\n")).collect();
    let title = format!("add a launch of `@{}`", launches.entry.name);
    Some(Fix::new(title, Applicability::Unsafe, vec![Edit { range: start as u32..start as u32, content }]))
}

fn lines(entry: &Body) -> Vec<String> {
    let guess = Guess { entry };
    let mut out = vec![format!(" launch grid=({})", guess.grid().map(|blocks| blocks.to_string()).join(", "))];
    let params = entry.params.iter().zip(&entry.regions[0].args);
    let mut output = None;
    for (name, &value) in params {
        let ty = entry.ty(value);
        let is_written = guess.is_written(value);
        let mut line = format!("   %{name} = ");
        let _ = match ty.as_tile().map(|tile| tile.element) {
            Some(Scalar::Pointer(pointer)) => {
                let init = match () {
                    () if is_written => "zeros",
                    () if is_unsigned(pointer.to) => "ones",
                    () if pointer.to.is_float() => "uniform(-1, 1, seed=1)",
                    () => "iota",
                };
                let replicas = if pointer.is_multicast() { "replicas=2 " } else { "" };
                write!(line, "{}[{}] {replicas}{init}", pointer.to, listed(&guess.shape(value)))
            }
            Some(Scalar::Number(element)) if element.is_float() => write!(line, "1.0"),
            _ => write!(line, "{}", guess.number(value)),
        };
        if is_written && output.is_none() {
            output = Some(name);
        }
        out.push(line);
    }
    // Only the author knows the expected result. This expectation, that nothing has changed, fails and shows the
    // result.
    out.extend(output.map(|name| format!(" expect %{name} ~= %{name}")));
    out
}

fn listed(shape: &[i64]) -> String {
    shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

/// Infers suitable arguments from the ops of an entry.
struct Guess<'a> {
    entry: &'a Body,
}

impl Guess<'_> {
    fn defining_op(&self, value: Value) -> Option<&Op> {
        self.entry.defining_op(value).map(|op| self.entry.op(op))
    }

    /// The parameter that a pointer is derived from, through assumptions, casts and offsets.
    fn root(&self, mut value: Value) -> Value {
        // An op follows the definitions of its operands, so this terminates.
        while let Some(op) = self.defining_op(value) {
            let is_pointer = |ty: Type| ty.as_tile().is_some_and(|tile| tile.pointee().is_some());
            let Some(&source) = self.entry.operands(op).iter().find(|&&source| is_pointer(self.entry.ty(source)))
            else {
                break;
            };
            value = source;
        }
        value
    }

    /// The tensor views over a parameter.
    fn views(&self, param: Value) -> impl Iterator<Item = &Op> {
        let views = self.entry.ops.iter().filter(|op| op.op == Mnemonic::MakeTensorView);
        views.filter(move |op| self.entry.operand(op, 0).is_some_and(|base| self.root(base) == param))
    }

    fn shape(&self, param: Value) -> Vec<i64> {
        let view = self.views(param).find_map(|op| self.entry.ty(self.entry.results(op).next()?).as_tensor_view());
        match view {
            Some(view) if !view.shape.is_empty() => view.shape.iter().map(|extent| extent.unwrap_or(EXTENT)).collect(),
            Some(_) => vec![1],
            None => vec![self.elements(param)],
        }
    }

    /// The number of elements that all blocks load or store through tiles of pointers.
    fn elements(&self, param: Value) -> i64 {
        let tiles = self.entry.values.iter().enumerate().filter(|&(index, ty)| {
            let is_pointers = ty.as_tile().is_some_and(|tile| tile.pointee().is_some());
            is_pointers && self.root(Value(index as u32)) == param
        });
        let largest = tiles.filter_map(|(_, ty)| ty.as_tile().map(|tile| tile.len() as i64)).max().unwrap_or(1);
        largest.max(1) * self.grid().iter().product::<i64>().clamp(1, 1 << 16)
    }

    fn is_written(&self, param: Value) -> bool {
        let known = KnownValues::default();
        let ids = (0..self.entry.ops.len() as u32).map(OpId);
        let mut stores = ids.filter(|&id| cost::of_op(self.entry, &known, id).written > 0).map(|id| self.entry.op(id));
        stores.any(|op| self.entry.operands(op).iter().any(|&target| self.source(target) == Some(param)))
    }

    /// The parameter that a view or a pointer is derived from.
    fn source(&self, value: Value) -> Option<Value> {
        let ty = self.entry.ty(value);
        if ty.is_view() {
            return self.source(self.entry.operand(self.defining_op(value)?, 0)?);
        }
        ty.as_tile().is_some_and(|tile| tile.pointee().is_some()).then(|| self.root(value))
    }

    /// The value of an integer parameter: [`EXTENT`] if a view uses it as an extent or a stride, otherwise 1.
    fn number(&self, param: Value) -> i64 {
        let views = self.entry.ops.iter().filter(|op| op.op == Mnemonic::MakeTensorView);
        let is_extent = |op: &&Op| self.entry.operands(op).iter().skip(1).any(|&value| self.is_from(value, param));
        if views.filter(is_extent).count() > 0 { EXTENT } else { 1 }
    }

    /// Whether a value is a parameter, possibly through assumptions and conversions.
    fn is_from(&self, value: Value, param: Value) -> bool {
        value == param
            || self.defining_op(value).is_some_and(|op| {
                let operands = self.entry.operands(op);
                operands.len() == 1 && self.is_from(operands[0], param)
            })
    }

    /// The grid: for each dimension, as many blocks as the accesses indexed by the block number have tiles. If the
    /// entry has no views, an arbitrary small grid.
    fn grid(&self) -> [i64; 3] {
        let Some(ids) = self.entry.ops.iter().find(|op| op.op == Mnemonic::GetTileBlockId) else { return [1; 3] };
        let ids: Vec<Value> = self.entry.results(ids).collect();
        let mut grid = [1; 3];
        for (blocks, &id) in grid.iter_mut().zip(&ids) {
            *blocks = self.tiles_indexed_by(id).min().unwrap_or(1).max(1);
        }
        let has_views = self.entry.values.iter().any(|ty| ty.as_tile_view().is_some());
        if has_views { grid } else { [4, 1, 1] }
    }

    /// For each access with `id` as an index, the number of tiles along that dimension.
    fn tiles_indexed_by(&self, id: Value) -> impl Iterator<Item = i64> {
        self.entry.ops.iter().filter_map(move |op| {
            let operands = self.entry.operands(op);
            let at = operands.iter().position(|&value| self.entry.ty(value).as_tile_view().is_some())?;
            let view = self.entry.ty(operands[at]).as_tile_view()?;
            // The indices directly follow the view.
            let k = operands[at + 1..].iter().position(|&value| value == id).filter(|&k| k < view.tile.len())?;
            let extent = view.tensor().shape.get(view.tensor_dim(k)).copied().flatten().unwrap_or(EXTENT);
            Some(view.index_space(k, extent))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_analysis::context::Options;
    use tile_analysis::db::Database;

    fn after(text: &str) -> Option<String> {
        let db = Database::default();
        let at = text.find("@k").expect("an entry") as u32;
        let file = File::new(&db, text.into(), Options::default());
        let fix = skeleton(&db, file, at)?;
        let mut out = text.to_string();
        out.insert_str(fix.edits[0].range.start as usize, &fix.edits[0].content);
        // The generated launch must fit the entry.
        let file = File::new(&db, out.as_str().into(), Options::default());
        assert!(find::diagnostics(&db, file).is_empty(), "{out}");
        Some(out)
    }

    #[test]
    fn shapes_are_inferred_from_views_and_the_grid_from_accesses() {
        let program = "cuda_tile.module @m {\n  entry @k(%a: tile<ptr<f32>>, %c: tile<ptr<f32>>, %n: tile<i32>) {\n    \
            %s = make_tensor_view %a, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>\n    \
            %t = make_tensor_view %c, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>\n    \
            %v = make_partition_view %s : partition_view<tile=(32x16), tensor_view<?x64xf32, strides=[64,1]>>\n    \
            %w = make_partition_view %t : partition_view<tile=(32x16), tensor_view<128x64xf32, strides=[64,1]>>\n    \
            %x, %y, %z = get_tile_block_id : tile<i32>\n    \
            %l, %o = load_view_tko weak %v[%x, %y] : partition_view<tile=(32x16), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x16xf32>, token\n    \
            %q = store_view_tko weak %l, %w[%x, %y] : tile<32x16xf32>, partition_view<tile=(32x16), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token\n    \
            return\n  }\n}\n";
        let text = after(program).expect("it is offered");
        let expected = "  //@ launch grid=(4, 4, 1)\n  //@   %a = f32[256, 64] uniform(-1, 1, seed=1)\n  //@   %c = f32[128, 64] zeros\n  \
            //@   %n = 256\n  //@ expect %c ~= %c\n  entry @k";
        assert!(text.contains(expected), "{text}");
        assert_eq!(after(&text), None, "the entry already has a launch");
    }

    #[test]
    fn the_generated_launch_fits_every_example() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.extension().is_none_or(|extension| extension != "tile") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let bare: String =
                text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("//@")).collect();
            let db = Database::default();
            let file = File::new(&db, bare.as_str().into(), Options::default());
            for found in find::find(&db, file) {
                let fix = skeleton(&db, file, found.name.start).expect("it has no launch");
                let mut out = bare.clone();
                out.insert_str(fix.edits[0].range.start as usize, &fix.edits[0].content);
                let file = File::new(&db, out.as_str().into(), Options::default());
                let wrong = find::diagnostics(&db, file);
                assert!(wrong.is_empty(), "{}: {:?}\n{out}", path.display(), wrong[0].message);
                count += 1;
            }
        }
        assert!(count > 20);
    }

    #[test]
    fn an_entry_without_parameters_gets_a_grid() {
        let text = after("cuda_tile.module @m {\n  entry @k() {\n    return\n  }\n}\n").expect("it is offered");
        assert!(text.contains("  //@ launch grid=(1, 1, 1)\n  entry @k"), "{text}");
    }
}
