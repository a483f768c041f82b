use super::*;

/// Loads the tile at the indices `%x`, `%y` of a 3x6 matrix of 0 to 17 and prints it.
fn load(view: &str, tile: &str, indices: [&str; 2]) -> Bench {
    let make = view.split('<').next().unwrap();
    let [x, y] = indices;
    let body = format!(
        "%x = constant <i32: {x}> : tile<i32>\n%y = constant <i32: {y}> : tile<i32>\n\
        %v = make_tensor_view %p, shape = [3, 6], strides = [6, 1] : tensor_view<3x6xi32, strides=[6,1]>\n\
        %w = make_{make} %v : {view}\n\
        %r, %t = load_view_tko weak %w[%x, %y] : {view}, tile<i32> -> {tile}, token\n\
        print_tko \"%d\", %r : {tile} -> token\n\
        %s:2 = get_index_space_shape %w : {view} -> tile<i64>\n\
        print_tko \" of %lldx%lld\", %s#0, %s#1 : tile<i64>, tile<i64> -> token"
    );
    let values: Vec<f64> = (0..18).map(f64::from).collect();
    Bench::new("%p: tile<ptr<i32>>", &body).buffer(Element::I32, &values)
}

const TENSOR: &str = "tensor_view<3x6xi32, strides=[6,1]>";

#[test]
fn partitions_are_adjacent() {
    let view = format!("partition_view<tile=(2x4), padding_value = zero, {TENSOR}>");
    let at = |indices| load(&view, "tile<2x4xi32>", indices).run().printed();
    assert_eq!(at(["0", "0"]), "[[0, 1, 2, 3], [6, 7, 8, 9]] of 2x2");
    assert_eq!(at(["0", "1"]), "[[4, 5, 0, 0], [10, 11, 0, 0]] of 2x2");
    assert_eq!(at(["1", "1"]), "[[16, 17, 0, 0], [0, 0, 0, 0]] of 2x2");
}

#[test]
fn a_dim_map_transposes_the_tile() {
    let view = format!("partition_view<tile=(4x2), padding_value = zero, {TENSOR}, dim_map=[1, 0]>");
    let at = |indices| load(&view, "tile<4x2xi32>", indices).run().printed();
    // Dimension 0 of the tile runs along the six columns.
    assert_eq!(at(["0", "0"]), "[[0, 6], [1, 7], [2, 8], [3, 9]] of 2x2");
    assert_eq!(at(["1", "1"]), "[[16, 0], [17, 0], [0, 0], [0, 0]] of 2x2");
}

#[test]
fn strided_views_overlap_and_skip() {
    let view = format!("strided_view<tile=(1x4), traversal_strides=[2,1], padding_value = zero, {TENSOR}>");
    let at = |indices| load(&view, "tile<1x4xi32>", indices).run().printed();
    assert_eq!(at(["1", "1"]), "[[13, 14, 15, 16]] of 2x6");
    assert_eq!(at(["0", "5"]), "[[5, 0, 0, 0]] of 2x6");
}

#[test]
fn gathers_pick_rows() {
    let view = format!("gather_scatter_view<tile=(4x2), {TENSOR}, sparse_dim=0>");
    let body = format!(
        "%x = constant <i32: [2, 0, 2, 1]> : tile<4xi32>\n%y = constant <i32: 3> : tile<i32>\n\
        %v = make_tensor_view %p, shape = [3, 6], strides = [6, 1] : {TENSOR}\n\
        %w = make_gather_scatter_view %v : {view}\n\
        %r, %t = load_view_tko weak %w[%x, %y] : {view}, tile<4xi32>, tile<i32> -> tile<4x2xi32>, token\n\
        print_tko \"%d\", %r : tile<4x2xi32> -> token"
    );
    let values: Vec<f64> = (0..18).map(f64::from).collect();
    let bench = Bench::new("%p: tile<ptr<i32>>", &body).buffer(Element::I32, &values).run();
    assert_eq!(bench.printed(), "[[15, 16], [3, 4], [15, 16], [9, 10]]");
}

#[test]
fn paddings() {
    for (padding, expected) in
        [("zero", "0"), ("neg_zero", "-0"), ("nan", "nan"), ("pos_inf", "inf"), ("neg_inf", "-inf")]
    {
        let tensor = "tensor_view<3xf16, strides=[1]>";
        let view = format!("partition_view<tile=(4), padding_value = {padding}, {tensor}>");
        let body = format!(
            "%z = constant <i32: 0> : tile<i32>\n%v = make_tensor_view %p, shape = [3], strides = [1] : {tensor}\n\
            %w = make_partition_view %v : {view}\n%r, %t = load_view_tko weak %w[%z] : {view}, tile<i32> -> tile<4xf16>, token\n\
            print_tko \"%g\", %r : tile<4xf16> -> token"
        );
        let bench = Bench::new("%p: tile<ptr<f16>>", &body).buffer(Element::F16, &[1.0, 2.0, 3.0]).run();
        assert_eq!(bench.printed(), format!("[1, 2, 3, {expected}]"));
    }
}

/// A transposed matrix of dynamic extents, cut into tiles of 2x2.
const DYNAMIC: &str = "tensor_view<?x?xi32, strides=[1,?]>";

fn dynamic(body: &str) -> Bench {
    let text = format!(
        "%v = make_tensor_view %p, shape = [%m, %n], strides = [1, %s] : tile<i32> -> {DYNAMIC}\n\
        %w = make_partition_view %v : partition_view<tile=(2x2), {DYNAMIC}>\n\
        %0 = constant <i32: 0> : tile<i32>\n%1 = constant <i32: 1> : tile<i32>\n{body}"
    );
    Bench::new("%p: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>, %s: tile<i32>", &text)
}

#[test]
fn stores_leave_out_what_is_outside() {
    let body = format!(
        "%c = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>\n\
        %t = store_view_tko weak %c, %w[%1, %0] : tile<2x2xi32>, partition_view<tile=(2x2), {DYNAMIC}>, tile<i32> -> token\n\
        %a:2 = get_tensor_shape %v : {DYNAMIC} -> tile<i32>\nprint_tko \"%d %d\", %a#0, %a#1 : tile<i32>, tile<i32> -> token"
    );
    // Three rows, two columns, the columns four apart: row 2 is the last.
    let bench = dynamic(&body).buffer(Element::I32, &[0.0; 8]).scalar(3).scalar(2).scalar(4).run();
    assert_eq!(bench.values(0), [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    assert_eq!(bench.printed(), "3 2");
}

#[test]
fn undefined_uses_of_views_are_found() {
    let view = format!("partition_view<tile=(2x4), {TENSOR}>");
    let found = load(&view, "tile<2x4xi32>", ["0", "2"]).finding();
    let expected = "index 2 in dimension 1 is outside the index space [2, 2]".to_string();
    assert_eq!(found, ("index-outside-index-space", expected));
    // Indices are unsigned.
    let found = load(&view, "tile<2x4xi32>", ["-1", "0"]).finding();
    assert_eq!(found.1, "index -1 in dimension 0 is outside the index space [2, 2]");
    let none = dynamic("").buffer(Element::I32, &[0.0; 8]).scalar(3).scalar(2).scalar(0).sanitize().finding();
    assert_eq!(none.1, "the stride of dimension 1 is 0; it must be positive");
    // Extents and strides too.
    let far = dynamic("").buffer(Element::I32, &[0.0; 8]).scalar(3).scalar(u64::MAX).scalar(u64::MAX).finding();
    let expected = "a tensor of shape [3, 4294967295] with strides [1, 4294967295] exceeds the address space";
    assert_eq!(far.1, expected);
    let body = format!(
        "%x, %t = load_view_tko weak %w[%0, %1] : partition_view<tile=(2x2), {DYNAMIC}>, tile<i32> -> tile<2x2xi32>, token"
    );
    let far = dynamic(&body).buffer(Element::I32, &[0.0; 8]).scalar(2).scalar(4).scalar(4).finding();
    assert_eq!(far.1, "this reads element 8 of `%p`, which has 8 elements of i32");
    let print = format!("{}\nprint_tko \"%d\", %x : tile<2x2xi32> -> token", body.replace("%1", "%0"));
    let repeated = dynamic(&print).buffer(Element::I32, &[5.0, 6.0]).scalar(2).scalar(2).scalar(0).run();
    assert_eq!(repeated.printed(), "[[5, 5], [6, 6]]");
}

#[test]
fn atomic_reductions_through_views() {
    let tensor = "tensor_view<3xi32, strides=[1]>";
    let view = format!("partition_view<tile=(4), {tensor}>");
    let body = format!(
        "%z = constant <i32: 0> : tile<i32>\n%v = make_tensor_view %p, shape = [3], strides = [1] : {tensor}\n\
        %w = make_partition_view %v : {view}\n%a = iota : tile<4xi32>\n\
        %t = atomic_red_view_tko relaxed device %w[%z], add, %a : tile<4xi32>, {view}, tile<i32> -> token"
    );
    let bench =
        Bench::new("%p: tile<ptr<i32>>", &body).buffer(Element::I32, &[5.0, 5.0, 5.0, 7.0]).grid([2, 1, 1]).run();
    assert_eq!(bench.values(0), [5.0, 7.0, 9.0, 7.0]);
}

#[test]
fn tiles_of_many_rows_are_copied_whole() {
    let tensor = "tensor_view<300x3xi32, strides=[3,1]>";
    let view = format!("partition_view<tile=(256x2), {tensor}>");
    let body = format!(
        "%x, %y, %z = get_tile_block_id : tile<i32>\n\
        %v = make_tensor_view %p, shape = [300, 3], strides = [3, 1] : {tensor}\n\
        %w = make_tensor_view %o, shape = [300, 3], strides = [3, 1] : {tensor}\n\
        %from = make_partition_view %v : {view}\n%to = make_partition_view %w : {view}\n\
        %r, %t = load_view_tko weak %from[%x, %y] : {view}, tile<i32> -> tile<256x2xi32>, token\n\
        %u = store_view_tko weak %r, %to[%x, %y] : tile<256x2xi32>, {view}, tile<i32> -> token"
    );
    let copy = |length: usize| {
        let values: Vec<f64> = (0..900).map(f64::from).collect();
        Bench::new("%p: tile<ptr<i32>>, %o: tile<ptr<i32>>", &body)
            .grid([2, 2, 1])
            .buffer(Element::I32, &values)
            .buffer(Element::I32, &vec![-1.0; length])
    };
    assert_eq!(copy(900).run().values(1), (0..900).map(f64::from).collect::<Vec<_>>());
    // Out-of-bounds accesses are found in any row.
    let (page, message) = copy(600).finding();
    assert_eq!(page, "pointer-outside-allocation");
    assert_eq!(message, "this writes element 600 of `%o`, which has 600 elements of i32");
}
