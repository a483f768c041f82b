//! The arguments of an entry, within the memory limits.

use crate::run::Run;
use tile_input::size;
use tile_launch::bind::{ForwardKernel, Kernels, extra_arguments, misfits};
use tile_launch::{Arg, LaunchError, Value};

impl Run<'_> {
    /// The entries that the launch runs.
    fn kernels(&self) -> Kernels<'_> {
        let forward = match &self.launch.forward {
            None => ForwardKernel::Same,
            Some(forward) => match self.forward_entry(&forward.entry) {
                Some((_, lowered)) => ForwardKernel::Other(&lowered.body),
                None => ForwardKernel::Unknown { closest: None },
            },
        };
        Kernels { entry: self.entry, forward }
    }

    /// The arguments for the parameters of the entry in order, followed by the buffers that only addresses refer to.
    pub fn own_args(&self) -> impl Iterator<Item = &Arg> {
        let kernels = Kernels { entry: self.entry, forward: ForwardKernel::Same };
        let params = self.entry.params.iter().filter_map(|name| self.launch.arg(name));
        params.chain(extra_arguments(kernels, self.launch))
    }

    /// The values of the parameters in order, followed by those of further arguments.
    pub fn values(&self) -> Result<Vec<(String, Value)>, Box<LaunchError>> {
        let launch = self.launch;
        if let Some(misfit) = misfits(self.kernels(), launch).into_iter().next() {
            return Err(Box::new(misfit));
        }
        let mut left = self.settings.max_bytes;
        let free = self.system.free_memory();
        let args = self.entry.params.iter().filter_map(|name| launch.arg(name));
        args.chain(extra_arguments(self.kernels(), launch))
            .map(|arg| {
                self.refuse_large(arg, left)?;
                self.refuse_beyond(free, arg, left)?;
                let value =
                    arg.value(left, &|name| self.file(name)).map_err(|error| Box::new(naming(error, &arg.name)))?;
                if let Value::Buffer(buffer) = &value {
                    left = left.saturating_sub(buffer.bytes.len() as u64);
                }
                Ok((arg.name.clone(), value))
            })
            .collect()
    }

    /// Returns an error for a buffer that exceeds the remaining bytes.
    fn refuse_large(&self, arg: &Arg, left: u64) -> Result<(), Box<LaunchError>> {
        let bytes = arg.spec.bytes();
        if bytes.is_some_and(|bytes| bytes <= left) {
            return Ok(());
        }
        let allowed = if left == self.settings.max_bytes {
            "allowed".to_string()
        } else {
            format!("left of {} for all buffers", size::shown(self.settings.max_bytes))
        };
        let (size, left) = (bytes.map(size::shown), size::shown(left));
        let takes = match size {
            None => format!("more than 2^64 bytes, but only {left} are {allowed}"),
            Some(size) if size == left => format!("slightly more than the {left} {allowed}"),
            Some(size) => format!("{size}, more than the {left} {allowed}"),
        };
        let message = format!("the buffer of `%{}` takes {takes}", arg.name);
        let help = Some("make it smaller, or raise the limit: `tile run --max-memory 16GiB`".to_string());
        Err(Box::new(LaunchError { range: arg.range.clone(), message, help }))
    }

    /// Returns an error if all buffers up to this one take more memory than the system has available. Each is stored
    /// twice: in its initial state, for the expectations, and as the kernel changes it.
    fn refuse_beyond(&self, free: Option<u64>, arg: &Arg, left: u64) -> Result<(), Box<LaunchError>> {
        let earlier = self.settings.max_bytes - left;
        let needed = arg.spec.bytes().map_or(u64::MAX, |bytes| bytes.saturating_add(earlier).saturating_mul(2));
        let Some(free) = free.filter(|&free| free < needed) else { return Ok(()) };
        let message = format!(
            "the buffers up to `%{}` take {} of memory, but only {} are free",
            arg.name,
            size::shown(needed),
            size::shown(free)
        );
        let help = Some("make them smaller: each is stored twice, before and after the run".to_string());
        Err(Box::new(LaunchError { range: arg.range.clone(), message, help }))
    }
}

/// Adds the argument's name to an error without a location.
fn naming(mut error: LaunchError, name: &str) -> LaunchError {
    if error.range == (0..0) {
        error.message = format!("`%{name}`: {}", error.message);
    }
    error
}
