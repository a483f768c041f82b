//! The parameters of an entry, which are named in its signature or in the header of its block.

use super::Lowerer;
use super::problem::{Kind, Problem};
use crate::build::BodyBuilder;
use crate::diagnostics as d;
use crate::read::dict::entries_of;
use crate::types::{Type, TypeKind};
use std::ops::Range;
use tile_dialect::Mnemonic;
use tile_syntax::{Expected, Node, NodeKind, Token};

/// A type and its range.
pub(super) type Typed = (Type, Range<u32>);

impl Lowerer<'_> {
    /// Lowers a parameter of an entry. One without a name is named in the header of the block.
    pub(super) fn param(&mut self, node: Node, op: Mnemonic, names_block: bool, is_broken: bool) -> Typed {
        let ty_node = self.tree.child(node, NodeKind::Type);
        let ty = ty_node.map_or(Type::unknown(), |ty| self.ty(ty));
        let place = self.range(ty_node.unwrap_or(node));
        if let Some(dict) = self.tree.child(node, NodeKind::Dict) {
            self.param_attributes(dict, op);
        }
        let token = self.tree.tokens_of(node).start;
        let name = self.tree.tokens.text(token, self.text);
        let is_named = name.starts_with('%');
        match (op, ty.kind(), ty_node) {
            (Mnemonic::Entry, TypeKind::Tile(tile), Some(_)) if tile.rank() != 0 => {
                self.report(Kind::ParameterRank(d::ParameterRank { place: place.clone(), name, ty }));
            }
            (Mnemonic::Entry, TypeKind::Tile(_) | TypeKind::Unknown, _) => {}
            (Mnemonic::Entry, _, Some(_)) if !is_broken && !self.context.options.upstream_tests => {
                self.report(d::parameter_type(place.clone(), name, ty, &self.context.options));
            }
            _ => {}
        }
        if !is_named && names_block {
            return (ty, place);
        }
        let value = self.builder.add_param(name.trim_start_matches('%'), ty);
        if is_named {
            self.define(token, value, 1);
        } else {
            self.place_value(value, self.token_range(token));
        }
        (ty, place)
    }

    /// Checks the attributes of a parameter, whose names need the prefix of a dialect.
    fn param_attributes(&mut self, dict: Node, op: Mnemonic) {
        self.check_dict(dict);
        for entry in entries_of(self.tree, self.text, dict) {
            let start = self.range(entry.node).start;
            let place = start..start + entry.name.len() as u32;
            if self.text.get(place.start as usize..place.end as usize) == Some(entry.name)
                && let Some(found) = d::misspelled_parameter_attribute(place, entry.name)
            {
                self.report(found);
            }
        }
        let own = entries_of(self.tree, self.text, dict).find(|entry| !entry.name.contains('.'));
        if let Some(entry) = own {
            let function = self.tree.children(Node::ROOT).find_map(|op| self.tree.child(op, NodeKind::OpName));
            let function = function.map_or(0..0, |name| self.range(name));
            let found = d::parameter_attribute(self.range(entry.node), op.row().name, entry.name);
            self.report_rules([found], &function);
        }
    }

    /// Reports parameters that are named neither in the signature nor in the header of a block.
    pub(super) fn nameless_params(&mut self, signature: Node) {
        for param in self.tree.children_of(signature, NodeKind::Param) {
            let place = self.range(param);
            if !self.tree.text(param, self.text).starts_with('%') {
                self.report(d::missing_text(Expected::Value, place.clone(), place, self.text));
            }
        }
    }

    /// The header of the block of a function, if it has one.
    pub(super) fn block_header(&self, function: Node) -> Option<Node> {
        let mut regions = self.tree.children_of(function, NodeKind::Region);
        regions.find_map(|region| self.tree.child(region, NodeKind::BlockHeader))
    }

    /// Whether the parameters are named in the header of the block. Reports a header if the signature names them
    /// already.
    pub(super) fn named_by_block(&mut self, function: Node, signature: Node) -> bool {
        let Some(header) = self.block_header(function) else { return false };
        let first = self.tree.child(signature, NodeKind::Param);
        let is_named = first.is_some_and(|param| self.tree.first_text(param, self.text).starts_with('%'));
        if is_named {
            self.report(d::named_twice(self.range(header), self.range(signature)));
        }
        !is_named && !self.has_syntax_error(&self.range(signature))
    }

    /// The parameter types that a function in generic form states in its properties.
    pub(super) fn generic_signature_types(&mut self, node: Node, op: Mnemonic) -> Option<Vec<Typed>> {
        const PROPERTY: &str = "function_type";
        let Some(types) = self.entries(node).into_iter().find(|entry| entry.name == PROPERTY) else {
            let name = self.tree.child(node, NodeKind::OpName).map_or(self.range(node), |name| self.range(name));
            self.report(d::missing_attribute(name, op.row().name, PROPERTY));
            return None;
        };
        let tokens = self.tree.tokens_of(types.value?);
        let is_list = self.tree.tokens.kind(tokens.start) == Token::LeftParen;
        is_list.then(|| self.listed_types(tokens))
    }

    /// Checks the parameters of a block against those of the signature.
    pub(super) fn compare_params(&mut self, function: Node, op: Mnemonic, stated: &[Typed]) {
        let body = self.builder.body();
        let args = &body.region(BodyBuilder::ENTRY).args;
        let found: Vec<Typed> = args.iter().map(|&arg| (body.ty(arg), self.spans.definition(arg))).collect();
        if found.len() != stated.len() {
            let place = self.block_header(function).or_else(|| self.tree.child(function, NodeKind::OpName));
            let place = self.range(place.unwrap_or(function));
            return self.report(d::block_parameter_count(place, op.row().name, stated.len(), found.len()));
        }
        for ((expected, there), (ty, here)) in stated.iter().zip(found) {
            if *expected != ty && !expected.is_unknown() && !ty.is_unknown() {
                self.report(d::block_parameter(here, there.clone(), *expected, ty));
            }
        }
    }

    /// Names the parameters of a function in generic form, which are the arguments of its block.
    pub(super) fn generic_params(&mut self) {
        let body = self.builder.body();
        let places = body.region(BodyBuilder::ENTRY).args.iter().skip(body.params.len()).map(|&arg| {
            let place = self.spans.definition(arg);
            self.text[place.start as usize..place.end as usize].trim_start_matches('%').into()
        });
        let names: Vec<Box<str>> = places.collect();
        self.builder.name_params(names);
    }

    /// `-> T` or `-> (T, …)`: a list of types is parsed like a function type.
    pub(super) fn result_types(&mut self, node: Node) -> Vec<Type> {
        if !self.tree.text(node, self.text).starts_with('(') {
            return vec![self.ty(node)];
        }
        self.listed_types(self.tree.tokens_of(node)).into_iter().map(|(ty, _)| ty).collect()
    }

    /// The types of the list `(T, …)` at the start of the tokens.
    fn listed_types(&mut self, tokens: Range<usize>) -> Vec<Typed> {
        let mut found: Vec<Problem> = Vec::new();
        let types = crate::read::ty::listed(self.text, &self.tree.tokens, tokens, self.context, &mut found);
        self.report_all(found);
        types
    }
}
