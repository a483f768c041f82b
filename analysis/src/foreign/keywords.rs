//! Keywords of other languages.

/// The spellings of a keyword in other languages, and the one in Tile IR.
const KEYWORDS: &[(&[&str], &str)] = &[
    (&["eq", "oeq", "ueq", "=="], "equal"),
    (&["ne", "one", "une", "neq", "!="], "not_equal"),
    (&["lt", "slt", "ult", "olt", "less", "<"], "less_than"),
    (&["le", "sle", "ule", "ole", "less_equal", "<="], "less_than_or_equal"),
    (&["gt", "sgt", "ugt", "ogt", "greater", ">"], "greater_than"),
    (&["ge", "sge", "uge", "oge", "greater_equal", ">="], "greater_than_or_equal"),
    (&["nsw"], "no_signed_wrap"),
    (&["nuw"], "no_unsigned_wrap"),
    (&["acquire_release"], "acq_rel"),
    (&["gpu", "cuda", "agent"], "device"),
    (&["block", "cta", "workgroup"], "tl_blk"),
    (&["system"], "sys"),
    (&["rn", "rne", "nearest", "rtne", "to_nearest_even"], "nearest_even"),
    (&["rz", "rtz", "toward_zero"], "zero"),
    (&["rd", "rm", "down", "downward"], "negative_inf"),
    (&["ru", "rp", "up", "upward"], "positive_inf"),
    (&["exch", "swap", "exchange"], "xchg"),
    (&["fadd"], "addf"),
    (&["smax"], "max"),
    (&["smin"], "min"),
    (&["int", "sint"], "signed"),
    (&["uint"], "unsigned"),
    (&["inf", "infinity"], "pos_inf"),
    (&["0", "0.0", "zeros"], "zero"),
];

/// The keywords that other languages spell `word`: one for each attribute with such a keyword.
pub fn keyword(word: &str) -> impl Iterator<Item = &'static str> {
    let lower = word.to_lowercase();
    KEYWORDS.iter().filter(move |(names, _)| names.contains(&&*lower)).map(|(_, keyword)| *keyword)
}
