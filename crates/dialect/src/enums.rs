//! The enums of the language, and the indices of values that code refers to.

use crate::gpu::MULTICAST;
use crate::{DIALECT_PREFIX, Support, Version};

/// Defines a module of constants: the indices of the values of a row, named after the values in upper case.
macro_rules! indices {
    ($module:ident of $row:ident: $($name:ident),* $(,)?) => {
        #[doc = concat!("Indices of [`", stringify!($row), "`].")]
        pub mod $module {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Index { $($name),* }
            $(
                #[doc = concat!("The index of the value whose name is `", stringify!($name), "` in lower case.")]
                pub const $name: u8 = Index::$name as u8;
            )*

            #[test]
            fn every_value_has_its_index() {
                let names = [$(stringify!($name)),*].map(str::to_lowercase);
                assert!(super::$row.values.iter().map(|value| value.name).eq(names.iter().map(String::as_str)));
            }
        }
    };
}

/// An enum of the language.
#[derive(Debug)]
pub struct EnumRow {
    /// Its name in generic form, as in `#cuda_tile.rounding<zero>`.
    pub name: &'static str,
    /// Its name in messages.
    pub title: &'static str,
    /// Whether generic form writes its values as numbers, as in `0 : i32`.
    pub numbered: bool,
    /// Its values; the index is the value in bytecode.
    pub values: &'static [EnumValue],
}

/// One value of an enum.
#[derive(Debug)]
pub struct EnumValue {
    /// Its keyword.
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// The first version that has it.
    pub since: Version,
    /// The GPUs that support it.
    pub gpus: Support,
}

impl EnumRow {
    /// The index of the value whose keyword is `name`.
    pub fn value(&self, name: &str) -> Option<u8> {
        self.values.iter().position(|value| value.name == name).map(|index| index as u8)
    }

    /// A value as an attribute, such as `#cuda_tile.rounding<zero>`.
    pub fn literal(&self, value: u8) -> String {
        format!("#{DIALECT_PREFIX}{}<{}>", self.name, self.keyword(value))
    }

    /// The value of an attribute: the inverse of [`EnumRow::literal`].
    pub fn value_of_literal(&self, text: &str) -> Option<u8> {
        let inner = text.strip_prefix('#')?.strip_prefix(DIALECT_PREFIX)?.strip_prefix(self.name)?;
        self.value(inner.strip_prefix('<')?.strip_suffix('>')?)
    }

    /// The keyword of a value; `?` if the number is out of range.
    pub fn keyword(&self, value: u8) -> &'static str {
        self.values.get(value as usize).map_or("?", |value| value.name)
    }
}

const fn value(name: &'static str, doc: &'static str) -> EnumValue {
    EnumValue { name, doc, since: Version::V13_1, gpus: Support::EVERYWHERE }
}

/// The predicates of `assume`.
pub static ASSUMPTION: EnumRow = EnumRow {
    name: "assumption",
    title: "assume predicate",
    numbered: false,
    values: &[
        value(
            "div_by",
            "`div_by<n>`: every element is divisible by n, a power of two; pointers are multiples of n bytes. `div_by<n, every m along d>`: \
             only the first of each m consecutive elements along dimension d is divisible by n, and the others count up from it.",
        ),
        value("same_elements", "`same_elements<[a, b]>`: all elements of each a × b group are equal."),
        value(
            "bounded",
            "`bounded<low, high>`: every element, read as signed, is at least low and at most high; `?` leaves a bound open.",
        ),
    ],
};

/// How an inexact result is rounded.
pub static ROUNDING: EnumRow = EnumRow {
    name: "rounding",
    title: "rounding mode",
    numbered: false,
    values: &[
        value("nearest_even", "To the nearest value; ties go to the value whose last bit is 0."),
        value("zero", "Towards zero."),
        value("negative_inf", "Downwards, towards negative infinity."),
        value("positive_inf", "Upwards, towards positive infinity."),
        value("approx", "A fast hardware approximation, for f32."),
        value("full", "An approximation within 2 ulp over the full range of inputs."),
        value("nearest_int_to_zero", "To the nearest integer towards zero."),
        EnumValue {
            name: "nearest_away",
            doc: "To the nearest value; ties go away from zero.",
            since: Version::V13_4,
            gpus: Support::EVERYWHERE,
        },
    ],
};

indices! { rounding of ROUNDING:
    NEAREST_EVEN, ZERO, NEGATIVE_INF, POSITIVE_INF, APPROX, FULL, NEAREST_INT_TO_ZERO, NEAREST_AWAY
}

/// Whether integers are signed or unsigned.
pub static SIGNEDNESS: EnumRow = EnumRow {
    name: "signedness",
    title: "signedness",
    numbered: false,
    values: &[
        value("unsigned", "The integers are read as unsigned."),
        value("signed", "The integers are read as signed two's complement numbers."),
    ],
};

/// The values of [`SIGNEDNESS`].
pub mod signedness {
    /// Integers are unsigned.
    pub const UNSIGNED: u8 = 0;
    /// Integers are signed.
    pub const SIGNED: u8 = 1;
}

/// The assumptions about overflow that a program can state.
pub static OVERFLOW: EnumRow = EnumRow {
    name: "overflow",
    title: "overflow behavior",
    numbered: false,
    values: &[
        value("none", "No assumption: the result wraps around."),
        value("no_signed_wrap", "The signed result is assumed to fit."),
        value("no_unsigned_wrap", "The unsigned result is assumed to fit."),
        value("no_wrap", "Both the signed and the unsigned result are assumed to fit."),
    ],
};

/// Bits of the values of [`OVERFLOW`].
pub mod overflow {
    /// The signed result fits.
    pub const NO_SIGNED_WRAP: u8 = 1;
    /// The unsigned result fits.
    pub const NO_UNSIGNED_WRAP: u8 = 2;
}

/// The relation that a comparison tests.
pub static PREDICATE: EnumRow = EnumRow {
    name: "comparison_predicate",
    title: "comparison predicate",
    numbered: false,
    values: &[
        value("equal", "True if the operands are equal."),
        value("not_equal", "True if the operands differ."),
        value("less_than", "True if the first operand is less than the second."),
        value("less_than_or_equal", "True if the first operand is less than or equal to the second."),
        value("greater_than", "True if the first operand is greater than the second."),
        value("greater_than_or_equal", "True if the first operand is greater than or equal to the second."),
    ],
};

indices! { predicate of PREDICATE:
    EQUAL, NOT_EQUAL, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL
}

/// The result of a float comparison with NaN.
pub static ORDERING: EnumRow = EnumRow {
    name: "comparison_ordering",
    title: "comparison ordering",
    numbered: false,
    values: &[
        value("unordered", "True if either operand is NaN."),
        value("ordered", "False if either operand is NaN."),
    ],
};

indices! { comparison_ordering of ORDERING: UNORDERED, ORDERED }

/// The operation of an atomic read-modify-write.
pub static RMW_MODE: EnumRow = EnumRow {
    name: "atomic_rmw_mode",
    title: "atomic mode",
    numbered: true,
    values: &[
        value("and", "Bitwise and."),
        value("or", "Bitwise or."),
        value("xor", "Bitwise exclusive or."),
        value("add", "Integer addition."),
        value("addf", "Floating-point addition."),
        value("max", "Signed maximum."),
        value("min", "Signed minimum."),
        value("umax", "Unsigned maximum."),
        value("umin", "Unsigned minimum."),
        value("xchg", "Exchange: the new value replaces the old one."),
    ],
};

indices! { rmw_mode of RMW_MODE: AND, OR, XOR, ADD, ADDF, MAX, MIN, UMAX, UMIN, XCHG }

/// How the replicas of multicast memory are combined.
pub static MULTIMEM_REDUCTION: EnumRow = EnumRow {
    name: "multimem_reduction_kind",
    title: "reduction",
    numbered: false,
    values: &[
        EnumValue { since: Version::V13_5, ..value("add", "Addition, of integers or floats.") },
        EnumValue { since: Version::V13_5, ..value("min", "Minimum; integers are read as signed.") },
        EnumValue { since: Version::V13_5, ..value("max", "Maximum; integers are read as signed.") },
        EnumValue { since: Version::V13_5, ..value("and", "Bitwise and.") },
        EnumValue { since: Version::V13_5, ..value("or", "Bitwise or.") },
        EnumValue { since: Version::V13_5, ..value("xor", "Bitwise exclusive or.") },
        EnumValue { since: Version::V13_5, ..value("umin", "Unsigned minimum.") },
        EnumValue { since: Version::V13_5, ..value("umax", "Unsigned maximum.") },
    ],
};

indices! { multimem_reduction of MULTIMEM_REDUCTION: ADD, MIN, MAX, AND, OR, XOR, UMIN, UMAX }

/// How a memory op is ordered relative to others.
pub static MEMORY_ORDERING: EnumRow = EnumRow {
    name: "memory_ordering_semantics",
    title: "memory ordering",
    numbered: true,
    values: &[
        value("weak", "An ordinary access, which must not conflict with any concurrent access."),
        value("relaxed", "An atomic access that does not order other accesses."),
        value("acquire", "An atomic read; later accesses happen after it."),
        value("release", "An atomic write; earlier accesses happen before it."),
        value("acq_rel", "Both `acquire` and `release`, for ops that read and write."),
    ],
};

indices! { ordering of MEMORY_ORDERING: WEAK, RELAXED, ACQUIRE, RELEASE, ACQ_REL }

/// The set of accesses that the ordering of a memory op applies to.
pub static MEMORY_SCOPE: EnumRow = EnumRow {
    name: "memory_scope",
    title: "memory scope",
    numbered: true,
    values: &[
        value("tl_blk", "Accesses of the same tile block."),
        value("device", "Accesses of all tile blocks on the device."),
        value("sys", "Accesses of the whole system, including other devices and the host."),
    ],
};

/// What a load returns for elements outside a tensor view.
pub static PADDING: EnumRow = EnumRow {
    name: "padding_value",
    title: "padding value",
    numbered: false,
    values: &[
        value("zero", "Zero."),
        value("neg_zero", "Negative zero."),
        value("nan", "Not a number."),
        value("pos_inf", "Positive infinity."),
        value("neg_inf", "Negative infinity."),
    ],
};

/// The kind of memory that a pointer points to. It is part of the type of a pointer and of a tensor view.
pub static PTR_ATTR: EnumRow = EnumRow {
    name: "ptr_attr",
    title: "pointer attribute",
    numbered: false,
    values: &[
        EnumValue {
            name: "none",
            doc: "Ordinary memory, as without the attribute.",
            since: Version::V13_4,
            gpus: Support::EVERYWHERE,
        },
        EnumValue {
            name: "unicast",
            doc: "Memory of one device, possibly of another one that is reached over NVLink.",
            since: Version::V13_5,
            gpus: MULTICAST,
        },
        EnumValue {
            name: "multicast",
            doc: "A multicast object: one address for all replicas of a buffer on several devices.",
            since: Version::V13_5,
            gpus: MULTICAST,
        },
    ],
};

/// Indices of [`PTR_ATTR`].
pub mod ptr_attr {
    #![allow(missing_docs)]
    pub const NONE: u8 = 0;
    pub const UNICAST: u8 = 1;
    pub const MULTICAST: u8 = 2;
}

/// Where a global is visible.
pub static VISIBILITY: EnumRow = EnumRow {
    name: "symbol_visibility",
    title: "visibility",
    numbered: false,
    values: &[value("public", "The host can find it by name."), value("private", "Only this module can use it.")],
};

/// The enums whose values can be written as attributes, as in `#cuda_tile.rounding<zero>`.
pub static NAMED_ENUMS: [&EnumRow; 9] =
    [&ROUNDING, &SIGNEDNESS, &OVERFLOW, &PREDICATE, &ORDERING, &PADDING, &PTR_ATTR, &VISIBILITY, &MULTIMEM_REDUCTION];

/// Every enum of the language.
pub static ENUMS: [&EnumRow; 13] = [
    &ROUNDING,
    &SIGNEDNESS,
    &OVERFLOW,
    &PREDICATE,
    &ORDERING,
    &RMW_MODE,
    &MULTIMEM_REDUCTION,
    &MEMORY_ORDERING,
    &MEMORY_SCOPE,
    &PADDING,
    &PTR_ATTR,
    &VISIBILITY,
    &ASSUMPTION,
];

/// Indices of [`VISIBILITY`].
pub mod visibility {
    #![allow(missing_docs)]
    pub const PUBLIC: u8 = 0;
    pub const PRIVATE: u8 = 1;
}
