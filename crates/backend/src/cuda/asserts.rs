//! Failed assertions of a kernel. The kernel prints a line for each of them and then fails as a whole.

/// The text after the source location (`file:line`) of a failed assertion.
const HEAD: &str = ": tile block: [";

/// The file name in code without source locations.
const UNKNOWN: &str = "(unknown)";

/// A failed assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The file and the line of the assertion, if the code has source locations.
    pub place: Option<(String, u32)>,
    /// The tile block.
    pub block: [u32; 3],
    /// The index of the element along each dimension; empty for a scalar.
    pub position: Vec<u64>,
    /// The text of the assertion.
    pub message: String,
}

/// Removes the messages of failed assertions from the output of a kernel with these source files, and returns them.
/// Such a message can begin in the middle of a line, because other tile blocks print at the same time.
pub fn take(printed: &mut Vec<u8>, files: &[&str]) -> Vec<Failure> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = position(&printed[from..], HEAD.as_bytes()).map(|at| from + at) {
        let end = printed[at..].iter().position(|&byte| byte == b'\n').map_or(printed.len(), |end| at + end + 1);
        let place = place(&printed[..at], files);
        let failure = read(&String::from_utf8_lossy(&printed[at + HEAD.len()..end]));
        match place.zip(failure) {
            Some(((start, place), failure)) => {
                found.push(Failure { place, ..failure });
                printed.drain(start..end);
                from = start;
            }
            None => from = at + HEAD.len(),
        }
    }
    found
}

/// Reads the source location at the end of a text. Returns where it begins and, if known, the file and the line.
#[allow(clippy::type_complexity)]
fn place(text: &[u8], files: &[&str]) -> Option<(usize, Option<(String, u32)>)> {
    let colon = text.iter().rposition(|&byte| byte == b':')?;
    let line: u32 = std::str::from_utf8(&text[colon + 1..]).ok()?.parse().ok()?;
    let before = &text[..colon];
    let names = files.iter().chain([&UNKNOWN]).filter(|name| !name.is_empty() && before.ends_with(name.as_bytes()));
    let name = names.max_by_key(|name| name.len())?;
    Some((colon - name.len(), (*name != UNKNOWN).then(|| (name.to_string(), line))))
}

fn position(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// Reads `1, 0, 0], position: [3, 2]: message`.
fn read(text: &str) -> Option<Failure> {
    let (block, rest) = text.split_once("], position: [")?;
    let (position, message) = rest.split_once("]: ")?;
    let numbers = |list: &str| -> Option<Vec<u64>> {
        list.split(',').map(str::trim).filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
    };
    let block: Vec<u32> = numbers(block)?.into_iter().map(|number| number as u32).collect();
    let (block, position) = (block.try_into().ok()?, numbers(position)?);
    Some(Failure { place: None, block, position, message: message.trim_end_matches('\n').to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_removed_from_the_output() {
        // Printed by two tile blocks at once on an H200.
        let mut text =
            b"before 1\nbefore (unknown):0: tile block: [1, 0, 0], position: []: x is not one\n0\nafter 0\n".to_vec();
        let failure = Failure { place: None, block: [1, 0, 0], position: vec![], message: "x is not one".to_string() };
        assert_eq!(take(&mut text, &[]), [failure]);
        assert_eq!(String::from_utf8_lossy(&text), "before 1\nbefore 0\nafter 0\n");
        let mut text = b"(unknown):0: tile block: [0, 2, 0], position: [3, 1]: a".to_vec();
        assert_eq!(take(&mut text, &[])[0].position, [3, 1]);
        assert!(text.is_empty());
        let mut text = b"(unknown):0: tile block: [x]\n".to_vec();
        assert!(take(&mut text, &[]).is_empty());
        assert_eq!(text.len(), 29);
    }

    #[test]
    fn failures_have_source_locations() {
        let mut text = b"n = 5a/b.tile:17: tile block: [0, 0, 0], position: []: n is 4\n6\n".to_vec();
        let found = take(&mut text, &["b.tile", "a/b.tile"]);
        assert_eq!(found[0].place, Some(("a/b.tile".to_string(), 17)));
        assert_eq!(String::from_utf8_lossy(&text), "n = 56\n");
        let mut text = b"c.tile:17: tile block: [0, 0, 0], position: []: n is 4\n".to_vec();
        assert!(take(&mut text, &["b.tile"]).is_empty(), "not a file of the program");
    }
}
