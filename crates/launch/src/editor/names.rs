//! The names that directives can refer to: parameters, buffers and entries.

use super::item::{Completion, completion};
use crate::bind::{self, ForwardKernel};
use crate::buffer::{extent as memory_extent, row_major};
use crate::directive::{Arg, Launch, name_of};
use crate::find::{self, EntryLaunches};
use crate::spec::Spec;
use std::ops::Range;
use tile_analysis::db::{File, Queries};
use tile_analysis::ir::Body;
use tile_analysis::types::{Scalar, Type};
use tile_input::size;

/// An argument of a launch, at an offset of a directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgumentAt {
    /// The entry, without `@`.
    pub entry: String,
    /// The offset of the entry.
    pub entry_start: u32,
    /// The name of the launch, or its number.
    pub launch: Option<String>,
    /// The text of the launch.
    pub launch_range: Range<usize>,
    /// The argument, without `%`.
    pub argument: String,
}

/// The names at an offset in directives.
pub(super) struct Names {
    /// The entry below.
    below: EntryLaunches,
    offset: usize,
}

impl Names {
    /// The names at an offset; `None` if no entry follows.
    pub(super) fn at(db: &Queries, file: File, offset: u32) -> Option<Names> {
        let below = find::find(db, file).into_iter().find(|entry| entry.start >= offset)?;
        Some(Names { below, offset: offset as usize })
    }

    /// The launch that contains the offset.
    fn launch(&self) -> Option<&Launch> {
        let launches = &self.below.directives.launches;
        launches.iter().rev().find(|launch| launch.range.start <= self.offset)
    }

    /// The entry below, and the forward kernel of the launch if that is another entry.
    fn entries(&self) -> impl Iterator<Item = &Body> {
        let forward = self.launch().map(|launch| self.below.kernels(launch).forward);
        let forward = if let Some(ForwardKernel::Other(forward)) = forward { Some(forward) } else { None };
        std::iter::once(&*self.below.entry).chain(forward)
    }

    /// The hover text of a parameter, or of a buffer that is not a parameter.
    pub(super) fn hover(&self, name: &str) -> Option<String> {
        let known = self.entries().find_map(|entry| parameter(entry, name)).or_else(|| self.buffer(name))?;
        let spec = self.launch().and_then(|launch| launch.arg(name)).map(|arg| &arg.spec);
        Some(known + &spec.and_then(extent).unwrap_or_default())
    }

    /// The argument of the launch with this name.
    pub(super) fn argument(&self, name: &str) -> Option<ArgumentAt> {
        let launch = self.launch()?;
        launch.arg(name)?;
        let launches = &self.below.directives.launches;
        let index = launches.iter().position(|other| other.range == launch.range)?;
        Some(ArgumentAt {
            entry: self.below.entry.name.to_string(),
            entry_start: self.below.start,
            launch: name_of(launches, index),
            launch_range: launch.range.clone(),
            argument: name.to_string(),
        })
    }

    fn buffer(&self, name: &str) -> Option<String> {
        let launch = self.launch()?;
        let arg = launch.arg(name)?;
        let names = launch.args.iter().filter(|other| other.spec.addresses().any(|address| address.of == name));
        let by = bind::listed(names.map(|other| format!("`%{}`", other.name)));
        let by = if by.is_empty() { "no address".to_string() } else { by };
        let contents = shortened(&arg.spec);
        Some(format!("```tile\n%{name} = {contents}\n```\n\nA buffer of this launch, referenced by {by}.\n"))
    }

    /// The parameters; at the start of a line, with a suitable value.
    pub(super) fn parameters(&self, with_value: bool) -> Vec<Completion> {
        let mut items: Vec<Completion> = Vec::new();
        for (name, ty, sample) in self.entries().flat_map(bind::samples) {
            let label = format!("%{name}");
            if items.iter().all(|known| known.label != label) {
                let snippet = if with_value { format!("{label} = ${{1:{sample}}}") } else { label.clone() };
                items.push(Completion { label, snippet, detail: ty.to_string(), topic: None });
            }
        }
        items
    }

    /// The buffers of the launch, with their contents.
    pub(super) fn buffers(&self) -> Vec<Completion> {
        let args = self.launch().map_or(&[][..], |launch| &launch.args);
        let buffers = args.iter().filter(|arg| matches!(arg.spec, Spec::Buffer { .. }));
        let item = |arg: &Arg| completion(&format!("%{}", arg.name), &format!("%{}", arg.name), &shortened(&arg.spec));
        buffers.map(item).collect()
    }

    /// The parameters and the buffers of the launch.
    pub(super) fn values(&self) -> Vec<Completion> {
        let mut items = self.parameters(false);
        let further = self.buffers().into_iter();
        let further: Vec<Completion> =
            further.filter(|item| items.iter().all(|known| known.label != item.label)).collect();
        items.extend(further);
        items
    }
}

/// The entries of a file.
pub(super) fn entries(db: &Queries, file: File) -> Vec<Completion> {
    let all = find::find(db, file);
    let names = all.iter().map(|found| format!("@{}", found.entry.name));
    names.zip(&all).map(|(name, found)| completion(&name, &name, &signature(&found.entry))).collect()
}

/// The hover text of an entry in a `forward` line.
pub(super) fn entry(db: &Queries, file: File, name: &str) -> Option<String> {
    let found = find::find(db, file).into_iter().find(|found| *found.entry.name == *name)?;
    let signature = signature(&found.entry);
    Some(format!(
        "```tile\nentry @{name}{signature}\n```\n\nThe kernel that the gradients of this launch differentiate.\n"
    ))
}

/// The parameters of an entry with their types, in parentheses.
fn signature(entry: &Body) -> String {
    let params = bind::samples(entry).into_iter().map(|(name, ty, _)| format!("%{name}: {ty}"));
    format!("({})", params.collect::<Vec<_>>().join(", "))
}

fn parameter(entry: &Body, name: &str) -> Option<String> {
    let index = entry.params.iter().position(|param| **param == *name)?;
    let ty = entry.ty(*entry.regions.first()?.args.get(index)?);
    Some(format!("```tile\n%{name}: {ty}\n```\n\nParameter {} of `@{}`. {}\n", index + 1, entry.name, accepts(ty)))
}

/// The sentence about the arguments for a parameter of this type.
fn accepts(ty: Type) -> String {
    match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Pointer(pointer)) if pointer.is_multicast() => {
            format!("It gets all replicas of a buffer of {}, or an address of them: `multicast(%x)`.", pointer.to)
        }
        Some(Scalar::Pointer(pointer)) => {
            format!("It gets a buffer of {} in device memory, or an address in one: `&%x`.", pointer.to)
        }
        _ => "It gets a number.".to_string(),
    }
}

/// The sentence about the extent of a buffer.
fn extent(spec: &Spec) -> Option<String> {
    let Spec::Buffer { element, shape, strides, replicas, .. } = spec else { return None };
    let strides = strides.clone().or_else(|| row_major(shape))?;
    let size = memory_extent(shape, &strides)?.checked_mul(element.bytes() as u64)?;
    let each = if replicas.is_some() { " each" } else { "" };
    Some(format!("\nShape `{shape:?}`, strides `{strides:?}`, {}{each}.\n", size::shown(size)))
}

/// A specification, truncated if it is long.
fn shortened(spec: &Spec) -> String {
    const MAX_CHARACTERS: usize = 60;
    let text = spec.to_string();
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
