//! Large messages that are written as text where they are computed. tower-lsp builds a tree of JSON values for each
//! message: symbols of 100,000 lines take four times the processor time that way, and semantic tokens twice the time
//! (`latency.py`).
//!
//! The message that goes through tower-lsp contains a placeholder with a number. On the way out, the text with that
//! number replaces it ([`Prepared::fill`]), so order, cancellation and errors are tower-lsp's.

use memchr::memmem;
use serde::Serialize;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of texts that wait. More than are requested at a time can only be those of cancelled requests, of
/// which the oldest are dropped.
const MAX_WAITING: usize = 64;

/// The texts that wait for their messages to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Prepared(Arc<Waiting>);

#[derive(Debug)]
struct Waiting {
    /// The start of a placeholder: random, so that no program can print one.
    mark: String,
    texts: Mutex<BTreeMap<u64, Text>>,
    count: AtomicUsize,
    next: AtomicU64,
}

/// A text in JSON, and the placeholder that it replaces.
#[derive(Debug)]
struct Text {
    placeholder: String,
    text: Vec<u8>,
}

impl Default for Prepared {
    fn default() -> Prepared {
        let mark = format!("prepared-{:016x}-", RandomState::new().hash_one(0));
        Prepared(Arc::new(Waiting {
            mark,
            texts: Mutex::default(),
            count: AtomicUsize::new(0),
            next: AtomicU64::new(0),
        }))
    }
}

impl Prepared {
    /// Writes a value as text, and returns the value to send in its place, which must contain the given string.
    pub(crate) fn keep<T: Serialize>(&self, value: &impl Serialize, in_place: impl FnOnce(String) -> T) -> T {
        self.keep_text(serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec()), in_place)
    }

    /// [`keep`](Prepared::keep) for a value that has been written already.
    pub(crate) fn keep_text<T: Serialize>(&self, text: Vec<u8>, in_place: impl FnOnce(String) -> T) -> T {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let sent = in_place(format!("{}{number}", self.0.mark));
        // Serialized as tower-lsp does: through a tree, which sorts the keys.
        let placeholder = serde_json::to_value(&sent).map(|value| value.to_string()).unwrap_or_default();
        let mut texts = self.lock();
        texts.insert(number, Text { placeholder, text });
        if texts.len() > MAX_WAITING {
            texts.pop_first();
        }
        self.0.count.store(texts.len(), Ordering::Release);
        sent
    }

    /// Replaces the placeholders in whole messages with their texts; `None` if no message has one.
    pub(crate) fn fill(&self, messages: &[u8]) -> Option<Vec<u8>> {
        if self.0.count.load(Ordering::Acquire) == 0 || memmem::find(messages, self.0.mark.as_bytes()).is_none() {
            return None;
        }
        let (mut filled, mut rest) = (Vec::new(), messages);
        while let Some((body, after)) = message(rest) {
            match self.parts(body) {
                Some((before, text, behind)) => {
                    let length = before.len() + text.len() + behind.len();
                    filled.reserve(length + 64);
                    filled.extend_from_slice(format!("Content-Length: {length}\r\n\r\n").as_bytes());
                    filled.extend_from_slice(before);
                    filled.extend_from_slice(&text);
                    filled.extend_from_slice(behind);
                }
                None => filled.extend_from_slice(&rest[..rest.len() - after.len()]),
            }
            rest = after;
        }
        filled.extend_from_slice(rest);
        Some(filled)
    }

    /// The body of a message before its placeholder, the text in place of it, and the body after it.
    fn parts<'b>(&self, body: &'b [u8]) -> Option<(&'b [u8], Vec<u8>, &'b [u8])> {
        let mark = self.0.mark.as_bytes();
        let digits = &body[memmem::find(body, mark)? + mark.len()..];
        let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
        let number: u64 = std::str::from_utf8(&digits[..end]).ok()?.parse().ok()?;
        let Text { placeholder, text } = {
            let mut texts = self.lock();
            let taken = texts.remove(&number)?;
            self.0.count.store(texts.len(), Ordering::Release);
            taken
        };
        let start = memmem::find(body, placeholder.as_bytes())?;
        Some((&body[..start], text, &body[start + placeholder.len()..]))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Text>> {
        self.0.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body of the first message, and the bytes after it.
fn message(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let head = memmem::find(bytes, b"\r\n\r\n")?;
    let mut lines = std::str::from_utf8(&bytes[..head]).ok()?.lines();
    let length: usize = lines.find_map(|line| line.strip_prefix("Content-Length: "))?.trim().parse().ok()?;
    bytes[head + 4..].split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn answer(result: &impl Serialize) -> String {
        framed(&json!({ "id": 1, "jsonrpc": "2.0", "result": result }).to_string())
    }

    fn filled(prepared: &Prepared, messages: &str) -> Option<String> {
        prepared.fill(messages.as_bytes()).map(|filled| String::from_utf8(filled).expect("it is text"))
    }

    #[test]
    fn texts_replace_placeholders() {
        let prepared = Prepared::default();
        let in_place = |mark: String| json!({ "z": [], "a": mark });
        let (first, second) = (prepared.keep(&[1], in_place), prepared.keep(&"ä", in_place));
        let other = framed("{\"a\":1}");
        let expected = other.clone()
            + &framed("{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":\"ä\"}")
            + &framed("{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":[1]}")
            + &other;
        let messages = other.clone() + &answer(&second) + &answer(&first) + &other;
        assert_eq!(filled(&prepared, &messages), Some(expected));
        assert_eq!(filled(&prepared, &messages), None, "each is sent once");
    }

    #[test]
    fn texts_that_are_never_sent_are_dropped() {
        let prepared = Prepared::default();
        let kept: Vec<String> = (0..200).map(|number| prepared.keep(&number, |mark| mark)).collect();
        assert_eq!(prepared.lock().len(), MAX_WAITING);
        assert_eq!(filled(&prepared, &answer(&kept[0])), Some(answer(&kept[0])));
        assert_eq!(filled(&prepared, &answer(&kept[199])), Some(answer(&199)));
    }
}
