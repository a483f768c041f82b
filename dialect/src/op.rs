//! The shape of a row: everything the tools know about one op.

use crate::{AttrName, AttrRow, Class, Element, Mnemonic, OperandName, Support, Version};

/// One op of the language.
#[derive(Debug)]
pub struct OpRow {
    /// Which op this is.
    pub op: Mnemonic,
    /// Its name in the text, without the dialect prefix.
    pub name: &'static str,
    /// Other spellings of the same op, from other versions.
    pub spellings: &'static [Spelling],
    /// Its number in bytecode; `None` for ops that live in the tables of a bytecode file (`module`, `entry`, `global`).
    pub opcode: Option<u16>,
    /// The chapter of the language it belongs to.
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
    /// How it is written, in the notation of [`crate::form`].
    pub form: &'static str,
    /// What must hold between the types of its operands and results. The same rules compute a result's type.
    pub rules: &'static [Rule],
    /// The contents of a bytecode body after the opcode, in the notation of [`crate::layout`].
    pub layout: &'static str,
    /// Whether and how it touches anything but its results.
    pub effect: Effect,
    /// Where control goes after it.
    pub flow: Flow,
    /// The default name of its result in printed text; empty if it is numbered. A constant adds its value. Results with
    /// separate rows have the names of their rows.
    pub result_name: &'static str,
    /// The GPUs that have it. What else it needs follows from the types of its values.
    pub gpus: Support,
    /// Uses of it that fewer GPUs support.
    pub limits: &'static [Limit],
    /// Its semantics in one paragraph.
    pub doc: &'static str,
}

/// A use of an op that not every GPU that has the op supports.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The attribute and its keyword.
    pub attr: (&'static str, &'static str),
    /// The operand and its element type.
    pub operand: (&'static str, Element),
    /// The GPUs that support it.
    pub gpus: Support,
}

/// An older or newer spelling of an op.
#[derive(Debug)]
pub struct Spelling {
    /// The other name.
    pub name: &'static str,
    /// The first version whose tools print this name.
    pub since: Version,
    /// The first version whose tools no longer do; `None` where they still do.
    pub until: Option<Version>,
    /// How it was written, where that differs from the row's own form.
    pub form: Option<&'static str>,
}

/// One operand of an op, or one group of them.
#[derive(Debug)]
pub struct OperandRow {
    /// Its name.
    pub name: &'static str,
    /// How many values it stands for.
    pub arity: Arity,
    /// What types it may have.
    pub class: Class,
    /// Its purpose.
    pub doc: &'static str,
    /// The first version that has it.
    pub since: Version,
}

/// One result of an op, or one group of them.
#[derive(Debug)]
pub struct ResultRow {
    /// Its name.
    pub name: &'static str,
    /// How many values it stands for: one or any number.
    pub arity: Arity,
    /// What types it may have.
    pub class: Class,
    /// The first version that has it.
    pub since: Version,
}

/// How many values an operand or a result stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Exactly one.
    One,
    /// One or none.
    Optional,
    /// Any number.
    Variadic,
}

/// One nested region.
#[derive(Debug)]
pub struct RegionRow {
    /// Its name.
    pub name: &'static str,
    /// The op that ends it where the text leaves it out.
    pub terminator: Option<Mnemonic>,
    /// How its block arguments are written.
    pub args: RegionArgs,
    /// The default names of its block arguments in printed text, in order. A name that ends in `#` is for all further
    /// arguments, which are numbered: `arg#` alone through all enclosing regions, others in each region.
    pub arg_names: &'static [&'static str],
    /// Whether the region may be absent.
    pub optional: bool,
}

/// Where the block arguments of a region are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionArgs {
    /// It has none.
    None,
    /// In the op's header: the signature of an entry, the induction variable and carried values of a loop.
    Header,
    /// In a list in front of the brace: `(%acc: tile<f32>, %x: tile<f32>) { … }`.
    Listed,
}

/// A relation between the types of operands and results, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// All have one type.
    SameType(&'static [&'static str]),
    /// All have one shape.
    SameShape(&'static [&'static str]),
    /// All have one element type.
    SameElement(&'static [&'static str]),
    /// All have one rank.
    SameRank(&'static [&'static str]),
    /// The first is an `i1` tile with the shape of the second.
    TruthOf(&'static str, &'static str),
    /// The first is a tile of pointers to the elements of the second, of the same shape.
    PointsTo(&'static str, &'static str),
    /// The first is the tile type that the second, a view, loads and stores.
    TileOfView(&'static str, &'static str),
    /// The second lists of types are equal one by one.
    SameTypes(&'static str, &'static str),
}

/// The effects of an op besides computing its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing at all: it may be removed, repeated and moved.
    Pure,
    /// Nothing, but it may be undefined for some operands.
    None,
    /// It reads or writes memory, prints, or stops the program.
    Memory,
    /// What its regions do.
    Regions,
}

/// Where control goes after an op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// To the next op.
    Next,
    /// Out of the region: the op ends its block.
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
    /// The operands and results that the rule is about.
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

    /// The operand or operand group with a name from a program or a notation, with its index.
    pub fn operand_named(&self, name: &str) -> Option<(usize, &'static OperandRow)> {
        self.operands.iter().enumerate().find(|(_, row)| row.name == name)
    }

    /// The attribute with a name from a program or a notation, with its index.
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
