//! `tile run` and `tile test`: launches, reports, traces, profiles.
//!
//! The programs in `launches/`, which have their own expectations, test the directives.

#[cfg(target_os = "linux")]
use crate::{skip, terminal::OnTerminal};

use crate::harness::{CommandOutput, Folder, entry};
use crate::waiting::with_time_limit;
use serde_json::Value;
#[cfg(target_os = "linux")]
use std::io;
use std::path::{Path, PathBuf};

fn launches() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/launches")
}

/// A program that loads elements beyond the edge of a tensor through a view without a padding value.
const EDGE: &str = r#"cuda_tile.module @edges {
  //@ launch
  //@   %in = f32[3] ones
  //@   %out = f32[4] fill(7)
  //@ expect %out == [1, 1, 1, 0]
  entry @load(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %source = make_tensor_view %in, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %part = make_partition_view %source : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>
    %target = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %whole = make_partition_view %target : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %tile, %loaded = load_view_tko weak %part[%zero]
        : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>, tile<i32>
        -> tile<4xf32>, token
    %stored = store_view_tko weak %tile, %whole[%zero]
        : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32>
        -> token
  }
}
"#;

#[test]
fn elements_beyond_the_edge_are_0_unless_a_run_sanitizes() {
    let folder = Folder::of(EDGE);
    assert_eq!(folder.tile(&["run", "a.tile"]).status, Some(0));
    let output = folder.tile(&["run", "a.tile", "--sanitize"]);
    assert!(output.status == Some(1) && output.err.contains("R0105"), "{}", output.err);
}

#[test]
fn a_line_chooses_the_launch_above_it() {
    let entry = |name: &str| format!("//@ launch\nentry @{name}() {{\n  print_tko \"{name}\" -> token\n}}\n");
    let folder = Folder::of(&format!("cuda_tile.module @m {{\n{}{}}}\n", entry("one"), entry("two")));
    for (line, printed) in [("1", "one"), ("4", "one"), ("6", "two"), ("99", "two")] {
        let output = folder.tile(&["run", "a.tile", "--line", line]);
        assert_eq!((output.status, output.out.trim_end()), (Some(0), printed), "{line}: {}", output.err);
    }
    assert_eq!(folder.tile(&["run", "a.tile", "--line", "1", "--entry", "two"]).status, Some(2));
}

#[test]
fn the_programs_in_launches_pass() {
    let output = Folder::hello().command(&["test"]).current_dir(launches()).output().expect("the command runs");
    let output = CommandOutput::from(output);
    assert_eq!((output.status, output.err.as_str()), (Some(0), ""), "{}", output.out);
    assert!(output.out.ends_with("99 passed, 0 failed\n"), "{}", output.out);
}

#[test]
fn the_launches_cover_the_language_of_directives() {
    let files = std::fs::read_dir(launches()).expect("a folder").map(|file| file.expect("a file").path());
    let text: String = files.map(|file| std::fs::read_to_string(file).expect("the file is UTF-8")).collect();
    let words = "zeros ones fill( iota uniform( normal( strides=[ replicas= &% multicast( rtol= atol= grid=( seed= nan inf true == ~= \
        sum( max( min( mean( exp( exp2( log( log2( sqrt( rsqrt( tanh( sin( cos( tan( sinh( cosh( abs( floor( ceil( \
        maximum( minimum( where( transpose( reshape( cast( softmax( cumsum( sort( argsort( cholesky( arange( axis= keepdims= \
        .T ** @ None ... grad( @exponential";
    for word in words.split_whitespace() {
        assert!(text.contains(word), "{word}");
    }
    assert!(text.contains("expect print") && text.contains("expect error"));
}

#[test]
fn replicas_are_saved_as_the_outermost_dimension() {
    let folder =
        Folder::of(&entry(&["launch", "  %p = f32[2] replicas=2 [[1, 2], [3, 4]]"], "%p: tile<ptr<f32>>", &[]));
    assert_eq!(folder.tile(&["run", "a.tile", "--save", "%p=p.npy"]).status, Some(0));
    let npy = std::fs::read(folder.path("p.npy")).expect("the file was saved");
    assert!(String::from_utf8_lossy(&npy).contains("'shape': (2, 2)"));
    let lines = ["launch", "  %p = f32[2] replicas=2 npy(\"p.npy\")", "expect %p == [[1, 2], [3, 4]]"];
    folder.write("a.tile", entry(&lines, "%p: tile<ptr<f32>>", &[]));
    let output = folder.tile(&["test", "a.tile"]);
    assert_eq!(output.status, Some(0), "{}", output.out);
    let lines = ["launch", "  %p = f32[2] replicas=2 [zeros, npy(\"q.npy\")]"];
    folder.write("a.tile", entry(&lines, "%p: tile<ptr<f32>>", &[]));
    let output = folder.tile(&["test", "a.tile"]);
    assert!(output.status == Some(1) && output.out.contains("q.npy"), "{}", output.out);
}

#[test]
fn addresses_can_be_given_on_the_command_line() {
    let folder = Folder::of(&entry(
        &[],
        "%n: tile<i64>, %p: tile<ptr<f32>>",
        &["print_tko \"%lli\\n\", %n : tile<i64> -> token"],
    ));
    let run = |args: &[&str]| {
        let args: Vec<&str> = args.iter().flat_map(|arg| ["--arg", arg]).collect();
        folder.tile(&[&["run", "a.tile", "--save", "%x=x.npy"], &args[..]].concat())
    };
    let output = run(&["%n=&%x + 1", "%p=&%x", "%x=f32[4] iota"]);
    assert!(
        output.status == Some(0) && output.out.trim().parse::<u64>().is_ok_and(|address| address % 256 == 4),
        "{}",
        output.err
    );
    let output = run(&["%n=&%y", "%p=&%x", "%x=f32[4] iota"]);
    assert_eq!(output.status, Some(2));
    assert!(output.err.contains("this launch has no buffer `%y`"), "{}", output.err);
    let output = folder.tile(&["run", "a.tile", "--arg", "%n=&%p", "--arg", "%p=&%x", "--arg", "%x=f32[1] zeros"]);
    assert!(
        output.status == Some(2) && output.err.contains("`%p` is an address itself, not a buffer"),
        "{}",
        output.err
    );
    let output = folder.tile(&[
        "run",
        "a.tile",
        "--arg",
        "%n=1",
        "--arg",
        "%p=&%x",
        "--arg",
        "%x=f32[1] zeros",
        "--save",
        "%p=p.npy",
    ]);
    assert!(
        output.status == Some(2) && output.err.contains("`%p` is an address; only buffers can be saved"),
        "{}",
        output.err
    );
}

#[test]
fn element_types_that_numpy_lacks_are_saved_as_raw_bits() {
    for (element, numpy, numbers) in [
        ("f16", "<f2", "[0.5, -2, 65504]"),
        ("bf16", "<u2", "[0.5, -2, 3e38]"),
        ("f8E4M3FN", "|u1", "[0.5, -2, 448]"),
        ("f8E5M2", "|u1", "[0.5, -2, 57344]"),
        ("f32", "<f4", "[0.5, -2, 3e38]"),
        ("tf32", "<f4", "[0.5, -2, 3e38]"),
        ("f64", "<f8", "[0.5, -2, 3e300]"),
        ("i1", "|b1", "[true, false, true]"),
        ("i8", "|i1", "[1, -2, 127]"),
        ("i64", "<i8", "[1, -2, 9007199254740993]"),
    ] {
        let params = format!("%p: tile<ptr<{element}>>");
        let read = format!("  %p = {element}[3] npy(\"p.npy\")");
        let same = format!("expect %p == cast({}, {element})", numbers.replace("true", "1").replace("false", "0"));
        let numbers = format!("  %p = {element}[3] {numbers}");
        let file = format!("expect %p == npy(\"p.npy\", {element})");
        let launches = ["launch \"write\"", &numbers, "launch \"read\"", &read, &same, &file].map(str::to_string);
        let launches: Vec<&str> = launches.iter().map(String::as_str).collect();
        let folder = Folder::of(&entry(&launches, &params, &[]));
        let output = folder.tile(&["run", "--launch=write", "--save=%p=p.npy", "a.tile"]);
        assert_eq!((output.status, output.err.as_str()), (Some(0), ""), "{element}");
        let bytes = std::fs::read(folder.path("p.npy")).expect("the file was saved");
        assert!(String::from_utf8_lossy(&bytes).contains(&format!("'descr': '{numpy}'")), "{element}");
        let output = folder.tile(&["run", "--launch=read", "a.tile"]);
        assert_eq!((output.status, output.err.as_str()), (Some(0), "2 of 2 expectations met\n"), "{element}");
    }
}

#[test]
fn a_strided_buffer_is_saved_without_its_gaps() {
    let launch = ["launch", "  %p = f32[2, 2] strides=[8, 1] [[1, 2], [3, 4]]"];
    let folder = Folder::of(&entry(&launch, "%p: tile<ptr<f32>>", &[]));
    assert_eq!(folder.tile(&["run", "--save=%p=p.npy", "a.tile"]).status, Some(0));
    let bytes = std::fs::read(folder.path("p.npy")).expect("the file was saved");
    let numbers: Vec<u8> = [1f32, 2.0, 3.0, 4.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    assert!(bytes.ends_with(&numbers) && String::from_utf8_lossy(&bytes).contains("'shape': (2, 2)"));
}

/// Prints its tile block and its argument.
fn printing() -> String {
    let body =
        ["%x, %y, %z = get_tile_block_id : tile<i32>", "print_tko \"%i/%i \", %x, %n : tile<i32>, tile<i32> -> token"];
    let launches =
        ["launch \"one\" grid=(2, 1, 1)", "  %n = 1", "expect print \"0/1 1/1 \"", "launch \"two\"", "  %n = 2"];
    entry(&launches, "%n: tile<i32>", &body)
}

#[test]
fn the_command_line_chooses_launch_grid_and_arguments() {
    let folder = Folder::of(&printing());
    let cases: [(&[&str], &str, &str); 6] = [
        (&[], "0/1 1/1 ", "running the first launch of `@k`; others: \"two\"\n1 of 1 expectations met\n"),
        (&["--launch=two"], "0/2 ", ""),
        (&["--launch=two", "--grid=3"], "0/2 1/2 2/2 ", ""),
        (&["--launch=two", "--grid=1,2"], "0/2 0/2 ", ""),
        (&["--launch=one", "--arg=%n=7"], "0/7 1/7 ", ""),
        (&["--launch=one", "--arg=n=-1", "--grid=1,1,1"], "0/-1 ", ""),
    ];
    for (arguments, out, err) in cases {
        let output = folder.tile(&[&["run", "a.tile"], arguments].concat());
        assert_eq!((output.status, output.out.as_str(), output.err.as_str()), (Some(0), out, err), "{arguments:?}");
    }
}

#[test]
fn buffers_together_stay_within_the_memory_allowed() {
    let launch = ["launch", "  %a = f32[256] zeros", "  %b = f32[256] zeros"];
    let folder = Folder::of(&entry(&launch, "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>", &[]));
    assert_eq!(folder.tile(&["run", "--max-memory=2KiB", "a.tile"]).status, Some(0));
    let output = folder.tile(&["run", "--max-memory=1.5k", "a.tile"]);
    let message = "the buffer of `%b` takes 1 KiB, more than the 512 bytes left of 1.5 KiB for all buffers\n";
    assert_eq!(output.status, Some(1));
    assert!(output.err.contains(message) && output.err.contains("a.tile:4:9"), "{}", output.err);
    let output = folder.tile(&["test", "--max-memory=100", "a.tile"]);
    assert!(output.out.contains("the buffer of `%a` takes 1 KiB, more than the 100 bytes allowed\n"), "{}", output.out);
    let output = folder.tile(&["run", "--max-memory=lots", "a.tile"]);
    assert!(
        output.status == Some(2) && output.err.contains("expected a size, such as 512MiB or 8GiB"),
        "{}",
        output.err
    );
}

#[test]
fn tiles_stay_within_the_memory_allowed() {
    let ops = [
        "%a = iota : tile<4096xi32>",
        "%b = muli %a, %a : tile<4096xi32>",
        "%c = subi %b, %a : tile<4096xi32>",
        "print_tko \"%d\", %c : tile<4096xi32> -> token",
    ];
    let folder = Folder::of(&entry(&["launch grid=(8, 1, 1)"], "", &ops));
    // Three tiles of 16 KiB are live at the same time, because the first is read twice.
    assert_eq!(folder.tile(&["run", "--max-memory=48KiB", "a.tile"]).status, Some(0));
    let output = folder.tile(&["run", "--max-memory=47KiB", "a.tile"]);
    let message = "the tiles of one tile block take up to 48 KiB, more than the limit of 47 KiB\n";
    assert!(output.status == Some(1) && output.err.contains(message), "{}", output.err);
}

/// Launches that pass, fail and are refused.
fn mixed() -> Folder {
    let failing =
        ["launch \"good\"", "  %p = f32[4] iota", "launch \"bad\"", "  %p = f32[4] iota", "expect %p == [0, 1, 5, 3]"];
    let folder = Folder::of(&entry(&failing, "%p: tile<ptr<f32>>", &[]));
    folder.write("b.tile", "cuda_tile.module @m { entry @k() { %x = addi %y, %y : tile<i32> } }\n");
    folder.write("c.tile", printing());
    folder
}

#[test]
fn test_reports_one_line_per_launch_in_the_order_of_the_files() {
    let folder = mixed();
    for jobs in ["-j1", "-j2", "--jobs=7"] {
        let output = folder.tile(&["test", jobs, "a.tile", "b.tile", "c.tile"]);
        // Times differ between runs.
        let lines: Vec<&str> = output.out.lines().map(|line| line.split(" (").next().unwrap_or_default()).collect();
        let expected = [
            "ok   a.tile @k \"good\"",
            "FAIL a.tile @k \"bad\"",
            "     a.tile:6: expectation failed",
            "     %p: 1 of 4 elements differs, at [2]",
            "       largest absolute error 3 at [2], largest relative error 0.6 at [2]",
            "         [0]  0",
            "         [1]  1",
            "       - [2]  5  expected",
            "       + [2]  2  got, off by 3",
            "         [3]  3",
            "FAIL b.tile: the program has errors",
            "ok   c.tile @k \"one\"",
            "ok   c.tile @k \"two\"",
            "3 passed, 2 failed",
        ];
        let is_listed = |line: &&str| {
            ['o', 'F', ' ', '3'].iter().any(|&start| line.starts_with(start))
                && !line.contains('│')
                && !line.contains('┌')
        };
        let lines: Vec<&str> = lines.into_iter().filter(is_listed).collect();
        assert_eq!((lines, output.status, output.err.as_str()), (expected.to_vec(), Some(1), ""), "{jobs}");
        // Errors follow the line of their file.
        assert!(output.out.contains("FAIL b.tile: the program has errors\nerror[E0101]"), "{}", output.out);
    }
}

#[test]
fn test_chooses_launches_by_name() {
    let folder = mixed();
    let output = folder.tile(&["test", "--filter=good", "--filter=\"two\"", "a.tile", "c.tile"]);
    assert_eq!((output.status, output.out.lines().count()), (Some(0), 3), "{}", output.out);
    assert!(output.out.ends_with("2 passed, 0 failed\n"));
    // A file with errors is reported only if the filter matches it.
    let output = folder.tile(&["test", "--filter=good", "a.tile", "b.tile"]);
    assert_eq!((output.status, output.out.contains("b.tile")), (Some(0), false), "{}", output.out);
    for filter in ["b.tile", "b"] {
        let output = folder.tile(&["test", "--filter", filter, "b.tile"]);
        assert!(
            output.status == Some(1) && output.out.contains("FAIL b.tile: the program has errors"),
            "{}",
            output.out
        );
    }
    let output = folder.tile(&["test", "--filter=nothing", "a.tile", "c.tile"]);
    assert_eq!((output.out.as_str(), output.err.as_str()), ("0 passed, 0 failed\n", "no launch matches `nothing`\n"));
    assert_eq!(output.status, Some(2));
    let output = folder.tile(&["test", "--filter=nothing", "--allow-empty", "a.tile", "c.tile"]);
    assert_eq!(output.status, Some(0));
}

#[test]
fn a_broken_project_file_fails_the_test() {
    let folder = mixed();
    folder.write("tile.toml", "[lints]\nno-such-lint = \"off\"\n");
    let output = folder.tile(&["test", "a.tile", "c.tile"]);
    assert_eq!((output.status, output.out.as_str()), (Some(2), ""));
    assert!(
        output.err.ends_with("tile.toml:2: unknown lint `no-such-lint`; `tile explain` lists them all\n")
            || output.err.contains("tile.toml:2: unknown lint `no-such-lint`"),
        "{}",
        output.err
    );
    assert_eq!(output.err.lines().count(), 1, "the error is reported once: {}", output.err);
}

#[test]
fn test_prints_json() {
    let output = mixed().tile(&["test", "--output-format=json-lines", "a.tile", "b.tile", "no.tile", "c.tile"]);
    assert_eq!((output.status, output.err.as_str()), (Some(2), ""));
    let events = output.events();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(kinds, ["launch", "launch", "refused", "unreadable", "launch", "launch", "done"]);
    let (bad, refused, done) = (&events[1], &events[2], &events[6]);
    assert_eq!([&bad["file"], &bad["entry"], &bad["launch"]], ["a.tile", "k", "bad"]);
    assert_eq!((&bad["row"], &bad["passed"], &bad["findings"]), (&4.into(), &false.into(), &Value::Array(vec![])));
    let differences = &bad["expectations"][0]["differences"];
    let expected = r#"{"differ":1,"elements":4,"first":[2],"largest_absolute":3.0,"largest_relative":0.6}"#;
    assert_eq!(differences, &serde_json::from_str::<Value>(expected).expect("JSON"));
    assert_eq!((&refused["file"], &refused["findings"][0]["code"]), (&"b.tile".into(), &"E0101".into()));
    assert_eq!([&done["passed"], &done["failed"], &done["unreadable"]], [3, 2, 1]);
}

/// A program with nested loops, a reduction, a large tile, pointers and a view.
pub(crate) fn watched() -> String {
    let body = [
        "%zero = constant <i32: 0> : tile<i32>",
        "%one = constant <i32: 1> : tile<i32>",
        "%two = constant <i32: 2> : tile<i32>",
        "%block:3 = get_tile_block_id : tile<i32>",
        "%sum = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {",
        "  %inner = for %j in (%zero to %two, step %one) : tile<i32> iter_values(%t = %s) -> (tile<i32>) {",
        "    %x = addi %t, %j : tile<i32>",
        "    continue %x : tile<i32>",
        "  }",
        "  continue %inner : tile<i32>",
        "}",
        "%large = iota : tile<128xi32>",
        "%small = constant <f32: [[0.1, -2.0], [3.0, 0x7FC00000]]> : tile<2x2xf32>",
        "%same = constant <f32: 2.5> : tile<16x16xf32>",
        "%four = iota : tile<4xi32>",
        "%base = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>",
        "%all = broadcast %base : tile<1xptr<f32>> -> tile<4xptr<f32>>",
        "%places = offset %all, %four : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>",
        "%mask = cmpi less_than %four, %four, signed : tile<4xi32> -> tile<4xi1>",
        "%numbers, %read = load_ptr_tko weak %places : tile<4xptr<f32>> -> tile<4xf32>, token",
        "%none = store_ptr_tko weak %places, %numbers, %mask : tile<4xptr<f32>>, tile<4xf32>, tile<4xi1> -> token",
        "%view = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>",
        "%total = reduce %numbers dim = 0 identities = [0.0 : f32] : tile<4xf32> -> tile<f32>",
        "(%so_far: tile<f32>, %element: tile<f32>) {",
        "  %more = addf %so_far, %element : tile<f32>",
        "  yield %more : tile<f32>",
        "}",
        "print_tko \"done\\n\" -> token",
    ];
    entry(&["launch grid=(2, 1, 1)", "  %p = f32[4] [1, 2, 3, 4]"], "%p: tile<ptr<f32>>", &body)
}

/// The traces of these values, without the name of the file.
fn traced(arguments: &[&str]) -> Vec<String> {
    let output = Folder::of(&watched()).tile(&[&["run", "a.tile", "--trace-block=1"], arguments].concat());
    assert_eq!((output.status, output.out.as_str()), (Some(0), "done\ndone\n"), "{}", output.err);
    output.err.lines().map(|line| line.replace("a.tile:", "").replace("in block (1, 0, 0)", "in")).collect()
}

#[test]
fn a_trace_shows_a_value_whenever_it_is_computed() {
    for (name, line) in [
        ("%p", "%p at 4 in: tile<ptr<f32>> %p[0]"),
        ("%block#0", "%block#0 at 8 in: tile<i32> 1"),
        ("%small", "%small at 17 in: tile<2x2xf32> [[0.1, -2], [3, nan]]"),
        ("%same", "%same at 18 in: tile<16x16xf32> all 2.5"),
        ("%large", "%large at 16 in: tile<128xi32> min 0, max 127, mean 63.5, first 0, 1, 2, 3, 4, 5, 6, 7, …"),
        ("%places", "%places at 22 in: tile<4xptr<f32>> [%p[0], %p[1], %p[2], %p[3]]"),
        ("%view", "%view at 26 in: tensor_view<4xf32, strides=[1]> from %p[0], shape [4], strides [1]"),
        ("%read", "%read at 24 in: token token"),
        ("%total", "%total at 27 in: tile<f32> 10"),
    ] {
        assert_eq!(traced(&["--trace", name]), [line]);
    }
    assert_eq!(traced(&["--trace=%block"]).len(), 3, "all values that share the name");
    assert!(traced(&["--trace=%element"])[0].ends_with(": tile<f32> 2 at once: [2, 4]"), "a reduction works in pairs");
    let full = &traced(&["--trace=%large", "--trace-full"])[0];
    assert!(full.starts_with("%large at 16 in: tile<128xi32> [0, 1, ") && full.ends_with(", 126, 127]"), "{full}");
}

/// The lines of a trace, sorted.
fn sorted_trace(folder: &Folder, options: &[&str]) -> Vec<String> {
    let output = folder.tile(&[&["run", "a.tile"], options].concat());
    assert_eq!(output.status, Some(0), "{options:?}: {}", output.err);
    let mut lines: Vec<String> = output.err.lines().map(str::to_string).collect();
    lines.sort();
    lines
}

#[test]
fn delayed_loads_are_traced_with_their_values() {
    let body = [
        "%zero = constant <i32: 0> : tile<i32>",
        "%one = constant <i32: 1> : tile<i32>",
        "%four = constant <i32: 4> : tile<i32>",
        "for %k in (%zero to %four, step %one) : tile<i32> {",
        "  %q = offset %p, %k : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>",
        "  %x, %u = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token",
        "  %y = addi %one, %one : tile<i32>",
        "  continue",
        "}",
        "%z, %end = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token",
    ];
    let folder = Folder::of(&entry(&["launch", "  %p = i32[4] [5, 6, 7, 8]"], "%p: tile<ptr<i32>>", &body));
    let plain = sorted_trace(&folder, &["--trace=%x", "--trace=%z"]);
    assert_eq!(plain.len(), 5, "{plain:?}");
    assert!(plain.iter().any(|line| line.ends_with("iteration 3: tile<i32> 8")), "{plain:?}");
    for seed in 0..10 {
        let seed = format!("--schedule=seed={seed}");
        assert_eq!(sorted_trace(&folder, &["--trace=%x", "--trace=%z", &seed]), plain, "{seed}");
        let counted = folder.tile(&["run", "--profile", "--output-format=json-lines", &seed, "a.tile"]);
        let profile = counted.events_of("profile").remove(0);
        let ops = profile["ops"].as_array().expect("a list").clone();
        let runs = |row: u32| ops.iter().find(|op| op["row"] == row).map(|op| op["runs"].clone());
        assert_eq!((runs(10), runs(14)), (Some(4.into()), Some(1.into())), "{seed}: {profile}");
    }
}

#[test]
fn each_call_of_a_reduction_function_is_traced() {
    let body = [
        "%i = iota : tile<4xi32>",
        "%s = reduce %i dim = 0 identities = [0 : i32] : tile<4xi32> -> tile<i32>",
        "(%acc: tile<i32>, %e: tile<i32>) {",
        "  %c = addi %acc, %e : tile<i32>",
        "  yield %c : tile<i32>",
        "}",
    ];
    let folder = Folder::of(&entry(&["launch"], "", &body));
    let plain = sorted_trace(&folder, &["--trace=%c"]);
    assert_eq!(plain.len(), 3, "two halvings and the identity: {plain:?}");
    // The sanitizer's own calls of the function are not traced.
    assert_eq!(sorted_trace(&folder, &["--trace=%c", "--sanitize"]), plain);
}

#[test]
fn a_trace_comes_in_the_order_of_the_blocks() {
    let output =
        Folder::of(&watched()).tile(&["run", "--trace=%sum", "--trace=%large", "--output-format=json-lines", "a.tile"]);
    let events = output.events_of("trace");
    let order: Vec<(&str, &Value)> =
        events.iter().filter_map(|event| Some((event["name"].as_str()?, &event["block"][0]))).collect();
    let (zero, one) = (Value::from(0), Value::from(1));
    assert_eq!(order, [("%sum", &zero), ("%large", &zero), ("%sum", &one), ("%large", &one)]);
    assert_eq!(
        (&events[0]["type"], &events[0]["value"], &events[0]["row"]),
        (&"tile<i32>".into(), &"2".into(), &9.into())
    );
    assert_eq!((&events[1]["summary"]["mean"], &events[1]["iterations"]), (&63.5.into(), &Value::Array(vec![])));
}

#[test]
fn an_invalid_trace_is_reported_before_anything_runs() {
    let folder = Folder::of(&watched());
    for (arguments, message) in [
        (["--trace=%larg", "--trace=%x"], "`--trace`: `@k` has no value `%larg`: did you mean `%large`?"),
        (["--trace=%block#3", "--trace=%x"], "`--trace`: `@k` has no value `%block#3`: did you mean `%block`?"),
        (["--profile", "--target=cuda"], "`--profile` is only supported by the CPU engine; remove `--target`"),
        (["--trace=%x", "--target=cuda:1"], "`--trace` is only supported by the CPU engine; remove `--target`"),
        (
            ["--trace=%x", "--trace-block=1,1"],
            "`--trace`: tile block (1, 1, 0) does not exist: the grid goes from (0, 0, 0) to (1, 0, 0)",
        ),
    ] {
        let output = folder.tile(&[&["run", "a.tile"], &arguments[..]].concat());
        assert_eq!((output.status, output.out.as_str(), output.err), (Some(2), "", format!("error: {message}\n")));
    }
}

#[test]
fn a_profile_counts_runs_and_bytes_by_op() {
    let folder = Folder::of(&watched());
    let output = folder.tile(&["run", "--profile", "--output-format=json-lines", "a.tile"]);
    let profile = output.events_of("profile").remove(0);
    let ops = profile["ops"].as_array().expect("a list").clone();
    let of = |row: u32| ops.iter().find(|op| op["row"] == row).expect("an op in this row").clone();
    let counts = |row| [of(row)["runs"].clone(), of(row)["read"].clone(), of(row)["written"].clone()];
    assert_eq!(counts(11), [8, 0, 0], "addi, in two loops and two blocks");
    assert_eq!(counts(24), [2, 32, 0], "a load of four elements of 4 bytes");
    assert_eq!(counts(25), [2, 0, 0], "a store with an empty mask");
    assert_eq!((&of(24)["op"], &of(9)["op"]), (&"load_ptr_tko".into(), &"for".into()));
    let seconds: Vec<f64> = ops.iter().filter_map(|op| op["seconds"].as_f64()).collect();
    assert!(seconds.len() == ops.len() && seconds.is_sorted_by(|a, b| a >= b), "{seconds:?}");
    let share: f64 = ops.iter().filter_map(|op| op["share"].as_f64()).sum();
    assert!((share - 1.0).abs() < 1e-9, "{share}");
    let output = folder.tile(&["run", "--profile", "a.tile"]);
    assert_eq!((output.status, output.out.as_str()), (Some(0), "done\ndone\n"));
    let head: Vec<&str> = output.err.lines().next().unwrap_or_default().split_whitespace().collect();
    assert_eq!(head, ["line", "op", "runs", "time", "share", "read", "written", "source"]);
    assert!(
        output.err.contains("%x = addi %t, %j : tile<i32>\n") && output.err.contains(" 32 bytes "),
        "{}",
        output.err
    );
}

#[test]
fn a_run_that_stops_early_has_a_profile_too() {
    let body =
        ["%one = constant <i32: 1> : tile<i32>", "loop {", "  %x = addi %one, %one : tile<i32>", "  continue", "}"];
    let folder = Folder::of(&entry(&["launch"], "", &body));
    let run = |seconds| folder.tile(&["run", "--profile", &format!("--timeout={seconds}"), "a.tile"]);
    // The loop must begin within the limit.
    let (_, output) = with_time_limit(1, run, |output| !output.err.contains("%x = addi"));
    assert_eq!(output.status, Some(1));
    assert!(output.err.contains("error[R0402]") && output.err.contains("%x = addi %one, %one"), "{}", output.err);
}

/// A kernel that never ends.
fn endless() -> Folder {
    Folder::of(&entry(&["launch"], "", &["loop {", "  continue", "}"]))
}

#[test]
fn no_progress_is_shown_without_a_terminal() {
    let output = endless().tile(&["run", "--timeout=1.6", "a.tile"]);
    assert_eq!(output.status, Some(1));
    assert!(!output.err.contains(['\r', '\x1b']) && !output.err.contains("running"), "{}", output.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_the_progress_of_a_run_and_is_clean_afterwards() {
    let folder = endless();
    let run = |seconds| {
        let mut terminal = OnTerminal::start(&mut folder.command(&["run", &format!("--timeout={seconds}"), "a.tile"]))?;
        let mut text = String::new();
        while terminal.read(&mut text) {}
        io::Result::Ok(text)
    };
    // The seconds shown depend on the load of the machine.
    let shown = "\r\x1b[Krunning, 0:0";
    let (seconds, text) = with_time_limit(3, run, |text| text.as_ref().is_ok_and(|text| !text.contains(shown)));
    let text = match text {
        Ok(text) => text,
        Err(error) => return skip::skipped(format_args!("no terminal can be opened: {error}")),
    };
    assert!(text.contains(shown), "{text:?}");
    let (_, end) = text.rsplit_once("\r\x1b[K").expect("the line is cleared");
    assert!(!end.contains("running") && end.contains(&format!("the run timed out after {seconds}s")), "{text:?}");
}
