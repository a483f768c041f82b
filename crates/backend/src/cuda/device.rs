//! Access to a GPU through the driver's library, which is loaded when the first GPU is opened.

use super::bench::Rates;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr, DriverError, LaunchConfig, PushKernelArg, sys,
};
use cudarc::nvrtc::Ptx;
use std::fmt;
use std::sync::Arc;

/// An open GPU.
pub struct Device {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

/// A kernel on a GPU.
pub type Kernel = CudaFunction;

/// The number of runs before a kernel is timed.
const WARM_UPS: u32 = 2;

/// The bytes of GPU memory that hold what a kernel prints until it ends. When the buffer is full, new text replaces the
/// oldest. On an H100, the first launch that prints takes 3 ms longer than with the driver's default of 1 MiB; with 64
/// MiB it takes 46 ms longer.
const PRINT_BUFFER: usize = 8 << 20;

/// An argument of a kernel.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A pointer to memory with these bytes. After the run, they are the result.
    Memory(Vec<u8>),
    /// The bits of a number. For types smaller than eight bytes, the upper bytes are ignored.
    Number(u64),
    /// The address of another argument's memory, as a pointer or a number.
    Address(Reference),
}

/// A location in the memory of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The argument, by number. It has memory.
    pub argument: usize,
    /// The offset in bytes.
    pub bytes: i64,
}

/// An address of eight bytes in the memory of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The argument whose memory contains the address, by number.
    pub argument: usize,
    /// The offset in bytes.
    pub offset: usize,
    /// The location that it refers to.
    pub to: Reference,
}

/// The arguments of a launch.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// The values of the parameters, followed by memory that only addresses refer to.
    pub all: Vec<Argument>,
    /// The number of parameters.
    pub parameters: usize,
    /// The addresses that the memory contains.
    pub links: Vec<Link>,
}

/// The memory of the arguments on a GPU, and its addresses.
struct Memory {
    slices: Vec<Option<CudaSlice<u8>>>,
    bases: Vec<u64>,
}

/// Arguments on a GPU that are restored before each run.
pub struct Workspace {
    arguments: Arguments,
    memory: Memory,
    /// The contents of the memory before each run.
    pristine: Vec<Option<CudaSlice<u8>>>,
    /// Twice the size of the L2 cache. Writing to it evicts the arguments, so that the kernel reads them from memory,
    /// as `do_bench` of Triton does.
    evicts: CudaSlice<u8>,
}

impl Workspace {
    /// Restores the arguments, clears the cache, and runs a kernel. Returns the duration in seconds.
    pub fn run(&mut self, device: &Device, kernel: &Kernel, grid: [u32; 3]) -> Result<f64, DeviceError> {
        for (memory, pristine) in self.memory.slices.iter_mut().zip(&self.pristine) {
            if let (Some(memory), Some(pristine)) = (memory, pristine) {
                device.stream.memcpy_dtod(pristine, memory).map_err(doing("cannot copy the buffers"))?;
            }
        }
        device.stream.memset_zeros(&mut self.evicts).map_err(doing("cannot clear the cache"))?;
        device.launch(kernel, grid, &self.arguments, &self.memory)
    }

    /// Runs a kernel so many times, after some runs to warm up. Returns the durations in seconds.
    pub fn times(
        &mut self,
        device: &Device,
        kernel: &Kernel,
        grid: [u32; 3],
        runs: u32,
    ) -> Result<Vec<f64>, DeviceError> {
        (0..WARM_UPS).try_for_each(|_| self.run(device, kernel, grid).map(drop))?;
        (0..runs).map(|_| self.run(device, kernel, grid)).collect()
    }

    /// The arguments with the memory as the last run left it.
    pub fn results(&self, device: &Device) -> Result<Arguments, DeviceError> {
        // The contents before the run are not copied first.
        let shape = |argument: &Argument| match argument {
            Argument::Memory(bytes) if !bytes.is_empty() => Argument::Memory(vec![0]),
            other => other.clone(),
        };
        let Arguments { all, parameters, links } = &self.arguments;
        let all = all.iter().map(shape).collect();
        let mut arguments = Arguments { all, parameters: *parameters, links: links.clone() };
        device.download(&self.memory, &mut arguments)?;
        Ok(arguments)
    }
}

impl Memory {
    fn address(&self, place: Reference) -> u64 {
        self.bases.get(place.argument).map_or(0, |base| base.wrapping_add_signed(place.bytes))
    }
}

/// An error of a GPU or its driver.
#[derive(Debug)]
pub enum DeviceError {
    /// The machine has no driver.
    NoDriver,
    /// The driver is too old.
    OldDriver {
        /// The CUDA version that the driver supports, in the driver's notation, such as 12080.
        version: i32,
    },
    /// There is no GPU with this number.
    NoGpu {
        /// The requested number.
        number: usize,
        /// The number of GPUs.
        count: usize,
    },
    /// The GPU is too old.
    OldGpu {
        /// Its name.
        name: String,
        /// Its architecture, such as `sm_75`.
        architecture: String,
    },
    /// The driver reports an error.
    Driver {
        /// What failed, such as `cannot open the GPU`.
        doing: &'static str,
        /// The name of the error, such as `CUDA_ERROR_INVALID_DEVICE`.
        name: String,
        /// The driver's description of the error.
        description: String,
    },
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceError::NoDriver => {
                write!(
                    f,
                    "no NVIDIA driver found: install release 580 or later, or run on the target `cpu`, which needs none"
                )
            }
            DeviceError::OldDriver { version } => write!(
                f,
                "the NVIDIA driver supports CUDA {}, but Tile IR needs CUDA {} (release 580) or later: install a newer driver, or run on the target `cpu`",
                release(*version),
                release(MIN_DRIVER)
            ),
            DeviceError::NoGpu { count: 0, .. } => {
                write!(f, "the NVIDIA driver finds no GPU: run on the target `cpu`, which needs none")
            }
            DeviceError::NoGpu { number, count } => {
                let last = count - 1;
                write!(f, "GPU {number} does not exist: the GPUs of this machine are numbered from 0 to {last}")
            }
            DeviceError::OldGpu { name, architecture } => write!(
                f,
                "{name} has architecture {architecture}, but Tile IR needs sm_80 or later: run on the target `cpu`"
            ),
            DeviceError::Driver { doing, name, description } => write!(f, "{doing}: {description} ({name})"),
        }
    }
}

impl std::error::Error for DeviceError {}

/// The oldest driver that runs Tile IR, by the CUDA version that it supports.
pub const MIN_DRIVER: i32 = 13000;

/// The oldest compute capability that runs Tile IR.
pub const MIN_GPU: (i32, i32) = (8, 0);

/// Formats a CUDA version in the usual notation, such as `12.8`.
pub fn release(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

/// Whether the machine has a driver.
#[allow(unsafe_code)]
pub fn has_driver() -> bool {
    // SAFETY: looking for the driver's library runs its initializers, which any use of a GPU does.
    unsafe { sys::is_culib_present() }
}

/// The CUDA version that the driver supports. The machine must have a driver.
#[allow(unsafe_code)]
pub fn driver_version() -> Result<i32, DeviceError> {
    let mut version = 0;
    // SAFETY: the function writes one number through the pointer, and can be called before any other function.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result().map_err(doing("cannot read the driver's version"))?;
    Ok(version)
}

/// The number of GPUs. The machine must have a driver.
pub fn count() -> Result<usize, DeviceError> {
    let count = CudaContext::device_count();
    // A driver without GPUs reports that as an error.
    match count.map_err(doing("cannot count the GPUs")) {
        Err(DeviceError::Driver { name, .. }) if name == "CUDA_ERROR_NO_DEVICE" => Ok(0),
        count => count.map(|count| count.max(0) as usize),
    }
}

/// Converts an error of the driver. `doing` says what failed.
fn doing(doing: &'static str) -> impl Fn(DriverError) -> DeviceError {
    move |error| {
        let text = |text: Result<&std::ffi::CStr, DriverError>| {
            text.map_or_else(|_| format!("{:?}", error.0), |text| text.to_string_lossy().into_owned())
        };
        DeviceError::Driver { doing, name: text(error.error_name()), description: text(error.error_string()) }
    }
}

impl Device {
    /// Opens the GPU with this number, if it and the driver are new enough.
    pub fn open(number: usize) -> Result<Device, DeviceError> {
        if !has_driver() {
            return Err(DeviceError::NoDriver);
        }
        let version = driver_version()?;
        if version < MIN_DRIVER {
            return Err(DeviceError::OldDriver { version });
        }
        let count = count()?;
        if number >= count {
            return Err(DeviceError::NoGpu { number, count });
        }
        let context = CudaContext::new(number).map_err(doing("cannot open the GPU"))?;
        // If this fails, the driver keeps its default size, which loses text after some thousand lines.
        let _ = context.set_limit(sys::CUlimit::CU_LIMIT_PRINTF_FIFO_SIZE, PRINT_BUFFER);
        // All work goes to one stream, so it needs no further synchronization.
        let stream = context.default_stream();
        let device = Device { context, stream };
        if device.capability()? < MIN_GPU {
            let (name, architecture) = (device.name()?, device.architecture()?);
            return Err(DeviceError::OldGpu { name, architecture });
        }
        Ok(device)
    }

    /// The compute capability, such as 9 and 0.
    fn capability(&self) -> Result<(i32, i32), DeviceError> {
        self.context.compute_capability().map_err(doing("cannot read the GPU's compute capability"))
    }

    /// The architecture, such as `sm_90`.
    pub fn architecture(&self) -> Result<String, DeviceError> {
        let (major, minor) = self.capability()?;
        Ok(format!("sm_{major}{minor}"))
    }

    /// The product name.
    pub fn name(&self) -> Result<String, DeviceError> {
        self.context.name().map_err(doing("cannot read the GPU's name"))
    }

    /// The size of its memory in bytes.
    pub fn memory(&self) -> Result<u64, DeviceError> {
        self.context.total_mem().map(|bytes| bytes as u64).map_err(doing("cannot read the size of the GPU's memory"))
    }

    /// The peak rates, as far as the driver reports them.
    pub fn rates(&self) -> Rates {
        use sys::CUdevice_attribute as Attribute;
        let number = |attribute| self.context.attribute(attribute).map_or(0.0, f64::from);
        // The driver reports clock rates in kHz.
        let memory_clock = 1e3 * number(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
        let bus = number(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8.0;
        Rates {
            // Memory transfers data on both edges of the clock.
            bytes: 2.0 * memory_clock * bus,
            processors: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
            clock: 1e3 * number(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
        }
    }

    /// Loads code and looks up one of its kernels.
    pub fn load(&self, code: Vec<u8>, kernel: &str) -> Result<CudaFunction, DeviceError> {
        let module = self.context.load_module(Ptx::from_binary(code)).map_err(doing("cannot load the code"))?;
        let function = module.load_function(kernel).map_err(doing("cannot find the kernel in its code"))?;
        // The driver runs clusters of 16 blocks only with this permission, because not every GPU can. If it cannot be
        // given, smaller clusters still run.
        let attribute = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
        let _ = function.set_attribute(attribute, 1);
        Ok(function)
    }

    /// Runs a kernel on a grid of tile blocks and updates the memory of its arguments. Stores the address of each link
    /// in `placed`. Returns the duration in seconds.
    pub fn run(
        &self,
        kernel: &CudaFunction,
        grid: [u32; 3],
        arguments: &mut Arguments,
        placed: &mut Vec<u64>,
    ) -> Result<f64, DeviceError> {
        let memory = self.upload(arguments)?;
        *placed = arguments.links.iter().map(|link| memory.address(link.to)).collect();
        let seconds = self.launch(kernel, grid, arguments, &memory)?;
        self.download(&memory, arguments)?;
        Ok(seconds)
    }

    /// Uploads arguments for runs that each find them unchanged.
    pub fn workspace(&self, arguments: Arguments) -> Result<Workspace, DeviceError> {
        let memory = self.upload(&arguments)?;
        // Copied on the GPU, so that the addresses in the copy are those of the kernel's memory.
        let copy =
            |slice: &Option<CudaSlice<u8>>| slice.as_ref().map(|slice| self.stream.clone_dtod(slice)).transpose();
        let pristine: Result<Vec<_>, _> = memory.slices.iter().map(copy).collect();
        let pristine = pristine.map_err(doing("cannot allocate a second copy of the buffers"))?;
        let cache = self.context.attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE).unwrap_or(0);
        let evicts = self.stream.alloc_zeros(2 * cache.max(1) as usize);
        let evicts = evicts.map_err(doing("cannot allocate memory to clear the cache"))?;
        Ok(Workspace { arguments, memory, pristine, evicts })
    }

    /// Launches a kernel, waits for its end, and returns the duration in seconds.
    #[allow(unsafe_code)]
    fn launch(
        &self,
        kernel: &CudaFunction,
        grid: [u32; 3],
        arguments: &Arguments,
        memory: &Memory,
    ) -> Result<f64, DeviceError> {
        let timing = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let failed = doing("cannot launch the kernel");
        let started = self.stream.record_event(timing).map_err(&failed)?;
        let mut launch = self.stream.launch_builder(kernel);
        let number = |argument: &Argument| match argument {
            Argument::Number(bits) => *bits,
            Argument::Address(place) => memory.address(*place),
            Argument::Memory(_) => 0,
        };
        let numbers: Vec<u64> = arguments.all.iter().map(number).collect();
        for (number, memory) in numbers.iter().zip(&memory.slices).take(arguments.parameters) {
            match memory {
                Some(memory) => _ = launch.arg(memory),
                // Little-endian, so a parameter with fewer bytes reads the lower part.
                None => _ = launch.arg(number),
            }
        }
        let [x, y, z] = grid;
        // The compiled code determines the number of threads of a tile block.
        let config = LaunchConfig { grid_dim: (x, y, z), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
        // SAFETY: the arguments match the entry's parameters in number and kind. The kernel may misuse the pointers; it
        // runs in a worker process so that only the worker fails.
        unsafe { launch.launch(config) }.map_err(&failed)?;
        let ended = self.stream.record_event(timing).map_err(&failed)?;
        self.stream.synchronize().map_err(doing("the kernel failed"))?;
        let milliseconds = started.elapsed_ms(&ended).map_err(doing("cannot measure the time"))?;
        Ok(f64::from(milliseconds) / 1e3)
    }

    fn upload(&self, arguments: &Arguments) -> Result<Memory, DeviceError> {
        let has_links = |number| arguments.links.iter().any(|link| link.argument == number);
        let one = |(number, argument): (usize, &Argument)| match argument {
            // An empty buffer needs an address too.
            Argument::Memory(bytes) if bytes.is_empty() => self.stream.alloc_zeros(1).map(Some),
            // Addresses are filled in once all memory is allocated.
            Argument::Memory(bytes) if has_links(number) => self.stream.alloc_zeros(bytes.len()).map(Some),
            Argument::Memory(bytes) => self.stream.clone_htod(bytes).map(Some),
            Argument::Number(_) | Argument::Address(_) => Ok(None),
        };
        let slices: Result<Vec<_>, _> = arguments.all.iter().enumerate().map(one).collect();
        let slices = slices.map_err(doing("cannot allocate the buffers"))?;
        let base = |slice: &Option<CudaSlice<u8>>| slice.as_ref().map_or(0, |slice| slice.device_ptr(&self.stream).0);
        let bases = slices.iter().map(base).collect();
        let mut memory = Memory { slices, bases };
        for number in (0..arguments.all.len()).filter(|&number| has_links(number)) {
            self.upload_links(arguments, number, &mut memory)?;
        }
        Ok(memory)
    }

    /// Uploads the memory of an argument that contains addresses.
    fn upload_links(&self, arguments: &Arguments, number: usize, memory: &mut Memory) -> Result<(), DeviceError> {
        let Argument::Memory(bytes) = &arguments.all[number] else { return Ok(()) };
        let mut bytes = bytes.clone();
        for link in arguments.links.iter().filter(|link| link.argument == number) {
            let address = memory.address(link.to).to_le_bytes();
            if let Some(place) = bytes.get_mut(link.offset..link.offset + address.len()) {
                place.copy_from_slice(&address);
            }
        }
        let Some(slice) = &mut memory.slices[number] else { return Ok(()) };
        self.stream.memcpy_htod(&bytes, slice).map_err(doing("cannot copy the buffers to the GPU"))
    }

    fn download(&self, memory: &Memory, arguments: &mut Arguments) -> Result<(), DeviceError> {
        for (memory, argument) in memory.slices.iter().zip(&mut arguments.all) {
            if let (Some(memory), Argument::Memory(bytes)) = (memory, argument)
                && !bytes.is_empty()
            {
                *bytes = self.stream.clone_dtoh(memory).map_err(doing("cannot read the results"))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_is_one_line() {
        let (name, architecture) = ("Tesla T4".to_string(), "sm_75".to_string());
        for (error, words) in [
            (DeviceError::NoDriver, "install release 580 or later, or run on the target `cpu`"),
            (DeviceError::OldDriver { version: 12080 }, "supports CUDA 12.8, but Tile IR needs CUDA 13.0"),
            (DeviceError::NoGpu { number: 0, count: 0 }, "finds no GPU"),
            (DeviceError::NoGpu { number: 2, count: 2 }, "numbered from 0 to 1"),
            (DeviceError::OldGpu { name, architecture }, "Tesla T4 has architecture sm_75, but Tile IR needs sm_80"),
        ] {
            let text = error.to_string();
            assert!(text.contains(words) && !text.contains('\n'), "{text}");
        }
    }
}
