//! `tile graph`, `tile view --accesses`, and the cost that `tile check --explain-cost` shows.

use crate::harness::Folder;

/// Two launches of a kernel that copies rows of 4 elements.
const COPY: &str = "cuda_tile.module @m {
  //@ launch \"one\"
  //@   %x = f32[4] iota
  //@   %y = f32[4] zeros
  //@   %n = 4
  //@ launch \"two\" grid=(2, 1, 1)
  //@   %x = f32[6] iota
  //@   %y = f32[6] zeros
  //@   %n = 6
  entry @copy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %from = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %to = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %in = make_partition_view %from : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
    %out = make_partition_view %to : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
    %v, %t = load_view_tko weak %in[%bx] : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %w = addf %v, %v : tile<4xf32>
    store_view_tko weak %w, %out[%bx] : tile<4xf32>, partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
  }
}
";

/// Each of two blocks loads two elements at indices from memory.
const GATHER: &str = "cuda_tile.module @m {
  //@ launch grid=(2, 1, 1)
  //@   %x = f32[8] iota
  //@   %at = i32[4] [3, 1, 6, 7]
  entry @gather(%x: tile<ptr<f32>>, %at: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %view = make_tensor_view %at, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(2), tensor_view<4xi32, strides=[1]>>
    %indices, %t = load_view_tko weak %tiles[%bx] : partition_view<tile=(2), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<2xi32>, token
    %one = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %both = broadcast %one : tile<1xptr<f32>> -> tile<2xptr<f32>>
    %places = offset %both, %indices : tile<2xptr<f32>>, tile<2xi32> -> tile<2xptr<f32>>
    %v, %u = load_ptr_tko weak %places : tile<2xptr<f32>> -> tile<2xf32>, token
    print \"%f\\n\", %v : tile<2xf32>
  }
}
";

#[test]
fn text_counts_the_accesses_of_a_launch() {
    let folder = Folder::of(COPY);
    let first = folder.tile(&["graph", "a.tile"]);
    assert_eq!(first.status, Some(0), "{}", first.err);
    insta::assert_snapshot!(first.out, @r#"
    @copy, launch "one", grid (1, 1, 1)
      16  load_view_tko %v: tile<4xf32> · slice %x[4 * %bx] · once, 16 bytes
      17  addf · %w: tile<4xf32> ← %v
      18  store_view_tko tile<4xf32> · slice %y[4 * %bx] · once, 16 bytes ← %w
    "#);
    let second = folder.tile(&["graph", "a.tile", "--launch", "two"]);
    assert!(second.out.contains("slice %x[4 * %bx] · 2 times, 24 bytes"), "{}", second.out);
}

#[test]
fn the_cost_of_an_entry_is_explained() {
    let folder = Folder::of(COPY);
    let output = folder.tile(&["check", "--explain-cost", "a.tile"]);
    assert_eq!(output.status, Some(0), "{}", output.err);
    insta::assert_snapshot!(output.out);
    folder.write("a.tile", COPY.replace("addf %v, %v", "addf %v, %u"));
    let output = folder.tile(&["check", "--explain-cost", "a.tile"]);
    assert_eq!(output.status, Some(1), "{}", output.out);
    assert!(!output.out.contains("live"), "an entry with errors has no cost: {}", output.out);
}

#[test]
fn factors_of_products_are_in_shared_memory() {
    let product = include_str!("../../../../examples/gemm_square.tile");
    let folder = Folder::of(product);
    let shown = |arguments: &[&str]| folder.tile(&[&["check", "--explain-cost"], arguments, &["a.tile"]].concat()).out;
    insta::assert_snapshot!(shown(&[]));
    // Two tiles of 128x128 floats fit in a tile block of sm_90, but not of sm_86.
    let view = "partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32>";
    let load = |name: &str| {
        format!("%{name}, %t{name} = load_view_tko weak %w[%x, %y] : {view} -> tile<128x128xf32>, token\n")
    };
    let program = format!(
        "cuda_tile.module @m {{ entry @k(%p: tile<ptr<f32>>) {{
           %x, %y, %z = get_tile_block_id : tile<i32>
           %v = make_tensor_view %p, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
           %w = make_partition_view %v : {}
           %zero = constant <f32: 0.0> : tile<128x128xf32>
           {}{}%sum = mmaf %a, %b, %zero : tile<128x128xf32>, tile<128x128xf32>, tile<128x128xf32>
           store_view_tko weak %sum, %w[%x, %y] : tile<128x128xf32>, {view} -> token
         }} }}",
        view.trim_end_matches(", tile<i32>"),
        load("a"),
        load("b")
    );
    folder.write("a.tile", program);
    let has_red = |gpu: &str| {
        let output = shown(&["--gpu", gpu, "--color", "always"]);
        assert!(output.contains("128 KiB"), "{output}");
        output.lines().any(|line| line.contains("\u{1b}[31m     128 KiB"))
    };
    assert_eq!((has_red("sm_86"), has_red("sm_90")), (true, false));
}

#[test]
fn hints_about_accesses_are_shown_for_their_level() {
    let folder = Folder::of(COPY);
    let codes = |arguments: &[&str]| {
        let output = folder.tile(&[&["check", "--output-format=json"], arguments, &["a.tile"]].concat());
        let found: serde_json::Value = serde_json::from_str(&output.out).expect("nothing but JSON");
        let found = found.as_array().expect("a list").iter().filter(|found| found["code"] == "P0205");
        (output.status, found.map(|found| format!("{} {}", found["code"], found["severity"])).collect::<Vec<_>>())
    };
    let hints = |level: &str| vec![format!("\"P0205\" \"{level}\"")];
    assert_eq!(codes(&[]), (Some(0), vec![]));
    folder.write(
        "a.tile",
        COPY.replace("%out[%bx]", "%out[%zero]").replace("%w =", "%zero = constant <i32: 0> : tile<i32>\n    %w ="),
    );
    assert_eq!(codes(&[]), (Some(0), vec![]));
    assert_eq!(codes(&["--explain-cost"]), (Some(0), hints("info")));
    folder.write("tile.toml", "[lints]\nP0205 = \"error\"\n");
    assert_eq!(codes(&[]), (Some(1), hints("error")));
    assert_eq!(codes(&["--explain-cost"]), (Some(1), hints("error")));
    folder.write("tile.toml", "[lints]\nP0205 = \"off\"\n");
    assert_eq!(codes(&["--explain-cost"]), (Some(0), vec![]));
}

#[test]
fn fixes_of_hints_are_shown_as_a_diff() {
    let folder = Folder::of(COPY);
    let output = folder.tile(&["check", "--explain-cost", "--diff", "--unsafe-fixes", "a.tile"]);
    assert_eq!(output.status, Some(0), "{}{}", output.out, output.err);
    folder.write("a.tile", COPY.replace("f32[6]", "f32[8]").replace("%n = 6", "%n = 8"));
    let output = folder.tile(&["check", "--explain-cost", "--diff", "--unsafe-fixes", "a.tile"]);
    assert_eq!(output.status, Some(1), "{}{}", output.out, output.err);
    assert!(output.out.contains("inbounds = [true]") && !output.out.contains("registers"), "{}", output.out);
}

#[test]
fn the_extension_of_the_output_chooses_the_format() {
    let folder = Folder::of(COPY);
    for (name, start) in [
        ("g.svg", "<svg "),
        ("g.html", "<!doctype html>"),
        ("g.dot", "digraph"),
        ("g.json", "{"),
        ("g.txt", "@copy, launch"),
    ] {
        let output = folder.tile(&["graph", "a.tile", "-o", name]);
        assert_eq!((output.status, output.out.as_str()), (Some(0), ""), "{name}: {}", output.err);
        assert!(folder.read(name).starts_with(start), "{name}");
    }
    assert_eq!(folder.tile(&["graph", "a.tile", "--json"]).out, folder.read("g.json"));
    let json: serde_json::Value = serde_json::from_str(&folder.read("g.json")).expect("the output is JSON");
    assert_eq!(json["accesses"][0]["map"]["matrix"], serde_json::json!([["4"]]));
}

#[test]
fn a_page_draws_the_accesses_of_a_launch() {
    let folder = Folder::of(COPY);
    let output = folder.tile(&["view", "--accesses", "a.tile", "--launch", "two"]);
    assert_eq!(output.status, Some(0), "{}", output.err);
    assert!(output.out.starts_with("<!doctype html>"), "{}", output.out);
    assert!(output.out.contains(r#""title":"@copy, launch \"two\", grid (2, 1, 1)""#), "{}", output.out);
    // The second block accesses the last two of six elements.
    assert!(
        output.out.contains(r#""extents":[6],"points":[[[0,0,0],[],[0,4],0],[[1,0,0],[],[4,2],0]]"#),
        "{}",
        output.out
    );
    let written = folder.tile(&["view", "--accesses", "a.tile", "-o", "a.html"]);
    assert_eq!((written.status, written.out.as_str()), (Some(0), ""), "{}", written.err);
    assert!(folder.read("a.html").starts_with("<!doctype html>"));
}

#[test]
fn mistakes() {
    let folder = Folder::of(COPY);
    folder.write("bad.tile", COPY.replace("addf %v, %v", "addf %v, %u"));
    let fails = |arguments: &[&str], status: i32, message: &str| {
        let output = folder.tile(arguments);
        assert_eq!(output.status, Some(status), "{arguments:?}: {}", output.err);
        assert!(output.err.contains(message), "{arguments:?}: {}", output.err);
    };
    fails(&["graph", "bad.tile"], 1, "unknown value `%u`");
    fails(&["graph", "a.tile", "--entry", "coppy"], 2, "did you mean `copy`?");
    fails(&["graph", "a.tile", "--launch", "three"], 2, "`two`");
    fails(&["graph", "a.tile", "-o", "a.tile"], 2, "would overwrite the input");
    fails(&["graph", "none.tile"], 2, "none.tile");
    fails(&["graph", "a.tile", "-o", "a.xyz"], 2, "unknown extension `.xyz`");
    fails(&["graph", "a.tile", "--json", "--output-format", "dot"], 2, "cannot be used with");
    folder.write("launch.tile", COPY.replacen("f32[4] iota", "f32[4", 1));
    fails(&["graph", "launch.tile"], 1, "expected `]`");
    fails(&["view", "--accesses", "launch.tile"], 1, "expected `]`");
    folder.write("bare.tile", COPY.lines().filter(|line| !line.contains("//@")).collect::<Vec<_>>().join("\n"));
    fails(&["view", "--accesses", "bare.tile"], 2, "`@copy` has no launch");
    fails(&["view", "a.tile"], 2, "--accesses");
    fails(&["view", "--accesses", "bad.tile"], 1, "unknown value `%u`");
}

/// The accesses in the data of a page.
fn drawn(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    let output = folder.tile(&[&["view", "--accesses", "a.tile"], arguments].concat());
    assert_eq!(output.status, Some(0), "{}", output.err);
    let (_, data) = output.out.split_once("const data = ").expect("the page has data");
    let (data, _) = data.split_once(";\n").expect("the data end");
    serde_json::from_str::<serde_json::Value>(data).expect("the data are JSON")["accesses"].clone()
}

#[test]
fn a_run_draws_accesses_that_depend_on_loaded_values() {
    let folder = Folder::of(GATHER);
    let (without, with) = (drawn(&folder, &[]), drawn(&folder, &["--run"]));
    assert_eq!(without[0], with[0], "the load of the indices is known without a run");
    assert!(without[1]["drawn"]["missing"].is_string(), "{}", without[1]);
    assert_eq!(with[1]["buffer"], "%x");
    let points = serde_json::json!([[[0, 0, 0], [], [3, 1, 1, 1], 0], [[1, 0, 0], [], [6, 2], 0]]);
    assert_eq!(with[1]["drawn"], serde_json::json!({ "extents": [8], "points": points, "cut": false }));
    folder.write("a.tile", GATHER.replace("[3, 1, 6, 7]", "[3, 1, 6, 9]"));
    let output = folder.tile(&["view", "--accesses", "--run", "a.tile"]);
    assert_eq!((output.status, output.out.as_str()), (Some(2), ""));
    assert!(output.err.contains("the run ended early: R0102"), "{}", output.err);
}

/// The first half of the blocks stores to one buffer, the others to another one.
const CHOSEN: &str = "cuda_tile.module @m {
  //@ launch grid=(4, 1, 1)
  //@   %p = i32[4] zeros
  //@   %q = i32[4] zeros
  entry @chosen(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %is_low = cmpi less_than %x, %two, signed : tile<i32> -> tile<i1>
    %r = select %is_low, %p, %q : tile<i1>, tile<ptr<i32>>
    %at = offset %r, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %at, %x : tile<ptr<i32>>, tile<i32> -> token
  }
}
";

#[test]
fn a_pointer_into_two_buffers_is_drawn_for_each() {
    let folder = Folder::of(CHOSEN);
    let why = "`%r` is chosen at run time; `tile view --accesses --run` draws the accesses of a run";
    assert_eq!(drawn(&folder, &[])[0]["drawn"]["missing"], why);
    let drawn = drawn(&folder, &["--run"]);
    let buffers: Vec<_> = drawn.as_array().expect("a list").iter().map(|access| &access["buffer"]).collect();
    assert_eq!(buffers, ["%p", "%q"]);
    for access in drawn.as_array().expect("a list") {
        assert_eq!(access["drawn"]["points"].as_array().map(Vec::len), Some(2), "{access}");
    }
}

#[test]
fn launches_without_arguments_are_refused() {
    let folder = Folder::of(&CHOSEN.replace("  //@   %q = i32[4] zeros\n", ""));
    for command in [&["graph"][..], &["view", "--accesses"]] {
        let output = folder.tile(&[command, &["a.tile"]].concat());
        assert_eq!((output.status, &*output.out), (Some(1), ""));
        assert!(
            output.err.contains("this launch has no argument for the parameter `%q` of `@chosen`"),
            "{}",
            output.err
        );
    }
}

#[test]
fn accesses_outside_of_the_buffer_are_counted() {
    let text = CHOSEN.replace("select %is_low, %p, %q", "select %is_low, %p, %p");
    let folder = Folder::of(&text.replace("%p = i32[4]", "%p = i32[3]"));
    let graph = folder.tile(&["graph", "a.tile"]);
    assert!(graph.out.contains("4 times, 12 bytes; 1 element is outside of the buffer"), "{}", graph.out);
    let points = &drawn(&folder, &[])[0]["drawn"]["points"];
    assert_eq!(points[3], serde_json::json!([[3, 0, 0], [], [], 1]));
}
