//! The `tile` program: thin commands over the crates.
//!
//! Invariant: holds nothing that a library could hold. A command reads its arguments, calls a crate, shows the answer
//! and chooses the exit status: 0 fine; 1 diagnostics, failed expectations or unformatted files; 2 wrong usage, an
//! unreadable file or a missing tool.

mod build;
mod cache;
mod check;
mod choose;
mod debug;
mod dis;
mod doc;
mod doctor;
mod gpu;
mod late;
mod launch_options;
mod launches;
mod limit;
mod lsp;
#[cfg(feature = "manual")]
mod manual;
mod markdown;
mod messages;
mod overwrite;
mod preview;
mod progress;
mod project;
mod reduce;
mod run;
mod sources;
mod style;
mod test;

#[cfg(feature = "manual")]
use clap::CommandFactory;
use clap::{Parser, Subcommand};
use late::Late;
use messages::fail;
use std::process::ExitCode;

/// The language toolchain for CUDA Tile IR.
#[derive(Parser)]
#[command(name = "tile", version, about, max_term_width = 100)]
struct Arguments {
    /// Use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    color: style::When,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Tell what is wrong with programs.
    Check(Late<check::Arguments>),
    /// Compile a program.
    Build(Late<build::Arguments>),
    /// Print bytecode as text.
    Dis(Late<dis::Arguments>),
    /// Run one launch of a program.
    Run(Late<run::Arguments>),
    /// Run every launch directive and check its expectations.
    Test(Late<test::Arguments>),
    /// Make a program smaller while a failure stays: the compiler's, that of a command, or a diagnostic.
    Reduce(Late<reduce::Arguments>),
    /// Tell what can run here, and what is missing.
    Doctor(Late<doctor::Arguments>),
    /// Show where compiled code is kept, or throw it away.
    Cache(Late<cache::Arguments>),
    /// Serve an editor over standard input and output.
    Lsp(Late<lsp::Arguments>),
    /// Format programs in place.
    Fmt(Late<tile_fmt::command::Arguments>),
    /// Describe an op, a type, a keyword or a launch directive.
    Doc(Late<doc::DocArguments>),
    /// Show what the code of a diagnostic means.
    Explain(Late<doc::ExplainArguments>),
    /// Debug a launch for an editor over standard input and output.
    DebugAdapter(Late<debug::Arguments>),
    /// Execute kernels for another process, over standard input and output.
    #[command(hide = true)]
    Worker,
    /// Write manual pages and shell completions.
    #[cfg(feature = "manual")]
    #[command(hide = true)]
    Manual(manual::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    style::set(arguments.color);
    let status = match arguments.command {
        Command::Check(Late(arguments)) => check::run(&arguments),
        Command::Build(Late(arguments)) => build::run(&arguments),
        Command::Dis(Late(arguments)) => dis::run(&arguments),
        Command::Run(Late(arguments)) => run::run(&arguments),
        Command::Test(Late(arguments)) => test::run(&arguments),
        Command::Reduce(Late(arguments)) => reduce::run(&arguments),
        Command::Doctor(Late(arguments)) => doctor::run(&arguments),
        Command::Cache(Late(arguments)) => cache::run(&arguments),
        Command::Worker => worker(),
        #[cfg(feature = "manual")]
        Command::Manual(arguments) => manual::run(&arguments, Arguments::command()),
        Command::Lsp(Late(arguments)) => lsp::run(&arguments),
        Command::DebugAdapter(Late(arguments)) => debug::run(&arguments),
        Command::Fmt(Late(arguments)) => sources::format(arguments),
        Command::Doc(Late(arguments)) => doc::doc(&arguments),
        Command::Explain(Late(arguments)) => doc::explain(&arguments),
    };
    ExitCode::from(status)
}

/// The other side of `tile run` and `tile test`.
fn worker() -> u8 {
    match tile_backend::worker::serve_standard() {
        Ok(()) => 0,
        Err(error) => fail(format_args!("cannot talk to the program that started this worker: {error}")),
    }
}
