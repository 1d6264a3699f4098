//! Addresses that are not on the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is not globally reachable (the registries of IANA for special-purpose addresses).
pub(crate) fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast()
        // This network, and addresses reserved for future use with the broadcast address.
        || a == 0
        || a >= 240
        // Shared by the customers of a provider.
        || (a == 100 && (64..128).contains(&b))
        // Protocol assignments and tests of devices.
        || (a, b, c) == (192, 0, 0)
        || (a == 198 && (18..20).contains(&b))
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let [first, second, third, ..] = address.segments();
    match (first, second) {
        // NAT64 (RFC 6052) ends with an IPv4 address.
        (0x64, 0xff9b) => {
            let bits = address.to_bits();
            let low = u32::try_from(bits & u128::from(u32::MAX)).unwrap_or_default();
            // Only zeros between the prefix and the address.
            bits << 32 >> 64 != 0 || is_private_v4(Ipv4Addr::from_bits(low))
        }
        // 6to4 (RFC 3056) contains an IPv4 address.
        (0x2002, high) => {
            let bits = u32::from(high) << 16 | u32::from(third);
            is_private_v4(Ipv4Addr::from_bits(bits))
        }
        // Protocol assignments, such as Teredo, and documentation.
        (0x2001, 0..0x200 | 0xdb8) | (0x3fff, 0..0x1000) => true,
        // Everything else that is public is in 2000::/3.
        _ => first & 0xe000 != 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_addresses_are_private() {
        for address in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::10.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:a00:1::1",
            "3fff::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(is_private(address.parse().unwrap()), "{address}");
        }
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "198.17.255.255",
            "198.20.0.1",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2001:4860:4860::8888",
            "2002:808:808::1",
            "2606:4700:4700::1111",
            "2a00:1450::1",
        ] {
            assert!(!is_private(address.parse().unwrap()), "{address}");
        }
    }
}
