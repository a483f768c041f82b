//! Runs on a GPU that is not there: a library stands in for its driver (`driver/libcuda.rs`), a script for the compiler.
//! What the worker does is what it does on a real one.
#![cfg(target_os = "linux")]

mod place;

use place::{Place, Said, said};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// A program with an entry for each thing that a kernel may do; the compiler finds the entry's name in the bytecode.
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

/// What the compiler makes of an entry by its name.
const COMPILER: &str = r#"for last; do :; done
if grep -q faults "$last"; then printf 'fail 700\n\0'
elif grep -q hangs "$last"; then printf 'hang\n\0'
else printf 'print \0010\002adding\nadd 0 0 1\n\0'; fi > "$out""#;

fn place() -> Place {
    let place = Place::with_gpu(COMPILER);
    place.write("a.tile", PROGRAM);
    place
}

fn on(place: &Place, gpu: &str, arguments: &[&str]) -> Said {
    said(place.command(arguments).env("STAND_IN_GPU", gpu).output().expect("it runs"))
}

#[test]
fn a_run_computes_prints_and_is_compared() {
    let place = place();
    let run = ["run", "a.tile", "--target", "cuda", "--compare", "cpu", "--bench", "5"];
    let told = place.tile(&run);
    assert_eq!((told.status, told.out.as_str()), (Some(0), "adding\n"), "{}", told.err);
    for words in ["%y: as on the CPU", "Stand-in: median of 5 runs 250.00 µs", "1 of 1 expectations met"] {
        assert!(told.err.contains(words), "{}", told.err);
    }
    let launches = place.driver_calls().iter().filter(|call| *call == "launch 1 1 1").count();
    assert_eq!((launches, place.calls().len()), (1 + 2 + 5, 1), "once, to warm up, and as often as was asked for");
    assert_eq!(place.tile(&run).status, Some(0));
    place.write("a.tile", &PROGRAM.replace("@hangs", "@waits"));
    assert_eq!(place.tile(&run).status, Some(0));
    assert_eq!(place.calls().len(), 1, "further runs compile nothing, also behind changes of other entries");
}

/// Two elements whose addresses are in a list, through a pointer that is an address itself.
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
    let place = Place::with_gpu("printf 'gather 0 1\\n\\0' > \"$out\"");
    place.write("a.tile", LISTS);
    let told =
        place.tile(&["run", "a.tile", "--target", "cuda", "--compare", "cpu", "--bench", "2", "--save", "%b=b.npy"]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    for words in ["%lists: as on the CPU", "%out: as on the CPU", "2 of 2 expectations met"] {
        assert!(told.err.contains(words), "{}", told.err);
    }
    let npy = std::fs::read(place.path("b.npy")).expect("a buffer that is no parameter is saved too");
    assert!(npy.ends_with(&[10f32.to_le_bytes(), 20f32.to_le_bytes()].concat()));
}

#[test]
fn replicas_are_refused_at_their_directive() {
    let place = place();
    for (launch, params, row, words) in [
        (
            "%x = f32[4] replicas=2 zeros",
            "%x: tile<ptr<f32>>",
            3,
            "`%x` has 2 replicas, and one GPU has memory for one",
        ),
        (
            "%x = f32[4] zeros",
            "%x: tile<ptr<f32, <multicast>>>",
            3,
            "`%x` is a multicast pointer, and one GPU has no multicast object",
        ),
        (
            "%x = f32[4] zeros\n  //@   %m = multicast(%x)",
            "%x: tile<ptr<f32>>, %m: tile<i64>",
            4,
            "`multicast(%x)` is a multicast object, and one GPU has none",
        ),
    ] {
        let program =
            format!("cuda_tile.module @m {{\n  //@ launch\n  //@   {launch}\n  entry @k({params}) {{\n  }}\n}}\n");
        place.write("b.tile", &program);
        let told = place.tile(&["run", "b.tile", "--target", "cuda"]);
        let at = format!("b.tile:{row}:9");
        assert!(told.status == Some(1) && told.err.contains(words) && told.err.contains(&at), "{}", told.err);
        assert_eq!(place.tile(&["run", "b.tile"]).status, Some(0));
    }
    // One replica is what a GPU has.
    let one = PROGRAM.replace("%x = f32[4] iota", "%x = f32[4] replicas=1 iota");
    place.write("a.tile", &one.replace("expect %y ~= 2 * %x", "expect %y ~= 2 * %x[0]"));
    assert_eq!(place.tile(&["run", "a.tile", "--target", "cuda"]).status, Some(0));
}

#[test]
fn what_a_machine_lacks_is_told_before_anything_runs() {
    let place = place();
    for (gpu, target, words) in [
        ("driver=12080", "cuda", "the NVIDIA driver is for CUDA 12.8, and Tile IR needs one for CUDA 13.0"),
        ("capability=7.5 name=T4", "cuda", "T4 is of kind sm_75, and Tile IR needs a GPU of sm_80 or later"),
        ("capability=12.0", "cuda", "makes no code for sm_120, only for sm_80, sm_90"),
        ("count=0", "cuda", "no GPU that the NVIDIA driver may use"),
        ("count=2", "cuda:2", "there is no GPU 2: the GPUs of this machine are numbered from 0 to 1"),
    ] {
        let told = on(&place, gpu, &["run", "a.tile", "--target", target]);
        assert!(told.status == Some(2) && told.err.contains(words), "{gpu}: {:?} {}", told.status, told.err);
        let doctor = on(&place, gpu, &["doctor"]);
        assert_eq!(doctor.status, Some(i32::from(gpu != "count=2")), "{}", doctor.out);
    }
    assert!(!place.driver_calls().iter().any(|call| call.starts_with("launch")));
}

#[test]
fn behind_a_kernel_that_fails_or_hangs_the_next_one_runs() {
    let place = place();
    let run = |entry: &str| place.tile(&["run", "a.tile", "--entry", entry, "--target", "cuda", "--timeout", "3"]);
    let good = || assert_eq!(run("adds").status, Some(0));
    let fault = run("faults");
    assert!(fault.status == Some(1) && fault.err.contains("R0102"), "{}", fault.err);
    good();
    let began = Instant::now();
    let hang = run("hangs");
    assert!(hang.status == Some(1) && hang.err.contains("R0402"), "{}", hang.err);
    assert!(began.elapsed() < Duration::from_secs(60));
    good();
    // One after the other in one command too.
    let told = place.tile(&["test", "a.tile", "--target", "cuda", "-j1", "--filter", "@adds", "--filter", "@faults"]);
    assert!(told.status == Some(1) && told.out.contains("1 passed, 1 failed"), "{}{}", told.out, told.err);
    place.write("a.tile", &PROGRAM.replace("@adds", "@z").replace("@faults", "@a_faults"));
    let text = std::fs::read_to_string(place.path("a.tile")).expect("it is there");
    let (head, rest) = text.split_once("  //@ launch\n  entry @a_faults() {\n  }\n").expect("it is there");
    let (open, head) = head.split_at(head.find('\n').expect("a line") + 1);
    place.write("a.tile", &format!("{open}  //@ launch\n  entry @a_faults() {{\n  }}\n{head}{rest}"));
    let told = place.tile(&["test", "a.tile", "--target", "cuda", "-j1", "--filter", "@z", "--filter", "@a_faults"]);
    assert!(told.out.find("FAIL") < told.out.find("ok  ") && told.out.contains("1 passed, 1 failed"), "{}", told.out);
}

#[test]
fn a_launch_says_how_far_results_may_be_off() {
    let place = place();
    // The stand-in adds what the program multiplies: 2 x instead of x * x.
    let program = PROGRAM.replace("addf %in, %in", "mulf %in, %in");
    for (expect, passed, words) in [
        ("%y ~= 2 * %x", false, "more than the tolerance of f32)"),
        ("%y ~= 2 * %x atol=3", true, "(within the tolerance of the launch, rtol 1e-5, atol 3.0)"),
        ("%y ~= 2 * %x atol=0.5", false, "(more than the tolerance of the launch, rtol 1e-5, atol 0.5)"),
    ] {
        place.write("a.tile", &program.replace("%y ~= 2 * %x", expect));
        let told = place.tile(&["run", "a.tile", "--target", "cuda", "--compare", "cpu"]);
        assert_eq!(told.status, Some(i32::from(!passed)), "{expect}: {}", told.err);
        assert!(told.err.contains("1 of 1 expectations met"), "{expect}: {}", told.err);
        assert!(told.err.contains("the first at [1]: 2 instead of 1") && told.err.contains(words), "{}", told.err);
    }
}

#[test]
fn launches_are_spread_over_several_gpus() {
    let place = place();
    let one = PROGRAM.split_once("  //@ launch\n  entry @faults").expect("it is there").0;
    let one = one.replace("cuda_tile.module @m {\n", "");
    let all: String = (0..8).map(|number| one.replace("@adds", &format!("@adds{number}"))).collect();
    place.write("a.tile", &format!("cuda_tile.module @m {{\n{all}}}\n"));
    let told = on(&place, "count=2", &["test", "a.tile", "--target", "cuda:0,cuda:1", "-j2"]);
    assert!(told.status == Some(0) && told.out.contains("8 passed"), "{}{}", told.out, told.err);
    let mut opened: Vec<String> = place.driver_calls().into_iter().filter(|call| call.starts_with("open")).collect();
    opened.sort();
    assert_eq!(opened, ["open 0", "open 1"]);
}

#[test]
fn runs_of_an_editor_open_the_gpu_once() {
    let place = place();
    let mut server =
        place.command(&["lsp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
    let mut input = server.stdin.take().expect("piped");
    let mut output = BufReader::new(server.stdout.take().expect("piped"));
    let mut send = |message: Value| {
        let body = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server listens");
    };
    let uri = "file:///test/a.tile";
    send(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "capabilities": {} } }));
    while receive(&mut output)["id"] != 0 {}
    send(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let document = json!({ "uri": uri, "languageId": "tile", "version": 1, "text": PROGRAM });
    send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let mut run = |id: i64, entry: &str| {
        let target = json!({ "uri": uri, "entry": entry, "sanitize": false, "target": "cuda" });
        let params = json!({ "command": "tile.run", "arguments": [target] });
        send(json!({ "jsonrpc": "2.0", "id": id, "method": "workspace/executeCommand", "params": params }));
        let (mut printed, mut message) = (String::new(), receive(&mut output));
        while message["id"] != id {
            if message["method"] == "tile/runOutput" && message["params"]["stream"] == "stdout" {
                printed += message["params"]["text"].as_str().expect("text");
            }
            message = receive(&mut output);
        }
        (message["result"]["passed"] == true, printed)
    };
    let opened = || place.driver_calls().iter().filter(|call| *call == "open 0").count();
    let good = (true, "adding\n".to_string());
    assert_eq!((run(1, "adds"), run(2, "adds"), opened()), (good.clone(), good.clone(), 1));
    assert!(!run(3, "faults").0);
    assert_eq!((run(4, "adds"), opened()), (good, 2), "behind a kernel that fails, another worker opens it anew");
    server.kill().expect("it is ours");
    server.wait().expect("it is ours");
}

fn receive(output: &mut BufReader<ChildStdout>) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).expect("the server talks");
        if line == "\r\n" {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length: ") {
            length = number.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).expect("the server talks");
    serde_json::from_slice(&body).expect("the server speaks JSON")
}
