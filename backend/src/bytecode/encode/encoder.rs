//! What is collected while a program is encoded.

use super::debug::DebugSection;
use super::tables::{Constants, Strings};
use super::types::Types;
use crate::bytecode::unsupported::{Site, Unsupported};
use tile_analysis::debug_info::DebugInfo;
use tile_analysis::ir::Module;
use tile_analysis::types::Type;
use tile_dialect::{Element, Version};

/// Everything that is collected while a program is encoded.
pub(super) struct Encoder<'a> {
    pub(super) module: &'a Module,
    pub(super) version: Version,
    pub(super) strings: Strings<'a>,
    pub(super) types: Types,
    pub(super) constants: Constants,
    pub(super) debug: Option<DebugSection<'a>>,
    pub(super) functions: Vec<u8>,
    pub(super) globals: Vec<u8>,
    pub(super) producer: Vec<u8>,
    /// A buffer for the body of one function after the other.
    pub(super) code: Vec<u8>,
    pub(super) unsupported: Vec<Unsupported>,
    /// What is being encoded.
    pub(super) site: Site,
    /// Whether there is preview content, which the header announces.
    pub(super) has_preview: bool,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(module: &'a Module, debug: Option<&'a DebugInfo>, version: Version) -> Encoder<'a> {
        Encoder {
            module,
            version,
            strings: Strings::default(),
            types: Types::new(version),
            constants: Constants::default(),
            debug: debug.map(|debug| DebugSection::new(debug, version)),
            functions: Vec::new(),
            globals: Vec::new(),
            producer: Vec::new(),
            code: Vec::new(),
            unsupported: Vec::new(),
            site: Site::Module,
            has_preview: false,
        }
    }

    /// Notes that something at the current place cannot be held before `since`.
    pub(super) fn newer(&mut self, what: impl Into<String>, since: Version) {
        self.unsupported(what.into(), Some(since));
    }

    /// Notes that something at the current place cannot be held at all.
    pub(super) fn never(&mut self, what: impl Into<String>) {
        self.unsupported(what.into(), None);
    }

    pub(super) fn unsupported(&mut self, what: String, since: Option<Version>) {
        let (site, target) = (self.site, self.version);
        self.unsupported.push(Unsupported { site, what, since, target });
    }

    /// The number of a type. What the version cannot hold is noted where a type is met first.
    pub(super) fn ty(&mut self, ty: Type) -> u64 {
        if let Some(&index) = self.types.indices.get(&ty) {
            return index;
        }
        if let Some(preview) = ty.as_preview() {
            let entry = self.preview_type(preview);
            return self.types.insert(ty, &entry);
        }
        let index = self.types.index(ty);
        self.note_types();
        index
    }

    /// The number of an element type.
    pub(super) fn element(&mut self, element: Element) -> u64 {
        let index = self.types.element(element);
        self.note_types();
        index
    }

    fn note_types(&mut self) {
        for (what, since) in std::mem::take(&mut self.types.newer) {
            self.unsupported(what, since);
        }
    }
}
