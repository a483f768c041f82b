//! The typed IR: one [`Body`] an entry. It holds no text and no positions; those stand in [`crate::source::Spans`].

mod def_use;

pub use def_use::Def;

use crate::types::{PreviewValue, Type};
use std::ops::Range;
use tile_dialect::{AttrRow, Element, Mnemonic, Presence};

/// A program as backends see it: the entries and globals of one module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The program that wrote it, where the text says so.
    pub producer: Option<Box<[u8]>>,
    /// Its globals, in the order of the text.
    pub globals: Vec<Global>,
    /// Its entries, in the order of the text.
    pub entries: Vec<std::sync::Arc<Body>>,
    /// Its functions without a body, which only the SIMT preview has.
    pub functions: Vec<Function>,
}

/// A variable in device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name, without `@`.
    pub name: Box<str>,
    /// Its type: a tile of rank 1.
    pub ty: Type,
    /// What it holds when the module is loaded.
    pub value: Dense,
    /// Its alignment in bytes; 0 where the text names none.
    pub alignment: i64,
    /// Whether it is never written.
    pub constant: bool,
    /// Whether only its module uses it; else the host can find it by name.
    pub private: bool,
}

/// One entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// Its name, without `@`.
    pub name: Box<str>,
    /// Whether it is private. Tools before 13.5 accept that, those since 13.5 do not.
    pub private: bool,
    /// The names of its parameters, without `%`, in order; their values are the arguments of region 0.
    pub params: Vec<Box<str>>,
    /// The attributes of each parameter; empty where none has any.
    pub param_attrs: Vec<NamedAttrs>,
    /// Advice to the compiler about the whole entry, where the text gives any.
    pub hints: Option<Box<Hints>>,
    /// The types of all values.
    pub values: Vec<Type>,
    /// All ops. Every op stands behind the ops of the regions around it, never before one that encloses it.
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
    /// Its ops. A terminator that the text leaves out is here all the same.
    pub ops: Vec<OpId>,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attr {
    /// It is absent and has no default.
    Absent,
    /// A value of its enum.
    Enum(u8),
    /// It is present.
    Flag,
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A string, escapes resolved. It need not be UTF-8.
    Str(Box<[u8]>),
    /// The name of a symbol, without `@`.
    Symbol(Box<str>),
    /// A constant.
    Dense(Box<Dense>),
    /// A list of numbers.
    IntList(Box<[i64]>),
    /// A list of truth values.
    BoolList(Box<[bool]>),
    /// Typed numbers, as bit patterns of their element.
    Identities(Box<[(Element, u64)]>),
    /// Optimization hints.
    Hints(Box<Hints>),
    /// A predicate of an assumption.
    Predicate(Predicate),
    /// Constant parameters of a preview function, or values for them.
    Symbolic(Box<[PreviewValue]>),
    /// A value of any other kind.
    Value(Box<AttrValue>),
}

/// The elements of a constant, as bit patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// What they are.
    pub element: Element,
    /// One for each element in row-major order, or a single one for all. [`Dense::new`] takes the latter wherever it can.
    pub bits: Box<[u64]>,
}

impl Dense {
    /// A constant of these elements; if all are equal it is a single one, however it was written.
    pub fn new(element: Element, mut bits: Vec<u64>) -> Dense {
        if bits.windows(2).all(|pair| pair[0] == pair[1]) {
            bits.truncate(1);
        }
        Dense { element, bits: bits.into() }
    }
}

/// Attributes by name, in the order of the names: nothing depends on the order of a dictionary.
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
    /// One attribute for each in the op's row. Those that other fields hold are absent.
    pub attrs: Box<[Attr]>,
    /// Its arguments.
    pub params: Box<[Param]>,
    /// The types of its results.
    pub results: Box<[Type]>,
    /// How many entries precede it in the module.
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

/// An attribute that belongs to no row, as the parameters of an entry have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttrValue {
    /// Nothing but its name.
    Unit,
    /// A truth value.
    Bool(bool),
    /// A number, as a bit pattern of its element.
    Number(Element, u64),
    /// A string, escapes resolved. It need not be UTF-8.
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
    /// Anything else, by its text. Bytecode can hold no other than a kind of reduction of a multimem op.
    Other(Box<str>),
}

impl AttrValue {
    /// The attribute of the preview that it is.
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
    /// The hints by architecture, such as `sm_90` or `default`, in the order of the text.
    pub by_architecture: Vec<(Box<str>, NamedHints)>,
}

/// Hints by name.
pub type NamedHints = Vec<(Box<str>, HintValue)>;

/// The value of one hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintValue {
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// Anything else, by its text.
    Other(Box<str>),
}

/// What an assumption promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Every element is divisible, or every first one of each group.
    DivBy {
        /// The divisor; for pointers it counts bytes.
        divisor: u64,
        /// Groups of this many elements along that dimension: the first is divisible and the others count up by one.
        every_along: Option<(i64, i64)>,
    },
    /// All elements of each group are equal; one group size for each dimension.
    SameElements(Box<[i64]>),
    /// Every element lies in a closed interval, read as signed.
    Bounded(Option<i64>, Option<i64>),
}

impl Body {
    /// Gives back the memory that was taken for growing.
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

    /// The operands of an op that belong to the operand row `index`: exactly one, one or none, or any number. None where
    /// its row has no such operand.
    pub fn group(&self, op: &Op, index: usize) -> &[Value] {
        if index >= op.op.row().operands.len() {
            return &[];
        }
        let ends = &self.group_ends[op.group_ends as usize..];
        let start = if index == 0 { 0 } else { ends[index - 1] };
        &self.operands(op)[start as usize..ends[index] as usize]
    }

    /// The operand of an op that the row `index` stands for; `None` where it is optional and absent.
    pub fn operand(&self, op: &Op, index: usize) -> Option<Value> {
        self.group(op, index).first().copied()
    }

    /// The attribute of an op with the index it has in its row.
    pub fn attr(&self, op: &Op, index: usize) -> &Attr {
        &self.attrs[op.attrs as usize + index]
    }

    /// The attribute of an op with the index it has in its row, to change it.
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
    /// The value that an attribute has where nothing is said about it.
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
