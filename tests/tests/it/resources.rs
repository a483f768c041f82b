//! The resources of kernels, read from cubins, are those that `ptxas` reports.

use std::process::Command;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::program::Program;
use tile_backend::bytecode;
use tile_backend::cuda::compiler::{self, Compiler};
use tile_backend::cuda::object_file;
use tile_backend::cuda::resources::of_cubin;
use tile_dialect::Version;
use tile_tests::{root, tools};

/// A kernel that keeps everything in registers, and others with shared memory, with many registers, and with spills.
const EXAMPLES: [&str; 4] = ["vector_add", "softmax", "fused_attention", "gemm_square"];

/// The numbers after the names of kernels in the output of `ptxas --verbose`: the name, the registers, the stack frame
/// and the shared memory.
fn reported(output: &str) -> Vec<(String, u32, u32, u64)> {
    let (mut name, mut stack, mut found) = (String::new(), 0, Vec::new());
    for line in output.lines() {
        if let Some((_, rest)) = line.split_once("Function properties for ") {
            name = rest.trim().to_string();
        } else if let Some((number, _)) = line.trim().split_once(" bytes stack frame") {
            stack = number.parse().expect("a number of bytes");
        } else if let Some((_, used)) = line.split_once("Used ") {
            let number = |unit: &str| {
                let part = used.split(", ").find_map(|part| part.strip_suffix(unit));
                part.map_or(0, |number| number.parse().expect("a number"))
            };
            found.push((name.clone(), number(" registers") as u32, stack, number(" bytes smem")));
        }
    }
    found
}

#[test]
fn resources_are_those_that_ptxas_reports() {
    let (Some(tileiras), Some(ptxas)) = (tools::find("tileiras"), tools::find("ptxas")) else { return };
    let compiler = Compiler::at(tileiras, None).expect("the compiler reports its version");
    let folder = tempfile::tempdir().expect("a temporary folder is created");
    for name in EXAMPLES {
        let text = std::fs::read_to_string(root().join(format!("examples/{name}.tile"))).expect("the example exists");
        let db = Database::default();
        let file = File::new(&db, Arc::from(text), Options::default());
        let (module, debug) = (Program::of(&db, file).module(), debug_info(&db, file, "a.tile"));
        let version = compiler.facts().version(Version::NEWEST).expect("the compiler reads bytecode");
        let bytes = bytecode::encode(&module, Some(&debug), version).expect("the program can be encoded");
        for gpu in ["sm_80", "sm_90"] {
            let options = compiler::Options { line_info: true, ..compiler::Options::default() };
            let code = compiler.compile(&bytes, gpu, &options).expect("the program compiles");
            let ptx = object_file::ptx(&code.cubin).expect("the code contains PTX");
            // `ptxas` does not know the locations in the source, which `tileiras` adds.
            let ptx = ptx.split(".nv_intermediate_source_section").next().unwrap_or_default();
            let ptx: String =
                ptx.lines().filter(|line| !line.contains(".loc")).map(|line| format!("{line}\n")).collect();
            let target = ptx.split(".target ").nth(1).and_then(|rest| rest.split_whitespace().next());
            let input = folder.path().join("k.ptx");
            std::fs::write(&input, &ptx).expect("the file is written");
            let mut command = Command::new(&ptxas);
            command.arg(format!("-arch={}", target.expect("PTX names its target"))).arg("-v").arg(&input);
            let output = output_of(command.arg("-o").arg(folder.path().join("k.cubin")));
            let kernels = of_cubin(&code.cubin);
            let expected = reported(&output);
            assert_eq!(expected.len(), kernels.len(), "{name} for {gpu}:\n{output}");
            for (kernel, registers, stack, shared) in expected {
                let found = kernels[&kernel];
                assert_eq!(
                    (found.registers, found.local, found.shared),
                    (registers, stack, shared),
                    "{kernel} for {gpu}"
                );
                assert!(found.threads >= 32, "{kernel}: {found:?}");
            }
        }
    }
}

fn output_of(command: &mut Command) -> String {
    let output = command.output().expect("ptxas runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    text
}
