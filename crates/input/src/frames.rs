//! Splitting a stream into messages with `Content-Length` headers, as in the Language Server Protocol and the Debug
//! Adapter Protocol.

use memchr::memmem;
use std::borrow::Cow;

/// The end of a header.
const END: &[u8] = b"\r\n\r\n";

/// The size limit of a header, in bytes.
const MAX_HEADER: usize = 4 << 10;

/// The capacity that is kept after a message, in bytes: an editor sends one large text and then small changes.
const MAX_KEPT: usize = 64 << 10;

/// Splits a stream into messages. After anything that is not a message, skips to the next header with a valid length.
#[derive(Debug)]
pub struct Frames {
    /// The size limit of a message, in bytes.
    limit: usize,
    /// The received bytes; the first `taken` of them are processed.
    raw: Vec<u8>,
    taken: usize,
    expected: Expected,
}

/// The kind of the next bytes.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Header,
    /// A message of this many bytes.
    Message(usize),
    /// Anything, up to the end of a header with a valid length.
    Noise,
}

/// A piece of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame<'f> {
    /// The bytes of a message.
    Message(&'f [u8]),
    /// Bytes were skipped for this reason.
    Skipped(Cow<'static, str>),
}

impl Frames {
    /// Accepts messages of at most `limit` bytes.
    pub fn new(limit: usize) -> Frames {
        Frames { limit, raw: Vec::new(), taken: 0, expected: Expected::Header }
    }

    /// Adds the next bytes of the stream.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.raw.drain(..self.taken);
        self.taken = 0;
        if self.raw.is_empty() {
            self.raw.shrink_to(MAX_KEPT);
        }
        self.raw.extend_from_slice(bytes);
    }

    /// Returns the next message, or the reason why bytes were skipped; `None` if more input is needed.
    pub fn next_frame(&mut self) -> Option<Frame<'_>> {
        loop {
            let rest = &self.raw[self.taken..];
            match self.expected {
                Expected::Message(length) => {
                    if rest.len() < length {
                        return None;
                    }
                    let start = self.taken;
                    self.taken += length;
                    self.expected = Expected::Header;
                    return Some(Frame::Message(&self.raw[start..self.taken]));
                }
                Expected::Header => {
                    let head = &rest[..rest.len().min(MAX_HEADER)];
                    let end = memmem::find(head, END);
                    if end.is_none() && head.len() < MAX_HEADER {
                        return None;
                    }
                    let why = match end {
                        None => Some("a header is longer than 4 KiB".into()),
                        Some(end) => self.header(end, length(&head[..end])),
                    };
                    if let Some(why) = why {
                        self.expected = Expected::Noise;
                        return Some(Frame::Skipped(why));
                    }
                }
                Expected::Noise => {
                    let Some(end) = memmem::find(rest, END) else {
                        // The end of the buffer can be the start of a header.
                        self.taken += rest.len().saturating_sub(MAX_HEADER);
                        return None;
                    };
                    let length = length(&rest[end.saturating_sub(MAX_HEADER)..end]);
                    let why = self.header(end, length);
                    if length != Length::Missing
                        && let Some(why) = why
                    {
                        return Some(Frame::Skipped(why));
                    }
                }
            }
        }
    }

    /// Consumes a header that ends after `end` bytes. Returns an error message if it is invalid.
    fn header(&mut self, end: usize, length: Length) -> Option<Cow<'static, str>> {
        self.taken += end + END.len();
        match length {
            Length::Bytes(length) if length <= self.limit => {
                self.expected = Expected::Message(length);
                None
            }
            Length::Bytes(_) | Length::Huge => {
                Some(format!("a message is longer than the limit of {} MiB", self.limit >> 20).into())
            }
            Length::Missing => Some("a header has no valid length".into()),
        }
    }
}

/// The length in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Bytes(usize),
    /// A number that does not fit in a `usize`.
    Huge,
    Missing,
}

/// Parses the length in a header. Ignores text before it on the same line, and earlier headers without a message.
fn length(header: &[u8]) -> Length {
    const NAME: &str = "content-length:";
    let header = String::from_utf8_lossy(header).to_ascii_lowercase();
    let named = header.lines().rev().find_map(|line| line.rsplit_once(NAME).map(|(_, length)| length.trim()));
    match named {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse().map_or(Length::Huge, Length::Bytes)
        }
        _ => Length::Missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    /// Feeds a stream in parts of `size` bytes. Returns its messages, and how often bytes were skipped.
    fn cut(stream: &[u8], size: usize) -> (Vec<String>, usize) {
        let (mut frames, mut messages, mut skipped) = (Frames::new(1 << 20), Vec::new(), 0);
        for part in stream.chunks(size) {
            frames.feed(part);
            while let Some(frame) = frames.next_frame() {
                match frame {
                    Frame::Message(body) => messages.push(String::from_utf8_lossy(body).into_owned()),
                    Frame::Skipped(_) => skipped += 1,
                }
            }
        }
        (messages, skipped)
    }

    #[test]
    fn messages_do_not_depend_on_how_the_stream_is_split() {
        let stream = framed("one") + &framed("") + "content-LENGTH:3\r\nContent-Type: x\r\n\r\ntwo" + &framed("three");
        for size in [1, 2, 7, 30, 1 << 20] {
            let expected = ["one", "", "two", "three"].map(str::to_string).to_vec();
            assert_eq!(cut(stream.as_bytes(), size), (expected, 0));
        }
    }

    #[test]
    fn the_message_after_noise_is_read() {
        let huge = |length: &str| format!("Content-Length: {length}\r\n\r\n{{\"a\":1}}").into_bytes();
        let long = [b"Content-Length: 2097152\r\n\r\n".to_vec(), vec![b' '; 2 << 20]].concat();
        let bad = [
            huge("18446744073709551615"),
            huge("99999999999999999999999"),
            huge("1048577"),
            huge("-1"),
            huge("0x10"),
            huge("+5"),
            huge(""),
            b"X: y\r\n\r\n".to_vec(),
            b"\xff\xfe\r\n\r\n".to_vec(),
            b"{\"jsonrpc\":\"2.0\"}\n\r\n\r\n".to_vec(),
            vec![b'x'; 3 * MAX_HEADER],
            long,
        ];
        for bad in bad {
            let stream =
                [framed("one").as_bytes(), &bad, framed("two").as_bytes(), framed("three").as_bytes()].concat();
            for size in [1 << 9, 1 << 30] {
                let shown = String::from_utf8_lossy(&bad[..bad.len().min(60)]);
                let (messages, skipped) = cut(&stream, size);
                assert_eq!(messages, ["one", "two", "three"], "{shown}");
                assert_eq!(skipped, 1, "{shown}");
            }
        }
    }

    /// A message that is too short for its header swallows the start of the next one, but no later message.
    #[test]
    fn a_short_message_loses_at_most_the_next_one() {
        let stream = format!("Content-Length: 40\r\n\r\n{{\"a\":1}}{}{}{}", framed("lost"), framed("b"), framed("c"));
        let (messages, _) = cut(stream.as_bytes(), 5);
        assert_eq!(messages[messages.len() - 1], "c");
    }

    #[test]
    fn the_buffer_of_a_large_message_is_not_kept() {
        let mut frames = Frames::new(1 << 24);
        for body in ["x".repeat(1 << 20), "small".to_string()] {
            frames.feed(framed(&body).as_bytes());
            assert_eq!(frames.next_frame(), Some(Frame::Message(body.as_bytes())));
        }
        assert!(frames.raw.capacity() <= MAX_KEPT);
    }

    #[test]
    fn skipped_bytes_are_not_kept() {
        let mut frames = Frames::new(1 << 10);
        frames.feed(b"Content-Length: 18446744073709551615\r\n\r\n");
        while frames.next_frame().is_some() {}
        for _ in 0..100 {
            frames.feed(&[b'x'; 1 << 16]);
            assert_eq!(frames.next_frame(), None);
        }
        assert!(frames.raw.len() <= MAX_HEADER + (1 << 16));
    }
}
