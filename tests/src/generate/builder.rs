//! The program under construction: its text, the values in scope, and its parameters.

use super::literals::{self, Range};
use super::types::{Tile, commas};
use fastrand::Rng;
use std::fmt::Write;
use tile_dialect::Element;

/// What a program may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// Everything that the CPU engine runs.
    Cpu,
    /// Only integers, with results that [`crate::evaluate`] computes independently.
    Integers,
    /// What `sm_90` supports. Results that the language leaves open are not used any further.
    Gpu,
}

/// A value in scope.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Its name, with `%`.
    pub(super) name: String,
    pub(super) tile: Tile,
}

/// A parameter of the entry.
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) ty: String,
    /// Its line in the launch, after the name.
    argument: String,
    /// The accepted difference of its contents from those of the CPU engine. `None` if they must be the same.
    tolerance: Option<String>,
    is_buffer: bool,
}

/// A program under construction.
pub(super) struct Builder {
    pub(super) rng: Rng,
    pub(super) profile: Profile,
    pub(super) grid: [u32; 3],
    text: String,
    indent: usize,
    names: usize,
    values: Vec<Value>,
    parameters: Vec<Parameter>,
    globals: String,
    /// The number in the names of the entry and the globals.
    seed: u64,
    /// The scalar `i32` with the number of the tile block.
    pub(super) block: String,
    /// The token of the last print.
    pub(super) printed: Option<String>,
    /// How many regions of control flow are around the current op.
    pub(super) depth: usize,
    /// How many loops are around the current op.
    pub(super) loops: usize,
    /// Adds a random statement.
    pub(super) statement: fn(&mut Builder),
}

impl Builder {
    pub(super) fn new(seed: u64, profile: Profile, statement: fn(&mut Builder)) -> Builder {
        let mut rng = Rng::with_seed(seed);
        let grid = match rng.u32(..10) {
            0..3 => [1, 1, 1],
            3..7 => [rng.u32(1..=6), 1, 1],
            7 => [rng.u32(7..=40), 1, 1],
            _ => [rng.u32(1..=4), rng.u32(1..=3), rng.u32(1..=2)],
        };
        // Expected results of more blocks would make the files large.
        let grid = if profile == Profile::Gpu { [grid[0].min(3), 1, grid[2]] } else { grid };
        let mut builder = Builder {
            rng,
            profile,
            grid,
            text: String::new(),
            indent: 2,
            names: 0,
            values: Vec::new(),
            parameters: Vec::new(),
            globals: String::new(),
            seed,
            block: "%x".to_string(),
            printed: None,
            depth: 0,
            loops: 0,
            statement,
        };
        builder.begin();
        builder
    }

    /// Computes the number of the tile block.
    fn begin(&mut self) {
        let i32s = Tile::scalar(Element::I32);
        self.line("%x, %y, %z = get_tile_block_id : tile<i32>");
        self.keep("%x", &i32s);
        if self.grid[1..] == [1, 1] {
            return;
        }
        self.line("%nx, %ny, %nz = get_num_tile_blocks : tile<i32>");
        let row = self.define(&i32s, "muli %z, %ny : tile<i32>");
        let row = self.define(&i32s, &format!("addi {row}, %y : tile<i32>"));
        let first = self.define(&i32s, &format!("muli {row}, %nx : tile<i32>"));
        self.block = self.define(&i32s, &format!("addi {first}, %x : tile<i32>"));
    }

    /// The number of tile blocks.
    pub(super) fn blocks(&self) -> u32 {
        self.grid.iter().product()
    }

    /// Whether an event with this probability happens, in percent.
    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }

    /// One of these.
    pub(super) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.rng.usize(..items.len())].clone()
    }

    /// A new name, with `%`.
    pub(super) fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    pub(super) fn line(&mut self, line: &str) {
        let indent = self.indent * 2;
        _ = writeln!(self.text, "{:indent$}{line}", "");
    }

    /// Adds an op with one result that is not a tile of numbers, and returns the name of the result.
    pub(super) fn op(&mut self, op: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {op}"));
        name
    }

    /// Adds an op with one result of this type, which later ops can use.
    pub(super) fn define(&mut self, tile: &Tile, op: &str) -> String {
        let name = self.op(op);
        self.keep(&name, tile);
        name
    }

    /// Lets later ops use a value.
    pub(super) fn keep(&mut self, name: &str, tile: &Tile) {
        self.values.push(Value { name: name.to_string(), tile: tile.clone() });
    }

    /// A random value of any type.
    pub(super) fn any(&mut self) -> Value {
        let recent = self.values.len().saturating_sub(8);
        let from = if self.chance(70) { recent } else { 0 };
        let index = self.rng.usize(from..self.values.len());
        self.values[index].clone()
    }

    /// A random value in scope that `accepts` accepts.
    pub(super) fn find(&mut self, accepts: impl Fn(&Tile) -> bool) -> Option<Value> {
        let found: Vec<usize> = (0..self.values.len()).filter(|&index| accepts(&self.values[index].tile)).collect();
        if found.is_empty() {
            return None;
        }
        let index = self.pick(&found);
        Some(self.values[index].clone())
    }

    /// Adds a constant with random elements.
    pub(super) fn constant(&mut self, tile: &Tile, range: Range) -> String {
        let value = literals::constant(&mut self.rng, tile, range);
        self.define(tile, &format!("constant {value} : {tile}"))
    }

    /// Adds a constant with the same number everywhere.
    pub(super) fn splat(&mut self, tile: &Tile, value: impl std::fmt::Display) -> String {
        self.op(&format!("constant <{}: {value}> : {tile}", tile.element))
    }

    /// Adds a region in braces; values that `body` adds are out of scope afterwards.
    pub(super) fn region(&mut self, header: &str, end: &str, body: impl FnOnce(&mut Builder)) {
        let (values, printed) = (self.values.len(), self.printed.take());
        self.line(&format!("{header} {{"));
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line(&format!("}}{end}"));
        self.values.truncate(values);
        self.printed = printed;
    }

    /// Adds the second region of an op, after a [`Builder::region`] whose end begins it.
    pub(super) fn other_region(&mut self, body: impl FnOnce(&mut Builder)) {
        let (values, printed) = (self.values.len(), self.printed.take());
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line("}");
        self.values.truncate(values);
        self.printed = printed;
    }

    /// Adds a region without access to values outside of it, and without random statements.
    pub(super) fn fold(&mut self, arguments: &str, body: impl FnOnce(&mut Builder)) {
        self.line(&format!("({arguments}) {{"));
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line("}");
    }

    /// Adds a parameter with a buffer of random contents.
    pub(super) fn input(&mut self, element: Element, count: u32, range: Range) -> String {
        let items: Vec<String> = (0..count).map(|_| literals::number(&mut self.rng, element, range)).collect();
        self.buffer(element, count, &format!("[{}]", commas(&items)), None)
    }

    /// Adds a parameter with a buffer of many random numbers.
    pub(super) fn filled(&mut self, element: Element, count: u32) -> String {
        let seed = self.rng.u32(..);
        self.buffer(element, count, &format!("uniform(-4, 4, seed={seed})"), None)
    }

    /// Adds a parameter with a buffer that is 0 before the run.
    pub(super) fn output(&mut self, element: Element, count: u32) -> String {
        self.buffer(element, count, "zeros", None)
    }

    /// The same, for results that the language leaves open within a tolerance.
    pub(super) fn open_output(&mut self, element: Element, count: u32, tolerance: &str) -> String {
        self.buffer(element, count, "zeros", Some(tolerance.to_string()))
    }

    fn buffer(&mut self, element: Element, count: u32, contents: &str, tolerance: Option<String>) -> String {
        let name = format!("%b{}", self.parameters.len());
        self.parameters.push(Parameter {
            name: name.clone(),
            ty: format!("tile<ptr<{element}>>"),
            argument: format!("{element}[{count}] {contents}"),
            tolerance,
            is_buffer: true,
        });
        name
    }

    /// Adds a parameter with a number.
    pub(super) fn scalar(&mut self, element: Element, value: &str) -> String {
        let name = format!("%b{}", self.parameters.len());
        self.parameters.push(Parameter {
            name: name.clone(),
            ty: format!("tile<{element}>"),
            argument: value.to_string(),
            tolerance: None,
            is_buffer: false,
        });
        name
    }

    /// Adds a global and returns its name.
    pub(super) fn global(&mut self, tile: &Tile, attributes: &str) -> String {
        let name = format!("@g{}_{}", self.seed, self.globals.lines().count());
        let value = literals::constant(&mut self.rng, tile, Range::Any);
        _ = writeln!(self.globals, "  global {attributes}{name} {value} : {tile}");
        name
    }

    /// The complete text, and the tolerances of the buffers.
    pub(super) fn finish(self) -> (String, Vec<(String, Option<String>)>) {
        let mut text = self.globals;
        let [x, y, z] = self.grid;
        _ = writeln!(text, "  //@ launch grid=({x}, {y}, {z})");
        for Parameter { name, argument, .. } in &self.parameters {
            _ = writeln!(text, "  //@   {name} = {argument}");
        }
        let parameters: Vec<String> =
            self.parameters.iter().map(|Parameter { name, ty, .. }| format!("{name}: {ty}")).collect();
        _ = writeln!(text, "  entry @p{}({}) {{\n{}  }}", self.seed, parameters.join(", "), self.text);
        let buffers = self.parameters.into_iter().filter(|parameter| parameter.is_buffer);
        (text, buffers.map(|buffer| (buffer.name, buffer.tolerance)).collect())
    }
}
