//! Counts of diagnostics by code.

use std::collections::BTreeMap;
use std::io::{self, Write};
use tile_analysis::diagnostic::{Diagnostic, Page};

/// Counts by code.
#[derive(Default)]
pub(super) struct Statistics(BTreeMap<&'static str, Row>);

struct Row {
    page: &'static Page,
    count: usize,
    /// Number of diagnostics with exactly one fix.
    fixable: usize,
}

impl Statistics {
    pub(super) fn add(&mut self, found: &Diagnostic) {
        let row = self.0.entry(found.page.code).or_insert(Row { page: found.page, count: 0, fixable: 0 });
        row.count += 1;
        row.fixable += usize::from(found.fixes.len() == 1);
    }

    /// The rows, the most frequent code first.
    fn rows(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.0.values().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.count));
        rows
    }

    /// Writes one line per code.
    pub(super) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.rows();
        let width = rows.first().map_or(0, |row| row.count.to_string().len());
        for row in rows {
            let fixable = match row.fixable {
                0 => String::new(),
                count => format!(" ({count} with a fix)"),
            };
            writeln!(out, "{:width$}  {}  {}{fixable}", row.count, row.page.code, row.page.name)?;
        }
        Ok(())
    }

    /// Returns the counts as JSON.
    pub(super) fn json(&self) -> serde_json::Value {
        let row = |row: &&Row| {
            serde_json::json!({
                "code": row.page.code, "name": row.page.name, "count": row.count, "fixable": row.fixable,
                "severity": row.page.severity.name(),
            })
        };
        self.rows().iter().map(row).collect()
    }
}
