//! The user's settings: the section `tile` of the editor's settings. They arrive with `initializationOptions` and may
//! change later. A missing or invalid setting keeps its value; [`mistakes`] lists the invalid ones for the user.

use serde_json::Value;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::ide::inlay::InlayOptions;
use tile_dialect::{Gpu, Version};

/// The name of the section.
pub(crate) const SECTION: &str = "tile";

/// The default target of kernels.
pub(crate) const CPU: &str = "cpu";

/// The default time limit of a test, in milliseconds: that of `tile test`.
const TEST_TIMEOUT: u64 = 60_000;

/// All settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// `check.targetVersion`: the Tile IR version to check against.
    pub(crate) target: Version,
    /// `check.gpu`: the GPU to check for, if one is named.
    pub(crate) check_gpu: Option<Gpu>,
    /// `diagnostics.workspace`: whether programs that are not open are checked too, if the editor pulls their
    /// diagnostics.
    pub(crate) whole_workspace: bool,
    /// `run.target`: the default target of kernels, as for `tile run --target`. The name is resolved for each run,
    /// since the user's own names may change.
    pub(crate) run_on: Arc<str>,
    /// `run.launcher`: the command that starts workers on another machine, as for `tile run --launcher`; may be empty.
    pub(crate) launcher: Arc<str>,
    /// `test.timeout`: the time limit of a test, here in milliseconds.
    pub(crate) test_timeout: u64,
    /// `build.gpu`: the GPU to show code for; empty for the GPU of this machine.
    pub(crate) gpu: Arc<str>,
    /// `inlayHints.…`
    pub(crate) hints: Hints,
    /// `codeLens.…`
    pub(crate) lenses: Lenses,
}

/// Which inlay hints are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hints {
    /// `types`, `indexSpaces`, `tripCounts`, `parameters`: facts that the text does not state.
    pub(crate) options: InlayOptions,
    /// `runs`: output and results of runs.
    pub(crate) runs: bool,
    /// `liveTiles`: the size of the tiles that are live.
    pub(crate) live_tiles: bool,
}

/// Which code lenses are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lenses {
    /// `run`: to run launches.
    pub(crate) run: bool,
    /// `profile`: to profile, trace and benchmark launches.
    pub(crate) profile: bool,
    /// `bytecode`: to show a file's bytecode.
    pub(crate) bytecode: bool,
    /// `listings`: to show the code that NVIDIA's compiler generates.
    pub(crate) listings: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            target: Version::NEWEST,
            check_gpu: None,
            whole_workspace: true,
            run_on: CPU.into(),
            launcher: "".into(),
            test_timeout: TEST_TIMEOUT,
            gpu: "".into(),
            hints: Hints { options: InlayOptions::default(), runs: true, live_tiles: false },
            lenses: Lenses { run: true, profile: true, bytecode: true, listings: true },
        }
    }
}

impl Settings {
    /// Reads the section, such as `{"inlayHints": {"types": false}}`, or an object that contains it as a member.
    pub(crate) fn read(self, value: &Value) -> Settings {
        let section = value.get(SECTION).unwrap_or(value);
        let target = section["check"]["targetVersion"].as_str().map(str::trim).and_then(version);
        let word = |group: &str, name: &str| section[group][name].as_str().map(|word| Arc::<str>::from(word.trim()));
        let run_on = word("run", "target").map(|name| if name.is_empty() { CPU.into() } else { name });
        let flag = |group: &str, name: &str, before: bool| section[group][name].as_bool().unwrap_or(before);
        let hint = |name: &str, before: bool| flag("inlayHints", name, before);
        let Hints { options, runs, live_tiles } = self.hints;
        Settings {
            target: target.unwrap_or(self.target),
            check_gpu: word("check", "gpu").map_or(self.check_gpu, |name| gpu(&name, self.check_gpu)),
            whole_workspace: flag("diagnostics", "workspace", self.whole_workspace),
            run_on: run_on.unwrap_or(self.run_on),
            launcher: word("run", "launcher").unwrap_or(self.launcher),
            test_timeout: milliseconds(&section["test"]["timeout"]).unwrap_or(self.test_timeout),
            gpu: word("build", "gpu").unwrap_or(self.gpu),
            hints: Hints {
                options: InlayOptions {
                    types: hint("types", options.types),
                    index_spaces: hint("indexSpaces", options.index_spaces),
                    trip_counts: hint("tripCounts", options.trip_counts),
                    parameters: hint("parameters", options.parameters),
                    ..options
                },
                runs: hint("runs", runs),
                live_tiles: hint("liveTiles", live_tiles),
            },
            lenses: Lenses {
                run: flag("codeLens", "run", self.lenses.run),
                profile: flag("codeLens", "profile", self.lenses.profile),
                bytecode: flag("codeLens", "bytecode", self.lenses.bytecode),
                listings: flag("codeLens", "listings", self.lenses.listings),
            },
        }
    }

    /// The GPU that the settings name: to check programs for, or else to show code for.
    pub(crate) fn chosen_gpu(&self) -> Option<Gpu> {
        self.check_gpu.or_else(|| Gpu::from_name(&self.gpu))
    }

    /// The options to check programs with.
    pub(crate) fn options(&self) -> Options {
        Options { version: self.target, gpu: self.chosen_gpu(), ..Options::default() }
    }
}

/// Accepts a valid value of a setting, or explains which values are valid.
type Parse = fn(&str) -> Result<(), String>;

/// Returns a message for each setting of the section with an unknown value. It names the setting, its value, and the
/// valid values.
pub(crate) fn mistakes(value: &Value) -> Vec<String> {
    let section = value.get(SECTION).unwrap_or(value);
    let parse: [(&str, Parse); 2] = [
        ("targetVersion", |name| {
            Version::parse(name).map(drop).map_err(|why| format!("unknown version `{name}`; {why}"))
        }),
        ("gpu", |name| Gpu::parse(name).map(drop)),
    ];
    let mistake = |(name, parse): (&str, Parse)| {
        let why = match &section["check"][name] {
            Value::Null => return None,
            Value::String(word) if word.trim().is_empty() => return None,
            Value::String(word) => parse(word.trim()).err()?,
            other => format!("expected a string, found `{other}`"),
        };
        Some(format!("the setting `{SECTION}.check.{name}` is ignored: {why}"))
    };
    parse.into_iter().filter_map(mistake).collect()
}

/// Converts a positive number of seconds.
fn milliseconds(seconds: &Value) -> Option<u64> {
    seconds.as_f64().filter(|seconds| *seconds > 0.0).map(|seconds| (seconds * 1e3).ceil() as u64)
}

/// Parses the name of a GPU; an empty name means any GPU, and an unknown one keeps the value before.
fn gpu(name: &str, before: Option<Gpu>) -> Option<Gpu> {
    if name.is_empty() { None } else { Gpu::from_name(name).or(before) }
}

/// Parses the name of a version; an empty name means the newest.
fn version(name: &str) -> Option<Version> {
    if name.is_empty() { Some(Version::NEWEST) } else { Version::from_name(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn missing_settings_keep_their_values() {
        let section = json!({ "check": { "targetVersion": "13.2" }, "diagnostics": { "workspace": false } });
        let settings = Settings::default().read(&section);
        assert_eq!(settings, Settings { target: Version::V13_2, whole_workspace: false, ..Settings::default() });
        assert_eq!(Settings::default().read(&json!({ "tile": section })), settings);
        let settings = settings.clone().read(&json!({ "inlayHints": { "types": false, "runs": "yes" }, "other": 1 }));
        assert!(!settings.hints.options.types && settings.hints.options.parameters && settings.hints.runs);
        let settings = settings.read(&json!({ "codeLens": { "bytecode": false } }));
        assert!(!settings.hints.options.types && !settings.lenses.bytecode && settings.lenses.run);
        let unprofiled = settings.clone().read(&json!({ "codeLens": { "profile": false } }));
        assert!(settings.lenses.profile && !unprofiled.lenses.profile && unprofiled.lenses.run);
        assert_eq!(settings.target, Version::V13_2);
        let settings = settings.read(&json!({ "check": { "targetVersion": "" }, "run": { "target": "cuda:1" } }));
        assert_eq!((settings.target, &*settings.run_on), (Version::NEWEST, "cuda:1"));
        let settings = settings.read(&json!({ "run": { "launcher": " ssh box " }, "build": { "gpu": "sm_90" } }));
        assert_eq!((&*settings.run_on, &*settings.launcher, &*settings.gpu), ("cuda:1", "ssh box", "sm_90"));
        assert_eq!(settings.options().gpu, Some(Gpu::Sm90));
        let settings = settings.read(&json!({ "check": { "gpu": "sm_100" } }));
        assert_eq!((settings.check_gpu, settings.options().gpu), (Some(Gpu::Sm100), Some(Gpu::Sm100)));
        let settings = settings.read(&json!({ "check": { "gpu": "sm_1" } }));
        assert_eq!(settings.check_gpu, Some(Gpu::Sm100), "an unknown name changes nothing");
        assert_eq!(settings.clone().read(&json!({ "check": { "gpu": "" } })).check_gpu, None);
        assert_eq!(&*settings.read(&json!({ "run": { "target": "" } })).run_on, "cpu");
    }

    #[test]
    fn the_time_limit_of_tests_is_in_seconds() {
        let limit = |timeout: Value| Settings::default().read(&json!({ "test": { "timeout": timeout } })).test_timeout;
        assert_eq!((limit(json!(2)), limit(json!(0.25))), (2_000, 250));
        assert_eq!((limit(json!(0)), limit(json!("1"))), (TEST_TIMEOUT, TEST_TIMEOUT));
    }

    #[test]
    fn unknown_values_are_reported_with_the_valid_ones() {
        let wrong = json!({ "tile": { "check": { "gpu": "sm_91", "targetVersion": 13 } } });
        let [version, gpu] = &mistakes(&wrong)[..] else { panic!("{:?}", mistakes(&wrong)) };
        assert_eq!(version, "the setting `tile.check.targetVersion` is ignored: expected a string, found `13`");
        let start = "the setting `tile.check.gpu` is ignored: unknown GPU `sm_91`; expected one of sm_80, ";
        assert!(gpu.starts_with(start) && gpu.contains("sm_90"), "{gpu}");
        let [version] = &mistakes(&json!({ "check": { "targetVersion": "12.0" } }))[..] else {
            panic!("expected one mistake")
        };
        assert!(version.contains("`12.0`") && version.contains("13.1"), "{version}");
        for right in [json!(null), json!({}), json!({ "check": { "gpu": " sm_90 ", "targetVersion": "" } })] {
            assert_eq!(mistakes(&right), Vec::<String>::new(), "{right}");
        }
    }

    #[test]
    fn invalid_settings_change_nothing() {
        for other in [json!(null), json!([]), json!({ "check": { "targetVersion": 13 } }), json!({ "check": "no" })] {
            assert_eq!(Settings::default().read(&other), Settings::default(), "{other}");
        }
    }
}
