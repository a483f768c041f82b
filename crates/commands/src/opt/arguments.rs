//! The arguments of `tile opt`.

use crate::headings::{DEBUGGING, EXECUTION, OUTPUT};
use crate::launch_options::seconds;
use crate::preview::Previews;
use clap::ValueEnum;
use tile_opt::Pass;

/// Clean up a program: fold constants, merge and remove ops, move ops out of loops
///
/// Prints the optimized program. It computes the same bits, and keeps names, comments and launches.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Program to optimize, or `-` for standard input
    #[arg(required_unless_present = "list_passes")]
    pub(super) file: Option<String>,
    /// Output file, or `-` for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", help_heading = OUTPUT)]
    pub(super) output: String,
    /// Passes to run, in this order [default: all]
    ///
    /// `--list-passes` describes them. They are repeated until none of them changes anything.
    #[arg(long, value_name = "PASS,…", value_delimiter = ',', value_parser = pass)]
    passes: Vec<Pass>,
    /// List the passes
    #[arg(long, exclusive = true)]
    pub(super) list_passes: bool,
    /// Change of results to permit
    #[arg(long, value_enum, value_name = "CHANGE", value_delimiter = ',')]
    allow: Vec<Allowed>,
    /// Print the program to standard error after each pass
    #[arg(long, help_heading = DEBUGGING)]
    pub(super) print_after_each: bool,
    /// Run all launches before and after, and compare the results bit for bit
    ///
    /// If a result differs, nothing is written and the exit status is 1.
    #[arg(long, help_heading = EXECUTION)]
    pub(super) verify: bool,
    /// Time limit of each launch of `--verify`, in seconds
    #[arg(
        long, value_name = "SECONDS", value_parser = seconds, default_value = "60", requires = "verify",
        help_heading = EXECUTION
    )]
    pub(super) timeout: u64,
    #[command(flatten)]
    pub(super) preview: Previews,
}

/// A change of results.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Allowed {
    /// Round once instead of twice: fuse `mulf` and `addf` to `fma`
    Contract,
}

impl Arguments {
    /// The passes to run.
    pub(super) fn passes(&self) -> Vec<Pass> {
        if self.passes.is_empty() { Pass::ALL.to_vec() } else { self.passes.clone() }
    }

    /// Whether `fma` may round once where the program rounds twice.
    pub(super) fn contracts(&self) -> bool {
        self.allow.contains(&Allowed::Contract)
    }
}

/// Parses the name of a pass.
fn pass(name: &str) -> Result<Pass, String> {
    Pass::named(name).ok_or_else(|| format!("expected one of {}", Pass::ALL.map(Pass::name).join(", ")))
}
