//! Free addresses.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::ops::Range;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// Below the ports that Linux gives to programs that ask for any (`ip_local_port_range`), so that no parallel test gets
/// the same port from the system. Browsers block none of these.
const PORTS: Range<u16> = 20_000..32_768;

/// A local address at which no program listens. A process gets each address once.
pub fn free_address() -> SocketAddr {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let count = u32::from(PORTS.end - PORTS.start);
    // Processes that run at the same time have near ids, and start far from each other.
    let first = process::id().wrapping_mul(97);
    loop {
        let next = first.wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % count;
        let port = PORTS.start + u16::try_from(next).unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}
