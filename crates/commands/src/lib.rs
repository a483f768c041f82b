//! The commands of the program `tile`, which are thin: the work is done by the other crates.
//!
//! Invariant: contains only the command line. A command reads its arguments, calls a library crate, prints the result
//! and chooses the exit status: 0 for success; 1 for errors in a program, failed expectations or unformatted files; 2
//! for wrong usage, an unreadable file or a missing tool.

mod bench;
mod build;
mod cache;
mod check;
mod choose;
mod chosen_entry;
mod debug;
mod destination;
mod diff;
mod dis;
mod doc;
mod doctor;
mod gpu;
mod graph;
mod headings;
mod host_events;
mod interrupt;
mod late;
mod launch_options;
mod launches;
mod limit;
mod lsp;
#[cfg(feature = "manual")]
mod manual;
mod markdown;
mod messages;
mod opt;
mod overwrite;
mod preview;
mod progress;
mod project;
mod reduce;
mod resources;
mod run;
mod screen;
mod sources;
mod style;
mod test;
mod tune;
mod view;

#[cfg(feature = "manual")]
use clap::CommandFactory;
use clap::{Parser, Subcommand};
use late::Late;
use messages::fail;
use std::process::ExitCode;
use tile_backend::worker;

/// The language toolchain for CUDA Tile IR.
#[derive(Parser)]
#[command(name = "tile", version, about, max_term_width = 100)]
struct Arguments {
    /// When to use colors: `auto`, `always` or `never`
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        display_order = 900
    )]
    color: style::When,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check programs for errors.
    Check(Late<check::Arguments>),
    /// Compile a program to bytecode, cubin, PTX or SASS.
    Build(Late<build::Arguments>),
    /// Disassemble bytecode to text.
    Dis(Late<dis::Arguments>),
    /// Compare what two programs mean.
    Diff(Late<diff::Arguments>),
    /// Run one launch of a program.
    Run(Late<run::Arguments>),
    /// Run launches and check their expectations.
    Test(Late<test::Arguments>),
    /// Time launches, and compare them with a baseline.
    Bench(Late<bench::Arguments>),
    /// Find the fastest hints and variant of a kernel on a GPU.
    Tune(Late<tune::Arguments>),
    /// Show how data flows between memory and tiles.
    Graph(Late<graph::Arguments>),
    /// Draw what a launch does with memory, as a page for a browser.
    View(Late<view::Arguments>),
    /// Clean up a program: fold constants, merge and remove ops, move ops out of loops.
    Opt(Late<opt::Arguments>),
    /// Shrink a program while preserving a failure.
    Reduce(Late<reduce::Arguments>),
    /// Report what can run on this machine and what is missing.
    Doctor(Late<doctor::Arguments>),
    /// Show or clear the cache of compiled kernels.
    Cache(Late<cache::Arguments>),
    /// Run the language server.
    Lsp(Late<lsp::Arguments>),
    /// Format programs in place.
    Fmt(Late<tile_fmt::command::Arguments>),
    /// Show the documentation of an op, type, keyword or directive.
    Doc(Late<doc::DocArguments>),
    /// Explain a diagnostic code.
    Explain(Late<doc::ExplainArguments>),
    /// Run the debug adapter.
    DebugAdapter(Late<debug::Arguments>),
    /// Run kernels for another process over standard input and output.
    #[command(hide = true)]
    Worker {
        /// Only run the CPU engine, in a sandbox.
        #[arg(long)]
        sandbox: bool,
    },
    /// Write manual pages and shell completions.
    #[cfg(feature = "manual")]
    #[command(hide = true)]
    Manual(manual::Arguments),
}

/// Runs the command that the arguments of this process name, and returns its exit status.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    style::set(arguments.color);
    let status = match arguments.command {
        Command::Check(Late(arguments)) => check::run(&arguments),
        Command::Build(Late(arguments)) => build::run(&arguments),
        Command::Dis(Late(arguments)) => dis::run(&arguments),
        Command::Diff(Late(arguments)) => diff::run(&arguments),
        Command::Run(Late(arguments)) => run::run(&arguments),
        Command::Test(Late(arguments)) => test::run(&arguments),
        Command::Bench(Late(arguments)) => bench::run(&arguments),
        Command::Tune(Late(arguments)) => tune::run(&arguments),
        Command::Graph(Late(arguments)) => graph::run(&arguments),
        Command::View(Late(arguments)) => view::run(&arguments),
        Command::Opt(Late(arguments)) => opt::run(&arguments),
        Command::Reduce(Late(arguments)) => reduce::run(&arguments),
        Command::Doctor(Late(arguments)) => doctor::run(&arguments),
        Command::Cache(Late(arguments)) => cache::run(&arguments),
        Command::Worker { sandbox } => worker(sandbox),
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

/// Runs the worker process that `tile run` and `tile test` start.
fn worker(sandbox: bool) -> u8 {
    let served = if sandbox { worker::serve_sandboxed() } else { worker::serve_standard() };
    match served {
        Ok(()) => 0,
        Err(error) => fail(format_args!("cannot communicate with the program that started this worker: {error}")),
    }
}
