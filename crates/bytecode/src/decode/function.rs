//! Decodes functions: entries, and functions of the SIMT preview, which have no body.

use super::body::{Entry, Record};
use super::cursor::Cursor;
use super::debug_section::Track;
use super::decoder::{Decoder, Unread};
use super::error::{Error, Read};
use super::preview;
use crate::format::{function_flag, function_form};
use std::sync::Arc;
use tile_analysis::debug_info::Locations;
use tile_analysis::ir::Body;
use tile_analysis::preview::Function;
use tile_analysis::types::Type;
use tile_dialect::Version;

/// The functions that have been read.
#[derive(Default)]
pub(super) struct Functions {
    pub(super) entries: Vec<Arc<Body>>,
    /// The locations of each entry.
    pub(super) locations: Vec<Locations>,
    /// The functions of the SIMT preview.
    pub(super) bodiless: Vec<Function>,
}

/// A function of any form.
enum AnyFunction {
    Entry(Box<Entry>),
    Bodiless(Function),
}

/// The form of a function.
enum Form {
    Entry { private: bool, has_hints: bool },
    Declaration,
    Implementation,
}

impl<'a> Decoder<'a> {
    /// Reads the function section. A function that cannot be read is left out, or ends before the first op that cannot
    /// be read.
    pub(super) fn functions(&mut self, mut cursor: Cursor<'a>) -> Functions {
        let (mut all, mut offsets) = (Functions::default(), Vec::new());
        let count = cursor.count("functions", 5);
        let count = self.note_unread(count);
        for left in (0..count.unwrap_or(0)).rev() {
            let offset = cursor.offset();
            let function = self.function(&mut cursor, all.entries.len()).map_err(|error| after(error, left));
            let Some(function) = self.note_unread(function) else { return all };
            match self.note_unread(function) {
                Some(AnyFunction::Entry(entry)) => {
                    let cut_entry = Some(all.entries.len());
                    self.unread.extend(entry.error.map(|error| Unread { error, cut_entry }));
                    all.entries.push(Arc::new(entry.body));
                    all.locations.push(entry.locations);
                }
                Some(AnyFunction::Bodiless(function)) => {
                    offsets.push(offset);
                    all.bodiless.push(function);
                }
                None => {}
            }
        }
        if count.is_some() {
            let checked = cursor.finish_padded();
            self.note_unread(checked);
        }
        let checked = self.check_functions(&cursor, &all.bodiless, &offsets);
        self.note_unread(checked);
        all
    }

    /// Reads a function. The inner error means that only this function cannot be read. The outer error means that the
    /// end of its record is unknown too.
    fn function(&mut self, cursor: &mut Cursor<'a>, entries_before: usize) -> Read<Read<AnyFunction>> {
        let name = self.name(cursor);
        let offset = cursor.offset();
        let signature = self.function_type(cursor);
        let form = match self.function_form(cursor, name.as_deref().unwrap_or("?")) {
            Ok(form) => form,
            // Report the first error.
            Err(error) => return Err(name.err().or(signature.err()).unwrap_or(error)),
        };
        let (private, has_hints) = match form {
            Form::Entry { private, has_hints } => (private, has_hints),
            form => {
                self.next_location(&mut Track::of(cursor.varint()?), cursor)?;
                let function = match form {
                    Form::Declaration => {
                        let (params, results) = signature?;
                        self.declaration(cursor, preview::Head { name: name?, params, results, entries_before })
                    }
                    // The op in the record repeats the name and the type. Only those are used.
                    _ => self.implementation(cursor, entries_before),
                };
                return function.map(|function| Ok(AnyFunction::Bodiless(function)));
            }
        };
        let record = self.record(cursor, private, has_hints);
        match (name, signature, record) {
            (Ok(name), Ok((params, results)), Ok(record)) => {
                let checked = self.check_signature(offset, &name, &params, &results, &record);
                Ok(checked.map(|()| AnyFunction::Entry(Box::new(self.body(name, params, record)))))
            }
            (Err(error), _, Ok(_)) | (_, Err(error), Ok(_)) => Ok(Err(error)),
            (Err(error), ..) | (_, Err(error), _) | (_, _, Err(error)) => Err(error),
        }
    }

    /// Reads the form of a function.
    fn function_form(&self, cursor: &mut Cursor, name: &str) -> Read<Form> {
        let offset = cursor.offset();
        let form = cursor.byte()?;
        let fail = |message: String| cursor.fail_at(offset, message);
        let since_13_5 = self.version >= Version::V13_5;
        let unknown = form & !function_form::KNOWN | if since_13_5 { 0 } else { form & function_form::KIND_HIGH };
        if unknown != 0 {
            return fail(format!("unknown bits {unknown:#x} in the form of the function `{name}`"));
        }
        let is_entry = form & function_flag::KERNEL != 0;
        let private = form & function_form::PRIVATE != 0;
        if !since_13_5 {
            let has_hints = form & function_flag::HINTS != 0;
            return if is_entry { Ok(Form::Entry { private, has_hints }) } else { fail(not_an_entry(name)) };
        }
        let kind = match (is_entry, form & function_form::KIND) {
            (true, 0) => return Ok(Form::Entry { private, has_hints: true }),
            (true, _) => return fail(format!("the form of the entry `{name}` must be that of a function with a body")),
            (false, 0) => Form::Declaration,
            (false, function_form::EXTERN) => Form::Implementation,
            (false, _) => return fail(format!("the function `{name}` has an invalid form")),
        };
        self.need_preview(cursor, offset, format_args!("the function `{name}` without a body"))?;
        if private { Ok(kind) } else { fail(format!("the function `{name}` has no body, so it must be private")) }
    }

    /// Reads the record of an entry after its form.
    fn record(&mut self, cursor: &mut Cursor<'a>, private: bool, has_hints: bool) -> Read<Record<'a>> {
        let track = Track::of(cursor.varint()?);
        let hints = if has_hints { Some(self.tagged_hints(cursor)?) } else { None };
        // Since 13.5, an entry without hints has an empty list.
        let hints = hints.filter(|hints| self.version < Version::V13_5 || !hints.by_architecture.is_empty());
        let has_attrs = self.version >= Version::V13_5;
        let param_attrs = if has_attrs { self.param_attrs(cursor)? } else { Vec::new() };
        let length = cursor.varint()?;
        let body = cursor.part(length, "the body of an entry")?;
        Ok(Record { private, param_attrs, hints, track, body })
    }

    /// Checks that an entry has no results and that its parameters are tiles of rank 0. Readers before 13.5 accept
    /// other parameters.
    fn check_signature(
        &self,
        offset: usize,
        name: &str,
        params: &[Type],
        results: &[Type],
        record: &Record,
    ) -> Read<()> {
        let wrong = params.iter().find(|ty| ty.as_tile().is_none_or(|tile| tile.rank() != 0));
        let dictionaries = record.param_attrs.len();
        let message = match wrong.filter(|_| self.version >= Version::V13_5) {
            _ if !results.is_empty() => "an entry must not have result types".to_string(),
            Some(ty) => format!("a parameter of the entry `{name}` must be a tile of rank 0, found `{ty}`"),
            None if dictionaries != 0 && dictionaries != params.len() => {
                format!("expected a dictionary for each of {} parameters, found {dictionaries}", params.len())
            }
            None => return Ok(()),
        };
        Err(Error { offset, message })
    }
}

fn not_an_entry(name: &str) -> String {
    format!("the function `{name}` is not an entry")
}

/// Extends an error that makes the functions after it unreadable.
fn after(error: Error, functions: usize) -> Error {
    let message = match functions {
        0 => return error,
        1 => format!("{}; the function after it cannot be read", error.message),
        _ => format!("{}; the {functions} functions after it cannot be read", error.message),
    };
    Error { message, ..error }
}
