//! Capabilities of a compiler, as it reports them.

use super::{CompileError, Stop, child};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;
use tile_dialect::Version;

/// The time limit for a query of the compiler.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The capabilities of a compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Its release, such as `13.4.92`.
    pub release: String,
    /// The complete output of `--version`.
    pub version_text: String,
    /// The bytecode versions that it reads, oldest first.
    pub versions: Vec<String>,
    /// The architectures that it compiles for, such as `sm_90`.
    pub gpus: Vec<String>,
    /// Whether it can write remarks.
    pub remarks: bool,
}

impl Facts {
    /// Queries a compiler.
    pub(super) fn query(path: &Path, stop: &Stop) -> Result<Facts, CompileError> {
        let output_of = |argument: &str| {
            let mut command = child::tool(path);
            command.arg(argument);
            let ended = child::run(command, TIMEOUT, stop);
            let ended = ended.map_err(|error| CompileError::Io { path: path.to_owned(), error })?;
            let error = || if stop.is_stopped() { CompileError::Stopped } else { CompileError::Late(TIMEOUT) };
            ended.map(|ended| ended.output).ok_or_else(error)
        };
        let version = output_of("--version")?;
        let facts = Facts::read(&version, &output_of("--list-versions")?, &output_of("--help")?);
        facts.ok_or(CompileError::NotACompiler { path: path.to_owned(), output: version })
    }

    /// Parses the output of `--version`, `--list-versions` and `--help`.
    fn read(version: &str, list: &str, help: &str) -> Option<Facts> {
        let release = version.split(", V").nth(1)?.split_whitespace().next()?.to_string();
        let is_number = |name: &str| name.split_once('.').is_some_and(|(a, b)| is_digits(a) && is_digits(b));
        let listed = list.lines().map(str::trim).filter(|line| is_number(line)).map(str::to_string);
        let mut versions: Vec<String> = listed.collect();
        if versions.is_empty() {
            // Older compilers do not list them. They read all versions up to their own.
            let own = minor(&release);
            let older = Version::ALL.into_iter().map(Version::name).filter(|name| minor(name) <= own);
            versions = older.map(str::to_string).collect();
        }
        let words = help.lines().filter_map(|line| line.trim().strip_prefix("=")?.split_whitespace().next());
        let gpus = words.filter(|word| word.starts_with("sm_")).map(str::to_string).collect();
        Some(Facts {
            release,
            version_text: version.to_string(),
            versions,
            gpus,
            remarks: help.contains("--remarks=") && help.contains("--remark-format="),
        })
    }

    /// The newest bytecode version up to `limit` that the compiler reads and `tile` writes.
    pub fn version(&self, limit: Version) -> Option<Version> {
        let both = Version::ALL.into_iter().filter(|version| self.reads(*version));
        both.filter(|version| *version <= limit).max()
    }

    /// The version whose rules the compiler follows: the newest that it reads and `tile` writes.
    pub fn rules(&self) -> Version {
        Version::ALL.into_iter().filter(|version| self.reads(*version)).max().unwrap_or(Version::NEWEST)
    }

    /// Whether it reads a bytecode version.
    pub fn reads(&self, version: Version) -> bool {
        self.versions.iter().any(|name| name == version.name())
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first two numbers of a release.
fn minor(release: &str) -> (u32, u32) {
    let mut numbers = release.split('.').map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: &str = "tileiras: NVIDIA (R) Cuda Tile IR optimizing assembler\n\
        Cuda compilation tools, release 13.4, V13.4.92\nBuild local";

    #[test]
    fn the_output_of_a_compiler_is_parsed() {
        let help = "  --gpu-name=<value>  - Specify\n    =sm_80  -   SM 80\n    =sm_120  -   SM 120\n  --host-os=<value>\n    \
            =linux - linux\n  --remark-format=<value>\n  --remarks=<value>\n";
        let facts = Facts::read(VERSION, "13.1\n13.2\n13.3\n13.4\n99.1\n", help).expect("the output has a version");
        assert_eq!((facts.release.as_str(), facts.remarks), ("13.4.92", true));
        assert_eq!(facts.gpus, ["sm_80", "sm_120"]);
        assert_eq!(facts.version(Version::NEWEST), Some(Version::V13_4));
        assert_eq!(facts.version(Version::V13_2), Some(Version::V13_2));
        assert!(!facts.reads(Version::V13_5));
        assert_eq!(facts.rules(), Version::V13_4);
    }

    #[test]
    fn an_older_compiler_reads_the_versions_up_to_its_own() {
        let old = VERSION.replace("13.4", "13.2");
        let facts = Facts::read(&old, "unknown option", "").expect("the output has a version");
        assert_eq!(facts.versions, ["13.1", "13.2"]);
        assert_eq!((facts.version(Version::NEWEST), facts.remarks), (Some(Version::V13_2), false));
        assert_eq!(Facts::read("sh: not found", "", ""), None);
    }
}
