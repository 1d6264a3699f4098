//! The addresses of the demo's servers.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use anyhow::{Context as _, Result};
use clap::Args;

/// Where the demo's servers listen, and whose pages may use the proxy.
#[derive(Args)]
pub(crate) struct Addresses {
    /// The address of the shop.
    #[arg(long, value_name = "ADDRESS", default_value_t = Self::default().shop)]
    pub(super) shop: SocketAddr,
    /// The address of the merchant proxy.
    #[arg(long, value_name = "ADDRESS", default_value_t = Self::default().proxy)]
    pub(super) proxy: SocketAddr,
    /// The address of the payment service.
    #[arg(long, value_name = "ADDRESS", default_value_t = Self::default().service)]
    pub(super) service: SocketAddr,
    /// The address of the service's token listing.
    #[arg(long, value_name = "ADDRESS", default_value_t = Self::default().rates)]
    pub(super) rates: SocketAddr,
    /// The origin of a page of your own, which may use the proxy, too; may be repeated.
    #[arg(long = "origin", value_name = "ORIGIN", value_parser = page_origin)]
    pub(super) pages: Vec<String>,
    /// Where your own shop receives the notifications, in place of the demo's shop.
    #[arg(long, value_name = "URL")]
    pub(super) notify_url: Option<String>,
}

impl Default for Addresses {
    fn default() -> Self {
        let at = |port| SocketAddr::from(([127, 0, 0, 1], port));
        Self {
            shop: at(8080),
            proxy: at(8081),
            service: at(8082),
            rates: at(8083),
            pages: Vec::new(),
            notify_url: None,
        }
    }
}

impl Addresses {
    /// Fails if an address is in use, before the long build.
    pub(crate) fn check_free(&self) -> Result<()> {
        // All stay bound until the last is checked: this also detects an address that is given twice.
        let mut held = Vec::new();
        for (role, flag, address) in [
            ("shop", "shop", self.shop),
            ("proxy", "proxy", self.proxy),
            ("payment service", "service", self.service),
            ("token listing", "rates", self.rates),
        ] {
            let listener = TcpListener::bind(address).with_context(|| {
                format!(
                    "the {role} cannot listen on {address}: stop the program that listens there, \
                     or choose another address with --{flag}"
                )
            })?;
            held.push(listener);
        }
        Ok(())
    }
}

/// Fails before the long build. The proxy checks the rest.
fn page_origin(text: &str) -> Result<String, &'static str> {
    match text.split_once("://") {
        Some((_, host)) if !host.contains('/') => Ok(text.to_owned()),
        _ => Err("write it as browsers send it, without a path, such as http://localhost:3000"),
    }
}

/// The URL of a server for a browser on this machine: an unspecified address is replaced by the loopback address.
pub(super) fn origin(address: &SocketAddr) -> String {
    let mut reached_at = *address;
    if address.ip().is_unspecified() {
        reached_at.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http://{reached_at}")
}

/// Whether a browser on this machine reaches a server by the loopback address.
pub(super) fn is_on_this_machine(address: &SocketAddr) -> bool {
    address.ip().is_loopback() || address.ip().is_unspecified()
}

/// The origins of the page in a browser: `localhost` is another origin than 127.0.0.1.
pub(super) fn origins_in_a_browser(address: &SocketAddr) -> Vec<String> {
    let mut origins = vec![origin(address)];
    if is_on_this_machine(address) {
        origins.push(format!("http://localhost:{}", address.port()));
    }
    origins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_of_a_page_is_one_as_browsers_send_it() {
        for origin in ["http://localhost:3000", "https://a.test"] {
            assert_eq!(page_origin(origin), Ok(origin.to_owned()));
        }
        for wrong in ["localhost:3000", "http://localhost:3000/"] {
            page_origin(wrong).unwrap_err();
        }
    }

    #[test]
    fn localhost_is_allowed_where_it_is_the_same_page() {
        let origins = |address: &str| origins_in_a_browser(&address.parse().unwrap());
        assert_eq!(
            origins("127.0.0.1:8080"),
            ["http://127.0.0.1:8080", "http://localhost:8080"]
        );
        // It listens everywhere, and is called on this machine.
        assert_eq!(
            origins("0.0.0.0:8080"),
            ["http://127.0.0.1:8080", "http://localhost:8080"]
        );
        assert_eq!(origins("192.0.2.1:8080"), ["http://192.0.2.1:8080"]);
    }

    #[test]
    fn an_address_given_twice_is_noticed() {
        let free = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let twice = Addresses {
            shop: free,
            rates: free,
            ..any_free()
        };
        twice.check_free().unwrap_err();
        any_free().check_free().unwrap();
    }

    #[test]
    fn an_address_in_use_names_the_flag_that_changes_it() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let addresses = Addresses {
            rates: taken.local_addr().unwrap(),
            ..any_free()
        };
        let message = addresses.check_free().unwrap_err().to_string();
        assert!(message.contains("--rates"), "{message}");
    }

    fn any_free() -> Addresses {
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        Addresses {
            shop: free,
            proxy: free,
            service: free,
            rates: free,
            pages: Vec::new(),
            notify_url: None,
        }
    }
}
