//! The module that the loader starts. What it exports is in the library.

use tender_payments as _;

fn main() {}
