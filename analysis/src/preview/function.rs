//! Functions without a body: declarations and implementations of a library.

use crate::ir::{Attr, AttrValue, Function, Param};
use crate::types::{Fragment, PreviewType, PreviewValue};
use tile_dialect::{ACCESS_ATTR, AttrName, Mnemonic, PreviewAttr};

impl Function {
    /// A function without arguments, results or attributes.
    pub fn new(op: Mnemonic, entries_before: usize) -> Function {
        let attrs = op.row().attrs.iter().map(Attr::default_of).collect();
        Function { op, attrs, params: Box::default(), results: Box::default(), entries_before }
    }

    /// Whether it is a declaration.
    pub fn is_declaration(&self) -> bool {
        self.op == Mnemonic::PreviewFunc
    }

    /// The attribute called `name` in the op's row.
    pub fn attr(&self, name: AttrName) -> &Attr {
        self.op.row().attr(name).map_or(&Attr::Absent, |(index, _)| &self.attrs[index])
    }

    /// Sets the attribute called `name`, if the op's row has it.
    pub fn set(&mut self, name: AttrName, value: Attr) {
        if let Some((index, _)) = self.op.row().attr(name) {
            self.attrs[index] = value;
        }
    }

    /// The symbol in an attribute; empty if it is absent.
    fn symbol(&self, name: AttrName) -> &str {
        match self.attr(name) {
            Attr::Symbol(symbol) => symbol,
            _ => "",
        }
    }

    fn symbolic(&self, name: AttrName) -> &[PreviewValue] {
        match self.attr(name) {
            Attr::Symbolic(values) => values,
            _ => &[],
        }
    }

    /// Its name, without `@`.
    pub fn name(&self) -> &str {
        self.symbol(AttrName::SymName)
    }

    /// The function that an implementation implements, without `@`.
    pub fn implements(&self) -> &str {
        self.symbol(AttrName::Implements)
    }

    /// Its constant parameters, which are [`PreviewAttr::ConstParam`] attributes.
    pub fn const_params(&self) -> &[PreviewValue] {
        self.symbolic(AttrName::ConstParams)
    }

    /// The values that an implementation passes to the constant parameters of the function it implements.
    pub fn const_args(&self) -> &[PreviewValue] {
        self.symbolic(AttrName::ConstArgs)
    }

    /// The group of threads that runs an implementation, a value of [`tile_dialect::SYNCHRONIZATION`].
    pub fn synchronization(&self) -> Option<u8> {
        match self.attr(AttrName::Synchronization) {
            Attr::Value(value) => value.as_preview().and_then(PreviewValue::keyword),
            _ => None,
        }
    }

    /// The architectures that an implementation is compiled for.
    pub fn arch(&self) -> &[AttrValue] {
        match self.attr(AttrName::Arch) {
            Attr::Value(value) => match &**value {
                AttrValue::Array(values) => values,
                _ => &[],
            },
            _ => &[],
        }
    }
}

impl Param {
    /// How the function accesses it, a value of [`tile_dialect::ACCESS`].
    pub fn access(&self) -> Option<u8> {
        let found = self.attrs.iter().find(|(name, _)| **name == *ACCESS_ATTR);
        let access = found.and_then(|(_, value)| value.as_preview());
        access.filter(|value| value.attr == PreviewAttr::Access).and_then(PreviewValue::keyword)
    }

    /// Its type, if that is a fragment.
    pub fn fragment(&self) -> Option<&'static Fragment> {
        match self.ty.as_preview() {
            Some(PreviewType::Fragment(fragment)) => Some(fragment),
            _ => None,
        }
    }
}
