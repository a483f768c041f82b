//! The last result for a file, and the difference of a later one.

use std::sync::Arc;
use tower_lsp::ls_types::{SemanticToken, SemanticTokens, SemanticTokensEdit};

/// The last tokens sent for a whole file.
#[derive(Clone, Debug)]
pub(crate) struct Painted {
    pub(super) id: String,
    pub(super) tokens: Arc<Vec<SemanticToken>>,
}

impl From<Painted> for SemanticTokens {
    fn from(Painted { id, tokens }: Painted) -> SemanticTokens {
        SemanticTokens { result_id: Some(id), data: tokens.to_vec() }
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
