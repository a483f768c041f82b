use super::*;

#[test]
fn tiles_are_rearranged() {
    let matrix = "<i32: [[1, 2, 3, 4], [5, 6, 7, 8]]> : tile<2x4xi32>";
    check(&[
        (
            &[matrix],
            "reshape %0 : tile<2x4xi32> -> tile<4x2xi32>",
            "tile<4x2xi32>",
            "%d",
            "[[1, 2], [3, 4], [5, 6], [7, 8]]",
        ),
        (
            &[matrix],
            "permute %0 [1, 0] : tile<2x4xi32> -> tile<4x2xi32>",
            "tile<4x2xi32>",
            "%d",
            "[[1, 5], [2, 6], [3, 7], [4, 8]]",
        ),
        (
            &["<i32: [[1], [2]]> : tile<2x1xi32>"],
            "broadcast %0 : tile<2x1xi32> -> tile<2x4xi32>",
            "tile<2x4xi32>",
            "%d",
            "[[1, 1, 1, 1], [2, 2, 2, 2]]",
        ),
        (
            &["<i32: [[1, 2]]> : tile<1x2xi32>"],
            "broadcast %0 : tile<1x2xi32> -> tile<2x2xi32>",
            "tile<2x2xi32>",
            "%d",
            "[[1, 2], [1, 2]]",
        ),
        (
            &["<i32: 7> : tile<1x1xi32>"],
            "broadcast %0 : tile<1x1xi32> -> tile<2x2xi32>",
            "tile<2x2xi32>",
            "%d",
            "[[7, 7], [7, 7]]",
        ),
        (
            &["<i32: [[1, 2], [3, 4]]> : tile<2x2xi32>", "<i32: 9> : tile<2x2xi32>"],
            "cat %0, %1 dim = 1 : tile<2x2xi32>, tile<2x2xi32> -> tile<2x4xi32>",
            "tile<2x4xi32>",
            "%d",
            "[[1, 2, 9, 9], [3, 4, 9, 9]]",
        ),
        (
            &["<i32: [[1, 2]]> : tile<1x2xi32>", "<i32: [[3, 4]]> : tile<1x2xi32>"],
            "cat %0, %1 dim = 0 : tile<1x2xi32>, tile<1x2xi32> -> tile<2x2xi32>",
            "tile<2x2xi32>",
            "%d",
            "[[1, 2], [3, 4]]",
        ),
        (
            &[matrix, "<i32: 1> : tile<i32>", "<i32: 0> : tile<i32>"],
            "extract %0[%1, %2] : tile<2x4xi32> -> tile<1x2xi32>",
            "tile<1x2xi32>",
            "%d",
            "[[5, 6]]",
        ),
        (
            &[matrix, "<i32: 0> : tile<i32>", "<i32: 1> : tile<i32>"],
            "extract %0[%1, %2] : tile<2x4xi32> -> tile<2x2xi32>",
            "tile<2x2xi32>",
            "%d",
            "[[3, 4], [7, 8]]",
        ),
        (
            &["<i32: [[9, 8]]> : tile<1x2xi32>", matrix, "<i32: 1> : tile<i32>", "<i32: 1> : tile<i32>"],
            "insert %0, %1[%2, %3] : tile<1x2xi32>, tile<2x4xi32>",
            "tile<2x4xi32>",
            "%d",
            "[[1, 2, 3, 4], [5, 6, 9, 8]]",
        ),
        (
            &["<i1: [1, 0]> : tile<2xi1>", "<i8: 1> : tile<2xi8>", "<i8: [2, 3]> : tile<2xi8>"],
            "select %0, %1, %2 : tile<2xi1>, tile<2xi8>",
            "tile<2xi8>",
            "%d",
            "[1, 3]",
        ),
        (
            &["<i1: 0> : tile<2xi1>", "<i8: 1> : tile<2xi8>", "<i8: [2, 3]> : tile<2xi8>"],
            "select %0, %1, %2 : tile<2xi1>, tile<2xi8>",
            "tile<2xi8>",
            "%d",
            "[2, 3]",
        ),
        (&[], "iota : tile<4xi8>", "tile<4xi8>", "%d", "[0, 1, 2, 3]"),
        (&[], "iota : tile<2xi1>", "tile<2xi1>", "%d", "[0, 1]"),
    ]);
}

#[test]
fn three_dimensions_permute() {
    let code = "%i = iota : tile<8xi32>\n%c = reshape %i : tile<8xi32> -> tile<2x2x2xi32>\n\
        %r = permute %c [2, 0, 1] : tile<2x2x2xi32> -> tile<2x2x2xi32>";
    // r[i][j][k] = c[j][k][i] = 4j + 2k + i.
    assert_eq!(shown(code, "tile<2x2x2xi32>", "%d"), "[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]");
}

#[test]
fn a_slice_must_exist() {
    // The second is read as unsigned.
    for (index, number) in [("2", "2"), ("-1", "4294967295")] {
        let body = format!(
            "%x = iota : tile<8xi32>\n%i = constant <i32: {index}> : tile<i32>\n%y = extract %x[%i] : tile<8xi32> -> tile<4xi32>"
        );
        let expected = format!("slice {number} does not exist: there are 2 slices along dimension 0");
        assert_eq!(Bench::new("", &body).finding(), ("slice-outside-tile", expected));
    }
}

#[test]
fn shared_tiles_are_not_changed_in_place() {
    let body = "%a = constant <i32: [1, 2]> : tile<2xi32>\n%s = constant <i32: [9]> : tile<1xi32>\n\
        %z = constant <i32: 0> : tile<i32>\n%b = insert %s, %a[%z] : tile<1xi32>, tile<2xi32>\n\
        print_tko \"%d %d\", %a, %b : tile<2xi32>, tile<2xi32> -> token";
    assert_eq!(printed(body), "[1, 2] [9, 2]");
}
