//! The page that draws accesses.

use crate::program::{Entry, entries, example};
use tile_analysis::range_analysis::Launched;
use tile_dataflow::access::Base;
use tile_dataflow::view::Drawn;

fn drawn<T>(entry: &Entry, launched: &Launched, extents: Vec<i64>, read: impl FnOnce(&Drawn<'_>) -> T) -> T {
    read(&Drawn {
        names: entry.names(),
        launched,
        title: "@k </script>",
        extents: &|_: &Base| Some(extents.clone()),
        recording: None,
        line: &|op| entry.line(op),
    })
}

#[test]
fn a_masked_load_lists_its_elements() {
    let entries = entries(&example("vector_add.tile"));
    let entry = entries.iter().find(|entry| &*entry.body.name == "vector_add").expect("the entry exists");
    let launched = Launched { grid: Some([2, 1, 1]), params: vec![None, None, None, Some(200)], ..Launched::default() };
    let accesses = tile_dataflow::accesses(&entry.body);
    let data = drawn(entry, &launched, vec![200], |drawn| drawn.data(&accesses[..1]));
    insta::assert_snapshot!(format!("{:#}", data["accesses"][0]));
}

#[test]
fn the_page_contains_its_data_and_nothing_else() {
    let entries = entries(&example("gemm_square.tile"));
    let launched = Launched { grid: Some([2, 2, 1]), params: vec![None, None, None, Some(128)], ..Launched::default() };
    let accesses = tile_dataflow::accesses(&entries[0].body);
    let page = drawn(&entries[0], &launched, vec![128, 128], |drawn| drawn.page(&accesses));
    assert_eq!(page.matches("</script>").count(), 1, "the title does not end the script");
    assert!(!page.contains("http://") && !page.contains("https://"), "the page refers to nothing");
    assert!(page.contains(r#""grid":[2,2,1]"#));
}

#[test]
fn unknown_elements_are_not_drawn() {
    let entries = entries(&example("gather_scatter.tile"));
    let launched = Launched {
        grid: Some([1, 1, 1]),
        params: vec![None, None, None, Some(8), Some(16), Some(8)],
        ..Launched::default()
    };
    let accesses = tile_dataflow::accesses(&entries[0].body);
    let data = drawn(&entries[0], &launched, vec![8, 16], |drawn| drawn.data(&accesses));
    let missing = data["accesses"][1]["drawn"]["missing"].as_str().expect("a reason");
    assert!(missing.starts_with("`%rows` is loaded from memory"), "{missing}");
}
