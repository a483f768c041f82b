//! The program `tile-fmt`.

use clap::Parser;
use std::process::ExitCode;
use tile_fmt::command::{Arguments, main_with};

/// Formats Tile IR text.
#[derive(Parser)]
#[command(name = "tile-fmt", version)]
struct Program {
    #[command(flatten)]
    arguments: Arguments,
}

fn main() -> ExitCode {
    ExitCode::from(main_with(Program::parse().arguments))
}
