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
    /// Same as `--output-format side-by-side`
    #[arg(long, short = 'y', conflicts_with_all = ["output_format", "json"], help_heading = OUTPUT)]
    side_by_side: bool,
    /// Width of the columns of `--side-by-side` together [default: that of the terminal]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = OUTPUT)]
    width: Option<u16>,
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
    /// Both programs in two columns, with the names and the order of the first one
    SideBySide,
}

impl Arguments {
    pub(super) fn is_json(&self) -> bool {
        self.json || self.output_format == Format::Json
    }

    pub(super) fn is_side_by_side(&self) -> bool {
        self.side_by_side || self.output_format == Format::SideBySide
    }

    pub(super) fn width(&self) -> Option<usize> {
        self.width.map(usize::from)
    }

    pub(super) fn status(&self, verdict: Verdict) -> u8 {
        u8::from(self.exit_code && verdict != Verdict::Same)
    }
}
