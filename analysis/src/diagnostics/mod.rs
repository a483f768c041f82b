//! The diagnostics of the front end, one file each. The file's page is what `tile explain` shows; its functions make the
//! messages.

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
mod e0516_overflow_promise;
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
mod e0601_behind_terminator;
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
mod l0009_left_out;
mod l0010_allowance;
mod l0011_absent_operand;
mod l0012_parameter_type;
mod l0013_refused_since_13_5;
mod l0014_print_conversion;
mod syntax;
mod words;

pub(crate) use e0001_missing_text::{missing_text, missing_token_keyword, missing_types};
pub(crate) use e0004_keyword_not_allowed::{keyword_not_allowed, unknown_pointer_attr};
pub(crate) use e0006_nested_too_deeply::type_too_deep;
pub(crate) use e0010_malformed_attribute::{
    bad_escape, duplicate_entry, foreign_attribute, malformed_attribute, missing_value, no_properties, segment_sizes,
    unknown_attribute,
};
pub(crate) use e0011_number_too_large::number_too_large;
pub(crate) use e0012_alias_inside::alias_inside;
pub(crate) use e0013_missing_attribute::missing_attribute;
pub(crate) use e0015_not_a_value::{element_literal, insert_constant, write_value};
pub(crate) use e0101_undeclared_value::{Definition, UndeclaredValue, meant_value, own_result};
pub(crate) use e0102_redefinition::Redefinition;
pub(crate) use e0103_result_count::{result_count, result_number, shape_results};
pub(crate) use e0104_unknown_global::unknown_global;
pub(crate) use e0105_unknown_alias::{circular_alias, early_use, unknown_alias, unknown_attr_alias};
pub(crate) use e0106_duplicate_symbol::{duplicate_alias, duplicate_symbol};
pub(crate) use e0107_foreign_op::foreign_op;
pub(crate) use e0108_misplaced_op::{misplaced_op, module_prefix, outside_module};
pub(crate) use e0201_unknown_type::{foreign_type, lost_mark, lost_prefix, not_a_type, resembles_a_type, unknown_type};
pub(crate) use e0202_malformed_type::{
    bare_pointer_attr, blank_in_type, late_padding, malformed_type, unknown_parameter, view_keyword,
};
pub(crate) use e0203_power_of_two::power_of_two;
pub(crate) use e0204_bad_extent::{dynamic_extent, extent_not_positive};
pub(crate) use e0205_tile_too_large::tile_too_large;
pub(crate) use e0206_odd_f4::odd_f4;
pub(crate) use e0207_bad_element::bad_element;
pub(crate) use e0208_bad_strides::{stride_count, stride_not_positive};
pub(crate) use e0209_bad_dim_map::bad_dim_map;
pub(crate) use e0210_bad_padding::{bad_padding, padding_needs_float};
pub(crate) use e0211_view_rank::{sparse_dim, view_rank};
pub(crate) use e0212_f4_pointers::f4_pointers;
pub(crate) use e0301_type_mismatch::TypeMismatch;
pub(crate) use e0302_wrong_operand_type::WrongClass;
pub use e0302_wrong_operand_type::describe;
pub(crate) use e0303_types_disagree::{cat_extent, relation};
pub(crate) use e0304_type_count::{type_count, type_left_out};
pub(crate) use e0305_wrong_result_type::{wrong_result_shape, wrong_result_type};
pub(crate) use e0306_value_count::value_count;
pub(crate) use e0401_bad_literal::{bad_literal, literal_range, widest_literals};
pub(crate) use e0402_constant_shape::{
    constant_element, constant_shape, constant_type, ragged_constant, raw_digits, raw_length,
};
pub(crate) use e0501_reshape_count::reshape_count;
pub(crate) use e0502_broadcast_extent::broadcast_extent;
pub(crate) use e0503_bad_permutation::bad_permutation;
pub(crate) use e0504_dimension_range::dimension_range;
pub(crate) use e0505_extract_division::extract_division;
pub(crate) use e0506_iota_type::{iota_range, iota_rank};
pub(crate) use e0507_pack_size::{pack_rank, pack_size, pack_width};
pub(crate) use e0511_conversion_width::{bitcast_width, integer_width};
pub(crate) use e0512_no_conversion::no_conversion;
pub(crate) use e0513_f32_only::f32_only;
pub(crate) use e0514_bad_rounding::{conversion_rounding, floor_unsigned};
pub(crate) use e0515_element_not_supported::element_not_supported;
pub(crate) use e0516_overflow_promise::unsigned_promise;
pub(crate) use e0521_mma_shape::{mma_rank, mma_shape};
pub(crate) use e0522_mma_elements::mma_elements;
pub(crate) use e0523_scale_shape::{scale_block, scale_element, scale_extent};
pub(crate) use e0531_view_entry::{view_entry, view_list_length, view_open_entries};
pub(crate) use e0532_view_source::{view_attr, view_pointer, view_tensor};
pub(crate) use e0533_index_count::{inbounds_count, index_count};
pub(crate) use e0534_index_type::{index_scalar, index_types, sparse_index};
pub(crate) use e0535_f4_packing::{f4_sparse_dim, f4_unit_strides};
pub(crate) use e0541_memory_scope::memory_scope;
pub(crate) use e0542_atomic_element::atomic_element;
pub(crate) use e0543_join_count::join_count;
pub(crate) use e0544_alloca_size::alloca;
pub(crate) use e0545_atomic_view::atomic_view;
pub(crate) use e0546_multicast_access::{multicast_access, multimem_memory, multimem_view};
pub(crate) use e0547_multimem_tile::{multimem_element, multimem_reduction, multimem_size, multimem_stride};
pub(crate) use e0551_bad_predicate::{divisor, predicate_range, predicate_type, unknown_predicate};
pub(crate) use e0552_print_format::{print_count, print_unterminated};
pub(crate) use e0553_global_type::{global_class, global_rank, global_type};
pub(crate) use e0554_duplicate_hint::duplicate_hint;
pub(crate) use e0561_preview_rule::{not_callable, not_implementable, preview_generic, preview_rule};
pub(crate) use e0601_behind_terminator::{early_terminator, op_after_terminator};
pub(crate) use e0602_missing_terminator::{missing_terminator, terminator_place, terminator_types, yielded_types};
pub(crate) use e0603_carried_view::carried_view;
pub(crate) use e0604_missing_else::missing_else;
pub(crate) use e0605_bad_reduction::reduce;
pub(crate) use e0606_entry_parameter::{entry_parameter, parameter_attribute};
pub(crate) use e0607_entry_result::entry_result;
pub(crate) use e0608_impure_reduction::impure_reduction;
pub(crate) use e0609_empty_region::empty_region;
pub(crate) use e0610_loop_arguments::{loop_argument, loop_argument_count};
pub(crate) use e0611_block_parameters::{block_parameter, block_parameter_count, named_twice};
pub(crate) use e0612_private_entry::private_entry;
pub(crate) use e0701_entry_scope::{entry_call_site, entry_linkage_name, entry_scope};
pub(crate) use e0702_op_scope::op_scope;
pub(crate) use e0703_global_scope::global_scope;
pub(crate) use e0801_newer_than_target::{new_spelling, newer};
pub(crate) use e0804_not_on_gpu::not_on_gpu;
pub(crate) use e0805_preview::preview_refused;
pub(crate) use l0001_old_spelling::old_spelling;
pub(crate) use l0002_bare_conversion::bare_conversion;
pub(crate) use l0003_for_step::for_step;
pub(crate) use l0004_extract_range::extract_range;
pub(crate) use l0005_index_space::{Outside, index_space};
pub(crate) use l0006_renamed_op::renamed_op;
pub(crate) use l0007_no_module::{is_no_module, no_module};
pub(crate) use l0008_unsupported_hint::{
    hint_kind, hint_value, misspelt_parameter_attribute, unknown_hint, unknown_hint_key,
};
pub(crate) use l0009_left_out::left_out;
pub(crate) use l0010_allowance::{allowed_error, unknown_lint, unreadable_allowance, unused_allowance};
pub(crate) use l0011_absent_operand::absent_operand;
pub(crate) use l0012_parameter_type::parameter_type;
pub(crate) use l0013_refused_since_13_5::{is_refused_later, since_13_5};
pub(crate) use l0014_print_conversion::print_conversion;
pub(crate) use syntax::syntax;
pub(crate) use words::allowed_keywords;

use crate::diagnostic::Page;

/// Every page, in the order of the codes.
pub static PAGES: &[&Page] = &[
    &e0001_missing_text::PAGE,
    &e0002_unknown_op::PAGE,
    &e0003_unexpected_text::PAGE,
    &e0004_keyword_not_allowed::PAGE,
    &e0005_unmatched_brace::PAGE,
    &e0006_nested_too_deeply::PAGE,
    &e0007_open_string::PAGE,
    &e0008_bad_character::PAGE,
    &e0009_expected_statement::PAGE,
    &e0010_malformed_attribute::PAGE,
    &e0011_number_too_large::PAGE,
    &e0012_alias_inside::PAGE,
    &e0013_missing_attribute::PAGE,
    &e0014_bad_name::PAGE,
    &e0015_not_a_value::PAGE,
    &e0101_undeclared_value::PAGE,
    &e0102_redefinition::PAGE,
    &e0103_result_count::PAGE,
    &e0104_unknown_global::PAGE,
    &e0105_unknown_alias::PAGE,
    &e0106_duplicate_symbol::PAGE,
    &e0107_foreign_op::PAGE,
    &e0108_misplaced_op::PAGE,
    &e0201_unknown_type::PAGE,
    &e0202_malformed_type::PAGE,
    &e0203_power_of_two::PAGE,
    &e0204_bad_extent::PAGE,
    &e0205_tile_too_large::PAGE,
    &e0206_odd_f4::PAGE,
    &e0207_bad_element::PAGE,
    &e0208_bad_strides::PAGE,
    &e0209_bad_dim_map::PAGE,
    &e0210_bad_padding::PAGE,
    &e0211_view_rank::PAGE,
    &e0212_f4_pointers::PAGE,
    &e0301_type_mismatch::PAGE,
    &e0302_wrong_operand_type::PAGE,
    &e0303_types_disagree::PAGE,
    &e0304_type_count::PAGE,
    &e0305_wrong_result_type::PAGE,
    &e0306_value_count::PAGE,
    &e0401_bad_literal::PAGE,
    &e0402_constant_shape::PAGE,
    &e0501_reshape_count::PAGE,
    &e0502_broadcast_extent::PAGE,
    &e0503_bad_permutation::PAGE,
    &e0504_dimension_range::PAGE,
    &e0505_extract_division::PAGE,
    &e0506_iota_type::PAGE,
    &e0507_pack_size::PAGE,
    &e0511_conversion_width::PAGE,
    &e0512_no_conversion::PAGE,
    &e0513_f32_only::PAGE,
    &e0514_bad_rounding::PAGE,
    &e0515_element_not_supported::PAGE,
    &e0516_overflow_promise::PAGE,
    &e0521_mma_shape::PAGE,
    &e0522_mma_elements::PAGE,
    &e0523_scale_shape::PAGE,
    &e0531_view_entry::PAGE,
    &e0532_view_source::PAGE,
    &e0533_index_count::PAGE,
    &e0534_index_type::PAGE,
    &e0535_f4_packing::PAGE,
    &e0541_memory_scope::PAGE,
    &e0542_atomic_element::PAGE,
    &e0543_join_count::PAGE,
    &e0544_alloca_size::PAGE,
    &e0545_atomic_view::PAGE,
    &e0546_multicast_access::PAGE,
    &e0547_multimem_tile::PAGE,
    &e0551_bad_predicate::PAGE,
    &e0552_print_format::PAGE,
    &e0553_global_type::PAGE,
    &e0554_duplicate_hint::PAGE,
    &e0561_preview_rule::PAGE,
    &e0601_behind_terminator::PAGE,
    &e0602_missing_terminator::PAGE,
    &e0603_carried_view::PAGE,
    &e0604_missing_else::PAGE,
    &e0605_bad_reduction::PAGE,
    &e0606_entry_parameter::PAGE,
    &e0607_entry_result::PAGE,
    &e0608_impure_reduction::PAGE,
    &e0609_empty_region::PAGE,
    &e0610_loop_arguments::PAGE,
    &e0611_block_parameters::PAGE,
    &e0612_private_entry::PAGE,
    &e0701_entry_scope::PAGE,
    &e0702_op_scope::PAGE,
    &e0703_global_scope::PAGE,
    &e0801_newer_than_target::PAGE,
    &e0804_not_on_gpu::PAGE,
    &e0805_preview::PAGE,
    &l0001_old_spelling::PAGE,
    &l0002_bare_conversion::PAGE,
    &l0003_for_step::PAGE,
    &l0004_extract_range::PAGE,
    &l0005_index_space::PAGE,
    &l0006_renamed_op::PAGE,
    &l0007_no_module::PAGE,
    &l0008_unsupported_hint::PAGE,
    &l0009_left_out::PAGE,
    &l0010_allowance::PAGE,
    &l0011_absent_operand::PAGE,
    &l0012_parameter_type::PAGE,
    &l0013_refused_since_13_5::PAGE,
    &l0014_print_conversion::PAGE,
];
