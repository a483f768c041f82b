//! The options of a check, and the parts of a file that its items can refer to.

use crate::debug_info::FileDebug;
use crate::ir::Function;
use crate::types::{Pointer, Scalar, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tile_dialect::{Gpu, Support, Version};

/// The options of a check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The version whose rules apply.
    pub version: Version,
    /// The version of the bytecode that the program was read from. Rules that NVIDIA's later tools apply to bytecode of
    /// every version are reported as warnings.
    pub bytecode: Version,
    /// The GPU whose limits apply; `None` checks no GPU limits.
    pub gpu: Option<Gpu>,
    /// Whether to accept what upstream's test build accepts: `testing$func`, ops of other dialects and ops at file
    /// level.
    pub upstream_tests: bool,
    /// Whether to accept the op names of every version. Safe only if the text is not passed on to other tools.
    pub any_names: bool,
    /// Whether to check the rules of ops. Turning this off saves time when a valid program only needs to be lowered.
    pub rules: bool,
    /// Whether the SIMT preview is allowed.
    pub preview: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            version: Version::NEWEST,
            bytecode: Version::NEWEST,
            upstream_tests: false,
            any_names: false,
            rules: true,
            preview: false,
            gpu: None,
        }
    }
}

impl Options {
    /// Whether the rules added by the tools of 13.5 apply.
    pub(crate) fn has_rules_of_13_5(&self) -> bool {
        self.version.min(self.bytecode) >= Version::V13_5 && !self.upstream_tests
    }

    /// The compilation target, if a GPU is set. The compiler is the one of the checked version.
    pub fn target(&self) -> Option<GpuTarget> {
        self.gpu.map(|gpu| GpuTarget { gpu, compiler: self.version })
    }
}

/// A compilation target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GpuTarget {
    /// The GPU.
    pub gpu: Gpu,
    /// The version of the compiler.
    pub compiler: Version,
}

impl GpuTarget {
    /// Whether the target lacks a feature.
    pub(crate) fn lacks(self, support: Support) -> bool {
        !support.at(self.compiler).has(self.gpu)
    }
}

/// The functions without a body, by name without the `@`.
pub(crate) type Declarations = FxHashMap<Box<str>, Function>;

/// The parts of a file that its items can refer to. It contains no source positions, so an edit that only moves text
/// leaves it unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The options of the check.
    pub options: Options,
    /// Type aliases, by name without the `!`.
    pub type_aliases: FxHashMap<Box<str>, Type>,
    /// Attribute aliases, by name without the `#`, except those of locations and debug attributes.
    pub attr_aliases: FxHashMap<Box<str>, AttrAlias>,
    /// The types of globals, by name without the `@`.
    pub globals: FxHashMap<Box<str>, Type>,
    /// The debug attributes that aliases refer to.
    pub debug: Arc<FileDebug>,
    /// The functions without a body.
    pub(crate) preview: Arc<Declarations>,
}

/// The value of an attribute alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttrAlias {
    /// Its source text.
    pub text: Box<str>,
    /// Whether it is a valid attribute. If not, the error is reported at the definition.
    pub is_sound: bool,
}

impl Context {
    /// The type of a pointer to a global, given without the `@`.
    pub(crate) fn global_pointer(&self, name: &str) -> Option<Type> {
        let element = self.globals.get(name)?.as_tile()?.number()?;
        Some(Type::tile_of(&[], Scalar::Pointer(Pointer::to(element))))
    }

    /// Whether the file defines an attribute alias of this name, given without the `#`.
    pub(crate) fn knows_attr_alias(&self, name: &str) -> bool {
        self.attr_aliases.contains_key(name) || self.debug.aliases.contains_key(name)
    }
}
