//! Completion of parameter attributes and of SIMT preview functions, types and items.

use super::super::doc::{self, Topic};
use super::item::{Completion, CompletionKind};
use super::words;
use crate::context::Options;
use crate::db::{self, File};
use crate::preview::{is_allowed, is_item};
use crate::print;
use tile_dialect::{ACCESS, ACCESS_ATTR, ASSUMPTION, EnumRow, Mnemonic, PREVIEW_PREFIX, PREVIEW_TYPES, Version};

/// The functions that the program declares, which `preview$call` and `implements` can name.
pub(super) fn functions(db: &dyn salsa::Database, file: File) -> Vec<Completion> {
    if !is_allowed(&file.options(db)) {
        return Vec::new();
    }
    let functions = db::file_outline(db, file).functions.iter().map(|declared| &declared.function);
    let declared = functions.filter(|function| function.is_declaration() && !function.name().is_empty());
    let item = |function: &crate::ir::Function| {
        let head = print::declaration(function);
        let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
        Completion::new(format!("@{}", function.name()), CompletionKind::Global, head)
    };
    declared.map(item).collect()
}

/// The parameter attributes that NVIDIA's tools understand.
pub(super) fn parameter_attributes(options: &Options) -> Vec<Completion> {
    let mut items = Vec::new();
    if is_allowed(options) {
        let names: Vec<&str> = ACCESS.values.iter().map(|value| value.name).collect();
        let name = ACCESS_ATTR.replace('$', "\\$");
        let value = ACCESS.name.replace('$', "\\$");
        let snippet = format!("{name} = #cuda_tile<{value}<${{1|{}|}}>>", names.join(","));
        let item = Completion::new(ACCESS_ATTR, CompletionKind::Keyword, "how the function accesses the argument");
        items.push(Completion { snippet: Some(snippet), ..item }.about(Topic::Enum(&ACCESS)));
    }
    if options.version >= Version::V13_5
        && let Some(value) = ASSUMPTION.value("div_by")
    {
        let item = Completion::new("cuda_tile.div_by", CompletionKind::Keyword, "divisor of the argument");
        let snippet = "cuda_tile.div_by = #cuda_tile.div_by<${1:16}>".to_string();
        items.push(Completion { snippet: Some(snippet), ..item }.about(Topic::Value(&ASSUMPTION, value)));
    }
    items
}

/// The values of an enum of the preview.
pub(super) fn values(of: &'static EnumRow, options: &Options) -> Vec<Completion> {
    if is_allowed(options) { words::values(of, &[], options.version) } else { Vec::new() }
}

/// The types of constant parameters, if the text ends with the name of one: `@f<[N: `.
pub(super) fn constant_types(before: &str, options: &Options) -> Option<Vec<Completion>> {
    let list = &before[before.rfind("<[")?..];
    if list.contains("]>") || !list.trim_end().ends_with(':') || !before.contains('@') || !is_allowed(options) {
        return None;
    }
    let types = PREVIEW_TYPES.iter().filter(|row| row.word.is_some() && row.name != "none");
    let item = |row: &tile_dialect::PreviewTypeRow| {
        let is_prefixed = row.name.starts_with(PREVIEW_PREFIX);
        let label = if is_prefixed { format!("!cuda_tile<{}>", row.name) } else { row.name.to_string() };
        Completion::new(label, CompletionKind::Type, "type of a constant parameter")
    };
    Some(types.map(item).collect())
}

/// The fragment type, which the parameters of implementations have.
pub(super) fn fragment(options: &Options) -> Option<Completion> {
    let snippet =
        "preview\\$fragment<${1:1xf32}, ${2|local,smem|}, mem_layout = <(1):(1)>, fragmap = <(1, 32, 1):(0, 1, 0)>>";
    let item = || Completion {
        snippet: Some(snippet.to_string()),
        topic: doc::term("fragment").map(|topic| topic.key()),
        ..Completion::new("preview$fragment", CompletionKind::Type, "type")
    };
    is_allowed(options).then(item)
}

/// The snippet for a whole declaration or implementation; `None` for other ops.
pub(super) fn item_snippet(op: Mnemonic) -> Option<String> {
    let rest = match op {
        _ if !is_item(op) => return None,
        Mnemonic::PreviewFunc => {
            " extern @${1:name}(\n\t%x: tile<${2:32xf32}> {cuda_tile.preview\\$access = \
             #cuda_tile<preview\\$access<${3|inout,in,out|}>>}\n) -> tile<${2:32xf32}>"
        }
        _ => {
            " @${1:name}_impl implements @${1:name}(\n\t%x: preview\\$fragment<${2:1xf32}, ${3|local,smem|}, mem_layout = \
             <(1):(1)>, fragmap = <(1, 32, 1):(0, 1, 0)>> {cuda_tile.preview\\$access = \
             #cuda_tile<preview\\$access<${4|inout,in,out|}>>}\n) synchronization = \
             #cuda_tile<preview\\$synchronization<${5|warp,warpgroup,cta,none|}>>"
        }
    };
    Some(op.row().name.replace('$', "\\$") + rest)
}
