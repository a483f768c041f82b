//! What the program is asked to do, and its exit statuses.

use super::lines::Lines;
use clap::Args;
use std::path::PathBuf;

/// Everything is formatted.
pub const FINE: u8 = 0;
/// Some text is not formatted, with `--check` or `--diff`.
pub const UNFORMATTED: u8 = 1;
/// Something could not be read or written.
pub const FAILED: u8 = 2;

/// Format programs in place.
#[derive(Args, Clone, Default, Debug)]
pub struct Arguments {
    /// Change nothing: list the files that are not formatted, and exit with status 1 if there are any
    #[arg(long)]
    pub check: bool,

    /// Change nothing: print what formatting would change, and exit with status 1 if that is anything
    #[arg(long)]
    pub diff: bool,

    /// Format only these lines of one file, counted from 1: `10-20`, or `10` alone. What they begin is formatted to its
    /// end
    #[arg(long, value_name = "LINES")]
    pub range: Option<Lines>,

    /// What to call standard input in messages and differences
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<String>,

    /// Files, folders to search for `.tile` files, or `-` for standard input [default: the current folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}
