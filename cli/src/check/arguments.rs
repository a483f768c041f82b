//! What `tile check` is asked to do.

use crate::limit::Limit;
use crate::preview::Previews;
use clap::ValueEnum;
use std::path::PathBuf;
use tile_dialect::{Gpu, Version};

/// Tell what is wrong with programs.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files, folders to search, or `-` for standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) paths: Vec<String>,
    /// How diagnostics are shown.
    #[arg(long, value_enum, default_value = "full")]
    pub(super) output_format: Format,
    /// Write what is shown to this file.
    #[arg(long, value_name = "FILE")]
    pub(super) output_file: Option<PathBuf>,
    /// Apply safe fixes.
    #[arg(long)]
    pub(super) fix: bool,
    /// Apply fixes that guess what was meant, too (with --fix or --diff).
    #[arg(long)]
    pub(super) unsafe_fixes: bool,
    /// Print what --fix would change instead of changing it; exit with status 1 if there is a difference.
    #[arg(long, conflicts_with_all = ["fix", "watch"])]
    pub(super) diff: bool,
    /// Show how often each code was found instead of where.
    #[arg(long, conflicts_with = "diff")]
    pub(super) statistics: bool,
    /// Check again whenever a file changes.
    #[arg(long, short, conflicts_with = "output_file")]
    pub(super) watch: bool,
    /// The version whose rules hold [default: what `tile.toml` says, else 13.5; 13.3 with --upstream-tests, whose test
    /// build speaks that].
    #[arg(long, value_parser = Version::parse)]
    pub(super) target_version: Option<Version>,
    /// Report what this GPU does not support, such as `sm_90` [default: `gpu` in `tile.toml`, else any GPU].
    #[arg(long, value_name = "sm_NN", value_parser = Gpu::parse)]
    pub(super) gpu: Option<Gpu>,
    #[command(flatten)]
    pub(super) preview: Previews,
    #[command(flatten)]
    pub(super) limit: Limit,
    /// Treat `// -----` lines as ends of files.
    #[arg(long)]
    pub(super) split_input_file: bool,
    /// Accept what upstream's test build accepts: `testing$func`, ops of other dialects, ops at file level.
    #[arg(long)]
    pub(super) upstream_tests: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Full,
    Concise,
    Json,
    JsonLines,
    Github,
    Sarif,
}
