//! How a program is compiled.

use serde::{Deserialize, Serialize};

/// How a program is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// How much is optimised, from 0 to 3; the compiler's own choice where nothing is said.
    pub opt_level: Option<u8>,
    /// Whether the code says which line its instructions come from.
    pub line_info: bool,
    /// Whether the code can be debugged; it is not optimised then.
    pub device_debug: bool,
    /// Whether the code is made for the checks of memory of `compute-sanitizer`.
    pub memcheck: bool,
    /// Whether the compiler says what it made of loads, stores and matrix products.
    pub remarks: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { opt_level: None, line_info: true, device_debug: false, memcheck: false, remarks: false }
    }
}

impl Options {
    /// The highest level of optimisation.
    pub const MAX_LEVEL: u8 = 3;

    /// What is wrong with them together.
    pub fn mistake(&self) -> Option<String> {
        let level = self.opt_level?;
        if level > Options::MAX_LEVEL {
            return Some(format!("`--opt-level {level}`: the levels are 0 to {}", Options::MAX_LEVEL));
        }
        (self.device_debug && level > 0).then(|| {
            format!("`--opt-level {level}` and `--device-debug` exclude each other: code to debug is not optimised")
        })
    }

    /// What `tile` is told so that it compiles like this, each option behind a blank.
    pub(super) fn for_tile(&self) -> String {
        let remarks = self.remarks.then(|| "--remarks".to_string());
        let own =
            self.arguments().into_iter().filter(|argument| argument != "--lineinfo" && argument != "--opt-level=0");
        let level = self.opt_level.filter(|level| *level == 0).map(|level| format!("--opt-level={level}"));
        own.chain(level).chain(remarks).map(|option| format!(" {option}")).collect()
    }

    /// What the compiler is told.
    pub fn arguments(&self) -> Vec<String> {
        let level = if self.device_debug { Some(0) } else { self.opt_level };
        let mut arguments: Vec<String> = level.iter().map(|level| format!("--opt-level={level}")).collect();
        let flags = [
            (self.line_info, "--lineinfo"),
            (self.device_debug, "--device-debug"),
            (self.memcheck, "--sanitize=memcheck"),
        ];
        arguments.extend(flags.iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_string()));
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_passed_on() {
        let plain = Options::default();
        assert_eq!((plain.arguments(), plain.mistake()), (vec!["--lineinfo".to_string()], None));
        let all = Options { device_debug: true, memcheck: true, ..plain.clone() };
        assert_eq!(all.arguments(), ["--opt-level=0", "--lineinfo", "--device-debug", "--sanitize=memcheck"]);
        assert_eq!(all.for_tile(), " --device-debug --sanitize=memcheck");
        assert!(Options { opt_level: Some(0), ..all.clone() }.mistake().is_none());
        assert!(Options { opt_level: Some(2), ..all }.mistake().is_some_and(|said| said.contains("exclude")));
        assert!(Options { opt_level: Some(4), ..plain }.mistake().is_some_and(|said| said.contains("0 to 3")));
    }
}
