//! The arguments and exit statuses of the program.

use super::lines::Lines;
use clap::Args;
use std::path::PathBuf;

/// Everything is formatted.
pub const FINE: u8 = 0;
/// Some text is not formatted, with `--check` or `--diff`.
pub const UNFORMATTED: u8 = 1;
/// A file could not be read or written.
pub const FAILED: u8 = 2;

/// Format programs in place.
#[derive(Args, Clone, Default, Debug)]
pub struct Arguments {
    /// List the files that are not formatted instead of changing them; exit with status 1 if there are any
    #[arg(long)]
    pub check: bool,

    /// Print what formatting would change instead of changing it; exit with status 1 if there is a difference
    #[arg(long)]
    pub diff: bool,

    /// Format only these lines of one file, such as `10-20` or `10`
    #[arg(long, value_name = "LINES")]
    pub range: Option<Lines>,

    /// Name of standard input in messages and diffs
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<String>,

    /// Files, folders to search for `.tile` files, or `-` for standard input [default: the current folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}
