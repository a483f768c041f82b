//! Integration tests of the front end.

mod actions;
mod cases;
mod ide;
mod no_panic;
mod shown;
