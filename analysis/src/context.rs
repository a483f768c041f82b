//! What an item can see of the rest of its file.

use crate::debug_info::FileDebug;
use crate::ir::Function;
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tile_dialect::{Gpu, Support, Version};

/// How programs are checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Whose rules hold.
    pub version: Version,
    /// The version of the bytecode that the program was read from. Rules that NVIDIA's tools added later for bytecode of
    /// every version are warnings.
    pub bytecode: Version,
    /// The GPU whose limits hold; `None` where the program is for any.
    pub gpu: Option<Gpu>,
    /// Whether what upstream's test build accepts is accepted too: `testing$func`, ops of other dialects, ops at file
    /// level.
    pub upstream_tests: bool,
    /// Whether an op may go by the name it has in any version, as it may where the text is not handed on.
    pub any_names: bool,
    /// Whether the rules of ops are checked. Whoever knows that they are kept, and only wants to know what a program means,
    /// is answered sooner without.
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
    /// Whether the rules hold that came with the tools of 13.5.
    pub(crate) fn has_rules_of_13_5(&self) -> bool {
        self.version.min(self.bytecode) >= Version::V13_5 && !self.upstream_tests
    }

    /// What the program is compiled for, where that is known. The compiler is that of the version.
    pub fn target(&self) -> Option<GpuTarget> {
        self.gpu.map(|gpu| GpuTarget { gpu, compiler: self.version })
    }
}

/// What a program is compiled for.
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

/// What an item can see of the rest of its file. It holds no positions of this text, so an edit that moves things
/// changes nothing here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// How programs are checked.
    pub options: Options,
    /// Type aliases by name, without `!`.
    pub type_aliases: FxHashMap<Box<str>, Type>,
    /// What attribute aliases stand for, by name, without `#`. Locations and debug attributes are not among them.
    pub attr_aliases: FxHashMap<Box<str>, AttrAlias>,
    /// The types of globals by name, without `@`.
    pub globals: FxHashMap<Box<str>, Type>,
    /// The debug attributes that aliases stand for.
    pub debug: Arc<FileDebug>,
    /// The functions without a body.
    pub(crate) preview: Arc<Declarations>,
}

/// What an attribute alias stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttrAlias {
    /// As it is written.
    pub text: Box<str>,
    /// Whether it is an attribute at all. If not, that is told where it is defined.
    pub is_sound: bool,
}

impl Context {
    /// Whether the file defines an attribute alias of this name, which has no `#`.
    pub(crate) fn knows_attr_alias(&self, name: &str) -> bool {
        self.attr_aliases.contains_key(name) || self.debug.aliases.contains_key(name)
    }
}
