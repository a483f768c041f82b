//! Serializes element types by name.

use serde::{Deserialize, Deserializer, Serializer, de::Error};
use tile_dialect::Element;

pub(super) fn serialize<S: Serializer>(element: &Element, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(element.name())
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Element, D::Error> {
    let name = String::deserialize(deserializer)?;
    Element::from_name(&name).ok_or_else(|| D::Error::custom(format!("unknown element type `{name}`")))
}
