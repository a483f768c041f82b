use super::*;

/// The pointers `%q` to the first eight elements of `%p`.
const EIGHT: &str = "%i = iota : tile<8xi32>\n%one = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>\n\
    %all = broadcast %one : tile<1xptr<f32>> -> tile<8xptr<f32>>\n\
    %q = offset %all, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>\n";
const MASK: &str = "%m = constant <i1: [1, 1, 0, 0, 1, 0, 1, 1]> : tile<8xi1>\n";

fn eight(body: &str) -> Bench {
    Bench::new("%p: tile<ptr<f32>>, %o: tile<ptr<f32>>", &format!("{EIGHT}{MASK}{body}"))
}

#[test]
fn loads_and_stores_through_pointers() {
    let body = "%x, %t = load_ptr_tko weak %q : tile<8xptr<f32>> -> tile<8xf32>, token\n\
        %y = addf %x, %x : tile<8xf32>\n%u = store_ptr_tko weak %q, %y token=%t : tile<8xptr<f32>>, tile<8xf32> -> token";
    let values: Vec<f64> = (0..8).map(f64::from).collect();
    let bench = eight(body).buffer(Element::F32, &values).buffer(Element::F32, &[]).run();
    assert_eq!(bench.values(0), values.iter().map(|x| 2.0 * x).collect::<Vec<_>>());
}

#[test]
fn masks_leave_out_and_padding_fills_in() {
    let body = "%pad = constant <f32: -1.0> : tile<8xf32>\n\
        %x, %t = load_ptr_tko weak %q, %m, %pad : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> tile<8xf32>, token\n\
        print_tko \"%g\", %x : tile<8xf32> -> token\n\
        %y = constant <f32: 9.0> : tile<8xf32>\n\
        %u = store_ptr_tko weak %q, %y, %m : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token";
    let values: Vec<f64> = (0..8).map(f64::from).collect();
    let bench = eight(body).buffer(Element::F32, &values).buffer(Element::F32, &[]).run();
    assert_eq!(bench.printed(), "[0, 1, -1, -1, 4, -1, 6, 7]");
    assert_eq!(bench.values(0), [9.0, 9.0, 2.0, 3.0, 9.0, 5.0, 9.0, 9.0]);
}

#[test]
fn stray_pointers_are_reported_with_their_argument() {
    let load = "%x, %t = load_ptr_tko weak %q : tile<8xptr<f32>> -> tile<8xf32>, token";
    let found = eight(load).buffer(Element::F32, &[0.0; 6]).buffer(Element::F32, &[0.0; 8]).finding();
    assert_eq!(found.1, "this reads element 6 of `%p`, which has 6 elements of f32");
    let store = "%y = constant <f32: 9.0> : tile<8xf32>\n%n = constant <i32: -3> : tile<8xi32>\n\
        %b = offset %q, %n : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>\n\
        %u = store_ptr_tko weak %b, %y : tile<8xptr<f32>>, tile<8xf32> -> token";
    let found = eight(store).buffer(Element::F32, &[0.0; 8]).buffer(Element::F32, &[0.0; 8]).finding();
    assert_eq!(
        found,
        ("pointer-outside-allocation", "this writes element -3 of `%p`, which has 8 elements of f32".to_string())
    );
    // Masked-out pointers may be invalid.
    let masked = "%x, %t = load_ptr_tko weak %q, %m : tile<8xptr<f32>>, tile<8xi1> -> tile<8xf32>, token";
    let found = eight(masked).buffer(Element::F32, &[0.0; 7]).buffer(Element::F32, &[]).finding();
    assert_eq!(found.1, "this reads element 7 of `%p`, which has 7 elements of f32");
}

#[test]
fn booleans_take_a_byte() {
    let body = "%x, %t = load_ptr_tko weak %p : tile<ptr<i1>> -> tile<i1>, token\nprint_tko \"%d\", %x : tile<i1> -> token\n\
        %u = store_ptr_tko weak %p, %x : tile<ptr<i1>>, tile<i1> -> token";
    let bench = Bench::new("%p: tile<ptr<i1>>", body).buffer(Element::I1, &[1.0]);
    let Argument::Pointer(id) = bench.arguments[0] else { panic!() };
    bench.memory.nearby().write(bench.memory.address(id), 0x40u8).unwrap();
    let bench = bench.run();
    assert_eq!((bench.printed(), bench.memory.bytes(id)), ("1".to_string(), vec![1]));
}

#[test]
fn globals_keep_their_values_between_launches() {
    let text = "cuda_tile.module @m {\nglobal @n <i32: [40, 2]> : tile<2xi32>\nentry @k() {\n\
        %p = get_global @n : tile<ptr<i32>>\n%x, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n\
        %one = constant <i32: 1> : tile<i32>\n%y = addi %x, %one : tile<i32>\n\
        %u = store_ptr_tko weak %p, %y : tile<ptr<i32>>, tile<i32> -> token\nprint_tko \"%d \", %x : tile<i32> -> token\n}\n}";
    let bench = Bench::of(text).run().run();
    assert_eq!(bench.printed(), "40 41 ");
    let id = bench.memory.global("n").unwrap();
    assert_eq!(bench.memory.bytes(id), [42, 0, 0, 0, 2, 0, 0, 0]);
}

#[test]
fn scratch_memory_lives_as_long_as_its_block() {
    let body = "%p = alloca num_elem = 4, alignment = 512 : tile<ptr<i32>>\n%n = ptr_to_int %p : tile<ptr<i32>> -> tile<i64>\n\
        %a = assume div_by<512>, %n : tile<i64>\n%x = constant <i32: 5> : tile<i32>\n\
        %t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token\n\
        %y, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\nprint_tko \"%d\", %y : tile<i32> -> token";
    assert_eq!(printed(body), "5");
    let ended = "%c = constant <i1: 1> : tile<i1>\n%p = if %c -> (tile<ptr<i32>>) {\n\
        %q = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>\nyield %q : tile<ptr<i32>>\n} else {\n\
        %q = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>\nyield %q : tile<ptr<i32>>\n}\n\
        %y, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token";
    assert!(Bench::new("", ended).finding().0 == "freed-memory");
}

#[test]
fn scratch_memory_has_a_total_limit() {
    let alloca = |name, count| format!("%{name} = alloca num_elem = {count}, alignment = 1 : tile<ptr<i8>>\n");
    let (one, most) = (alloca("p", 1u64), alloca("q", 1 << 30));
    let (page, message) = Bench::new("", &format!("{one}{most}")).finding();
    let together = "this tile block exceeds the limit of 1 GiB for scratch memory";
    assert_eq!((page, message), ("not-supported", format!("with 1073741824 more elements of i8, {together}")));
    let (_, message) = Bench::new("", &alloca("q", (1 << 30) + 1)).finding();
    assert_eq!(message, "1073741825 elements of i8 exceed the limit of 1 GiB for scratch memory");
}

#[test]
fn atomics_update_element_by_element() {
    for (mode, argument, expected) in [
        ("add", "5", [11.0, 5.0]),
        ("and", "3", [2.0, 0.0]),
        ("or", "3", [7.0, 0.0]),
        ("xor", "3", [5.0, 0.0]),
        ("max", "-7", [6.0, 0.0]),
        ("umax", "-7", [-7.0, 0.0]),
        ("min", "-7", [-7.0, 0.0]),
        ("umin", "-7", [6.0, 0.0]),
        ("xchg", "9", [9.0, 0.0]),
    ] {
        let body = format!(
            "%a = constant <i32: {argument}> : tile<i32>\n\
            %x, %t = atomic_rmw_tko relaxed device %p, {mode}, %a : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n\
            print_tko \"%d\", %x : tile<i32> -> token"
        );
        let bench = Bench::new("%p: tile<ptr<i32>>", &body).buffer(Element::I32, &[6.0]).run();
        assert_eq!((bench.printed(), bench.values(0)[0]), ("6".to_string(), expected[0]), "{mode}");
    }
    // Two elements at one address are both added, one after the other.
    let body = "%o = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>\n%q = broadcast %o : tile<1xptr<f32>> -> tile<4xptr<f32>>\n\
        %a = constant <f32: [1.0, 2.0, 3.0, 4.0]> : tile<4xf32>\n%m = constant <i1: [1, 0, 1, 1]> : tile<4xi1>\n\
        %x, %t = atomic_rmw_tko relaxed device %q, addf, %a, %m : tile<4xptr<f32>>, tile<4xf32>, tile<4xi1> -> tile<4xf32>, token\n\
        print_tko \"%g\", %x : tile<4xf32> -> token";
    let bench = Bench::new("%p: tile<ptr<f32>>", body).buffer(Element::F32, &[0.5]).run();
    assert_eq!((bench.printed(), bench.values(0)), ("[0.5, nan, 1.5, 4.5]".to_string(), vec![8.5]));
}

#[test]
fn compare_and_swap_compares_bits() {
    let body = "%i = iota : tile<4xi32>\n%o = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>\n\
        %all = broadcast %o : tile<1xptr<f32>> -> tile<4xptr<f32>>\n\
        %q = offset %all, %i : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>\n\
        %c = constant <f32: [0.0, 1.0, 2.0, 3.0]> : tile<4xf32>\n%v = constant <f32: 9.0> : tile<4xf32>\n\
        %m = constant <i1: [1, 1, 1, 0]> : tile<4xi1>\n\
        %x, %t = atomic_cas_tko relaxed device %q, %c, %v, %m : tile<4xptr<f32>>, tile<4xf32>, tile<4xi1> -> tile<4xf32>, token\n\
        print_tko \"%g\", %x : tile<4xf32> -> token";
    let bench = Bench::new("%p: tile<ptr<f32>>", body).buffer(Element::F32, &[-0.0, 1.0, 5.0, 8.0]).run();
    assert_eq!((bench.printed(), bench.values(0)), ("[-0, 1, 5, 3]".to_string(), vec![-0.0, 9.0, 5.0, 8.0]));
}
