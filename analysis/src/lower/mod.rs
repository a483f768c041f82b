//! Lowering: from the syntax tree of an item to its typed IR, with what is wrong on the way.

mod alias;
mod allow;
mod attr_value;
mod debug;
pub(crate) mod generic;
mod generic_attr;
mod infer;
mod left_out;
pub(crate) mod op;
mod op_syntax;
mod params;
mod read_op;
mod region;
pub(crate) mod repair;
mod rules;
mod scope;
mod terminator;
pub(crate) mod version;

pub(crate) use crate::read::attr::Written;
pub(crate) use op_syntax::OpSpans;
pub(crate) use terminator::ended_by;

use crate::build::BodyBuilder;
use crate::context::Context;
use crate::debug_info::{BodyDebug, DebugId};
use crate::diagnostic::{Diagnostic, Label, Severity, TOO_MANY};
use crate::diagnostics as d;
use crate::gpu;
use crate::ir::{Body, OpId, RegionId, Value};
use crate::range_analysis::{Launched, certain_mistakes};
use crate::read::location::BodyStore;
use crate::read::ty;
use crate::source::Spans;
use crate::syntax_errors::place_of;
use crate::types::Type;
pub use allow::Allowance;
pub(crate) use allow::{allowances, apply as apply_allowances};
use op_syntax::OpSyntax;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Binding, Scope, Undeclared};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Arc, Weak};
use tile_dialect::Mnemonic;
use tile_syntax::{ErrorKind, Expected, MAX_ERRORS, Node, NodeKind, Token, Tree};

/// An item with a meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// Its IR. Where the text has errors it holds what could be understood.
    pub body: Arc<Body>,
    /// Which op the item is: an entry, or a function of upstream's tests.
    pub op: Mnemonic,
    /// Where its parts stand.
    pub spans: Arc<Spans>,
    /// What the text says about where its ops come from.
    pub debug: Arc<BodyDebug>,
    /// What is wrong or likely wrong, in the order of the text; ranges count from the item's start.
    pub diagnostics: Vec<Diagnostic>,
    /// The lints that its comments allow.
    pub allowances: Vec<Allowance>,
}

/// Types that have been read and about which there is nothing to tell, by their text. What is known from one item holds
/// for every other item of the file.
#[derive(Debug, Default)]
pub struct KnownTypes(FxHashMap<Box<str>, Type>);

thread_local! {
    /// What this thread knows, and of which file.
    static KNOWN: RefCell<(Weak<Context>, KnownTypes)> = RefCell::default();
}

impl KnownTypes {
    /// Lends what this thread knows from other items that see the same.
    pub(crate) fn with<T>(context: &Arc<Context>, work: impl FnOnce(&mut KnownTypes) -> T) -> T {
        KNOWN.with_borrow_mut(|(seen, known)| {
            if !std::ptr::eq(seen.as_ptr(), Arc::as_ptr(context)) {
                (*seen, *known) = (Arc::downgrade(context), KnownTypes::default());
            }
            work(known)
        })
    }
}

impl Lowered {
    /// Gives back the memory that was taken for growing.
    pub(crate) fn shrink(&mut self) {
        self.diagnostics.shrink_to_fit();
        if let Some(body) = Arc::get_mut(&mut self.body) {
            body.shrink();
        }
        if let Some(spans) = Arc::get_mut(&mut self.spans) {
            spans.shrink();
        }
    }
}

/// Lowers the tree of an item.
pub fn lower_item(text: &str, tree: &Tree, context: &Context, known: &mut KnownTypes) -> Lowered {
    let mut lowerer = Lowerer::new(text, tree, context, known);
    let (ops, operands) = (tree.count(NodeKind::Op), tree.count(NodeKind::Operand));
    lowerer.builder.reserve(ops, operands);
    lowerer.spans.reserve(ops, operands);
    // Most ops name one result, and an entry has parameters.
    lowerer.scope.reserve(ops + 8);
    lowerer.item();
    lowerer.finish()
}

/// Lowers statements that stand outside any item, which only upstream's tests have.
pub(crate) fn lower_loose(text: &str, tree: &Tree, context: &Context, nodes: &[Node]) -> Vec<Diagnostic> {
    let mut known = KnownTypes::default();
    let mut lowerer = Lowerer::new(text, tree, context, &mut known);
    lowerer.frames.push(Frame::unread(Mnemonic::TestingFunc));
    for &node in nodes {
        lowerer.op(node, BodyBuilder::ENTRY);
    }
    lowerer.finish().diagnostics
}

/// An op whose region is being lowered, as far as the ops inside must know it.
struct Frame {
    op: Mnemonic,
    /// Where its name stands.
    name: Range<u32>,
    /// The types of its results.
    results: Vec<Type>,
    /// The types that `continue` must hand on.
    carried: Vec<Type>,
    /// Whether its types are not known well enough to compare with.
    has_loose_ends: bool,
}

impl Frame {
    /// A frame of which nothing is known.
    fn unread(op: Mnemonic) -> Frame {
        Frame { op, name: 0..0, results: Vec::new(), carried: Vec::new(), has_loose_ends: true }
    }
}

/// For how many names of an item that stand for nothing the closest one is looked for.
const MAX_CORRECTED: usize = 200;

struct Lowerer<'a> {
    text: &'a str,
    tree: &'a Tree,
    context: &'a Context,
    builder: BodyBuilder,
    spans: Spans,
    diagnostics: Vec<Diagnostic>,
    scope: Scope<'a>,
    frames: Vec<Frame>,
    known_types: &'a mut KnownTypes,
    /// Types about which something has been told, by their text.
    told_types: FxHashMap<&'a str, Type>,
    op_kind: Mnemonic,
    /// Results of ops that are wrong: their types may be what is wrong with them.
    doubtful: FxHashSet<Value>,
    /// Those of them that have the types which the op states, if that is all that is wrong with it.
    disputable: FxHashSet<Value>,
    /// Whether one of them has been found to be used with another type.
    has_disputed: bool,
    /// Names that stand for nothing, with the values that stand in for them: each is reported once.
    undeclared: FxHashMap<&'a str, Undeclared>,
    /// What the text says about where the ops come from.
    debug: BodyStore<'a>,
    /// The subprogram of the first op that has one, and where its location stands.
    scoped_op: Option<(DebugId, Range<u32>)>,
    /// The same for the first op in another subprogram.
    other_scope: Option<(DebugId, Range<u32>)>,
    /// Ranges of syntax errors; an op that has one is not checked for what may follow from it. The first diagnostics are
    /// theirs, in the same order.
    syntax_errors: Vec<Range<u32>>,
    /// Syntax errors, by number, that follow from another mistake.
    forgiven: FxHashSet<usize>,
    /// The names that the ops around give their results: only behind their regions do these stand for them.
    pending: Vec<(usize, Binding)>,
    /// How many of the headers around cannot be read in full: names may be missing from them.
    broken_headers: u32,
    /// Regions into which the ops of unknown ops' regions have been lowered.
    loose: FxHashSet<RegionId>,
    /// Where terminators stand that end nothing there.
    misplaced: FxHashSet<u32>,
    /// Parameters that the body takes as something else than the signature says.
    disputed: FxHashSet<Value>,
    errors: ErrorCount,
}

/// How many errors were found, counted as they are needed.
#[derive(Default)]
struct ErrorCount {
    /// How many diagnostics were looked at.
    seen: usize,
    errors: usize,
    /// How many diagnostics there were when the errors became too many.
    enough: Option<usize>,
}

impl<'a> Lowerer<'a> {
    fn new(text: &'a str, tree: &'a Tree, context: &'a Context, known_types: &'a mut KnownTypes) -> Self {
        Lowerer {
            text,
            tree,
            context,
            builder: BodyBuilder::new(""),
            spans: Spans::default(),
            diagnostics: tree.errors.iter().map(|error| d::syntax(error, tree, text)).collect(),
            scope: Scope::default(),
            frames: Vec::new(),
            known_types,
            told_types: FxHashMap::default(),
            doubtful: FxHashSet::default(),
            disputable: FxHashSet::default(),
            has_disputed: false,
            undeclared: FxHashMap::default(),
            op_kind: Mnemonic::Entry,
            debug: BodyStore::new(&context.debug),
            scoped_op: None,
            other_scope: None,
            syntax_errors: tree.errors.iter().map(|error| place_of(error, tree)).collect(),
            forgiven: FxHashSet::default(),
            pending: Vec::new(),
            broken_headers: 0,
            disputed: FxHashSet::default(),
            loose: FxHashSet::default(),
            misplaced: FxHashSet::default(),
            errors: ErrorCount::default(),
        }
    }

    fn finish(mut self) -> Lowered {
        // Uses come in the order in which ops list them; looking one up wants the order of the text.
        self.spans.uses.sort_by_key(|(range, _)| range.start);
        // What was found after that follows from what was not looked at.
        if let Some(enough) = self.errors.enough {
            self.diagnostics.truncate(enough);
        }
        if self.context.options.rules && self.errors.enough.is_none() {
            let mistakes = certain_mistakes(self.text, self.builder.body(), &self.spans, &Launched::default());
            self.diagnostics.extend(mistakes);
            if let Some(target) = self.context.options.target() {
                self.diagnostics.extend(gpu::lacks(self.builder.body(), &self.spans, target));
            }
        }
        let (allowances, mut amiss) = allow::allowances(self.text, self.tree, &self.spans);
        self.diagnostics.append(&mut amiss);
        if !self.diagnostics.is_empty() || !allowances.is_empty() {
            self.tidy_diagnostics(&allowances);
        }
        if self.errors.enough.is_some() || self.tree.has_too_many_errors() {
            self.diagnostics.last_mut().into_iter().for_each(|last| last.notes.push(TOO_MANY.to_string()));
        }
        Lowered {
            body: Arc::new(self.builder.finish()),
            op: self.op_kind,
            spans: Arc::new(self.spans),
            debug: Arc::new(self.debug.said),
            diagnostics: self.diagnostics,
            allowances,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Whether the item has so many errors that the rest of it is not worth checking.
    fn gives_up(&mut self) -> bool {
        let ErrorCount { seen, errors, enough } = &mut self.errors;
        let fresh = &self.diagnostics[*seen..];
        *errors += fresh.iter().filter(|found| found.severity == Severity::Error).count();
        *seen = self.diagnostics.len();
        // Where the syntax alone is that bad, its errors are shown and no others.
        if *errors > MAX_ERRORS && enough.is_none() {
            *enough = Some(*seen);
        }
        enough.is_some()
    }

    /// Leaves out what follows from other mistakes, and sorts. One mistake about extents that several types of the item
    /// share is told once, with all of its places.
    fn tidy_diagnostics(&mut self, allowances: &[Allowance]) {
        let mut number = 0;
        self.diagnostics.retain(|_| (!self.forgiven.contains(&number), number += 1).0);
        allow::apply(allowances, self.text, &mut self.diagnostics);
        Diagnostic::sort(&mut self.diagnostics);
        let mut told: FxHashMap<String, usize> = FxHashMap::default();
        let mut kept: Vec<Diagnostic> = Vec::with_capacity(self.diagnostics.len());
        for diagnostic in self.diagnostics.drain(..) {
            if !d::is_about_an_extent(&diagnostic) {
                kept.push(diagnostic);
                continue;
            }
            match told.get(&diagnostic.message) {
                Some(&first) => kept[first].labels.push(Label { range: diagnostic.range, message: "and here".into() }),
                None => {
                    told.insert(diagnostic.message.clone(), kept.len());
                    kept.push(diagnostic);
                }
            }
        }
        self.diagnostics = kept;
    }

    /// Reports broken rules of an op. A rule is broken by the op as a whole: where the op spans lines, the place is its
    /// name, as in NVIDIA's checker, and the precise place is a label.
    fn report_rules(&mut self, found: impl IntoIterator<Item = Diagnostic>, name: &Range<u32>) {
        for mut diagnostic in found {
            let place = diagnostic.range.clone();
            let between = self.text.get(name.start as usize..place.start as usize).unwrap_or("");
            if between.contains('\n') {
                let label = std::mem::take(&mut diagnostic.label);
                diagnostic = Diagnostic { range: name.clone(), ..diagnostic }.label(place, label);
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// The item's own op, and anything that stands behind it.
    fn item(&mut self) {
        for node in self.tree.children(Node::ROOT) {
            if self.tree.kind(node) != NodeKind::Op {
                continue;
            }
            match self.tree.slot(node) {
                slot if slot == Mnemonic::Entry as u8 => self.function(node, Mnemonic::Entry),
                slot if slot == Mnemonic::TestingFunc as u8 => {
                    self.op_kind = Mnemonic::TestingFunc;
                    self.function(node, Mnemonic::TestingFunc);
                }
                _ => self.behind_item(node),
            }
        }
    }

    /// A statement behind the brace that closes the item.
    fn behind_item(&mut self, node: Node) {
        let name = self.tree.child(node, NodeKind::OpName);
        let told = self.diagnostics.iter().any(|found| found.page.code == d::MISPLACED_OP);
        if let (Some(name), false) = (name, told) {
            self.report(d::misplaced_op(self.range(name), self.tree.text(name, self.text)));
        }
        self.frames.push(Frame::unread(Mnemonic::Module));
        self.op(node, BodyBuilder::ENTRY);
        self.frames.pop();
    }

    // Text.

    fn range(&self, node: Node) -> Range<u32> {
        self.tree.range(node)
    }

    fn token_range(&self, token: usize) -> Range<u32> {
        self.tree.tokens.start(token)..self.tree.tokens.end(token)
    }

    /// Whether the parser found something wrong inside this range. The errors are sorted.
    fn has_syntax_error(&self, range: &Range<u32>) -> bool {
        let from = self.syntax_errors.partition_point(|error| error.end < range.start);
        self.syntax_errors.get(from).is_some_and(|error| error.start <= range.end)
    }

    /// Whether the parser found something wrong with this part of an op. Types that are missing after it are not.
    fn is_unreadable(&self, range: &Range<u32>) -> bool {
        let is_inside =
            |number: usize| !matches!(self.tree.errors[number].kind, ErrorKind::Expected(Expected::Types(..)));
        self.errors_in(range).any(is_inside)
    }

    /// The syntax errors in this range, by number.
    fn errors_in(&self, range: &Range<u32>) -> Range<usize> {
        let from = self.syntax_errors.partition_point(|error| error.end < range.start);
        let to = self.syntax_errors.partition_point(|error| error.start <= range.end);
        from..to.max(from)
    }

    /// The type that a node spells.
    fn ty(&mut self, node: Node) -> Type {
        let text = self.tree.text(node, self.text);
        if let Some(&known) = self.known_types.0.get(text).or_else(|| self.told_types.get(text)) {
            return known;
        }
        let tokens = self.tree.tokens_of(node);
        if tokens.is_empty() {
            return Type::unknown();
        }
        // Where the parser has found something at this place, that is told already.
        let told = self.has_syntax_error(&self.range(node));
        let before = self.diagnostics.len();
        let mut found = Vec::new();
        let ty = ty::read(self.text, &self.tree.tokens, tokens, self.context, &mut found);
        if !told || self.is_told_too_late(&self.range(node), &found) {
            self.diagnostics.append(&mut found);
        }
        if !ty.is_unknown() {
            self.check_type_version(node, ty);
            match told || self.diagnostics.len() > before {
                true => self.told_types.insert(text, ty),
                false => self.known_types.0.insert(text.into(), ty),
            };
        }
        ty
    }

    /// Whether what the parser has found at a place stands on a later line than what is wrong with the type there. Then it
    /// follows from that, and is forgiven.
    fn is_told_too_late(&mut self, place: &Range<u32>, found: &[Diagnostic]) -> bool {
        let Some(wrong) = found.first() else { return false };
        let errors = self.errors_in(place);
        let first = self.syntax_errors[errors.clone()].iter().map(|error| error.start).min();
        let between = first.and_then(|first| self.text.get(wrong.range.start as usize..first as usize));
        let is_later = between.is_some_and(|between| between.contains('\n'));
        if is_later {
            self.forgiven.extend(errors.filter(|&error| d::is_missing_text(&self.diagnostics[error])));
        }
        is_later
    }

    // Values.

    /// Gives a name to values.
    fn define(&mut self, token: usize, first: Value, count: u32) {
        let range = self.token_range(token);
        for rank in 0..count {
            let index = (first.0 + rank) as usize;
            self.spans.definitions.resize(self.spans.definitions.len().max(index + 1), 0..0);
            self.spans.ranks.resize(self.spans.ranks.len().max(index + 1), 0);
            self.spans.definitions[index] = range.clone();
            self.spans.ranks[index] = rank;
        }
        let name = &self.tree.tokens.text(token, self.text)[1..];
        if !self.undeclared.is_empty()
            && let Some(Undeclared { told: Some(told), taken, depth, .. }) = self.undeclared.remove(name)
        {
            let ty = self.builder.body().ty(first);
            let is_seen = self.frames.len() <= depth && !ty.is_unknown();
            match taken.filter(|&taken| is_seen && taken != ty) {
                Some(taken) => d::defined_otherwise(&mut self.diagnostics[told], name, range.clone(), ty, taken),
                None => self.tell_too_early(told, name, range.clone()),
            }
        }
        if let Some(taken) = self.scope.define(name, Binding { first, count }) {
            let earlier = self.spans.definition(taken.first);
            self.report(d::redefinition(range, name, earlier));
        }
    }

    /// Gives a name to an argument of a region.
    fn define_arg(&mut self, token: usize, value: Value) {
        let name = &self.tree.tokens.text(token, self.text)[1..];
        if !self.undeclared.is_empty()
            && let Some(Undeclared { told: Some(told), .. }) = self.undeclared.remove(name)
        {
            let place = self.token_range(token);
            d::defined_for_region(&mut self.diagnostics[told], name, place);
        }
        self.define(token, value, 1);
    }

    /// A name that has been used where nothing defined it is defined now. Whoever used it inside the same op's region can
    /// be told so.
    fn tell_too_early(&mut self, told: usize, name: &str, definition: Range<u32>) {
        let from = self.frames.last().map_or(0, |frame| frame.name.start);
        let found = &mut self.diagnostics[told];
        if (from..definition.start).contains(&found.range.start) {
            d::used_too_early(found, name, definition);
        }
    }

    /// The value that an operand names, or a value of unknown type.
    fn resolve(&mut self, node: Node) -> Value {
        let token = self.tree.tokens_of(node).start;
        let name = &self.tree.tokens.text(token, self.text)[1..];
        let rank = self.rank(node);
        let Some(binding) = self.scope.find(name).or_else(|| self.pending_result(name, token)) else {
            if let Some(known) = self.undeclared.get(name) {
                return known.stand_in;
            }
            let range = self.token_range(token);
            // Where a header cannot be read in full, the name may be one that is missing from it.
            let told = (self.broken_headers == 0).then_some(self.diagnostics.len());
            if told.is_some() {
                let found = self.undeclared_value(range.clone(), name, Type::unknown());
                self.report(found);
            }
            let stand_in = self.unknown_value(range);
            self.undeclared.insert(name, Undeclared { stand_in, told, taken: None, depth: self.frames.len() });
            return stand_in;
        };
        if rank >= binding.count {
            let definition = self.spans.definition(binding.first);
            if !self.gives_up() {
                self.report(d::result_number(self.range(node), name, rank, binding.count, definition));
            }
            return self.unknown_value(self.range(node));
        }
        let value = Value(binding.first.0 + rank);
        self.spans.uses.push((self.range(node), value));
        value
    }

    /// What to report of a name that nothing defines, used where a value of this type belongs.
    fn undeclared_value(&self, range: Range<u32>, name: &str, ty: Type) -> Diagnostic {
        // After many of them, looking for what was meant takes longer than all else.
        if self.undeclared.len() >= MAX_CORRECTED {
            return d::undeclared_value(range, name, std::iter::empty());
        }
        let text = |place: &Range<u32>| &self.text[place.start as usize..place.end as usize];
        let is_it = |place: &&Range<u32>| place.start < range.start && text(place).strip_prefix('%') == Some(name);
        if let Some(definition) = self.spans.definitions.iter().rev().find(is_it) {
            return d::out_of_scope(range, name, definition.clone());
        }
        let body = self.builder.body();
        let fits = |value: Value| ty.is_unknown() || [ty, Type::unknown()].contains(&body.ty(value));
        let known = self.scope.bindings().filter(|(_, binding)| fits(binding.first)).map(|(name, _)| name);
        d::undeclared_value(range, name, known)
    }

    /// A result of an op around, which its own region cannot use. Where a brace is lost, what is used behind the op seems
    /// to stand in it, so that it is known all the same.
    fn pending_result(&mut self, name: &str, used: usize) -> Option<Binding> {
        let text = |token| &self.tree.tokens.text(token, self.text)[1..];
        let (_, binding) = *self.pending.iter().rev().find(|(token, _)| text(*token) == name)?;
        // One op may have any number of operands.
        if self.broken_headers == 0 && !self.gives_up() {
            self.report(d::own_result(self.token_range(used), name));
        }
        Some(binding)
    }

    /// Lowers regions of an op that names its results behind them.
    fn with_pending(&mut self, op: OpId, parts: &OpSyntax, regions: impl FnOnce(&mut Self)) {
        let before = self.pending.len();
        if !parts.regions.is_empty() {
            let body = self.builder.body();
            let mut next = body.op(op).results.start;
            let end = body.op(op).results.end;
            for &(token, count) in &parts.results {
                if next + count <= end {
                    self.pending.push((token, Binding { first: Value(next), count }));
                }
                next += count;
            }
        }
        regions(self);
        self.pending.truncate(before);
        self.name_results(op, parts);
    }

    /// The `1` of `%a#1`.
    fn rank(&self, node: Node) -> u32 {
        let tokens = self.tree.tokens_of(node);
        let is_pack = tokens.len() > 1 && self.tree.tokens.kind(tokens.start + 1) == Token::AttrName;
        let number = || self.tree.tokens.text(tokens.start + 1, self.text)[1..].parse().ok();
        if is_pack { number().unwrap_or(u32::MAX) } else { 0 }
    }

    fn unknown_value(&mut self, range: Range<u32>) -> Value {
        let value = self.builder.add_value(Type::unknown());
        self.place_value(value, range);
        value
    }

    fn place_value(&mut self, value: Value, range: Range<u32>) {
        let index = value.0 as usize;
        self.spans.definitions.resize(self.spans.definitions.len().max(index + 1), 0..0);
        self.spans.ranks.resize(self.spans.ranks.len().max(index + 1), 0);
        self.spans.definitions[index] = range;
    }

    /// Adds a terminator that the text leaves out, at the closing brace of the region.
    fn implicit_terminator(&mut self, op: Mnemonic, region: RegionId, node: Node) {
        let tokens = self.tree.tokens_of(node);
        let brace = self.token_range(tokens.end.saturating_sub(1).max(tokens.start));
        let groups: &[&[Value]] = &[&[]];
        self.builder.push_op(region, op, groups, [], &[], &[]);
        self.spans.op_names.push(brace.clone());
        self.spans.statements.push(brace);
    }
}
