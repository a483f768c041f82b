//! PTX and SASS with the source line, the class and the live registers of each instruction.
//!
//! The line table of a cubin relates its instructions to source lines and to lines of its PTX, which it contains
//! without `.loc` directives. `nvdisasm` reads the table, and computes the live registers.
//!
//! - [`kernel`]: kernels as rows of instructions; [`class`]: classes of instructions; [`mix`]: how many instructions of
//!   each class;
//! - [`sass`], [`ptx`]: parse the disassembly and the PTX; [`owners`]: the program's lines at a source location;
//! - [`spacing`]: line numbers that inline assembly cannot mix up;
//! - [`rendered`]: the listing as text, and which of its rows belong to which line of the program.

mod class;
mod kernel;
mod mix;
mod owners;
mod ptx;
mod rendered;
mod sass;
mod spacing;

pub use class::{Class, Unit};
pub use kernel::{Annotated, Instruction, Kernel, Row, SourceLine};
pub use mix::Mix;
pub use owners::Owners;
pub use rendered::{Detail, Group, Rendered, rendered};
pub use spacing::spaced;

use super::compiler::Stop;
use super::{object_file, sass as disassembler};

/// The SASS of a cubin that was compiled with line information, whose lines are [`spaced`]. The error is a message.
pub fn of_sass(cubin: &[u8], stop: &Stop) -> Result<Annotated, String> {
    Ok(Annotated { head: Vec::new(), kernels: kernels(cubin, stop)? })
}

/// The PTX of such a cubin. The error is a message.
pub fn of_ptx(cubin: &[u8], stop: &Stop) -> Result<Annotated, String> {
    let lines = object_file::ptx_lines(cubin).ok_or("the cubin contains no PTX")?;
    Ok(ptx::read(&lines, &ptx::source_lines(&kernels(cubin, stop)?)))
}

fn kernels(cubin: &[u8], stop: &Stop) -> Result<Vec<Kernel>, String> {
    let disassembly = disassembler::with_lines(cubin, stop)?;
    Ok(sass::read(&disassembly.lines, &disassembly.live))
}
