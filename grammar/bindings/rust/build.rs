//! Compiles the generated parser and its scanner.

fn main() {
    let mut build = cc::Build::new();
    build.std("c11").include("src").warnings(false);
    for file in ["src/parser.c", "src/scanner.c"] {
        build.file(file);
        println!("cargo::rerun-if-changed={file}");
    }
    // The tables are large and hot: an unoptimized parser is an order of magnitude slower.
    build.opt_level(2);
    build.compile("tree-sitter-tile");
}
