//! `cargo xtask demo`: a shop, the proxy and a sandbox of the payment service, built and started.

mod addresses;
mod program;
mod served;

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use xshell::cmd;

pub(crate) use self::addresses::Addresses;
use self::addresses::{is_on_this_machine, origin, origins_in_a_browser};
use self::program::Program;
use super::{dist, docs};
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

const SHOP: &str = "tender-shop";
const PROXY: &str = "tender-proxy";
const SANDBOX: &str = "tender-sandbox";

/// As on the shop's pages.
const SHOP_NAME: &str = "Slow Tide";

/// Whether Ctrl-C was pressed.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

const CHECK_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) fn run(workspace: &Workspace, addresses: &Addresses) -> Result<()> {
    addresses.check_free()?;
    // At the same time: downloads, and the linker of a large module, leave a processor idle.
    let programs = [SHOP, PROXY, SANDBOX].into_iter();
    let programs = programs.flat_map(|program| ["--package", program, "--bin", program]);
    let build = cmd!(
        workspace.sh,
        "cargo build {programs...} --package tender-features"
    );
    let build = Program::build("servers", build)?;
    tools::ensure(workspace, &[Step::Dist])?;
    dist::page_for_development(workspace)?;
    println!("\n==> The servers");
    build.finish()?;

    ctrlc::set_handler(|| IS_STOPPED.store(true, Ordering::Relaxed))?;

    println!("\n==> Starting");
    let keys = Keys::random()?;
    let mut servers = start(workspace, addresses, &keys)?;
    for (server, health) in &mut servers {
        server.wait_until_healthy(health)?;
    }
    if !is_stopped() {
        served::check(addresses).context(
            "a buyer could not pay; the output of the programs above says why. \
             If it does not, remove dist/ and run the command again",
        )?;
    }
    // The first time it installs mdBook, for about a minute, with the lowest priority: the demo does not wait for that.
    let this = env::current_exe()?;
    let _docs = Program::start("docs", cmd!(workspace.sh, "nice -n 19 {this} docs"))?;
    if !is_stopped() {
        println!("{}", welcome(addresses, &keys));
    }
    while !is_stopped() {
        for (server, _) in &mut servers {
            server.check_running()?;
        }
        thread::sleep(CHECK_INTERVAL);
    }
    println!("\n==> Stopping");
    Ok(())
}

fn is_stopped() -> bool {
    IS_STOPPED.load(Ordering::Relaxed)
}

/// What the servers of this run share with each other and with a shop of the reader's own.
struct Keys {
    order: String,
    notify: String,
    merchant: String,
}

impl Keys {
    fn random() -> Result<Self> {
        Ok(Self {
            order: format!("demo={}", random_hex()?),
            // Hexadecimal digits are also base64.
            notify: format!("whsec_{}", random_hex()?),
            merchant: random_hex()?,
        })
    }
}

/// The servers, and the addresses that tell their health.
fn start(
    workspace: &Workspace,
    addresses: &Addresses,
    keys: &Keys,
) -> Result<Vec<(Program, String)>> {
    let Addresses {
        shop,
        proxy,
        service,
        rates,
        pages,
        notify_url,
    } = addresses;
    let server = |name| workspace.sh.cmd(workspace.dev_binary(name));

    let mut shop_server = server(SHOP)
        .args(["--listen", &shop.to_string()])
        .args(["--proxy", &origin(proxy)])
        .args(["--logos", &origin(rates)])
        .args(["--sandbox", &origin(service)])
        .arg("--allow-test-mode")
        .arg("--docs")
        .arg(docs::folder(workspace))
        // In environment variables: other users of the machine can see command lines.
        .env("TENDER_MERCHANT_KEY", &keys.merchant)
        .env("TENDER_NOTIFY_SECRET", &keys.notify)
        .env("TENDER_ORDER_KEY", &keys.order);

    let mut merchant_proxy = server(PROXY)
        .args(["--listen", &proxy.to_string()])
        .args(["--base-url", &origin(service)])
        .args(["--rates-base-url", &origin(rates)])
        .args(["--shop-name", SHOP_NAME])
        // The sandbox's wallets have no owner.
        .arg("--test-mode")
        // Statuses that the sandbox's page offers.
        .args(["--status-pending", "Confirming"])
        .args(["--status-underpaid", "Underpaid"])
        .args(["--status-paid", "Paid", "--status-closed", "Expired"])
        // In memory, like the sandbox's payments.
        .args(["--database-url", "sqlite::memory:"])
        .env("TENDER_MERCHANT_KEY", &keys.merchant)
        .env("TENDER_ORDER_KEY", &keys.order);
    // Orders and notifications need https elsewhere.
    if is_on_this_machine(shop) {
        shop_server = shop_server.args(["--origin", &origin(shop)]);
    }
    let own = is_on_this_machine(shop).then(|| format!("{}/notifications", origin(shop)));
    if let Some(url) = notify_url.clone().or(own) {
        merchant_proxy = merchant_proxy
            .args(["--notify-url", &url])
            .args(["--notify-poll-seconds", "2"])
            .env("TENDER_NOTIFY_SECRET", &keys.notify);
    }
    if is_on_this_machine(proxy) {
        merchant_proxy = merchant_proxy
            .arg("--payment-links")
            .args(["--payment-link-max-quantity", "usdtt=1000"])
            .args(["--public-url", &origin(proxy)]);
    }
    for page in origins_in_a_browser(shop).iter().chain(pages) {
        merchant_proxy = merchant_proxy.args(["--allow-origin", page]);
    }

    let sandbox = server(SANDBOX)
        .args(["--listen", &service.to_string()])
        .args(["--rates-listen", &rates.to_string()]);

    // They are stopped in this order: clients before servers.
    let server = |role, command, address, path| -> Result<(Program, String)> {
        let health = format!("{}{path}", origin(address));
        Ok((Program::start(role, command)?, health))
    };
    Ok(vec![
        server("shop", shop_server, shop, "/healthz")?,
        server("proxy", merchant_proxy, proxy, "/healthz")?,
        server("sandbox", sandbox, service, "/sandbox/state")?,
    ])
}

/// 256 random bits, as HS256 requires (RFC 7518, section 3.2).
fn random_hex() -> Result<String> {
    let mut key = [0_u8; 32];
    getrandom::fill(&mut key).map_err(anyhow::Error::msg)?;
    Ok(hex::encode(key))
}

fn welcome(addresses: &Addresses, keys: &Keys) -> String {
    let [shop, proxy, service, rates] = [
        &addresses.shop,
        &addresses.proxy,
        &addresses.service,
        &addresses.rates,
    ]
    .map(origin);
    let own_page = match addresses.pages.join(" and ") {
        pages if pages.is_empty() => "
For a shop of your own, stop this, and start it with its addresses:

    cargo xtask demo --origin http://localhost:3000 --notify-url http://localhost:3000/notifications
"
        .to_owned(),
        pages => format!(
            "
For your own shop at {pages}, in another terminal:

    export ORDER_KEY={} NOTIFY_SECRET={} ALLOW_TEST_MODE=true
",
            keys.order, keys.notify
        ),
    };
    format!(
        "
Open the shop:  {shop}
Try attributes and colours:  {shop}/playground
Mark a payment as paid, or let calls fail:  {service}/sandbox/page
The shop's back office:  {shop}/office (the password is demo)
The documentation:  {shop}/docs/ (the first time, about a minute later)

    {proxy}  the merchant proxy
    {service}  the payment service: a sandbox, no money moves
    {rates}  its token listing
{own_page}
Ctrl-C stops everything.
"
    )
}
