use super::*;
use crate::findings::PAGES;
use tile_analysis::types::Type;
use tile_launch::bind::takes_multicast;
use tile_launch::{Number, Value as Given, find};

/// Runs the first launch of a text.
fn launch(text: &str) -> Result<(), Box<Finding>> {
    let db = Database::default();
    let file = File::new(&db, text.into(), CheckOptions::default());
    let found = find::find(&db, file);
    let launch = &found[0].directives.launches[0];
    let mut bench = Bench::of(text).sanitize().grid(launch.grid);
    let entry = bench.module.entries[0].clone();
    let mut replica = None;
    for (name, &value) in entry.params.iter().zip(&entry.regions[0].args) {
        let given = launch.arg(name).unwrap().value(1 << 20, &|_| unreachable!()).unwrap();
        let argument = match given {
            Given::Buffer(buffer) => {
                let id = bench.memory.allocate(format!("%{name}"), buffer.element, buffer.bytes);
                if takes_multicast(entry.ty(value)) {
                    replica = Some(id);
                    Argument::Pointer(bench.memory.bind_multicast(format!("%{name}"), &[id]))
                } else {
                    Argument::Pointer(id)
                }
            }
            Given::Scalar(number) => Argument::Scalar(bits(number, entry.ty(value))),
            // The pages only address the replicas through a multicast pointer.
            Given::Address => Argument::Pointer(replica.unwrap()),
        };
        bench.arguments.push(argument);
    }
    bench.try_run().map(|_| ())
}

fn bits(number: Number, ty: Type) -> u64 {
    number.encode(ty.as_tile().and_then(|tile| tile.number()).unwrap_or(Element::I64)).unwrap()
}

#[test]
fn the_examples_of_every_page_are_wrong_and_right() {
    for page in PAGES {
        let finding = launch(page.wrong).expect_err(page.name);
        assert_eq!(finding.page.code, page.code, "{}: {}", page.name, finding.message);
        if let Err(finding) = launch(page.right) {
            panic!("{}: {}", page.name, finding.message);
        }
    }
}
