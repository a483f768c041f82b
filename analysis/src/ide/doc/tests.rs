use super::*;
use std::collections::HashSet;
use tile_dialect::{AttrKind, ELEMENTS, ENUMS, HINTS, Named, TYPE_NAMES, ops, type_since};

fn found(query: &str) -> Vec<String> {
    find(&language(), query).iter().map(Topic::key).collect()
}

fn near_names(query: &str) -> Vec<&'static str> {
    near(&language(), query).iter().map(Topic::name).collect()
}

#[test]
fn a_page_is_found_by_its_name_or_syntax() {
    for (query, key) in [
        ("partition_view", "type partition_view"),
        ("!cuda_tile.partition_view", "type partition_view"),
        ("Partition View", "type partition_view"),
        ("addi", "op addi"),
        ("cuda_tile.addi", "op addi"),
        ("pow", "op fpowf"),
        ("F8e4m3fn", "element type f8E4M3FN"),
        ("rounding<zero>", "rounding mode zero"),
        ("zero rounding", "rounding mode zero"),
        ("Element types f32", "element type f32"),
        ("Ops: core constant", "op constant"),
        ("padding_value = zero", "padding value zero"),
        ("padding_value", "set of keywords padding_value"),
        ("powers of two", "concept tile sizes"),
        ("?", "concept dynamic extent"),
        ("scope", "set of keywords memory scope"),
        ("testing$func", "op testing$func"),
        ("latency", "optimization hint latency"),
    ] {
        assert_eq!(found(query), [key], "{query}");
    }
    assert_eq!(found("zero"), ["rounding mode zero", "padding value zero"]);
    assert_eq!(found("global"), ["op global", "attribute global"]);
    assert_eq!(found("predicate"), ["set of keywords comparison predicate", "set of keywords assume predicate"]);
    assert_eq!(found("views"), [""; 0]);
    assert_eq!(found(""), [""; 0]);
    assert_eq!(found("rounding mode"), ["set of keywords rounding"]);
}

#[test]
fn a_key_finds_exactly_its_page() {
    let all = language();
    let mut seen = HashSet::new();
    for topic in &all {
        assert!(seen.insert(topic.key()), "{} is listed twice", topic.key());
        assert_eq!(found(&topic.key()), [topic.key()]);
    }
}

#[test]
fn suggestions_include_misspellings_parts_and_foreign_names() {
    assert_eq!(near_names("adi")[0], "addi");
    assert_eq!(near_names("partition_veiw")[0], "partition_view");
    assert_eq!(near_names("float32")[0], "f32");
    assert_eq!(near_names("f8"), ["f8E5M2", "f8E4M3FN", "f8E8M0FNU"]);
    assert!(near_names("view").contains(&"tensor_view"), "{:?}", near_names("view"));
    assert!(near_names("add").contains(&"addi") && near_names("add").contains(&"addf"), "{:?}", near_names("add"));
    assert!(near_names("tile<4xf32>").contains(&"tile"), "{:?}", near_names("tile<4xf32>"));
    assert!(near_names("logarithm").contains(&"log2"), "{:?}", near_names("logarithm"));
    assert!(near_names("qqqqqqqq").is_empty() && near_names("").is_empty());
    assert!(!near_names("max").contains(&"max"));
}

#[test]
fn an_answer_is_a_page_a_choice_or_suggestions() {
    let all = language();
    let page = answer(&all, "dim_map").expect("it has a page");
    for part in ["**`dim_map`** · view parameter", "Since 13.1.", "For example:", "See also: `partition_view`"] {
        assert!(page.contains(part), "no {part:?} in:\n{page}");
    }
    let choice = answer(&all, "max").expect("it has pages");
    assert!(
        choice.contains("`tile doc atomic mode max`") && choice.contains("Similar terms: `maxf`, `maxi`"),
        "{choice}"
    );
    let op = answer(&all, "constant").expect("it is an op");
    assert!(op.starts_with("```tile\n%result = constant") && op.contains("`tile doc attribute constant`"), "{op}");
    assert_eq!(answer(&all, "adi"), Err("unknown term `adi`; did you mean `addi`?".to_string()));
    assert_eq!(answer(&all, "qqqqqqqq"), Err("unknown term `qqqqqqqq`; `tile doc` lists all terms".to_string()));
    assert!(answer(&all, "view").is_err_and(|why| why.contains("similar terms: ") && why.contains("`tensor_view`")));
    assert_eq!(
        answer(&all, "\u{1b}[2J\n"),
        Err("unknown term `\\u{1b}[2J\\n`; `tile doc` lists all terms".to_string())
    );
}

#[test]
fn everything_in_the_tables_has_a_page() {
    let all = language();
    let keys: HashSet<String> = all.iter().map(Topic::key).collect();
    for row in ops() {
        assert!(keys.contains(&format!("op {}", row.name)), "{}", row.name);
        for attr in row.attrs {
            match attr.kind {
                AttrKind::Enum { of, .. } => assert!(ENUMS.iter().any(|own| own.name == of.name), "{}", of.name),
                AttrKind::Predicate | AttrKind::SymbolName | AttrKind::SymbolRef | AttrKind::Dense => {}
                AttrKind::Type | AttrKind::DictList => {}
                // Attributes without a keyword are documented on the page of their op.
                _ if !is_introduced(row, attr) => {}
                _ => assert!(keys.contains(&format!("attribute {}", facts::keyword(attr))), "{}", attr.name),
            }
        }
    }
    for of in ENUMS {
        assert!(of.values.iter().all(|value| keys.contains(&format!("{} {}", of.title, value.name))), "{}", of.name);
    }
    assert!(ELEMENTS.iter().all(|row| keys.contains(&format!("element type {}", row.name))));
    assert!(HINTS.iter().all(|row| keys.contains(&format!("optimization hint {}", row.name))));
    for name in TYPE_NAMES {
        let topic = all.iter().find(|topic| topic.key() == format!("type {name}")).expect(name);
        assert_eq!(topic.since(), Some(type_since(name)), "{name}");
    }
}

/// Reports whether an attribute is written with its keyword: `dim = 0`, `flush_to_zero`.
fn is_introduced(row: &'static tile_dialect::OpRow, attr: &tile_dialect::AttrRow) -> bool {
    use tile_dialect::form::Piece;
    fn has_word(pieces: &[Piece], word: &str) -> bool {
        pieces.iter().any(|piece| match piece {
            Piece::Word(own) => *own == word,
            Piece::Group(list) | Piece::AnyOrder(list) => has_word(list, word),
            _ => false,
        })
    }
    matches!(attr.kind, AttrKind::Flag(_)) || has_word(&Named { row, spelling: None }.form().pieces, attr.name)
}

#[test]
fn every_page_is_complete() {
    let all = language();
    for topic in &all {
        let (key, doc) = (topic.key(), topic.doc());
        assert!(doc.ends_with('.'), "{key}: {doc:?}");
        assert!(topic.since().is_some() || topic.kind() == "lint comment", "{key}");
        if !matches!(topic, Topic::Op(_)) {
            let notes = topic.notes().expect(&key);
            assert!(!topic.example().trim().is_empty(), "{key} has no example");
            assert!(notes.rules.iter().all(|rule| rule.ends_with('.')), "{key}");
            assert!(!topic.see().is_empty(), "{key}");
        }
        for name in topic.see() {
            assert!(name != topic.name(), "{key} refers to itself");
            let leads = find(&all, name);
            // Launch directives are listed by the backend, which tests these references.
            assert!(!leads.is_empty() || name == "launch", "{key} refers to `{name}`, which has no page");
        }
    }
}

#[test]
fn names_are_listed_once_each() {
    let names = names(&language());
    assert!(names.is_sorted() && names.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(names.contains(&"zero") && names.contains(&"tile sizes") && names.contains(&"load_view_tko"));
}
