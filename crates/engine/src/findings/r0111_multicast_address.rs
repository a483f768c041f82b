//! R0111: multicast address.

use crate::findings::Fault;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0111.
pub(crate) static PAGE: Page = Page {
    code: "R0111",
    name: "multicast-address",
    severity: Severity::Error,
    text: r#"An ordinary op accesses memory through the address of a multicast object, or a multimem op uses an
address that is not one. A multicast object stands for the replicas of a buffer on several devices,
and its addresses differ from those of the replicas. `ptr_to_ptr` changes the type of a pointer, not
its address."#,
    fix: r#"Add a second pointer parameter: a launch can pass `&%x` for one replica and `multicast(%x)` for all
of them."#,
    see: &["E0546", "R0112", "multicast", "replicas"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %all = f32[1] replicas=2 ones
  entry @k(%all: tile<ptr<f32, <multicast>>>) {
    %own = ptr_to_ptr %all : tile<ptr<f32, <multicast>>> -> tile<ptr<f32>>
    %x, %t = load_ptr_tko weak %own : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %all = f32[1] replicas=2 ones
  //@   %own = &%all
  entry @k(%all: tile<ptr<f32, <multicast>>>, %own: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %own : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
};

/// A plain access to an element of a multicast object.
pub(crate) fn plain_access(element: &str, access: Use) -> Box<Fault> {
    let message = format!("this {} {element} through a multicast address", access.verb());
    Fault::new(&PAGE, message).note("only multimem ops can use it; pass a pointer to one replica")
}

/// A multimem access to an element of memory that is not multicast.
pub(crate) fn not_multicast(element: &str) -> Box<Fault> {
    let message = format!("this accesses {element}, which is not the memory of a multicast object");
    Fault::new(&PAGE, message).note("pass a multicast address in the launch: `multicast(%x)`")
}
