//! What a compiler made of a program, as text to read.

use super::compiler::{self, Compiler, program};
use super::{object_file, sass};

/// The texts that there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// The assembly language of all NVIDIA GPUs.
    Ptx,
    /// The instructions of one kind of GPU.
    Sass,
}

impl Listing {
    /// How files with such a text end.
    pub fn extension(self) -> &'static str {
        match self {
            Listing::Ptx => "ptx",
            Listing::Sass => "sass",
        }
    }

    /// Whether the programs that make it are on this machine. They are looked for, not started.
    pub fn can_be_made(self) -> bool {
        compiler::is_there() && (self == Listing::Ptx || sass::TOOLS.iter().any(|(name, _)| program(name).is_some()))
    }

    /// The text of a cubin that this compiler has made for a GPU, or why there is none. PTX is there only if the compiler
    /// was told to say which lines instructions come from, of a program that says so.
    pub fn of(self, cubin: &[u8], compiler: &Compiler, gpu: &str) -> Result<String, String> {
        match self {
            Listing::Sass => sass::of(cubin, compiler.stop()),
            Listing::Ptx => object_file::ptx(cubin).ok_or_else(|| {
                let release = &compiler.facts().release;
                format!("`tileiras` {release} leaves no PTX in the code that it makes of this program for {gpu}")
            }),
        }
    }
}
