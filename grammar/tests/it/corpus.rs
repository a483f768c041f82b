//! Runs `test/corpus/*.txt`, in the format of `tree-sitter test`.

use std::fmt::Write as _;
use std::fs;

/// One test of a corpus file.
pub(crate) struct Case {
    /// The name and the attributes (`:error`), as written in the file.
    pub(crate) title: String,
    /// The Tile IR text.
    pub(crate) input: String,
    /// The expected tree, as written in the file.
    expected: String,
}

impl Case {
    fn expects_error(&self) -> bool {
        self.title.lines().any(|line| line == ":error")
    }
}

fn is_rule(line: &str, character: char) -> bool {
    line.len() >= 3 && line.chars().all(|found| found == character)
}

/// The cases of one corpus file.
fn cases(text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().collect();
    let mut cases: Vec<Case> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if !is_rule(lines[at], '=') {
            assert!(lines[at].trim().is_empty(), "line {}: text outside of a test", at + 1);
            at += 1;
            continue;
        }
        let find = |from: usize, character: char| {
            (from..lines.len())
                .find(|&line| is_rule(lines[line], character))
                .unwrap_or_else(|| panic!("line {}: a test without a line of `{character}`", at + 1))
        };
        let title_end = find(at + 1, '=');
        let input_end = find(title_end + 1, '-');
        let end = (input_end + 1..lines.len()).find(|&line| is_rule(lines[line], '=')).unwrap_or(lines.len());
        cases.push(Case {
            title: lines[at + 1..title_end].join("\n"),
            input: lines[title_end + 1..input_end].join("\n"),
            expected: lines[input_end + 1..end].join("\n").trim().to_owned(),
        });
        at = end;
    }
    cases
}

/// All cases of the corpus.
pub(crate) fn all() -> Vec<Case> {
    crate::files("test/corpus", "txt")
        .iter()
        .flat_map(|path| cases(&fs::read_to_string(path).expect("a corpus file")))
        .collect()
}

/// Formats a tree as in the corpus: one node per line.
fn pretty(tree: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut rest = tree;
    while let Some(next) = rest.chars().next() {
        // Leaves whose text can contain parentheses.
        let quoted = [("(UNEXPECTED '", "')"), ("(MISSING \"", "\")")];
        if let Some((open, close)) = quoted.into_iter().find(|(open, _)| rest.starts_with(open)) {
            let end = rest[open.len() + 1..].find(close).map_or(rest.len(), |end| open.len() + 1 + end + close.len());
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        match next {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        // `(MISSING name)` and `name: (` keep their space.
        if next == ' ' && !out.ends_with("(MISSING") && !out.ends_with(':') {
            let _ = write!(out, "\n{:1$}", "", 2 * depth);
        } else {
            out.push(next);
        }
        rest = &rest[next.len_utf8()..];
    }
    out
}

#[test]
fn corpus() {
    let bless = std::env::var_os("TILE_BLESS").is_some_and(|value| value != "0");
    let mut failures = String::new();
    for path in crate::files("test/corpus", "txt") {
        let text = fs::read_to_string(&path).expect("a corpus file");
        let mut blessed = String::new();
        for case in cases(&text) {
            let tree = crate::parse(&case.input);
            let found = pretty(&tree.root_node().to_sexp());
            let name = format!("{}: {}", path.file_name().expect("a name").display(), case.title.replace('\n', " "));
            if tree.root_node().has_error() != case.expects_error() {
                let _ = writeln!(
                    failures,
                    "{name}: {}:\n{found}\n",
                    if case.expects_error() { "no error found" } else { "unexpected error" }
                );
            } else if !bless && found.split_whitespace().ne(case.expected.split_whitespace()) {
                let _ = writeln!(failures, "{name}:\nexpected\n{}\nfound\n{found}\n", case.expected);
            }
            let rule = "=".repeat(80);
            let _ =
                write!(blessed, "{rule}\n{}\n{rule}\n{}\n{}\n\n{found}\n\n", case.title, case.input, "-".repeat(80));
        }
        if bless {
            fs::write(&path, blessed.trim_end().to_owned() + "\n").expect("the corpus can be written");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn trees_print_one_node_per_line() {
    assert_eq!(pretty("(a name: (b) (c (d)))"), "(a\n  name: (b)\n  (c\n    (d)))");
    assert_eq!(
        pretty("(a (UNEXPECTED '(') (MISSING \")\") (MISSING b))"),
        "(a\n  (UNEXPECTED '(')\n  (MISSING \")\")\n  (MISSING b))"
    );
}
