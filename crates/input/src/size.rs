//! Formatting and parsing of sizes in bytes.

const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Formats a number of bytes in the largest unit that gives at least 1: `8 GiB`, `1.5 KiB`, `12 bytes`.
pub fn shown(count: u64) -> String {
    let power = (count.max(1).ilog2() / 10) as usize;
    let Some(unit) = power.checked_sub(1).map(|unit| UNITS[unit]) else {
        return if count == 1 { "1 byte".to_string() } else { format!("{count} bytes") };
    };
    let tenths = (u128::from(count) * 10) >> (10 * power);
    match tenths % 10 {
        0 => format!("{} {unit}", tenths / 10),
        tenth => format!("{}.{tenth} {unit}", tenths / 10),
    }
}

/// Parses a number of bytes: `512 MiB`, `8GiB`, `1.5g`, `4096`. Units are powers of 1024 in every spelling.
pub fn parse(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim().to_ascii_lowercase();
    let power = match unit.as_str() {
        "" | "b" | "byte" | "bytes" => Some(0),
        unit => UNITS.iter().position(|known| {
            let known = known.to_ascii_lowercase();
            unit == known || unit == known.replace('i', "") || unit == &known[..1]
        }),
    };
    let power =
        power.map(|found| if unit.is_empty() || unit.starts_with("byte") || unit == "b" { 0 } else { found + 1 });
    let bytes = number.parse::<f64>().ok().zip(power).map(|(number, power)| number * 1024f64.powi(power as i32));
    match bytes {
        Some(bytes) if bytes >= 1.0 && bytes < u64::MAX as f64 => Ok(bytes as u64),
        _ => Err("expected a size, such as 512MiB or 8GiB".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_shown_in_units() {
        let sizes = [0, 1, 1023, 1024, 1536, 8 << 30, (8 << 30) - 1, u64::MAX].map(shown);
        assert_eq!(sizes, ["0 bytes", "1 byte", "1023 bytes", "1 KiB", "1.5 KiB", "8 GiB", "7.9 GiB", "15.9 EiB"]);
    }

    #[test]
    fn sizes_are_read_with_and_without_units() {
        for (text, size) in [("4096", 4096), ("12 bytes", 12), ("8GiB", 8 << 30), ("8 gb", 8 << 30), ("1.5k", 1536)] {
            assert_eq!(parse(text), Ok(size), "{text}");
        }
        for text in ["", "0", "-1", "GiB", "8 apples", "1e3", "99999999999EiB", "1..5k"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
