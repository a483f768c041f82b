//! Diagnostics as a SARIF 2.1.0 log, which code hosts and review tools read.

use super::Source;
use crate::diagnostic::{Diagnostic, Fix, Page, Severity};
use serde::Serialize;
use std::ops::Range;
use tile_syntax::annotation::name_in_repository;

/// A SARIF log under construction.
#[derive(Serialize, Debug)]
pub struct Sarif {
    version: &'static str,
    #[serde(rename = "$schema")]
    schema: &'static str,
    runs: [SarifRun; 1],
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct SarifRun {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize, Debug)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize, Debug)]
struct Driver {
    name: &'static str,
    version: String,
    rules: Vec<Rule>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: &'static str,
    short_description: Message,
    help: Help,
}

#[derive(Serialize, Debug)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize, Debug)]
struct Message {
    text: String,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize, Debug)]
struct Artifact {
    uri: String,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    description: Message,
    artifact_changes: Vec<Change>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Change {
    artifact_location: Artifact,
    replacements: Vec<Replacement>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Message,
}

impl Sarif {
    /// Creates a log without results for this version of `tile`.
    pub fn new(version: &str) -> Sarif {
        let driver = Driver { name: "tile", version: version.to_string(), rules: Vec::new() };
        Sarif {
            version: "2.1.0",
            schema: "https://json.schemastore.org/sarif-2.1.0.json",
            runs: [SarifRun { tool: Tool { driver }, column_kind: "unicodeCodePoints", results: Vec::new() }],
        }
    }

    /// Adds a diagnostic.
    pub fn add(&mut self, source: &Source, found: &Diagnostic) {
        let rule_index = self.rule(found.page);
        let at = Places(source);
        let own = (!found.label.is_empty()).then_some(found.label.as_str());
        self.runs[0].results.push(SarifResult {
            rule_id: found.page.code,
            rule_index,
            level: match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info | Severity::Hint => "note",
            },
            message: Message { text: [std::slice::from_ref(&found.message), &found.notes[..]].concat().join("\n") },
            locations: vec![at.location(&found.range, own)],
            related_locations: found
                .labels
                .iter()
                .map(|label| at.location(&label.range, Some(&label.message)))
                .collect(),
            fixes: found.fixes.iter().map(|fix| at.fix(fix)).collect(),
        });
    }

    /// Returns the index of a page among the rules, adding it if necessary.
    fn rule(&mut self, page: &'static Page) -> usize {
        let rules = &mut self.runs[0].tool.driver.rules;
        rules.iter().position(|rule| rule.id == page.code).unwrap_or_else(|| {
            rules.push(Rule {
                id: page.code,
                name: page.name,
                short_description: Message { text: page.name.replace('-', " ") },
                help: Help { text: page.advice(), markdown: page.advice() },
            });
            rules.len() - 1
        })
    }
}

struct Places<'s>(&'s Source<'s>);

impl Places<'_> {
    fn artifact(&self) -> Artifact {
        Artifact { uri: uri(&name_in_repository(self.0.name)) }
    }

    fn region(&self, range: &Range<u32>) -> Region {
        let [start, end] = [range.start, range.end].map(|at| self.0.lines.place(at, self.0.text));
        Region { start_line: start.row, start_column: start.column, end_line: end.row, end_column: end.column }
    }

    fn location(&self, range: &Range<u32>, message: Option<&str>) -> Location {
        Location {
            physical_location: Physical { artifact_location: self.artifact(), region: self.region(range) },
            message: message.map(|text| Message { text: text.to_string() }),
        }
    }

    fn fix(&self, fix: &Fix) -> SarifFix {
        let replacement = |edit: &crate::diagnostic::Edit| Replacement {
            deleted_region: self.region(&edit.range),
            inserted_content: Message { text: edit.content.clone() },
        };
        let replacements = fix.edits.iter().map(replacement).collect();
        SarifFix {
            description: Message { text: fix.title.clone() },
            artifact_changes: vec![Change { artifact_location: self.artifact(), replacements }],
        }
    }
}

/// Converts a path to a relative URI reference, escaping reserved characters.
fn uri(path: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    path.bytes().map(escaped).collect()
}
