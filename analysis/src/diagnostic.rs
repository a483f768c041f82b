//! Diagnostics as plain data, from which all output formats are rendered.

use std::ops::Range;
use std::sync::Arc;
use tile_dialect::{Gpu, Version};

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The program is invalid.
    Error,
    /// The program is valid but probably wrong.
    Warning,
    /// Information.
    Info,
    /// A suggestion.
    Hint,
}

impl Severity {
    /// Its name in JSON and on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hint => "hint",
        }
    }

    /// The severity with this name.
    pub fn from_name(name: &str) -> Option<Severity> {
        [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint].into_iter().find(|it| it.name() == name)
    }
}

/// The page of a diagnostic, which `tile explain` shows.
#[derive(Debug)]
pub struct Page {
    /// Its stable code: `E` for errors, `L` for lints, `P` for performance hints, `R` for findings of a run.
    pub code: &'static str,
    /// Its short name, such as `type-mismatch`.
    pub name: &'static str,
    /// Its default severity.
    pub severity: Severity,
    /// The meaning and the reason for reporting it, in Markdown.
    pub text: &'static str,
    /// How to fix it, in Markdown.
    pub fix: &'static str,
    /// Codes of related diagnostics and terms of `tile doc`.
    pub see: &'static [&'static str],
    /// A program with the diagnostic.
    pub wrong: &'static str,
    /// The corrected program.
    pub right: &'static str,
}

/// How editors can display the text of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// Unnecessary code, which editors fade.
    Unnecessary,
    /// A deprecated form, which editors strike through.
    Deprecated,
}

impl Page {
    /// The meaning and the fix in Markdown, without the programs.
    pub fn advice(&self) -> String {
        format!("{}\n\n**How to fix it:**\n\n{}", self.text, self.fix)
    }

    /// The page in Markdown, as shown by `tile explain`.
    pub fn markdown(&self) -> String {
        let Page { code, name, text, fix, wrong, right, .. } = self;
        let see = self.see.iter().map(|term| format!("`{term}`")).collect::<Vec<_>>().join(", ");
        format!(
            "# {code}: {name}\n\n{text}\n\n## Wrong\n\n```tile\n{wrong}```\n\n## How to fix it\n\n{fix}\n\n\
             ## Right\n\n```tile\n{right}```\n\nSee also: {see}.\n"
        )
    }
}

/// The maximum number of diagnostics of a file. When it is reached, the rest of the file is not checked.
pub const MAX_IN_FILE: usize = 100_000;

/// The last diagnostic of a part of a file whose rest was not checked.
pub(crate) const TOO_MANY: &str = "too many errors: the rest is not checked";

/// A diagnostic. Ranges are in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Its page.
    pub page: &'static Page,
    /// The severity: that of its page unless the project configures another.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// The primary range.
    pub range: Range<u32>,
    /// A short label of the primary range; can be empty.
    pub label: String,
    /// Related ranges.
    pub labels: Vec<Label>,
    /// Notes: the rule, or what to do.
    pub notes: Vec<String>,
    /// Fixes.
    pub fixes: Vec<Fix>,
    /// The version whose tools report an error instead, if that is newer than the version checked against.
    pub error_since: Option<Version>,
    /// How editors can display the text, in addition to underlining it.
    pub tag: Option<Tag>,
    /// The target GPU, if the program is invalid only for that GPU.
    pub only_for: Option<Gpu>,
}

/// A diagnostic of a part of a file. As long as the part does not change, all checks return the same one, so that what
/// is made of it can be kept.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    /// The diagnostic. Its ranges are relative to the start of the part.
    pub diagnostic: Arc<Diagnostic>,
    /// The start of the part, in bytes.
    pub start: u32,
    /// The severity: that of the diagnostic unless the project configures another.
    pub severity: Severity,
}

impl Located {
    /// A diagnostic of the part of a file that begins at `start`.
    pub fn new(diagnostic: Arc<Diagnostic>, start: u32) -> Located {
        Located { severity: diagnostic.severity, diagnostic, start }
    }

    /// The diagnostic with its ranges in the file.
    pub fn in_file(&self) -> Diagnostic {
        Diagnostic { severity: self.severity, ..(*self.diagnostic).clone().shifted(self.start) }
    }

    /// The diagnostics with their ranges in the file.
    pub fn all_in_file(found: &[Located]) -> Vec<Diagnostic> {
        found.iter().map(Located::in_file).collect()
    }
}

/// A labeled range that is related to a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The range.
    pub range: Range<u32>,
    /// The label.
    pub message: String,
}

/// Whether a fix can be applied automatically.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applicability {
    /// The fix follows from the text: it only removes or changes the text that the diagnostic is about.
    Safe,
    /// The fix is a guess at the intention.
    Unsafe,
}

impl Applicability {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
        }
    }
}

/// A change to the text that fixes a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Its title in the imperative: "write `print_tko`".
    pub title: String,
    /// Whether it can be applied automatically.
    pub applicability: Applicability,
    /// Its edits; they do not overlap.
    pub edits: Vec<Edit>,
    /// Whether it changes the whole file, and so is offered only where the file has no error.
    pub whole_file: bool,
}

impl Fix {
    /// A fix of the diagnosed statement.
    pub fn new(title: impl Into<String>, applicability: Applicability, edits: Vec<Edit>) -> Fix {
        Fix { title: title.into(), applicability, edits, whole_file: false }
    }
}

/// A replacement of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced range; empty for an insertion.
    pub range: Range<u32>,
    /// The new text.
    pub content: String,
}

impl PartialEq for Page {
    fn eq(&self, other: &Page) -> bool {
        self.code == other.code
    }
}

impl Edit {
    /// Sorts edits by position.
    pub fn sort(edits: &mut [Edit]) {
        edits.sort_by_key(|edit| edit.range.start);
    }
}

impl Diagnostic {
    /// Sorts diagnostics by position.
    pub fn sort(diagnostics: &mut [Diagnostic]) {
        diagnostics.sort_by_key(|diagnostic| diagnostic.range.start);
    }

    /// Creates a diagnostic with a message at a range.
    pub fn new(page: &'static Page, range: Range<u32>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            page,
            severity: page.severity,
            message: message.into(),
            range,
            label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            fixes: Vec::new(),
            error_since: None,
            tag: None,
            only_for: None,
        }
    }

    /// Turns it into a warning on another page: only tools since `version` report it as an error.
    pub(crate) fn error_since(self, page: &'static Page, version: Version) -> Self {
        Diagnostic { error_since: Some(version), ..self.on(page) }
    }

    /// Moves the diagnostic to another page, and sets that page's severity.
    pub fn on(self, page: &'static Page) -> Self {
        Diagnostic { page, severity: page.severity, ..self }
    }

    /// Whether the program is invalid for every GPU, not only for the target GPU.
    pub fn is_error_everywhere(&self) -> bool {
        self.severity == Severity::Error && self.only_for.is_none()
    }

    /// Sets the tag.
    pub fn tagged(self, tag: Tag) -> Self {
        Diagnostic { tag: Some(tag), ..self }
    }

    /// Sets the label of the primary range.
    pub fn here(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a labeled range.
    pub fn label(mut self, range: Range<u32>, message: impl Into<String>) -> Self {
        self.labels.push(Label { range, message: message.into() });
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds an unsafe fix of one edit.
    pub fn fix(self, title: impl Into<String>, range: Range<u32>, content: impl Into<String>) -> Self {
        self.fix_all(title, vec![Edit { range, content: content.into() }])
    }

    /// Adds an unsafe fix of several edits.
    pub fn fix_all(self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.with_fix(Fix::new(title, Applicability::Unsafe, edits))
    }

    /// Adds a safe fix of one edit.
    pub fn safe_fix(self, title: impl Into<String>, range: Range<u32>, content: impl Into<String>) -> Self {
        self.safe_fix_all(title, vec![Edit { range, content: content.into() }])
    }

    /// Adds a safe fix of several edits.
    pub fn safe_fix_all(self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.with_fix(Fix::new(title, Applicability::Safe, edits))
    }

    /// Adds a fix.
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Whether it has fixes that require a file without errors: to wrap a program with errors in a module could cause
    /// further errors.
    pub(crate) fn has_whole_file_fixes(&self) -> bool {
        self.fixes.iter().any(|fix| fix.whole_file)
    }

    /// Drops these fixes.
    pub(crate) fn drop_whole_file_fixes(&mut self) {
        self.fixes.retain(|fix| !fix.whole_file);
    }

    /// Adds `offset` to every range: converts from item to file offsets.
    pub fn shifted(mut self, offset: u32) -> Self {
        self.move_places(|place| place + offset);
        self
    }

    /// Subtracts `start` from every range: converts from file offsets to offsets in the part that begins at `start`.
    pub fn within(mut self, start: u32) -> Self {
        self.move_places(|place| place.saturating_sub(start));
        self
    }

    /// Maps every position in the text.
    pub(crate) fn move_places(&mut self, moved: impl Fn(u32) -> u32) {
        let labels = self.labels.iter_mut().map(|label| &mut label.range);
        let edits = self.fixes.iter_mut().flat_map(|fix| &mut fix.edits).map(|edit| &mut edit.range);
        for range in [&mut self.range].into_iter().chain(labels).chain(edits) {
            *range = moved(range.start)..moved(range.end);
        }
    }
}
