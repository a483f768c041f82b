//! The input that an item of a file is.

#![allow(missing_docs)] // the macros make items without documentation; everything written here has its own

use std::sync::Arc;

/// One item of a file, independent of its position.
#[salsa::input]
#[derive(Debug)]
pub struct Item {
    /// Its text.
    #[returns(ref)]
    pub text: Arc<str>,
}
