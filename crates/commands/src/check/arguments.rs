//! Arguments of `tile check`.

use crate::headings::{GPU, INPUT, LANGUAGE, OUTPUT};
use crate::limit::Limit;
use crate::preview::Previews;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use tile_dialect::{Gpu, Version};

/// Check programs for errors.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files or folders to check, or `-` for standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) paths: Vec<String>,
    /// Apply safe fixes
    #[arg(long)]
    pub(super) fix: bool,
    /// Include fixes that may not match the intended code
    ///
    /// Has an effect only with `--fix` or `--diff`.
    #[arg(long)]
    pub(super) unsafe_fixes: bool,
    /// Print the changes of `--fix` as a diff without changing files
    ///
    /// The exit status is 1 if there are any changes.
    #[arg(long, conflicts_with_all = ["fix", "watch"])]
    pub(super) diff: bool,
    /// Check again whenever a file changes
    #[arg(long, short, conflicts_with = "output_file")]
    pub(super) watch: bool,
    /// Check the parts between `// -----` lines as separate files
    #[arg(long, help_heading = INPUT)]
    pub(super) split_input_file: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full", help_heading = OUTPUT)]
    pub(super) output_format: Format,
    /// Output file, or `-` for standard output [default: `-`]
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    output_file: Option<PathBuf>,
    /// Count diagnostics by code instead of listing them
    #[arg(long, conflicts_with = "diff", help_heading = OUTPUT)]
    pub(super) statistics: bool,
    /// Show what each entry costs, the tiles that are live at each op, and hints about accesses
    ///
    /// The registers are an estimate, from the tiles alone; `tile build --resources` asks NVIDIA's compiler. With
    /// `--diff` and in formats for other programs, the output contains only the hints and their fixes; for the rest,
    /// see `tile graph --json`.
    #[arg(long, conflicts_with_all = ["watch", "statistics", "output_file"], help_heading = OUTPUT)]
    pub(super) explain_cost: bool,
    #[command(flatten)]
    pub(super) limit: Limit,
    /// GPU to check against, such as `sm_90` [default: `gpu` in `tile.toml`, if any]
    #[arg(long, value_name = "sm_NN", value_parser = Gpu::parse, help_heading = GPU)]
    pub(super) gpu: Option<Gpu>,
    /// Tile IR version to check against [default: `target-version` in `tile.toml`, else 13.5]
    ///
    /// With `--upstream-tests`, the last default is 13.3, the version of upstream's test build.
    #[arg(long, value_name = "VERSION", value_parser = Version::parse, help_heading = LANGUAGE)]
    pub(super) target_version: Option<Version>,
    #[command(flatten)]
    pub(super) preview: Previews,
    /// Accept the extensions of upstream's test build
    ///
    /// These are `testing$func`, ops of other dialects and ops at file level.
    #[arg(long, help_heading = LANGUAGE)]
    pub(super) upstream_tests: bool,
}

impl Arguments {
    /// The output file, unless it is standard output.
    pub(super) fn output_file(&self) -> Option<&Path> {
        self.output_file.as_deref().filter(|path| *path != "-")
    }

    /// What is wrong with a combination of arguments.
    pub(super) fn mistake(&self) -> Option<&'static str> {
        let is_list = matches!(self.output_format, Format::Github | Format::Sarif);
        (self.statistics && is_list).then_some(
            "`--statistics` counts diagnostics instead of listing them: use the output format full, concise, json or \
             json-lines",
        )
    }
}

/// Output format.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Diagnostics with excerpts of the source
    Full,
    /// One line per diagnostic
    Concise,
    /// A JSON array
    Json,
    /// One JSON object per line
    JsonLines,
    /// Annotations for GitHub Actions
    Github,
    /// A SARIF 2.1.0 log
    Sarif,
}

impl Format {
    /// Whether people read the output, not programs.
    pub(super) fn is_for_people(self) -> bool {
        matches!(self, Format::Full | Format::Concise)
    }
}
