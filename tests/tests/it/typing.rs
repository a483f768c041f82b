//! Writing statements with completion: the types of the statements of the examples.

use std::collections::HashSet;
use std::ops::Range;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::ide::completion::completions;
use tile_analysis::ide::inline_completion::rest_of_statement;
use tile_tests::examples;

/// A statement in a text.
struct Statement {
    op: &'static str,
    whole: Range<usize>,
    /// Where its types start: with a colon or an arrow.
    types: usize,
}

/// The statements with types and without regions.
fn statements(db: &Database, file: File) -> Vec<Statement> {
    let mut found = Vec::new();
    for &(start, item) in &db::layout(db, file).items {
        let lowered = db::lowered(db, item, file);
        for ((op, whole), name) in lowered.body.ops.iter().zip(&lowered.spans.statements).zip(&lowered.spans.op_names) {
            let in_file = |at: u32| (start + at) as usize;
            if !op.op.row().regions.is_empty() {
                continue;
            }
            let whole = in_file(whole.start)..in_file(whole.end);
            let types = types_start(&file.text(db)[in_file(name.end)..whole.end]);
            found.extend(types.map(|at| Statement { op: op.op.row().name, whole, types: in_file(name.end) + at }));
        }
    }
    found
}

/// The first colon or arrow outside of brackets and strings.
fn types_start(text: &str) -> Option<usize> {
    let (mut depth, mut in_string) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' => return None,
            '-' if depth == 0 && text[at..].starts_with("->") => return Some(at),
            ':' if depth == 0 => return Some(at),
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The errors in a range of a text. Missing text is reported at the end of the range.
fn errors(text: &str, range: &Range<usize>) -> Vec<Diagnostic> {
    let db = Database::default();
    let file = File::new(&db, text.into(), Options::default());
    let mut found = db::diagnostics(&db, file);
    found.retain(|found| {
        (range.start..=range.end).contains(&(found.range.start as usize)) && found.severity == Severity::Error
    });
    found
}

/// Calls a function for each statement of the examples, with the name and the text of its program. Of statements with
/// the same op in a program, which are similar, only the first is visited.
fn for_each_statement(mut visit: impl FnMut(&mut Database, File, &str, &str, &Statement)) {
    for (name, text) in examples() {
        let mut db = Database::default();
        let file = File::new(&db, text.as_str().into(), Options::default());
        let mut seen: HashSet<&str> = HashSet::new();
        for statement in statements(&db, file) {
            if seen.insert(statement.op) {
                visit(&mut db, file, &name, &text, &statement);
            }
        }
    }
}

#[test]
fn the_types_of_statements_are_completed() {
    let (mut same, mut all) = (0, 0);
    for_each_statement(|db, file, name, text, Statement { whole, types, .. }| {
        let mark = if text[*types..].starts_with("->") { "->" } else { ":" };
        let (head, rest) = (format!("{}{mark} ", &text[..*types]), &text[whole.end..]);
        file.write(db, &format!("{head}{rest}"));
        let found = completions(db, file, head.len() as u32).items;
        let first = found.first().map_or("", |item| &item.label);
        let written = format!("{head}{first}");
        let errors = errors(&format!("{written}{rest}"), &(whole.start..written.len()));
        assert_eq!(errors, [], "{name}:\n{}", &written[whole.start..]);
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        same += usize::from(squeezed(first) == squeezed(&text[types + mark.len()..whole.end]));
        all += 1;
    });
    println!("{same} of {all} statements got the types that they have in the examples");
    assert!(all > 500 && same * 4 > all * 3, "{same} of {all}");
}

#[test]
fn the_types_of_statements_are_written_by_inline_completion_and_a_fix() {
    let (mut all, mut wrong) = (0, Vec::new());
    for_each_statement(|db, file, name, text, Statement { whole, types, .. }| {
        let (head, rest) = (text[..*types].trim_end(), &text[whole.end..]);
        file.write(db, &format!("{head}{rest}"));
        let inline = rest_of_statement(db, file, head.len() as u32).unwrap_or_default();
        let fix = db::diagnostics(db, file).into_iter().filter(|found| whole.start as u32 <= found.range.start);
        let fix = fix
            .flat_map(|found| found.fixes)
            .find(|fix| fix.edits.iter().all(|edit| edit.content.contains([':', '>'])));
        let fixed = fix.map(|fix| fix.edits[0].content.clone()).unwrap_or_default();
        for (by, types) in [("inline", inline), ("fix", fixed)] {
            let written = format!("{head}{types}");
            let errors = errors(&format!("{written}{rest}"), &(whole.start..written.len()));
            wrong.extend(
                errors.first().map(|error| format!("{name}: {by}: {}: {}", &written[whole.start..], error.message)),
            );
            all += 1;
        }
    });
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(all > 1500, "{all}");
}

/// The text of a snippet with its defaults.
fn accepted(snippet: &str) -> String {
    let (mut out, mut rest) = (String::new(), snippet);
    while let Some(at) = rest.find(['$', '\\']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(escaped) = rest.strip_prefix('\\') {
            out.extend(escaped.chars().next());
            rest = &escaped[1..];
        } else if let Some(stop) = rest.strip_prefix("${") {
            let body = &stop[stop.find([':', '|']).expect("a default") + 1..];
            let is_choice = stop.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('|');
            let mut end = 0;
            while !body[end..].starts_with('}') {
                end += if body[end..].starts_with('\\') { 2 } else { 1 };
            }
            let default = &body[..end];
            out.push_str(&if is_choice {
                default.split([',', '|']).next().unwrap_or_default().to_string()
            } else {
                accepted(default)
            });
            rest = &body[end + 1..];
        } else {
            rest = rest[1..].trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    out + rest
}

/// The ops in the entries of a file: the name of each, and where its statement is.
fn ops(db: &Database, file: File) -> Vec<(&'static str, Range<usize>)> {
    let mut found: Vec<(&'static str, Range<usize>)> = Vec::new();
    for &(start, item) in &db::layout(db, file).items {
        let lowered = db::lowered(db, item, file);
        for (op, statement) in lowered.body.ops.iter().zip(&lowered.spans.statements) {
            let whole = (start + statement.start) as usize..(start + statement.end) as usize;
            // The brace that closes a region can stand for its terminator.
            let is_written = !file.text(db)[whole.clone()].starts_with('}');
            if is_written {
                found.push((op.op.row().name, whole));
            }
        }
    }
    found
}

#[test]
fn completed_ops_are_valid() {
    let (mut all, mut wrong) = (0, Vec::new());
    for (name, text) in examples() {
        let mut db = Database::default();
        let file = File::new(&db, text.as_str().into(), Options::default());
        for (op, whole) in ops(&db, file) {
            // Half of the results are named before. Loops and conditions are completed without results.
            let is_named = all % 2 == 0 && text[whole.clone()].starts_with('%') && !["for", "loop", "if"].contains(&op);
            let rest = &text[whole.end..];
            let mut head = format!("{}{}", &text[..whole.start], if is_named { "%named_before = " } else { "" });
            file.write(&mut db, &format!("{head}{rest}"));
            let found = completions(&db, file, head.len() as u32).items;
            all += 1;
            let Some(item) = found.iter().find(|item| item.label == op) else {
                wrong.push(format!("{name}: {op} is not offered"));
                continue;
            };
            if let Some((at, names)) = &item.insertion {
                head.insert_str(*at as usize, names);
            }
            let written = format!("{head}{}", accepted(item.snippet.as_deref().unwrap_or(&item.label)));
            let errors = errors(&format!("{written}{rest}"), &(whole.start..written.len()));
            let problem = errors.first().map(|error| error.message.as_str());
            // The statement that was there had operands.
            let problem = problem.or(item.needs_values.then_some("no values found"));
            wrong.extend(problem.map(|problem| format!("{name}: {}: {problem}", &written[whole.start..])));
        }
    }
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(all > 3000, "{all}");
}

/// Where the operands of the ops in the entries of a file are.
fn operands(db: &Database, file: File) -> Vec<Range<usize>> {
    let statements = ops(db, file);
    let mut found = Vec::new();
    for &(start, item) in &db::layout(db, file).items {
        let lowered = db::lowered(db, item, file);
        let uses =
            lowered.spans.uses.iter().map(|(range, _)| (start + range.start) as usize..(start + range.end) as usize);
        // The first line of a statement precedes its regions.
        let is_operand = |at: &Range<usize>| {
            let line =
                |whole: &Range<usize>| whole.start + file.text(db)[whole.clone()].find('\n').unwrap_or(whole.len());
            statements.iter().any(|(_, whole)| (whole.start..line(whole)).contains(&at.start))
        };
        found.extend(uses.filter(is_operand));
    }
    found
}

#[test]
fn no_value_that_fits_is_left_out() {
    let (mut all, mut offered, mut wrong) = (0, 0, Vec::new());
    for (name, text) in examples() {
        let mut db = Database::default();
        let file = File::new(&db, text.as_str().into(), Options::default());
        for operand in operands(&db, file) {
            let line_end = operand.end + text[operand.end..].find('\n').unwrap_or(0);
            // As while typing: the rest of the line is not written yet.
            file.write(&mut db, &format!("{}%{}", &text[..operand.start], &text[line_end..]));
            let found = completions(&db, file, operand.start as u32 + 1).items;
            (all, offered) = (all + 1, offered + found.len());
            if found.iter().all(|item| item.label != text[operand.clone()]) {
                let line = text[..operand.start].rfind('\n').map_or(0, |at| at + 1);
                wrong.push(format!("{name}: {}", &text[line..operand.end]));
            }
        }
    }
    println!("{offered} values are offered for {all} operands");
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(all > 5000, "{all}");
}
