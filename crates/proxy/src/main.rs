//! The program `tender-proxy`.

use std::process::ExitCode;

/// Requests allocate many small objects and free them on other threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tender_proxy::main()
}
