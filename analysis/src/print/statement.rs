//! Statements, one on each line: results, the op in one of its forms, and its regions.

use super::location::Located;
use super::options::Style;
use super::printer::{Printer, Subject};
use super::{attr, custom};
use crate::debug_info::DebugId;
use crate::ir::{Attr, Global, Op, OpId, RegionId, Value};
use crate::types::Type;
use tile_dialect::{AttrName, DIALECT_PREFIX, Mnemonic, Named, OpRow, RegionRow, visibility};

/// The name of a printed module, because the IR does not store one.
const MODULE_NAME: &str = "kernels";

impl<'a> Printer<'a> {
    /// Prints an op without its results. Writes nothing if the form cannot express the op.
    pub(super) fn alone(&mut self, id: OpId) {
        let (body, op) = (self.body, self.body.op(id));
        let row = op.op.row();
        let constant = body.results(op).next().map(|value| body.ty(value));
        let regions = op.regions.clone();
        let subject = Subject { row, op: Some(op), attrs: body.attrs_of(op), constant, regions, location: None };
        let named = self.spelling(row);
        match self.options.style {
            Style::Generic => self.generic(&subject, named),
            Style::Custom if custom::can_express(self, &subject, named.form()) => self.custom(&subject, named),
            Style::Custom => {}
        }
    }

    /// Prints the entry or function of the body.
    pub(super) fn item(&mut self, op: Mnemonic) {
        let row = op.row();
        let mut attrs = vec![Attr::Absent; row.attrs.len()];
        set(&mut attrs, row, AttrName::SymName, Attr::Symbol(self.body.name.clone()));
        if let Some(hints) = &self.body.hints {
            set(&mut attrs, row, AttrName::OptimizationHints, Attr::Hints(hints.clone()));
        }
        if self.body.private {
            set(&mut attrs, row, AttrName::SymVisibility, Attr::Str(b"private"[..].into()));
        }
        let regions = 0..self.body.regions.len().min(1) as u32;
        let location = self.located.and_then(|(_, locations)| locations.entry);
        self.statement(&Subject { row, op: None, attrs: &attrs, constant: None, regions, location });
    }

    /// Prints the header of a module, up to its brace.
    pub(super) fn module(&mut self, producer: Option<&[u8]>) {
        let row = Mnemonic::Module.row();
        let mut attrs = vec![Attr::Absent; row.attrs.len()];
        set(&mut attrs, row, AttrName::SymName, Attr::Symbol(MODULE_NAME.into()));
        if let Some(producer) = producer {
            set(&mut attrs, row, AttrName::Producer, Attr::Str(producer.into()));
        }
        // It is the only op that always has its prefix.
        self.out.push(DIALECT_PREFIX);
        let subject = Subject { row, op: None, attrs: &attrs, constant: None, regions: 0..0, location: None };
        self.custom(&subject, Named { row, spelling: None });
        self.out.push(" {\n");
    }

    pub(super) fn global(&mut self, global: &Global) {
        let row = Mnemonic::Global.row();
        let mut attrs: Vec<Attr> = row.attrs.iter().map(Attr::default_of).collect();
        set(&mut attrs, row, AttrName::SymName, Attr::Symbol(global.name.clone()));
        set(&mut attrs, row, AttrName::Value, Attr::Dense(Box::new(global.value.clone())));
        set(&mut attrs, row, AttrName::Alignment, Attr::Int(global.alignment));
        if global.constant {
            set(&mut attrs, row, AttrName::Constant, Attr::Flag);
        }
        if global.private {
            set(&mut attrs, row, AttrName::SymbolVisibility, Attr::Enum(visibility::PRIVATE));
        }
        self.statement(&Subject {
            row,
            op: None,
            attrs: &attrs,
            constant: Some(global.ty),
            regions: 0..0,
            location: None,
        });
    }

    /// Prints the statements of a region.
    pub(super) fn ops(&mut self, ops: &[OpId]) {
        for &id in ops {
            let (body, op) = (self.body, self.body.op(id));
            let row = op.op.row();
            let attrs = body.attrs_of(op);
            let constant = body.results(op).next().map(|value| body.ty(value));
            let regions = op.regions.clone();
            let stated = |(_, locations): Located<'a>| locations.ops.get(id.0 as usize).copied().flatten();
            let location = self.located.and_then(stated);
            self.statement(&Subject { row, op: Some(op), attrs, constant, regions, location });
        }
    }

    fn statement(&mut self, subject: &Subject) {
        self.out.indent();
        if let Some(op) = subject.op
            && self.defines_names(subject.row, op)
        {
            self.names.push_definition(&mut self.out, op);
            self.out.push(" = ");
        }
        let named = self.spelling(subject.row);
        let is_custom = self.options.style == Style::Custom || subject.op.is_none();
        if is_custom && custom::can_express(self, subject, named.form()) {
            self.custom(subject, named);
        } else {
            self.generic(subject, named);
        }
        if let (Some((aliases, _)), Some(location)) = (self.located, subject.location) {
            aliases.push_location(&mut self.out, location);
        }
        self.out.end_line();
    }

    /// Whether an op has results that the statement names.
    fn defines_names(&self, row: &OpRow, op: &Op) -> bool {
        self.names.has_named_result(op) && !(0..row.results.len()).all(|index| self.is_hidden(row, op, index))
    }

    /// Whether a result does not exist in the target version, and is not used.
    pub(super) fn is_hidden(&self, row: &OpRow, op: &Op, index: usize) -> bool {
        let used = op.results.clone().any(|value| self.used.get(value as usize).is_some_and(|&used| used));
        row.results[index].since > self.options.version && !used
    }

    /// The spelling of an op in the target version.
    fn spelling(&self, row: &'static OpRow) -> Named {
        let version = self.options.version;
        let fits = |since, until: Option<_>| since <= version && until.is_none_or(|until| version < until);
        Named { row, spelling: row.spellings.iter().find(|spelling| fits(spelling.since, spelling.until)) }
    }

    /// Prints the braces of a region and the statements between them.
    pub(super) fn region(&mut self, id: RegionId, row: &RegionRow, keeps_terminator: bool) {
        let body = self.body;
        let ops = &body.region(id).ops;
        let is_implied = |&last: &OpId| {
            // A terminator with a location is kept.
            let op = body.op(last);
            Some(op.op) == row.terminator && body.operands(op).is_empty() && !self.is_located(last)
        };
        let shown = ops.len() - usize::from(!keeps_terminator && ops.last().is_some_and(is_implied));
        self.out.push("{");
        self.out.end_line();
        self.out.deeper();
        self.ops(&ops[..shown]);
        self.out.shallower();
        self.out.indent();
        self.out.push("}");
    }

    /// Whether an op has a known location.
    fn is_located(&self, op: OpId) -> bool {
        let stated = self.located.and_then(|(_, locations)| locations.ops.get(op.0 as usize).copied().flatten());
        stated.is_some_and(|location| location != DebugId::UNKNOWN)
    }

    /// Prints `(%a: T {name = value}, %b: T)`: the parameters of an entry with their attributes.
    pub(super) fn params(&mut self, args: &[Value]) {
        let (out, names, body) = (&mut self.out, &self.names, self.body);
        out.push("(");
        out.list(args.iter().enumerate(), |out, (index, &arg)| {
            names.push_use(out, arg);
            out.push(": ");
            out.push(&body.ty(arg).to_string());
            if let Some(attrs) = body.param_attrs.get(index).filter(|attrs| !attrs.is_empty()) {
                out.push(" ");
                attr::named(out, attrs);
            }
        });
        out.push(")");
    }

    /// Prints `(%a: T, %b: T)`.
    pub(super) fn block_args(&mut self, args: &[Value], spell: impl Fn(Type) -> String) {
        let (out, names, body) = (&mut self.out, &self.names, self.body);
        out.push("(");
        out.list(args, |out, &arg| {
            names.push_use(out, arg);
            out.push(": ");
            out.push(&spell(body.ty(arg)));
        });
        out.push(")");
    }
}

fn set(attrs: &mut [Attr], row: &OpRow, name: AttrName, value: Attr) {
    if let Some((index, _)) = row.attr(name) {
        attrs[index] = value;
    }
}
