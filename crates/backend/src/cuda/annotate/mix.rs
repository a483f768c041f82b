//! How many instructions of each class.

use super::class::{Class, Unit};
use super::kernel::Instruction;
use std::collections::BTreeMap;

/// The instructions of a kernel or of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mix {
    /// The number of instructions.
    pub instructions: u32,
    /// The largest number of live general-purpose registers at one of them, if known.
    pub live: Option<u32>,
    counts: BTreeMap<Unit, u32>,
}

impl Mix {
    /// Adds an instruction.
    pub fn add(&mut self, instruction: &Instruction) {
        self.instructions += 1;
        self.live = self.live.max(instruction.live);
        *self.counts.entry(instruction.unit.clone()).or_default() += 1;
    }

    /// The counts, in the order of the classes.
    pub fn counts(&self) -> impl Iterator<Item = (&Unit, u32)> {
        self.counts.iter().map(|(unit, count)| (unit, *count))
    }

    /// All counts: `12 HGMMA, 4 UTMALDG, 40 integer`.
    pub fn text(&self) -> String {
        self.counts().map(|(unit, count)| format!("{count} {}", unit.name)).collect::<Vec<_>>().join(", ")
    }

    /// The counts that decide the speed of most kernels and the live registers, for the end of a source line:
    /// `12 HGMMA · 4 UTMALDG · 96 regs`. A line without such instructions has the number of all.
    pub fn short(&self) -> String {
        let notable = |unit: &Unit| unit.class.is_notable();
        let mut parts: Vec<String> = self
            .counts()
            .filter(|(unit, _)| notable(unit))
            .map(|(unit, count)| format!("{count} {}", unit.name))
            .collect();
        if parts.is_empty() {
            parts.push(format!(
                "{} {}",
                self.instructions,
                if self.instructions == 1 { "instruction" } else { "instructions" }
            ));
        }
        parts.extend(self.live.map(|live| format!("{live} regs")));
        parts.join(" · ")
    }

    /// The number of instructions of a class.
    pub fn of(&self, class: Class) -> u32 {
        self.counts().filter(|(unit, _)| unit.class == class).map(|(_, count)| count).sum()
    }
}

impl<'i> FromIterator<&'i Instruction> for Mix {
    fn from_iter<T: IntoIterator<Item = &'i Instruction>>(instructions: T) -> Mix {
        let mut mix = Mix::default();
        instructions.into_iter().for_each(|instruction| mix.add(instruction));
        mix
    }
}
