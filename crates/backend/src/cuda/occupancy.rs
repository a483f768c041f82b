//! How many tile blocks a multiprocessor runs at the same time.
//!
//! The limits are those of the table "Technical Specifications per Compute Capability" in the CUDA C++ Programming
//! Guide.

use super::resources::Resources;
use std::fmt;

/// The limits of a streaming multiprocessor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Multiprocessor {
    /// Registers of 32 bits.
    registers: u32,
    /// Resident warps of 32 threads.
    warps: u32,
    /// Resident blocks.
    blocks: u32,
    /// Shared memory in bytes.
    shared: u64,
}

/// What limits the number of tile blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Registers.
    Registers,
    /// Shared memory.
    SharedMemory,
    /// Threads.
    Threads,
    /// The number of resident blocks.
    Blocks,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Registers => "registers",
            Limit::SharedMemory => "shared memory",
            Limit::Threads => "threads",
            Limit::Blocks => "the number of blocks",
        })
    }
}

/// Shared memory that the system reserves in each block.
const RESERVED_SHARED: u64 = 1024;
/// Registers are allocated to a warp in units of this many.
const REGISTER_UNIT: u32 = 256;
/// Warps are allocated in units of this many, one for each scheduler.
const WARP_UNIT: u32 = 4;
/// Shared memory is allocated in units of this many bytes.
const SHARED_UNIT: u64 = 128;

impl Multiprocessor {
    /// The multiprocessor of a GPU such as `sm_90`, if it is known.
    pub fn of(gpu: &str) -> Option<Multiprocessor> {
        let (warps, blocks, kib) = match gpu.trim_end_matches(['a', 'f']) {
            "sm_80" => (64, 32, 164),
            "sm_86" => (48, 16, 100),
            "sm_87" => (48, 16, 164),
            "sm_89" => (48, 24, 100),
            "sm_90" | "sm_100" | "sm_103" => (64, 32, 228),
            "sm_110" => (48, 24, 228),
            "sm_120" | "sm_121" => (48, 24, 100),
            _ => return None,
        };
        Some(Multiprocessor { registers: 65_536, warps, blocks, shared: kib * 1024 })
    }

    /// The shared memory that a tile block can use, in bytes.
    pub fn shared_of_block(&self) -> u64 {
        self.shared - RESERVED_SHARED
    }

    /// The number of tile blocks with these resources that run at the same time, and what limits it.
    pub fn blocks(&self, resources: &Resources) -> (u32, Limit) {
        let warps = resources.threads.max(1).div_ceil(32);
        let registers = (resources.registers * 32).next_multiple_of(REGISTER_UNIT) * warps.next_multiple_of(WARP_UNIT);
        let shared = (resources.shared + RESERVED_SHARED).next_multiple_of(SHARED_UNIT);
        let limits = [
            (self.blocks, Limit::Blocks),
            (self.warps / warps, Limit::Threads),
            (self.registers / registers.max(1), Limit::Registers),
            ((self.shared / shared) as u32, Limit::SharedMemory),
        ];
        limits.into_iter().min_by_key(|(blocks, _)| *blocks).unwrap_or((self.blocks, Limit::Blocks))
    }
}

/// A product with a GPU, and its number of multiprocessors, for an impression of how large a launch is.
pub fn product(gpu: &str) -> Option<(&'static str, u32)> {
    match gpu.trim_end_matches(['a', 'f']) {
        "sm_80" => Some(("A100", 108)),
        "sm_86" => Some(("A40", 84)),
        "sm_89" => Some(("L40S", 142)),
        "sm_90" => Some(("H100 SXM", 132)),
        "sm_100" => Some(("B200", 148)),
        "sm_120" => Some(("RTX PRO 6000", 188)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(gpu: &str, registers: u32, threads: u32, shared: u64) -> (u32, Limit) {
        Multiprocessor::of(gpu).unwrap().blocks(&Resources { registers, threads, shared, local: 0 })
    }

    #[test]
    fn each_resource_can_be_the_limit() {
        assert_eq!(blocks("sm_90", 32, 128, 0), (16, Limit::Threads));
        assert_eq!(blocks("sm_90", 255, 256, 0), (1, Limit::Registers));
        assert_eq!(blocks("sm_90", 32, 128, 100_000), (2, Limit::SharedMemory));
        assert_eq!(blocks("sm_86", 16, 32, 0), (16, Limit::Blocks));
        assert_eq!(blocks("sm_90a", 128, 256, 65_536).0, 2);
    }

    #[test]
    fn unknown_gpus_have_no_limits() {
        assert_eq!(Multiprocessor::of("sm_107"), None);
    }
}
