//! Worked examples: a small program for each op, in a separate file.

use crate::OpRow;

macro_rules! examples {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("examples/", $name, ".tile")))),*] };
}

/// The examples by file name, sorted.
static EXAMPLES: [(&str, &str); 112] = examples! {
    "absf" "absi" "addf" "addi" "alloca" "andi" "assert" "assume" "atan2" "atomic_cas_tko" "atomic_red_view_tko"
    "atomic_rmw_tko" "bitcast" "break" "broadcast" "cat" "ceil" "cmpf" "cmpi" "constant" "continue" "cos" "cosh"
    "divf" "divi" "entry" "exp" "exp2" "exti" "extract" "floor" "fma" "for" "fpowf" "fpowi" "ftof" "ftoi"
    "gdc_launch_dependents_tko" "gdc_wait_tko" "get_global" "get_index_space_shape" "get_num_tile_blocks"
    "get_tensor_shape" "get_tile_block_id" "global" "if" "insert" "int_to_ptr" "iota" "itof" "join_tokens"
    "load_ptr_tko" "load_view_tko" "log" "log2" "loop" "make_gather_scatter_view" "make_partition_view"
    "make_strided_view" "make_tensor_view" "make_token" "maxf" "maxi" "memory_fence_alias_tko" "minf" "mini" "mmaf"
    "mmaf_scaled" "mmai" "module" "mulf" "mulhii" "muli" "multimem_load_reduce_view_tko" "multimem_reduce_view_tko"
    "multimem_store_view_tko" "negf" "negi" "offset" "ori" "pack" "permute" "preview_call" "preview_extern_impl" "preview_func" "print_tko" "ptr_to_int" "ptr_to_ptr"
    "reduce" "remf" "remi" "reshape" "return" "rsqrt" "scan" "select" "shli" "shri" "sin" "sinh" "sqrt"
    "store_ptr_tko" "store_view_tko" "subf" "subi" "tan" "tanh" "testing_func" "trunci" "unpack" "xori" "yield"
};

impl OpRow {
    /// A small program that uses the op: either the statements of an entry without parameters, or a whole module.
    /// Comments at its end show its output.
    pub fn example(&self) -> &'static str {
        let name = self.name.replace('$', "_");
        EXAMPLES.binary_search_by_key(&name.as_str(), |(name, _)| name).map_or("", |found| EXAMPLES[found].1)
    }

    /// The example as a complete program: a module with an entry and a launch directive above it.
    pub fn example_program(&self) -> String {
        let example = self.example();
        if example.contains("cuda_tile.module") { example.to_string() } else { program_of(example) }
    }
}

/// Wraps statements into a complete program: a module with an entry and a launch directive above it.
pub fn program_of(statements: &str) -> String {
    let mut program = "cuda_tile.module @example {\n  //@ launch\n  entry @example() {\n".to_string();
    for line in statements.lines() {
        let indent = if line.is_empty() { "" } else { "    " };
        program.push_str(&format!("{indent}{line}\n"));
    }
    program + "  }\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_has_an_example_that_uses_it() {
        for row in crate::ops() {
            let words = row.example().split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            assert!(words.clone().any(|word| word == row.name), "the example does not use {}", row.name);
            assert!(words.count() > 2, "{}", row.name);
        }
        assert!(EXAMPLES.is_sorted_by_key(|(name, _)| name));
        assert_eq!(EXAMPLES.len(), crate::ops().len());
    }
}
