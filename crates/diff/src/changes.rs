//! The differences between two aligned ops, and their texts.

use crate::report::{Change, Kind};
use crate::side::Side;
use tile_analysis::ir::{Attr, Dense, HintValue, Hints, NamedAttrs, OpId, Value};
use tile_analysis::print::{attr_literal, hint_literal, op_attr_literal};
use tile_analysis::program::Program;
use tile_analysis::source::Spans;
use tile_analysis::types::Type;
use tile_dialect::{Arity, AttrRow};

/// A difference between two aligned ops.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Difference {
    /// They are different ops with the same operands.
    Op,
    /// The attribute with this index in the row differs.
    Attr(usize),
    /// An operand differs.
    Operand {
        /// The operand group and the index in it; `None` if the ops are different.
        place: Option<(usize, usize)>,
        a: Option<Value>,
        b: Option<Value>,
    },
    /// The type of a result differs, and the types of the operands do not explain it.
    Type(Type, Type),
    /// The numbers of results differ.
    Results(usize, usize),
    /// One of them has a region that the other lacks.
    Regions,
}

/// A body with the names and ranges of its text.
#[derive(Clone, Copy)]
pub(crate) struct Named<'a> {
    pub(crate) side: &'a Side<'a>,
    pub(crate) spans: &'a Spans,
    /// The text from the start of the item on.
    pub(crate) text: &'a str,
}

impl<'a> Named<'a> {
    pub(crate) fn new(side: &'a Side<'a>, program: &Program<'a>, entry: usize) -> Named<'a> {
        let (start, lowered) = program.entries[entry];
        Named { side, spans: &lowered.spans, text: &program.text[start as usize..] }
    }

    /// The name of a value as the text writes it, with `%`.
    fn name(&self, value: Value) -> String {
        let definitions = &self.spans.definitions;
        let Some(range) = definitions.get(value.0 as usize) else { return "%?".to_string() };
        let name = self.text.get(range.start as usize..range.end as usize).unwrap_or("%?");
        let name = name.split(':').next().unwrap_or(name);
        let index = value.0 as usize;
        let shares = |other: Option<usize>| other.and_then(|other| definitions.get(other)) == Some(range);
        if shares(index.checked_sub(1)) || shares(Some(index + 1)) {
            return format!("{name}#{}", self.spans.ranks.get(index).unwrap_or(&0));
        }
        name.to_string()
    }
}

/// The texts of the differences between two aligned ops.
pub(crate) fn changes(a: (Named, OpId), b: (Named, OpId), found: &[Difference]) -> Vec<Change> {
    found.iter().flat_map(|difference| one(a, b, difference)).collect()
}

fn one((a, id_a): (Named, OpId), (b, id_b): (Named, OpId), difference: &Difference) -> Vec<Change> {
    let (op_a, op_b) = (a.side.op(id_a), b.side.op(id_b));
    let row = op_a.op.row();
    match difference {
        Difference::Op => vec![Change::new(Kind::Op, "", row.name, op_b.op.row().name)],
        Difference::Attr(index) => {
            let attr = |of: Named<'_>, id: OpId| {
                let op = of.side.op(id);
                let ty = of.side.body.results(op).next().map(|value| of.side.body.ty(value));
                (of.side.body.attr(op, *index).clone(), ty)
            };
            attribute(&row.attrs[*index], attr(a, id_a), attr(b, id_b))
        }
        Difference::Operand { place, a: x, b: y } => {
            let name = match *place {
                Some((group, index)) if row.operands[group].arity == Arity::Variadic => {
                    format!("{}[{index}]", row.operands[group].name)
                }
                Some((group, _)) => row.operands[group].name.to_string(),
                None => String::new(),
            };
            let text = |of: Named, value: &Option<Value>| value.map(|value| of.name(value));
            vec![Change { kind: Kind::Operand, name, a: text(a, x), b: text(b, y) }]
        }
        Difference::Type(x, y) => vec![Change::new(Kind::Type, "", x, y)],
        Difference::Results(x, y) => vec![Change::new(Kind::Results, "", x, y)],
        Difference::Regions => vec![Change::new(Kind::Regions, "", op_a.regions.len(), op_b.regions.len())],
    }
}

/// The differences between two values of an attribute, each with the type of the op's result.
fn attribute(row: &AttrRow, (a, ty_a): (Attr, Option<Type>), (b, ty_b): (Attr, Option<Type>)) -> Vec<Change> {
    match (&a, &b) {
        (Attr::Hints(_) | Attr::Absent, Attr::Hints(_) | Attr::Absent) => {
            let hints = |attr: &Attr| if let Attr::Hints(hints) = attr { Some((**hints).clone()) } else { None };
            hint_changes(hints(&a).as_ref(), hints(&b).as_ref())
        }
        (Attr::Dense(x), Attr::Dense(y)) => dense(row, (x, ty_a), (y, ty_b)),
        (Attr::Identities(x), Attr::Identities(y)) => {
            let numbers = |list: &[(tile_dialect::Element, u64)]| {
                list.iter().map(|&(element, bits)| number(row, element, bits)).collect::<Vec<_>>().join(", ")
            };
            // Their types follow from those of the operands.
            let (x, y) = (numbers(x), numbers(y));
            if x == y { Vec::new() } else { vec![Change::new(Kind::Attribute, row.name, x, y)] }
        }
        _ => {
            let text = |attr: &Attr, ty| {
                let default = Attr::default_of(row);
                let attr = if *attr == Attr::Absent { &default } else { attr };
                match attr {
                    Attr::Enum(value) => match row.kind {
                        tile_dialect::AttrKind::Enum { of, .. } => Some(of.keyword(*value).to_string()),
                        _ => None,
                    },
                    Attr::Absent => None,
                    _ => Some(op_attr_literal(row, attr, ty)),
                }
            };
            vec![Change { kind: Kind::Attribute, name: row.name.to_string(), a: text(&a, ty_a), b: text(&b, ty_b) }]
        }
    }
}

/// The differences between two constants: the number, or the first element that differs.
fn dense(row: &AttrRow, (a, ty_a): (&Dense, Option<Type>), (b, ty_b): (&Dense, Option<Type>)) -> Vec<Change> {
    let count = a.bits.len().max(b.bits.len());
    let text = |of: &Dense, index: usize| {
        let bits = *of.bits.get(index).or(of.bits.last()).unwrap_or(&0);
        number(row, of.element, bits)
    };
    let is_pair = a.bits.len() == b.bits.len() || a.bits.len() == 1 || b.bits.len() == 1;
    if !is_pair {
        let shape = |ty: Option<Type>| ty.map_or(String::new(), |ty| ty.to_string());
        return vec![Change::new(Kind::Value, "", shape(ty_a), shape(ty_b))];
    }
    let differ: Vec<usize> = (0..count).filter(|&index| text(a, index) != text(b, index)).collect();
    let Some(&first) = differ.first() else { return Vec::new() };
    let name = match (count, differ.len()) {
        (1, _) => String::new(),
        (_, 1) => format!("[{first}]"),
        (_, more) => format!("[{first}] and {} more elements", more - 1),
    };
    vec![Change::new(Kind::Value, name, text(a, first), text(b, first))]
}

/// A number without its type.
fn number(row: &AttrRow, element: tile_dialect::Element, bits: u64) -> String {
    let text = op_attr_literal(row, &Attr::Dense(Box::new(Dense::new(element, vec![bits]))), None);
    let inner = text.split_once(": ").map_or(text.as_str(), |(_, rest)| rest);
    inner.trim_end_matches('>').trim_matches(['[', ']']).to_string()
}

/// The differences between hints, one for each name and architecture.
pub(crate) fn hint_changes(a: Option<&Hints>, b: Option<&Hints>) -> Vec<Change> {
    let (a, b) = (flat(a), flat(b));
    let mut names: Vec<&String> = a.iter().chain(&b).map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    let value = |list: &[(String, String)], name: &str| {
        list.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let change = |name: &String| {
        let (x, y) = (value(&a, name), value(&b, name));
        (x != y).then(|| Change { kind: Kind::Hint, name: name.clone(), a: x, b: y })
    };
    names.into_iter().filter_map(change).collect()
}

fn flat(hints: Option<&Hints>) -> Vec<(String, String)> {
    let all = hints.into_iter().flat_map(|hints| &hints.by_architecture);
    let one = |(architecture, values): &(Box<str>, Vec<(Box<str>, HintValue)>)| {
        let named = |(name, value): &(Box<str>, HintValue)| (format!("{architecture} {name}"), hint_literal(value));
        values.iter().map(named).collect::<Vec<_>>()
    };
    all.flat_map(one).collect()
}

/// The differences between attributes without rows, such as those of parameters.
pub(crate) fn named_changes(prefix: &str, a: Option<&NamedAttrs>, b: Option<&NamedAttrs>) -> Vec<Change> {
    let entries = |attrs: Option<&NamedAttrs>| -> Vec<(String, String)> {
        let all = attrs.into_iter().flat_map(|attrs| attrs.iter());
        all.map(|(name, value)| (name.to_string(), attr_literal(value))).collect()
    };
    let (a, b) = (entries(a), entries(b));
    let mut names: Vec<&String> = a.iter().chain(&b).map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    let value = |list: &[(String, String)], name: &str| {
        list.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let change = |name: &String| {
        let (x, y) = (value(&a, name), value(&b, name));
        (x != y).then(|| Change { kind: Kind::Attribute, name: format!("{prefix}{name}"), a: x, b: y })
    };
    names.into_iter().filter_map(change).collect()
}
