//! The hints that can be varied, and their values.

use crate::hints::{HintSet, Setting, Settings, effective, of_op};
use std::collections::BTreeMap;
use tile_analysis::ir::{Body, OpId};
use tile_dialect::{ARCHITECTURES, HINTS, HintRange, HintRow, Mnemonic, Version};

/// The values that a search tries first, if they are legal: the others are near the best of these.
const COARSE: [(&str, &[i64]); 3] =
    [("num_cta_in_cga", &[1, 2, 4]), ("occupancy", &[1, 2, 4, 8]), ("num_worker_warps_per_cta", &[4, 8])];

/// The values near the best of a hint that the best candidate lacks, if they are legal.
const NEAR: [(&str, &[i64]); 3] =
    [("num_cta_in_cga", &[8]), ("occupancy", &[3, 6, 12, 16, 24]), ("num_worker_warps_per_cta", &[2, 16])];

/// The largest cluster that every GPU with clusters can run. A program must ask the driver for a larger one.
const MAX_CLUSTER: i64 = 8;

/// The values of `latency` that a search tries.
const LATENCIES: [i64; 5] = [1, 3, 5, 8, 10];

/// The hints of an access, with all values to try.
type Choices = Vec<(&'static str, Vec<Setting>)>;

/// The hints of an entry and of its accesses.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// The hints of the entry, with all legal values.
    entry: Vec<(&'static str, Vec<i64>)>,
    /// The hints of each load and store, with all values to try.
    accesses: Vec<(OpId, Choices)>,
    /// The hints of the program: they are not tried again.
    known: HintSet,
    /// Which accesses are loads.
    loads: Vec<OpId>,
}

impl Space {
    /// The hints that an entry has on a GPU such as `sm_90`, for a compiler that reads bytecode of this version.
    pub fn of(body: &Body, architecture: &str, version: Version) -> Space {
        let has_clusters = ARCHITECTURES.iter().any(|known| known.name == architecture && known.has_clusters);
        let of_entry = HINTS.iter().filter(|hint| hint.ops.contains(&Mnemonic::Entry));
        let of_entry = of_entry.filter(|hint| has_clusters || !hint.of_clusters);
        let legal = |hint: &HintRow| {
            let mut legal = values(hint.range(version));
            legal.retain(|value| !hint.of_clusters || *value <= MAX_CLUSTER);
            legal
        };
        let entry = of_entry.map(|hint| (hint.name, legal(hint))).collect();
        let (mut accesses, mut loads, mut known) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (id, op) in (0..).map(OpId).zip(&body.ops) {
            let hints: Vec<_> = HINTS.iter().filter(|hint| hint.ops.contains(&op.op)).collect();
            if hints.is_empty() || op.op == Mnemonic::Entry {
                continue;
            }
            let settings = |range| match range {
                HintRange::Bool => vec![Setting::Bool(false), Setting::Bool(true)],
                _ => LATENCIES.map(Setting::Int).to_vec(),
            };
            accesses.push((id, hints.iter().map(|hint| (hint.name, settings(hint.range(version)))).collect()));
            if matches!(op.op, Mnemonic::LoadViewTko | Mnemonic::LoadPtrTko) {
                loads.push(id);
            }
            known.insert(id.0, effective(of_op(body, op), architecture));
        }
        let known = HintSet { entry: effective(body.hints.as_deref(), architecture), accesses: known };
        Space { entry, accesses, known, loads }
    }

    /// All combinations of a few values of the entry's hints, including those that the program has.
    pub fn coarse(&self) -> Vec<HintSet> {
        let mut all = vec![Settings::new()];
        for (name, legal) in &self.entry {
            let tried = listed(&COARSE, name).iter().filter(|value| legal.contains(value));
            let tried: Vec<Setting> = tried.map(|&value| Setting::Int(value)).collect();
            let with = |settings: &Settings, value: Setting| {
                let mut settings = settings.clone();
                settings.insert((*name).to_string(), value);
                settings
            };
            let further = all.iter().flat_map(|known| tried.iter().map(move |&value| with(known, value)));
            let further: Vec<Settings> = further.collect();
            all.extend(further);
        }
        let all = all.into_iter().map(|entry| self.new_in(HintSet { entry, ..HintSet::default() }));
        distinct(all)
    }

    /// Sets that change one hint of the entry in `best` to a legal value near it.
    pub fn near(&self, best: &HintSet) -> Vec<HintSet> {
        let mut all = Vec::new();
        for (name, legal) in &self.entry {
            let now = best.entry.get(*name).or(self.known.entry.get(*name));
            let near: Vec<i64> = match now {
                Some(Setting::Int(value)) => {
                    let below = legal.iter().rev().filter(|other| *other < value).take(2);
                    below.chain(legal.iter().filter(|other| *other > value).take(2)).copied().collect()
                }
                _ => listed(&NEAR, name).iter().copied().filter(|value| legal.contains(value)).collect(),
            };
            for value in near {
                let mut entry = best.entry.clone();
                entry.insert((*name).to_string(), Setting::Int(value));
                all.push(HintSet { entry, ..best.clone() });
            }
        }
        distinct(all.into_iter().map(|hints| self.new_in(hints)))
    }

    /// Single changes of the accesses' hints: of all loads together, and of each access.
    pub fn of_accesses(&self) -> Vec<HintSet> {
        let of = |ops: &[OpId], name: &str, value: Setting| {
            let settings = Settings::from([(name.to_string(), value)]);
            let takes = |op: &&OpId| {
                let hints = self.accesses.iter().find(|(id, _)| id == *op).map(|(_, hints)| hints);
                hints.is_some_and(|hints| hints.iter().any(|(known, _)| *known == name))
            };
            let accesses = ops.iter().filter(takes).map(|op| (op.0, settings.clone())).collect();
            HintSet { accesses, ..HintSet::default() }
        };
        let together = LATENCIES.iter().map(|&value| of(&self.loads, "latency", Setting::Int(value)));
        let together = together.chain([of(&self.loads, "allow_tma", Setting::Bool(false))]);
        let single = self.accesses.iter().flat_map(|(op, hints)| {
            let values = hints.iter().flat_map(|(name, values)| values.iter().map(move |&value| (*name, value)));
            values.map(move |(name, value)| of(&[*op], name, value))
        });
        distinct(together.chain(single).map(|hints| self.new_in(hints)).filter(|hints| !hints.is_empty()))
    }

    /// The hints that differ from those of the program. TMA is allowed unless a hint forbids it.
    fn new_in(&self, mut hints: HintSet) -> HintSet {
        hints.entry.retain(|name, value| self.known.entry.get(name) != Some(value));
        for (op, settings) in &mut hints.accesses {
            let known = self.known.accesses.get(op);
            let is_default = |name: &str, value: Setting| name == "allow_tma" && value == Setting::Bool(true);
            settings.retain(|name, value| match known.and_then(|known| known.get(name)) {
                Some(known) => known != value,
                None => !is_default(name, *value),
            });
        }
        hints.accesses.retain(|_, settings| !settings.is_empty());
        hints
    }
}

/// The values of a hint in a list.
fn listed(list: &[(&str, &'static [i64])], name: &str) -> &'static [i64] {
    list.iter().find(|(known, _)| *known == name).map_or(&[], |(_, values)| values)
}

/// The legal values of a hint of an entry.
fn values(range: HintRange) -> Vec<i64> {
    match range {
        HintRange::Bool => Vec::new(),
        HintRange::Between(low, high) => (low..=high).collect(),
        HintRange::PowerOfTwo(low, high) => (low..=high).filter(|value| range.contains(*value)).collect(),
    }
}

/// The sets without repetitions, in order.
fn distinct(sets: impl Iterator<Item = HintSet>) -> Vec<HintSet> {
    let mut all: Vec<HintSet> = Vec::new();
    for set in sets {
        if !all.contains(&set) {
            all.push(set);
        }
    }
    all
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tile_analysis::batch::{self, Keep};
    use tile_analysis::context::Options;

    /// The hints of an entry with this op.
    pub(crate) fn space(architecture: &str, op: &str) -> Space {
        let text = format!("cuda_tile.module @m {{\n  entry @k(%p: tile<ptr<f32>>) {{\n    {op}\n  }}\n}}\n");
        let checked = batch::check(&text, Options::default(), |_| Keep::Everything);
        assert_eq!(checked.diagnostics.iter().map(|found| &*found.message).collect::<Vec<_>>(), [""; 0]);
        let program = checked.program(&text);
        Space::of(&program.entries[0].1.body, architecture, Version::V13_4)
    }

    #[test]
    fn values_are_those_that_the_architecture_and_the_op_have() {
        let load = "%t, %k = load_ptr_tko weak %p optimization_hints = <sm_90 = {latency = 3}> : tile<ptr<f32>> -> tile<f32>, token";
        let [old, new] = ["sm_80", "sm_90"].map(|architecture| space(architecture, load));
        let clusters = |space: &Space| space.coarse().iter().any(|set| set.entry.contains_key("num_cta_in_cga"));
        assert!(!clusters(&old) && clusters(&new));
        // Unset or 1, 2, 4; unset or 1, 2, 4, 8; unset or 4, 8.
        assert_eq!((old.coarse().len(), new.coarse().len()), (15, 60));
        let latencies = |space: &Space| -> Vec<String> {
            let settings = space.of_accesses().into_iter().flat_map(|set| set.accesses.into_values());
            settings.flat_map(|settings| settings.into_values().map(|value| value.to_string())).collect()
        };
        assert_eq!(latencies(&new), ["1", "5", "8", "10"], "without that of the program");
        assert_eq!(latencies(&old), ["1", "3", "5", "8", "10"]);
    }

    #[test]
    fn values_near_the_best_are_tried() {
        let space = space("sm_90", "return");
        let mut best = HintSet::default();
        best.entry.insert("occupancy".to_string(), Setting::Int(4));
        let near = space.near(&best);
        let occupancies: Vec<i64> = near
            .iter()
            .filter(|set| set.entry.len() == 1)
            .filter_map(|set| match set.entry["occupancy"] {
                Setting::Int(value) => Some(value),
                Setting::Bool(_) => None,
            })
            .collect();
        assert_eq!(occupancies, [3, 2, 5, 6]);
        let clusters = |near: Vec<HintSet>| -> Vec<Setting> {
            near.iter().filter_map(|set| set.entry.get("num_cta_in_cga").copied()).collect()
        };
        assert_eq!(clusters(near), [Setting::Int(8)]);
        best.entry.insert("num_cta_in_cga".to_string(), Setting::Int(8));
        best.entry.remove("occupancy");
        let near = space.near(&best).into_iter().filter(|set| set.entry.len() == 1).collect();
        assert_eq!(clusters(near), [4, 2].map(Setting::Int), "a cluster of 16 needs a request to the driver");
    }
}
