//! What is known about a launch before it runs.

use super::directive::Launch;
use super::literal::Number;
use super::spec::Spec;
use tile_analysis::ir::Body;
use tile_analysis::range_analysis::Launched;

/// The grid and the integer arguments of a launch, for range analysis.
pub fn launched(entry: &Body, launch: &Launch) -> Launched {
    let number = |name: &str| match launch.arg(name).map(|arg| &arg.spec) {
        Some(Spec::Scalar(Number::Whole(number))) => i64::try_from(*number).ok(),
        _ => None,
    };
    Launched { grid: Some(launch.grid.map(i64::from)), params: entry.params.iter().map(|name| number(name)).collect() }
}
