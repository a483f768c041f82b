//! The arguments of `tile diff`.

use crate::headings::OUTPUT;
use crate::preview::Previews;
use clap::ValueEnum;
use tile_diff::report::Verdict;

/// Compare what two programs mean
///
/// Names, locations, comments, formatting and the order of ops are not compared. Programs can be text or bytecode. For
/// two folders, prints a table of the programs with the same path, and statistics.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// First program or folder, or `-` for standard input
    pub(super) a: String,
    /// Second program or folder, or `-` for standard input
    pub(super) b: String,
    /// Exit with status 1 if the programs differ
    #[arg(long, help_heading = OUTPUT)]
    pub(super) exit_code: bool,
    /// Also print differences that do not change the meaning: unused ops, and values computed more often
    #[arg(long, help_heading = OUTPUT)]
    pub(super) all: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    output_format: Format,
    /// Same as `--output-format json`
    #[arg(long, conflicts_with = "output_format", help_heading = OUTPUT)]
    json: bool,
    #[command(flatten)]
    pub(super) preview: Previews,
}

/// Output formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The ops that differ, with their lines
    Text,
    /// The same, for other programs
    Json,
}

impl Arguments {
    pub(super) fn is_json(&self) -> bool {
        self.json || self.output_format == Format::Json
    }

    pub(super) fn status(&self, verdict: Verdict) -> u8 {
        u8::from(self.exit_code && verdict != Verdict::Same)
    }
}
