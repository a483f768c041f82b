//! Failed assertions. A kernel prints which one failed, and then it fails as a whole.

/// How the line of a failed assertion begins, where the code says nothing of places in the source.
const HEAD: &str = "(unknown):0: tile block: [";

/// A failed assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The tile block.
    pub block: [u32; 3],
    /// The element, along each dimension; nothing for a scalar.
    pub position: Vec<u64>,
    /// The text of the assertion.
    pub message: String,
}

/// Takes the lines of failed assertions out of what a kernel printed. They may stand in the middle of a line, because
/// other tile blocks print meanwhile.
pub fn take(printed: &mut Vec<u8>) -> Vec<Failure> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = position(&printed[from..], HEAD.as_bytes()).map(|at| from + at) {
        let end = printed[at..].iter().position(|&byte| byte == b'\n').map_or(printed.len(), |end| at + end + 1);
        match read(&String::from_utf8_lossy(&printed[at + HEAD.len()..end])) {
            Some(failure) => {
                found.push(failure);
                printed.drain(at..end);
                from = at;
            }
            None => from = at + HEAD.len(),
        }
    }
    found
}

fn position(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// `1, 0, 0], position: [3, 2]: message`.
fn read(text: &str) -> Option<Failure> {
    let (block, rest) = text.split_once("], position: [")?;
    let (position, message) = rest.split_once("]: ")?;
    let numbers = |list: &str| -> Option<Vec<u64>> {
        list.split(',').map(str::trim).filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
    };
    let block: Vec<u32> = numbers(block)?.into_iter().map(|number| number as u32).collect();
    let (block, position) = (block.try_into().ok()?, numbers(position)?);
    Some(Failure { block, position, message: message.trim_end_matches('\n').to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_taken_out_of_the_text() {
        // As an H200 printed it: two tile blocks at once.
        let mut text =
            b"before 1\nbefore (unknown):0: tile block: [1, 0, 0], position: []: x is not one\n0\nafter 0\n".to_vec();
        let failure = Failure { block: [1, 0, 0], position: vec![], message: "x is not one".to_string() };
        assert_eq!(take(&mut text), [failure]);
        assert_eq!(String::from_utf8_lossy(&text), "before 1\nbefore 0\nafter 0\n");
        let mut text = b"(unknown):0: tile block: [0, 2, 0], position: [3, 1]: a".to_vec();
        assert_eq!(take(&mut text)[0].position, [3, 1]);
        assert!(text.is_empty());
        let mut text = b"(unknown):0: tile block: [x]\n".to_vec();
        assert!(take(&mut text).is_empty());
        assert_eq!(text.len(), 29);
    }
}
