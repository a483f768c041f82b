//! The differences between two types.

use tile_analysis::types::Type;

/// The words in which the texts of two types differ; both texts, if they have different numbers of words.
pub(crate) fn delta(a: Type, b: Type) -> Vec<(String, String)> {
    let words = |ty: Type| -> Vec<String> {
        let text = ty.to_string();
        // Extents are separated by `x`, which element types do not contain before their first digit.
        let split = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_' || letter == '?'));
        split.filter(|word| !word.is_empty()).flat_map(extents).collect()
    };
    let (words_a, words_b) = (words(a), words(b));
    if words_a.len() != words_b.len() {
        return vec![(a.to_string(), b.to_string())];
    }
    words_a.into_iter().zip(words_b).filter(|(a, b)| a != b).collect()
}

/// Splits `128x64xf32` into its parts.
fn extents(word: &str) -> Vec<String> {
    if word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '?') {
        word.split('x').map(str::to_string).collect()
    } else {
        vec![word.to_string()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_dialect::Element;

    #[test]
    fn only_the_parts_that_differ_are_returned() {
        let (a, b) = (Type::tile(&[128, 64], Element::F32), Type::tile(&[128, 32], Element::F16));
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(delta(a, b), [pair("64", "32"), pair("f32", "f16")]);
        let c = Type::tile(&[64], Element::F32);
        assert_eq!(delta(a, c), [pair("tile<128x64xf32>", "tile<64xf32>")]);
    }
}
