//! The salsa input of an item.

#![allow(missing_docs)] // the macros make items without documentation; everything written here is documented

use std::sync::Arc;

/// An item of a file. It is independent of its position.
#[salsa::input]
#[derive(Debug)]
pub struct Item {
    /// Its text.
    #[returns(ref)]
    pub text: Arc<str>,
}
