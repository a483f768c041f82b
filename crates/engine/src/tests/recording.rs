//! What values held in a run, as it is recorded for editors.

use super::*;

/// Collects the records of a run.
#[derive(Default)]
struct Records(Vec<Recorded>);

impl Observer for Records {
    fn printed(&mut self, _: OpId, _: [u32; 3], _: &[u8]) {}

    fn recorded(&mut self, recorded: &[Recorded]) {
        self.0 = recorded.to_vec();
    }
}

/// The record of each value by the number of its definition, in a run of a program without parameters, and its finding.
fn records(grid: [u32; 3], body: &str) -> (Vec<Recorded>, Option<String>) {
    let mut bench = Bench::new("", body).grid(grid);
    bench.options.watch.records = true;
    let (entry, mut records) = (bench.module.entries[0].clone(), Records::default());
    let ended = run(&bench.module, &entry, &[], &mut bench.memory, &bench.options, &mut records);
    (records.0, ended.err().map(|finding| finding.message))
}

/// Execution (block, iterations) in short form.
fn place(execution: &Option<Execution>) -> Option<(u32, &[u64])> {
    execution.as_ref().map(|execution| (execution.block[0], &execution.iterations[..]))
}

/// Each block computes a tile of its number plus the loop counter plus 0 to 127.
const LOOP: &str = "%b, %by, %bz = get_tile_block_id : tile<i32>\n\
    %zero = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n%n = constant <i32: 3> : tile<i32>\n\
    for %k in (%zero to %n, step %one) : tile<i32> {\n\
      %s = addi %b, %k : tile<i32>\n\
      %r = reshape %s : tile<i32> -> tile<1xi32>\n%t = broadcast %r : tile<1xi32> -> tile<128xi32>\n\
      %i = iota : tile<128xi32>\n%all = addi %t, %i : tile<128xi32>\n\
    }";

#[test]
fn totals_cover_all_executions_and_the_first_ones_are_kept() {
    let (records, finding) = records([100, 1, 1], LOOP);
    assert_eq!(finding, None);
    // `%b, %by, %bz, %zero, %one, %n, %k, %s, %r, %t, %i, %all`
    let all = records.last().expect("`%all` was computed");
    let summary = all.total.summary();
    assert_eq!((all.runs, summary.min, summary.max), (300, 0.0, 99.0 + 2.0 + 127.0));
    assert_eq!(summary.mean, 49.5 + 1.0 + 63.5);
    assert_eq!(place(&all.least), Some((0, &[0][..])));
    assert_eq!(place(&all.greatest), Some((99, &[2][..])));
    let first: Vec<_> = all.first.iter().map(|traced| (traced.block[0], traced.iterations.clone())).collect();
    assert_eq!(first, [(0, vec![0]), (0, vec![1]), (0, vec![2]), (1, vec![0])]);
    assert_eq!(all.first[3].shown.text, "1, 2, 3, 4, 5, 6, 7, 8, …");
    let counter = records.iter().find(|recorded| recorded.value.0 == 6).expect("`%k` was computed");
    assert_eq!((counter.runs, counter.total.summary().mean), (300, 1.0));
}

#[test]
fn special_values_are_counted_and_located() {
    let body = "%b, %by, %bz = get_tile_block_id : tile<i32>\n%f = itof %b signed : tile<i32> -> tile<f32>\n\
        %one = constant <f32: 1.0> : tile<f32>\n%two = constant <f32: 2.0> : tile<f32>\n\
        %shifted = subf %f, %two : tile<f32>\n%inverse = divf %one, %shifted : tile<f32>\n\
        %zero = constant <f32: 0.0> : tile<f32>\n%nan = mulf %inverse, %zero : tile<f32>";
    let (records, _) = records([5, 1, 1], body);
    let [.., inverse, _, nan] = &records[..] else { panic!("{records:?}") };
    let summary = inverse.total.summary();
    assert_eq!((summary.max, summary.infinities, summary.nans), (f64::INFINITY, 1, 0));
    assert_eq!(summary.mean, (-0.5 - 1.0 + 1.0 + 0.5) / 4.0, "the mean of the finite elements");
    assert_eq!(place(&inverse.greatest), Some((2, &[][..])));
    assert_eq!((nan.total.summary().nans, place(&nan.nan)), (1, Some((2, &[][..]))));
    assert_eq!(nan.total.summary().min, 0.0);
}

#[test]
fn a_run_that_fails_is_recorded_up_to_its_finding() {
    let body = "%b, %by, %bz = get_tile_block_id : tile<i32>\n%two = constant <i32: 2> : tile<i32>\n\
        %c = cmpi less_than %b, %two, signed : tile<i32> -> tile<i1>\nassert %c, \"too far\" : tile<i1>\n\
        %after = addi %b, %two : tile<i32>";
    let (records, finding) = records([3, 1, 1], body);
    assert!(finding.is_some_and(|message| message.contains("too far")));
    let [.., after] = &records[..] else { panic!("{records:?}") };
    assert_eq!((after.runs, after.total.summary().max), (2, 3.0));
}

#[test]
fn tokens_are_not_recorded_and_views_have_no_totals() {
    let mut bench = Bench::new(
        "%p: tile<ptr<f32>>",
        "%v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>\n\
        %w = make_partition_view %v : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>\n\
        %zero = constant <i32: 0> : tile<i32>\n\
        %a, %t = load_view_tko weak %w[%zero] : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, \
        tile<i32> -> tile<8xf32>, token",
    )
    .buffer(Element::F32, &[1.0; 8]);
    bench.options.watch.records = true;
    let (entry, mut records) = (bench.module.entries[0].clone(), Records::default());
    let arguments = bench.arguments.clone();
    run(&bench.module, &entry, &arguments, &mut bench.memory, &bench.options, &mut records).expect("no finding");
    let shown: Vec<_> =
        records.0.iter().map(|recorded| (recorded.total.is_empty(), recorded.first[0].shown.to_string())).collect();
    let expected = [
        (true, "%p[0]"),
        (true, "from %p[0], shape [8], strides [1]"),
        (true, "from %p[0], shape [8], strides [1]"),
        (false, "0"),
        (false, "[1, 1, 1, 1, 1, 1, 1, 1]"),
    ];
    assert_eq!(shown, expected.map(|(is_empty, text)| (is_empty, text.to_string())));
}
