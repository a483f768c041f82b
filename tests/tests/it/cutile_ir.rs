//! Comparison with another encoder: NVIDIA's crate `cutile-ir`. NVIDIA's disassembler prints the same text for both.

use cutile_ir::builder::{OpBuilder, append_op, build_single_block_region};
use cutile_ir::bytecode::{BytecodeVersion, Opcode, Opcode as O, write_bytecode_version};
use cutile_ir::ir as their;
use std::path::Path;
use tile_analysis::ir::{Attr, Body, Dense, HintValue, Hints, Module, Op, Predicate, RegionId, Value};
use tile_analysis::number::{decode, significant};
use tile_backend::bytecode;
use tile_dialect::{Element, Version};
use tile_tests::programs::valid;
use tile_tests::tools;

const VERSIONS: [(Version, BytecodeVersion); 3] = [
    (Version::V13_2, BytecodeVersion::V13_2),
    (Version::V13_3, BytecodeVersion::V13_3),
    (Version::V13_4, BytecodeVersion::V13_4),
];

#[test]
fn both_encoders_write_the_same_programs() {
    let Some(disassembler) = tools::find("tileirdisasm") else { return };
    let (mut compared, mut wrong) = (0, Vec::new());
    for (name, program) in valid() {
        let Some(theirs) = translated(&program.module) else { continue };
        for (version, their_version) in VERSIONS {
            let ours = bytecode::encode(&program.module, None, version).ok();
            let theirs = write_bytecode_version(&theirs, their_version).ok();
            // Both reject features that the version lacks; theirs rejects more, such as hints for newer GPUs.
            let (Some(ours), Some(theirs)) = (ours, theirs) else { continue };
            compared += 1;
            let (ours, theirs) = (read(&disassembler, &ours), read(&disassembler, &theirs));
            if ours != theirs {
                wrong.push(format!("{name} at {version}\n{ours}\n{theirs}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared >= 250, "only {compared} programs could be compared");
}

fn read(disassembler: &Path, bytes: &[u8]) -> String {
    tools::disassemble(disassembler, bytes).unwrap_or_else(|message| message)
}

/// Translates a program to their IR; `None` if it uses features that theirs lacks.
fn translated(module: &Module) -> Option<their::Module> {
    let mut theirs = their::Module::new("kernels");
    theirs.producer = module.producer.as_ref().map(|producer| String::from_utf8_lossy(producer).into_owned());
    for global in &module.globals {
        theirs.globals.push(their::Global {
            sym_name: global.name.to_string(),
            value: dense(&global.value, ty(global.ty)?),
            alignment: global.alignment as u64,
            constant: global.constant,
            symbol_visibility: if global.private {
                their::SymbolVisibility::Private
            } else {
                their::SymbolVisibility::Public
            },
        });
    }
    for body in &module.entries {
        let params: Vec<their::Type> = types(body, &body.regions[0].args)?;
        let mut translator = Translator { body, module: &mut theirs, values: vec![None; body.values.len()] };
        let region = translator.region(RegionId(0))?;
        let signature = their::Type::Func(their::FuncType { inputs: params, results: Vec::new() });
        let mut entry = OpBuilder::new(Opcode::Entry, their::Location::Unknown)
            .attr("sym_name", their::Attribute::String(body.name.to_string()))
            .attr("function_type", their::Attribute::Type(signature))
            .region(region);
        if let Some(value) = &body.hints {
            entry = entry.attr("optimization_hints", hints(value)?);
        }
        let (entry, _) = entry.build(&mut theirs);
        theirs.functions.push(entry);
    }
    Some(theirs)
}

struct Translator<'a> {
    body: &'a Body,
    module: &'a mut their::Module,
    values: Vec<Option<their::Value>>,
}

impl Translator<'_> {
    fn region(&mut self, id: RegionId) -> Option<their::RegionId> {
        let body = self.body;
        let region = body.region(id);
        let (theirs, block, args) = build_single_block_region(self.module, &types(body, &region.args)?);
        for (ours, theirs) in region.args.iter().zip(args) {
            self.values[ours.0 as usize] = Some(theirs);
        }
        for &op in &region.ops {
            let op = body.op(op);
            let (theirs, results) = self.op(op)?.build(self.module);
            append_op(self.module, block, theirs);
            for (ours, theirs) in body.results(op).zip(results) {
                self.values[ours.0 as usize] = Some(theirs);
            }
        }
        Some(theirs)
    }

    fn op(&mut self, op: &Op) -> Option<OpBuilder> {
        let (body, row) = (self.body, op.op.row());
        let opcode = OPCODES.into_iter().find(|opcode| Some(opcode.as_u16()) == row.opcode)?;
        let operands: Option<Vec<_>> = body.operands(op).iter().map(|value| self.values[value.0 as usize]).collect();
        let results: Vec<Value> = body.results(op).collect();
        let sizes = (0..row.operands.len()).map(|group| their::Attribute::i32(body.group(op, group).len() as i64));
        let mut theirs = OpBuilder::new(opcode, their::Location::Unknown)
            .operands(operands?)
            .results(types(body, &results)?)
            .attr("operandSegmentSizes", their::Attribute::Array(sizes.collect()));
        for (index, attr_row) in row.attrs.iter().enumerate() {
            let attr = body.attr(op, index);
            if *attr != Attr::Absent {
                let name = if attr_row.name == "unsignedCmp" { "unsigned_cmp" } else { attr_row.name };
                theirs = theirs.attr(name, self.attr(op, attr)?);
            }
        }
        for region in body.regions_of(op) {
            theirs = theirs.region(self.region(region)?);
        }
        for _ in op.regions.len()..row.regions.len() {
            theirs = theirs.region(self.module.alloc_region(their::Region { blocks: Vec::new() }));
        }
        Some(theirs)
    }

    fn attr(&self, op: &Op, attr: &Attr) -> Option<their::Attribute> {
        use their::Attribute as A;
        Some(match attr {
            // Their encoder does not support the preview.
            Attr::Absent | Attr::Symbolic(_) | Attr::Value(_) => return None,
            Attr::Enum(value) => A::i32((*value).into()),
            Attr::Flag => A::Bool(true),
            Attr::Int(value) => A::i32(*value),
            Attr::Bool(value) => A::Bool(*value),
            Attr::Str(value) => A::String(String::from_utf8(value.to_vec()).ok()?),
            Attr::Symbol(name) => A::String(name.to_string()),
            Attr::Dense(value) => A::DenseElements(dense(value, ty(self.body.ty(self.body.results(op).next()?))?)),
            Attr::IntList(list) => A::DenseI32Array(list.iter().map(|&value| value as i32).collect()),
            Attr::BoolList(list) => A::dense_bool_array(list.iter().copied()),
            Attr::Identities(list) => {
                let numbers: Option<Vec<_>> = list.iter().map(|&(element, bits)| number(element, bits)).collect();
                A::Array(numbers?)
            }
            Attr::Hints(value) => hints(value)?,
            Attr::Predicate(Predicate::DivBy { divisor, every_along }) => A::DivBy(their::DivBy {
                divisor: *divisor,
                every: every_along.map(|(every, _)| every),
                along: every_along.map(|(_, along)| along),
            }),
            Attr::Predicate(Predicate::SameElements(values)) => {
                A::SameElements(their::SameElements { values: values.to_vec() })
            }
            Attr::Predicate(Predicate::Bounded(lb, ub)) => A::Bounded(their::Bounded { lb: *lb, ub: *ub }),
        })
    }
}

/// Their type with the same spelling.
fn ty(ours: tile_analysis::types::Type) -> Option<their::Type> {
    their::Type::parse(&ours.to_string())
}

fn types(body: &Body, values: &[Value]) -> Option<Vec<their::Type>> {
    values.iter().map(|&value| ty(body.ty(value))).collect()
}

/// An identity of a reduction. Their writer does not support the other float types.
fn number(element: Element, bits: u64) -> Option<their::Attribute> {
    let scalar = their::ScalarType::parse(element.name())?;
    match element {
        Element::F16 | Element::BF16 | Element::F32 | Element::F64 => {
            Some(their::Attribute::float(decode(element, bits), scalar))
        }
        _ if element.is_int() => Some(their::Attribute::int(bits as i64, scalar)),
        _ => None,
    }
}

/// The elements of a constant in their storage format.
fn dense(value: &Dense, element_type: their::Type) -> their::DenseElements {
    let mut data = Vec::new();
    if value.element == Element::I1 {
        let ones = |bits: &[u64]| bits.iter().rev().fold(0u8, |byte, bit| byte << 1 | (bit & 1) as u8);
        match value.bits.len() {
            1 => data.push(if value.bits[0] == 1 { 0xff } else { 0 }),
            _ => data.extend(value.bits.chunks(8).map(ones)),
        }
    } else {
        let width = value.element.bits().div_ceil(8) as usize;
        for &bits in &value.bits {
            data.extend_from_slice(&significant(value.element, bits).to_le_bytes()[..width]);
        }
    }
    their::DenseElements { element_type, shape: Vec::new(), data }
}

fn hints(value: &Hints) -> Option<their::Attribute> {
    let hint = |value: &HintValue| match value {
        HintValue::Int(value) => Some(their::Attribute::i32(*value)),
        HintValue::Bool(value) => Some(their::Attribute::Bool(*value)),
        HintValue::Str(_) | HintValue::Other(_) => None,
    };
    let mut entries = Vec::new();
    for (architecture, named) in &value.by_architecture {
        let named: Option<Vec<_>> = named.iter().map(|(name, value)| Some((name.to_string(), hint(value)?))).collect();
        entries.push((architecture.to_string(), named?));
    }
    Some(their::Attribute::OptimizationHints(their::OptimizationHints { entries }))
}

/// Their opcodes; the enum cannot be searched by number.
#[rustfmt::skip]
const OPCODES: [Opcode; 102] = [
    O::AbsF, O::AbsI, O::AddF, O::AddI, O::AndI, O::Assert, O::Assume, O::AtomicCAS, O::AtomicRMW, O::Bitcast,
    O::Break, O::Broadcast, O::Cat, O::Ceil, O::CmpF, O::CmpI, O::Constant, O::Continue, O::Cos, O::CosH,
    O::DivF, O::DivI, O::Exp, O::Exp2, O::ExtI, O::Extract, O::Floor, O::Fma, O::For, O::FToF, O::FToI,
    O::GetGlobal, O::GetIndexSpaceShape, O::GetNumTileBlocks, O::GetTensorShape, O::GetTileBlockId, O::If,
    O::IntToPtr, O::Iota, O::IToF, O::JoinTokens, O::LoadPtrTko, O::LoadViewTko, O::Log, O::Log2, O::Loop,
    O::MakePartitionView, O::MakeTensorView, O::MakeToken, O::MaxF, O::MaxI, O::MinF, O::MinI, O::MmaF, O::MmaI,
    O::MulF, O::MulhiI, O::MulI, O::NegF, O::NegI, O::Offset, O::OrI, O::Permute, O::Pow, O::Print, O::PtrToInt,
    O::PtrToPtr, O::Reduce, O::RemF, O::RemI, O::Reshape, O::Return, O::Rsqrt, O::Scan, O::Select, O::ShLI,
    O::ShRI, O::Sin, O::SinH, O::Sqrt, O::StorePtrTko, O::StoreViewTko, O::SubF, O::SubI, O::Tan, O::TanH,
    O::TruncI, O::XOrI, O::Yield, O::Atan2, O::Pack, O::Unpack, O::Alloca, O::MmaFScaled,
    O::MakeGatherScatterView, O::MakeStridedView, O::AtomicRedViewTko, O::Insert, O::GdcLaunchDependentsTko,
    O::GdcWaitTko, O::FPowI, O::MemoryFenceAliasTko,
];
