use super::*;

#[test]
fn arguments_must_suit_the_entry() {
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
    // The constant and the return that the text leaves out.
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

/// One lock for all blocks: each takes it, prints, and gives it back.
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
