//! Words as a shell takes them.

/// What stands in a word without being anything else to a shell. `~` and `=` may be more at the start of a word.
const PLAIN: &str = "%+,-./:@_";

/// A command line that a POSIX shell cuts into these words again.
pub fn line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a POSIX shell takes it: as it stands where it may, else between quotes.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || PLAIN.contains(c);
    // An `=` is plain behind the dashes of an option; elsewhere what stands before it may be a variable.
    let is_plain = |c: char| is_plain(c) || (c == '=' && word.starts_with('-'));
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_string();
    }
    // Between these quotes nothing has a meaning but the quote, which stands outside.
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_stay_as_they_are() {
        for word in ["/usr/bin/tileiras", "--gpu-name=sm_90", "-o", "program.cubin", "a+b,c:d@e%f"] {
            assert_eq!(quoted(word), word);
        }
        assert_eq!(line(&["a".to_string(), "b c".to_string()]), "a 'b c'");
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_words_that_were_written() {
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
        let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("there is a shell");
        let read: String = words.iter().map(|word| format!("{word}\0")).collect();
        assert_eq!(String::from_utf8_lossy(&output.stdout), read);
    }
}
