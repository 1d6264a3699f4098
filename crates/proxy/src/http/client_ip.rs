//! The client IP address, which rate limits are counted by.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Once;

use axum::http::header::{FORWARDED, HeaderName};
use axum::http::{Extensions, HeaderMap};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The remote address of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// The address of a client. For IPv6 it is the /64 network, which usually belongs to one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClientIp(IpAddr);

impl ClientIp {
    /// The client of a request that has passed through so many trusted proxies in front of this one.
    pub(crate) fn of(headers: &HeaderMap, extensions: &Extensions, trusted_proxies: usize) -> Self {
        static WARNED: Once = Once::new();
        if trusted_proxies == 0
            && (headers.contains_key(X_FORWARDED_FOR) || headers.contains_key(FORWARDED))
        {
            WARNED.call_once(|| {
                tracing::warn!(
                    "a request came with `X-Forwarded-For` or `Forwarded`, but `trusted_proxies` is 0: if a \
                     server of yours is in front of the proxy, all its clients count as one and share the \
                     limits per address; set `trusted_proxies` to the number of your servers in front"
                );
            });
        }
        let peer = extensions.get::<Peer>();
        let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |Peer(peer)| peer.ip());
        let forwarded = forwarded_for(headers, trusted_proxies);
        Self::from(forwarded.unwrap_or(peer))
    }
}

/// An IPv6 address is shown as its /64 network.
impl fmt::Display for ClientIp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(formatter),
            IpAddr::V6(network) => write!(formatter, "{network}/64"),
        }
    }
}

impl From<IpAddr> for ClientIp {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// Reads the client address from `X-Forwarded-For`.
///
/// Each proxy appends the address that it was called from. With n trusted proxies, the client is
/// the nth entry from the end; entries before it come from the client and can't be trusted. Returns
/// `None` if there are fewer entries, because the request bypassed a proxy.
fn forwarded_for(headers: &HeaderMap, trusted_proxies: usize) -> Option<IpAddr> {
    let nth = trusted_proxies.checked_sub(1)?;
    let mut entries = headers
        .get_all(X_FORWARDED_FOR)
        .iter()
        .rev()
        .flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b','));
    let entry = str::from_utf8(entries.nth(nth)?).ok()?.trim();
    let address = entry.parse().or_else(|_| {
        let with_port = entry.parse::<SocketAddr>();
        with_port.map(|address| address.ip())
    });
    address.ok()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;

    use super::*;

    fn client(peer: &str, forwarded: &[&str], trusted_proxies: usize) -> ClientIp {
        let mut request = Request::new(Body::empty());
        request.extensions_mut().insert(Peer(peer.parse().unwrap()));
        for value in forwarded {
            let value = value.parse().unwrap();
            request.headers_mut().append(X_FORWARDED_FOR, value);
        }
        ClientIp::of(request.headers(), request.extensions(), trusted_proxies)
    }

    fn is(address: &str) -> ClientIp {
        ClientIp::from(address.parse::<IpAddr>().unwrap())
    }

    #[test]
    fn each_trusted_proxy_adds_an_entry() {
        let lines = ["203.0.113.9, 203.0.113.8", "198.51.100.7 , 10.0.0.1"];
        let peer = "192.0.2.1";
        for (forwarded, trusted, address) in [
            (&lines[..], 0, peer),
            (&lines, 1, "10.0.0.1"),
            (&lines, 2, "198.51.100.7"),
            (&lines, 3, "203.0.113.8"),
            (&lines, 4, "203.0.113.9"),
            // The request passed through fewer proxies than configured.
            (&lines, 5, peer),
            // An entry may have a port.
            (&["198.51.100.7:443"], 1, "198.51.100.7"),
            (&["[2001:db8::1]:443"], 1, "2001:db8::1"),
            // Invalid entries are ignored.
            (&[""], 1, peer),
            (&["unknown"], 1, peer),
            (&["198.51.100.7, "], 1, peer),
            (&["198.51.100.7, _hidden"], 1, peer),
            (&["1.2.3.4.5"], 1, peer),
        ] {
            let client = client("192.0.2.1:5", forwarded, trusted);
            assert_eq!(client, is(address), "{forwarded:?}");
        }
        assert_eq!(client("[::ffff:192.0.2.1]:5", &[], 0), is(peer));
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        assert_eq!(is("2001:db8:1:2::1"), is("2001:db8:1:2:ffff::9"));
        assert_ne!(is("2001:db8:1:2::1"), is("2001:db8:1:3::1"));
    }
}
