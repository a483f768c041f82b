//! Quoting for POSIX shells.

/// Punctuation without a special meaning in a word. `~` and `=` are missing: they can be special at the start of a
/// word.
const PLAIN: &str = "%+,-./:@_";

/// Returns a command line that a POSIX shell splits into these words.
pub fn line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for a POSIX shell, if it needs quotes.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || PLAIN.contains(c);
    // In `--name=value` the `=` is plain. In `name=value` it can assign a variable.
    let is_plain = |c: char| is_plain(c) || (c == '=' && word.starts_with('-'));
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_string();
    }
    // Within single quotes only the single quote is special, so it is written outside of them.
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_are_not_quoted() {
        for word in ["/usr/bin/tileiras", "--gpu-name=sm_90", "-o", "program.cubin", "a+b,c:d@e%f"] {
            assert_eq!(quoted(word), word);
        }
        assert_eq!(line(&["a".to_string(), "b c".to_string()]), "a 'b c'");
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_same_words() {
        let words = [
            "",
            " ",
            "a b",
            "it's",
            "'",
            "''",
            "\"x\"",
            "$HOME",
            "`ls`",
            "a\nb",
            "\\",
            "*",
            "~",
            "a;b",
            "a&b",
            "#c",
            "!",
            "--name=a b",
            "A=1",
            "ümlaut",
            "(",
            "-",
            "{a,b}",
            "[a]",
            "a|b",
            "<",
            "\t",
        ]
        .map(str::to_string);
        let script = format!("printf '%s\\0' {}", line(&words));
        let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("`sh` is installed");
        let read: String = words.iter().map(|word| format!("{word}\0")).collect();
        assert_eq!(String::from_utf8_lossy(&output.stdout), read);
    }
}
