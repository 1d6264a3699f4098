//! A release embeds the widget of `dist/v1` (`embedded_widget`), so it is rebuilt when those files change. Other builds read
//! the files when they start.

use std::path::Path;

const LOADER: &str = "../../dist/v1/checkout.js";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(embedded_widget)");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rustc-cfg=embedded_widget");
        println!("cargo::rerun-if-changed=../../dist/v1");
        if !Path::new(LOADER).is_file() {
            println!(
                "cargo::error=a release contains the widget, which is not built: run `cargo xtask dist`"
            );
        }
    }
}
