//! Encodes the IR as bytecode.

mod attrs;
mod body;
mod debug;
mod encoder;
mod preview;
mod sections;
mod tables;
mod types;
mod value;

use super::format::{self, section};
use super::unsupported::{Site, Unsupported};
use super::varint;
use debug::DebugSection;
use encoder::Encoder;
use tile_analysis::debug_info::DebugInfo;
use tile_analysis::ir::{Body, Global, Hints, Module};
use tile_dialect::Version;

/// Encodes a program as bytecode of a version, one of [`format::VERSIONS`].
///
/// `debug` contains the locations of its ops; without it, the bytecode has none. Returns everything that the version
/// does not support as errors.
pub fn encode(module: &Module, debug: Option<&DebugInfo>, version: Version) -> Result<Vec<u8>, Vec<Unsupported>> {
    let mut encoder = Encoder::new(module, debug, version);
    encoder.module();
    if encoder.unsupported.is_empty() { Ok(encoder.file()) } else { Err(encoder.unsupported) }
}

impl<'a> Encoder<'a> {
    fn module(&mut self) {
        for (index, global) in self.module.globals.iter().enumerate() {
            self.site = Site::Global(index);
            self.global(global);
        }
        let mut functions = self.module.functions.iter().peekable();
        for (index, body) in self.module.entries.iter().enumerate() {
            while let Some(function) = functions.next_if(|function| function.entries_before <= index) {
                self.bodiless(function);
            }
            self.site = Site::Entry(index);
            self.function(index, body);
        }
        self.site = Site::Module;
        functions.for_each(|function| self.bodiless(function));
        self.site = Site::Module;
        // Older versions cannot represent the producer, and NVIDIA's writer drops it.
        if let Some(producer) = self.module.producer.as_ref().filter(|_| self.version >= Version::V13_3) {
            let index = self.strings.index(producer);
            varint::write(&mut self.producer, index);
        }
    }

    fn global(&mut self, global: &'a Global) {
        let name = self.strings.index(global.name.as_bytes());
        let ty = self.ty(global.ty);
        let value = self.constants.index(&global.value);
        let has_later = self.version >= Version::V13_3;
        for (is_later, what) in [(global.constant, "`constant`"), (global.private, "`private`")] {
            if is_later && !has_later {
                self.newer(format!("{what} of the global `@{}`", global.name), Version::V13_3);
            }
        }
        for number in [name, ty, value, global.alignment as u64] {
            varint::write(&mut self.globals, number);
        }
        if has_later {
            self.globals.extend([u8::from(global.private), u8::from(global.constant)]);
        }
    }

    fn function(&mut self, index: usize, body: &'a Body) {
        let name = self.strings.index(body.name.as_bytes());
        let params: Vec<u64> = body.regions[0].args.iter().map(|&param| self.ty(body.ty(param))).collect();
        let signature = self.types.function(&params, &[]);
        let location = match &mut self.debug {
            Some(debug) => debug.open_function(index),
            None => 0,
        };
        let mut bytes = std::mem::take(&mut self.functions);
        varint::write(&mut bytes, name);
        varint::write(&mut bytes, signature);
        self.function_head(index, body, location, &mut bytes);
        let code = body::encode(self, index, body);
        varint::write(&mut bytes, code.len() as u64);
        bytes.extend_from_slice(&code);
        (self.functions, self.code) = (bytes, code);
    }

    /// Reports parameters that are not tiles of rank 0. Readers of older bytecode accept them.
    fn check_params(&mut self, index: usize, body: &Body) {
        for &param in &body.regions[0].args {
            let ty = body.ty(param);
            if ty.as_tile().is_none_or(|tile| tile.rank() != 0) {
                let entry = std::mem::replace(&mut self.site, Site::Param(index, param));
                self.never(format!("a parameter of type `{ty}`, which is not a tile of rank 0"));
                self.site = entry;
            }
        }
    }

    /// Encodes a function's record between its type and its body.
    fn function_head(&mut self, index: usize, body: &'a Body, location: u64, bytes: &mut Vec<u8>) {
        static NO_HINTS: Hints = Hints { by_architecture: Vec::new() };
        // This bit is the same in every version.
        let private = if body.private { format::function_form::PRIVATE } else { 0 };
        if self.version >= Version::V13_5 {
            self.check_params(index, body);
            bytes.push(format::function_form::KERNEL | private);
            varint::write(bytes, location);
            self.tagged_hints(body.hints.as_deref().unwrap_or(&NO_HINTS), bytes);
            return self.param_attrs(&body.param_attrs, bytes);
        }
        let hints = if body.hints.is_some() { format::function_flag::HINTS } else { 0 };
        bytes.push(format::function_flag::KERNEL | hints | private);
        varint::write(bytes, location);
        if let Some(hints) = &body.hints {
            self.tagged_hints(hints, bytes);
        }
        for (&param, _) in body.regions[0].args.iter().zip(&body.param_attrs).filter(|(_, attrs)| !attrs.is_empty()) {
            let entry = std::mem::replace(&mut self.site, Site::Param(index, param));
            self.newer("attributes of a parameter", Version::V13_5);
            self.site = entry;
        }
        if self.debug.as_ref().is_some_and(DebugSection::is_declaration) {
            self.newer("`flags = declaration` of its `di_subprogram`", Version::V13_5);
        }
    }

    /// Assembles the sections. Each table follows the sections that refer to it.
    fn file(mut self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.functions.len() + self.constants.table().data().len() + 4096);
        file.extend(format::MAGIC);
        file.extend(format::version_bytes(self.version));
        file.extend(if self.has_preview { format::PREVIEW_BIT } else { 0 }.to_le_bytes());
        if !self.module.globals.is_empty() {
            let count = sections::count(self.module.globals.len());
            sections::write(&mut file, section::GLOBAL, 1, &[&count, &self.globals]);
        }
        let count = sections::count(self.module.entries.len() + self.module.functions.len());
        sections::write(&mut file, section::FUNCTION, 8, &[&count, &self.functions]);
        if self.constants.table().len() > 0 {
            self.constants.table().write(&mut file, section::CONSTANT, 8);
        }
        if let Some(debug) = self.debug.take().filter(|debug| !debug.is_empty()) {
            let (head, table) = debug.section(&mut self.strings);
            sections::write(&mut file, section::DEBUG, 8, &[&head, table.data()]);
        }
        self.types.table().write(&mut file, section::TYPE, 4);
        if !self.producer.is_empty() {
            sections::write(&mut file, section::PRODUCER, 1, &[&self.producer]);
        }
        self.strings.table().write(&mut file, section::STRING, 4);
        file.push(section::END);
        file
    }
}
