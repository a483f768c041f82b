//! Constants of the bytecode format. Opcodes and the tags of element types are in the rows of `tile_dialect`.

use tile_dialect::Version;

/// The supported bytecode versions.
pub const VERSIONS: [Version; 5] = Version::ALL;

/// The magic number. It is followed by the two bytes of the version and a tag of two bytes.
pub(super) use tile_dialect::BYTECODE_MAGIC as MAGIC;

/// The maximum nesting depth of regions, as in the textual form.
pub(super) const MAX_DEPTH: usize = 128;

/// The value of padding bytes before aligned data.
pub(super) const PADDING_BYTE: u8 = 0xCB;

/// A dynamic extent or stride.
pub(super) const DYNAMIC: i64 = i64::MIN;

/// The major and minor number of a version.
pub(super) fn version_bytes(version: Version) -> [u8; 2] {
    let minor = match version {
        Version::V13_1 => 1,
        Version::V13_2 => 2,
        Version::V13_3 => 3,
        Version::V13_4 => 4,
        Version::V13_5 => 5,
    };
    [13, minor]
}

/// The bit of the header's tag that announces preview content.
pub(super) const PREVIEW_BIT: u16 = 1;

/// Section numbers. Bit 7 of the number in the file means that an alignment follows the length.
pub(super) mod section {
    pub(crate) const END: u8 = 0;
    pub(crate) const STRING: u8 = 1;
    pub(crate) const FUNCTION: u8 = 2;
    pub(crate) const DEBUG: u8 = 3;
    pub(crate) const CONSTANT: u8 = 4;
    pub(crate) const TYPE: u8 = 5;
    pub(crate) const GLOBAL: u8 = 6;
    pub(crate) const PRODUCER: u8 = 7;
    pub(crate) const ALIGNED: u8 = 0x80;
}

/// Tags of composite types.
pub(super) mod type_tag {
    pub(crate) const POINTER: u8 = 12;
    pub(crate) const TILE: u8 = 13;
    pub(crate) const TENSOR_VIEW: u8 = 14;
    pub(crate) const PARTITION_VIEW: u8 = 15;
    pub(crate) const FUNCTION: u8 = 16;
    pub(crate) const TOKEN: u8 = 17;
    pub(crate) const GATHER_SCATTER_VIEW: u8 = 20;
    pub(crate) const STRIDED_VIEW: u8 = 21;
}

/// Tags of attributes in places where any attribute is allowed.
pub(super) mod attr_tag {
    pub(crate) const INTEGER: u8 = 1;
    pub(crate) const FLOAT: u8 = 2;
    pub(crate) const BOOL: u8 = 3;
    pub(crate) const TYPE: u8 = 4;
    pub(crate) const STRING: u8 = 5;
    pub(crate) const ARRAY: u8 = 6;
    pub(crate) const DIV_BY: u8 = 8;
    pub(crate) const SAME_ELEMENTS: u8 = 9;
    pub(crate) const DICTIONARY: u8 = 10;
    pub(crate) const HINTS: u8 = 11;
    pub(crate) const BOUNDED: u8 = 12;
    /// A value of [`tile_dialect::MULTIMEM_REDUCTION`], since 13.5.
    pub(crate) const REDUCTION: u8 = 13;
}

/// Tags of debug attributes.
pub(super) mod debug_tag {
    pub(crate) const COMPILE_UNIT: u8 = 1;
    pub(crate) const FILE: u8 = 2;
    pub(crate) const LEXICAL_BLOCK: u8 = 3;
    pub(crate) const SCOPED: u8 = 4;
    pub(crate) const SUBPROGRAM: u8 = 5;
    pub(crate) const CALL_SITE: u8 = 6;
}

/// Flags of a function before 13.5.
pub(super) mod function_flag {
    pub(crate) const KERNEL: u8 = 2;
    pub(crate) const HINTS: u8 = 4;
}

/// The form byte of a function since 13.5. Hints and the attributes of the arguments are always present.
pub(super) mod function_form {
    pub(crate) const PRIVATE: u8 = 1;
    pub(crate) const KERNEL: u8 = 2;
    /// The bits with the kind of the function; 0 is a function with a body.
    pub(crate) const KIND: u8 = 0b1100;
    /// The bit of [`KIND`] that is undefined before 13.5.
    pub(crate) const KIND_HIGH: u8 = 0b1000;
    /// The kind of an implementation that is compiled elsewhere.
    pub(crate) const EXTERN: u8 = 0b0100;
    /// All defined bits.
    pub(crate) const KNOWN: u8 = PRIVATE | KERNEL | KIND;
}

/// Flags of a subprogram.
pub(super) mod subprogram_flag {
    pub(crate) const DECLARATION: u64 = 1;
}
