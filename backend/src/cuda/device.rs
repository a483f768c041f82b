//! A GPU, through the driver's library, which is loaded when the first one is opened.

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg, sys};
use cudarc::nvrtc::Ptx;
use std::fmt;
use std::sync::Arc;

/// An open GPU.
pub struct Device {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

/// What a parameter of a kernel gets.
#[derive(Debug)]
pub enum Argument {
    /// A pointer to memory that holds these bytes, before the run and after it.
    Memory(Vec<u8>),
    /// A number: its bits. What it is smaller than eight bytes is not looked at.
    Number(u64),
}

/// Why a GPU did not do what it should.
#[derive(Debug)]
pub enum DeviceError {
    /// The machine has no driver.
    NoDriver,
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
            DeviceError::Driver { doing, name, said } => write!(f, "{doing}: {said} ({name})"),
        }
    }
}

impl std::error::Error for DeviceError {}

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
    /// Opens the GPU with this number.
    #[allow(unsafe_code)]
    pub fn open(number: usize) -> Result<Device, DeviceError> {
        // SAFETY: looking for the driver's library runs its initialisers, which any use of a GPU does.
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::NoDriver);
        }
        let context = CudaContext::new(number).map_err(doing("the GPU cannot be opened"))?;
        // One stream does all the work here, so nothing has to be kept in order among several.
        let stream = context.default_stream();
        Ok(Device { context, stream })
    }

    /// What the compiler calls it, such as `sm_90`.
    pub fn architecture(&self) -> Result<String, DeviceError> {
        let (major, minor) = self.context.compute_capability().map_err(doing("the GPU's kind is unknown"))?;
        Ok(format!("sm_{major}{minor}"))
    }

    /// Its name in words.
    pub fn name(&self) -> Result<String, DeviceError> {
        self.context.name().map_err(doing("the GPU's name is unknown"))
    }

    /// Runs a kernel on a grid of tile blocks. What the memory of its arguments holds afterwards replaces what it held
    /// before. Returns how many seconds the kernel took.
    #[allow(unsafe_code)]
    pub fn run(
        &self,
        code: Vec<u8>,
        kernel: &str,
        grid: [u32; 3],
        arguments: &mut [Argument],
    ) -> Result<f64, DeviceError> {
        let module =
            self.context.load_module(Ptx::from_binary(code)).map_err(doing("the GPU does not take the code"))?;
        let function = module.load_function(kernel).map_err(doing("the kernel is not in its code"))?;
        let memory = self.upload(arguments)?;
        let timing = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let failed = doing("the kernel cannot be launched");
        let started = self.stream.record_event(timing).map_err(&failed)?;
        let mut launch = self.stream.launch_builder(&function);
        let numbers: Vec<u64> = arguments.iter().map(bits).collect();
        for (number, memory) in numbers.iter().zip(&memory) {
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
        self.download(&memory, arguments)?;
        Ok(f64::from(milliseconds) / 1e3)
    }

    fn upload(&self, arguments: &[Argument]) -> Result<Vec<Option<CudaSlice<u8>>>, DeviceError> {
        let one = |argument: &Argument| match argument {
            // A buffer of nothing has an address all the same.
            Argument::Memory(bytes) if bytes.is_empty() => self.stream.alloc_zeros(1).map(Some),
            Argument::Memory(bytes) => self.stream.clone_htod(bytes).map(Some),
            Argument::Number(_) => Ok(None),
        };
        let all: Result<Vec<_>, _> = arguments.iter().map(one).collect();
        all.map_err(doing("the buffers do not fit on the GPU"))
    }

    fn download(&self, memory: &[Option<CudaSlice<u8>>], arguments: &mut [Argument]) -> Result<(), DeviceError> {
        for (memory, argument) in memory.iter().zip(arguments) {
            if let (Some(memory), Argument::Memory(bytes)) = (memory, argument)
                && !bytes.is_empty()
            {
                *bytes = self.stream.clone_dtoh(memory).map_err(doing("the results cannot be read"))?;
            }
        }
        Ok(())
    }
}

fn bits(argument: &Argument) -> u64 {
    if let Argument::Number(bits) = argument { *bits } else { 0 }
}
