//! The SIMT preview: separately compiled functions, and calls of them.
//!
//! Declarations and implementations are records of the function table; their layouts describe the content after the
//! location.

use super::*;
use crate::preview::{PREVIEW_VERSION, PreviewAttr};

const PREVIEW: OpRow = OpRow { group: Group::Preview, since: PREVIEW_VERSION, effect: Effect::Memory, ..OP };

const PARAMS: AttrRow = attr(
    "const_params",
    AttrKind::ConstParams,
    Optional,
    "The constant parameters: `<[N: index, T: !cuda_tile<preview$Datatype>]>`.",
);
const ARG_ATTRS: AttrRow =
    attr("arg_attrs", AttrKind::Array, Optional, "Attributes of the arguments, one dictionary for each.");
const RES_ATTRS: AttrRow =
    attr("res_attrs", AttrKind::Array, Optional, "Attributes of the results, one dictionary for each.");
const SIGNATURE: AttrRow = attr("function_type", AttrKind::Type, Required, "The types of its arguments and results.");
const BODY: RegionRow =
    RegionRow { name: "body", terminator: None, args: RegionArgs::Header, arg_names: &["arg#"], optional: true };

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::PreviewCall,
        name: "preview$call",
        opcode: Some(0x4002),
        operands: &[many("operands", Class::Any, "The arguments: tiles, and tokens that order the call.")],
        attrs: &[
            attr("callee", AttrKind::SymbolRef, Required, "The function to call, a `preview$func` of a library."),
            attr(
                "const_args",
                AttrKind::ConstArgs,
                Optional,
                "The values of the function's constant parameters: `<[64, f32]>`.",
            ),
            ARG_ATTRS,
            RES_ATTRS,
        ],
        results: &[results("results", Class::Any)],
        form: "$callee $const_args($operands) attr-dict : function-type($operands, $results)",
        layout: "results# flags(arg_attrs res_attrs) callee const_args arg_attrs? res_attrs? operands#",
        doc: "Calls a function of a tile library, which is compiled separately and linked to the kernel. Its results are the \
              elements of the `out` and `inout` arguments after the call. Tokens only order the call.",
        ..PREVIEW
    },
    OpRow {
        op: Mnemonic::PreviewFunc,
        name: "preview$func",
        attrs: &[
            attr("sym_name", AttrKind::SymbolName, Required, "The function's name."),
            PARAMS,
            SIGNATURE,
            ARG_ATTRS,
        ],
        regions: &[BODY],
        form: "extern $sym_name $const_params signature($body)",
        layout: "arg_attrs",
        doc: "Declares a function of a tile library: its interface, without a body. `preview$call` calls it, and a \
              `preview$extern_impl` implements it.",
        ..PREVIEW
    },
    OpRow {
        op: Mnemonic::PreviewExternImpl,
        name: "preview$extern_impl",
        attrs: &[
            attr("sym_name", AttrKind::SymbolName, Required, "The implementation's name."),
            attr("implements", AttrKind::SymbolRef, Required, "The function that it implements."),
            PARAMS,
            attr("const_args", AttrKind::ConstArgs, Optional, "The values of the function's constant parameters."),
            SIGNATURE,
            ARG_ATTRS,
            RES_ATTRS,
            attr(
                "scratch",
                AttrKind::Preview(PreviewAttr::ScratchRequest),
                Optional,
                "Shared memory for the call, in bytes: `{smem.size = …, smem.alignment = …}`.",
            ),
            attr("config", AttrKind::Dictionary, Optional, "Reserved; always absent."),
            attr("arch", AttrKind::Array, Optional, "The architectures that the code is compiled for: `[\"sm_100\"]`."),
            attr("frontendABI", AttrKind::Dictionary, Optional, "Data for the producer of the library."),
            attr(
                "synchronization",
                AttrKind::Preview(PreviewAttr::Synchronization),
                Optional,
                "The group of threads that runs it.",
            ),
            attr("provider_score", AttrKind::Int(64), Optional, "Its rank among the implementations of the function."),
        ],
        regions: &[BODY],
        form: "$sym_name $const_params implements $implements $const_args signature($body) \
               {{synchronization = $synchronization}? | {arch = $arch}? | {scratch $scratch}?}* attr-dict",
        layout: "flags(const_params const_args arg_attrs res_attrs scratch config arch frontendABI synchronization provider_score) \
                 sym_name implements const_params? const_args? function_type arg_attrs? res_attrs? scratch? config? arch? frontendABI? \
                 synchronization? provider_score?",
        doc: "Describes how a function of a tile library is compiled: which thread owns which element of each argument, and \
              the requirements of the code. The code itself is stored separately in the library.",
        ..PREVIEW
    },
];
