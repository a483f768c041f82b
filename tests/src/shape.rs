//! The shape of a program: its IR as text, equal for programs with the same meaning. Names of values, the order of
//! hints, and whether a constant is written as a splat make no difference.

use std::fmt::Write;
use tile_analysis::debug_info::{DebugAttr, DebugId, DebugInfo};
use tile_analysis::ir::{Attr, Body, Dense, HintValue, Hints, Module, OpId, RegionId, Value};

/// The shape of a module. With debug information it includes the location of every op.
pub fn shape(module: &Module, debug: Option<&DebugInfo>) -> String {
    let mut text = String::new();
    if let Some(producer) = &module.producer {
        _ = writeln!(text, "producer {}", String::from_utf8_lossy(producer));
    }
    for global in &module.globals {
        let (name, ty, value) = (&global.name, global.ty, dense(&global.value));
        let (alignment, constant, private) = (global.alignment, global.constant, global.private);
        _ = writeln!(text, "global {name} {ty} {value} {alignment} {constant} {private}");
    }
    for (index, body) in module.entries.iter().enumerate() {
        let mut shape =
            Shape { body, entry: index, debug, text: &mut text, numbers: vec![None; body.values.len()], next: 0 };
        shape.entry();
    }
    text
}

/// Returns the first lines that differ between two shapes.
pub fn difference(ours: &str, theirs: &str) -> Option<String> {
    let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some(format!("ours   {a:?}\ntheirs {b:?}")),
        }
    }
}

struct Shape<'a> {
    body: &'a Body,
    entry: usize,
    debug: Option<&'a DebugInfo>,
    text: &'a mut String,
    numbers: Vec<Option<u32>>,
    next: u32,
}

impl Shape<'_> {
    fn entry(&mut self) {
        // An empty list of hints is equivalent to none.
        let hints = self.body.hints.as_deref().filter(|hints| !hints.by_architecture.is_empty()).map(hints);
        _ = write!(self.text, "entry {} {hints:?} {:?}", self.body.name, self.body.param_attrs);
        if let Some(debug) = self.debug {
            _ = write!(self.text, " at {}", location(debug, debug.entry(self.entry)));
        }
        self.region(RegionId(0), 0);
    }

    fn define(&mut self, value: Value) -> String {
        self.numbers[value.0 as usize] = Some(self.next);
        self.next += 1;
        format!("{}: {}", self.next - 1, self.body.ty(value))
    }

    fn region(&mut self, id: RegionId, depth: usize) {
        let region = self.body.region(id);
        let args: Vec<String> = region.args.iter().map(|&arg| self.define(arg)).collect();
        _ = writeln!(self.text, " ({})", args.join(", "));
        region.ops.iter().for_each(|&op| self.op(op, depth + 1));
    }

    fn op(&mut self, id: OpId, depth: usize) {
        let (body, op) = (self.body, self.body.op(id));
        let row = op.op.row();
        _ = write!(self.text, "{:1$}{2}", "", depth * 2, row.name);
        for group in 0..row.operands.len() {
            let number = |value: &Value| self.numbers[value.0 as usize].map_or("?".to_string(), |n| n.to_string());
            let values: Vec<String> = body.group(op, group).iter().map(number).collect();
            _ = write!(self.text, " [{}]", values.join(" "));
        }
        for (index, row) in row.attrs.iter().enumerate() {
            _ = write!(self.text, " {}={}", row.name, attr(body.attr(op, index)));
        }
        let results: Vec<String> = body.results(op).map(|value| self.define(value)).collect();
        _ = write!(self.text, " -> {}", results.join(", "));
        // An implicit terminator has no location in the text.
        let elided = row.is_terminator() && body.operands(op).is_empty();
        if let Some(debug) = self.debug.filter(|_| !elided) {
            _ = write!(self.text, " at {}", location(debug, debug.op(self.entry, id.0 as usize)));
        }
        if op.regions.is_empty() {
            self.text.push('\n');
        }
        body.regions_of(op).for_each(|region| self.region(region, depth));
    }
}

fn attr(attr: &Attr) -> String {
    match attr {
        Attr::Dense(value) => dense(value),
        Attr::Hints(value) => hints(value),
        Attr::Str(value) => String::from_utf8_lossy(value).into_owned(),
        Attr::BoolList(list) if list.iter().all(|value| !value) => "Absent".to_string(),
        value => format!("{value:?}"),
    }
}

fn dense(value: &Dense) -> String {
    let all_equal = value.bits.windows(2).all(|pair| pair[0] == pair[1]);
    let bits = if all_equal { &value.bits[..value.bits.len().min(1)] } else { &value.bits[..] };
    format!("{} {bits:x?}", value.element)
}

fn hints(value: &Hints) -> String {
    let mut all: Vec<(&str, Vec<(&str, &HintValue)>)> = Vec::new();
    for (architecture, named) in &value.by_architecture {
        let mut named: Vec<(&str, &HintValue)> = named.iter().map(|(name, value)| (&**name, value)).collect();
        named.sort_by_key(|(name, _)| *name);
        all.push((architecture, named));
    }
    all.sort_by_key(|(architecture, _)| *architecture);
    format!("{all:?}")
}

/// A location with everything that it refers to. Locations that bytecode cannot represent are unknown.
fn location(debug: &DebugInfo, id: DebugId) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let of = |id: &DebugId| location(debug, *id);
    match &debug.attrs[id.0 as usize] {
        DebugAttr::Unknown | DebugAttr::Position(_) => "unknown".to_string(),
        DebugAttr::Named { child, .. } => of(child),
        DebugAttr::Fused(parts) => {
            parts.iter().map(of).find(|location| location != "unknown").unwrap_or("unknown".to_string())
        }
        DebugAttr::Scoped { position, scope } => {
            format!("{}:{}:{} in {}", text(&position.file), position.line, position.column, of(scope))
        }
        DebugAttr::CallSite { callee, caller } => format!("({} called at {})", of(callee), of(caller)),
        DebugAttr::File { name, directory } => format!("{}/{}", text(directory), text(name)),
        DebugAttr::CompileUnit { file } => format!("unit {}", of(file)),
        DebugAttr::Subprogram { file, line, name, linkage_name, unit, scope_line, declaration } => {
            let (name, linkage_name) = (text(name), text(linkage_name));
            let flags = if *declaration { " declaration" } else { "" };
            format!("{name} {linkage_name} {}:{line} {scope_line} {}{flags}", of(file), of(unit))
        }
        DebugAttr::LexicalBlock { scope, file, line, column } => {
            format!("block {}:{line}:{column} in {}", of(file), of(scope))
        }
    }
}
