//! What a run can find: one file a finding, each with the page that explains it.
//!
//! The codes are grouped: `R01` memory, `R02` arithmetic, `R03` promises, `R04` control flow, `R05` tiles and views,
//! `R06` launches.

pub(crate) mod argument_mismatch;
pub(crate) mod assertion_failed;
pub(crate) mod broken_assumption;
pub(crate) mod constant_store;
pub(crate) mod did_not_finish;
pub(crate) mod division_by_zero;
pub(crate) mod division_overflow;
pub(crate) mod extent_too_large;
pub(crate) mod float_to_int_range;
pub(crate) mod inbounds_violated;
pub(crate) mod index_outside_index_space;
pub(crate) mod integer_overflow;
pub(crate) mod invalid_tensor_view;
pub(crate) mod misaligned_pointer;
pub(crate) mod not_supported;
pub(crate) mod null_pointer;
pub(crate) mod pointer_outside_allocation;
pub(crate) mod shift_too_far;
pub(crate) mod slice_outside_tile;
pub(crate) mod step_not_positive;

use tile_analysis::diagnostic::Page;
use tile_analysis::ir::OpId;

/// The page of every finding, in the order of their codes.
pub static PAGES: &[&Page] = &[
    &null_pointer::PAGE,
    &pointer_outside_allocation::PAGE,
    &misaligned_pointer::PAGE,
    &constant_store::PAGE,
    &division_by_zero::PAGE,
    &division_overflow::PAGE,
    &integer_overflow::PAGE,
    &shift_too_far::PAGE,
    &float_to_int_range::PAGE,
    &assertion_failed::PAGE,
    &broken_assumption::PAGE,
    &inbounds_violated::PAGE,
    &step_not_positive::PAGE,
    &did_not_finish::PAGE,
    &index_outside_index_space::PAGE,
    &slice_outside_tile::PAGE,
    &invalid_tensor_view::PAGE,
    &extent_too_large::PAGE,
    &argument_mismatch::PAGE,
    &not_supported::PAGE,
];

/// Something that a run found: the run stops there.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Which one it is.
    pub page: &'static Page,
    /// What happened, in the user's own terms.
    pub message: String,
    /// The op at which it happened; `None` where it has to do with the launch as a whole.
    pub op: Option<OpId>,
    /// The tile block in which it happened.
    pub block: [u32; 3],
    /// Further sentences.
    pub notes: Vec<String>,
}

/// A finding whose op and tile block are not known yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    page: &'static Page,
    message: String,
    notes: Vec<String>,
}

impl Fault {
    /// A fault with a message.
    pub(crate) fn new(page: &'static Page, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { page, message: message.into(), notes: Vec::new() })
    }

    /// Adds a sentence.
    pub(crate) fn note(mut self: Box<Self>, note: impl Into<String>) -> Box<Self> {
        self.notes.push(note.into());
        self
    }

    /// The finding at an op of a tile block.
    pub(crate) fn at(self, op: Option<OpId>, block: [u32; 3]) -> Finding {
        Finding { page: self.page, message: self.message, op, block, notes: self.notes }
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

/// Which element of a tile something is about: ` at element [1, 2] of the tile`, or nothing for a scalar.
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
