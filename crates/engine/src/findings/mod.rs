//! The findings of a run: one file per finding, with the page that explains it.
//!
//! The codes are grouped: `R01` memory, `R02` arithmetic, `R03` assumptions and preconditions, `R04` control flow,
//! `R05` tiles and views, `R06` launches.

pub(crate) mod r0101_null_pointer;
pub(crate) mod r0102_pointer_outside_allocation;
pub(crate) mod r0103_misaligned_pointer;
pub(crate) mod r0104_constant_store;
pub(crate) mod r0105_unspecified_value;
pub(crate) mod r0106_unordered_accesses;
pub(crate) mod r0107_race;
pub(crate) mod r0108_freed_memory;
pub(crate) mod r0109_repeated_address;
pub(crate) mod r0110_pointer_overflow;
pub(crate) mod r0111_multicast_address;
pub(crate) mod r0112_missing_alias_fence;
pub(crate) mod r0201_division_by_zero;
pub(crate) mod r0202_division_overflow;
pub(crate) mod r0203_integer_overflow;
pub(crate) mod r0204_shift_too_far;
pub(crate) mod r0205_float_to_int_range;
pub(crate) mod r0206_negative_scale;
pub(crate) mod r0301_assertion_failed;
pub(crate) mod r0302_broken_assumption;
pub(crate) mod r0303_inbounds_violated;
pub(crate) mod r0304_not_associative;
pub(crate) mod r0305_print_conversion;
pub(crate) mod r0401_step_not_positive;
pub(crate) mod r0402_did_not_finish;
pub(crate) mod r0403_loop_counter_overflow;
pub(crate) mod r0404_unordered_wait;
pub(crate) mod r0501_index_outside_index_space;
pub(crate) mod r0502_slice_outside_tile;
pub(crate) mod r0503_invalid_tensor_view;
pub(crate) mod r0504_extent_too_large;
pub(crate) mod r0601_argument_mismatch;
pub(crate) mod r0602_not_supported;

pub use assertion_failed::PAGE as ASSERTION_FAILED;
pub use constant_store::PAGE as CONSTANT_STORE;
pub use did_not_finish::PAGE as DID_NOT_FINISH;
pub use misaligned_pointer::PAGE as MISALIGNED_POINTER;
pub use pointer_outside_allocation::PAGE as POINTER_OUTSIDE_ALLOCATION;

use tile_analysis::diagnostic::Page;
use tile_analysis::ir::OpId;

/// Collects the pages and names each module without its code. Called with all files of this folder by the build script;
/// the modules are declared above, because rustfmt does not format files whose `mod` is inside a macro.
macro_rules! findings {
    ($($file:ident as $name:ident)+) => {
        $(pub(crate) use $file as $name;)+

        /// The page of every finding, in the order of their codes.
        pub static PAGES: &[&Page] = &[$(&$name::PAGE),+];
    };
}

include!(concat!(env!("OUT_DIR"), "/findings.rs"));

/// The result of an op, or the fault that stopped it.
pub(crate) type OpResult<T> = Result<T, Box<Fault>>;

/// A violation of the language, at which the run stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The page that explains it.
    pub page: &'static Page,
    /// The message, in the user's terms.
    pub message: String,
    /// The op at fault; `None` if the finding concerns the whole launch.
    pub op: Option<OpId>,
    /// The tile block in which it happened.
    pub block: [u32; 3],
    /// Additional notes.
    pub notes: Vec<String>,
    /// Related ops, each with a message.
    pub others: Vec<(OpId, String)>,
}

/// A finding whose op and tile block are not known yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    page: &'static Page,
    message: String,
    notes: Vec<String>,
    others: Vec<(OpId, String)>,
    /// The op at fault, if it is not the one that is running.
    op: Option<OpId>,
}

impl Fault {
    /// A fault with a message.
    pub(crate) fn new(page: &'static Page, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { page, message: message.into(), notes: Vec::new(), others: Vec::new(), op: None })
    }

    /// Adds a note.
    pub(crate) fn note(mut self: Box<Self>, note: impl Into<String>) -> Box<Self> {
        self.notes.push(note.into());
        self
    }

    /// Adds a related op with a message.
    pub(crate) fn other(mut self: Box<Self>, op: OpId, message: impl Into<String>) -> Box<Self> {
        self.others.push((op, message.into()));
        self
    }

    /// Attributes the fault to an op that ran earlier.
    pub(crate) fn of_op(mut self: Box<Self>, op: OpId) -> Box<Self> {
        self.op = Some(op);
        self
    }

    /// The finding at an op of a tile block.
    pub(crate) fn at(self, op: Option<OpId>, block: [u32; 3]) -> Finding {
        let op = self.op.or(op);
        Finding { page: self.page, message: self.message, op, block, notes: self.notes, others: self.others }
    }
}

/// A number of nibbles: `4 bytes`, `half a byte`.
pub(crate) fn bytes(nibbles: u64) -> String {
    match nibbles {
        1 => "half a byte".to_string(),
        2 => "1 byte".to_string(),
        _ => format!("{} bytes", nibbles / 2),
    }
}

/// The coordinates of the element at a row-major position, as `[1, 2]`.
pub(crate) fn coordinates(mut position: usize, shape: &[i64]) -> Vec<i64> {
    let mut found = vec![0; shape.len()];
    for (place, &extent) in found.iter_mut().zip(shape).rev() {
        *place = position as i64 % extent.max(1);
        position /= extent.max(1) as usize;
    }
    found
}

/// The position of an element in messages: ` at element [1, 2] of the tile`, or nothing for a scalar.
pub(crate) fn at_element(position: usize, shape: &[i64]) -> String {
    if shape.is_empty() { String::new() } else { format!(" at element {:?} of the tile", coordinates(position, shape)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_analysis::diagnostic::Severity;

    #[test]
    fn every_page_is_complete_and_has_a_code_of_its_own() {
        let codes: Vec<&str> = PAGES.iter().map(|page| page.code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes, sorted);
        for page in PAGES {
            assert!(page.code.len() == 5 && page.code.starts_with('R'), "{}", page.code);
            assert_eq!(page.severity, Severity::Error, "{}", page.code);
            assert!(page.text.len() > 80, "{}", page.code);
            assert!(page.wrong.contains("//@ launch") && page.right.contains("//@ launch"), "{}", page.code);
            assert_ne!(page.wrong, page.right, "{}", page.code);
        }
    }

    #[test]
    fn elements_are_named_by_coordinates() {
        assert_eq!(at_element(5, &[2, 4]), " at element [1, 1] of the tile");
        assert_eq!(at_element(0, &[]), "");
    }
}
