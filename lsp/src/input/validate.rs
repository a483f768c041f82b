//! Validates the body of a message: one JSON object with the required members.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// The members that are validated; any others are ignored.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow, default, deserialize_with = "text")]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    id: Option<Id<'a>>,
    #[serde(default)]
    #[allow(dead_code, reason = "serde rejects duplicates")]
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

/// A string. `Option<String>` would accept `null` too.
fn text<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cow<'a, str>>, D::Error> {
    Cow::deserialize(deserializer).map(Some)
}

/// A valid message.
#[derive(Debug)]
pub(super) struct Mended<'a> {
    /// Its text.
    pub(super) text: Cow<'a, str>,
    /// Whether it ends the session.
    pub(super) exits: bool,
}

/// Validates a message and returns its text, or why it is invalid.
pub(super) fn mended(body: &[u8]) -> Result<Mended<'_>, String> {
    let text = String::from_utf8_lossy(body);
    let text = if may_have_surrogates(&text) { Cow::Owned(without_halves(&text)) } else { text };
    let message: Message<'_> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if message.jsonrpc != "2.0" {
        return Err("it is not JSON-RPC 2.0".to_string());
    }
    let is_answer = message.id.is_some() || message.result.is_some() || message.error.is_some();
    if message.method.is_none() && !is_answer {
        return Err("it is neither a request nor a response".to_string());
    }
    let exits = message.method.as_deref() == Some("exit");
    drop(message);
    sound(&text)?;
    Ok(Mended { text, exits })
}

/// The maximum nesting depth of arrays and objects. The parser behind this accepts slightly more.
const DEEPEST: usize = 100;

/// The maximum length of a number that is not checked: longer ones may be out of range.
const SHORT: usize = 300;

/// Checks a well-formed JSON text for what the parser behind this rejects: deep nesting and numbers that are out of
/// range.
fn sound(text: &str) -> Result<(), String> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = string_end(text, at),
            b'[' | b'{' => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(format!("arrays and objects are nested more than {DEEPEST} levels deep"));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'0'..=b'9' => {
                let start = at - 1;
                at += bytes[at..]
                    .iter()
                    .take_while(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
                    .count();
                sound_number(&bytes[start..at])?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn sound_number(digits: &[u8]) -> Result<(), String> {
    if digits.len() < SHORT && !digits.iter().any(|byte| matches!(byte, b'e' | b'E')) {
        return Ok(());
    }
    let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<f64>().ok());
    if number.is_some_and(f64::is_finite) { Ok(()) } else { Err("a number is out of range".to_string()) }
}

/// The end of the string whose contents start at `start`. Texts of whole files are strings with few quotes.
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
            // A backslash and the character it escapes.
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
            let text = mended(body.as_bytes()).expect(sent).text;
            let value: serde_json::Value = serde_json::from_str(&text).expect(sent);
            assert_eq!(value["method"], read, "{sent}");
        }
        assert!(mended(b"{\"jsonrpc\":\"2.0\",\"method\":\"\\ud8\"}").is_err());
        assert!(mended(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}").is_ok());
    }

    /// The framework behind the input stops for good at a message that is neither a request nor a response.
    #[test]
    fn what_is_let_through_is_a_request_or_a_response() {
        use tower_lsp::jsonrpc::{Request, Response};
        let any = ["", "null", "1", "1.5", "true", "\"m\"", "[]", "{}", "-1", "18446744073709551615"];
        let errors =
            ["", "null", "1", "{\"code\":1,\"message\":\"m\"}", "{\"code\":1}", "{\"code\":null,\"message\":null}"];
        let member = |name: &str, value: &str| match value {
            "" => String::new(),
            value => format!(",\"{name}\":{value}"),
        };
        let mut let_through = 0;
        for method in any {
            for id in any {
                for (result, params) in any.into_iter().zip(any.into_iter().rev()) {
                    for error in errors {
                        let members = member("method", method) + &member("id", id) + &member("params", params);
                        let members = members + &member("result", result) + &member("error", error);
                        let body = format!("{{\"jsonrpc\":\"2.0\"{members}}}");
                        if mended(body.as_bytes()).is_ok() {
                            let_through += 1;
                            let response = serde_json::from_str::<Response>(&body);
                            let request = serde_json::from_str::<Request>(&body);
                            assert!(response.is_ok() || request.is_ok(), "{body}: {response:?} {request:?}");
                        }
                    }
                }
            }
        }
        assert!(let_through > 100, "{let_through}");
        let known = [("{\"id\":1,\"result\":null}", true), ("{\"id\":1,\"method\":null}", false)];
        for (members, is_message) in known {
            let body = members.replacen('{', "{\"jsonrpc\":\"2.0\",", 1);
            assert_eq!(mended(body.as_bytes()).is_ok(), is_message, "{members}");
        }
    }

    #[test]
    fn what_is_let_through_can_be_read() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let cases = [
            (nested(DEEPEST - 1), true),
            (nested(DEEPEST), false),
            (nested(100_000), false),
            ("1e300".into(), true),
            ("-1E-999".into(), true),
            ("[0.5,1e999]".into(), false),
            ("9".repeat(308), true),
            ("9".repeat(400), false),
            ("\"[[[\\\"1e999\\\\\"".into(), true),
            ("1,\"params\":2".into(), false),
        ];
        for (params, is_sound) in cases {
            let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{params}}}");
            let shown = &params[..params.len().min(30)];
            assert_eq!(mended(body.as_bytes()).is_ok(), is_sound, "{shown}");
            if is_sound {
                serde_json::from_str::<serde_json::Value>(&body).expect(shown);
            }
        }
    }
}
