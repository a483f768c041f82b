//! Errors in directives.

use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range};

/// An error: the message, its range, and what to write instead.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LaunchError {
    /// The bytes of the parsed text that are wrong.
    pub range: Range<usize>,
    /// The message.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl LaunchError {
    pub(crate) fn new(range: Range<usize>, message: impl Into<String>) -> LaunchError {
        LaunchError { range, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> LaunchError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for LaunchError {}
