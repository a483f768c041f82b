//! Versions of the language.

/// A version of Tile IR. Later versions compare greater.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(non_camel_case_types, missing_docs)]
pub enum Version {
    V13_1,
    V13_2,
    V13_3,
    V13_4,
    V13_5,
}

impl Version {
    /// The newest released version, which is the default.
    pub const NEWEST: Version = Version::V13_5;

    /// Every version, oldest first.
    pub const ALL: [Version; 5] = [Version::V13_1, Version::V13_2, Version::V13_3, Version::V13_4, Version::V13_5];

    /// Its spelling, such as `13.3`.
    pub fn name(self) -> &'static str {
        match self {
            Version::V13_1 => "13.1",
            Version::V13_2 => "13.2",
            Version::V13_3 => "13.3",
            Version::V13_4 => "13.4",
            Version::V13_5 => "13.5",
        }
    }

    /// The version spelled `name`, such as `13.3`.
    pub fn from_name(name: &str) -> Option<Version> {
        Version::ALL.into_iter().find(|version| version.name() == name)
    }

    /// The version spelled `name`, or a message that lists the valid ones.
    pub fn parse(name: &str) -> Result<Version, String> {
        let known = || Version::ALL.map(Version::name).join(", ");
        Version::from_name(name).ok_or_else(|| format!("expected one of {}", known()))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
