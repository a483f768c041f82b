//! The typed IR: one [`Body`] per entry. It holds no text and no positions; those are in [`crate::source::Spans`].

mod def_use;
mod replace;

pub use def_use::Def;

use crate::types::{PreviewValue, Type};
use std::ops::Range;
use tile_dialect::{AttrRow, Element, Mnemonic, Presence};

/// A program as backends see it: the entries and globals of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The producer named by the text, if any.
    pub producer: Option<Box<[u8]>>,
    /// The globals, in source order.
    pub globals: Vec<Global>,
    /// The entries, in source order.
    pub entries: Vec<std::sync::Arc<Body>>,
    /// The functions without a body, which exist only in the SIMT preview.
    pub functions: Vec<Function>,
}

/// A variable in device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// The name, without the `@`.
    pub name: Box<str>,
    /// The type: a tile of rank 1.
    pub ty: Type,
    /// The initial value.
    pub value: Dense,
    /// The alignment in bytes; 0 if the text states none.
    pub alignment: i64,
    /// Whether it is read-only.
    pub constant: bool,
    /// Whether it is visible only within its module. Otherwise the host can look it up by name.
    pub private: bool,
}

/// One entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The name, without the `@`.
    pub name: Box<str>,
    /// Whether it is private. Tools before 13.5 accept that; newer ones do not.
    pub private: bool,
    /// The names of the parameters in order, without the `%`; their values are the arguments of region 0.
    pub params: Vec<Box<str>>,
    /// The attributes of each parameter; empty if no parameter has any.
    pub param_attrs: Vec<NamedAttrs>,
    /// The optimization hints of the entry, if any.
    pub hints: Option<Box<Hints>>,
    /// The types of all values.
    pub values: Vec<Type>,
    /// All ops, in pre-order: an op precedes the ops of its regions.
    pub ops: Vec<Op>,
    /// All regions; region 0 is the entry's body.
    pub regions: Vec<Region>,
    pub(crate) operands: Vec<Value>,
    pub(crate) group_ends: Vec<u32>,
    pub(crate) attrs: Vec<Attr>,
}

/// A value: an index into [`Body::values`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(pub u32);

/// An op: an index into [`Body::ops`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpId(pub u32);

/// A region: an index into [`Body::regions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionId(pub u32);

/// One op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// The op's mnemonic.
    pub op: Mnemonic,
    /// The results, as a range of values.
    pub results: Range<u32>,
    /// The regions, in the order of the op's row; an absent optional region is omitted.
    pub regions: Range<u32>,
    pub(crate) operands: Range<u32>,
    pub(crate) group_ends: u32,
    pub(crate) attrs: u32,
}

/// One region: a block of ops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// The block arguments.
    pub args: Vec<Value>,
    /// The ops, including a terminator that the text omits.
    pub ops: Vec<OpId>,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attr {
    /// Absent, without a default.
    Absent,
    /// A value of the attribute's enum.
    Enum(u8),
    /// A flag that is present.
    Flag,
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A string with escapes resolved. It need not be UTF-8.
    Str(Box<[u8]>),
    /// The name of a symbol, without the `@`.
    Symbol(Box<str>),
    /// A constant.
    Dense(Box<Dense>),
    /// A list of integers.
    IntList(Box<[i64]>),
    /// A list of booleans.
    BoolList(Box<[bool]>),
    /// Typed numbers, as bit patterns of their element.
    Identities(Box<[(Element, u64)]>),
    /// Optimization hints.
    Hints(Box<Hints>),
    /// The predicate of an assumption.
    Predicate(Predicate),
    /// The constant parameters of a preview function, or the arguments for them.
    Symbolic(Box<[PreviewValue]>),
    /// Any other value.
    Value(Box<AttrValue>),
}

/// The elements of a constant, as bit patterns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dense {
    /// The element type.
    pub element: Element,
    /// One per element in row-major order, or a single one if all are equal. [`Dense::new`] prefers the single one.
    pub bits: Box<[u64]>,
}

impl Dense {
    /// A constant with these elements. If all are equal, only one is stored, however the constant was written.
    pub fn new(element: Element, mut bits: Vec<u64>) -> Dense {
        if bits.windows(2).all(|pair| pair[0] == pair[1]) {
            bits.truncate(1);
        }
        Dense { element, bits: bits.into() }
    }
}

/// Attributes sorted by name, because the order in a dictionary is insignificant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NamedAttrs(Vec<(Box<str>, AttrValue)>);

impl FromIterator<(Box<str>, AttrValue)> for NamedAttrs {
    fn from_iter<I: IntoIterator<Item = (Box<str>, AttrValue)>>(attrs: I) -> NamedAttrs {
        let mut attrs: Vec<_> = attrs.into_iter().collect();
        attrs.sort_by(|(a, _), (b, _)| a.cmp(b));
        NamedAttrs(attrs)
    }
}

impl NamedAttrs {
    /// Returns the attributes.
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

/// A function without a body: a declaration or an implementation, depending on its op.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// [`Mnemonic::PreviewFunc`] or [`Mnemonic::PreviewExternImpl`].
    pub op: Mnemonic,
    /// One attribute for each in the op's row. Those stored in other fields are absent here.
    pub attrs: Box<[Attr]>,
    /// The parameters.
    pub params: Box<[Param]>,
    /// The result types.
    pub results: Box<[Type]>,
    /// The number of entries that precede it in the module.
    pub entries_before: usize,
}

/// A parameter of a function without a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The name, without the `%`.
    pub name: Box<str>,
    /// The type.
    pub ty: Type,
    /// The attributes, sorted by name.
    pub attrs: NamedAttrs,
}

/// An attribute without a row in the dialect's tables, such as one of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrValue {
    /// A name without a value.
    Unit,
    /// A boolean.
    Bool(bool),
    /// A number, as the bit pattern of its element type.
    Number(Element, u64),
    /// A string with escapes resolved. It need not be UTF-8.
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
    /// Anything else, as text. In bytecode this can only be the reduction kind of a multimem op.
    Other(Box<str>),
}

impl AttrValue {
    /// The preview attribute, if this is one.
    pub fn as_preview(&self) -> Option<&PreviewValue> {
        match self {
            AttrValue::Preview(value) => Some(value),
            _ => None,
        }
    }
}

/// Optimization hints: named values for each architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hints {
    /// The hints by architecture, such as `sm_90` or `default`, in source order.
    pub by_architecture: Vec<(Box<str>, NamedHints)>,
}

/// Hints by name.
pub type NamedHints = Vec<(Box<str>, HintValue)>;

/// The value of one hint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HintValue {
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A string with escapes resolved. It need not be UTF-8.
    Str(Box<[u8]>),
    /// Anything else, as text.
    Other(Box<str>),
}

/// The property that an assumption guarantees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// Every element is divisible, or only the first of each group.
    DivBy {
        /// The divisor; in bytes for pointers.
        divisor: u64,
        /// The group size and the dimension: the first element of each group is divisible and the others count up by
        /// one.
        every_along: Option<(i64, i64)>,
    },
    /// All elements of each group are equal; one group size for each dimension.
    SameElements(Box<[i64]>),
    /// Every element, read as signed, lies in a closed interval.
    Bounded(Option<i64>, Option<i64>),
}

impl Body {
    /// Releases spare capacity.
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

    /// Returns an op.
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.0 as usize]
    }

    /// Returns a region.
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

    /// The operands of an op that belong to its operand row `index`: one, at most one, or any number, depending on the
    /// row. Empty if the op has no such row.
    pub fn group(&self, op: &Op, index: usize) -> &[Value] {
        if index >= op.op.row().operands.len() {
            return &[];
        }
        let ends = &self.group_ends[op.group_ends as usize..];
        let start = if index == 0 { 0 } else { ends[index - 1] };
        &self.operands(op)[start as usize..ends[index] as usize]
    }

    /// The operand of an op for its operand row `index`; `None` if it is optional and absent.
    pub fn operand(&self, op: &Op, index: usize) -> Option<Value> {
        self.group(op, index).first().copied()
    }

    /// The attribute of an op for its attribute row `index`.
    pub fn attr(&self, op: &Op, index: usize) -> &Attr {
        &self.attrs[op.attrs as usize + index]
    }

    /// The attribute of an op for its attribute row `index`, for modification.
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
    /// The value of an attribute that the text omits.
    pub fn default_of(row: &AttrRow) -> Attr {
        match row.presence {
            Presence::Required | Presence::Optional => Attr::Absent,
            Presence::Default(value) => Attr::Enum(value),
            Presence::DefaultInt(value) => Attr::Int(value),
        }
    }

    /// The value, if this is an enum attribute.
    pub fn as_enum(&self) -> Option<u8> {
        match self {
            Attr::Enum(value) => Some(*value),
            _ => None,
        }
    }

    /// The value, if this is an integer attribute.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Attr::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether this is a flag that is present.
    pub fn is_flag(&self) -> bool {
        matches!(self, Attr::Flag)
    }
}
