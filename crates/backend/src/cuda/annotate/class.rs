//! Classes of instructions.
//!
//! The names of SASS instructions are from the tables of "CUDA Binary Utilities", those of PTX from the PTX ISA.

use serde::Serialize;

/// What an instruction does, in the order of summaries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Multiplies matrices on tensor cores.
    TensorCore,
    /// Moves tiles between global and shared memory with the tensor memory accelerator.
    Tma,
    /// Accesses tensor memory.
    TensorMemory,
    /// Loads from global memory, or through a generic address.
    GlobalLoad,
    /// Stores to global memory, or through a generic address.
    GlobalStore,
    /// Copies from global to shared memory without registers.
    AsyncCopy,
    /// Reads and writes memory atomically.
    Atomic,
    /// Loads from shared memory.
    SharedLoad,
    /// Stores to shared memory.
    SharedStore,
    /// Loads from and stores to local memory, which contains spilled registers.
    Spill,
    /// Loads constants, such as arguments.
    Constant,
    /// Converts between element types.
    Conversion,
    /// Waits for, or signals, other threads, copies or tensor cores.
    Barrier,
    /// Exchanges values between the threads of a warp.
    Warp,
    /// Computes a transcendental function or a reciprocal.
    Special,
    /// Computes with floats.
    Float,
    /// Computes with integers and predicates.
    Integer,
    /// Moves and selects values.
    Move,
    /// Branches, calls and returns.
    Branch,
    /// Everything else.
    Other,
}

impl Class {
    /// Its name in summaries.
    pub fn name(self) -> &'static str {
        match self {
            Class::TensorCore => "tensor core",
            Class::Tma => "TMA",
            Class::TensorMemory => "tensor memory",
            Class::GlobalLoad => "global load",
            Class::GlobalStore => "global store",
            Class::AsyncCopy => "asynchronous copy",
            Class::Atomic => "atomic",
            Class::SharedLoad => "shared load",
            Class::SharedStore => "shared store",
            Class::Spill => "spill",
            Class::Constant => "constant",
            Class::Conversion => "conversion",
            Class::Barrier => "barrier",
            Class::Warp => "warp",
            Class::Special => "special function",
            Class::Float => "float",
            Class::Integer => "integer",
            Class::Move => "move",
            Class::Branch => "branch",
            Class::Other => "other",
        }
    }

    /// Whether it decides the speed of most kernels. Editors show only these at the end of a line.
    pub fn is_notable(self) -> bool {
        self < Class::Warp && self != Class::Constant
    }

    /// Whether its instructions access as many bits per thread as their names state.
    fn has_width(self) -> bool {
        matches!(
            self,
            Class::GlobalLoad
                | Class::GlobalStore
                | Class::AsyncCopy
                | Class::SharedLoad
                | Class::SharedStore
                | Class::Spill
        )
    }
}

/// What an instruction does, as it is counted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit {
    /// The class.
    pub class: Class,
    /// The bits that each thread loads or stores.
    pub bits: Option<u32>,
    /// The instruction without modifiers, and its width, such as `LDG.128`. For classes of simple instructions, the
    /// name of the class.
    pub name: String,
}

impl Unit {
    fn new(class: Class, opcode: &str, bits: Option<u32>) -> Unit {
        let name = match bits {
            _ if class >= Class::Warp || class == Class::Constant => class.name().to_string(),
            Some(bits) => format!("{opcode}.{bits}"),
            None => opcode.to_string(),
        };
        Unit { class, name, bits }
    }
}

/// The classes of SASS instructions by opcode. `*` at the start or the end matches any text. The first match counts.
const SASS: &[(Class, &str)] = &[
    (Class::Tma, "UTMALDG UTMASTG UTMAREDG UTMAPF UBLKCP UBLKRED UBLKPF"),
    (Class::TensorCore, "*MMA"),
    (Class::TensorMemory, "LDTM STTM UTCCP UTCSHIFT UTCATOMSWS"),
    (Class::Barrier, "BAR B2R BARRIER SYNCS DEPBAR LDGDEPBAR WARPSYNC WARPGROUP WARPGROUPSET ARRIVES MEMBAR ERRBAR"),
    (Class::Barrier, "CGAERRBAR FENCE UTCBAR UCGABAR_* ACQBULK ACQSHMINIT PREEXIT UTMACMDFLUSH"),
    (Class::AsyncCopy, "LDGSTS"),
    (Class::GlobalLoad, "LDG LD LDGMC"),
    (Class::GlobalStore, "STG ST STAS"),
    (Class::SharedLoad, "LDS LDSM"),
    (Class::SharedStore, "STS STSM"),
    (Class::Atomic, "ATOM ATOMG ATOMS RED REDG REDS UREDGR"),
    (Class::Spill, "LDL STL"),
    (Class::Constant, "LDC LDCU ULDC"),
    (Class::Conversion, "F2F F2FP F2I F2IP I2F I2FP I2I I2IP FRND UF2F UF2FP UF2I UF2IP UI2F UI2FP UI2I UI2IP UFRND"),
    (Class::Warp, "SHFL VOTE VOTEU MATCH REDUX CREDUX ELECT"),
    (Class::Special, "MUFU UMUFU"),
    (
        Class::Branch,
        "BRA BRX BRXU JMP JMX JMXU CALL RET EXIT BSSY BSYNC BREAK BMOV KILL RPCMOV BPT YIELD ENDCOLLECTIVE",
    ),
    (Class::Move, "MOV UMOV SEL USEL FSEL UFSEL PRMT UPRMT S2R S2UR CS2R R2UR R2P P2R R2B UP2UR UR2UP MOVM LEPC"),
    (Class::Other, "UTMACCTL NOP NANOSLEEP CCTL CCTLL CCTLT USETMAXREG SETMAXREG UVIRTCOUNT SETCTAID DEBUG PMTRIG"),
    (Class::Integer, "FLO UFLO ISCADD SHF SHL SHR SGXT"),
    (Class::Float, "F* H* D* UF*"),
    (Class::Integer, "I* U* L* V* P* B* S* R*"),
];

/// Classifies a SASS instruction: opcode with modifiers, and operands.
pub(super) fn of_sass(opcode: &str, operands: &str) -> Unit {
    let base = opcode.split('.').next().unwrap_or(opcode);
    let class = match (base, opcode) {
        // The forms of arithmetic instructions that compute nothing.
        ("IMAD", _) if opcode.starts_with("IMAD.MOV") => Class::Move,
        ("IMAD", _) if operands.contains(", RZ, RZ, ") => Class::Move,
        ("HFMA2", _) if operands.contains("-RZ, RZ, ") => Class::Move,
        ("HADD2", "HADD2.F32") if operands.contains("-RZ, ") => Class::Conversion,
        _ => matching(SASS, base),
    };
    let bits = if class.has_width() { Some(sass_width(base, opcode)) } else { None };
    Unit::new(class, if class == Class::Conversion && base == "HADD2" { opcode } else { base }, bits)
}

/// The bits that each thread loads or stores: 32 unless a modifier states another number.
fn sass_width(base: &str, opcode: &str) -> u32 {
    let modifiers = || opcode.split('.').skip(1);
    // A matrix of 8x8 elements of 16 bits is a register of each thread.
    if matches!(base, "LDSM" | "STSM") {
        let count = modifiers().filter_map(|modifier| modifier.parse::<u32>().ok()).last();
        return 32 * count.filter(|count| matches!(count, 2 | 4)).unwrap_or(1);
    }
    let number = |modifier: &str| modifier.trim_start_matches(['U', 'S']).parse::<u32>().ok();
    let widths = modifiers().filter_map(number).filter(|bits| matches!(bits, 8 | 16 | 32 | 64 | 96 | 128 | 256));
    // `LDG.E.ENL2.256` loads 256 bits.
    widths.max().unwrap_or(32)
}

/// The classes of PTX instructions by their dotted names; a name also matches with further modifiers.
const PTX: &[(Class, &str)] = &[
    (Class::TensorCore, "wgmma.mma_async* mma wmma tcgen05.mma*"),
    (
        Class::Barrier,
        "wgmma tcgen05.wait* tcgen05.fence* tcgen05.commit* bar barrier mbarrier fence fence* membar griddepcontrol",
    ),
    (Class::TensorMemory, "tcgen05"),
    (Class::Barrier, "cp.async.wait* cp.async.commit* cp.async.bulk.wait* cp.async.bulk.commit* cp.async.mbarrier*"),
    (Class::Tma, "cp.async.bulk cp.reduce prefetch.tensor tensormap"),
    (Class::AsyncCopy, "cp.async"),
    (Class::Constant, "ld.param* ld.const*"),
    (Class::SharedLoad, "ld.shared* ld.volatile.shared* ldmatrix"),
    (Class::SharedStore, "st.shared* st.volatile.shared* stmatrix"),
    (Class::Spill, "ld.local* st.local*"),
    (Class::Move, "st.param*"),
    (Class::GlobalLoad, "ld ldu multimem.ld_reduce*"),
    (Class::GlobalStore, "st multimem.st*"),
    (Class::Atomic, "atom red multimem"),
    (Class::Conversion, "cvt"),
    (Class::Warp, "shfl vote match redux elect activemask"),
    (Class::Special, "ex2 lg2 sin cos rcp rsqrt sqrt tanh"),
    (Class::Branch, "bra brx call ret exit trap brkpt"),
    (Class::Move, "mov selp prmt cvta isspacep mapa"),
    (Class::Other, "nanosleep setmaxnreg discard prefetch prefetchu pmevent"),
];

/// Classifies a PTX instruction by its opcode with modifiers.
pub(super) fn of_ptx(opcode: &str) -> Unit {
    let found = PTX.iter().find(|(_, names)| names.split(' ').any(|name| is_ptx(opcode, name)));
    let class = found.map_or_else(|| ptx_arithmetic(opcode), |(class, _)| *class);
    let bits = if class.has_width() { ptx_width(opcode) } else { None };
    Unit::new(class, &ptx_name(opcode), bits)
}

/// Whether an opcode is an instruction, possibly with modifiers.
fn is_ptx(opcode: &str, name: &str) -> bool {
    match name.strip_suffix('*') {
        Some(start) => opcode.starts_with(start),
        None => opcode.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

/// The class of an arithmetic instruction, by its type.
fn ptx_arithmetic(opcode: &str) -> Class {
    let is_float = |modifier: &str| {
        ["f16", "f32", "f64", "bf16", "tf32"]
            .iter()
            .any(|element| modifier.strip_prefix(element).is_some_and(|rest| rest.is_empty() || rest == "x2"))
    };
    if opcode.split('.').skip(1).any(is_float) { Class::Float } else { Class::Integer }
}

/// The instruction without most modifiers: `ld.global`, `wgmma.mma_async`, `mma`, `cp.async.bulk.tensor`.
fn ptx_name(opcode: &str) -> String {
    const SPACES: [&str; 3] = ["global", "shared", "local"];
    const COPY: [&str; 5] = ["async", "bulk", "tensor", "wait_group", "commit_group"];
    let mut parts = opcode.split('.').map(|part| part.split("::").next().unwrap_or(part));
    let base = parts.next().unwrap_or_default();
    let kept: Vec<&str> = match base {
        "ld" | "st" => parts.find(|part| SPACES.contains(part)).into_iter().collect(),
        "cp" => parts.take_while(|part| COPY.contains(part)).collect(),
        "wgmma" | "tcgen05" | "mbarrier" | "bar" | "fence" => parts.take(1).collect(),
        _ => Vec::new(),
    };
    [&[base], &kept[..]].concat().join(".")
}

/// The bits that each thread loads or stores: the vector size times the size of its type.
fn ptx_width(opcode: &str) -> Option<u32> {
    let part = |prefixes: &[&str]| {
        let number = |part: &str| prefixes.iter().find_map(|prefix| part.strip_prefix(prefix)?.parse::<u32>().ok());
        opcode.split(['.', ':']).skip(1).filter(|part| !part.is_empty()).filter_map(number).last()
    };
    if opcode.starts_with("ldmatrix") || opcode.starts_with("stmatrix") {
        return Some(32 * part(&["x"]).unwrap_or(1));
    }
    Some(part(&["v"]).unwrap_or(1) * part(&["b", "u", "s", "f", "bf"])?)
}

/// The class of the first row with a matching pattern.
fn matching(rows: &[(Class, &str)], name: &str) -> Class {
    let fits = |pattern: &str| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (_, Some(start)) => name.starts_with(start),
        _ => name == pattern,
    };
    rows.iter().find(|(_, patterns)| patterns.split(' ').any(fits)).map_or(Class::Other, |(class, _)| *class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sass_is_classified() {
        for (opcode, operands, class, name) in [
            ("HGMMA.64x128x16.F32", "R88, gdesc[UR4].tnspB, RZ, !UPT", Class::TensorCore, "HGMMA"),
            ("UTCHMMA", "gdesc[UR26], gdesc[UR28], tmem[UR25]", Class::TensorCore, "UTCHMMA"),
            ("UTCBAR", "[UR4], URZ", Class::Barrier, "UTCBAR"),
            ("UTMALDG.2D", "[UR8], [UR6]", Class::Tma, "UTMALDG"),
            ("LDTM.x32", "R4, tmem[UR4]", Class::TensorMemory, "LDTM"),
            ("LDG.E.128.CONSTANT", "R4, desc[UR6][R8.64]", Class::GlobalLoad, "LDG.128"),
            ("LDG.E", "R4, desc[UR6][R8.64]", Class::GlobalLoad, "LDG.32"),
            ("LDG.E.U8", "R4, desc[UR6][R8.64]", Class::GlobalLoad, "LDG.8"),
            ("LDG.E.ENL2.256", "R8, R4, desc[UR6][R8.64]", Class::GlobalLoad, "LDG.256"),
            ("LDGSTS.E.BYPASS.LTC128B.128", "[R4], [R8.64]", Class::AsyncCopy, "LDGSTS.128"),
            ("LDSM.16.MT88.4", "R4, [R8]", Class::SharedLoad, "LDSM.128"),
            ("LDSM.16.M88", "R4, [R8]", Class::SharedLoad, "LDSM.32"),
            ("STS.64", "[R4], R8", Class::SharedStore, "STS.64"),
            ("STL.128", "[R1+0x10], R4", Class::Spill, "STL.128"),
            ("F2FP.F16.F32.PACK_AB", "R4, R5, R4", Class::Conversion, "F2FP"),
            ("HADD2.F32", "R4, -RZ, R5.H0_H0", Class::Conversion, "HADD2.F32"),
            ("HADD2.F32", "R4, R4.H1_H1, R5.H0_H0", Class::Float, "float"),
            ("HFMA2", "R4, -RZ, RZ, 0, 0", Class::Move, "move"),
            ("IMAD.MOV.U32", "R12, RZ, RZ, -0x800000", Class::Move, "move"),
            ("IMAD.WIDE.U32", "R2, R3, R7, R8", Class::Integer, "integer"),
            ("UFLO.U32", "UR4, UR4", Class::Integer, "integer"),
            ("UFMUL", "UR4, UR4, UR5", Class::Float, "float"),
            ("FLO.U32", "R4, R4", Class::Integer, "integer"),
            ("FFMA", "R4, R5, R6, R4", Class::Float, "float"),
            ("MUFU.EX2", "R4, R4", Class::Special, "special function"),
            ("SYNCS.EXCH.64", "URZ, [UR8+0x30000], UR4", Class::Barrier, "SYNCS"),
            ("QXYZ", "", Class::Other, "other"),
        ] {
            let unit = of_sass(opcode, operands);
            assert_eq!((unit.class, unit.name.as_str()), (class, name), "{opcode} {operands}");
        }
    }

    #[test]
    fn ptx_is_classified() {
        for (opcode, class, name) in [
            ("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", Class::TensorCore, "wgmma.mma_async"),
            ("wgmma.wait_group.sync.aligned", Class::Barrier, "wgmma.wait_group"),
            ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", Class::TensorCore, "mma"),
            ("tcgen05.mma.cta_group::1.kind::f16", Class::TensorCore, "tcgen05.mma"),
            ("tcgen05.st.sync.aligned.32x32b.x8.b32", Class::TensorMemory, "tcgen05.st"),
            ("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier", Class::Tma, "cp.async.bulk.tensor"),
            ("cp.async.bulk.wait_group.read", Class::Barrier, "cp.async.bulk.wait_group"),
            ("cp.async.cg.shared.global", Class::AsyncCopy, "cp.async"),
            ("ld.global.v4.b32", Class::GlobalLoad, "ld.global.128"),
            ("st.shared::cta.v2.b32", Class::SharedStore, "st.shared.64"),
            ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", Class::SharedLoad, "ldmatrix.128"),
            ("st.local.b32", Class::Spill, "st.local.32"),
            ("ld.param.b64", Class::Constant, "constant"),
            ("cvt.rn.f16x2.f32", Class::Conversion, "cvt"),
            ("bar.sync", Class::Barrier, "bar.sync"),
            ("fma.rn.f32", Class::Float, "float"),
            ("add.rn.bf16x2", Class::Float, "float"),
            ("mad.lo.s64", Class::Integer, "integer"),
            ("setp.ge.u64", Class::Integer, "integer"),
            ("ex2.approx.ftz.f32", Class::Special, "special function"),
            ("atom.shared.cta.max.u32", Class::Atomic, "atom"),
        ] {
            let unit = of_ptx(opcode);
            assert_eq!((unit.class, unit.name.as_str()), (class, name), "{opcode}");
        }
    }
}
