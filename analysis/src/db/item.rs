//! The salsa input of an item.

#![allow(missing_docs)] // salsa's macros generate undocumented items

use std::sync::Arc;

/// An item of a file. It is independent of its position.
#[salsa::input]
#[derive(Debug)]
pub struct Item {
    /// Its text.
    #[returns(ref)]
    pub text: Arc<str>,
}
