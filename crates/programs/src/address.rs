//! Free addresses.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::ops::Range;

/// Below the ports that Linux gives to programs that ask for any (`ip_local_port_range`), so that no parallel test gets
/// the same port from the system. Browsers block none of these.
const PORTS: Range<u16> = 20_000..32_768;

/// A local address at which no program listens.
#[must_use]
pub fn free_address() -> SocketAddr {
    loop {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, fastrand::u16(PORTS)));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}
