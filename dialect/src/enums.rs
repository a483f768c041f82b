//! The enums of the language, and the names of values that code must recognise.

use crate::gpu::MULTICAST;
use crate::{DIALECT_PREFIX, Support, Version};

/// Makes a module of constants: the indices of the values of a row, by their names in capitals.
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
    /// Its meaning.
    pub doc: &'static str,
    /// The first version that has it.
    pub since: Version,
    /// The GPUs that have it.
    pub gpus: Support,
}

impl EnumRow {
    /// The index of the value whose keyword is `name`.
    pub fn value(&self, name: &str) -> Option<u8> {
        self.values.iter().position(|value| value.name == name).map(|index| index as u8)
    }

    /// A value as an attribute: `#cuda_tile.rounding<zero>`.
    pub fn literal(&self, value: u8) -> String {
        format!("#{DIALECT_PREFIX}{}<{}>", self.name, self.keyword(value))
    }

    /// The value that an attribute is, the inverse of [`EnumRow::literal`].
    pub fn value_of_literal(&self, text: &str) -> Option<u8> {
        let inner = text.strip_prefix('#')?.strip_prefix(DIALECT_PREFIX)?.strip_prefix(self.name)?;
        self.value(inner.strip_prefix('<')?.strip_suffix('>')?)
    }

    /// The keyword of a value; `?` for a number that stands for none.
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
            "`div_by<n>`: every element is divisible by n, a power of two; a pointer is a multiple of n bytes. `div_by<n, every m along d>`: \
             only the first of each m elements along dimension d need be, and the others count up from it.",
        ),
        value("same_elements", "`same_elements<[a, b]>`: the elements of each a × b group are equal."),
        value(
            "bounded",
            "`bounded<low, high>`: every element lies between the two, both included, read as signed; `?` leaves one open.",
        ),
    ],
};

/// How a result that does not fit is rounded.
pub static ROUNDING: EnumRow = EnumRow {
    name: "rounding",
    title: "rounding mode",
    numbered: false,
    values: &[
        value("nearest_even", "To the nearest value; a tie goes to the one whose last bit is 0."),
        value("zero", "Towards zero."),
        value("negative_inf", "Downwards, towards negative infinity."),
        value("positive_inf", "Upwards, towards positive infinity."),
        value("approx", "A fast approximation of the hardware, for f32."),
        value("full", "A fast approximation that covers the full range of inputs."),
        value("nearest_int_to_zero", "To the nearest integer towards zero."),
        EnumValue {
            name: "nearest_away",
            doc: "To the nearest value; a tie goes away from zero.",
            since: Version::V13_4,
            gpus: Support::EVERYWHERE,
        },
    ],
};

indices! { rounding of ROUNDING:
    NEAREST_EVEN, ZERO, NEGATIVE_INF, POSITIVE_INF, APPROX, FULL, NEAREST_INT_TO_ZERO, NEAREST_AWAY
}

/// How an integer is read.
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

/// The overflow flags of integer arithmetic.
pub static OVERFLOW: EnumRow = EnumRow {
    name: "overflow",
    title: "overflow behaviour",
    numbered: false,
    values: &[
        value("none", "No promise: the result wraps around."),
        value("no_signed_wrap", "The program promises that the signed result fits."),
        value("no_unsigned_wrap", "The program promises that the unsigned result fits."),
        value("no_wrap", "The program promises that both the signed and the unsigned result fit."),
    ],
};

/// Bits of the values of [`OVERFLOW`].
pub mod overflow {
    /// The signed result fits.
    pub const NO_SIGNED_WRAP: u8 = 1;
    /// The unsigned result fits.
    pub const NO_UNSIGNED_WRAP: u8 = 2;
}

/// The predicates of comparisons.
pub static PREDICATE: EnumRow = EnumRow {
    name: "comparison_predicate",
    title: "comparison predicate",
    numbered: false,
    values: &[
        value("equal", "True where both are equal."),
        value("not_equal", "True where they differ."),
        value("less_than", "True where the first is less."),
        value("less_than_or_equal", "True where the first is less or equal."),
        value("greater_than", "True where the first is greater."),
        value("greater_than_or_equal", "True where the first is greater or equal."),
    ],
};

indices! { predicate of PREDICATE:
    EQUAL, NOT_EQUAL, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL
}

/// The result of float comparisons with NaN.
pub static ORDERING: EnumRow = EnumRow {
    name: "comparison_ordering",
    title: "comparison ordering",
    numbered: false,
    values: &[
        value("unordered", "True where either operand is NaN."),
        value("ordered", "False where either operand is NaN."),
    ],
};

indices! { comparison_ordering of ORDERING: UNORDERED, ORDERED }

/// The ops of an atomic read-modify-write.
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
        EnumValue { since: Version::V13_5, ..value("min", "Minimum; of integers, read as signed.") },
        EnumValue { since: Version::V13_5, ..value("max", "Maximum; of integers, read as signed.") },
        EnumValue { since: Version::V13_5, ..value("and", "Bitwise and.") },
        EnumValue { since: Version::V13_5, ..value("or", "Bitwise or.") },
        EnumValue { since: Version::V13_5, ..value("xor", "Bitwise exclusive or.") },
        EnumValue { since: Version::V13_5, ..value("umin", "Unsigned minimum.") },
        EnumValue { since: Version::V13_5, ..value("umax", "Unsigned maximum.") },
    ],
};

indices! { multimem_reduction of MULTIMEM_REDUCTION: ADD, MIN, MAX, AND, OR, XOR, UMIN, UMAX }

/// How a memory op is ordered with others.
pub static MEMORY_ORDERING: EnumRow = EnumRow {
    name: "memory_ordering_semantics",
    title: "memory ordering",
    numbered: true,
    values: &[
        value("weak", "An ordinary access: no other access may conflict with it at the same time."),
        value("relaxed", "An atomic access that does not order other accesses."),
        value("acquire", "An atomic read after which later accesses happen."),
        value("release", "An atomic write before which earlier accesses happen."),
        value("acq_rel", "Both `acquire` and `release`, for an op that reads and writes."),
    ],
};

indices! { ordering of MEMORY_ORDERING: WEAK, RELAXED, ACQUIRE, RELEASE, ACQ_REL }

/// Who sees the ordering of a memory op.
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

/// The values of loads outside of a tensor view.
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

/// Which memory a pointer points into. It is part of the type of a pointer and of a tensor view.
pub static PTR_ATTR: EnumRow = EnumRow {
    name: "ptr_attr",
    title: "pointer attribute",
    numbered: false,
    values: &[
        EnumValue {
            name: "none",
            doc: "Ordinary memory, as without an attribute.",
            since: Version::V13_4,
            gpus: Support::EVERYWHERE,
        },
        EnumValue {
            name: "unicast",
            doc: "Memory of one device, which may be another one that is reached over NVLink.",
            since: Version::V13_5,
            gpus: MULTICAST,
        },
        EnumValue {
            name: "multicast",
            doc: "A multicast object: one address for the replicas of a buffer on several devices.",
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

/// Who may use a global.
pub static VISIBILITY: EnumRow = EnumRow {
    name: "symbol_visibility",
    title: "visibility",
    numbered: false,
    values: &[value("public", "The host can find it by name."), value("private", "Only this module uses it.")],
};

/// The enums whose values are separate attributes, as in `#cuda_tile.rounding<zero>`.
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
