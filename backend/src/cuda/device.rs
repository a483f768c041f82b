//! A GPU, through the driver's library, which is loaded when the first one is opened.

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

/// How often a kernel runs before its time is taken.
const WARM_UPS: u32 = 2;

/// How many bytes of GPU memory hold what a kernel prints until it ends. Further text replaces what was printed first. The
/// first launch that prints takes 3 ms longer than with the driver's own 1 MiB on an H100, and with 64 MiB 46 ms.
const PRINT_BUFFER: usize = 8 << 20;

/// What a parameter of a kernel gets.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A pointer to memory that holds these bytes, before the run and after it.
    Memory(Vec<u8>),
    /// A number: its bits. What it is smaller than eight bytes is not looked at.
    Number(u64),
    /// The address of another argument's memory, as a pointer or a number.
    Address(Reference),
}

/// A place in the memory of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The argument, by number; it has memory.
    pub argument: usize,
    /// The offset in bytes.
    pub bytes: i64,
}

/// An address of eight bytes in the memory of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The argument whose memory holds the address, by number.
    pub argument: usize,
    /// The offset in bytes.
    pub offset: usize,
    /// The place that it names.
    pub to: Reference,
}

/// What a kernel is launched on.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// The parameters' values, followed by memory that only addresses name.
    pub all: Vec<Argument>,
    /// How many parameters there are.
    pub parameters: usize,
    /// The addresses in memory.
    pub links: Vec<Link>,
}

/// The memory of arguments on a GPU, and where it begins.
struct Memory {
    slices: Vec<Option<CudaSlice<u8>>>,
    bases: Vec<u64>,
}

impl Memory {
    fn address(&self, place: Reference) -> u64 {
        self.bases.get(place.argument).map_or(0, |base| base.wrapping_add_signed(place.bytes))
    }
}

/// Why a GPU did not do what it should.
#[derive(Debug)]
pub enum DeviceError {
    /// The machine has no driver.
    NoDriver,
    /// Its driver is too old.
    OldDriver {
        /// The version of CUDA that it is for, as the driver writes it: 12080.
        version: i32,
    },
    /// There are fewer GPUs.
    NoGpu {
        /// The number that was asked for.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// The GPU is too old.
    OldGpu {
        /// Its name.
        name: String,
        /// What the compiler calls it.
        architecture: String,
    },
    /// The driver refuses a call.
    Driver {
        /// What was to be done.
        doing: &'static str,
        /// The name of the error, such as `CUDA_ERROR_INVALID_DEVICE`.
        name: String,
        /// What the driver says of it.
        said: String,
    },
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceError::NoDriver => {
                write!(f, "there is no NVIDIA driver on this machine: run with `--target cpu`, which needs none")
            }
            DeviceError::OldDriver { version } => write!(
                f,
                "the NVIDIA driver is for CUDA {}, and Tile IR needs one for CUDA {} (release 580) or later: install a newer one, or run with `--target cpu`",
                release(*version),
                release(LEAST_DRIVER)
            ),
            DeviceError::NoGpu { count: 0, .. } => {
                write!(f, "there is no GPU that the NVIDIA driver may use: run with `--target cpu`, which needs none")
            }
            DeviceError::NoGpu { number, count } => {
                let last = count - 1;
                write!(f, "there is no GPU {number}: the GPUs of this machine are numbered from 0 to {last}")
            }
            DeviceError::OldGpu { name, architecture } => write!(
                f,
                "{name} is of kind {architecture}, and Tile IR needs a GPU of sm_80 or later: run with `--target cpu`"
            ),
            DeviceError::Driver { doing, name, said } => write!(f, "{doing}: {said} ({name})"),
        }
    }
}

impl std::error::Error for DeviceError {}

/// The oldest driver that runs Tile IR, by the version of CUDA that it is for.
pub const LEAST_DRIVER: i32 = 13000;

/// The oldest GPUs that run Tile IR.
pub const LEAST_GPU: (i32, i32) = (8, 0);

/// A version of CUDA as people write it: `12.8`.
pub fn release(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

/// Whether the machine has a driver.
#[allow(unsafe_code)]
pub fn has_driver() -> bool {
    // SAFETY: looking for the driver's library runs its initialisers, which any use of a GPU does.
    unsafe { sys::is_culib_present() }
}

/// The version of CUDA that the driver is for. There must be one.
#[allow(unsafe_code)]
pub fn driver_version() -> Result<i32, DeviceError> {
    let mut version = 0;
    // SAFETY: the function writes one number to where it is told, and may be called before anything else.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result().map_err(doing("the driver's version is unknown"))?;
    Ok(version)
}

/// How many GPUs there are. There must be a driver.
pub fn count() -> Result<usize, DeviceError> {
    let count = CudaContext::device_count();
    // A driver without any GPU says so as an error.
    match count.map_err(doing("the GPUs cannot be counted")) {
        Err(DeviceError::Driver { name, .. }) if name == "CUDA_ERROR_NO_DEVICE" => Ok(0),
        count => count.map(|count| count.max(0) as usize),
    }
}

/// Names what was to be done when the driver refused.
fn doing(doing: &'static str) -> impl Fn(DriverError) -> DeviceError {
    move |error| {
        let text = |text: Result<&std::ffi::CStr, DriverError>| {
            text.map_or_else(|_| format!("{:?}", error.0), |text| text.to_string_lossy().into_owned())
        };
        DeviceError::Driver { doing, name: text(error.error_name()), said: text(error.error_string()) }
    }
}

impl Device {
    /// Opens the GPU with this number, if it and the driver are new enough.
    pub fn open(number: usize) -> Result<Device, DeviceError> {
        if !has_driver() {
            return Err(DeviceError::NoDriver);
        }
        let version = driver_version()?;
        if version < LEAST_DRIVER {
            return Err(DeviceError::OldDriver { version });
        }
        let count = count()?;
        if number >= count {
            return Err(DeviceError::NoGpu { number, count });
        }
        let context = CudaContext::new(number).map_err(doing("the GPU cannot be opened"))?;
        // The driver's own size, which stays if it refuses, loses text after some thousand lines.
        let _ = context.set_limit(sys::CUlimit::CU_LIMIT_PRINTF_FIFO_SIZE, PRINT_BUFFER);
        // One stream does all the work here, so nothing has to be kept in order among several.
        let stream = context.default_stream();
        let device = Device { context, stream };
        if device.capability()? < LEAST_GPU {
            let (name, architecture) = (device.name()?, device.architecture()?);
            return Err(DeviceError::OldGpu { name, architecture });
        }
        Ok(device)
    }

    /// The version of its kind, such as 9 and 0.
    fn capability(&self) -> Result<(i32, i32), DeviceError> {
        self.context.compute_capability().map_err(doing("the GPU's kind is unknown"))
    }

    /// What the compiler calls it, such as `sm_90`.
    pub fn architecture(&self) -> Result<String, DeviceError> {
        let (major, minor) = self.capability()?;
        Ok(format!("sm_{major}{minor}"))
    }

    /// Its name in words.
    pub fn name(&self) -> Result<String, DeviceError> {
        self.context.name().map_err(doing("the GPU's name is unknown"))
    }

    /// How many bytes its memory holds.
    pub fn memory(&self) -> Result<u64, DeviceError> {
        self.context.total_mem().map(|bytes| bytes as u64).map_err(doing("the size of the GPU's memory is unknown"))
    }

    /// What it can do at most, as far as the driver says.
    pub fn rates(&self) -> Rates {
        use sys::CUdevice_attribute as Attribute;
        let number = |attribute| self.context.attribute(attribute).map_or(0.0, f64::from);
        // The driver counts in thousands.
        let memory_clock = 1e3 * number(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
        let bus = number(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8.0;
        Rates {
            // Memory moves something on both edges of its clock.
            bytes: 2.0 * memory_clock * bus,
            processors: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
            clock: 1e3 * number(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
        }
    }

    /// Takes code over, to run one of its kernels.
    pub fn load(&self, code: Vec<u8>, kernel: &str) -> Result<CudaFunction, DeviceError> {
        let module =
            self.context.load_module(Ptx::from_binary(code)).map_err(doing("the GPU does not take the code"))?;
        module.load_function(kernel).map_err(doing("the kernel is not in its code"))
    }

    /// Runs a kernel on a grid of tile blocks. What the memory of its arguments holds afterwards replaces what it held
    /// before. `placed` is given what address each link got. Returns how many seconds the kernel took.
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

    /// Runs a kernel several times on the same arguments, and returns how many seconds it took each time.
    pub fn time(
        &self,
        kernel: &CudaFunction,
        grid: [u32; 3],
        arguments: &Arguments,
        runs: u32,
    ) -> Result<Vec<f64>, DeviceError> {
        let mut memory = self.upload(arguments)?;
        // A copy on the GPU, and so with the addresses of the memory that the kernel gets.
        let copy =
            |slice: &Option<CudaSlice<u8>>| slice.as_ref().map(|slice| self.stream.clone_dtod(slice)).transpose();
        let pristine: Result<Vec<_>, _> = memory.slices.iter().map(copy).collect();
        let pristine = pristine.map_err(doing("the buffers do not fit on the GPU twice"))?;
        let mut all = Vec::new();
        for run in 0..runs + WARM_UPS {
            for (memory, pristine) in memory.slices.iter_mut().zip(&pristine) {
                if let (Some(memory), Some(pristine)) = (memory, pristine) {
                    self.stream.memcpy_dtod(pristine, memory).map_err(doing("the buffers cannot be copied"))?;
                }
            }
            let seconds = self.launch(kernel, grid, arguments, &memory)?;
            if run >= WARM_UPS {
                all.push(seconds);
            }
        }
        Ok(all)
    }

    /// Launches a kernel, waits for its end, and returns how many seconds it took.
    #[allow(unsafe_code)]
    fn launch(
        &self,
        kernel: &CudaFunction,
        grid: [u32; 3],
        arguments: &Arguments,
        memory: &Memory,
    ) -> Result<f64, DeviceError> {
        let timing = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let failed = doing("the kernel cannot be launched");
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
                // The least bytes come first, so what reads fewer bytes reads the number all the same.
                None => _ = launch.arg(number),
            }
        }
        let [x, y, z] = grid;
        // The compiler chose how many threads a tile block has.
        let config = LaunchConfig { grid_dim: (x, y, z), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
        // SAFETY: the arguments are as many as the entry's parameters, each of its parameter's kind. What the kernel
        // does with the pointers is the program's affair; this process is there to fail with it.
        unsafe { launch.launch(config) }.map_err(&failed)?;
        let ended = self.stream.record_event(timing).map_err(&failed)?;
        self.stream.synchronize().map_err(doing("the kernel failed"))?;
        let milliseconds = started.elapsed_ms(&ended).map_err(doing("the time is unknown"))?;
        Ok(f64::from(milliseconds) / 1e3)
    }

    fn upload(&self, arguments: &Arguments) -> Result<Memory, DeviceError> {
        let has_links = |number| arguments.links.iter().any(|link| link.argument == number);
        let one = |(number, argument): (usize, &Argument)| match argument {
            // A buffer of nothing has an address all the same.
            Argument::Memory(bytes) if bytes.is_empty() => self.stream.alloc_zeros(1).map(Some),
            // Addresses are known once all memory is there.
            Argument::Memory(bytes) if has_links(number) => self.stream.alloc_zeros(bytes.len()).map(Some),
            Argument::Memory(bytes) => self.stream.clone_htod(bytes).map(Some),
            Argument::Number(_) | Argument::Address(_) => Ok(None),
        };
        let slices: Result<Vec<_>, _> = arguments.all.iter().enumerate().map(one).collect();
        let slices = slices.map_err(doing("the buffers do not fit on the GPU"))?;
        let base = |slice: &Option<CudaSlice<u8>>| slice.as_ref().map_or(0, |slice| slice.device_ptr(&self.stream).0);
        let bases = slices.iter().map(base).collect();
        let mut memory = Memory { slices, bases };
        for number in (0..arguments.all.len()).filter(|&number| has_links(number)) {
            self.upload_links(arguments, number, &mut memory)?;
        }
        Ok(memory)
    }

    /// Uploads the memory of an argument that holds addresses.
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
        self.stream.memcpy_htod(&bytes, slice).map_err(doing("the buffers cannot be copied to the GPU"))
    }

    fn download(&self, memory: &Memory, arguments: &mut Arguments) -> Result<(), DeviceError> {
        for (memory, argument) in memory.slices.iter().zip(&mut arguments.all) {
            if let (Some(memory), Argument::Memory(bytes)) = (memory, argument)
                && !bytes.is_empty()
            {
                *bytes = self.stream.clone_dtoh(memory).map_err(doing("the results cannot be read"))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_machine_lacks_is_one_line() {
        let (name, architecture) = ("Tesla T4".to_string(), "sm_75".to_string());
        for (error, words) in [
            (DeviceError::NoDriver, "no NVIDIA driver"),
            (DeviceError::OldDriver { version: 12080 }, "is for CUDA 12.8, and Tile IR needs one for CUDA 13.0"),
            (DeviceError::NoGpu { number: 0, count: 0 }, "no GPU that the NVIDIA driver may use"),
            (DeviceError::NoGpu { number: 2, count: 2 }, "numbered from 0 to 1"),
            (DeviceError::OldGpu { name, architecture }, "Tesla T4 is of kind sm_75, and Tile IR needs a GPU of sm_80"),
        ] {
            let text = error.to_string();
            assert!(text.contains(words) && !text.contains('\n'), "{text}");
        }
    }
}
