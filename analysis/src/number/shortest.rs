//! Formats numbers with as few digits as identify them.

use tile_dialect::Element;

/// A float of an element type.
pub fn real(element: Element, value: f64) -> String {
    match value {
        value if value.is_nan() => "nan".to_string(),
        value if value.fract() == 0.0 && value.abs() < 1e15 => value.to_string(),
        value if element != Element::F64 && f64::from(value as f32) == value => format!("{:?}", value as f32),
        value => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_digits() {
        assert_eq!(real(Element::F32, f64::from(0.1f32)), "0.1");
        assert_eq!(real(Element::F64, f64::from(0.1f32)), "0.10000000149011612");
        assert_eq!(real(Element::F32, 3.0), "3");
        assert_eq!(real(Element::F32, -1e30f32 as f64), "-1e30");
        assert_eq!(real(Element::F32, f64::NEG_INFINITY), "-inf");
        assert_eq!(real(Element::F16, f64::NAN), "nan");
    }
}
