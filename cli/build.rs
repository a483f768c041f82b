//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The tables hold thousands of pointers. At a fixed address they need no work when the program starts.
    let target = ["CARGO_CFG_TARGET_OS", "CARGO_CFG_TARGET_ENV"].map(|name| std::env::var(name).unwrap_or_default());
    if target == ["linux", "gnu"] {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
