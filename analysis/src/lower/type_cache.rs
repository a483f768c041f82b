//! The types that an item states, with each text read only once.

use crate::context::Context;
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::{Arc, Weak};

/// Types without problems, keyed by their text. They apply to every item of a file.
#[derive(Debug, Default)]
pub struct KnownTypes(FxHashMap<Box<str>, Type>);

thread_local! {
    /// The types that this thread has read, with their context.
    static KNOWN: RefCell<(Weak<Context>, KnownTypes)> = RefCell::default();
}

impl KnownTypes {
    /// Passes the types that this thread has read in other items with the same context.
    pub(crate) fn with<T>(context: &Arc<Context>, work: impl FnOnce(&mut KnownTypes) -> T) -> T {
        KNOWN.with_borrow_mut(|(seen, known)| {
            if !std::ptr::eq(seen.as_ptr(), Arc::as_ptr(context)) {
                (*seen, *known) = (Arc::downgrade(context), KnownTypes::default());
            }
            work(known)
        })
    }
}

/// The types that have been read, keyed by their text.
pub(super) struct TypeCache<'a> {
    known: &'a mut KnownTypes,
    /// Types of this item whose problems have been reported.
    reported: FxHashMap<&'a str, Type>,
}

impl<'a> TypeCache<'a> {
    pub(super) fn new(known: &'a mut KnownTypes) -> Self {
        TypeCache { known, reported: FxHashMap::default() }
    }

    pub(super) fn get(&self, text: &str) -> Option<Type> {
        self.known.0.get(text).or_else(|| self.reported.get(text)).copied()
    }

    /// Adds a type. A type with problems is cached only for this item.
    pub(super) fn insert(&mut self, text: &'a str, ty: Type, has_problems: bool) {
        if has_problems {
            self.reported.insert(text, ty);
        } else {
            self.known.0.insert(text.into(), ty);
        }
    }
}
