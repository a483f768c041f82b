//! The result of a comparison, as plain data. Ranges are in bytes of the programs' texts.

use std::ops::Range;

/// The differences between two programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The programs that wrote the modules, if they differ. They are not part of the meaning.
    pub producer: Option<Change>,
    /// Globals and functions without a body that differ.
    pub symbols: Vec<SymbolDiff>,
    /// All entries, in the order of the first program; those that only the second one has are last.
    pub entries: Vec<EntryDiff>,
}

/// The differences between two globals, or two functions without a body.
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolDiff {
    /// `global` or `function`.
    pub kind: &'static str,
    /// The name and its range in the first program.
    pub a: Option<Place>,
    /// The name and its range in the second program.
    pub b: Option<Place>,
    /// The fields that differ.
    pub changes: Vec<Change>,
}

/// The differences between two entries.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryDiff {
    /// The entry of the first program: its name, and the range of the name.
    pub a: Option<Place>,
    /// The entry of the second program.
    pub b: Option<Place>,
    /// The differences between their headers.
    pub changes: Vec<Change>,
    /// The ops that differ, in the order of the text.
    pub ops: Vec<OpDiff>,
    /// The number of ops that both have.
    pub shared: usize,
}

/// A name in one of the texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The index of the entry among the entries of its program; 0 for other symbols.
    pub index: usize,
    /// The name, without the `@`.
    pub name: Box<str>,
    /// The range of the name.
    pub range: Range<u32>,
}

/// An op that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct OpDiff {
    /// The op in the first program; `None` if only the second one has it.
    pub a: Option<OpPlace>,
    /// The op in the second program.
    pub b: Option<OpPlace>,
    /// The fields that differ; empty if only one program has the op.
    pub changes: Vec<Change>,
    /// Why the op does not change the meaning, if so.
    pub harmless: Option<Harmless>,
}

/// An op in one of the texts.
#[derive(Clone, Debug, PartialEq)]
pub struct OpPlace {
    /// Its name.
    pub name: &'static str,
    /// The range of its statement, which includes its regions.
    pub range: Range<u32>,
    /// The number of ops in it, including itself.
    pub ops: usize,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What kind of field it is.
    pub kind: Kind,
    /// The name of the field; empty if the op has one field of this kind.
    pub name: String,
    /// The value in the first program; `None` if it is absent.
    pub a: Option<String>,
    /// The value in the second program.
    pub b: Option<String>,
}

/// A kind of field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The name of an entry or a global.
    Name,
    /// An optimization hint.
    Hint,
    /// An attribute.
    Attribute,
    /// The value of a constant or a global.
    Value,
    /// The op itself.
    Op,
    /// An operand.
    Operand,
    /// The type of a result, a parameter or a global.
    Type,
    /// The number of results.
    Results,
    /// The number of regions.
    Regions,
    /// A parameter that only one entry has.
    Parameter,
    /// The program that wrote the module.
    Producer,
}

/// Why an op without counterpart does not change the meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Harmless {
    /// Nothing with an effect depends on it.
    Unused,
    /// It computes a value again that both programs compute.
    Repeated,
}

/// How much two programs or entries differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// They mean the same.
    Same,
    /// They compute the same, but differ in optimization hints.
    Hints,
    /// They have the same ops, but differ in attributes or names.
    Attributes,
    /// They have different ops, operands or types.
    Different,
}

impl Verdict {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Hints => "hints",
            Verdict::Attributes => "attributes",
            Verdict::Different => "different",
        }
    }
}

impl Kind {
    /// Its name in JSON and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Name => "name",
            Kind::Hint => "hint",
            Kind::Attribute => "attribute",
            Kind::Value => "value",
            Kind::Op => "op",
            Kind::Operand => "operand",
            Kind::Type => "type",
            Kind::Results => "number of results",
            Kind::Regions => "number of regions",
            Kind::Parameter => "parameter",
            Kind::Producer => "producer",
        }
    }

    fn verdict(self) -> Verdict {
        match self {
            Kind::Producer => Verdict::Same,
            Kind::Hint => Verdict::Hints,
            Kind::Name | Kind::Attribute => Verdict::Attributes,
            _ => Verdict::Different,
        }
    }
}

impl Change {
    pub(crate) fn new(kind: Kind, name: impl Into<String>, a: impl ToString, b: impl ToString) -> Change {
        Change { kind, name: name.into(), a: Some(a.to_string()), b: Some(b.to_string()) }
    }
}

fn verdict_of(changes: &[Change]) -> Verdict {
    changes.iter().map(|change| change.kind.verdict()).max().unwrap_or(Verdict::Same)
}

impl OpDiff {
    /// How much the two ops differ.
    pub fn verdict(&self) -> Verdict {
        match (self.harmless, &self.a, &self.b) {
            (Some(_), ..) => Verdict::Same,
            (None, Some(_), Some(_)) => verdict_of(&self.changes),
            _ => Verdict::Different,
        }
    }
}

impl EntryDiff {
    /// How much the two entries differ.
    pub fn verdict(&self) -> Verdict {
        if self.a.is_none() || self.b.is_none() {
            return Verdict::Different;
        }
        let ops = self.ops.iter().map(OpDiff::verdict).max().unwrap_or(Verdict::Same);
        ops.max(verdict_of(&self.changes))
    }
}

impl SymbolDiff {
    /// How much the two symbols differ.
    pub fn verdict(&self) -> Verdict {
        if self.a.is_none() || self.b.is_none() { Verdict::Different } else { verdict_of(&self.changes) }
    }
}

impl Report {
    /// How much the two programs differ.
    pub fn verdict(&self) -> Verdict {
        let symbols = self.symbols.iter().map(SymbolDiff::verdict);
        symbols.chain(self.entries.iter().map(EntryDiff::verdict)).max().unwrap_or(Verdict::Same)
    }
}
