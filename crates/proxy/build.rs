//! A release build embeds the widget of `dist/v1`, so it is rebuilt when those files change. A
//! debug build reads the files at startup.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=../../dist/v1");
    }
}
