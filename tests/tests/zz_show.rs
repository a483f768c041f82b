use std::sync::Arc;
#[test]
fn show() {
    let text = std::fs::read_to_string(std::env::var("F").unwrap()).unwrap();
    let db = tile_analysis::db::Database::default();
    let m =
        tile_analysis::db::module(&db, tile_analysis::db::File::new(&db, Arc::from(text.as_str()), Default::default()));
    println!("{}", tile_analysis::print::module(&m, Default::default()));
    println!(
        "{}",
        tile_analysis::print::module(
            &m,
            tile_analysis::print::Options { style: tile_analysis::print::Style::Generic, ..Default::default() }
        )
    );
}
