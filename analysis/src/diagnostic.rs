//! What a diagnostic is: plain data that every surface (terminal, JSON, editor) renders from.

use std::ops::Range;
use tile_dialect::Version;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The program is not valid.
    Error,
    /// The program is valid and likely wrong.
    Warning,
    /// Something to know.
    Info,
    /// Something to consider.
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

    /// The severity that is called so.
    pub fn from_name(name: &str) -> Option<Severity> {
        [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint].into_iter().find(|it| it.name() == name)
    }
}

/// The page of a diagnostic: what its code means, for `tile explain`.
#[derive(Debug)]
pub struct Page {
    /// Its stable code: `E` for errors, `L` for lints, `P` for performance hints, `R` for findings of a run.
    pub code: &'static str,
    /// Its name in a few words, such as `type-mismatch`.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it means and why it is reported, in Markdown.
    pub text: &'static str,
    /// How to fix it, in Markdown.
    pub fix: &'static str,
    /// Codes of related diagnostics and terms of `tile doc`.
    pub see: &'static [&'static str],
    /// A program that has it.
    pub wrong: &'static str,
    /// The same program without it.
    pub right: &'static str,
}

/// What an editor may show of the text itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// It does nothing and can go: editors fade it.
    Unnecessary,
    /// It is written in an old way: editors strike it through.
    Deprecated,
}

/// The codes whose diagnostics have a tag.
const TAGS: [(&str, Tag); 5] = [
    ("E0601", Tag::Unnecessary), // behind a terminator
    ("L0008", Tag::Unnecessary), // a hint that the compiler ignores
    ("L0009", Tag::Unnecessary), // padding without a mask
    ("L0001", Tag::Deprecated),  // an old spelling
    ("L0006", Tag::Deprecated),  // a renamed op
];

impl Page {
    /// What an editor may show of the text itself.
    pub fn tag(&self) -> Option<Tag> {
        TAGS.iter().find(|(code, _)| *code == self.code).map(|&(_, tag)| tag)
    }

    /// The whole page in Markdown, as `tile explain` shows it.
    pub fn markdown(&self) -> String {
        let Page { code, name, text, fix, wrong, right, .. } = self;
        let see = self.see.iter().map(|term| format!("`{term}`")).collect::<Vec<_>>().join(", ");
        format!(
            "# {code}: {name}\n\n{text}\n\n## Wrong\n\n```tile\n{wrong}```\n\n## How to fix it\n\n{fix}\n\n\
             ## Right\n\n```tile\n{right}```\n\nSee also: {see}.\n"
        )
    }
}

/// The most diagnostics that checking a file gives. A file that has more is not a program, and the rest of it is not
/// checked.
pub const MAX_IN_FILE: usize = 100_000;

/// What the last diagnostic of a part of a file says where the rest of that part was not checked.
pub(crate) const TOO_MANY: &str = "there are too many errors here: what follows is not checked";

/// Something to tell about a program. Ranges are in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Which one it is.
    pub page: &'static Page,
    /// How bad it is: as its page says, unless the project says otherwise.
    pub severity: Severity,
    /// What is wrong, in the user's own terms.
    pub message: String,
    /// Where.
    pub range: Range<u32>,
    /// What stands at that place: a few words, or nothing where the message says it all.
    pub label: String,
    /// Other places that have to do with it.
    pub labels: Vec<Label>,
    /// Further sentences: the rule, or what to do.
    pub notes: Vec<String>,
    /// Changes of the text that fix it.
    pub fixes: Vec<Fix>,
    /// The version whose tools report an error instead, where that is newer than the version checked against.
    pub error_since: Option<Version>,
}

/// A place that has to do with a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub range: Range<u32>,
    /// What is there.
    pub message: String,
}

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applicability {
    /// Follows from the text: it removes and alters nothing that the user wrote unless the diagnostic is about exactly
    /// that, and edits only the diagnosed statement.
    Safe,
    /// A guess at what was meant.
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

/// A change of the text that fixes a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a command: "write `print_tko`".
    pub title: String,
    /// Whether it may be applied without asking.
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
    /// What is replaced; empty for an insertion.
    pub range: Range<u32>,
    /// What stands there instead.
    pub content: String,
}

impl PartialEq for Page {
    fn eq(&self, other: &Page) -> bool {
        self.code == other.code
    }
}

impl Edit {
    /// Puts edits into the order of the text.
    pub fn sort(edits: &mut [Edit]) {
        edits.sort_by_key(|edit| edit.range.start);
    }
}

impl Diagnostic {
    /// Puts diagnostics into the order of the text.
    pub fn sort(diagnostics: &mut [Diagnostic]) {
        diagnostics.sort_by_key(|diagnostic| diagnostic.range.start);
    }

    /// A diagnostic with a message at a place.
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
        }
    }

    /// Turns it into a warning on another page: only tools since `version` report it as an error.
    pub(crate) fn error_since(self, page: &'static Page, version: Version) -> Self {
        Diagnostic { error_since: Some(version), ..self.on(page) }
    }

    /// The same diagnostic with another page, and as bad as that says.
    pub fn on(self, page: &'static Page) -> Self {
        Diagnostic { page, severity: page.severity, ..self }
    }

    /// Says what stands at the place itself.
    pub fn here(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place.
    pub fn label(mut self, range: Range<u32>, message: impl Into<String>) -> Self {
        self.labels.push(Label { range, message: message.into() });
        self
    }

    /// Adds a sentence.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a guess at what was meant, of one edit.
    pub fn fix(self, title: impl Into<String>, range: Range<u32>, content: impl Into<String>) -> Self {
        self.fix_all(title, vec![Edit { range, content: content.into() }])
    }

    /// Adds a guess at what was meant, of several edits.
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

    /// Moves every range by `offset` bytes: from an item's own counting to its file's.
    pub fn shifted(mut self, offset: u32) -> Self {
        self.move_places(|place| place + offset);
        self
    }

    /// Counts every range from `start` on instead: from its file's counting to that of a part of the file.
    pub fn within(mut self, start: u32) -> Self {
        self.move_places(|place| place.saturating_sub(start));
        self
    }

    /// Gives every place in the text another one.
    pub(crate) fn move_places(&mut self, moved: impl Fn(u32) -> u32) {
        let labels = self.labels.iter_mut().map(|label| &mut label.range);
        let edits = self.fixes.iter_mut().flat_map(|fix| &mut fix.edits).map(|edit| &mut edit.range);
        for range in [&mut self.range].into_iter().chain(labels).chain(edits) {
            *range = moved(range.start)..moved(range.end);
        }
    }
}
