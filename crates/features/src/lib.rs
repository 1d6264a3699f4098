//! One set of features for everything that is built for this machine.
//!
//! Cargo compiles a dependency once for each set of features, and the features depend on the packages that are selected. A
//! command that selects this package, too, gets the features that all packages and their tests need together. So the demo, all
//! tests, and one test of one package share what is compiled:
//!
//! ```sh
//! cargo test --package tender-ledger --package tender-features
//! ```
//!
//! Nothing depends on this package, and a command that names programs or runs tests does not compile it. A release doesn't select
//! it, so its programs have only the features that they need.
