//! What the user has chosen. Settings come with `initializationOptions` and may change later; what they do not say stays
//! as it is by default.

use serde_json::Value;
use tile_analysis::ide::inlay::Wanted;

/// Everything that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// `inlayHints.…`
    pub(crate) hints: Hints,
    /// `codeLens.…`
    pub(crate) lenses: Lenses,
}

/// Which inlay hints are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hints {
    /// `types`, `indexSpaces`, `tripCounts`, `parameters`: what the text does not say.
    pub(crate) wanted: Wanted,
    /// `runs`: what runs have printed and how they ended.
    pub(crate) runs: bool,
}

/// Which lenses are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lenses {
    /// `run`: running launches.
    pub(crate) run: bool,
    /// `bytecode`: looking at a file's bytecode.
    pub(crate) bytecode: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hints: Hints { wanted: Wanted::default(), runs: true },
            lenses: Lenses { run: true, bytecode: true },
        }
    }
}

impl Settings {
    /// Reads an object such as `{"inlayHints": {"types": false}}`. What is not there, or no truth value, is left as it is.
    pub(crate) fn read(self, options: &Value) -> Settings {
        let flag = |group: &str, name: &str, before: bool| options[group][name].as_bool().unwrap_or(before);
        let hint = |name: &str, before: bool| flag("inlayHints", name, before);
        let Hints { wanted, runs } = self.hints;
        Settings {
            hints: Hints {
                wanted: Wanted {
                    types: hint("types", wanted.types),
                    index_spaces: hint("indexSpaces", wanted.index_spaces),
                    rounds: hint("tripCounts", wanted.rounds),
                    parameters: hint("parameters", wanted.parameters),
                },
                runs: hint("runs", runs),
            },
            lenses: Lenses {
                run: flag("codeLens", "run", self.lenses.run),
                bytecode: flag("codeLens", "bytecode", self.lenses.bytecode),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_said_stays() {
        let settings =
            Settings::default().read(&json!({ "inlayHints": { "types": false, "runs": "yes" }, "other": 1 }));
        assert!(!settings.hints.wanted.types && settings.hints.wanted.parameters && settings.hints.runs);
        let settings = settings.read(&json!({ "codeLens": { "bytecode": false } }));
        assert!(!settings.hints.wanted.types && !settings.lenses.bytecode && settings.lenses.run);
        assert_eq!(Settings::default().read(&Value::Null), Settings::default());
    }
}
