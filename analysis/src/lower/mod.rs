//! Lowering: from the syntax tree of an item to typed IR and diagnostics.

mod alias;
mod allow;
mod attr_value;
mod consequences;
mod custom;
mod debug;
pub(crate) mod generic;
mod generic_attr;
mod infer;
mod locations;
mod names;
pub(crate) mod op;
mod op_syntax;
pub(crate) mod optional_operands;
mod params;
mod problem;
mod read_op;
mod read_type;
mod region;
pub(crate) mod repair;
mod rules;
mod scope;
mod terminator;
pub(crate) mod trial;
mod type_cache;
pub(crate) mod version;

pub(crate) use crate::read::attr::Written;
pub use allow::Allowance;
pub use allow::remove_allowed;
pub(crate) use allow::{allowances, apply as apply_allowances};
pub(crate) use op_syntax::OpSpans;
pub(crate) use terminator::ended_by;
pub use type_cache::KnownTypes;

use crate::build::BodyBuilder;
use crate::context::Context;
use crate::debug_info::BodyDebug;
use crate::diagnostic::{Diagnostic, TOO_MANY};
use crate::gpu;
use crate::ir::{Body, RegionId, Value};
use crate::range_analysis::{Launched, certain_mistakes};
use crate::source::Spans;
use crate::types::Type;
use locations::Locations;
use problem::{Kind, Problem, Problems, Taint};
use rustc_hash::FxHashMap;
use scope::Names;
use std::ops::Range;
use std::sync::Arc;
use tile_dialect::Mnemonic;
use tile_syntax::{ErrorKind, Expected, Node, NodeKind, Tree};
use type_cache::TypeCache;

/// A lowered item.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// Its IR. If the text has errors, it contains the parts that could be lowered.
    pub body: Arc<Body>,
    /// The op of the item: an entry, or a function of upstream's tests.
    pub op: Mnemonic,
    /// The ranges of its parts.
    pub spans: Arc<Spans>,
    /// The debug information that its locations state.
    pub debug: Arc<BodyDebug>,
    /// Its errors and warnings, in source order; ranges are relative to the item's start.
    pub diagnostics: Vec<Diagnostic>,
    /// The lints that its comments allow.
    pub allowances: Vec<Allowance>,
}

impl Lowered {
    /// Releases spare capacity.
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
    // Most ops have one result; the rest is for the parameters of the entry.
    lowerer.names.scope.reserve(ops + 8);
    let op = lowerer.item();
    lowerer.finish(op)
}

/// Lowers statements outside any item, which only upstream's tests contain.
pub(crate) fn lower_loose(text: &str, tree: &Tree, context: &Context, nodes: &[Node]) -> Vec<Diagnostic> {
    let mut known = KnownTypes::default();
    let mut lowerer = Lowerer::new(text, tree, context, &mut known);
    lowerer.frames.push(Frame::unread(Mnemonic::TestingFunc));
    for &node in nodes {
        lowerer.op(node, BodyBuilder::ENTRY);
    }
    lowerer.finish(Mnemonic::TestingFunc).diagnostics
}

/// An op whose region is being lowered, with the data that the ops inside need.
#[derive(Clone)]
struct Frame {
    op: Mnemonic,
    /// The range of its name.
    name: Range<u32>,
    /// The types of its results.
    results: Vec<Type>,
    /// The types of the operands that `continue` needs.
    carried: Vec<Type>,
    /// Whether its types are not reliable enough to compare with.
    is_tainted: bool,
}

impl Frame {
    /// A frame without any known types.
    fn unread(op: Mnemonic) -> Frame {
        Frame { op, name: 0..0, results: Vec::new(), carried: Vec::new(), is_tainted: true }
    }
}

struct Lowerer<'a> {
    text: &'a str,
    tree: &'a Tree,
    context: &'a Context,
    builder: BodyBuilder,
    spans: Spans,
    locations: Locations<'a>,
    problems: Problems<'a>,
    types: TypeCache<'a>,
    names: Names<'a>,
    frames: Vec<Frame>,
    /// Values whose types may be wrong.
    tainted: FxHashMap<Value, Taint>,
}

impl<'a> Lowerer<'a> {
    fn new(text: &'a str, tree: &'a Tree, context: &'a Context, known_types: &'a mut KnownTypes) -> Self {
        Lowerer {
            text,
            tree,
            context,
            builder: BodyBuilder::new(""),
            spans: Spans::default(),
            locations: Locations::new(&context.debug),
            problems: Problems::new(tree),
            types: TypeCache::new(known_types),
            names: Names::default(),
            frames: Vec::new(),
            tainted: FxHashMap::default(),
        }
    }

    fn finish(mut self, op: Mnemonic) -> Lowered {
        // Uses are recorded in operand order, but lookup needs source order.
        self.spans.uses.sort_by_key(|(range, _)| range.start);
        let was_cut_off = self.problems.was_cut_off();
        let mut problems = self.problems.into_list();
        consequences::remove(&mut problems);
        let mut diagnostics: Vec<Diagnostic> =
            problems.into_iter().map(|problem| problem.diagnostic(self.tree, self.text)).collect();
        if self.context.options.rules && !was_cut_off {
            let mistakes = certain_mistakes(self.text, self.builder.body(), &self.spans, &Launched::default());
            diagnostics.extend(mistakes);
            if let Some(target) = self.context.options.target() {
                diagnostics.extend(gpu::lacks(self.builder.body(), &self.spans, target));
            }
        }
        let (allowances, mut wrong) = allow::allowances(self.text, self.tree, &self.spans);
        diagnostics.append(&mut wrong);
        let place = |found: &Diagnostic| (found.page, found.range.start);
        let unused = allow::apply(&allowances, self.text, &self.context.options, &mut diagnostics, place);
        diagnostics.extend(unused);
        Diagnostic::sort(&mut diagnostics);
        if was_cut_off || self.tree.has_too_many_errors() {
            diagnostics.last_mut().into_iter().for_each(|last| last.notes.push(TOO_MANY.to_string()));
        }
        Lowered {
            body: Arc::new(self.builder.finish()),
            op,
            spans: Arc::new(self.spans),
            debug: Arc::new(self.locations.store.own),
            diagnostics,
            allowances,
        }
    }

    fn report(&mut self, problem: impl Into<Problem<'a>>) {
        self.problems.push(problem.into());
    }

    fn report_all(&mut self, problems: impl IntoIterator<Item: Into<Problem<'a>>>) {
        problems.into_iter().for_each(|problem| self.report(problem));
    }

    /// Reports rules that the op with this name breaks.
    fn report_rules(&mut self, found: impl IntoIterator<Item: Into<Problem<'a>>>, name: &Range<u32>) {
        self.report_all(found.into_iter().map(|found| Problem { op: Some(name.clone()), ..found.into() }));
    }

    /// Lowers the item's own op and anything after it. Returns the op of the item.
    fn item(&mut self) -> Mnemonic {
        let mut item = Mnemonic::Entry;
        for node in self.tree.children(Node::ROOT) {
            if self.tree.kind(node) != NodeKind::Op {
                continue;
            }
            match self.tree.slot(node) {
                slot if slot == Mnemonic::Entry as u8 => self.function(node, Mnemonic::Entry),
                slot if slot == Mnemonic::TestingFunc as u8 => {
                    item = Mnemonic::TestingFunc;
                    self.function(node, item);
                }
                _ => self.after_item(node),
            }
        }
        item
    }

    /// Lowers a statement after the brace that closes the item.
    fn after_item(&mut self, node: Node) {
        if let Some(name) = self.tree.child(node, NodeKind::OpName) {
            let (place, name) = (self.range(name), self.tree.text(name, self.text));
            self.report(Kind::MisplacedOp { place, name });
        }
        self.frames.push(Frame::unread(Mnemonic::Module));
        self.op(node, BodyBuilder::ENTRY);
        self.frames.pop();
    }

    fn range(&self, node: Node) -> Range<u32> {
        self.tree.range(node)
    }

    fn token_range(&self, token: usize) -> Range<u32> {
        self.tree.tokens.start(token)..self.tree.tokens.end(token)
    }

    /// Whether there is a syntax error in this range.
    fn has_syntax_error(&self, range: &Range<u32>) -> bool {
        self.problems.has_syntax_error(range)
    }

    /// Whether there is a syntax error in this part of an op, other than missing types after it.
    fn is_unreadable(&self, range: &Range<u32>) -> bool {
        let is_inside =
            |number: usize| !matches!(self.tree.errors[number].kind, ErrorKind::Expected(Expected::Types(..)));
        self.problems.syntax_errors_in(range).any(is_inside)
    }

    /// Whether a syntax error is about this text, rather than about missing text next to it.
    fn is_error(&self, range: &Range<u32>) -> bool {
        let is_about = |number: usize| {
            let place = self.problems.syntax_place(number);
            place.start < range.end && range.start < place.end
        };
        self.problems.syntax_errors_in(range).any(is_about)
    }

    /// Adds a terminator that the text omits, at the closing brace of the region.
    fn implicit_terminator(&mut self, op: Mnemonic, region: RegionId, node: Node) {
        let tokens = self.tree.tokens_of(node);
        let brace = self.token_range(tokens.end.saturating_sub(1).max(tokens.start));
        let groups: &[&[Value]] = &[&[]];
        self.builder.push_op(region, op, groups, [], &[], &[]);
        self.spans.op_names.push(brace.clone());
        self.spans.statements.push(brace);
    }
}
