//! Validation of a message: its body must be one JSON object that forms a JSON-RPC request or response.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// The validated members of a message. Other members can be anything.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow, default, deserialize_with = "text")]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    id: Option<Id<'a>>,
    #[serde(default)]
    #[allow(dead_code, reason = "serde rejects a duplicate")]
    params: Option<IgnoredAny>,
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

/// Deserializes a string. Deserializing an `Option` would accept `null` too.
fn text<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cow<'a, str>>, D::Error> {
    Cow::deserialize(deserializer).map(Some)
}

/// A valid message.
#[derive(Debug)]
pub(super) struct Valid<'a> {
    /// Its text.
    pub(super) text: Cow<'a, str>,
    /// Whether it ends the session.
    pub(super) exits: bool,
}

/// Returns the text of a message, or why it is invalid.
pub(super) fn validate(body: &[u8]) -> Result<Valid<'_>, String> {
    let text = std::str::from_utf8(body).map_or_else(|_| String::from_utf8_lossy(body), Cow::Borrowed);
    let text = if may_have_surrogates(&text) { Cow::Owned(replace_unpaired_surrogates(&text)) } else { text };
    let message: Message<'_> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if message.jsonrpc != "2.0" {
        return Err("not a JSON-RPC 2.0 message".to_string());
    }
    let is_answer = message.id.is_some() || message.result.is_some() || message.error.is_some();
    if message.method.is_none() && !is_answer {
        return Err("neither a request nor a response".to_string());
    }
    let exits = message.method.as_deref() == Some("exit");
    drop(message);
    check_limits(&text)?;
    Ok(Valid { text, exits })
}

/// How deep arrays and objects can be nested. The parser of the protocol library allows slightly more.
const MAX_DEPTH: usize = 100;

/// Numbers with fewer characters than this and no exponent are always in range.
const SHORT: usize = 300;

/// Reports limits of the parser that a well-formed JSON text exceeds: nesting that is too deep, and numbers that are
/// too large.
fn check_limits(text: &str) -> Result<(), String> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = string_end(text, at),
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(format!("nested more than {MAX_DEPTH} levels deep"));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'0'..=b'9' => {
                let start = at - 1;
                at += bytes[at..]
                    .iter()
                    .take_while(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
                    .count();
                check_number(&bytes[start..at])?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_number(digits: &[u8]) -> Result<(), String> {
    if digits.len() < SHORT && !digits.iter().any(|byte| matches!(byte, b'e' | b'E')) {
        return Ok(());
    }
    let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<f64>().ok());
    if number.is_some_and(f64::is_finite) { Ok(()) } else { Err("a number is too large".to_string()) }
}

/// The end of the string whose text starts at `start`. Searching for quotes is fast, since most strings are whole
/// documents with few quotes.
fn string_end(text: &str, start: usize) -> usize {
    let mut at = start;
    while let Some(next) = text[at..].find('"') {
        let quote = at + next;
        let escapes = text.as_bytes()[start..quote].iter().rev().take_while(|byte| **byte == b'\\').count();
        at = quote + 1;
        if escapes % 2 == 0 {
            return at;
        }
    }
    text.len()
}

fn may_have_surrogates(text: &str) -> bool {
    text.contains("\\ud") || text.contains("\\uD")
}

/// Replaces each escape of an unpaired surrogate by that of the replacement character.
fn replace_unpaired_surrogates(text: &str) -> String {
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
            // A backslash and the character that it escapes.
            (None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out + rest
}

/// The code unit of an escape `\uXXXX` at the start of a text.
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
            let text = validate(body.as_bytes()).expect(sent).text;
            let value: serde_json::Value = serde_json::from_str(&text).expect(sent);
            assert_eq!(value["method"], read, "{sent}");
        }
        assert!(validate(b"{\"jsonrpc\":\"2.0\",\"method\":\"\\ud8\"}").is_err());
        assert!(validate(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}").is_ok());
    }

    /// The protocol library stops reading for good at a message that is neither a request nor a response.
    #[test]
    fn accepted_messages_are_requests_or_responses() {
        use tower_lsp::jsonrpc::{Request, Response};
        let any = ["", "null", "1", "1.5", "true", "\"m\"", "[]", "{}", "-1", "18446744073709551615"];
        let errors =
            ["", "null", "1", "{\"code\":1,\"message\":\"m\"}", "{\"code\":1}", "{\"code\":null,\"message\":null}"];
        let member = |name: &str, value: &str| match value {
            "" => String::new(),
            value => format!(",\"{name}\":{value}"),
        };
        let mut accepted = 0;
        for method in any {
            for id in any {
                for (result, params) in any.into_iter().zip(any.into_iter().rev()) {
                    for error in errors {
                        let members = member("method", method) + &member("id", id) + &member("params", params);
                        let members = members + &member("result", result) + &member("error", error);
                        let body = format!("{{\"jsonrpc\":\"2.0\"{members}}}");
                        if validate(body.as_bytes()).is_ok() {
                            accepted += 1;
                            let response = serde_json::from_str::<Response>(&body);
                            let request = serde_json::from_str::<Request>(&body);
                            assert!(response.is_ok() || request.is_ok(), "{body}: {response:?} {request:?}");
                        }
                    }
                }
            }
        }
        assert!(accepted > 100, "{accepted}");
        let known = [("{\"id\":1,\"result\":null}", true), ("{\"id\":1,\"method\":null}", false)];
        for (members, is_message) in known {
            let body = members.replacen('{', "{\"jsonrpc\":\"2.0\",", 1);
            assert_eq!(validate(body.as_bytes()).is_ok(), is_message, "{members}");
        }
    }

    #[test]
    fn accepted_messages_can_be_parsed() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let cases = [
            (nested(MAX_DEPTH - 1), true),
            (nested(MAX_DEPTH), false),
            (nested(100_000), false),
            ("1e300".into(), true),
            ("-1E-999".into(), true),
            ("[0.5,1e999]".into(), false),
            ("9".repeat(308), true),
            ("9".repeat(400), false),
            ("\"[[[\\\"1e999\\\\\"".into(), true),
            ("1,\"params\":2".into(), false),
        ];
        for (params, is_valid) in cases {
            let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{params}}}");
            let shown = &params[..params.len().min(30)];
            assert_eq!(validate(body.as_bytes()).is_ok(), is_valid, "{shown}");
            if is_valid {
                serde_json::from_str::<serde_json::Value>(&body).expect(shown);
            }
        }
    }
}
