//! Enums of the operand and attribute names that code looks up in rows, so that a misspelled name does not compile.

macro_rules! part_names {
    ($($(#[$doc:meta])* $list:ident { $($name:ident = $text:literal,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            #[allow(missing_docs)]
            pub enum $list { $($name),* }

            impl $list {
                /// All names.
                pub const ALL: &'static [$list] = &[$($list::$name),*];

                /// The name in rows and in generic form.
                pub fn text(self) -> &'static str {
                    match self { $($list::$name => $text),* }
                }
            }
        )*
    };
}

part_names! {
    /// Names of operands, for [`OpRow::operand`](crate::OpRow::operand).
    OperandName {
        Acc = "acc",
        Cmp = "cmp",
        Condition = "condition",
        DynamicShape = "dynamicShape",
        DynamicStrides = "dynamicStrides",
        Exponent = "exponent",
        From = "from",
        Index = "index",
        Indices = "indices",
        InitValues = "initValues",
        Lhs = "lhs",
        LhsScale = "lhs_scale",
        LowerBound = "lowerBound",
        Mask = "mask",
        Offset = "offset",
        PaddingValue = "paddingValue",
        Rhs = "rhs",
        RhsScale = "rhs_scale",
        Source = "source",
        Src = "src",
        Step = "step",
        Tile = "tile",
        Token = "token",
        Value = "value",
        View = "view",
    }
    /// Names of attributes, for [`OpRow::attr`](crate::OpRow::attr).
    AttrName {
        Alignment = "alignment",
        Arch = "arch",
        ArgAttrs = "arg_attrs",
        Callee = "callee",
        ComparisonOrdering = "comparison_ordering",
        ComparisonPredicate = "comparison_predicate",
        Config = "config",
        ConstArgs = "const_args",
        ConstParams = "const_params",
        Constant = "constant",
        Dim = "dim",
        FlushToZero = "flush_to_zero",
        FrontendABI = "frontendABI",
        Identities = "identities",
        Implements = "implements",
        Inbounds = "inbounds",
        MemoryOrderingSemantics = "memory_ordering_semantics",
        MemoryScope = "memory_scope",
        Message = "message",
        Mode = "mode",
        Name = "name",
        NumElem = "num_elem",
        OptimizationHints = "optimization_hints",
        Overflow = "overflow",
        Permutation = "permutation",
        Predicate = "predicate",
        Producer = "producer",
        PropagateNan = "propagate_nan",
        ProviderScore = "provider_score",
        Reduction = "reduction",
        ResAttrs = "res_attrs",
        Reverse = "reverse",
        Rounding = "rounding",
        RoundingMode = "rounding_mode",
        Saturating = "saturating",
        Scratch = "scratch",
        Signedness = "signedness",
        SignednessLhs = "signedness_lhs",
        SignednessRhs = "signedness_rhs",
        Str = "str",
        SymName = "sym_name",
        SymVisibility = "sym_visibility",
        SymbolVisibility = "symbol_visibility",
        Synchronization = "synchronization",
        UnsignedCmp = "unsignedCmp",
        Value = "value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops;

    #[test]
    fn every_name_is_in_a_row() {
        for name in OperandName::ALL {
            assert!(ops().iter().any(|row| row.operand(*name).is_some()), "no row has the operand {name:?}");
        }
        for name in AttrName::ALL {
            assert!(ops().iter().any(|row| row.attr(*name).is_some()), "no row has the attribute {name:?}");
        }
    }
}
