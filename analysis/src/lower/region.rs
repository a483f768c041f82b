//! Lowering regions, their block arguments and their terminators.

use super::problem::Kind;
use super::{Frame, Lowerer};
use crate::build::BodyBuilder;
use crate::diagnostics as d;
use crate::ir::{Attr, RegionId, Value};
use crate::types::Type;
use crate::verify::hint;
use tile_dialect::{AttrKind, AttrName, Mnemonic, RegionRow, ops};
use tile_syntax::{Node, NodeKind};

impl Lowerer<'_> {
    /// Lowers an entry or a test function.
    pub(super) fn function(&mut self, node: Node, op: Mnemonic) {
        self.function_name(node, op);
        let mut results = Vec::new();
        self.offer_function_repair(node, op);
        let header = self.tree.child(node, NodeKind::Signature);
        let is_broken = header.is_some_and(|header| self.has_syntax_error(&self.range(header)));
        let mut is_tainted = header.is_none();
        let block = self.block_header(node);
        let (mut stated, mut attrs) = (Vec::new(), Vec::new());
        if let Some(signature) = header {
            for param in self.tree.children_of(signature, NodeKind::Param) {
                stated.push(self.param(param, op, block.is_some(), is_broken));
                attrs.push(self.named_attrs(param));
            }
            self.builder.set_param_attrs(attrs);
            if block.is_none() && !is_broken {
                self.nameless_params(signature);
            }
            if let Some(types) = self.tree.child(signature, NodeKind::Type) {
                results = self.result_types(types);
                if op == Mnemonic::Entry && !results.is_empty() {
                    is_tainted = true;
                    self.report(d::entry_result(self.range(types)));
                }
            }
        }
        let stated = match header {
            None => self.generic_signature_types(node, op),
            Some(signature) => self.named_by_block(node, signature).then_some(stated),
        };
        let name = self.tree.child(node, NodeKind::OpName).map_or(0..0, |name| self.range(name));
        self.frames.push(Frame { op, name, results, carried: Vec::new(), is_tainted });
        self.names.broken_headers += u32::from(is_broken);
        let rows = op.row().regions;
        for region in self.tree.children_of(node, NodeKind::Region) {
            if header.is_none() && self.is_blank(region) {
                self.report(d::empty_region(self.frame_name(), op.row().name, rows[0].name));
            }
            self.region(region, BodyBuilder::ENTRY, rows.first());
        }
        self.names.broken_headers -= u32::from(is_broken);
        self.frames.pop();
        if let Some(stated) = stated {
            self.compare_params(node, op, &stated);
        }
        self.generic_params();
        self.locate_function(node);
    }

    fn function_name(&mut self, node: Node, op: Mnemonic) {
        let is_name =
            |slot: u8| op.row().attrs.get(slot as usize).is_some_and(|attr| matches!(attr.kind, AttrKind::SymbolName));
        let attrs: Vec<Node> = self.tree.children_of(node, NodeKind::Attr).collect();
        if let Some(&name) = attrs.iter().find(|&&attr| is_name(self.tree.slot(attr))) {
            self.spans.name = self.range(name);
            self.builder.set_name(&crate::read::attr::symbol(self.tree.text(name, self.text)));
        }
        self.check_attr_versions(op.row(), node);
        self.function_hints(op, &attrs);
        if attrs.is_empty() {
            self.generic_function(node, op);
        }
        self.visibility(node, op);
    }

    /// Checks the visibility of a function, stated in its properties or its dictionary. An entry must be public.
    fn visibility(&mut self, node: Node, op: Mnemonic) {
        let Some((_, row)) = op.row().attr(AttrName::SymVisibility) else { return };
        let stated = self.entries(node).into_iter().find(|entry| entry.name == row.name);
        let Some(value) = stated.and_then(|entry| entry.value) else { return };
        match self.read_value(value, |reader| reader.generic(row)) {
            Ok(Some(Attr::Str(word))) if &word[..] == b"private" => {
                self.builder.set_private();
                let found = d::private_entry(self.range(value), self.builder.name());
                self.report(d::since_13_5(found, &self.context.options));
            }
            Ok(_) => {}
            Err(diagnostic) => self.report(*diagnostic),
        }
    }

    /// The name and hints of a function in generic form, which are among its properties.
    fn generic_function(&mut self, node: Node, op: Mnemonic) {
        for entry in self.entries(node) {
            let (Some((_, row)), Some(value)) = (op.row().attr_named(entry.name), entry.value) else { continue };
            if row.name == "arg_attrs" {
                self.builder.set_param_attrs(self.listed_attrs(value));
                continue;
            }
            match (row.kind, self.read_value(value, |reader| reader.generic(row))) {
                (AttrKind::SymbolName, Ok(Some(Attr::Symbol(name)))) => {
                    self.spans.name = self.range(value);
                    self.builder.set_name(&name);
                }
                (AttrKind::Hints, Ok(Some(Attr::Hints(hints)))) => self.builder.set_hints(*hints),
                (AttrKind::SymbolName | AttrKind::Hints, Err(diagnostic)) => self.report(*diagnostic),
                _ => {}
            }
        }
    }

    fn function_hints(&mut self, op: Mnemonic, attrs: &[Node]) {
        for &node in attrs {
            let row = &op.row().attrs[self.tree.slot(node) as usize];
            let tokens = self.tree.tokens_of(node);
            if !matches!(row.kind, AttrKind::Hints) || self.has_syntax_error(&self.range(node)) {
                continue;
            }
            let mut reader = crate::read::attr::AttrReader {
                text: self.text,
                tokens: &self.tree.tokens,
                at: tokens.start,
                end: tokens.end,
            };
            match reader.hints(Some(self.context)) {
                Ok(hints) => {
                    let (place, target) = (self.range(node), self.context.options.version);
                    self.report_all(hint::check(&hints, op, place, self.text, target));
                    self.builder.set_hints(hints);
                }
                Err(diagnostic) => self.report(*diagnostic),
            }
        }
    }

    /// Lowers a region of an op with this row.
    pub(super) fn region(&mut self, node: Node, region: RegionId, row: Option<&'static RegionRow>) {
        let mark = self.names.scope.mark();
        self.statements(node, region, true);
        self.end_region(node, region, row);
        self.names.scope.leave(mark);
    }

    /// Lowers a region of an op that is not in the table into the enclosing region.
    pub(super) fn nested_region(&mut self, node: Node, around: RegionId) {
        let mark = self.names.scope.mark();
        self.statements(node, around, false);
        self.names.scope.leave(mark);
    }

    fn statements(&mut self, node: Node, region: RegionId, has_args: bool) {
        for child in self.tree.children(node) {
            if self.problems.are_too_many() {
                break;
            }
            match self.tree.kind(child) {
                NodeKind::Op => self.op(child, region),
                NodeKind::BlockHeader => {
                    let args: Vec<Node> = self.tree.children_of(child, NodeKind::BlockArg).collect();
                    self.listed_args(has_args.then_some(region), &args);
                }
                NodeKind::Alias => self.report(d::alias_inside(self.range(child))),
                NodeKind::Error => self.unread(child, region),
                _ => {}
            }
        }
    }

    /// Text that could not be parsed as a statement: the values in it are marked as used, and its regions are lowered
    /// as usual.
    fn unread(&mut self, node: Node, region: RegionId) {
        self.frames.push(Frame::unread(Mnemonic::Module));
        for child in self.tree.children(node) {
            match self.tree.kind(child) {
                NodeKind::Operand => _ = self.resolve(child),
                NodeKind::Region => self.nested_region(child, region),
                _ => {}
            }
        }
        self.frames.pop();
    }

    /// Whether a region is completely empty, without even the header of a block.
    pub(super) fn is_blank(&self, region: Node) -> bool {
        self.tree.children(region).next().is_none()
    }

    /// The range of the name of the op whose region is being lowered.
    fn frame_name(&self) -> std::ops::Range<u32> {
        self.frames.last().map_or(0..0, |frame| frame.name.clone())
    }

    /// Adds an omitted terminator, and reports ops after a terminator.
    fn end_region(&mut self, node: Node, region: RegionId, row: Option<&'static RegionRow>) {
        self.check_after_terminator(node);
        let body = self.builder.body();
        let ends = body.region(region).ops.last().is_some_and(|&op| body.op(op).op.row().is_terminator());
        if let (false, Some(terminator)) = (ends, row.and_then(|row| row.terminator)) {
            self.missing_terminator(node, region, terminator);
        }
    }

    /// Reports an op after a terminator. A terminator without operands would parse names on the next line as its
    /// operands, so in that case the error is placed at the next op.
    fn check_after_terminator(&mut self, region: Node) {
        let row = |op: Node| ops().get(usize::from(self.tree.slot(op)));
        let mut known = self.tree.children_of(region, NodeKind::Op).filter(|&op| row(op).is_some());
        let terminator = known.find(|&op| row(op).is_some_and(|row| row.is_terminator()));
        let (Some(terminator), Some(next)) = (terminator, known.next()) else { return };
        let Some(name) = self.tree.child(terminator, NodeKind::OpName) else { return };
        let has_operands = self.tree.child(terminator, NodeKind::Operand).is_some();
        let results = self.tree.child(next, NodeKind::Result).filter(|_| !has_operands);
        self.report(Kind::EarlyTerminator(d::EarlyTerminator {
            terminator: row(terminator).map_or("", |row| row.name),
            place: self.range(name),
            next: results.map(|results| self.range(results)),
        }));
    }

    fn missing_terminator(&mut self, node: Node, region: RegionId, terminator: Mnemonic) {
        let Some(frame) = self.frames.last() else { return };
        // `yield` is checked with the enclosing op, once its regions have been lowered.
        let wanted = match (frame.op, terminator) {
            (_, Mnemonic::Continue) => &frame.carried,
            (Mnemonic::TestingFunc, Mnemonic::Return) => &frame.results,
            _ => &Vec::new(),
        };
        let tokens = self.tree.tokens_of(node);
        let complete = !self.has_syntax_error(&self.token_range(tokens.end.saturating_sub(1)));
        if !wanted.is_empty() && !frame.is_tainted && complete {
            let (op, name) = (frame.op.row().name, frame.name.clone());
            let types = wanted.clone();
            let brace = self.token_range(tokens.end - 1);
            self.report(d::missing_terminator(name, op, terminator.row().name, &types, brace));
        }
        self.implicit_terminator(terminator, region, node);
    }

    /// Adds block arguments with their types, `(%a: T, %b: T)`, to a region, or to none if the op is unknown.
    pub(super) fn listed_args(&mut self, region: Option<RegionId>, args: &[Node]) {
        for &arg in args {
            let ty = self.tree.child(arg, NodeKind::Type).map_or(Type::unknown(), |ty| self.ty(ty));
            let value = match region {
                Some(region) => self.builder.add_arg(region, ty),
                None => self.builder.add_value(ty),
            };
            self.define_arg(self.tree.tokens_of(arg).start, value);
        }
    }

    /// Adds the induction variable and the carried values of a loop.
    pub(super) fn header_args(
        &mut self,
        op: Mnemonic,
        region: RegionId,
        args: &[Node],
        induction: Option<Type>,
        carried: &[Type],
    ) {
        let is_for = op == Mnemonic::For;
        for (index, &arg) in args.iter().enumerate() {
            let ty = match index {
                0 if is_for => induction.unwrap_or(Type::unknown()),
                _ => carried.get(index - usize::from(is_for)).copied().unwrap_or(Type::unknown()),
            };
            let value: Value = self.builder.add_arg(region, ty);
            self.define_arg(self.tree.tokens_of(arg).start, value);
        }
    }
}
