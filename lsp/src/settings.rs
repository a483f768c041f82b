//! What the user has chosen: the section `tile` of the editor's settings.

use serde_json::Value;
use tile_analysis::context::Options;
use tile_dialect::Version;

/// The section's name.
pub(crate) const SECTION: &str = "tile";

/// The settings that the server knows. What is absent or makes no sense has its default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// `check.targetVersion`: whose rules hold.
    pub(crate) target: Version,
    /// `diagnostics.workspace`: whether programs that are not open are checked too, where the editor asks for that.
    pub(crate) whole_workspace: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { target: Version::NEWEST, whole_workspace: true }
    }
}

impl Settings {
    /// Reads the section, or an object that has it as its member.
    pub(crate) fn read(value: &Value) -> Settings {
        let section = value.get(SECTION).unwrap_or(value);
        let default = Settings::default();
        let target = section["check"]["targetVersion"].as_str().and_then(Version::from_name);
        Settings {
            target: target.unwrap_or(default.target),
            whole_workspace: section["diagnostics"]["workspace"].as_bool().unwrap_or(default.whole_workspace),
        }
    }

    /// How programs are checked.
    pub(crate) fn options(&self) -> Options {
        Options { version: self.target, ..Options::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_makes_no_sense_has_its_default() {
        let section = json!({ "check": { "targetVersion": "13.2" }, "diagnostics": { "workspace": false } });
        let read = Settings { target: Version::V13_2, whole_workspace: false };
        assert_eq!(Settings::read(&section), read);
        assert_eq!(Settings::read(&json!({ "tile": section })), read);
        for other in [json!(null), json!([]), json!({ "check": { "targetVersion": 13 } }), json!({ "check": "no" })] {
            assert_eq!(Settings::read(&other), Settings::default(), "{other}");
        }
    }
}
