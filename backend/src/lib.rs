//! Not yet written.

pub mod launch;

pub use tile_analysis::number;
