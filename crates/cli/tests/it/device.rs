//! Runs on a simulated GPU: a library stands in for the driver (`driver/libcuda.rs`), and a script for the compiler.
//! The worker behaves as on a real GPU.

use crate::editor::{Client, URI};
use crate::harness::{CommandOutput, Folder};
use serde_json::{Value, json};

/// A program with an entry for each kind of behavior, which the compiler chooses by the entry's name in the bytecode.
const PROGRAM: &str = "cuda_tile.module @m {
  //@ launch
  //@   %x = f32[4] iota
  //@   %y = f32[4] zeros
  //@ expect %y ~= 2 * %x
  entry @adds(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    print_tko \"adding\\n\" -> token
    %all = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %from = make_partition_view %all : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %in, %loaded = load_view_tko weak %from[%zero]
        : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %out = addf %in, %in : tile<4xf32>
    %result = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %to = make_partition_view %result : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    store_view_tko weak %out, %to[%zero]
        : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
  }
  //@ launch
  entry @faults() {
  }
  //@ launch
  entry @hangs() {
  }
}
";

/// A compiler that chooses the code by the name of the entry.
const COMPILER: &str = r#"for last; do :; done
if grep -q faults "$last"; then printf 'fail 700\n\0'
elif grep -q hangs "$last"; then printf 'hang\n\0'
else printf 'print \001print 0\002adding\nadd 0 0 1\n\0'; fi > "$out""#;

fn folder() -> Folder {
    let folder = Folder::with_gpu(COMPILER);
    folder.write("a.tile", PROGRAM);
    folder
}

fn on(folder: &Folder, gpu: &str, arguments: &[&str]) -> CommandOutput {
    CommandOutput::from(folder.command(arguments).env("CUDA_STAND_IN_GPU", gpu).output().expect("the command runs"))
}

#[test]
fn a_run_computes_prints_and_is_compared() {
    let folder = folder();
    let run = ["run", "a.tile", "--target", "cuda", "--compare", "cpu", "--bench", "5"];
    let output = folder.tile(&run);
    assert_eq!((output.status, output.out.as_str()), (Some(0), "adding\n"), "{}", output.err);
    for words in ["%y: same as on the CPU", "Stand-in: median of 5 runs 250.00 µs", "1 of 1 expectations met"] {
        assert!(output.err.contains(words), "{}", output.err);
    }
    let launches = folder.driver_calls().iter().filter(|call| *call == "launch 1 1 1").count();
    assert_eq!((launches, folder.calls().len()), (1 + 2 + 5, 1), "the run itself, the warm-up and the timed runs");
    assert_eq!(folder.tile(&run).status, Some(0));
    folder.write("a.tile", PROGRAM.replace("@hangs", "@waits"));
    assert_eq!(folder.tile(&run).status, Some(0));
    assert_eq!(folder.calls().len(), 1, "further runs compile nothing, even after changes of other entries");
}

#[test]
fn a_gradient_runs_its_forward_kernel_on_the_cpu_engine() {
    let folder = folder();
    let lines = "//@   %w = f32[4] [1, 2, 3, 4]\n  //@ expect grad(%y, %x, %w) ~= 2 * %w\n  //@ expect %y ~= 2 * %x";
    folder.write("a.tile", PROGRAM.replacen("//@ expect %y ~= 2 * %x", lines, 1));
    let output = folder.tile(&["run", "a.tile", "--target", "cuda"]);
    assert!(output.status == Some(0) && output.err.contains("2 of 2 expectations met"), "{}", output.err);
    assert_eq!(output.out, "adding\n", "the runs for the gradient print nothing");
    assert_eq!(folder.driver_calls().iter().filter(|call| call.starts_with("launch")).count(), 1);
}

/// Reads two elements whose addresses are in a list, through a pointer that is given as an address.
const LISTS: &str = "cuda_tile.module @m {
  //@ launch
  //@   %a = f32[4] iota
  //@   %b = f32[2] [10, 20]
  //@   %lists = i64[2, 2] [[0, 0], [&%b + 1, &%a[3]]]
  //@   %list = &%lists[1]
  //@   %out = f32[2] zeros
  //@ expect %out == [20, 3]
  //@ expect %lists == %lists
  entry @gathers(%list: tile<ptr<i64>>, %out: tile<ptr<f32>>) {
    %i = iota : tile<2xi32>
    %one = reshape %list : tile<ptr<i64>> -> tile<1xptr<i64>>
    %both = broadcast %one : tile<1xptr<i64>> -> tile<2xptr<i64>>
    %places = offset %both, %i : tile<2xptr<i64>>, tile<2xi32> -> tile<2xptr<i64>>
    %addresses, %1 = load_ptr_tko weak %places : tile<2xptr<i64>> -> tile<2xi64>, token
    %from = int_to_ptr %addresses : tile<2xi64> -> tile<2xptr<f32>>
    %x, %2 = load_ptr_tko weak %from : tile<2xptr<f32>> -> tile<2xf32>, token
    %first = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all = broadcast %first : tile<1xptr<f32>> -> tile<2xptr<f32>>
    %to = offset %all, %i : tile<2xptr<f32>>, tile<2xi32> -> tile<2xptr<f32>>
    store_ptr_tko weak %to, %x : tile<2xptr<f32>>, tile<2xf32> -> token
  }
}
";

#[test]
fn addresses_are_those_of_the_gpus_memory() {
    let folder = Folder::with_gpu("printf 'gather 0 1\\n\\0' > \"$out\"");
    folder.write("a.tile", LISTS);
    let output =
        folder.tile(&["run", "a.tile", "--target", "cuda", "--compare", "cpu", "--bench", "2", "--save", "%b=b.npy"]);
    assert_eq!(output.status, Some(0), "{}", output.err);
    for words in ["%lists: same as on the CPU", "%out: same as on the CPU", "2 of 2 expectations met"] {
        assert!(output.err.contains(words), "{}", output.err);
    }
    let npy = std::fs::read(folder.path("b.npy")).expect("a buffer that is not a parameter is saved too");
    assert!(npy.ends_with(&[10f32.to_le_bytes(), 20f32.to_le_bytes()].concat()));
}

#[test]
fn replicas_are_refused_at_their_directive() {
    let folder = folder();
    for (launch, params, row, words) in [
        (
            "%x = f32[4] replicas=2 zeros",
            "%x: tile<ptr<f32>>",
            3,
            "`%x` has 2 replicas, but a single GPU supports only one",
        ),
        (
            "%x = f32[4] zeros",
            "%x: tile<ptr<f32, <multicast>>>",
            3,
            "`%x` is a multicast pointer, which needs several GPUs",
        ),
        (
            "%x = f32[4] zeros\n  //@   %m = multicast(%x)",
            "%x: tile<ptr<f32>>, %m: tile<i64>",
            4,
            "`multicast(%x)` is a multicast object, which needs several GPUs",
        ),
    ] {
        let program =
            format!("cuda_tile.module @m {{\n  //@ launch\n  //@   {launch}\n  entry @k({params}) {{\n  }}\n}}\n");
        folder.write("b.tile", &program);
        let output = folder.tile(&["run", "b.tile", "--target", "cuda"]);
        let at = format!("b.tile:{row}:9");
        assert!(output.status == Some(1) && output.err.contains(words) && output.err.contains(&at), "{}", output.err);
        let output = folder.tile(&["test", "b.tile", "--target", "cuda"]);
        assert!(output.out.contains(&format!("skip b.tile @k: {words}\n")), "{}{}", output.out, output.err);
        assert_eq!(folder.tile(&["run", "b.tile"]).status, Some(0));
    }
    // A GPU supports one replica.
    let one = PROGRAM.replace("%x = f32[4] iota", "%x = f32[4] replicas=1 iota");
    folder.write("a.tile", one.replace("expect %y ~= 2 * %x", "expect %y ~= 2 * %x[0]"));
    assert_eq!(folder.tile(&["run", "a.tile", "--target", "cuda"]).status, Some(0));
}

#[test]
fn an_unsuitable_machine_is_reported_before_anything_runs() {
    let folder = folder();
    for (gpu, target, words) in [
        ("driver=12080", "cuda", "the NVIDIA driver supports CUDA 12.8, but Tile IR needs CUDA 13.0"),
        ("capability=7.5 name=T4", "cuda", "T4 has architecture sm_75, but Tile IR needs sm_80 or later"),
        ("capability=12.0", "cuda", "does not support sm_120, only sm_80, sm_90"),
        ("count=0", "cuda", "the NVIDIA driver finds no GPU"),
        ("count=2", "cuda:2", "GPU 2 does not exist: the GPUs of this machine are numbered from 0 to 1"),
    ] {
        let output = on(&folder, gpu, &["run", "a.tile", "--target", target]);
        assert!(output.status == Some(2) && output.err.contains(words), "{gpu}: {:?} {}", output.status, output.err);
        let doctor = on(&folder, gpu, &["doctor"]);
        assert_eq!(doctor.status, Some(i32::from(gpu != "count=2")), "{}", doctor.out);
    }
    assert!(!folder.driver_calls().iter().any(|call| call.starts_with("launch")));
}

/// An entry that needs sm_100 or later, and one that runs on every GPU.
const SCALES: &str = "cuda_tile.module @m {
  //@ launch
  entry @k() {
    %a = constant <f8E8M0FNU: 1.0> : tile<f8E8M0FNU>
  }
  //@ launch
  entry @other() {
  }
}
";

/// The target chosen in the editor is also the GPU to check against; a run on the CPU ignores it.
#[test]
fn an_editor_checks_against_the_gpu_of_its_target() {
    let folder = folder();
    let options = json!({ "settings": { "run": { "target": "cuda" } } });
    let mut client = Client::started(folder.command(&[]).env("CUDA_STAND_IN_GPU", "capability=8.9"), options);
    client.open(SCALES);
    let found = client.wait_for(|message| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["diagnostics"][0]["code"] == "E0804"
    });
    let found = &found["diagnostics"][0];
    assert_eq!(found["range"]["start"]["line"], 3, "{found}");
    assert_eq!(found["message"].as_str().map(|text| text.contains("the target is sm_89")), Some(true), "{found}");
    let target = json!({ "uri": URI, "entry": "k", "sanitize": false, "target": "cpu" });
    let ran = client.execute("tile.run", target).expect("the run succeeds");
    assert_eq!(ran["passed"], true, "{ran}");
}

#[test]
fn unsupported_types_are_reported_at_their_op() {
    let folder = Folder::with_gpu("printf '\\0' > \"$out\"");
    folder.write("scales.tile", SCALES);
    let output = on(&folder, "capability=9.0", &["run", "scales.tile", "--target", "cuda"]);
    let words = "error[E0804]: `f8E8M0FNU` needs sm_100 or later, but the target is sm_90";
    assert!(output.status == Some(1) && output.err.contains(words), "{:?} {}", output.status, output.err);
    assert!(output.err.contains("scales.tile:4:10"), "{}", output.err);
    assert_eq!(folder.calls(), [""; 0], "the compiler is not started");
    let other = on(&folder, "capability=9.0", &["run", "scales.tile", "--target", "cuda", "--entry", "other"]);
    assert_eq!(other.status, Some(0), "unsupported types in other entries do not matter: {}", other.err);
    assert_eq!(
        on(&folder, "capability=9.0", &["run", "scales.tile"]).status,
        Some(0),
        "the CPU engine supports every type"
    );
}

#[test]
fn runs_succeed_after_a_kernel_that_fails_or_hangs() {
    let folder = folder();
    let run = |entry: &str| folder.tile(&["run", "a.tile", "--target", "cuda", "--entry", entry]);
    let good = || assert_eq!(run("adds").status, Some(0));
    let fault = run("faults");
    assert!(fault.status == Some(1) && fault.err.contains("R0102"), "{}", fault.err);
    good();
    let hang = folder.tile(&["run", "a.tile", "--target", "cuda", "--entry", "hangs", "--timeout", "3"]);
    assert!(hang.status == Some(1) && hang.err.contains("R0402"), "{}", hang.err);
    good();
    // Also one after the other in a single command.
    let output =
        folder.tile(&["test", "a.tile", "--target", "cuda", "-j1", "--filter", "@adds", "--filter", "@faults"]);
    assert!(output.status == Some(1) && output.out.contains("1 passed, 1 failed"), "{}{}", output.out, output.err);
    folder.write("a.tile", PROGRAM.replace("@adds", "@z").replace("@faults", "@a_faults"));
    let text = std::fs::read_to_string(folder.path("a.tile")).expect("the file exists");
    let (head, rest) =
        text.split_once("  //@ launch\n  entry @a_faults() {\n  }\n").expect("the program contains the entry");
    let (open, head) = head.split_at(head.find('\n').expect("a line") + 1);
    folder.write("a.tile", format!("{open}  //@ launch\n  entry @a_faults() {{\n  }}\n{head}{rest}"));
    let output = folder.tile(&["test", "a.tile", "--target", "cuda", "-j1", "--filter", "@z", "--filter", "@a_faults"]);
    assert!(
        output.out.find("FAIL") < output.out.find("ok  ") && output.out.contains("1 passed, 1 failed"),
        "{}",
        output.out
    );
}

#[test]
fn a_launch_sets_the_tolerance_of_a_comparison() {
    let folder = folder();
    // The stand-in computes 2 x, the program x * x.
    let program = PROGRAM.replace("addf %in, %in", "mulf %in, %in");
    for (expect, passed, words) in [
        ("%y ~= 2 * %x", false, "exceeds the tolerance of f32)"),
        ("%y ~= 2 * %x atol=3", true, "(within the tolerance of the launch, rtol 1e-5, atol 3.0)"),
        ("%y ~= 2 * %x atol=0.5", false, "(exceeds the tolerance of the launch, rtol 1e-5, atol 0.5)"),
    ] {
        folder.write("a.tile", program.replace("%y ~= 2 * %x", expect));
        let output = folder.tile(&["run", "a.tile", "--target", "cuda", "--compare", "cpu"]);
        assert_eq!(output.status, Some(i32::from(!passed)), "{expect}: {}", output.err);
        assert!(output.err.contains("1 of 1 expectations met"), "{expect}: {}", output.err);
        assert!(
            output.err.contains("the first at [1]: 2 instead of 1") && output.err.contains(words),
            "{}",
            output.err
        );
    }
}

/// A compiler that requires these words in the bytecode, and generates code that prints out of order. The first words
/// belong to the lock around the prints of several tile blocks, the others to the encoded formats.
const PRINTER: &str = r#"for last; do :; done
for words in tile_print_lock 'row %lli of <%i>' ':%u:%u'; do
  grep -q -e "$words" "$last" || { echo "error: no $words"; exit 1; }
done
printf 'print \001print 7:0:1\002third\nprint \001print 7:1:0\002second\nprint \001print 7:0:0\002first\nprint \001print 7:1:1\002last\n\0' > "$out""#;

#[test]
fn tile_blocks_print_in_the_order_of_the_grid() {
    let folder = Folder::with_gpu(PRINTER);
    let program = "cuda_tile.module @m {
  //@ launch grid=(2, 1, 2)
  //@ expect print \"first\\nsecond\\nthird\\nlast\\n\"
  entry @prints() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %row = exti %x signed : tile<i32> -> tile<i64>
    print_tko \"row %i of <%> and <%>, if\\n\", %row, %z, %z : tile<i64>, tile<i32>, tile<i32> -> token
  }
}
";
    folder.write("a.tile", program);
    let output = folder.tile(&["run", "a.tile", "--target", "cuda"]);
    assert_eq!((output.status, output.out.as_str()), (Some(0), "first\nsecond\nthird\nlast\n"), "{}", output.err);
    let output = folder.tile(&["run", "a.tile", "--target", "cuda", "--output-format", "json-lines"]);
    let blocks = output.out.lines().filter_map(|line| {
        let event: Value = serde_json::from_str(line).expect("JSON");
        (event["event"] == "print").then(|| event["block"].clone())
    });
    let expected = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]].map(|block| json!(block));
    assert_eq!(blocks.collect::<Vec<_>>(), expected, "{}", output.out);
}

const NARROW_GATHER: &str = "cuda_tile.module @m {
  //@ launch
  //@   %p = f32[8] iota
  entry @k(%p: tile<ptr<f32>>) {
    %rows = iota : tile<4xi8>
    %all = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %some = make_gather_scatter_view %all
        : gather_scatter_view<tile=(4), tensor_view<8xf32, strides=[1]>, sparse_dim=0>
    %tile, %loaded = load_view_tko weak %some[%rows]
        : gather_scatter_view<tile=(4), tensor_view<8xf32, strides=[1]>, sparse_dim=0>, tile<4xi8>
        -> tile<4xf32>, token
  }
}
";

#[test]
fn unsupported_launches_are_skipped() {
    let folder = Folder::with_gpu(
        r#"for last; do :; done
if grep -q narrow "$last"; then
  echo "error: Incompatibility with architecture 'sm_90': unsupported type 'f8E8M0FNU'" >&2
  exit 3
elif grep -q wrong "$last"; then echo "error: no" >&2; exit 3
fi
printf '\0' > "$out""#,
    );
    let entry = |name: &str, directives: &str| format!("  //@ launch\n{directives}  entry @{name}() {{\n  }}\n");
    let expects = entry("overflows", "  //@ expect error R0203\n");
    let program = format!("cuda_tile.module @m {{\n{}{}{expects}}}\n", entry("fine", ""), entry("narrow", ""));
    folder.write("a.tile", &program);
    let output = folder.tile(&["test", "a.tile", "--target", "cuda"]);
    assert_eq!(output.status, Some(0), "{}{}", output.out, output.err);
    for words in [
        "skip a.tile @narrow: Incompatibility with architecture 'sm_90': unsupported type 'f8E8M0FNU'\n",
        "skip a.tile @overflows: it expects R0203, which only the CPU engine detects\n",
        "1 passed, 0 failed, 2 skipped\n",
    ] {
        assert!(output.out.contains(words), "{}", output.out);
    }
    assert_eq!(folder.driver_calls().iter().filter(|call| call.starts_with("launch")).count(), 1);
    let output = folder.tile(&["test", "a.tile", "--target", "cuda", "--output-format", "json-lines"]);
    let lines: Vec<Value> = output.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines[1]["passed"] == false && lines[1]["skipped"].as_str().expect("why").contains("f8E8M0FNU"));
    assert_eq!((&lines[3]["passed"], &lines[3]["skipped"]), (&json!(1), &json!(2)));
    // `tile run` reports the reason, and fails.
    for (name, words) in [("narrow", "E0803"), ("overflows", "the launch was not run: it expects R0203")] {
        let output = folder.tile(&["run", "a.tile", "--entry", name, "--target", "cuda"]);
        assert!(output.status == Some(1) && output.err.contains(words), "{name}: {}", output.err);
    }
    // The compiler rejects narrow indices of gathers without a message.
    let silent = Folder::with_gpu("exit 3");
    silent.write("a.tile", NARROW_GATHER);
    let output = silent.tile(&["test", "a.tile", "--target", "cuda"]);
    let words = "skip a.tile @k: gathers and scatters with `i8` indices are not supported";
    assert!(output.status == Some(0) && output.out.contains(words), "{}", output.out);
    let output = silent.tile(&["run", "a.tile", "--target", "cuda"]);
    assert!(output.status == Some(1) && output.err.contains("extend the indices to `i32`"), "{}", output.err);
    silent.write("a.tile", NARROW_GATHER.replace("i8", "i32"));
    let output = silent.tile(&["test", "a.tile", "--target", "cuda"]);
    assert!(output.status == Some(1) && output.out.contains("and gives no reason"), "{}", output.out);
    folder.write("a.tile", program.replace("@fine", "@wrong"));
    let output = folder.tile(&["test", "a.tile", "--target", "cuda"]);
    assert!(output.status == Some(1) && output.out.contains("0 passed, 1 failed, 2 skipped"), "{}", output.out);
}

#[test]
fn the_next_launch_runs_after_an_expected_failure() {
    let fails = r"print (unknown):0: tile block: [0, 0, 0], position: []: no\nfail 710\n\0";
    let compiler = format!(
        "for last; do :; done\nif grep -q fails \"$last\"; then printf '{fails}'; else printf '\\0'; fi > \"$out\""
    );
    let folder = Folder::with_gpu(&compiler);
    folder.write(
        "a.tile",
        "cuda_tile.module @m {
  //@ launch
  //@ expect error R0301
  entry @fails() {
    %no = constant <i1: false> : tile<i1>
    assert %no, \"no\" : tile<i1>
  }
  //@ launch
  entry @runs() {
  }
}
",
    );
    let output = folder.tile(&["test", "a.tile", "--target", "cuda", "-j1"]);
    assert!(output.status == Some(0) && output.out.contains("2 passed, 0 failed"), "{}{}", output.out, output.err);
}

#[test]
fn tensor_cores_explain_differences_of_products() {
    let folder = folder();
    // The CPU engine computes 2.001 x, the stand-in 2 x. The difference exceeds the tolerance of f32, but not the
    // precision of fp8 sums.
    let product = |element: &str, factor: &str| {
        let lines = format!(
            "%factor = constant <f32: {factor}> : tile<4xf32>
    %twice = mulf %in, %factor : tile<4xf32>
    %row = reshape %twice : tile<4xf32> -> tile<1x4xf32>
    %a = constant <{element}: 0.0> : tile<1x32x{element}>
    %b = constant <{element}: 0.0> : tile<32x4x{element}>
    %sum = mmaf %a, %b, %row : tile<1x32x{element}>, tile<32x4x{element}>, tile<1x4xf32>
    %out = reshape %sum : tile<1x4xf32> -> tile<4xf32>"
        );
        folder.write("a.tile", PROGRAM.replace("%out = addf %in, %in : tile<4xf32>", &lines));
        folder.tile(&["run", "a.tile", "--target", "cuda", "--compare", "cpu"])
    };
    let within = "(within the precision of tensor cores: sums of 32 products of f8E4M3FN in f32 may be off by 2.8e-3 of \
                  the largest element)";
    for (element, factor, status, words) in [
        ("f8E4M3FN", "2.001", 0, within),
        ("f8E4M3FN", "2.01", 1, "(exceeds the tolerance of f32)"),
        ("f16", "2.001", 1, "(exceeds the tolerance of f32)"),
        ("f32", "2.001", 1, "(exceeds the tolerance of f32)"),
    ] {
        let output = product(element, factor);
        assert!(output.status == Some(status) && output.err.contains(words), "{element} {factor}: {}", output.err);
    }
}

#[test]
fn a_violated_assumption_does_not_stop_a_comparison() {
    let folder = folder();
    let lines = "%one = constant <i32: 1> : tile<i32>
    %aligned = assume div_by<4>, %one : tile<i32>
    %out = addf %in, %in : tile<4xf32>";
    folder.write("a.tile", PROGRAM.replace("%out = addf %in, %in : tile<4xf32>", lines));
    let output = folder.tile(&["run", "a.tile", "--target", "cuda", "--compare", "cpu"]);
    assert!(output.status == Some(0) && !output.err.contains("R0302"), "{}", output.err);
    let output = folder.tile(&["run", "a.tile", "--sanitize"]);
    assert!(output.status == Some(1) && output.err.contains("R0302"), "{}", output.err);
}

#[test]
fn launches_are_distributed_over_several_gpus() {
    let folder = folder();
    let one = PROGRAM.split_once("  //@ launch\n  entry @faults").expect("the program contains the entry").0;
    let one = one.replace("cuda_tile.module @m {\n", "");
    let all: String = (0..8).map(|number| one.replace("@adds", &format!("@adds{number}"))).collect();
    folder.write("a.tile", format!("cuda_tile.module @m {{\n{all}}}\n"));
    let output = on(&folder, "count=2", &["test", "a.tile", "--target", "cuda:0,cuda:1", "-j2"]);
    assert!(output.status == Some(0) && output.out.contains("8 passed"), "{}{}", output.out, output.err);
    let mut opened: Vec<String> = folder.driver_calls().into_iter().filter(|call| call.starts_with("open")).collect();
    opened.sort();
    assert_eq!(opened, ["open 0", "open 1"]);
}

#[test]
fn runs_of_an_editor_open_the_gpu_once() {
    let folder = folder();
    let mut client = Client::started(&mut folder.command(&[]), json!({}));
    client.open(PROGRAM);
    let mut run = |entry: &str| {
        client.messages.clear();
        let target = json!({ "uri": URI, "entry": entry, "sanitize": false, "target": "cuda" });
        let ran = client.execute("tile.run", target).unwrap_or_default();
        (ran["passed"] == true, client.written("stdout"))
    };
    let opened = || folder.driver_calls().iter().filter(|call| *call == "open 0").count();
    let good = (true, "adding\n".to_string());
    assert_eq!((run("adds"), run("adds"), opened()), (good.clone(), good.clone(), 1));
    assert!(!run("faults").0);
    assert_eq!((run("adds"), opened()), (good, 2), "after a failed kernel, a new worker opens the GPU again");
}

/// Doubles rows of three elements with a stride of four. The stand-in doubles all elements of the buffers.
const PADDED: &str = r#"cuda_tile.module @m {
  //@ launch
  //@   %x = f32[8] fill(1)
  //@   %y = f32[8] zeros
  entry @padded(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %yt = make_tensor_view %y, shape = [2, 3], strides = [4, 1] : tensor_view<2x3xf32, strides=[4,1]>
    %xt = make_tensor_view %x, shape = [2, 3], strides = [4, 1] : tensor_view<2x3xf32, strides=[4,1]>
    %yv = make_partition_view %yt : partition_view<tile=(2x4), padding_value = zero, tensor_view<2x3xf32, strides=[4,1]>>
    %xv = make_partition_view %xt : partition_view<tile=(2x4), padding_value = zero, tensor_view<2x3xf32, strides=[4,1]>>
    %a, %ta = load_view_tko weak %xv[%zero, %zero] : partition_view<tile=(2x4), padding_value = zero, tensor_view<2x3xf32, strides=[4,1]>>, tile<i32> -> tile<2x4xf32>, token
    %sum = addf %a, %a : tile<2x4xf32>
    %t = store_view_tko weak %sum, %yv[%zero, %zero] : tile<2x4xf32>, partition_view<tile=(2x4), padding_value = zero, tensor_view<2x3xf32, strides=[4,1]>>, tile<i32> -> token
  }
}
"#;

#[test]
fn writes_of_a_gpu_between_rows_are_reported() {
    let folder = folder();
    folder.write("padded.tile", PADDED);
    let run = ["run", "padded.tile", "--target", "cuda", "--compare", "cpu"];
    let output = folder.tile(&run);
    let words = "%y: 2 of 8 elements differ from the CPU, the first at [3]: 2 instead of 0";
    let outside = "2 of these are outside the tensor views, the first at [3]: the GPU wrote outside the view";
    assert_eq!(output.status, Some(1), "{}", output.err);
    assert!(output.err.contains(words) && output.err.contains(outside), "{}", output.err);
    let json = folder.tile(&[&run[..], &["--output-format", "json-lines"]].concat());
    assert!(json.out.contains(r#""outside":{"count":2,"first":[3]}"#), "{}", json.out);
}
