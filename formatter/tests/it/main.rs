//! Integration tests of the formatter.

mod cases;
mod corpus;
mod robust;
mod searching;
#[path = "../../../tests/src/skip.rs"]
mod skip;
mod support;
