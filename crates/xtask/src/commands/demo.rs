//! `cargo xtask demo`: a shop, the proxy and a sandbox of the payment service, built and started.

mod server;

use std::net::{SocketAddr, TcpListener};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use lexopt::prelude::*;

use self::server::Server;
use super::dist;
use crate::error::{Error, Result};
use crate::step::Step;
use crate::tools;
use crate::workspace::{Workspace, run as run_command};

const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Where the demo's servers listen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Addresses {
    shop: SocketAddr,
    proxy: SocketAddr,
    service: SocketAddr,
    rates: SocketAddr,
}

impl Default for Addresses {
    fn default() -> Self {
        let at = |port| SocketAddr::from(([127, 0, 0, 1], port));
        Self {
            shop: at(8080),
            proxy: at(8081),
            service: at(8082),
            rates: at(8083),
        }
    }
}

impl Addresses {
    pub(crate) fn from_args(mut args: lexopt::Parser) -> Result<Self> {
        let mut addresses = Self::default();
        while let Some(arg) = args.next()? {
            let address = match arg {
                Long("shop") => &mut addresses.shop,
                Long("proxy") => &mut addresses.proxy,
                Long("service") => &mut addresses.service,
                Long("rates") => &mut addresses.rates,
                other => return Err(other.unexpected().into()),
            };
            *address = args.value()?.parse()?;
        }
        Ok(addresses)
    }

    /// Says at once what would otherwise show after a long build, as the end of a server.
    fn check_free(&self) -> Result<()> {
        for (role, flag, address) in [
            ("shop", "shop", self.shop),
            ("proxy", "proxy", self.proxy),
            ("payment service", "service", self.service),
            ("token listing", "rates", self.rates),
        ] {
            TcpListener::bind(address).map_err(|source| Error::Address {
                role,
                flag,
                address,
                source,
            })?;
        }
        Ok(())
    }
}

pub(crate) fn run(workspace: &Workspace, addresses: &Addresses) -> Result<()> {
    addresses.check_free()?;
    let toolbox = tools::ensure(workspace, &[Step::Dist])?;
    dist::page(workspace, &toolbox)?;
    println!("\n==> The servers");
    run_command(workspace.command("cargo").args([
        "build",
        "--package",
        "tender-sandbox",
        "--package",
        "tender-proxy",
        "--package",
        "tender-shop",
    ]))?;

    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    ctrlc::set_handler(move || told.store(true, Ordering::Relaxed))?;

    println!("\n==> Starting");
    let mut servers = start(workspace, addresses)?;
    for server in &mut servers {
        if !server.wait_until_healthy(&stop)? {
            return Ok(());
        }
    }
    println!("{}", addresses.welcome());
    while !stop.load(Ordering::Relaxed) {
        for server in &mut servers {
            server.check_running()?;
        }
        thread::sleep(LOOK_EVERY);
    }
    println!("\n==> Stopping");
    Ok(())
}

fn start(workspace: &Workspace, addresses: &Addresses) -> Result<Vec<Server>> {
    let Addresses {
        shop,
        proxy,
        service,
        rates,
    } = addresses;
    // By environment: the command line of a program is visible to every user of the machine.
    let order_key = format!("demo={}", random_hex()?);

    let mut sandbox = server_command(workspace, "tender-sandbox");
    sandbox
        .args(["--listen", &service.to_string()])
        .args(["--rates-listen", &rates.to_string()]);

    let mut merchant_proxy = server_command(workspace, "tender-proxy");
    merchant_proxy
        .args(["--listen", &proxy.to_string()])
        .args(["--base-url", &origin(service)])
        .args(["--rates-base-url", &origin(rates)])
        .args(["--allow-origin", &origin(shop)])
        .env("TENDER_ORDER_KEY", &order_key);

    let mut shop_server = server_command(workspace, "tender-shop");
    shop_server
        .args(["--listen", &shop.to_string()])
        .args(["--proxy", &origin(proxy)])
        .args(["--logos", &origin(rates)])
        .env("TENDER_ORDER_KEY", &order_key);

    // They stop in this order: whoever asks before the one that answers.
    Ok(vec![
        Server::start("shop", shop_server, format!("{}/healthz", origin(shop)))?,
        Server::start(
            "proxy",
            merchant_proxy,
            format!("{}/healthz", origin(proxy)),
        )?,
        Server::start(
            "sandbox",
            sandbox,
            format!("{}/sandbox/state", origin(service)),
        )?,
    ])
}

fn server_command(workspace: &Workspace, name: &str) -> Command {
    workspace.command(workspace.dev_binary(name))
}

/// How a browser on this machine reaches a server: listening everywhere is no address to call.
fn origin(address: &SocketAddr) -> String {
    let mut reached_at = *address;
    if address.ip().is_unspecified() {
        reached_at.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http://{reached_at}")
}

/// 256 random bits, as HS256 asks for (RFC 7518, section 3.2).
fn random_hex() -> Result<String> {
    let mut key = [0_u8; 32];
    getrandom::fill(&mut key).map_err(Error::Random)?;
    Ok(hex::encode(key))
}

impl Addresses {
    fn welcome(&self) -> String {
        format!(
            "\n\
             Open the shop:  {}\n\n\
             \x20   the proxy          {}\n\
             \x20   the service        {}  (a sandbox: no money moves)\n\
             \x20   its token listing  {}/api/v1/rates/my-tokens\n\
             \x20   its controls       {}/sandbox/state\n\n\
             Ctrl-C stops everything.\n",
            origin(&self.shop),
            origin(&self.proxy),
            origin(&self.service),
            origin(&self.rates),
            origin(&self.service),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shop_is_at_8080_unless_told_otherwise() {
        let addresses =
            Addresses::from_args(lexopt::Parser::from_args(["--proxy=[::1]:9"])).unwrap();
        assert_eq!(addresses.shop, "127.0.0.1:8080".parse().unwrap());
        assert_eq!(addresses.proxy, "[::1]:9".parse().unwrap());
        assert_eq!(origin(&addresses.proxy), "http://[::1]:9");
    }

    #[test]
    fn a_server_that_listens_everywhere_is_called_on_this_machine() {
        assert_eq!(
            origin(&"0.0.0.0:80".parse().unwrap()),
            "http://127.0.0.1:80"
        );
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
        }
    }
}
