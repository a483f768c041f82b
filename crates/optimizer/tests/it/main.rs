//! Tests of the optimizer.

mod cases;
mod editor;
