//! Compiled programs as readable text: PTX and SASS.

use super::compiler::{self, Compiler, program};
use super::{annotate, object_file, sass};

/// A kind of listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// NVIDIA's portable assembly language.
    Ptx,
    /// The instructions of one architecture.
    Sass,
}

impl Listing {
    /// The file extension.
    pub fn extension(self) -> &'static str {
        match self {
            Listing::Ptx => "ptx",
            Listing::Sass => "sass",
        }
    }

    /// Whether this machine has the programs that produce it. They are searched for, not started.
    pub fn can_be_made(self) -> bool {
        compiler::is_installed()
            && (self == Listing::Ptx || sass::TOOLS.iter().any(|(name, _)| program(name).is_some()))
    }

    /// Returns the listing of a cubin that this compiler produced for a GPU, or an error message. PTX is available only
    /// if the program has debug information and was compiled with line information.
    pub fn of(self, cubin: &[u8], compiler: &Compiler, gpu: &str) -> Result<String, String> {
        match self {
            Listing::Sass => sass::of(cubin, compiler.stop()),
            Listing::Ptx => object_file::ptx(cubin).ok_or_else(|| {
                let release = &compiler.facts().release;
                format!("the code that `tileiras` {release} generates from this program for {gpu} contains no PTX")
            }),
        }
    }

    /// Relates the code in a cubin, which this compiler produced with [`annotate::spaced`] line information, to source
    /// lines. The error is a message.
    pub fn annotated(self, cubin: &[u8], compiler: &Compiler) -> Result<annotate::Annotated, String> {
        match self {
            Listing::Sass => annotate::of_sass(cubin, compiler.stop()),
            Listing::Ptx => annotate::of_ptx(cubin, compiler.stop()),
        }
    }

    /// The first line of a listing of a program, a comment.
    pub fn title(self, program: &str, gpu: &str, compiler: &Compiler) -> String {
        let (kind, release) = (self.extension().to_uppercase(), &compiler.facts().release);
        format!("// {kind} of {program} for {gpu}, by tileiras {release}.")
    }
}
