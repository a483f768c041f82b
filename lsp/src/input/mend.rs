//! The body of a message as the text of one JSON object that says what a message must.

use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;

/// What is looked at of a message. What else there is may be anything.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    id: Option<Id<'a>>,
    #[serde(default)]
    result: Option<IgnoredAny>,
    #[serde(borrow, default)]
    error: Option<Failure<'a>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its form matters")]
enum Id<'a> {
    Number(i64),
    Text(#[serde(borrow)] Cow<'a, str>),
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "only its form matters")]
struct Failure<'a> {
    code: i64,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

/// The text of a message; or why it is none.
pub(super) fn mended(body: &[u8]) -> Result<Cow<'_, str>, String> {
    let text = String::from_utf8_lossy(body);
    let text = if may_have_surrogates(&text) { Cow::Owned(without_halves(&text)) } else { text };
    let message: Message<'_> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if message.jsonrpc != "2.0" {
        return Err("it is not of version 2.0 of JSON-RPC".to_string());
    }
    let is_answer = message.id.is_some() || message.result.is_some() || message.error.is_some();
    if message.method.is_none() && !is_answer {
        return Err("it is neither a request nor an answer".to_string());
    }
    drop(message);
    Ok(text)
}

fn may_have_surrogates(text: &str) -> bool {
    text.contains("\\ud") || text.contains("\\uD")
}

/// A JSON text in which each escape of half a surrogate pair is that of the replacement character.
fn without_halves(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                out.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            // A backslash and whatever it stands before.
            (None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out + rest
}

/// The number of an escape `\uXXXX` at the start of a text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_surrogate_pair_is_replaced() {
        let cases = [
            (r"a \ud83d\ude00 b", "a 😀 b"),
            (r"\ud83d", "\u{fffd}"),
            (r"\uDE00x", "\u{fffd}x"),
            (r"\ud83d\ud83d\ude00", "\u{fffd}😀"),
            (r"\ud83d\n\\ud83d", "\u{fffd}\n\\ud83d"),
            (r"\ud83dä\u00e4", "\u{fffd}ää"),
        ];
        for (sent, read) in cases {
            let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{sent}\"}}");
            let text = mended(body.as_bytes()).expect(sent);
            let value: serde_json::Value = serde_json::from_str(&text).expect(sent);
            assert_eq!(value["method"], read, "{sent}");
        }
        assert!(mended(b"{\"jsonrpc\":\"2.0\",\"method\":\"\\ud8\"}").is_err());
        assert!(mended(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}").is_ok());
    }
}
