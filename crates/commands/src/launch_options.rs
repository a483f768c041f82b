//! Options shared by the commands that run launches.

use tile_backend::worker::Target;

/// [`tile_backend::worker::Job::MAX_BYTES`] as shown in the help.
pub(crate) const DEFAULT_MEMORY: &str = "8GiB";

/// Parses the seed of a schedule.
pub(crate) fn schedule(text: &str) -> Result<u64, String> {
    let seed = text.strip_prefix("seed=").and_then(|seed| seed.parse().ok());
    seed.ok_or_else(|| "expected seed=N with a whole number, such as seed=1".to_string())
}

/// Parses a number of seconds. Returns milliseconds.
pub(crate) fn seconds(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok((seconds * 1000.0).ceil() as u64),
        _ => Err("expected a positive number of seconds, such as 2.5".to_string()),
    }
}

/// Rejects options that only the CPU engine supports if the target is a GPU.
pub(crate) fn needs_cpu(target: Target, options: &[(&str, bool)]) -> Result<(), String> {
    match options.iter().find(|(_, given)| *given && target != Target::Cpu) {
        Some((option, _)) => Err(format!("`{option}` is only supported by the CPU engine; remove `--target`")),
        None => Ok(()),
    }
}

/// Parses one to three numbers; missing ones are `rest`.
pub(crate) fn triple(text: &str, rest: u32) -> Option<[u32; 3]> {
    // A number that overflows saturates, so that the caller rejects it as too large.
    let number = |digits: &str| {
        if digits.is_empty() || digits.bytes().any(|byte| !byte.is_ascii_digit()) {
            None
        } else {
            Some(digits.parse().unwrap_or(u32::MAX))
        }
    };
    let numbers: Option<Vec<u32>> = text.split(',').map(|digits| number(digits.trim())).collect();
    match *numbers? {
        [x] => Some([x, rest, rest]),
        [x, y] => Some([x, y, rest]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

/// Parses the coordinates of a tile block.
pub(crate) fn block(text: &str) -> Result<[u32; 3], String> {
    triple(text, 0).ok_or_else(|| "expected one to three numbers, such as 0,3,0".to_string())
}
