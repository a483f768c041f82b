//! The passes, one file or folder each.

mod canonicalize;
mod cse;
mod dce;
mod fma;
mod fold;
mod licm;

use crate::change::Changes;
use crate::entry::Entry;
use crate::settings::Settings;

/// A pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    /// Simplifies single ops and puts constants on the right.
    Canonicalize,
    /// Computes ops with constant operands.
    Fold,
    /// Merges ops that compute the same values.
    Cse,
    /// Moves ops out of loops.
    Licm,
    /// Fuses multiplications and additions.
    Fma,
    /// Removes ops without effects whose results are not used.
    Dce,
}

impl Pass {
    /// Every pass, in the order in which they run by default.
    pub const ALL: [Pass; 6] = [Pass::Canonicalize, Pass::Fold, Pass::Cse, Pass::Licm, Pass::Fma, Pass::Dce];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Canonicalize => "canonicalize",
            Pass::Fold => "fold",
            Pass::Cse => "cse",
            Pass::Licm => "licm",
            Pass::Fma => "fma",
            Pass::Dce => "dce",
        }
    }

    /// A description in one line.
    pub fn about(self) -> &'static str {
        match self {
            Pass::Canonicalize => "simplify ops exactly, put constants on the right, resolve constant branches",
            Pass::Fold => "compute ops whose operands are constants",
            Pass::Cse => "merge ops that compute the same values (common subexpressions)",
            Pass::Licm => "move loop-invariant ops out of loops",
            Pass::Fma => "fuse multiplications and additions where the result stays the same",
            Pass::Dce => "remove ops without effects whose results are not used (dead code)",
        }
    }

    /// The pass with a name.
    pub fn named(name: &str) -> Option<Pass> {
        Pass::ALL.into_iter().find(|pass| pass.name() == name)
    }

    /// The changes that the pass decides on for an entry.
    pub(crate) fn changes(self, entry: &Entry<'_>, settings: &Settings) -> Changes {
        match self {
            Pass::Canonicalize => canonicalize::changes(entry),
            Pass::Fold => fold::changes(entry),
            Pass::Cse => cse::changes(entry),
            Pass::Licm => licm::changes(entry),
            Pass::Fma => fma::changes(entry, settings.contract),
            Pass::Dce => dce::changes(entry),
        }
    }
}
