//! The GPU that is tuned for.

use tile_backend::cuda::machine::Machine;
use tile_backend::worker::{Host, Target};
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

impl Device {
    /// The GPU at the hosts, which must have the same GPU and compiler. Starts a worker on each.
    pub fn at(hosts: &[Host]) -> Result<Device, String> {
        let mut found: Option<Device> = None;
        for host in hosts {
            let machine = host.start.worker().and_then(|mut worker| worker.inspect_machine());
            let device = Device::of(&machine.map_err(|error| error.to_string())?, host.target)?;
            match &found {
                Some(first) if *first != device => {
                    let shown = |device: &Device| format!("{} with `tileiras` {}", device.name, device.compiler);
                    let (first, other) = (shown(first), shown(&device));
                    return Err(format!(
                        "all targets must have the same GPU and compiler, but one is {first} and one {other}"
                    ));
                }
                Some(_) => {}
                None => found = Some(device),
            }
        }
        found.ok_or_else(|| "no target is given".to_string())
    }

    fn of(machine: &Machine, target: Target) -> Result<Device, String> {
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
