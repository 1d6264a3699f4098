//! Links the widget so that a part can be taken out of it.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_SPLIT").is_some() {
        // Where the module refers to what, which `cargo xtask bundle` needs to take it apart.
        println!("cargo::rustc-link-arg-cdylib=--emit-relocs");
    }
}
