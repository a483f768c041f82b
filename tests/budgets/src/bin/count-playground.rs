//! Answers requests of the playground without a browser: reads one per line, and prints each answer on a line.

use std::io::{self, Write};
use tile_playground::Playground;

fn main() -> io::Result<()> {
    let mut playground = Playground::new();
    for request in io::stdin().lines() {
        let answer = playground.answer(&request?, &|_| {});
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}
