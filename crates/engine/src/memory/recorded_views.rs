//! The tensor views that a run creates, if they are recorded: the memory that the program means to access.

use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, PoisonError};
use tile_dialect::Element;

/// A tensor view and its location in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RecordedView {
    /// The address of the first element, in bytes.
    pub address: u64,
    /// The number of elements along each dimension.
    pub shape: Box<[i64]>,
    /// The distances between elements along each dimension, in elements.
    pub strides: Box<[i64]>,
    /// The element type.
    pub element: Element,
}

/// The views of a run, shared by all its threads. Recording is off by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordedViews(Option<Arc<Mutex<FxHashSet<RecordedView>>>>);

impl RecordedViews {
    /// An empty record.
    pub(crate) fn begin() -> RecordedViews {
        RecordedViews(Some(Arc::default()))
    }

    /// Whether views are recorded.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Records a view.
    pub(crate) fn add(&self, view: impl FnOnce() -> RecordedView) {
        if let Some(views) = &self.0 {
            views.lock().unwrap_or_else(PoisonError::into_inner).insert(view());
        }
    }

    /// The different views recorded so far, unordered.
    pub(crate) fn all(&self) -> Vec<RecordedView> {
        let views = self.0.iter().map(|views| views.lock().unwrap_or_else(PoisonError::into_inner));
        views.flat_map(|views| views.iter().cloned().collect::<Vec<_>>()).collect()
    }
}
