//! Random programs with launches, whose behavior is defined and whose results do not depend on the order of tile
//! blocks.
//!
//! A seed determines the program. Most ops are generated from the rows of the table: [`choices`] finds the element
//! types and attributes with which the checker accepts them. Other modules generate ops whose operands depend on each
//! other. [`NOT_GENERATED`] lists the remaining ops.

mod builder;
mod choices;
mod control;
mod elementwise;
mod folds;
mod literals;
mod memory;
mod misc;
mod output;
mod pointers;
mod preconditions;
mod products;
mod shapes;
mod spelling;
mod stream;
mod types;
mod views;
mod want;

use builder::Builder;
pub use builder::Profile;
use tile_dialect::{Mnemonic, OpRow, ops};

/// Ops that are not generated, with the reason.
pub const NOT_GENERATED: &[(&str, &str)] = &[
    ("multimem_load_reduce_view_tko", "needs multicast memory, which a launch of random buffers does not have"),
    ("multimem_reduce_view_tko", "needs multicast memory, which a launch of random buffers does not have"),
    ("multimem_store_view_tko", "needs multicast memory, which a launch of random buffers does not have"),
];

/// A program of one entry with one launch.
pub struct Program {
    /// The text of its globals and its entry, with the launch.
    pub items: String,
    /// The names of the buffers, with the accepted differences of their contents between targets: `None` if they must
    /// be the same.
    pub buffers: Vec<(String, Option<String>)>,
}

impl Program {
    /// Generates the program of a seed.
    pub fn of(seed: u64, profile: Profile) -> Program {
        let mut builder = Builder::new(seed, profile, statement);
        let streams = match profile {
            Profile::Cpu => 12,
            // Their results take much space as expectations.
            Profile::Gpu => 3,
            Profile::Integers => 0,
        };
        if builder.chance(streams) {
            stream::add(&mut builder);
        } else {
            for _ in 0..builder.rng.u32(2..=9) {
                statement(&mut builder);
            }
            store_results(&mut builder);
        }
        let (items, buffers) = builder.finish();
        Program { items, buffers }
    }

    /// A module with only this program.
    pub fn text(&self) -> String {
        format!("cuda_tile.module @random {{\n{}}}\n", self.items)
    }
}

/// Stores some of the values, mostly those of the last ops.
fn store_results(builder: &mut Builder) {
    let mut stored = 0;
    for _ in 0..12 {
        let value = builder.any();
        stored += usize::from(output::store(builder, &value.name, &value.tile));
        if stored >= 3 {
            break;
        }
    }
}

/// The module that generates an op.
type Add = fn(&mut Builder, Mnemonic) -> bool;

/// The ops that are not element by element, with the function that adds one, and how often it is chosen.
const SPECIAL: &[(&[Mnemonic], Add, u32)] = &[
    (shapes::OPS, shapes::add, 16),
    (folds::OPS, folds::add, 12),
    (products::OPS, products::add, 5),
    (views::OPS, views::add, 10),
    (memory::OPS, memory::add, 12),
    (control::OPS, control::add, 12),
    (misc::OPS, misc::add, 8),
];

/// Adds a random statement: an op with the ops for its operands.
fn statement(builder: &mut Builder) {
    for _ in 0..10 {
        let mut choice = builder.rng.u32(..140);
        for (ops, add, weight) in SPECIAL {
            if choice < *weight {
                let op = builder.pick(ops);
                if add(builder, op) {
                    return;
                }
            }
            choice = choice.wrapping_sub(*weight);
        }
        let rows: Vec<&'static OpRow> =
            choices::elementwise().iter().copied().filter(|row| elementwise::is_supported(row)).collect();
        let row = builder.pick(&rows);
        if elementwise::add(builder, row) {
            return;
        }
    }
}

/// Whether programs can contain an op.
pub fn is_generated(row: &OpRow) -> bool {
    let always = [Mnemonic::Module, Mnemonic::Entry, Mnemonic::Global];
    always.contains(&row.op)
        || SPECIAL.iter().any(|(ops, ..)| ops.contains(&row.op))
        || choices::elementwise().iter().any(|other| other.op == row.op && elementwise::is_supported(other))
}

/// Every public op.
pub fn public_ops() -> impl Iterator<Item = &'static OpRow> {
    ops()
        .iter()
        .copied()
        .filter(|row| !matches!(row.group, tile_dialect::Group::Preview | tile_dialect::Group::Testing))
}
