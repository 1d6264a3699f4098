//! A release build carries the widget in `dist/v1`: when its files change, the program is rebuilt.
//! A debug build reads them at start and needs no rebuild.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=../../dist/v1");
    }
}
