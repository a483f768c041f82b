//! Command-line arguments and exit statuses.

use super::lines::Lines;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Success.
pub const SUCCESS: u8 = 0;
/// `--check` or `--diff` found unformatted text.
pub const UNFORMATTED: u8 = 1;
/// A file could not be read or written.
pub const FAILED: u8 = 2;

/// Format programs in place.
#[derive(Args, Clone, Default, Debug)]
pub struct Arguments {
    /// List unformatted files without changing them; exit with status 1 if there are any
    #[arg(long)]
    pub check: bool,

    /// Print the changes as a diff without changing files; exit with status 1 if there are any
    #[arg(long)]
    pub diff: bool,

    /// Output format of `--check`
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", requires = "check")]
    pub output_format: Format,

    /// Format only these lines of a single file, such as `10-20` or `10`, and the statements that they begin
    #[arg(long, value_name = "LINES")]
    pub range: Option<Lines>,

    /// File name to use for standard input in messages and diffs
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<String>,

    /// Files, folders to search for `.tile` files, or `-` for standard input [default: the current folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// Output format of `--check`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Format {
    /// One file name per line
    #[default]
    Text,
    /// Annotations for GitHub Actions, at the first line that would change
    Github,
}
