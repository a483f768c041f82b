//! `tile view`: pages that show values, buffers and expectations.

use crate::harness::Folder;
use serde_json::{Value, json};

/// Adds 1 to the elements of a ragged matrix, wrongly in one place. `%step` is computed in a loop.
const PROGRAM: &str = "cuda_tile.module @m {
  //@ launch \"ragged\" grid=(2, 1, 1)
  //@   %x = f32[6, 2] iota
  //@   %y = f32[6, 2] zeros
  //@   %n = 3
  //@ expect %y ~= %x + 1
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [6, 2], strides = [2, 1] : tensor_view<6x2xf32, strides=[2, 1]>
    %ty = make_tensor_view %y, shape = [6, 2], strides = [2, 1] : tensor_view<6x2xf32, strides=[2, 1]>
    %from = make_partition_view %tx
        : partition_view<tile=(4x2), padding_value = nan, tensor_view<6x2xf32, strides=[2, 1]>>
    %to = make_partition_view %ty : partition_view<tile=(4x2), tensor_view<6x2xf32, strides=[2, 1]>>
    %zero = constant <i32: 0> : tile<i32>
    %in, %loaded = load_view_tko weak %from[%bx, %zero]
        : partition_view<tile=(4x2), padding_value = nan, tensor_view<6x2xf32, strides=[2, 1]>>, tile<i32>
        -> tile<4x2xf32>, token
    %one = constant <i32: 1> : tile<i32>
    for %k in (%zero to %n, step %one) : tile<i32> {
      %step = addi %k, %bx : tile<i32>
    }
    %ones = constant <f32: 1.0> : tile<4x2xf32>
    %limit = constant <f32: 7.0> : tile<4x2xf32>
    %sum = addf %in, %ones : tile<4x2xf32>
    %out = minf %sum, %limit : tile<4x2xf32>
    store_view_tko weak %out, %to[%bx, %zero]
        : tile<4x2xf32>, partition_view<tile=(4x2), tensor_view<6x2xf32, strides=[2, 1]>>, tile<i32> -> token
    return
  }
}
";

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("const data = ").expect("the page contains its data");
    serde_json::from_str(rest.split_once(";\n").expect("the data is one line").0).expect("the data is JSON")
}

/// The elements of a part of a page.
fn elements(page: &str, item: usize) -> Vec<f32> {
    let (_, rest) = page.split_once(&format!("id=\"item{item}\">")).expect("the page contains the part");
    let bytes = base64(rest.split_once("</script>").expect("the part ends").0);
    bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes"))).collect()
}

fn base64(text: &str) -> Vec<u8> {
    let letter = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|&byte| byte != b'=').map(letter).collect();
    let bytes = |four: &[u8]| {
        let bits = four.iter().fold(0u32, |bits, &six| bits << 6 | u32::from(six)) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    letters.chunks(4).flat_map(bytes).collect()
}

fn page(arguments: &[&str]) -> String {
    let output = Folder::of(PROGRAM).tile(&[&["view", "a.tile"], arguments].concat());
    assert_eq!((output.status, output.err.as_str()), (Some(0), ""));
    output.out
}

#[test]
fn a_page_shows_a_value_in_each_tile_block_with_its_padding() {
    let page = page(&["--value", "%in"]);
    let data = data(&page);
    assert_eq!((&data["type"], &data["shape"]), (&json!("tile<4x2xf32>"), &json!([4, 2])));
    assert_eq!(data["title"], "@k, launch \"ragged\", grid (2, 1, 1)");
    let blocks: Vec<&Value> = data["items"].as_array().expect("a list").iter().map(|item| &item["block"]).collect();
    assert_eq!(blocks, [&json!([0, 0, 0]), &json!([1, 0, 0])]);
    assert_eq!(elements(&page, 0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    assert_eq!(elements(&page, 1)[..4], [8.0, 9.0, 10.0, 11.0]);
    assert!(elements(&page, 1)[4..].iter().all(|element| element.is_nan()));
    assert_eq!(data["items"][0].get("padding"), None);
    assert_eq!(data["items"][1]["padding"], "8A==", "the last four of eight elements are outside");
}

#[test]
fn a_value_in_a_loop_has_iterations_and_a_block_can_be_chosen() {
    let page = page(&["--value", "step", "--block", "1"]);
    let items = data(&page)["items"].clone();
    let executions: Vec<(&Value, &Value)> =
        items.as_array().expect("a list").iter().map(|item| (&item["block"], &item["iterations"])).collect();
    let block = json!([1, 0, 0]);
    assert_eq!(executions, [(&block, &json!([0])), (&block, &json!([1])), (&block, &json!([2]))]);
    let numbers: Vec<u32> = (0..3).map(|item| elements(&page, item)[0].to_bits()).collect();
    assert_eq!((numbers, data(&page)["shape"].clone()), (vec![1, 2, 3], json!([])));
}

#[test]
fn a_page_shows_a_buffer_before_and_after_the_run() {
    let changed = page(&["--value", "%y"]);
    assert_eq!(elements(&changed, 0), [0.0; 12]);
    assert_eq!(elements(&changed, 1), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0]);
    let compare = &data(&changed)["compare"];
    assert_eq!(
        (&compare["title"], &compare["left"], &compare["checked"]),
        (&json!("change"), &json!(1), &json!(false))
    );
    let unchanged = page(&["--value", "%x"]);
    assert_eq!(data(&unchanged)["items"], json!([{ "label": "before and after" }]));
}

#[test]
fn a_page_compares_both_sides_of_an_expectation() {
    let page = page(&["--expectation", "6"]);
    let data = data(&page);
    assert_eq!((&data["name"], &data["shape"]), (&json!("expect %y ~= %x + 1"), &json!([6, 2])));
    let labels: Vec<&Value> = data["items"].as_array().expect("a list").iter().map(|item| &item["label"]).collect();
    assert_eq!(labels, ["actual", "expected"]);
    let compare = &data["compare"];
    assert_eq!((&compare["rtol"], &compare["atol"], &compare["checked"]), (&json!(1e-5), &json!(1e-6), &json!(true)));
}

#[test]
fn a_run_that_fails_shows_the_values_before_that() {
    let program =
        PROGRAM.replace("    return\n", "    %no = constant <i1: 0> : tile<i1>\n    assert %no, \"no\" : tile<i1>\n");
    let folder = Folder::of(&program);
    let output = folder.tile(&["view", "a.tile", "--value=%out"]);
    assert_eq!(data(&output.out)["items"].as_array().map(Vec::len), Some(1), "{}", output.err);
    let after = program.replace("tile<i1>\n  }", "tile<i1>\n    %last = addf %out, %out : tile<4x2xf32>\n  }");
    folder.write("b.tile", &after);
    folder
        .tile(&["view", "b.tile", "--value=%last"])
        .refuses_with(2, "`%last` was not computed in @k, launch \"ragged\"");
}

#[test]
fn names_and_lines_without_elements_are_refused() {
    let folder = Folder::of(PROGRAM);
    let cases: [(&[&str], &str); 5] = [
        (&["--value=%from"], "`--value`: `%from` is not a tile or a buffer"),
        (&["--value=%summ"], "`--value`: `@k` has no value `%summ`: did you mean `%sum`?"),
        (&["--value=%in", "--block=2"], "`--block`: tile block (2, 0, 0) does not exist: the grid goes from"),
        (&["--expectation=7"], "`--expectation`: @k, launch \"ragged\", grid (2, 1, 1) has no expectation on line 7"),
        (&[], "the following required arguments were not provided"),
    ];
    for (arguments, message) in cases {
        let output = folder.tile(&[&["view", "a.tile"], arguments].concat());
        assert!(output.status == Some(2) && output.err.contains(message), "{}", output.err);
    }
}
