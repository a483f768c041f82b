//! The typed IR: one [`Body`] per entry. It contains no text and no positions; those are in [`crate::source::Spans`].

mod def_use;

pub use def_use::Def;

use crate::types::{PreviewValue, Type};
use std::ops::Range;
use tile_dialect::{AttrRow, Element, Mnemonic, Presence};

/// A program as backends see it: the entries and globals of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The producer, if the text names one.
    pub producer: Option<Box<[u8]>>,
    /// Its globals, in source order.
    pub globals: Vec<Global>,
    /// Its entries, in source order.
    pub entries: Vec<std::sync::Arc<Body>>,
    /// Its functions without a body, which only exist in the SIMT preview.
    pub functions: Vec<Function>,
}

/// A variable in device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name, without `@`.
    pub name: Box<str>,
    /// Its type: a tile of rank 1.
    pub ty: Type,
    /// Its initial value.
    pub value: Dense,
    /// Its alignment in bytes; 0 if unspecified.
    pub alignment: i64,
    /// Whether it is never written.
    pub constant: bool,
    /// Whether it is private to its module; otherwise the host can find it by name.
    pub private: bool,
}

/// One entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// Its name, without `@`.
    pub name: Box<str>,
    /// Whether it is private, which tools before 13.5 accept.
    pub private: bool,
    /// The names of its parameters, without `%`, in order; their values are the arguments of region 0.
    pub params: Vec<Box<str>>,
    /// The attributes of each parameter; empty if none has any.
    pub param_attrs: Vec<NamedAttrs>,
    /// Optimization hints for the entry.
    pub hints: Option<Box<Hints>>,
    /// The types of all values.
    pub values: Vec<Type>,
    /// All ops. Every op follows the ops that enclose it.
    pub ops: Vec<Op>,
    /// All regions; region 0 is the entry's body.
    pub regions: Vec<Region>,
    pub(crate) operands: Vec<Value>,
    pub(crate) group_ends: Vec<u32>,
    pub(crate) attrs: Vec<Attr>,
}

/// A value, by number: an index into [`Body::values`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(pub u32);

/// An op, by number: an index into [`Body::ops`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpId(pub u32);

/// A region, by number: an index into [`Body::regions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionId(pub u32);

/// One op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// Which op it is.
    pub op: Mnemonic,
    /// Its results are the values `results.start..results.end`.
    pub results: Range<u32>,
    /// Its regions, in the order of its row; an absent optional region has no entry.
    pub regions: Range<u32>,
    pub(crate) operands: Range<u32>,
    pub(crate) group_ends: u32,
    pub(crate) attrs: u32,
}

/// One region: a block of ops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Its block arguments.
    pub args: Vec<Value>,
    /// Its ops, including an implicit terminator.
    pub ops: Vec<OpId>,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attr {
    /// Absent, without a default.
    Absent,
    /// A value of its enum.
    Enum(u8),
    /// Present.
    Flag,
    /// A number.
    Int(i64),
    /// A Boolean.
    Bool(bool),
    /// A string with escapes resolved, which need not be UTF-8.
    Str(Box<[u8]>),
    /// The name of a symbol, without `@`.
    Symbol(Box<str>),
    /// A constant.
    Dense(Box<Dense>),
    /// A list of numbers.
    IntList(Box<[i64]>),
    /// A list of Booleans.
    BoolList(Box<[bool]>),
    /// Typed numbers, as bit patterns of their element.
    Identities(Box<[(Element, u64)]>),
    /// Optimization hints.
    Hints(Box<Hints>),
    /// A predicate of an assumption.
    Predicate(Predicate),
    /// Constant parameters of a preview function, or values for them.
    Symbolic(Box<[PreviewValue]>),
    /// Any other value.
    Value(Box<AttrValue>),
}

/// The elements of a constant, as bit patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// The element type.
    pub element: Element,
    /// One for each element in row-major order, or a single one for all. [`Dense::new`] uses the latter where possible.
    pub bits: Box<[u64]>,
}

impl Dense {
    /// Creates a constant; if all elements are equal it stores a single one, however it was written.
    pub fn new(element: Element, mut bits: Vec<u64>) -> Dense {
        if bits.windows(2).all(|pair| pair[0] == pair[1]) {
            bits.truncate(1);
        }
        Dense { element, bits: bits.into() }
    }
}

/// Attributes sorted by name: the order in a dictionary has no meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedAttrs(Vec<(Box<str>, AttrValue)>);

impl FromIterator<(Box<str>, AttrValue)> for NamedAttrs {
    fn from_iter<I: IntoIterator<Item = (Box<str>, AttrValue)>>(attrs: I) -> NamedAttrs {
        let mut attrs: Vec<_> = attrs.into_iter().collect();
        attrs.sort_by(|(a, _), (b, _)| a.cmp(b));
        NamedAttrs(attrs)
    }
}

impl NamedAttrs {
    /// The attributes themselves.
    pub(crate) fn into_entries(self) -> Vec<(Box<str>, AttrValue)> {
        self.0
    }
}

impl std::ops::Deref for NamedAttrs {
    type Target = [(Box<str>, AttrValue)];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// A function without a body: a declaration or an implementation, as its op says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// [`Mnemonic::PreviewFunc`] or [`Mnemonic::PreviewExternImpl`].
    pub op: Mnemonic,
    /// One attribute for each in the op's row. Those stored in other fields are absent.
    pub attrs: Box<[Attr]>,
    /// Its arguments.
    pub params: Box<[Param]>,
    /// The types of its results.
    pub results: Box<[Type]>,
    /// The number of entries that precede it in the module.
    pub entries_before: usize,
}

/// An argument of a function without a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name, without `%`.
    pub name: Box<str>,
    /// Its type.
    pub ty: Type,
    /// Its attributes, sorted by name.
    pub attrs: NamedAttrs,
}

/// An attribute that is in no row, such as those of entry parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttrValue {
    /// Only a name.
    Unit,
    /// A Boolean.
    Bool(bool),
    /// A number, as a bit pattern of its element.
    Number(Element, u64),
    /// A string with escapes resolved, which need not be UTF-8.
    Str(Box<[u8]>),
    /// A type.
    Type(Type),
    /// A list.
    Array(Vec<AttrValue>),
    /// A dictionary.
    Dict(NamedAttrs),
    /// A predicate, as in an assumption.
    Predicate(Predicate),
    /// Optimization hints.
    Hints(Hints),
    /// An attribute of the SIMT preview.
    Preview(PreviewValue),
    /// Any other attribute, as text. The only one that bytecode supports is the reduction of a multimem op.
    Other(Box<str>),
}

impl AttrValue {
    /// The preview attribute, if it is one.
    pub fn as_preview(&self) -> Option<&PreviewValue> {
        match self {
            AttrValue::Preview(value) => Some(value),
            _ => None,
        }
    }
}

/// Optimization hints: for each architecture, named values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// The hints by architecture, such as `sm_90` or `default`, in source order.
    pub by_architecture: Vec<(Box<str>, NamedHints)>,
}

/// Hints by name.
pub type NamedHints = Vec<(Box<str>, HintValue)>;

/// The value of one hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintValue {
    /// A number.
    Int(i64),
    /// A Boolean.
    Bool(bool),
    /// Any other value, as text.
    Other(Box<str>),
}

/// The predicate of an `assume`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Every element is divisible, or the first one of each group.
    DivBy {
        /// The divisor; for pointers in bytes.
        divisor: u64,
        /// Groups of this many elements along a dimension: the first one is divisible and the others count up by one.
        every_along: Option<(i64, i64)>,
    },
    /// All elements of each group are equal; one group size for each dimension.
    SameElements(Box<[i64]>),
    /// Every element is in a closed interval, as signed.
    Bounded(Option<i64>, Option<i64>),
}

impl Body {
    /// Frees unused capacity.
    pub(crate) fn shrink(&mut self) {
        let Body {
            name: _,
            private: _,
            params,
            param_attrs,
            hints: _,
            values,
            ops,
            regions,
            operands,
            group_ends,
            attrs,
        } = self;
        params.shrink_to_fit();
        param_attrs.shrink_to_fit();
        values.shrink_to_fit();
        ops.shrink_to_fit();
        regions.shrink_to_fit();
        operands.shrink_to_fit();
        group_ends.shrink_to_fit();
        attrs.shrink_to_fit();
        for region in regions {
            region.args.shrink_to_fit();
            region.ops.shrink_to_fit();
        }
    }

    /// An op.
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.0 as usize]
    }

    /// A region.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0 as usize]
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.values[value.0 as usize]
    }

    /// All operands of an op.
    pub fn operands(&self, op: &Op) -> &[Value] {
        &self.operands[op.operands.start as usize..op.operands.end as usize]
    }

    /// The operands in the operand row `index`: exactly one, one or none, or any number. Empty if the row has no such
    /// operand.
    pub fn group(&self, op: &Op, index: usize) -> &[Value] {
        if index >= op.op.row().operands.len() {
            return &[];
        }
        let ends = &self.group_ends[op.group_ends as usize..];
        let start = if index == 0 { 0 } else { ends[index - 1] };
        &self.operands(op)[start as usize..ends[index] as usize]
    }

    /// The operand in the row `index`; `None` if it is optional and absent.
    pub fn operand(&self, op: &Op, index: usize) -> Option<Value> {
        self.group(op, index).first().copied()
    }

    /// The attribute of an op, by its index in the row.
    pub fn attr(&self, op: &Op, index: usize) -> &Attr {
        &self.attrs[op.attrs as usize + index]
    }

    /// The attribute of an op, by its index in the row, mutably.
    pub fn attr_mut(&mut self, op: OpId, index: usize) -> &mut Attr {
        let first = self.ops[op.0 as usize].attrs;
        &mut self.attrs[first as usize + index]
    }

    /// All attributes of an op, in the order of its row.
    pub fn attrs_of(&self, op: &Op) -> &[Attr] {
        &self.attrs[op.attrs as usize..][..op.op.row().attrs.len()]
    }

    /// The results of an op.
    pub fn results(&self, op: &Op) -> impl ExactSizeIterator<Item = Value> + use<> {
        op.results.clone().map(Value)
    }

    /// The regions of an op.
    pub fn regions_of(&self, op: &Op) -> impl ExactSizeIterator<Item = RegionId> + use<> {
        op.regions.clone().map(RegionId)
    }
}

impl Attr {
    /// The default value of an attribute.
    pub fn default_of(row: &AttrRow) -> Attr {
        match row.presence {
            Presence::Required | Presence::Optional => Attr::Absent,
            Presence::Default(value) => Attr::Enum(value),
            Presence::DefaultInt(value) => Attr::Int(value),
        }
    }

    /// The value of an enum attribute.
    pub fn as_enum(&self) -> Option<u8> {
        match self {
            Attr::Enum(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of a number attribute.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Attr::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether a flag is present.
    pub fn is_flag(&self) -> bool {
        matches!(self, Attr::Flag)
    }
}
