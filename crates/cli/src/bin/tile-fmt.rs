//! The program `tile-fmt`, a formatter without the other commands.

use clap::Parser;
use std::process::ExitCode;
use tile_fmt::command::{Arguments, main_with};

/// Format CUDA Tile IR programs.
#[derive(Parser)]
#[command(name = "tile-fmt", version)]
struct Program {
    #[command(flatten)]
    arguments: Arguments,
}

fn main() -> ExitCode {
    ExitCode::from(main_with(Program::parse().arguments))
}
