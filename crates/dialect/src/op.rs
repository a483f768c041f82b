//! The structure of a row: everything the tools know about one op.

use crate::{AttrName, AttrRow, Class, Element, Mnemonic, OperandName, Support, Version};

/// One op of the language.
#[derive(Debug)]
pub struct OpRow {
    /// The op.
    pub op: Mnemonic,
    /// Its name in the text, without the dialect prefix.
    pub name: &'static str,
    /// Spellings of the op in other versions.
    pub spellings: &'static [Spelling],
    /// Its number in bytecode; `None` for ops that bytecode stores in tables (`module`, `entry`, `global`).
    pub opcode: Option<u16>,
    /// The chapter of the language that it belongs to.
    pub group: Group,
    /// The first version that has it.
    pub since: Version,
    /// The values it reads, in the order of bytecode and generic form.
    pub operands: &'static [OperandRow],
    /// Its attributes, in the order of generic form.
    pub attrs: &'static [AttrRow],
    /// The values it defines.
    pub results: &'static [ResultRow],
    /// Its nested regions.
    pub regions: &'static [RegionRow],
    /// Its custom form, in the notation of [`crate::form`].
    pub form: &'static str,
    /// Constraints between the types of its operands and results. They are also used to infer result types.
    pub rules: &'static [Rule],
    /// The content of its bytecode body after the opcode, in the notation of [`crate::layout`].
    pub layout: &'static str,
    /// Its side effects.
    pub effect: Effect,
    /// Where control goes after it.
    pub flow: Flow,
    /// The default name of its result in printed text; empty for a number. The value of a constant is appended. If each
    /// result has its own row, the names of the rows are used instead.
    pub result_name: &'static str,
    /// The GPUs that support it. Requirements of its element types are not included.
    pub gpus: Support,
    /// Uses of it that fewer GPUs support.
    pub limits: &'static [Limit],
    /// Its description: one paragraph about its meaning.
    pub doc: &'static str,
}

/// A use of an op that only some of the GPUs with that op support.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The attribute and its keyword.
    pub attr: (&'static str, &'static str),
    /// The operand and its element type.
    pub operand: (&'static str, Element),
    /// The GPUs that support it.
    pub gpus: Support,
}

/// A spelling of an op in other versions.
#[derive(Debug)]
pub struct Spelling {
    /// The other name.
    pub name: &'static str,
    /// The first version whose tools print this name.
    pub since: Version,
    /// The first version whose tools no longer print it; `None` if they still do.
    pub until: Option<Version>,
    /// Its form, if it differs from the row's own.
    pub form: Option<&'static str>,
}

/// An operand of an op, or an operand group.
#[derive(Debug)]
pub struct OperandRow {
    /// Its name.
    pub name: &'static str,
    /// The number of values it consists of.
    pub arity: Arity,
    /// The types it can have.
    pub class: Class,
    /// Its description.
    pub doc: &'static str,
    /// The first version that has it.
    pub since: Version,
}

/// A result of an op, or a result group.
#[derive(Debug)]
pub struct ResultRow {
    /// Its name.
    pub name: &'static str,
    /// The number of values it consists of: one, or any number.
    pub arity: Arity,
    /// The types it can have.
    pub class: Class,
    /// The first version that has it.
    pub since: Version,
}

/// The number of values that an operand or a result consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Exactly one.
    One,
    /// One or none.
    Optional,
    /// Any number.
    Variadic,
}

/// A nested region.
#[derive(Debug)]
pub struct RegionRow {
    /// Its name.
    pub name: &'static str,
    /// The op that ends it implicitly if the text omits the terminator.
    pub terminator: Option<Mnemonic>,
    /// How its block arguments are written.
    pub args: RegionArgs,
    /// The default names of its block arguments in printed text, in order. A name that ends in `#` is used for all
    /// further arguments, with a number appended: for `arg#` alone, the numbering includes enclosing regions; otherwise
    /// it restarts in each region.
    pub arg_names: &'static [&'static str],
    /// Whether the region can be absent.
    pub optional: bool,
}

/// Where the block arguments of a region are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionArgs {
    /// It has none.
    None,
    /// In the op's header: the signature of an entry, the induction variable and carried values of a loop.
    Header,
    /// In a list before the brace: `(%acc: tile<f32>, %x: tile<f32>) { … }`.
    Listed,
}

/// A constraint between the types of operands and results, which are given by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// All have the same type.
    SameType(&'static [&'static str]),
    /// All have the same shape.
    SameShape(&'static [&'static str]),
    /// All have the same element type.
    SameElement(&'static [&'static str]),
    /// All have the same rank.
    SameRank(&'static [&'static str]),
    /// The first is an `i1` tile with the shape of the second.
    TruthOf(&'static str, &'static str),
    /// The first is a tile of pointers to the elements of the second, of the same shape.
    PointsTo(&'static str, &'static str),
    /// The first is the tile type that is loaded from and stored to the second, a view.
    TileOfView(&'static str, &'static str),
    /// The two groups have the same lists of types.
    SameTypes(&'static str, &'static str),
}

/// The side effects of an op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// None: it can be removed, repeated and moved.
    Pure,
    /// None, but its behavior can be undefined for some operands.
    None,
    /// It reads or writes memory, prints, or stops the program.
    Memory,
    /// The effects of the ops in its regions.
    Regions,
}

/// Where control flow continues after an op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// At the next op.
    Next,
    /// Outside the region: the op ends its block.
    Terminator,
}

/// A chapter of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Group {
    Core,
    Integer,
    Float,
    Bitwise,
    Conversion,
    ControlFlow,
    View,
    Memory,
    Atomic,
    Misc,
    Preview,
    Testing,
}

impl Rule {
    /// The operands and results that the rule constrains.
    pub fn names(&self) -> Vec<&'static str> {
        match *self {
            Rule::SameType(names) | Rule::SameShape(names) | Rule::SameElement(names) | Rule::SameRank(names) => {
                names.to_vec()
            }
            Rule::TruthOf(a, b) | Rule::PointsTo(a, b) | Rule::TileOfView(a, b) | Rule::SameTypes(a, b) => vec![a, b],
        }
    }
}

impl OpRow {
    /// The operand or operand group of this name, with its index.
    pub fn operand(&self, name: OperandName) -> Option<(usize, &'static OperandRow)> {
        self.operand_named(name.text())
    }

    /// The attribute of this name, with its index.
    pub fn attr(&self, name: AttrName) -> Option<(usize, &'static AttrRow)> {
        self.attr_named(name.text())
    }

    /// Like [`OpRow::operand`], for a name from a program or from the table's notation.
    pub fn operand_named(&self, name: &str) -> Option<(usize, &'static OperandRow)> {
        self.operands.iter().enumerate().find(|(_, row)| row.name == name)
    }

    /// Like [`OpRow::attr`], for a name from a program or from the table's notation.
    pub fn attr_named(&self, name: &str) -> Option<(usize, &'static AttrRow)> {
        self.attrs.iter().enumerate().find(|(_, row)| row.name == name)
    }

    /// The result or result group called `name`, with its index.
    pub fn result(&self, name: &str) -> Option<(usize, &'static ResultRow)> {
        self.results.iter().enumerate().find(|(_, row)| row.name == name)
    }

    /// The region called `name`, with its index.
    pub fn region(&self, name: &str) -> Option<(usize, &'static RegionRow)> {
        self.regions.iter().enumerate().find(|(_, row)| row.name == name)
    }

    /// Whether it belongs to the SIMT preview.
    pub fn is_preview(&self) -> bool {
        self.group == Group::Preview
    }

    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        self.flow == Flow::Terminator
    }
}
