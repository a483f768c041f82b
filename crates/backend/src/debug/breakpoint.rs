//! Breakpoints with conditions, hit counts and messages.

use super::ValuesInScope;
use serde::{Deserialize, Serialize};
use tile_launch::expr::Expr;

/// An op before which a run stops, or writes a message.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Breakpoint {
    /// The op, by number.
    pub op: u32,
    /// When it takes effect.
    pub trigger: Trigger,
    /// The message to write instead of stopping.
    pub message: Option<Vec<MessagePart>>,
}

/// Elements of a buffer. The run stops after an op that changes one of them.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct DataBreakpoint {
    /// The buffer, or a slice of it.
    pub elements: Expr,
    /// When it takes effect.
    pub trigger: Trigger,
}

/// When a breakpoint takes effect.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Trigger {
    /// A formula that must not be 0.
    pub condition: Option<Expr>,
    /// Which of the hits count. Only hits that meet the condition are counted.
    pub hits: Option<HitCondition>,
}

/// A condition on the number of hits, such as `>= 5`.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct HitCondition {
    comparison: Comparison,
    count: u64,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Multiple,
}

/// The spellings of comparisons; a longer one precedes its prefixes.
const COMPARISONS: [(&str, Comparison); 8] = [
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("<=", Comparison::LessEqual),
    (">=", Comparison::GreaterEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("%", Comparison::Multiple),
    ("", Comparison::Equal),
];

/// A part of a message.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub enum MessagePart {
    /// Text.
    Text(String),
    /// The value of a formula, written in braces.
    Formula(Expr),
}

impl Trigger {
    /// Parses a condition and a condition on the number of hits; empty ones always hold.
    pub fn parse(condition: &str, hits: &str, scope: &ValuesInScope<'_>) -> Result<Trigger, String> {
        let given = |text: &str| !text.trim().is_empty();
        let condition = given(condition).then(|| scope.parse(condition)).transpose()?;
        let hits = given(hits).then(|| HitCondition::parse(hits)).transpose()?;
        Ok(Trigger { condition, hits })
    }
}

impl HitCondition {
    /// Parses `5`, which means the fifth hit, `>= 5`, or `% 5`, which means every fifth hit.
    fn parse(text: &str) -> Result<HitCondition, String> {
        let text = text.trim();
        let symbol = COMPARISONS.iter().find(|(symbol, _)| text.starts_with(symbol));
        let parsed = symbol.and_then(|&(symbol, comparison)| {
            Some(HitCondition { comparison, count: text[symbol.len()..].trim().parse().ok()? })
        });
        let valid = parsed.filter(|parsed| parsed.comparison != Comparison::Multiple || parsed.count > 0);
        valid.ok_or_else(|| format!("invalid hit count `{text}`; expected a number such as `5`, `>= 5` or `% 5`"))
    }

    /// Whether the condition holds at the hit with this number, counted from 1.
    pub fn holds(self, hits: u64) -> bool {
        match self.comparison {
            Comparison::Equal => hits == self.count,
            Comparison::Less => hits < self.count,
            Comparison::LessEqual => hits <= self.count,
            Comparison::Greater => hits > self.count,
            Comparison::GreaterEqual => hits >= self.count,
            Comparison::Multiple => hits.is_multiple_of(self.count),
        }
    }
}

/// Parses a message with formulas in braces.
pub fn parse_message(text: &str, scope: &ValuesInScope<'_>) -> Result<Vec<MessagePart>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (formula, after) = after.split_once('}').ok_or("`{` has no matching `}`")?;
        parts.extend([MessagePart::Text(before.to_string()), MessagePart::Formula(scope.parse(formula)?)]);
        rest = after;
    }
    parts.push(MessagePart::Text(rest.to_string()));
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions() {
        let hits = |text: &str| {
            let parsed = HitCondition::parse(text)?;
            Ok((1..=7).filter(|&hits| parsed.holds(hits)).collect::<Vec<u64>>())
        };
        assert_eq!(hits("5"), Ok(vec![5]));
        assert_eq!(hits(" == 5 "), Ok(vec![5]));
        assert_eq!(hits(">=5"), Ok(vec![5, 6, 7]));
        assert_eq!(hits("> 5"), Ok(vec![6, 7]));
        assert_eq!(hits("<= 2"), Ok(vec![1, 2]));
        assert_eq!(hits("< 2"), Ok(vec![1]));
        assert_eq!(hits("% 3"), Ok(vec![3, 6]));
        for invalid in ["five", "% 0", "> ", "-1", "%"] {
            let error: Result<Vec<u64>, String> = hits(invalid);
            let start = format!("invalid hit count `{}`; expected", invalid.trim());
            assert!(error.as_ref().is_err_and(|error| error.starts_with(&start)), "{error:?}");
        }
    }
}
