//! `tile build`.

use crate::destination::Destination;
use crate::gpu::{self as options, Compile, Libraries, Sanitizer};
use crate::headings::{GPU, LANGUAGE, OUTPUT};
use crate::launches::show_all;
use crate::limit::Limit;
use crate::messages::{fail, print};
use crate::preview::Previews;
use crate::sources::{self, SourceFile};
use crate::{project, resources};
use clap::ValueEnum;
use std::io::{self, IsTerminal};
use std::mem::ManuallyDrop;
use std::path::Path;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::debug_info::{DebugInfo, debug_info_of};
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::gpu;
use tile_analysis::lines::Lines;
use tile_analysis::program::Program;
use tile_analysis::render::Source;
use tile_backend::bytecode;
use tile_backend::cuda::annotate::{self, Detail, Owners};
use tile_backend::cuda::compiler::{self, CompileError, Compiler, first_call};
use tile_backend::cuda::listing::Listing;
use tile_backend::cuda::notes::{Origin, Wanted};
use tile_dialect::{Gpu, Version};

/// Compile a program to bytecode, cubin, PTX or SASS.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Program to compile, or `-` for standard input
    file: String,
    /// Kind of output
    #[arg(long, value_enum, value_name = "KIND", default_value = "bytecode", help_heading = OUTPUT)]
    emit: Emit,
    /// Output file, or `-` for standard output [default: next to the program]
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<String>,
    /// Annotate PTX or SASS with source lines, and the instruction mix and live registers of each line
    ///
    /// The text contains no addresses, so that `diff` shows what a change of the program changes.
    /// `--annotate=addresses` adds the address of each SASS instruction and the registers that are live there. Needs
    /// `nvdisasm`.
    #[arg(
        long, value_enum, value_name = "DETAIL", num_args = 0..=1, require_equals = true,
        default_missing_value = "lines", conflicts_with_all = ["resources", "no_debug_info"], help_heading = OUTPUT
    )]
    annotate: Option<Annotate>,
    /// Report registers, shared memory and occupancy instead of writing code
    ///
    /// Compiles the program and reads the resources of its kernels from the cubin.
    #[arg(
        long, value_enum, value_name = "FORMAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "text", conflicts_with_all = ["emit", "output"], help_heading = OUTPUT
    )]
    resources: Option<resources::Format>,
    /// Bytecode version to write [default: the newest supported]
    #[arg(long, value_name = "VERSION", value_parser = bytecode_version, help_heading = OUTPUT)]
    bytecode_version: Option<Version>,
    /// Omit the source locations of ops
    #[arg(long, help_heading = OUTPUT)]
    no_debug_info: bool,
    #[command(flatten)]
    limit: Limit,
    /// GPU to compile for, such as `sm_90` [default: `gpu` in `tile.toml`]
    ///
    /// When writing bytecode, reports what this GPU does not support.
    #[arg(long, value_name = "sm_NN", help_heading = GPU)]
    gpu: Option<String>,
    #[command(flatten)]
    compile: Compile,
    #[command(flatten)]
    libraries: Libraries,
    /// Instrument code for NVIDIA's `compute-sanitizer`
    #[arg(long, value_enum, value_name = "TOOL", help_heading = GPU)]
    sanitize: Option<Sanitizer>,
    /// Tile IR version to check against [default: the bytecode version if given, else `target-version` in `tile.toml`]
    #[arg(long, value_name = "VERSION", value_parser = Version::parse, help_heading = LANGUAGE)]
    target_version: Option<Version>,
    #[command(flatten)]
    preview: Previews,
}

impl Arguments {
    /// The kind of code to generate.
    fn emit(&self) -> Emit {
        if self.resources.is_some() { Emit::Cubin } else { self.emit }
    }
}

/// What an annotated listing shows for each instruction.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Annotate {
    /// Its text, below its source line
    Lines,
    /// Also its address and the live registers
    Addresses,
}

/// Kinds of output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// Tile IR bytecode, the input of NVIDIA's compiler
    Bytecode,
    /// Machine code in a file that the CUDA driver loads
    Cubin,
    /// PTX, the assembly language of all NVIDIA GPUs, as text
    Ptx,
    /// SASS, the instructions of one kind of GPU, as text
    Sass,
}

impl Emit {
    fn extension(self) -> &'static str {
        match self {
            Emit::Bytecode => "tileirbc",
            Emit::Cubin => "cubin",
            Emit::Ptx => "ptx",
            Emit::Sass => "sass",
        }
    }

    fn is_text(self) -> bool {
        matches!(self, Emit::Ptx | Emit::Sass)
    }
}

/// Parses a bytecode version.
pub(crate) fn bytecode_version(name: &str) -> Result<Version, String> {
    let known = || bytecode::VERSIONS.map(Version::name).join(", ");
    let version = Version::from_name(name).filter(|version| bytecode::VERSIONS.contains(version));
    version.ok_or_else(|| format!("expected one of {}", known()))
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    match build(arguments) {
        Ok(status) => status,
        Err(message) => fail(message),
    }
}

fn build(arguments: &Arguments) -> Result<u8, String> {
    let target = target(arguments)?;
    let gpu = gpu_of(arguments)?;
    let code = code(arguments, gpu.as_deref())?;
    let file = sources::read(&arguments.file)?;
    let bytecode_version = match (&code, arguments.bytecode_version) {
        (Some(code), version) => options::bytecode_version(&code.compiler, version)?,
        (None, version) => version.unwrap_or(Version::NEWEST),
    };
    let configs = project::configs();
    let config = configs.of_file(project::project_path(&arguments.file))?;
    let project = arguments.bytecode_version.is_none().then(|| project::target_version(&config)).transpose()?.flatten();
    let version = arguments.target_version.or(project).unwrap_or(bytecode_version);
    let preview = arguments.preview.allow(&config)?;
    let options = Options { version, any_names: true, preview, ..Options::default() };
    // Launches are only needed for the number of waves.
    let keep = if arguments.resources.is_some() { Keep::Everything } else { Keep::Program };
    // The process ends with this command, so freeing its programs would only cost time.
    let checked = ManuallyDrop::new(batch::check(&file.text, options, |_| keep));
    let report = |found: &[Diagnostic]| report(&file, found, arguments.limit);
    if report(&checked.diagnostics) {
        return Ok(1);
    }
    let program = checked.program(&file.text);
    if let Some(gpu) = gpu.as_deref().and_then(Gpu::from_name) {
        let compiler = code.as_ref().map_or(version, |code| code.compiler.facts().rules());
        let lacks = program.lacks(gpu::GpuTarget { gpu, compiler });
        if report(&lacks) {
            return Ok(1);
        }
    }
    // Cubins contain PTX only if they have line information.
    let has_locations = !arguments.no_debug_info || arguments.emit() == Emit::Ptx;
    let name = if file.name == "-" { "<stdin>" } else { &file.name };
    let debug = debug_info_of(&program, name);
    let debug = if arguments.annotate.is_some() { annotate::spaced(debug) } else { debug };
    let bytes = match bytecode::with_debug_info(&program, has_locations.then_some(&debug), bytecode_version) {
        Ok(bytes) => bytes,
        Err(unsupported) => return Ok(u8::from(report(&unsupported))),
    };
    let Some(code) = code else { return target.write(&bytes) };
    let mut bodies = program.entries.iter().map(|(_, lowered)| &lowered.body);
    if !arguments.libraries.is_given()
        && let Some((_, callee)) = bodies.find_map(|body| first_call(body))
    {
        return Err(format!("`@{callee}` is called, but no tile library is given: add `-l LIBRARY`"));
    }
    match code.compile(&program, name, &debug, &bytes)? {
        Ok((cubin, notes)) => {
            report(&notes);
            if let Some(format) = arguments.resources {
                return Ok(print(resources::report(&file, &checked, &code.gpu, &cubin, format)));
            }
            match arguments.annotate {
                Some(detail) => {
                    target.write(code.annotated(arguments.emit(), &program, name, &cubin, detail)?.as_bytes())
                }
                None => target.write(&code.emitted(arguments.emit(), cubin)?),
            }
        }
        Err(refusal) => Ok(u8::from(report(&refusal))),
    }
}

/// The GPU given on the command line, or else in the project file.
fn gpu_of(arguments: &Arguments) -> Result<Option<String>, String> {
    if let Some(gpu) = &arguments.gpu {
        // The compiler may know GPUs that the tables lack, so only bytecode requires a known one.
        if arguments.emit() == Emit::Bytecode {
            Gpu::parse(gpu)?;
        }
        return Ok(Some(gpu.clone()));
    }
    let configs = project::configs();
    let gpu = project::gpu(&*configs.of_file(project::project_path(&arguments.file))?)?;
    Ok(gpu.map(|gpu| gpu.to_string()))
}

/// The code generation settings; `None` for bytecode.
fn code(arguments: &Arguments, gpu: Option<&str>) -> Result<Option<Code>, String> {
    let options = arguments.compile.options(arguments.sanitize.is_some())?;
    match (arguments.annotate, arguments.emit()) {
        (Some(_), Emit::Bytecode | Emit::Cubin) => {
            return Err("`--annotate` requires `--emit ptx` or `--emit sass`".to_string());
        }
        (Some(Annotate::Addresses), Emit::Ptx) => {
            return Err("PTX has no addresses: use `--annotate`, or add `--emit sass`".to_string());
        }
        _ => {}
    }
    if arguments.emit() == Emit::Bytecode {
        let sanitize = arguments.sanitize.is_some().then_some("--sanitize");
        let library = arguments.libraries.is_given().then_some("--library");
        return match sanitize.or(library).or(arguments.compile.given()) {
            Some(option) => Err(format!("`{option}` has no effect on bytecode; add `--emit cubin`")),
            None => Ok(None),
        };
    }
    let libraries = arguments.libraries.read()?;
    let compiler = Compiler::find().map_err(|error| error.to_string())?.with_libraries(libraries);
    let Some(gpu) = gpu.map(str::to_string) else {
        let known = compiler.facts().gpus.join(", ");
        return Err(format!("`--gpu` is required: expected one of {known}"));
    };
    let line_info = options.line_info || arguments.emit() == Emit::Ptx || arguments.annotate.is_some();
    let options = compiler::Options { line_info, ..options };
    compiler.check(&gpu, &options).map_err(|error| error.to_string())?;
    Ok(Some(Code { compiler, gpu, options, remarks: arguments.compile.remarks() }))
}

/// Code generation settings.
struct Code {
    compiler: Compiler,
    gpu: String,
    options: compiler::Options,
    remarks: Option<Wanted>,
}

/// A cubin with the compiler's warnings and remarks, or the compiler's errors.
type Compiled = Result<(Vec<u8>, Vec<Diagnostic>), Vec<Diagnostic>>;

impl Code {
    /// Compiles a program.
    fn compile(&self, program: &Program<'_>, name: &str, debug: &DebugInfo, bytes: &[u8]) -> Result<Compiled, String> {
        let source = Origin::new(program, debug);
        match self.compiler.compile(bytes, &self.gpu, &self.options) {
            Ok(code) => {
                let notes = source.notes(&code, self.remarks.unwrap_or(Wanted::Missed));
                Ok(Ok((code.cubin, notes)))
            }
            Err(CompileError::Refused { output }) => Ok(Err(source.refusal(&self.gpu, &output))),
            Err(CompileError::Crashed(crash)) => {
                let (report, help) = (crash.report(program.text), crash.help(name));
                Err(format!("{crash}\n  note: {report}\n  help: {help}"))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn listing(&self, wanted: Listing, cubin: &[u8]) -> Result<Vec<u8>, String> {
        wanted.of(cubin, &self.compiler, &self.gpu).map(String::into_bytes)
    }

    /// The code as text, with the lines of the program that it comes from.
    fn annotated(
        &self,
        emit: Emit,
        program: &Program<'_>,
        name: &str,
        cubin: &[u8],
        detail: Annotate,
    ) -> Result<String, String> {
        let listing = if emit == Emit::Ptx { Listing::Ptx } else { Listing::Sass };
        let annotated = listing.annotated(cubin, &self.compiler)?;
        let owners = Owners::new(program, &debug_info_of(program, name), name);
        let detail = match detail {
            Annotate::Lines => Detail::Lines,
            Annotate::Addresses => Detail::Addresses,
        };
        let title = listing.title(name, &self.gpu, &self.compiler);
        Ok(annotate::rendered(&annotated, &owners, detail, &title).text)
    }

    /// Converts the compiled code to the requested kind of output.
    fn emitted(&self, emit: Emit, cubin: Vec<u8>) -> Result<Vec<u8>, String> {
        match emit {
            Emit::Bytecode | Emit::Cubin => Ok(cubin),
            Emit::Sass => self.listing(Listing::Sass, &cubin),
            Emit::Ptx => self.listing(Listing::Ptx, &cubin),
        }
    }
}

/// Shows diagnostics. Returns whether one of them is an error.
fn report(file: &SourceFile, found: &[Diagnostic], limit: Limit) -> bool {
    if !found.is_empty() {
        let lines = Lines::new(&file.text);
        let source = Source { name: &file.name, text: &file.text, lines: &lines };
        show_all(&source, found, limit);
    }
    found.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

fn target(arguments: &Arguments) -> Result<Destination, String> {
    match arguments.output.as_deref() {
        _ if arguments.resources.is_some() => Ok(Destination::Standard),
        Some("-") if io::stdout().is_terminal() && !arguments.emit().is_text() => {
            Err("cannot write binary data to a terminal: redirect standard output, or name a file with `-o`"
                .to_string())
        }
        Some(path) => Destination::of(path, &arguments.file),
        None if arguments.file == "-" => Err("`-o` is required if the program comes from standard input".to_string()),
        None => {
            let path = Path::new(&arguments.file).with_extension(arguments.emit().extension());
            Destination::file(&path, &arguments.file)
        }
    }
}
