//! The state of the encoder.

use super::debug::DebugSection;
use super::tables::{Constants, Strings};
use super::types::Types;
use crate::unsupported::{Site, Unsupported};
use tile_analysis::debug_info::DebugInfo;
use tile_analysis::ir::Module;
use tile_analysis::types::Type;
use tile_dialect::{Element, Version};

/// The sections and tables of a program that is being encoded.
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
    /// A reusable buffer for the bodies of functions.
    pub(super) code: Vec<u8>,
    pub(super) unsupported: Vec<Unsupported>,
    /// The current location.
    pub(super) site: Site,
    /// Whether the program has preview content. The header announces it.
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

    /// Reports something at the current location that was added in `since`.
    pub(super) fn newer(&mut self, what: impl Into<String>, since: Version) {
        self.unsupported(what.into(), Some(since));
    }

    /// Reports something at the current location that no version supports.
    pub(super) fn never(&mut self, what: impl Into<String>) {
        self.unsupported(what.into(), None);
    }

    pub(super) fn unsupported(&mut self, what: String, since: Option<Version>) {
        let (site, target) = (self.site, self.version);
        self.unsupported.push(Unsupported { site, what, since, target });
    }

    /// Returns the number of a type. If the version does not support it, reports that at its first use.
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

    /// Returns the number of an element type.
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
