//! Options of a compilation.

use serde::{Deserialize, Serialize};

/// The options of a compilation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The optimization level, from 0 to 3; the compiler chooses if it is not set.
    pub opt_level: Option<u8>,
    /// Whether the code contains line information.
    pub line_info: bool,
    /// Whether the code can be debugged. Such code is not optimized.
    pub device_debug: bool,
    /// Whether the code is instrumented for the memory checks of `compute-sanitizer`.
    pub memcheck: bool,
    /// Whether the compiler writes remarks about loads, stores and matrix products.
    pub remarks: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { opt_level: None, line_info: true, device_debug: false, memcheck: false, remarks: false }
    }
}

impl Options {
    /// The highest optimization level.
    pub const MAX_LEVEL: u8 = 3;

    /// Reports options that are invalid or exclude each other.
    pub fn mistake(&self) -> Option<String> {
        let level = self.opt_level?;
        if level > Options::MAX_LEVEL {
            return Some(format!("`--opt-level {level}`: expected a level from 0 to {}", Options::MAX_LEVEL));
        }
        (self.device_debug && level > 0).then(|| {
            format!("`--opt-level {level}` cannot be combined with `--device-debug`, which disables optimization")
        })
    }

    /// The options as arguments of `tile`, each preceded by a space.
    pub(super) fn for_tile(&self) -> String {
        let remarks = self.remarks.then(|| "--remarks".to_string());
        let own =
            self.arguments().into_iter().filter(|argument| argument != "--lineinfo" && argument != "--opt-level=0");
        let level = self.opt_level.filter(|level| *level == 0).map(|level| format!("--opt-level={level}"));
        own.chain(level).chain(remarks).map(|option| format!(" {option}")).collect()
    }

    /// The options as arguments of the compiler.
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
        assert!(Options { opt_level: Some(2), ..all }.mistake().is_some_and(|message| message.contains("combined")));
        assert!(Options { opt_level: Some(4), ..plain }.mistake().is_some_and(|message| message.contains("0 to 3")));
    }
}
