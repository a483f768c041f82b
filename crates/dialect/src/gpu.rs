//! The GPUs that NVIDIA's compiler targets, and features that only some of them support.
//!
//! The data is measured: `tests/gpus/` records what each release of `tileiras` rejects for each GPU.

use crate::Version;
use std::fmt;

/// A GPU architecture that the compiler targets. Ordered from oldest to newest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // each name is the spelling of `--gpu`
pub enum Gpu {
    Sm80,
    Sm86,
    Sm87,
    Sm88,
    Sm89,
    Sm90,
    Sm100,
    Sm103,
    Sm107,
    Sm110,
    Sm120,
    Sm121,
}

use Gpu::*;

/// A set of GPUs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gpus(u16);

/// The GPUs that support a feature, by compiler version: each pair applies from its version on. Before the first pair,
/// all GPUs support it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Support(&'static [(Version, Gpus)]);

impl Gpu {
    /// Every GPU, in order.
    pub const ALL: [Gpu; 12] = [Sm80, Sm86, Sm87, Sm88, Sm89, Sm90, Sm100, Sm103, Sm107, Sm110, Sm120, Sm121];

    /// Its name, such as `sm_90`.
    pub fn name(self) -> &'static str {
        match self {
            Sm80 => "sm_80",
            Sm86 => "sm_86",
            Sm87 => "sm_87",
            Sm88 => "sm_88",
            Sm89 => "sm_89",
            Sm90 => "sm_90",
            Sm100 => "sm_100",
            Sm103 => "sm_103",
            Sm107 => "sm_107",
            Sm110 => "sm_110",
            Sm120 => "sm_120",
            Sm121 => "sm_121",
        }
    }

    /// The GPU called `name`.
    pub fn from_name(name: &str) -> Option<Gpu> {
        Gpu::ALL.into_iter().find(|gpu| gpu.name() == name)
    }

    /// The GPU called `name`.
    ///
    /// # Errors
    ///
    /// Returns a message that lists the valid names.
    pub fn parse(name: &str) -> Result<Gpu, String> {
        let known = || Gpu::ALL.map(Gpu::name).join(", ");
        Gpu::from_name(name)
            .ok_or_else(|| format!("unknown GPU `{}`; expected one of {}", name.escape_debug(), known()))
    }
}

impl fmt::Display for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Gpus {
    /// All GPUs.
    pub const ALL: Gpus = Gpus::from(Sm80);

    /// A GPU and all later ones.
    pub const fn from(first: Gpu) -> Gpus {
        Gpus((1 << Gpu::ALL.len()) - (1 << first as u16))
    }

    /// The GPUs in a list.
    pub const fn of(list: &[Gpu]) -> Gpus {
        let (mut bits, mut at) = (0, 0);
        while at < list.len() {
            bits |= 1 << list[at] as u16;
            at += 1;
        }
        Gpus(bits)
    }

    /// Whether the set contains a GPU.
    pub fn has(self, gpu: Gpu) -> bool {
        self.0 & 1 << gpu as u16 != 0
    }

    /// The GPUs of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Gpu> {
        Gpu::ALL.into_iter().filter(move |&gpu| self.has(gpu))
    }
}

/// Written as `sm_100 or later` or as a list: `sm_100, sm_103 or sm_107`.
impl fmt::Display for Gpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Gpu::name).collect();
        match (self.iter().next(), &names[..]) {
            (Some(first), [_, _, ..]) if *self == Gpus::from(first) => write!(f, "{first} or later"),
            (_, [rest @ .., last]) if !rest.is_empty() => write!(f, "{} or {last}", rest.join(", ")),
            _ => f.write_str(&names.concat()),
        }
    }
}

impl fmt::Debug for Gpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Support {
    /// Supported by every GPU.
    pub const EVERYWHERE: Support = Support(&[]);

    /// Supported by the given GPUs, each set from the given compiler version on.
    pub const fn since(pairs: &'static [(Version, Gpus)]) -> Support {
        Support(pairs)
    }

    /// The GPUs that support the feature with a version of the compiler.
    pub fn at(self, compiler: Version) -> Gpus {
        let known = self.0.iter().rev().find(|(since, _)| *since <= compiler);
        known.map_or(Gpus::ALL, |(_, gpus)| *gpus)
    }

    /// The compiler versions at which the set of GPUs changes, oldest first, with the new sets.
    pub fn pairs(self) -> &'static [(Version, Gpus)] {
        self.0
    }

    /// Whether every GPU supports the feature with every compiler version.
    pub fn is_everywhere(self) -> bool {
        self.0.iter().all(|(_, gpus)| *gpus == Gpus::ALL)
    }
}

/// Signed 8-bit floats.
pub(crate) const FP8: Support =
    Support::since(&[(Version::V13_1, Gpus::from(Sm90)), (Version::V13_5, Gpus::from(Sm89))]);
/// The scale type f8E8M0FNU and 4-bit floats.
pub(crate) const BLACKWELL: Support = Support::since(&[(Version::V13_1, Gpus::from(Sm100))]);
/// The scale type fnv8E5M3FNU.
pub(crate) const SM107: Support = Support::since(&[(Version::V13_1, Gpus::of(&[Sm107]))]);
/// Pointers to the memory of other devices, and the ops on multicast objects.
pub(crate) const MULTICAST: Support = Support::since(&[(Version::V13_5, Gpus::of(&[Sm100, Sm103, Sm107]))]);
/// Atomic addition of bf16.
pub(crate) const BF16_ATOMICS: Support = Support::since(&[(Version::V13_1, Gpus::from(Sm89))]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ARCHITECTURES;

    #[test]
    fn gpus_are_the_architectures_of_hints() {
        let names = ARCHITECTURES.iter().map(|row| row.name).filter(|name| *name != "default");
        assert!(names.eq(Gpu::ALL.map(Gpu::name)));
        for (index, gpu) in Gpu::ALL.into_iter().enumerate() {
            assert_eq!((gpu as usize, Gpu::parse(gpu.name())), (index, Ok(gpu)));
        }
        let message = Gpu::parse("sm_91").expect_err("`sm_91` is not a GPU of the table");
        assert!(message.starts_with("unknown GPU `sm_91`; expected one of sm_80, ") && message.ends_with(", sm_121"));
    }

    #[test]
    fn sets_are_named_by_their_first_gpu_or_all_of_them() {
        let shown =
            [Gpus::ALL, Gpus::from(Sm100), Gpus::of(&[Sm107]), Gpus::of(&[Sm100, Sm103, Sm107]), Gpus::from(Sm121)];
        let expected = ["sm_80 or later", "sm_100 or later", "sm_107", "sm_100, sm_103 or sm_107", "sm_121"];
        assert_eq!(shown.map(|gpus| gpus.to_string()), expected);
    }

    #[test]
    fn support_follows_the_version_of_the_compiler() {
        assert!(!FP8.at(Version::V13_4).has(Sm89) && FP8.at(Version::V13_5).has(Sm89));
        assert!(FP8.at(Version::V13_1).has(Sm90) && !FP8.at(Version::V13_5).has(Sm88));
        assert!(Support::EVERYWHERE.is_everywhere() && !FP8.is_everywhere());
        assert_eq!(Support::EVERYWHERE.at(Version::V13_1), Gpus::ALL);
    }
}
