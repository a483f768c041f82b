use super::super::{Value, parse_spec};
use super::*;
use std::io;

fn no_files(_: &str) -> io::Result<Vec<u8>> {
    Err(io::Error::other("there are no files here"))
}

fn buffer(spec: &str) -> Buffer {
    match parse_spec(spec).unwrap().value(1 << 20, &no_files).unwrap() {
        Value::Buffer(buffer) => buffer,
        other => panic!("{other:?}"),
    }
}

/// A file as NumPy writes it.
fn file(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}");
    let text = format!("{text:117}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((text.len() as u16).to_le_bytes());
    file.extend(text.as_bytes());
    file.extend(data);
    file
}

#[test]
fn a_file_is_written_as_numpy_writes_it() {
    let dense = file("'<f4'", "False", "(2, 2)", &[0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40]);
    assert_eq!(write(&buffer("f32[2, 2] iota")).unwrap(), dense);
    assert_eq!(write(&buffer("f32[2, 2] strides=[8, 2] iota")).unwrap(), dense, "without gaps");
    assert_eq!(write(&buffer("i1[2] ones")).unwrap(), file("'|b1'", "False", "(2,)", &[1, 1]));
    assert_eq!(write(&buffer("bf16[] ones")).unwrap(), file("'<u2'", "False", "()", &[0x80, 0x3F]));
    assert_eq!(write(&buffer("f4E2M1FN[1] fill(6)")).unwrap(), file("'|u1'", "False", "(1,)", &[7]));
    assert_eq!(write(&buffer("tf32[0] ones")).unwrap(), file("'<f4'", "False", "(0,)", &[]));
}

#[test]
fn every_element_type_round_trips() {
    for row in &tile_dialect::ELEMENTS {
        let original = buffer(&format!("{}[2, 3] [[0, 1, 0], [1, 1, 0]]", row.name));
        let stored = write(&original).unwrap();
        assert_eq!(read(&stored, row.element, &[2, 3]), Ok(original.bytes.clone()), "{}", row.name);
        let array = read_array(&stored, Some(row.element), 100).unwrap();
        assert_eq!(Some(array), Array::of_buffer(&original), "{}", row.name);
    }
}

#[test]
fn equivalent_encodings_are_read() {
    let ints = [0, 0, 0, 1, 0, 0, 0, 2];
    assert_eq!(read(&file("'>i4'", "False", "(2,)", &ints), Element::I32, &[2]), Ok(vec![1, 0, 0, 0, 2, 0, 0, 0]));
    let fortran = file("'|u1'", "True", "(2, 3)", &[1, 4, 2, 5, 3, 6]);
    assert_eq!(read(&fortran, Element::I8, &[2, 3]), Ok(vec![1, 2, 3, 4, 5, 6]));
    assert_eq!(read(&file("'|u1'", "False", "(2,)", &[0, 7]), Element::I1, &[2]), Ok(vec![0, 1]));
    assert_eq!(read(&file("'<V2'", "False", "(1,)", &[0x80, 0x3F]), Element::BF16, &[1]), Ok(vec![0x80, 0x3F]));
    assert_eq!(read(&file("'<f1'", "False", "(1,)", &[0x3C]), Element::F8E5M2, &[1]), Ok(vec![0x3C]));
    let tf32 = file("'<f4'", "False", "(1,)", &0x3F80_1001u32.to_le_bytes());
    assert_eq!(read(&tf32, Element::TF32, &[1]), Ok(0x3F80_2000u32.to_le_bytes().to_vec()), "rounded");
    let mut second = file("'<i2'", "False", "(1,)", &[5, 0]);
    second[6] = 2;
    second.splice(10..10, [0, 0]);
    assert_eq!(read(&second, Element::I16, &[1]), Ok(vec![5, 0]), "version 2 has a longer length");
}

#[test]
fn a_mismatch_names_both_types() {
    let stored = file("'<f8'", "False", "(2, 3)", &[0; 48]);
    let message = "the file holds float64[2, 3], but f32[6] (float32) is required";
    assert_eq!(read(&stored, Element::F32, &[6]), Err(message.into()));
    let message = "the file holds float64[2, 3], but f64[3, 2] (float64) is required";
    assert_eq!(read(&stored, Element::F64, &[3, 2]), Err(message.into()));
    let stored = file("'<u4'", "False", "(1,)", &[0; 4]);
    assert!(read(&stored, Element::F32, &[1]).is_err() && read(&stored, Element::BF16, &[1]).is_err());
    let message = "element 1 is 0x10, which has more than the 4 bits of f4E2M1FN";
    let stored = file("'|u1'", "False", "(2,)", &[0xF, 0x10]);
    assert_eq!(read(&stored, Element::F4E2M1FN, &[2]), Err(message.into()));
}

#[test]
fn numbers_in_formulas_have_their_numpy_type() {
    let whole = |file: &[u8]| read_array(file, None, 10).map(Array::into_data);
    assert_eq!(whole(&file("'<u2'", "False", "(1,)", &[0xFF, 0xFF])), Ok(Data::Whole(vec![65535])));
    assert_eq!(whole(&file("'<i2'", "False", "(1,)", &[0xFF, 0xFF])), Ok(Data::Whole(vec![-1])));
    assert_eq!(whole(&file("'<f2'", "False", "()", &[0, 0x3C])), Ok(Data::Real(vec![1.0])));
    assert!(whole(&file("'<V2'", "False", "(1,)", &[0, 0])).unwrap_err().contains("say which element it is"));
    assert!(whole(&file("'<f4'", "False", "(11,)", &[0; 44])).unwrap_err().contains("more than 10 elements"));
}

#[test]
fn damaged_files_are_rejected() {
    let good = file("'<f4'", "False", "(2,)", &[0; 8]);
    for end in 0..good.len() {
        assert!(read(&good[..end], Element::F32, &[2]).is_err(), "{end}");
    }
    for (descr, fortran, shape) in [
        ("[('a', '<f4')]", "False", "(2,)"),
        ("'<c8'", "False", "(2,)"),
        ("'<f3'", "False", "(2,)"),
        ("''", "False", "(2,)"),
        ("'é'", "False", "(2,)"),
        ("'<f4'", "0", "(2,)"),
        ("'<f4'", "False", "2"),
        ("'<f4'", "False", "(-2,)"),
        ("'<f4'", "False", "(9999999999999999999, 9999999999999999999)"),
        ("'<f4'", "True", "(0, 9999999999999999999, 9999999999999999999)"),
    ] {
        let file = file(descr, fortran, shape, &[0; 8]);
        assert!(read(&file, Element::F32, &[2]).is_err(), "{descr} {fortran} {shape}");
        assert!(read_array(&file, None, 100).is_err(), "{descr} {fortran} {shape}");
    }
}

proptest::proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(bytes: Vec<u8>, header in "[{}'a-z_:(), <>|0-9TF]{0,60}") {
        let _ = read_array(&bytes, None, 1000);
        let _ = read_array(&file(&header, "False", "(1,)", &bytes), None, 1000);
        let _ = read_array(&file("'<f4'", "True", &header, &bytes), None, 1000);
    }
}
