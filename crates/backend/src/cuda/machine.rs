//! The GPUs and tools of a machine, and what is missing to run kernels on a GPU.

use super::compiler::{self, CompileError, Compiler, Stop};
use super::device::{self, Device};
use serde::{Deserialize, Serialize};
use tile_dialect::Version;

/// The GPUs and tools of a machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    /// The CUDA version that the driver supports, such as 13010; `None` without a driver.
    pub driver: Option<i32>,
    /// The GPUs, or why one cannot be used.
    pub gpus: Vec<Result<Gpu, String>>,
    /// The compiler, or why there is none.
    pub compiler: Option<Result<Tool, String>>,
    /// The `ptxas` that the compiler calls, or why it does not work.
    pub ptxas: Option<Result<String, String>>,
    /// Whether the compiler finds `libnvvm`.
    pub has_library: bool,
}

/// A GPU.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gpu {
    /// The product name.
    pub name: String,
    /// The architecture, such as `sm_90`.
    pub architecture: String,
    /// The size of its memory in bytes.
    pub memory: u64,
}

/// A compiler.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// Its path.
    pub path: String,
    /// Its release.
    pub release: String,
    /// The bytecode versions that it reads.
    pub versions: Vec<String>,
    /// The architectures that it compiles for.
    pub gpus: Vec<String>,
    /// Whether it can write remarks.
    pub remarks: bool,
}

/// A line of `tile doctor` about an item that is present or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoctorCheck {
    /// Whether it works.
    pub is_fine: bool,
    /// The name of the item.
    pub what: &'static str,
    /// The description.
    pub text: String,
}

impl Machine {
    /// Inspects this machine. Loads the driver, so it must run in a worker.
    pub fn inspect() -> Machine {
        let mut machine = Machine::default();
        if device::has_driver() {
            machine.driver = device::driver_version().ok();
            let count = device::count().unwrap_or(0);
            machine.gpus = (0..count).map(gpu).collect();
        }
        match Compiler::find() {
            Ok(compiler) => machine.add_compiler(&compiler),
            Err(error) => machine.compiler = Some(Err(error.to_string())),
        }
        machine
    }

    fn add_compiler(&mut self, compiler: &Compiler) {
        let compiler::Facts { release, versions, gpus, remarks, .. } = compiler.facts().clone();
        let path = compiler.path().display().to_string();
        self.compiler = Some(Ok(Tool { path, release, versions, gpus, remarks }));
        self.ptxas = Some(match compiler.ptxas() {
            None => Err(CompileError::NoPtxas.to_string()),
            Some(path) => match compiler::ptxas_error(&path, &Stop::default()) {
                None => Ok(path.display().to_string()),
                Some(output) => Err(CompileError::BrokenPtxas { path, output }.to_string()),
            },
        });
        self.has_library = compiler.has_library();
    }

    /// Returns a line for each item, and whether kernels can run on a GPU.
    pub fn lines(&self) -> (Vec<DoctorCheck>, bool) {
        let mut lines = vec![self.driver_line()];
        lines.extend(self.gpus.iter().map(|gpu| self.gpu_line(gpu)));
        if self.gpus.is_empty() && self.driver.is_some() {
            lines.push(line(false, "GPU", "the driver finds none"));
        }
        lines.extend(self.compiler_lines());
        let runs = lines.iter().all(|line| line.is_fine);
        (lines, runs)
    }

    fn driver_line(&self) -> DoctorCheck {
        let needs = format!("Tile IR needs CUDA {} (release 580) or later", device::release(device::MIN_DRIVER));
        match self.driver {
            None => line(false, "driver", format!("none; {needs}. The CPU engine needs no driver")),
            Some(version) => {
                let text = format!("supports CUDA {}", device::release(version));
                if version >= device::MIN_DRIVER {
                    line(true, "driver", text)
                } else {
                    line(false, "driver", format!("{text}; {needs}"))
                }
            }
        }
    }

    fn gpu_line(&self, gpu: &Result<Gpu, String>) -> DoctorCheck {
        let Gpu { name, architecture, memory } = match gpu {
            Ok(gpu) => gpu,
            Err(why) => return line(false, "GPU", why.clone()),
        };
        let text = format!("{name}, {architecture}, {}", tile_input::size::shown(*memory));
        match &self.compiler {
            Some(Ok(tool)) if !tool.gpus.is_empty() && !tool.gpus.contains(architecture) => {
                let (gpu, release, known) = (architecture.clone(), tool.release.clone(), tool.gpus.clone());
                line(false, "GPU", format!("{text}; {}", CompileError::UnknownGpu { gpu, release, known }))
            }
            _ => line(true, "GPU", text),
        }
    }

    fn compiler_lines(&self) -> Vec<DoctorCheck> {
        let tool = match &self.compiler {
            None => return Vec::new(),
            Some(Err(why)) => return vec![line(false, "tileiras", why.clone())],
            Some(Ok(tool)) => tool,
        };
        let remarks = if tool.remarks { "with remarks" } else { "without remarks, which need 13.4 or later" };
        let newest = Version::NEWEST.name();
        let reads_newest = tool.versions.iter().any(|version| version == newest);
        let older =
            if reads_newest { String::new() } else { format!("; not {newest}, so ops of {newest} cannot be compiled") };
        let mut lines = vec![
            line(true, "tileiras", format!("{} at {}, {remarks}", tool.release, tool.path)),
            line(!tool.versions.is_empty(), "bytecode", format!("{}{older}", tool.versions.join(", "))),
            line(true, "compiles for", tool.gpus.join(", ")),
        ];
        lines.extend(self.ptxas.as_ref().map(|ptxas| match ptxas {
            Ok(path) => line(true, "ptxas", path.clone()),
            Err(why) => line(false, "ptxas", why.clone()),
        }));
        if !self.has_library {
            lines.push(line(false, "libnvvm", CompileError::NoLibrary.to_string()));
        }
        lines
    }
}

fn line(is_fine: bool, what: &'static str, text: impl Into<String>) -> DoctorCheck {
    DoctorCheck { is_fine, what, text: text.into() }
}

fn gpu(number: usize) -> Result<Gpu, String> {
    let inspect = || {
        let device = Device::open(number)?;
        Ok(Gpu { name: device.name()?, architecture: device.architecture()?, memory: device.memory()? })
    };
    inspect().map_err(|error: device::DeviceError| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete() -> Machine {
        Machine {
            driver: Some(13010),
            gpus: vec![Ok(Gpu { name: "H200".into(), architecture: "sm_90".into(), memory: 141 << 30 })],
            compiler: Some(Ok(Tool {
                path: "/bin/tileiras".into(),
                release: "13.4.92".into(),
                versions: vec!["13.1".into(), "13.4".into()],
                gpus: vec!["sm_90".into()],
                remarks: true,
            })),
            ptxas: Some(Ok("/bin/ptxas".into())),
            has_library: true,
        }
    }

    /// The lines about missing items after a change.
    fn missing(change: impl FnOnce(&mut Machine)) -> Vec<String> {
        let mut machine = complete();
        change(&mut machine);
        let (lines, runs) = machine.lines();
        let missing = lines.into_iter().filter(|line| !line.is_fine);
        let missing: Vec<String> = missing.map(|line| format!("{}: {}", line.what, line.text)).collect();
        assert_eq!(runs, missing.is_empty());
        missing
    }

    #[test]
    fn a_complete_machine_lacks_nothing() {
        assert_eq!(missing(|_| {}), [""; 0]);
    }

    #[test]
    fn each_missing_item_is_one_line() {
        let one = |change: fn(&mut Machine), words: &str| {
            let missing = missing(change);
            assert!(missing.len() == 1 && missing[0].contains(words), "{missing:?} has no `{words}`");
        };
        one(|machine| (machine.driver, machine.gpus) = (None, vec![]), "driver: none");
        one(|machine| machine.driver = Some(12080), "supports CUDA 12.8; Tile IR needs CUDA 13.0");
        one(|machine| machine.gpus = vec![], "the driver finds none");
        one(|machine| machine.gpus = vec![Err("it is gone".into())], "GPU: it is gone");
        one(
            |machine| machine.compiler = Some(Err(CompileError::Missing.to_string())),
            "`tileiras`, NVIDIA's compiler for Tile IR, was not found",
        );
        one(|machine| machine.ptxas = Some(Err(CompileError::NoPtxas.to_string())), "cannot find `ptxas`");
        one(|machine| machine.has_library = false, "libnvvm");
        let old = |machine: &mut Machine| {
            let Some(Ok(tool)) = &mut machine.compiler else { unreachable!() };
            (tool.release, tool.gpus) = ("13.2.1".into(), vec!["sm_80".into(), "sm_100".into()]);
        };
        one(old, "sm_90 needs `tileiras` 13.3 or later");
    }
}
