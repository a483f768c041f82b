//! What was encoded decodes to the same program, of every version, and what decodes can be checked and encoded again.

use tile_analysis::context::Options;
use tile_analysis::print::{self, Style};
use tile_backend::bytecode::{self, VERSIONS, decode};
use tile_dialect::Version;
use tile_tests::programs;
use tile_tests::shape::{difference, shape};

#[test]
fn what_was_encoded_decodes_to_the_same_program() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, program) in &programs::valid() {
        for version in VERSIONS {
            // What a version cannot hold is told, which other tests are about.
            let Ok(bytes) = bytecode::encode(&program.module, Some(&program.debug), version) else { continue };
            count += 1;
            let decoded = match decode(&bytes) {
                Ok(decoded) => decoded,
                Err(error) => {
                    wrong.push(format!("{name} at {version}: {error}"));
                    continue;
                }
            };
            assert_eq!(decoded.version, version, "{name}");
            let debug = decoded.debug.as_ref();
            let (mut before, mut after) = (program.module.clone(), decoded.module.clone());
            if version < Version::V13_3 {
                (before.producer, after.producer) = (None, None);
            }
            // A file without locations says nothing about any.
            let said = debug.map(|_| &program.debug);
            if let Some(difference) = difference(&shape(&before, said), &shape(&after, debug)) {
                wrong.push(format!("{name} at {version}: {difference}"));
            }
            let again = bytecode::encode(&decoded.module, debug, version);
            if again.as_ref() != Ok(&bytes) {
                wrong.push(format!("{name} at {version} is encoded in another way when it was decoded"));
            }
            if let Err(broken) = print::check(&decoded.module) {
                wrong.push(format!("{name} at {version} breaks rules: {:?}\n{}", broken.diagnostics, broken.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 100, "only {count} files were decoded");
}
