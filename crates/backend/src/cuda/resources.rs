//! The resources of compiled kernels, read from a cubin.
//!
//! Sections whose names start with `.nv.info` contain attributes: a format, a number, and a size with as many bytes or
//! a value. The attributes of all kernels, such as their registers, name the kernel by its symbol; those of one kernel
//! are in a section of its own. `cuobjdump --dump-elf` prints them.

use object::{Object, ObjectSection, ObjectSymbol};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The resources of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Resources {
    /// Registers of each thread, of 32 bits.
    pub registers: u32,
    /// Local memory of each thread in bytes: spilled registers, and arrays that are indexed at run time.
    pub local: u32,
    /// Shared memory of each tile block in bytes, without what the system reserves.
    pub shared: u64,
    /// Threads of each tile block; 0 if the code does not state them.
    pub threads: u32,
}

/// The section of the shared memory that the system reserves. Where it exists, from sm_90 on, the section of a kernel
/// includes it.
const RESERVED: &str = ".nv.shared.reserved.0";
/// The size of the reserved shared memory.
const RESERVED_BYTES: u64 = 1024;
/// An attribute with as many bytes as it states.
const SIZED: u8 = 4;
/// Symbol and number of registers.
const REGISTERS: u8 = 0x2F;
/// Symbol and size of the stack frame.
const FRAME: u8 = 0x11;
/// The extents of a block of threads.
const THREADS: u8 = 0x10;

/// The resources of each kernel by its name. Empty if the file is not a cubin.
pub fn of_cubin(cubin: &[u8]) -> BTreeMap<String, Resources> {
    let mut found: BTreeMap<String, Resources> = BTreeMap::new();
    let Ok(file) = object::File::parse(cubin) else { return found };
    let symbol = |index: u32| {
        let symbol = file.symbol_by_index(object::SymbolIndex(index as usize)).ok()?;
        symbol.name().ok().map(str::to_string)
    };
    let reserved = if file.section_by_name(RESERVED).is_some() { RESERVED_BYTES } else { 0 };
    for section in file.sections() {
        let (Ok(name), data) = (section.name(), section.data().unwrap_or_default()) else { continue };
        if name == ".nv.info" {
            for (attribute, words) in attributes(data) {
                let (Some(kernel), Some(&value)) = (words.first().and_then(|&index| symbol(index)), words.get(1))
                else {
                    continue;
                };
                match attribute {
                    REGISTERS => found.entry(kernel).or_default().registers = value,
                    FRAME => found.entry(kernel).or_default().local = value,
                    _ => {}
                }
            }
        } else if let Some(kernel) = name.strip_prefix(".nv.info.") {
            let threads = attributes(data).into_iter().find(|(attribute, _)| *attribute == THREADS);
            let count = |words: &[u32]| words.iter().take(3).fold(1_u32, |count, extent| count.saturating_mul(*extent));
            found.entry(kernel.to_string()).or_default().threads = threads.map_or(0, |(_, words)| count(&words));
        } else if let Some(kernel) = name.strip_prefix(".nv.shared.").filter(|_| name != RESERVED) {
            found.entry(kernel.to_string()).or_default().shared = section.size().saturating_sub(reserved);
        }
    }
    found.retain(|_, resources| resources.registers > 0);
    found
}

/// The attributes in a section that have words of 32 bits.
fn attributes(mut data: &[u8]) -> Vec<(u8, Vec<u32>)> {
    let mut found = Vec::new();
    while let [format, attribute, low, high, rest @ ..] = data {
        let size = if *format == SIZED { usize::from(u16::from_le_bytes([*low, *high])) } else { 0 };
        let Some((bytes, rest)) = rest.split_at_checked(size) else { break };
        let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        found.push((*attribute, words.collect()));
        data = rest;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_both_formats() {
        let data = [4, 0x2F, 8, 0, 15, 0, 0, 0, 255, 0, 0, 0, 3, 0x50, 7, 0, 4, 0x10, 12, 0, 1, 0, 0];
        assert_eq!(attributes(&data), [(0x2F, vec![15, 255]), (0x50, vec![])], "the last one is cut off");
    }

    #[test]
    fn other_files_have_no_kernels() {
        assert_eq!(of_cubin(b"not a cubin"), BTreeMap::new());
        assert_eq!(of_cubin(&[]), BTreeMap::new());
    }
}
