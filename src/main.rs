//! The module that the loader starts. What it exports is in the library.

use tender_checkout as _;

fn main() {}
