//! The text before an offset, and the kind of completion to offer there.

use std::ops::Range;
use tile_dialect::{ACCESS, EnumRow, MEMORY_SPACE, NAMED_ENUMS, PTR_ATTR, SYNCHRONIZATION, TYPE_NAMES};

/// The text around an offset that determines what to complete there.
pub(super) struct CompletionContext<'t> {
    /// The word that is being written, with its sign.
    pub(super) replaced: Range<u32>,
    /// The line up to the word.
    pub(super) before: &'t str,
    /// The word's sign (`%`, `@`, `!` or `#`), if it has one.
    pub(super) sign: Option<char>,
    /// Whether the offset is in the attribute dictionary of a parameter: `%x: tile<f32> {…}`.
    in_parameter: bool,
    /// Whether the offset is among the parameters of an entry, which are scalars.
    pub(super) is_in_entry_header: bool,
}

/// The results that a statement names before its op.
pub(super) struct NamedResults {
    /// The number of values that they name.
    pub(super) count: usize,
    /// The end of the last name, as an offset of the file.
    pub(super) end: u32,
}

/// The kind of text expected at an offset.
pub(super) enum Expected {
    Nothing,
    Value,
    Global,
    /// A function of the SIMT preview that the program declares.
    Function,
    /// An attribute of a parameter.
    ParameterAttr,
    Alias,
    AttrAlias,
    /// The number of a value in a pack, as in `%a#1`.
    Rank,
    Op,
    Type,
    /// The element type of a constant.
    Element,
    /// A value of an enum, after its name.
    EnumValue(&'static EnumRow),
    /// A value of an enum of the SIMT preview, after its name.
    PreviewValue(&'static EnumRow),
    Keyword,
}

impl<'t> CompletionContext<'t> {
    pub(super) fn new(text: &'t str, offset: u32) -> CompletionContext<'t> {
        let upto = text.get(..offset as usize).unwrap_or(text);
        let start = upto.trim_end_matches(is_name).len();
        let sign = upto[..start].chars().next_back().filter(|c| matches!(c, '%' | '@' | '!' | '#'));
        let start = start - usize::from(sign.is_some());
        let line = upto[..start].rfind('\n').map_or(0, |at| at + 1);
        let replaced = start as u32..upto.len() as u32;
        CompletionContext {
            replaced,
            before: &upto[line..start],
            sign,
            in_parameter: is_in_parameter(&upto[..start]),
            is_in_entry_header: is_in_entry_header(&upto[..start]),
        }
    }

    /// Reports whether the word is still empty.
    pub(super) fn is_empty(&self) -> bool {
        self.replaced.is_empty()
    }

    /// The results that the statement names before the word: `%a, %b =`.
    pub(super) fn named_results(&self) -> Option<NamedResults> {
        let names = self.before[..self.before.find('=')?].trim_end();
        let values = |name: &str| name.split_once(':').map_or(Some(1), |(_, count)| count.trim().parse().ok());
        let count = names.split(',').filter_map(values).sum();
        let end = self.replaced.start as usize - self.before.len() + names.len();
        Some(NamedResults { count, end: end as u32 })
    }

    pub(super) fn expected(&self) -> Expected {
        let before = self.before.trim_end();
        if before.contains("//") || before.matches('"').count() % 2 == 1 {
            return Expected::Nothing;
        }
        let assigns = before.ends_with('=') && before.starts_with(|c: char| c == '%' || c.is_whitespace());
        let results = || before.trim_start().starts_with('%') && !before.contains('(');
        match self.sign {
            Some('%') => Expected::Value,
            Some('@') if before.ends_with("preview$call") || before.ends_with("implements") => Expected::Function,
            Some('@') => Expected::Global,
            Some('#') if self.before.ends_with(is_name) => Expected::Rank,
            Some('#') => Expected::AttrAlias,
            Some(_) => Expected::Alias,
            None if preview_enum(before).is_some() => {
                preview_enum(before).map_or(Expected::Nothing, Expected::PreviewValue)
            }
            None if self.in_parameter => {
                if before.is_empty() || before.ends_with(['{', ',']) {
                    Expected::ParameterAttr
                } else {
                    Expected::Nothing
                }
            }
            None if is_in_hints(before) => Expected::Keyword,
            None if before.is_empty() || before.ends_with(['{', '}']) => Expected::Op,
            None if assigns && results() => Expected::Op,
            None if named_enum(before).is_some() => named_enum(before).map_or(Expected::Nothing, Expected::EnumValue),
            None if is_in_constant(before) => {
                if before.ends_with('<') {
                    Expected::Element
                } else {
                    Expected::Nothing
                }
            }
            None if is_type_place(before) => Expected::Type,
            None => Expected::Keyword,
        }
    }
}

/// Reports whether a character can be part of a name.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')
}

/// Reports whether a type can follow: after `:`, `->` or a comma between types, and inside a type.
pub(super) fn is_type_place(before: &str) -> bool {
    let open_type = before.rfind('<').is_some_and(|at| {
        let inside = !before[at..].contains('>');
        inside && TYPE_NAMES.iter().any(|name| before[..at].ends_with(name))
    });
    let list = before.ends_with(',') && before.rfind(" : ").is_some_and(|at| !before[at..].contains('%'));
    open_type || before.ends_with(':') || before.ends_with("->") || before.ends_with("-> (") || list
}

/// The enum whose value follows: after `#cuda_tile.ptr_attr<`, or after the element of a pointer, `ptr<f32, <`.
pub(super) fn named_enum(before: &str) -> Option<&'static EnumRow> {
    let before = before.strip_suffix('<')?;
    let is_named = |of: &&EnumRow| before.strip_suffix(of.name).is_some_and(|rest| rest.ends_with("#cuda_tile."));
    if let Some(of) = NAMED_ENUMS.into_iter().find(is_named) {
        return Some(of);
    }
    let element = before.trim_end().strip_suffix(',')?;
    let is_pointer = element.rfind("ptr<").is_some_and(|at| element[at + 4..].chars().all(is_name));
    is_pointer.then_some(&PTR_ATTR)
}

/// The enum of the SIMT preview whose value follows: after `#cuda_tile<preview$access<`.
fn preview_enum(before: &str) -> Option<&'static EnumRow> {
    let before = before.strip_suffix('<')?;
    [&ACCESS, &SYNCHRONIZATION, &MEMORY_SPACE].into_iter().find(|of| before.ends_with(of.name))
}

/// Reports whether the innermost open bracket is a `{` on this line that is nested in a `(`, as in a parameter list. In
/// custom form a region is never inside parentheses, except while the `)` of a header is still missing: `entry @k( {`.
fn is_in_parameter(before: &str) -> bool {
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let is_dictionary = |at: usize| at >= line && !before[..at].trim_end().ends_with('(');
    if !before.rfind('{').is_some_and(is_dictionary) {
        return false;
    }
    let mut open = open_brackets(before);
    open.next().is_some_and(|at| before[at..].starts_with('{'))
        && open.next().is_some_and(|at| before[at..].starts_with('('))
}

/// Reports whether the innermost open bracket begins the parameters of an entry: `entry @name(`.
fn is_in_entry_header(before: &str) -> bool {
    let Some(at) = open_brackets(before).next() else { return false };
    let name = before[..at].trim_end().trim_end_matches(is_name);
    let is_entry = name.strip_suffix('@').is_some_and(|head| head.trim_end().ends_with("entry"));
    before[at..].starts_with('(') && is_entry
}

/// The offsets of the parentheses and braces that are open at the end of a text, innermost first.
fn open_brackets(before: &str) -> impl Iterator<Item = usize> {
    let mut depth = 0;
    before.rmatch_indices(['(', '{', ')', '}']).filter_map(move |(at, mark)| {
        depth += if matches!(mark, ")" | "}") { 1 } else { -1 };
        (depth < 0).then(|| {
            depth = 0;
            at
        })
    })
}

/// Reports whether the value of a constant, `<i32: 1>`, is still open.
pub(super) fn is_in_constant(before: &str) -> bool {
    before.rfind('<').is_some_and(|at| before[..at].ends_with(' ') && !before[at..].contains('>'))
}

/// Reports whether `optimization_hints<…>` is still open on this line.
pub(super) fn is_in_hints(before: &str) -> bool {
    let open = before.rfind("optimization_hints").map(|at| &before[at..]);
    open.is_some_and(|open| open.matches('<').count() > open.matches('>').count())
}
