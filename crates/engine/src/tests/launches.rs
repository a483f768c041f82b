use super::*;

#[test]
fn arguments_must_match_the_entry() {
    let entry = || Bench::new("%p: tile<ptr<f32>>, %n: tile<i32>", "");
    let message = |bench: Bench| {
        let (name, message) = bench.finding();
        assert_eq!(name, "argument-mismatch");
        message
    };
    assert_eq!(message(entry()), "`@k` takes 2 arguments, but the launch gives 0");
    let wrong = entry().buffer(Element::I32, &[0.0]).scalar(1);
    assert_eq!(message(wrong), "`%p` points to f32, but the launch gives a buffer of i32");
    let wrong = entry().scalar(1).scalar(1);
    assert_eq!(message(wrong), "`%p` is a tile<ptr<f32>> and takes a buffer, but the launch gives a number");
    let wrong = entry().buffer(Element::F32, &[0.0]).buffer(Element::F32, &[0.0]);
    assert_eq!(message(wrong), "`%n` is a tile<i32> and takes a number, but the launch gives a buffer");
    let wrong = entry().buffer(Element::F32, &[0.0]).scalar(1).grid([0, 1, 1]);
    assert_eq!(message(wrong), "the grid [0, 1, 1] has an extent that is not between 1 and 16777215");
}

#[test]
fn findings_name_the_op_and_the_block() {
    let body = "%x, %y, %z = get_tile_block_id : tile<i32>\n%two = constant <i32: 2> : tile<i32>\n\
        %d = subi %two, %x : tile<i32>\n%q = divi %two, %d signed : tile<i32>";
    let mut bench = Bench::new("", body).grid([4, 1, 1]);
    let finding = bench.try_run().unwrap_err();
    assert_eq!((finding.op, finding.block), (Some(OpId(3)), [2, 0, 0]));
}

#[test]
fn statistics_count_blocks_and_ops() {
    let mut bench = Bench::new("", "%a = constant <i32: 1> : tile<i32>").grid([3, 2, 1]);
    // The implicit constant and return.
    assert_eq!(bench.try_run(), Ok(Statistics { blocks: 6, ops: 12 }));
}

#[test]
fn adds_vectors() {
    let body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n\
        %va = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>\n\
        %vb = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>\n\
        %pa = make_partition_view %va : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>\n\
        %pb = make_partition_view %vb : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>\n\
        %x, %t = load_view_tko weak %pa[%bx] : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token\n\
        %y, %u = load_view_tko weak %pb[%bx] : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token\n\
        %s = addf %x, %y : tile<16xf32>\n\
        %v = store_view_tko weak %s, %pb[%bx] : tile<16xf32>, partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token";
    let a: Vec<f64> = (0..50).map(f64::from).collect();
    let bench = Bench::new("%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>", body)
        .buffer(Element::F32, &a)
        .buffer(Element::F32, &[100.0; 50])
        .scalar(50)
        .grid([4, 1, 1])
        .run();
    assert_eq!(bench.values(1), a.iter().map(|x| x + 100.0).collect::<Vec<_>>());
}

/// One lock for all blocks: each acquires it, prints, and releases it.
#[test]
fn blocks_take_turns_at_a_lock() {
    let text = r#"cuda_tile.module @m {
      global @lock <i32: 1> : tile<1xi32>
      entry @k() {
        %x, %y, %z = get_tile_block_id : tile<i32>
        %p = get_global @lock : tile<ptr<i32>>
        %zero = constant <i32: 0> : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        %t0 = make_token : token
        loop {
          %old, %t1 = atomic_cas_tko acquire device %p, %one, %zero token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
          %mine = trunci %old : tile<i32> -> tile<i1>
          if %mine {
            break
          }
        }
        %t2 = print_tko "block %d\0A", %x token=%t0 : tile<i32> -> token
        %was, %t3 = atomic_rmw_tko release device %p, xchg, %one token=%t2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      }
    }"#;
    assert_eq!(Bench::of(text).grid([3, 1, 1]).run().printed(), "block 0\nblock 1\nblock 2\n");
}

/// The first block prints and waits for the last one, and that one for the one before it, and so on.
#[test]
fn blocks_may_wait_for_later_ones() {
    let text = r#"cuda_tile.module @m {
      global @turn <i32: 0> : tile<1xi32>
      entry @k() {
        %x, %y, %z = get_tile_block_id : tile<i32>
        %n, %ny, %nz = get_num_tile_blocks : tile<i32>
        %p = get_global @turn : tile<ptr<i32>>
        %one = constant <i32: 1> : tile<i32>
        %behind = subi %n, %x : tile<i32>
        %mine = subi %behind, %one : tile<i32>
        %t0 = make_token : token
        %t1 = print_tko "block %d\0A", %x token=%t0 : tile<i32> -> token
        loop {
          %now, %t2 = load_ptr_tko acquire device %p token=%t1 : tile<ptr<i32>> -> tile<i32>, token
          %come = cmpi equal %now, %mine, signed : tile<i32> -> tile<i1>
          if %come {
            break
          }
        }
        %was, %t3 = atomic_rmw_tko release device %p, add, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      }
    }"#;
    let mut bench = Bench::of(text).grid([12, 1, 1]);
    bench.options.max_ops = None;
    let expected: String = (0..12).map(|block| format!("block {block}\n")).collect();
    assert_eq!(bench.run().printed(), expected);
}

/// Enough work for every core, and atomic sums from all blocks.
#[test]
fn atomic_sums_are_complete() {
    let body = "%one = constant <i32: 1> : tile<i32>\n%half = constant <f16: 1.0> : tile<2x64xf16>\n\
        %o, %t = atomic_rmw_tko relaxed device %p, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n\
        %v = make_tensor_view %h, shape = [2, 64], strides = [64, 1] : tensor_view<2x64xf16, strides=[64,1]>\n\
        %w = make_partition_view %v : partition_view<tile=(2x64), tensor_view<2x64xf16, strides=[64,1]>>\n\
        %zero = constant <i32: 0> : tile<i32>\n\
        %u = atomic_red_view_tko relaxed device %w[%zero, %zero], addf, %half \
        : tile<2x64xf16>, partition_view<tile=(2x64), tensor_view<2x64xf16, strides=[64,1]>>, tile<i32> -> token";
    let bench = Bench::new("%p: tile<ptr<i32>>, %h: tile<ptr<f16>>", body)
        .buffer(Element::I32, &[0.0, 7.0])
        .buffer(Element::F16, &[0.0; 128])
        .grid([2000, 1, 1])
        .run();
    assert_eq!(bench.values(0), [2000.0, 7.0]);
    assert_eq!(bench.values(1), [2000.0; 128]);
}

/// Every block from the thousandth on fails, and the thousandth is reported, whatever ran first.
#[test]
fn the_first_block_with_a_finding_is_reported() {
    let body = "%x, %y, %z = get_tile_block_id : tile<i32>\n%last = constant <i32: 1000> : tile<i32>\n\
        %t = print_tko \"%d \", %x : tile<i32> -> token\n\
        %ok = cmpi less_than %x, %last, signed : tile<i32> -> tile<i1>\nassert %ok, \"too far\" : tile<i1>";
    let mut bench = Bench::new("", body).grid([5000, 1, 1]);
    assert_eq!(bench.try_run().unwrap_err().block, [1000, 0, 0]);
    assert_eq!(bench.printed(), (0..=1000).map(|block| format!("{block} ")).collect::<String>());
}

/// The first block waits for one that fails before it would let the others continue.
#[test]
fn a_finding_ends_blocks_that_wait_for_its_block() {
    let body = "%x, %y, %z = get_tile_block_id : tile<i32>\n%zero = constant <i32: 0> : tile<i32>\n\
        %first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>\n\
        %t = print_tko \"%d \", %x : tile<i32> -> token\n\
        if %first {\nloop {\n\
        %now, %u = load_ptr_tko acquire device %p : tile<ptr<i32>> -> tile<i32>, token\n\
        %set = cmpi not_equal %now, %zero, signed : tile<i32> -> tile<i1>\nif %set {\nbreak\n}\n}\n}\n\
        assert %first, \"not the first\" : tile<i1>";
    let mut bench = Bench::new("%p: tile<ptr<i32>>", body).buffer(Element::I32, &[0.0]).grid([2, 1, 1]);
    bench.options.max_ops = None;
    let finding = bench.try_run().unwrap_err();
    assert_eq!((finding.page.name, finding.block), ("assertion-failed", [1, 0, 0]));
    assert_eq!(bench.printed(), "0 1 ");
}
