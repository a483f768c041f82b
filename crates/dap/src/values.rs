//! The scopes and variables of a stopped run.

use crate::protocol::{Described, Scope, Scopes, Variable};
use crate::source::Source;
use std::ops::Range;
use tile_analysis::ir::Value;
use tile_backend::debug::{Item, Stopped};

/// The variable references of the scopes.
const VALUES: u64 = 1;
const PARAMETERS: u64 = 2;
const BLOCK: u64 = 3;

/// The first reference of a row.
const ROWS: u64 = 1000;

/// How many children are sent if the editor does not request a range.
const MAX_CHILDREN: u64 = 1000;

/// The rows whose children an editor can request while the run is stopped.
#[derive(Default)]
pub(crate) struct Rows(Vec<Row>);

/// A value, or a row of it.
#[derive(Clone, Default)]
pub(crate) struct Row {
    /// The formula of the value.
    pub(crate) of: String,
    /// The indices of the row in the value.
    pub(crate) index: Vec<u64>,
}

/// The children of a variable reference.
pub(crate) enum Children {
    /// Variables of the stopped run.
    Known(Vec<Variable>),
    /// The parameters of the entry, to be requested from the worker by name.
    Parameters(Vec<String>),
    /// Children of a row, to be requested from the worker.
    Of(Row),
}

impl Row {
    /// A child of this row.
    fn child(&self, index: u64) -> Row {
        Row { of: self.of.clone(), index: [&self.index[..], &[index]].concat() }
    }

    /// A formula for this row.
    pub(crate) fn formula(&self) -> String {
        let Row { of, index } = self;
        if index.is_empty() {
            return of.clone();
        }
        let is_name_part = |c: char| c.is_ascii_alphanumeric() || "_$.#".contains(c);
        let is_name = of.strip_prefix('%').is_some_and(|name| name.chars().all(is_name_part));
        let of = if is_name { of.clone() } else { format!("({of})") };
        let index: Vec<String> = index.iter().map(u64::to_string).collect();
        format!("{of}[{}]", index.join(", "))
    }
}

impl Rows {
    /// Forgets all references, when the run continues.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The variables or rows of a reference.
    pub(crate) fn children(&mut self, source: &Source, stopped: &Stopped, reference: u64) -> Children {
        match reference {
            // The most recent values come first, since the next op is likely to use them.
            VALUES => {
                let mut one = |(value, item): &(u32, Item)| {
                    let name = source.name(Value(*value));
                    self.variable(name.clone(), Row { of: name, index: Vec::new() }, item)
                };
                Children::Known(stopped.values.iter().rev().map(&mut one).collect())
            }
            PARAMETERS => {
                let parameters = 0..source.body().params.len() as u32;
                Children::Parameters(parameters.map(|value| source.name(Value(value))).collect())
            }
            BLOCK => Children::Known(block(stopped)),
            _ => match reference.checked_sub(ROWS).and_then(|row| self.0.get(usize::try_from(row).ok()?)) {
                Some(row) => Children::Of(row.clone()),
                None => Children::Known(Vec::new()),
            },
        }
    }

    /// The formula of a child of a reference, by its name.
    pub(crate) fn child(&self, reference: u64, name: &str) -> Option<String> {
        if reference < ROWS {
            return Some(name.to_string());
        }
        let row = self.0.get(usize::try_from(reference - ROWS).ok()?)?;
        Some(format!("{}{name}", Row { of: row.of.clone(), index: Vec::new() }.formula()))
    }

    /// The variables of the rows in a range.
    pub(crate) fn variables(&mut self, row: &Row, from: u64, items: &[Item]) -> Vec<Variable> {
        let variable = |(index, item)| {
            let child = row.child(index);
            let name: Vec<String> = child.index.iter().map(u64::to_string).collect();
            self.variable(format!("[{}]", name.join(", ")), child, item)
        };
        (from..).zip(items).map(variable).collect()
    }

    /// A variable. The shape and element type of a tile precede its contents, because few editors show types.
    pub(crate) fn variable(&mut self, name: String, row: Row, item: &Item) -> Variable {
        let is_whole = row.index.is_empty() && !item.extents.is_empty();
        let shape = item.ty.strip_prefix("tile<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(&item.ty);
        let value = if is_whole { format!("{shape} {}", item.shown) } else { item.shown.to_string() };
        Variable { name, value, evaluate_name: Some(row.formula()), described: self.described(row, item) }
    }

    /// The type and the number of children of an item.
    pub(crate) fn described(&mut self, row: Row, item: &Item) -> Described {
        let has_children = item.extents.iter().product::<u64>() > 1;
        if has_children {
            self.0.push(row);
        }
        Described {
            ty: Some(item.ty.clone()),
            variables_reference: if has_children { ROWS + self.0.len() as u64 - 1 } else { 0 },
            indexed_variables: item.extents.first().copied().filter(|_| has_children),
        }
    }
}

/// The formula that an editor evaluates. Editors and users leave out the `%` of a name; a number is a name only in a
/// hover.
pub(crate) fn formula(expression: &str, is_hover: bool) -> String {
    let text = expression.trim();
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_name = is_word && (is_hover || !text.starts_with(|c: char| c.is_ascii_digit()));
    if is_name { format!("%{text}") } else { text.to_string() }
}

/// The children that an editor requests.
pub(crate) fn requested(start: Option<u64>, count: Option<u64>) -> Range<u64> {
    let (start, count) = (start.unwrap_or(0), count.filter(|&count| count > 0).unwrap_or(MAX_CHILDREN));
    start..start.saturating_add(count)
}

/// The scopes of every frame. Editors open the first one.
pub(crate) fn scopes() -> Scopes {
    let scope = |name, variables_reference, presentation_hint| Scope {
        name,
        presentation_hint,
        variables_reference,
        expensive: false,
    };
    let parameters = scope("Parameters", PARAMETERS, Some("arguments"));
    Scopes { scopes: vec![scope("Values", VALUES, Some("locals")), parameters, scope("Tile block", BLOCK, None)] }
}

fn block(stopped: &Stopped) -> Vec<Variable> {
    let [x, y, z] = stopped.block;
    let loops = stopped.iterations.iter().enumerate();
    let loops = loops.map(|(depth, iteration)| plain(format!("iteration, loop {}", depth + 1), iteration.to_string()));
    std::iter::once(plain("coordinates".to_string(), format!("({x}, {y}, {z})"))).chain(loops).collect()
}

/// A variable without type and children.
fn plain(name: String, value: String) -> Variable {
    Variable { name, value, evaluate_name: None, described: Described::default() }
}
