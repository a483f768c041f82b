//! Optimization hints of an entry and its accesses, and their place in the text of a program.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use tile_analysis::diagnostic::Edit;
use tile_analysis::ir::{Attr, Body, HintValue, Hints, NamedHints, Op, OpId};
use tile_analysis::print;
use tile_analysis::source::Spans;
use tile_dialect::{AttrKind, AttrName, OpRow};
use tile_syntax::{Node, NodeKind, Token, Tree};

/// The value of a hint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Setting {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
}

/// Values of hints by name.
pub type Settings = BTreeMap<String, Setting>;

/// Hints that replace those of a program, for one architecture. Hints that are not listed stay as they are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct HintSet {
    /// The hints of the entry.
    pub entry: Settings,
    /// The hints of loads and stores, by the number of the op.
    pub accesses: BTreeMap<u32, Settings>,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Bool(value) => value.fmt(f),
            Setting::Int(value) => value.fmt(f),
        }
    }
}

impl Setting {
    fn of(value: &HintValue) -> Option<Setting> {
        match value {
            HintValue::Int(value) => Some(Setting::Int(*value)),
            HintValue::Bool(value) => Some(Setting::Bool(*value)),
            HintValue::Str(_) | HintValue::Other(_) => None,
        }
    }

    fn value(self) -> HintValue {
        match self {
            Setting::Int(value) => HintValue::Int(value),
            Setting::Bool(value) => HintValue::Bool(value),
        }
    }
}

impl HintSet {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.entry.is_empty() && self.accesses.values().all(Settings::is_empty)
    }

    /// The number of hints.
    pub fn len(&self) -> usize {
        self.entry.len() + self.accesses.values().map(Settings::len).sum::<usize>()
    }

    /// These hints, and those of `other`, which take precedence.
    pub fn with(&self, other: &HintSet) -> HintSet {
        let mut all = self.clone();
        all.entry.extend(other.entry.clone());
        for (op, settings) in &other.accesses {
            all.accesses.entry(*op).or_default().extend(settings.clone());
        }
        all
    }
}

/// The hints that an architecture uses: its own, or else those for `default`.
pub fn effective(hints: Option<&Hints>, architecture: &str) -> Settings {
    let mut settings = Settings::new();
    for wanted in ["default", architecture] {
        let all = hints.iter().flat_map(|hints| &hints.by_architecture);
        for (name, value) in all.filter(|(key, _)| **key == *wanted).flat_map(|(_, hints)| hints) {
            settings.extend(Setting::of(value).map(|value| (name.to_string(), value)));
        }
    }
    settings
}

/// The hints of an op.
pub fn of_op<'b>(body: &'b Body, op: &Op) -> Option<&'b Hints> {
    let (index, _) = op.op.row().attr(AttrName::OptimizationHints)?;
    match body.attr(op, index) {
        Attr::Hints(hints) => Some(hints),
        _ => None,
    }
}

/// An entry in the text of a program.
pub struct EntryText<'a> {
    /// The text of the program.
    pub text: &'a str,
    /// The offset of the entry's item.
    pub start: u32,
    /// The entry.
    pub body: &'a Body,
    /// The ranges of its parts.
    pub spans: &'a Spans,
}

impl EntryText<'_> {
    /// The edits that set hints, in source order. Hints for other architectures stay as they are. `None` if an op has
    /// no place for hints, because it is written in generic form.
    pub fn edits(&self, hints: &HintSet, architecture: &str) -> Option<Vec<Edit>> {
        let text = self.text.get(self.start as usize..)?;
        // The text below the entry is parsed too, but ops are found by their ranges.
        let tree = tile_syntax::parse_item(text);
        let mut edits = Vec::new();
        if !hints.entry.is_empty() {
            let node = tree.children_of(Node::ROOT, NodeKind::Op).next()?;
            let merged = merged(self.body.hints.as_deref(), architecture, &hints.entry);
            edits.push(self.edit(&tree, node, tile_dialect::Mnemonic::Entry.row(), &merged)?);
        }
        for (&id, settings) in hints.accesses.iter().filter(|(_, settings)| !settings.is_empty()) {
            let op = self.body.op(OpId(id));
            let name = self.spans.op_names.get(id as usize)?;
            let node = tree.descendants(Node::ROOT).find(|&node| {
                tree.kind(node) == NodeKind::Op
                    && tree.child(node, NodeKind::OpName).is_some_and(|found| tree.range(found) == *name)
            })?;
            let merged = merged(of_op(self.body, op), architecture, settings);
            edits.push(self.edit(&tree, node, op.op.row(), &merged)?);
        }
        edits.sort_by_key(|edit| edit.range.start);
        Some(edits)
    }

    /// The program with other hints.
    pub fn with(&self, hints: &HintSet, architecture: &str) -> Option<String> {
        Some(applied(self.text, &self.edits(hints, architecture)?))
    }

    fn edit(&self, tree: &Tree, node: Node, row: &OpRow, hints: &Hints) -> Option<Edit> {
        let text = print::hints(hints);
        let is_hints = |attr: &Node| {
            row.attrs.get(tree.slot(*attr) as usize).is_some_and(|attr| matches!(attr.kind, AttrKind::Hints))
        };
        let known = tree.children_of(node, NodeKind::Attr).find(is_hints);
        let (range, content) = match known {
            Some(attr) => (tree.range(attr), text),
            None => {
                let at = place(tree, node)?;
                (at..at, format!(" optimization_hints = {text}"))
            }
        };
        let Range { start, end } = range;
        Some(Edit { range: start + self.start..end + self.start, content })
    }
}

/// Applies edits in source order.
pub fn applied(text: &str, edits: &[Edit]) -> String {
    let mut changed = text.to_string();
    for edit in edits.iter().rev() {
        changed.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.content);
    }
    changed
}

/// The offset at which an op without hints takes them: after its signature, or else before the words that follow hints
/// and before its types.
fn place(tree: &Tree, node: Node) -> Option<u32> {
    if let Some(signature) = tree.child(node, NodeKind::Signature) {
        return Some(tree.range(signature).end);
    }
    tree.child(node, NodeKind::Properties).is_none().then_some(())?;
    let last = tree.children(node).filter(|&child| is_before_hints(tree.kind(child))).last()?;
    let mut at = tree.tokens_of(last).end;
    // The bracket after the last index.
    while tree.tokens.kind(at) == Token::RightBracket {
        at += 1;
    }
    Some(tree.tokens.end(at - 1))
}

fn is_before_hints(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::OpName | NodeKind::Operand | NodeKind::Number)
}

/// The hints of an op, with others for one architecture.
fn merged(hints: Option<&Hints>, architecture: &str, settings: &Settings) -> Hints {
    let mut merged = hints.cloned().unwrap_or_default();
    let index = merged.by_architecture.iter().position(|(name, _)| **name == *architecture).unwrap_or_else(|| {
        merged.by_architecture.push((architecture.into(), NamedHints::new()));
        merged.by_architecture.len() - 1
    });
    let own = &mut merged.by_architecture[index].1;
    for (name, setting) in settings {
        match own.iter_mut().find(|(known, _)| **known == **name) {
            Some((_, value)) => *value = setting.value(),
            None => own.push((name.as_str().into(), setting.value())),
        }
    }
    merged
}
