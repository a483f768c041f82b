//! The last result for a file, and the difference of a later one.

use std::sync::Arc;
use tower_lsp::ls_types::{SemanticToken, SemanticTokensEdit};

/// The last tokens sent for a whole file.
#[derive(Clone, Debug)]
pub(crate) struct Painted {
    pub(super) id: String,
    pub(super) tokens: Arc<Vec<SemanticToken>>,
}

impl Painted {
    /// The tokens as JSON, as `SemanticTokens` would be serialized. Most numbers have one digit, for which serde_json
    /// executes 2.6 times as many instructions: a quarter of the request (`.ci/budgets --only 'server, *'`).
    pub(super) fn json(&self) -> Vec<u8> {
        let mut json = format!("{{\"resultId\":\"{}\",\"data\":[", self.id).into_bytes();
        json.reserve(12 * self.tokens.len());
        for (index, token) in self.tokens.iter().enumerate() {
            let &SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset } = token;
            for number in [delta_line, delta_start, length, token_type, token_modifiers_bitset] {
                match number {
                    0..10 => json.push(b'0' + number as u8),
                    10..100 => json.extend([b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]),
                    _ => json.extend_from_slice(number.to_string().as_bytes()),
                }
                json.push(b',');
            }
            if index + 1 == self.tokens.len() {
                json.pop();
            }
        }
        json.extend_from_slice(b"]}");
        json
    }
}

/// The edit that turns one result into a later one, if they differ: everything between their common start and end.
pub(super) fn difference(before: &[SemanticToken], now: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let start = before.iter().zip(now).take_while(|(before, now)| before == now).count();
    let (before, now) = (&before[start..], &now[start..]);
    let end = before.iter().rev().zip(now.iter().rev()).take_while(|(before, now)| before == now).count();
    let (removed, data) = (before.len() - end, now[..now.len() - end].to_vec());
    // The protocol counts integers, of which a token has five.
    (removed > 0 || !data.is_empty()).then(|| SemanticTokensEdit {
        start: start as u32 * 5,
        delete_count: removed as u32 * 5,
        data: Some(data),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tower_lsp::ls_types::SemanticTokens;

    #[test]
    fn the_json_is_that_of_the_protocol() {
        for count in [0, 1, 3] {
            let token = SemanticToken {
                delta_line: 0,
                delta_start: 9,
                length: 10,
                token_type: 99,
                token_modifiers_bitset: 4_294_967_295,
            };
            let tokens = vec![token; count];
            let painted = Painted { id: "7".to_string(), tokens: Arc::new(tokens.clone()) };
            let expected = SemanticTokens { result_id: Some("7".to_string()), data: tokens };
            let expected = serde_json::to_vec(&expected).expect("it is JSON");
            assert_eq!(String::from_utf8(painted.json()), String::from_utf8(expected));
        }
    }

    #[test]
    fn differences_are_small() {
        let token = |n: u32| SemanticToken {
            delta_line: n,
            delta_start: 0,
            length: 1,
            token_type: 0,
            token_modifiers_bitset: 0,
        };
        let all = |numbers: &[u32]| numbers.iter().map(|&n| token(n)).collect::<Vec<_>>();
        let edit = |before: &[u32], now: &[u32]| {
            let edit = difference(&all(before), &all(now))?;
            Some((edit.start, edit.delete_count, edit.data.unwrap_or_default().len()))
        };
        assert_eq!(edit(&[1, 2, 3], &[1, 2, 3]), None);
        assert_eq!(edit(&[1, 2, 3], &[1, 9, 3]), Some((5, 5, 1)));
        assert_eq!(edit(&[1, 1], &[1, 1, 1]), Some((10, 0, 1)));
        assert_eq!(edit(&[1, 2, 3], &[3]), Some((0, 10, 0)));
        assert_eq!(edit(&[], &[1]), Some((0, 0, 1)));
    }
}
