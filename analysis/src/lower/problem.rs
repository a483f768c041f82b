//! Problems found by lowering, as data: each keeps its subject, so that later problems can add to it. The module
//! `consequences` removes those that follow from others.

use crate::diagnostic::{Diagnostic, Fix, Label, Severity};
use crate::diagnostics as d;
use crate::diagnostics::{
    BadExtent, Disagreement, EarlyTerminator, MisplacedTerminator, ParameterRank, Redefinition, TypeMismatch,
    UndeclaredValue, UnknownType, WrongClass, WrongTypeCount,
};
use crate::read::ty::TypeProblem;
use crate::syntax_errors::place_of;
use std::ops::Range;
use tile_syntax::{ErrorKind, MAX_ERRORS, Tree};

/// A problem of an item.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    pub(super) kind: Kind<'a>,
    /// Fixes in addition to those of the diagnostic itself.
    pub(super) fixes: Vec<Fix>,
    /// The name of the op that breaks a rule. Because a rule applies to the op as a whole, a violation on a later line
    /// is reported at the name, as in NVIDIA's checker, with a label at the precise place.
    pub(super) op: Option<Range<u32>>,
    /// Whether its subject is tainted by another problem.
    pub(super) is_tainted: bool,
}

#[derive(Debug)]
pub(super) enum Kind<'a> {
    /// A syntax error, by its index in the tree.
    Syntax(usize, Vec<Repair>),
    Undeclared(UndeclaredValue<'a>),
    Redefinition(Redefinition<'a>),
    Mismatch {
        found: TypeMismatch<'a>,
        is_parameter: bool,
        /// Why the type of the value may itself be wrong.
        taint: Option<Taint>,
    },
    WrongClass(WrongClass),
    Disagreement(Disagreement),
    TypeCount(WrongTypeCount),
    ParameterRank(ParameterRank<'a>),
    UnknownType(UnknownType),
    Extent(BadExtent),
    /// An op outside any item.
    MisplacedOp {
        place: Range<u32>,
        name: &'a str,
    },
    MisplacedTerminator(MisplacedTerminator),
    EarlyTerminator(EarlyTerminator),
    /// A problem that stands alone: no other problem depends on it or changes it.
    Independent(Diagnostic),
}

/// Why the type of a value may be wrong, although the problem is reported at its uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taint {
    /// The op that defines it could not be read in full.
    Unread,
    /// The op that defines it breaks a rule, and states this type.
    Stated,
}

/// Details that improve the message of a syntax error or fix it.
#[derive(Debug)]
pub(super) enum Repair {
    /// These types are missing.
    Types(String),
    /// The keyword of a token operand is missing.
    TokenKeyword,
    /// The value with this name, without `%`, was probably meant.
    Value(String),
    /// A literal needs its element type; this is the complete literal.
    Literal(String),
    /// A literal is used as an operand; this constant, with this name, can be inserted before the statement.
    Constant { statement: u32, indent: String, name: String, constant: String },
}

impl<'a> From<Kind<'a>> for Problem<'a> {
    fn from(kind: Kind<'a>) -> Self {
        Problem { kind, fixes: Vec::new(), op: None, is_tainted: false }
    }
}

impl From<Diagnostic> for Problem<'_> {
    fn from(found: Diagnostic) -> Self {
        Kind::Independent(found).into()
    }
}

impl From<TypeProblem> for Problem<'_> {
    fn from(found: TypeProblem) -> Self {
        match found {
            TypeProblem::Extent(found) => Kind::Extent(found).into(),
            TypeProblem::Name(found) => Kind::UnknownType(found).into(),
            TypeProblem::Other(found) => found.into(),
        }
    }
}

impl<'a> Problem<'a> {
    /// Whether it could be fixed by the types that follow from the operands.
    pub(super) fn is_about_types(&self) -> bool {
        matches!(self.kind, Kind::Mismatch { .. } | Kind::Disagreement(_) | Kind::TypeCount(_))
    }

    /// Whether it reports that the word at `start` is not the name of a type.
    pub(super) fn is_unknown_type_at(&self, start: u32) -> bool {
        matches!(&self.kind, Kind::UnknownType(found) if found.place().start == start)
    }

    fn is_error(&self) -> bool {
        match &self.kind {
            Kind::Independent(found) => found.severity == Severity::Error,
            _ => !self.is_tainted,
        }
    }

    /// Converts it to a diagnostic.
    pub(super) fn diagnostic(self, tree: &Tree, text: &str) -> Diagnostic {
        let mut found = match self.kind {
            Kind::Syntax(number, repairs) => {
                let found = d::syntax(&tree.errors[number], tree, text);
                repairs.iter().fold(found, |found, repair| repair.apply(found))
            }
            Kind::Undeclared(found) => found.diagnostic(),
            Kind::Redefinition(found) => found.diagnostic(),
            Kind::Mismatch { found, .. } => found.diagnostic(),
            Kind::WrongClass(found) => found.diagnostic(),
            Kind::Disagreement(found) => found.diagnostic(),
            Kind::TypeCount(found) => found.diagnostic(),
            Kind::ParameterRank(found) => found.diagnostic(),
            Kind::UnknownType(found) => found.diagnostic(),
            Kind::Extent(found) => found.diagnostic(),
            Kind::MisplacedOp { place, name } => d::misplaced_op(place, name),
            Kind::MisplacedTerminator(found) => found.diagnostic(),
            Kind::EarlyTerminator(found) => found.diagnostic(),
            Kind::Independent(found) => found,
        };
        found.fixes.extend(self.fixes);
        match self.op {
            Some(op) => at_op(found, op, text),
            None => found,
        }
    }
}

/// Moves the report of a broken rule to the name of its op if it is on a later line.
fn at_op(mut found: Diagnostic, op: Range<u32>, text: &str) -> Diagnostic {
    let is_on_another_line =
        text.get(op.start as usize..found.range.start as usize).is_some_and(|between| between.contains('\n'));
    if is_on_another_line {
        let range = std::mem::replace(&mut found.range, op);
        found.labels.push(Label { range, message: std::mem::take(&mut found.label) });
    }
    found
}

impl Repair {
    fn apply(&self, found: Diagnostic) -> Diagnostic {
        match self {
            Repair::Types(types) => d::missing_types(found, types),
            Repair::TokenKeyword => d::missing_token_keyword(found),
            Repair::Value(name) => d::write_value(found, name),
            Repair::Literal(literal) => d::element_literal(found, literal),
            Repair::Constant { statement, indent, name, constant } => {
                d::insert_constant(found, *statement, indent, name, constant)
            }
        }
    }
}

/// The problems of an item. The syntax errors come first, in the order of the tree.
pub(super) struct Problems<'a> {
    tree: &'a Tree,
    list: Vec<Problem<'a>>,
    /// The ranges of the syntax errors, sorted. An op with a syntax error is not checked for possible consequences of
    /// it.
    syntax: Vec<Range<u32>>,
    errors: usize,
    /// The number of problems at the time when there were too many errors.
    enough: Option<usize>,
}

impl<'a> Problems<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        let list: Vec<_> = (0..tree.errors.len()).map(|number| Kind::Syntax(number, Vec::new()).into()).collect();
        let syntax = tree.errors.iter().map(|error| place_of(error, tree)).collect();
        Problems { tree, errors: list.len(), list, syntax, enough: None }
    }

    pub(super) fn push(&mut self, problem: Problem<'a>) {
        self.errors += usize::from(problem.is_error());
        self.list.push(problem);
    }

    /// Whether any problem is an error.
    pub(super) fn have_errors(&self) -> bool {
        self.list.iter().any(Problem::is_error)
    }

    /// The number of problems.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The problem of a syntax error, by index.
    pub(super) fn of_syntax(&mut self, number: usize) -> &mut Problem<'a> {
        &mut self.list[number]
    }

    /// The problem of an undeclared name, by index.
    pub(super) fn undeclared_mut(&mut self, number: usize) -> Option<&mut UndeclaredValue<'a>> {
        match &mut self.list[number].kind {
            Kind::Undeclared(found) => Some(found),
            _ => None,
        }
    }

    /// The problems after the first `len`.
    pub(super) fn since(&mut self, len: usize) -> &mut [Problem<'a>] {
        &mut self.list[len..]
    }

    /// Adds details to a syntax error.
    pub(super) fn repair(&mut self, number: usize, repair: Repair) {
        if let Kind::Syntax(_, repairs) = &mut self.list[number].kind {
            repairs.push(repair);
        }
    }

    /// Whether there are so many errors that the rest of the item is not checked. If the syntax errors alone are too
    /// many, only these are reported.
    pub(super) fn are_too_many(&mut self) -> bool {
        if self.errors > MAX_ERRORS && self.enough.is_none() {
            self.enough = Some(self.list.len());
        }
        self.was_cut_off()
    }

    /// Whether the check stopped early because of too many errors.
    pub(super) fn was_cut_off(&self) -> bool {
        self.enough.is_some()
    }

    /// All problems, in the order in which they were found.
    pub(super) fn into_list(mut self) -> Vec<Problem<'a>> {
        // Problems found after the limit may be consequences of unchecked text.
        self.list.truncate(self.enough.unwrap_or(usize::MAX));
        self.list
    }

    // Syntax errors.

    /// Whether there is a syntax error in this range.
    pub(super) fn has_syntax_error(&self, range: &Range<u32>) -> bool {
        let from = self.syntax.partition_point(|error| error.end < range.start);
        self.syntax.get(from).is_some_and(|error| error.start <= range.end)
    }

    /// The syntax errors in this range, by index.
    pub(super) fn syntax_errors_in(&self, range: &Range<u32>) -> Range<usize> {
        let from = self.syntax.partition_point(|error| error.end < range.start);
        let to = self.syntax.partition_point(|error| error.start <= range.end);
        from..to.max(from)
    }

    /// The range of a syntax error.
    pub(super) fn syntax_place(&self, number: usize) -> &Range<u32> {
        &self.syntax[number]
    }

    /// Marks the syntax errors among these that report missing text as consequences of another problem.
    pub(super) fn taint_missing_text(&mut self, errors: Range<usize>) {
        for number in errors {
            self.list[number].is_tainted |= matches!(self.tree.errors[number].kind, ErrorKind::Expected(_));
        }
    }
}
