//! A page that shows the contents of a value, a buffer or an expectation: a table and a heat map.
//!
//! The page is one HTML file without references to others, so that it opens in a browser and in an editor.

use crate::base64::base64;
use crate::contents::{Contents, Moment};
use crate::recorded::Execution;
use serde_json::{Value as Json, json};
use tile_analysis::number::decode;
use tile_dataflow::view::script_data;
use tile_dialect::Element;
use tile_launch::npy;

/// The page, with a placeholder for the data.
const PAGE: &str = include_str!("page.html");

/// The place of the data in [`PAGE`].
const DATA: &str = "/*DATA*/null";

/// The place of the elements in [`PAGE`]. They are not part of the data, because browsers parse scripts slowly.
const CONTENTS: &str = "<!--CONTENTS-->\n";

/// The maximum size of the contents in a page, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// The contents for a page, up to a limit.
#[derive(Debug)]
pub struct Viewer {
    /// The value, the buffer or the expectation as in the text.
    pub name: String,
    /// The entry and the launch in words.
    pub title: String,
    /// The grid of the launch.
    pub grid: [u32; 3],
    /// The execution to show first, if it exists.
    pub at: Option<Execution>,
    contents: Vec<Contents>,
    /// The remaining bytes.
    left: usize,
    is_cut: bool,
}

impl Viewer {
    /// A page without contents.
    pub fn new(name: String, title: String, grid: [u32; 3]) -> Viewer {
        Viewer { name, title, grid, at: None, contents: Vec::new(), left: MAX_BYTES, is_cut: false }
    }

    /// Adds contents. Returns whether there is room for more. Values of one name can have different types; only those
    /// with the type of the first are shown.
    pub fn add(&mut self, contents: Contents) -> bool {
        let has_other_type = |first: &Contents| (&first.element, &first.shape) != (&contents.element, &contents.shape);
        if self.contents.first().is_some_and(has_other_type) {
            return true;
        }
        match self.left.checked_sub(contents.bytes.len()) {
            Some(left) => {
                self.left = left;
                self.contents.push(contents);
            }
            None => self.is_cut = true,
        }
        !self.is_cut
    }

    /// Whether contents were left out because there were too many.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Why there is no page, after a run that has reported no contents.
    pub fn nothing(&self) -> String {
        format!("`{}` was not computed in {}; `tile run` shows how the launch ends", self.name, self.title)
    }

    /// The page; `None` if there are no contents.
    pub fn page(&self) -> Option<String> {
        let data = script_data(&self.data()?);
        // The data can contain the text of a placeholder.
        let (before, after) = PAGE.split_once(CONTENTS)?;
        let insert_data = |part: &str| part.replacen(DATA, &data, 1);
        let (mut page, after) = (insert_data(before), insert_data(after));
        for (number, contents) in self.contents.iter().enumerate() {
            page += &format!("<script type=\"text/plain\" id=\"item{number}\">{}</script>\n", base64(&contents.bytes));
        }
        Some(page + &after)
    }

    /// The data of the page; `None` if there are no contents.
    pub fn data(&self) -> Option<Json> {
        let first = self.contents.first()?;
        let element = Element::from_name(&first.element)?;
        Some(json!({
            "name": self.name,
            "title": self.title,
            "type": type_of(first),
            "grid": self.grid,
            "shape": first.shape,
            "element": describe(element),
            "npy": base64(&npy::header(element, &first.shape)),
            "npy64": base64(&npy::header(Element::F64, &first.shape)),
            "items": self.contents.iter().map(item).collect::<Vec<_>>(),
            "compare": self.compare(),
            "at": self.at,
            "cut": self.is_cut,
        }))
    }

    /// The two items whose difference the page can show: the left one minus the right one.
    fn compare(&self) -> Option<Json> {
        let [first, _] = &self.contents[..] else { return None };
        match first.moment {
            Moment::Actual([rtol, atol]) => Some(json!({
                "title": "difference", "left": 0, "right": 1, "first": true, "checked": true,
                "tolerant": rtol != 0.0 || atol != 0.0, "rtol": rtol, "atol": atol,
            })),
            Moment::Before => Some(json!({
                "title": "change", "left": 1, "right": 0, "first": false, "checked": false,
                "tolerant": false, "rtol": 0, "atol": 0,
            })),
            Moment::After | Moment::Unchanged | Moment::Expected | Moment::Execution(_) => None,
        }
    }
}

/// The type in words.
fn type_of(contents: &Contents) -> String {
    let Contents { element, shape, .. } = contents;
    let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    match contents.moment {
        Moment::Execution(_) if shape.is_empty() => format!("tile<{element}>"),
        Moment::Execution(_) => format!("tile<{}x{element}>", extents.join("x")),
        Moment::Before | Moment::After | Moment::Unchanged => format!("{element}[{}]", extents.join(", ")),
        Moment::Actual(_) | Moment::Expected => format!("[{}]", extents.join(", ")),
    }
}

fn describe(element: Element) -> Json {
    let bits = element.bits();
    let kind = if element.is_int() { "int" } else { "float" };
    // The numbers of small floats, by their bits.
    let is_small = !element.is_int() && bits <= 8;
    let table: Vec<u8> = (0..1u64 << bits.min(8)).flat_map(|bits| decode(element, bits).to_le_bytes()).collect();
    json!({
        "name": element.to_string(), "kind": kind, "bits": stored_bits(element), "size": element.bytes(),
        "table": is_small.then(|| base64(&table)),
    })
}

/// The bits of an element in memory.
fn stored_bits(element: Element) -> u32 {
    if element == Element::TF32 { 32 } else { element.bits() }
}

fn item(contents: &Contents) -> Json {
    let mut item = json!({});
    if !contents.padding.is_empty() {
        item["padding"] = base64(&contents.padding).into();
    }
    item["label"] = match &contents.moment {
        Moment::Execution(Execution { block, iterations }) => {
            (item["block"], item["iterations"]) = (json!(block), json!(iterations));
            let [x, y, z] = block;
            let iterations: String = iterations.iter().map(|iteration| format!(", {iteration}")).collect();
            format!("block {x}, {y}, {z}{iterations}")
        }
        Moment::Before => "before".to_string(),
        Moment::After => "after".to_string(),
        Moment::Unchanged => "before and after".to_string(),
        Moment::Actual(_) => "actual".to_string(),
        Moment::Expected => "expected".to_string(),
    }
    .into();
    item
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer(contents: Vec<Contents>) -> Viewer {
        let mut viewer =
            Viewer::new("%a".to_string(), format!("@k, launch \"</script><!--<script>{CONTENTS}{DATA}\""), [1; 3]);
        contents.into_iter().for_each(|contents| _ = viewer.add(contents));
        viewer
    }

    fn contents(moment: Moment, element: &str, shape: &[u64], bytes: &[u8]) -> Contents {
        let (element, shape, bytes) = (element.to_string(), shape.to_vec(), bytes.to_vec());
        Contents { moment, element, shape, bytes, padding: Vec::new() }
    }

    #[test]
    fn the_page_contains_the_data_once_and_ends_no_script() {
        let viewer = viewer(vec![contents(Moment::Before, "i32", &[2], &[1, 0, 0, 0, 2, 0, 0, 0])]);
        let page = viewer.page().expect("there are contents");
        assert!(page.contains(">AQAAAAIAAAA=</script>") && !page.contains(CONTENTS));
        assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (2, 2));
        assert_eq!(page.matches(DATA).count(), 1, "the one in the title");
        assert!(!page[page.find("<script").expect("a script")..].contains("<!--"));
        assert!(page.contains("default-src 'none'"));
    }

    #[test]
    fn executions_have_their_block_and_iterations() {
        let moment = Moment::Execution(Execution { block: [1, 2, 0], iterations: vec![3, 4] });
        let padded = Contents { padding: vec![2], ..contents(moment, "i8", &[2], &[7, 0]) };
        let data = viewer(vec![padded]).data().expect("there are contents");
        let item = &data["items"][0];
        assert_eq!((&item["block"], &item["iterations"]), (&json!([1, 2, 0]), &json!([3, 4])));
        assert_eq!((&item["label"], &item["padding"]), (&json!("block 1, 2, 0, 3, 4"), &json!("Ag==")));
        assert_eq!((&data["compare"], &data["type"]), (&Json::Null, &json!("tile<2xi8>")));
    }

    #[test]
    fn both_sides_of_an_expectation_are_compared_with_its_tolerance() {
        let sides = [Moment::Actual([1e-3, 1e-6]), Moment::Expected];
        let data = viewer(sides.map(|moment| contents(moment, "f64", &[1], &1f64.to_le_bytes())).into()).data();
        let compare = &data.expect("there are contents")["compare"];
        assert_eq!(
            (&compare["rtol"], &compare["atol"], &compare["tolerant"]),
            (&json!(1e-3), &json!(1e-6), &json!(true))
        );
    }

    #[test]
    fn small_floats_come_with_their_numbers() {
        for (element, count) in [("f8E4M3FN", 256), ("f4E2M1FN", 16)] {
            let data = viewer(vec![contents(Moment::After, element, &[1], &[0])]).data().expect("there are contents");
            let table = data["element"]["table"].as_str().expect("a table");
            assert_eq!(table.trim_end_matches('=').len() * 6 / 8, count * 8, "{element}");
        }
    }

    #[test]
    fn the_size_is_limited() {
        let mut viewer = viewer(Vec::new());
        let large = contents(Moment::Before, "i8", &[1], &vec![0; MAX_BYTES / 2]);
        assert!(viewer.page().is_none() && viewer.add(large.clone()) && viewer.add(large.clone()));
        assert!(!viewer.add(large) && viewer.is_cut);
        assert_eq!(viewer.contents.len(), 2);
    }
}
