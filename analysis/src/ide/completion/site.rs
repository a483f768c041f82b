//! The place where a statement is completed.

use super::super::statement_types::{self, Text};
use super::values::{Visible, visible};
use crate::context::Context;
use crate::db::{self, File};
use crate::lower::trial::{Enclosing, Trial};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tile_dialect::{Effect, Mnemonic, OpRow, Version};
use tile_syntax::{Tree, parse_item};

/// The most values of one type that an op is completed with.
const MAX_OF_TYPE: usize = 16;

/// What a statement at an offset can refer to, and the ops around it.
pub(super) struct Site<'db> {
    /// The visible values, nearest first.
    pub(super) seen: Vec<Visible>,
    /// Their known types, nearest first, each once.
    pub(super) types: Vec<Type>,
    /// The nearest values of each type, as indices.
    nearest: FxHashMap<Type, Vec<usize>>,
    pub(super) version: Version,
    /// The first global, with the type of a pointer to it.
    pub(super) global: Option<(String, Type)>,
    /// The names that the item defines, with `%`.
    taken: FxHashSet<&'db str>,
    enclosing: Enclosing,
    context: Arc<Context>,
}

impl<'db> Site<'db> {
    pub(super) fn new(db: &'db dyn salsa::Database, file: File, offset: u32) -> Site<'db> {
        let (mut taken, mut enclosing) = (FxHashSet::default(), Enclosing::default());
        if let Some((start, item)) = db::layout(db, file).at(db, offset) {
            let (text, lowered) = (item.text(db), db::lowered(db, item, file));
            let names = lowered.spans.definitions.iter().map(|range| &text[range.start as usize..range.end as usize]);
            taken.extend(names.filter(|name| name.starts_with('%')));
            enclosing = Enclosing::at(lowered, offset - start);
        }
        let context = db::context(db, file).clone();
        let global = db::file_outline(db, file)
            .globals
            .iter()
            .find_map(|(global, _)| Some((global.name.to_string(), context.global_pointer(&global.name)?)));
        let seen = visible(db, file, offset);
        let (types, nearest) = by_type(&seen);
        Site { seen, types, nearest, version: file.options(db).version, global, taken, enclosing, context }
    }

    /// The nearest values of a type.
    pub(super) fn of_type(&self, ty: Type) -> impl Iterator<Item = &Visible> {
        self.nearest.get(&ty).into_iter().flatten().map(|&index| &self.seen[index])
    }

    /// The types of the values that a terminator must pass on here; `None` if it is not allowed.
    pub(super) fn passed_types(&self, terminator: Mnemonic) -> Option<Vec<Type>> {
        self.enclosing.passed_types(terminator, self.version)
    }

    /// Reports whether the function of a reduction around the place excludes an op.
    pub(super) fn is_impure(&self, row: &OpRow) -> bool {
        row.effect == Effect::Memory && !row.is_terminator() && self.enclosing.is_in_reduction()
    }

    /// Reports whether a statement that uses these values would be valid here.
    pub(super) fn accepts(&self, statement: &str, values: &[(String, Type)]) -> bool {
        self.trial(statement, &parse_item(statement), values).is_valid()
    }

    /// Reports whether a statement that uses these values is valid here once its types are added. `None` if more is
    /// missing.
    pub(super) fn accepts_with_types(&self, statement: &str, values: &[(String, Type)]) -> Option<bool> {
        let tree = parse_item(statement);
        let (body, spans) = self.trial(statement, &tree, values).body();
        let text = Text { text: statement, tree: &tree, body: &body, spans: &spans };
        let rests = statement_types::read(&text, &self.context, self.types.clone())?.rests_after_operands()?;
        Some(rests.iter().any(|rest| self.accepts(&format!("{statement} {rest}"), values)))
    }

    fn trial<'a>(&'a self, text: &'a str, tree: &'a Tree, values: &'a [(String, Type)]) -> Trial<'a> {
        Trial { text, tree, values, enclosing: &self.enclosing, context: &self.context }
    }

    /// A name, with `%`, for a result: one that the item does not define and that is not in `others`.
    pub(super) fn result_name(&self, stem: &str, others: &[String]) -> String {
        first_free(stem, |name| self.taken.contains(name) || others.iter().any(|other| other == name))
    }

    /// A name, with `%`, for an argument of a region. It is visible only there, so later statements can define it too.
    pub(super) fn argument_name(&self, stem: &str, others: &[String]) -> String {
        let is_seen = |name: &str| self.seen.iter().any(|value| value.name.split('#').next() == Some(name));
        first_free(stem, |name| is_seen(name) || others.iter().any(|other| other == name))
    }
}

/// The known types of values, nearest first, and the nearest values of each.
fn by_type(seen: &[Visible]) -> (Vec<Type>, FxHashMap<Type, Vec<usize>>) {
    let (mut types, mut nearest) = (Vec::new(), FxHashMap::<Type, Vec<usize>>::default());
    for (index, value) in seen.iter().enumerate().filter(|(_, value)| !value.ty.is_unknown()) {
        let values = nearest.entry(value.ty).or_insert_with(|| {
            types.push(value.ty);
            Vec::new()
        });
        if values.len() < MAX_OF_TYPE {
            values.push(index);
        }
    }
    (types, nearest)
}

/// The first free name among `%stem`, `%stem_0`, `%stem_1` and so on.
fn first_free(stem: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (0..).map(|number| format!("%{stem}_{number}"));
    let mut names = std::iter::once(format!("%{stem}")).chain(numbered);
    names.find(|name| !is_taken(name)).expect("an item has finitely many names")
}
