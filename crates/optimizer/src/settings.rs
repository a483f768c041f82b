//! The settings of the optimizer.

use tile_analysis::context::Options;

/// The settings of the optimizer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The options with which the program is checked.
    pub options: Options,
    /// Whether `fma` may round once where the program rounds twice.
    pub contract: bool,
}
