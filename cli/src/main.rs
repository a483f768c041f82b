//! The `tile` program.

fn main() {}
