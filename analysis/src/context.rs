//! The parts of a file that are visible to an item.

use crate::debug_info::FileDebug;
use crate::ir::Function;
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tile_dialect::{Gpu, Support, Version};

/// The options of a check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The version to check against.
    pub version: Version,
    /// The version of the bytecode that the program was read from. Rules that NVIDIA's tools added later for bytecode
    /// of every version are warnings.
    pub bytecode: Version,
    /// The GPU to check for; `None` for any.
    pub gpu: Option<Gpu>,
    /// Whether to accept what upstream's test build accepts: `testing$func`, ops of other dialects, and ops at file
    /// level.
    pub upstream_tests: bool,
    /// Whether ops can have their names of any version, as is possible if the text is not passed on.
    pub any_names: bool,
    /// Whether to check the rules of ops. Skipping them is faster for programs that are known to be valid.
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
    /// Whether the rules added in 13.5 apply.
    pub(crate) fn has_rules_of_13_5(&self) -> bool {
        self.version.min(self.bytecode) >= Version::V13_5 && !self.upstream_tests
    }

    /// The target of the compilation, if known. The compiler is that of the version.
    pub fn target(&self) -> Option<GpuTarget> {
        self.gpu.map(|gpu| GpuTarget { gpu, compiler: self.version })
    }
}

/// The target of a compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GpuTarget {
    /// The GPU.
    pub gpu: Gpu,
    /// The version of the compiler.
    pub compiler: Version,
}

impl GpuTarget {
    /// Whether something is not supported.
    pub(crate) fn lacks(self, support: Support) -> bool {
        !support.at(self.compiler).has(self.gpu)
    }
}

/// The functions without a body, by name, without `@`.
pub(crate) type Declarations = FxHashMap<Box<str>, Function>;

/// The parts of a file that are visible to an item. It contains no positions, so edits that only move text do not
/// change it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The options of the check.
    pub options: Options,
    /// Type aliases by name, without `!`.
    pub type_aliases: FxHashMap<Box<str>, Type>,
    /// The values of attribute aliases by name, without `#`. Does not include locations and debug attributes.
    pub attr_aliases: FxHashMap<Box<str>, AttrAlias>,
    /// The types of globals by name, without `@`.
    pub globals: FxHashMap<Box<str>, Type>,
    /// The debug attributes defined by aliases.
    pub debug: Arc<FileDebug>,
    /// The functions without a body.
    pub(crate) preview: Arc<Declarations>,
}

/// The value of an attribute alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttrAlias {
    /// Its source text.
    pub text: Box<str>,
    /// Whether it is a valid attribute. If not, that is reported at its definition.
    pub is_sound: bool,
}

impl Context {
    /// Whether the file defines an attribute alias of this name, which has no `#`.
    pub(crate) fn knows_attr_alias(&self, name: &str) -> bool {
        self.attr_aliases.contains_key(name) || self.debug.aliases.contains_key(name)
    }
}
