//! The GPU that is tuned for.

use std::fmt;
use tile_backend::cuda::machine::Machine;
use tile_backend::worker::Target;
use tile_dialect::Version;

/// A GPU and its compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    /// The name of the GPU.
    pub name: String,
    /// Its architecture, such as `sm_90`.
    pub architecture: String,
    /// The release of the compiler.
    pub compiler: String,
    /// The newest bytecode version that the compiler reads.
    pub version: Version,
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with `tileiras` {}", self.name, self.compiler)
    }
}

impl Device {
    /// The device of a machine that has this target, and its compiler.
    pub(crate) fn of(machine: &Machine, target: Target) -> Result<Device, String> {
        let Target::Cuda(number) = target else {
            return Err("hints have no effect on the CPU engine: use a GPU".to_string());
        };
        let missing = || "no GPU can be used; `tile doctor` says what is missing".to_string();
        let gpu = machine.gpus.get(number).ok_or_else(missing)?.as_ref().map_err(Clone::clone)?;
        let tool = machine.compiler.as_ref().ok_or_else(missing)?.as_ref().map_err(Clone::clone)?;
        let versions = tool.versions.iter().filter_map(|name| Version::from_name(name));
        Ok(Device {
            name: gpu.name.clone(),
            architecture: gpu.architecture.clone(),
            compiler: tool.release.clone(),
            version: versions.max().unwrap_or(Version::NEWEST),
        })
    }
}
