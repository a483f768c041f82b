//! Prints the syntax tree of each given file, or with `--errors` only its errors.

use tile_syntax::{Node, PieceKind, Tree, parse_item, parse_outline, split};

fn main() {
    let only_errors = std::env::args().any(|arg| arg == "--errors");
    for path in std::env::args().skip(1).filter(|arg| !arg.starts_with("--")) {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let pieces = split(&text);
        let started = std::time::Instant::now();
        show(&path, &text, 0, &parse_outline(&text, &pieces), only_errors);
        for piece in pieces.into_iter().filter(|piece| piece.kind == PieceKind::Item) {
            let item = &text[piece.range.clone()];
            show(&path, item, text[..piece.range.start].matches('\n').count(), &parse_item(item), only_errors);
        }
        if only_errors {
            eprintln!("{path}: {:?}", started.elapsed());
        }
    }
}

fn show(path: &str, text: &str, first_line: usize, tree: &Tree, only_errors: bool) {
    if !only_errors {
        print_node(text, tree, Node::ROOT, 0);
    }
    for error in &tree.errors {
        let at = error.range.start as usize;
        let line = first_line + text[..at].matches('\n').count() + 1;
        let source = text.lines().nth(line - first_line - 1).unwrap_or("");
        println!("{path}:{line}: {:?} at `{}` in `{source}`", error.kind, &text[at..error.range.end as usize]);
    }
}

fn print_node(text: &str, tree: &Tree, node: Node, depth: usize) {
    println!(
        "{:1$}{2:?} {3} `{4}`",
        "",
        depth * 2,
        tree.kind(node),
        tree.slot(node),
        tree.text(node, text).lines().next().unwrap_or("")
    );
    for child in tree.children(node) {
        print_node(text, tree, child, depth + 1);
    }
}
