//! Carrying out one job on a GPU.

use super::job::{Outcome, Run, bits};
use super::protocol::{Event, Found};
use crate::bytecode;
use crate::cuda::capture::Capture;
use crate::cuda::compiler::{CompileError, Compiler};
use crate::cuda::device::{Argument, Device, DeviceError};
use crate::cuda::{asserts, marks};
use crate::findings::{assertion_failed, misaligned_pointer, not_supported, pointer_outside_allocation};
use crate::halves;
use crate::launch::{Buffer, LaunchError, Value};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Display;
use tile_analysis::diagnostic::Page;
use tile_analysis::ir::{Attr, Op, OpId};
use tile_dialect::{Mnemonic, Version};

/// What a worker keeps for jobs on GPUs from one job to the next.
#[derive(Default)]
pub(super) struct Gpus {
    open: HashMap<usize, Device>,
    capture: Option<Capture>,
    /// Whether a kernel has failed, behind which the driver does nothing more for this process.
    pub(super) broken: bool,
}

impl Gpus {
    pub(super) fn new(capture: Capture) -> Gpus {
        Gpus { capture: Some(capture), ..Gpus::default() }
    }

    fn open(&mut self, number: usize) -> Result<&Device, DeviceError> {
        match self.open.entry(number) {
            Entry::Occupied(open) => Ok(open.into_mut()),
            Entry::Vacant(free) => Ok(free.insert(Device::open(number)?)),
        }
    }

    /// What the kernel printed.
    fn printed(&mut self) -> Result<Vec<u8>, Box<LaunchError>> {
        self.capture.as_mut().map_or(Ok(Vec::new()), |capture| capture.take().map_err(no_place))
    }
}

/// A problem of the machine, not of a place in the program.
fn no_place(message: impl Display) -> Box<LaunchError> {
    Box::new(LaunchError { range: 0..0, message: message.to_string(), help: None })
}

impl Run<'_> {
    /// Runs the job on a GPU.
    pub(super) fn on_gpu(
        &self,
        number: usize,
        gpus: &mut Gpus,
        before: &[(String, Value)],
        tell: &mut dyn FnMut(Event),
    ) -> Result<Outcome, Box<LaunchError>> {
        let speaks = |op: &Op| matches!(op.op, Mnemonic::PrintTko | Mnemonic::Assert);
        if gpus.capture.is_none() && self.entry.ops.iter().any(speaks) {
            return Err(no_place(
                "a kernel that prints or asserts cannot run on a GPU here: its text would mix with the worker's messages",
            ));
        }
        let compiler = Compiler::find().map_err(no_place)?;
        let mut module = self.module.clone();
        // The others would take time, and might need another GPU.
        module.entries.retain(|body| *body.name == *self.entry.name);
        marks::mark(&mut module, &self.entry.name);
        let code = bytecode::encode(&module, None, Version::NEWEST).map_err(|obstacles| match obstacles.first() {
            Some(obstacle) => no_place(obstacle),
            None => no_place("the program has no bytecode"),
        })?;
        let device = gpus.open(number).map_err(no_place)?;
        let gpu = device.architecture().map_err(no_place)?;
        let cubin = match compiler.compile(&code, &gpu) {
            Err(CompileError::Refused { said }) => return Ok(self.refusal(&gpu, &said, before)),
            other => other.map_err(no_place)?,
        };
        let mut arguments = self.device_arguments(before);
        let ran = device.run(cubin, &self.entry.name, self.job.launch.grid, &mut arguments);
        let mut printed = gpus.printed()?;
        let failed = asserts::take(&mut printed);
        let printed = self.tell_printed(&printed, tell);
        let blocks = self.job.launch.grid.iter().map(|&extent| u64::from(extent)).product();
        let after = before.iter().zip(arguments).map(|((name, value), argument)| (name.clone(), left(value, argument)));
        let (seconds, found) = match ran {
            Ok(seconds) => (seconds, None),
            Err(error) => {
                gpus.broken = true;
                let found = failed.first().map(|failed| self.assertion(failed)).or_else(|| self.failure(&error));
                (0.0, Some(found.ok_or_else(|| no_place(&error))?))
            }
        };
        Ok(Outcome { after: after.collect(), printed, found, profile: Vec::new(), blocks, seconds })
    }

    /// What comes of a program that the compiler does not take.
    fn refusal(&self, gpu: &str, said: &str, before: &[(String, Value)]) -> Outcome {
        let found = Found {
            code: not_supported::PAGE.code.to_string(),
            message: format!("`tileiras` does not compile this entry for {gpu}"),
            range: self.place(None),
            notes: said.lines().map(|line| line.trim_start_matches("error: ").to_string()).collect(),
            others: Vec::new(),
        };
        let (printed, profile) = (Vec::new(), Vec::new());
        Outcome { after: before.to_vec(), printed, found: Some(found), profile, blocks: 0, seconds: 0.0 }
    }

    fn device_arguments(&self, before: &[(String, Value)]) -> Vec<Argument> {
        let bound = self.types().zip(before).map(|(ty, (_, value))| match value {
            Value::Buffer(buffer) => Argument::Memory(halves::pack(buffer.element, &buffer.bytes).into_owned()),
            Value::Scalar(number) => Argument::Number(bits(*number, ty)),
        });
        bound.collect()
    }

    /// Tells which op printed what. Which tile block did is not known.
    fn tell_printed(&self, text: &[u8], tell: &mut dyn FnMut(Event)) -> Vec<u8> {
        let mut whole = Vec::new();
        for (op, text) in marks::cut(text) {
            whole.extend_from_slice(&text);
            tell(Event::Printed { op: self.place(op), block: None, text });
        }
        whole
    }

    /// The failed assertion, as the engine would tell it.
    fn assertion(&self, failed: &asserts::Failure) -> Found {
        let asserts = |op: &Op| op.op == Mnemonic::Assert;
        let says = |op: &Op| {
            let attrs = self.entry.attrs_of(op);
            attrs.iter().any(|attr| matches!(attr, Attr::Str(text) if **text == *failed.message.as_bytes()))
        };
        let op = self.entry.ops.iter().position(|op| asserts(op) && says(op)).map(|index| OpId(index as u32));
        let element = match &failed.position[..] {
            [] => String::new(),
            position => format!(" at element {position:?} of the tile"),
        };
        let [x, y, z] = failed.block;
        Found {
            code: assertion_failed::PAGE.code.to_string(),
            message: format!("assertion failed{element}: {}", failed.message),
            range: self.place(op),
            notes: vec![format!("in tile block ({x}, {y}, {z})")],
            others: Vec::new(),
        }
    }

    /// What a failed kernel did, as far as the driver says.
    fn failure(&self, error: &DeviceError) -> Option<Found> {
        let DeviceError::Driver { name, .. } = error else { return None };
        let page: &Page = match name.as_str() {
            "CUDA_ERROR_ILLEGAL_ADDRESS" => &pointer_outside_allocation::PAGE,
            "CUDA_ERROR_MISALIGNED_ADDRESS" => &misaligned_pointer::PAGE,
            _ => return None,
        };
        let notes = vec!["run it with `--target cpu --sanitize` to see which op does it, and on what".to_string()];
        let (code, range) = (page.code.to_string(), self.place(None));
        Some(Found { code, message: error.to_string(), range, notes, others: Vec::new() })
    }
}

/// What an argument is after the run.
fn left(before: &Value, argument: Argument) -> Value {
    match (before, argument) {
        (Value::Buffer(buffer), Argument::Memory(bytes)) => {
            let bytes = halves::unpack(buffer.element, bytes, buffer.bytes.len());
            Value::Buffer(Buffer { bytes, ..buffer.clone() })
        }
        (value, _) => value.clone(),
    }
}
