//! The diagnostics of the front end, one file per code. Each file has the page that `tile explain` prints and the
//! functions that build its messages.

mod e0001_missing_text;
mod e0002_unknown_op;
mod e0003_unexpected_text;
mod e0004_keyword_not_allowed;
mod e0005_unmatched_brace;
mod e0006_nested_too_deeply;
mod e0007_open_string;
mod e0008_bad_character;
mod e0009_expected_statement;
mod e0010_malformed_attribute;
mod e0011_number_too_large;
mod e0012_alias_inside;
mod e0013_missing_attribute;
mod e0014_bad_name;
mod e0015_not_a_value;
mod e0101_undeclared_value;
mod e0102_redefinition;
mod e0103_result_count;
mod e0104_unknown_global;
mod e0105_unknown_alias;
mod e0106_duplicate_symbol;
mod e0107_foreign_op;
mod e0108_misplaced_op;
mod e0201_unknown_type;
mod e0202_malformed_type;
mod e0203_power_of_two;
mod e0204_bad_extent;
mod e0205_tile_too_large;
mod e0206_odd_f4;
mod e0207_bad_element;
mod e0208_bad_strides;
mod e0209_bad_dim_map;
mod e0210_bad_padding;
mod e0211_view_rank;
mod e0212_f4_pointers;
mod e0301_type_mismatch;
mod e0302_wrong_operand_type;
mod e0303_types_disagree;
mod e0304_type_count;
mod e0305_wrong_result_type;
mod e0306_value_count;
mod e0401_bad_literal;
mod e0402_constant_shape;
mod e0501_reshape_count;
mod e0502_broadcast_extent;
mod e0503_bad_permutation;
mod e0504_dimension_range;
mod e0505_extract_division;
mod e0506_iota_type;
mod e0507_pack_size;
mod e0511_conversion_width;
mod e0512_no_conversion;
mod e0513_f32_only;
mod e0514_bad_rounding;
mod e0515_element_not_supported;
mod e0516_overflow_flag;
mod e0521_mma_shape;
mod e0522_mma_elements;
mod e0523_scale_shape;
mod e0531_view_entry;
mod e0532_view_source;
mod e0533_index_count;
mod e0534_index_type;
mod e0535_f4_packing;
mod e0541_memory_scope;
mod e0542_atomic_element;
mod e0543_join_count;
mod e0544_alloca_size;
mod e0545_atomic_view;
mod e0546_multicast_access;
mod e0547_multimem_tile;
mod e0551_bad_predicate;
mod e0552_print_format;
mod e0553_global_type;
mod e0554_duplicate_hint;
mod e0561_preview_rule;
mod e0601_op_after_terminator;
mod e0602_missing_terminator;
mod e0603_carried_view;
mod e0604_missing_else;
mod e0605_bad_reduction;
mod e0606_entry_parameter;
mod e0607_entry_result;
mod e0608_impure_reduction;
mod e0609_empty_region;
mod e0610_loop_arguments;
mod e0611_block_parameters;
mod e0612_private_entry;
mod e0701_entry_scope;
mod e0702_op_scope;
mod e0703_global_scope;
mod e0801_newer_than_target;
mod e0804_not_on_gpu;
mod e0805_preview;
mod l0001_old_spelling;
mod l0002_bare_conversion;
mod l0003_for_step;
mod l0004_extract_range;
mod l0005_index_space;
mod l0006_renamed_op;
mod l0007_no_module;
mod l0008_unsupported_hint;
mod l0009_padding_without_mask;
mod l0010_bad_allow;
mod l0011_absent_operand;
mod l0012_parameter_type;
mod l0013_refused_since_13_5;
mod l0014_print_conversion;
mod l0015_unused_result;
mod l0016_unsigned_loop;
mod p0201_unstated_alignment;
mod p0202_unstated_bounds;
mod p0203_uncoalesced_access;
mod p0204_repeated_load;
mod p0205_overlapping_stores;
mod syntax;
mod words;

pub use e0302_wrong_operand_type::describe;
pub(crate) use syntax::syntax;
pub(crate) use words::{allowed_keywords, alternatives, entries as counted_entries};

use crate::context::Options;
use crate::diagnostic::Page;

/// The lints about accesses and unused results, which `tile_dataflow` reports.
pub mod accesses {
    use crate::diagnostic::Page;

    pub use super::l0015_unused_result::{PAGE as UNUSED_RESULT, unused_result};
    pub use super::p0201_unstated_alignment::PAGE as UNSTATED_ALIGNMENT;
    pub use super::p0202_unstated_bounds::PAGE as UNSTATED_BOUNDS;
    pub use super::p0203_uncoalesced_access::PAGE as UNCOALESCED_ACCESS;
    pub use super::p0204_repeated_load::PAGE as REPEATED_LOAD;
    pub use super::p0205_overlapping_stores::PAGE as OVERLAPPING_STORES;

    /// All of them.
    pub static PAGES: [&Page; 6] = [
        &UNUSED_RESULT,
        &UNSTATED_ALIGNMENT,
        &UNSTATED_BOUNDS,
        &UNCOALESCED_ACCESS,
        &REPEATED_LOAD,
        &OVERLAPPING_STORES,
    ];
}

/// Whether checking an item with these options decides if the lint is reported there. Some lints are also reported for
/// its launches or its accesses, and some options skip lints.
pub(crate) fn is_decided(lint: &Page, options: &Options) -> bool {
    let of_launches = [&l0003_for_step::PAGE, &l0004_extract_range::PAGE, &l0005_index_space::PAGE];
    let of_names = [&l0001_old_spelling::PAGE, &l0006_renamed_op::PAGE];
    let is_deferred = of_launches.contains(&lint) || accesses::PAGES.contains(&lint);
    let is_skipped = !options.rules || options.any_names && of_names.contains(&lint);
    !is_deferred && !is_skipped
}

/// Re-exports the functions of every diagnostic and collects the pages. Called with all files of this folder by the
/// build script; the modules are declared above, because rustfmt does not format files whose `mod` is inside a macro.
macro_rules! diagnostics {
    ($($file:ident)+) => {
        $(#[allow(unused_imports, reason = "the parser's errors are reported by `syntax` alone")]
        pub(crate) use $file::*;)+

        /// Every page, ordered by code.
        pub static PAGES: &[&Page] = &[$(&$file::PAGE),+];
    };
}

include!(concat!(env!("OUT_DIR"), "/diagnostics.rs"));
