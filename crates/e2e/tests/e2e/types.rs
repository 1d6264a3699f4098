//! The types that ship with the elements.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{dist, output};

const SHOP: &str = include_str!("types/shop.ts");
const TYPES: [&str; 2] = ["checkout.d.ts", "payments.d.ts"];
/// Correct code compiles, and incorrect code does not.
#[test]
fn a_shop_in_typescript_compiles() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("shop.ts"), SHOP).unwrap();
    fs::create_dir(at.join("v1")).unwrap();
    for types in TYPES {
        fs::copy(dist().join("v1").join(types), at.join("v1").join(types)).unwrap();
    }
    compile(at, "shop.ts");
}

/// Compiles a file of this folder, with the strictest options.
pub(crate) fn compile(folder: &Path, file: &str) {
    let compiler = std::env::var_os("TSC")
        .expect("TSC names TypeScript's compiler; `cargo xtask test e2e` brings it");
    output(
        Command::new(compiler)
            .current_dir(folder)
            .args(["--noEmit", "--strict", "--exactOptionalPropertyTypes"])
            .args(["--target", "es2022", "--lib", "es2022,dom"])
            .args(["--module", "nodenext", file]),
    );
}
