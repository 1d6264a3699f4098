//! Checks that a buyer's browser gets all that the checkout needs, at the addresses that the demo prints.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};

use super::Addresses;
use super::addresses::origin;

/// The proxy calls the token listing for the form.
const LIMIT_SECONDS: u64 = 20;

/// Where a shop's backend finds the names of the modules.
const MODULES: &str = "v1/checkout.preload.json";

/// Fetches the shop's page, the loader, the form, and the modules.
pub(super) fn check(addresses: &Addresses) -> Result<()> {
    let [shop, proxy] = [&addresses.shop, &addresses.proxy].map(origin);
    let page = fetch(&format!("{shop}/"))?;
    let loader = format!("{proxy}/v1/checkout.js");
    ensure!(page.contains(&loader), "{shop}/ does not include {loader}");
    fetch(&loader)?;
    fetch(&format!(
        "{proxy}/v1/checkout.html?token=usdtt&quantity=48.50"
    ))?;
    let list = format!("{proxy}/{MODULES}");
    let modules: BTreeMap<String, Vec<String>> =
        serde_json::from_str(&fetch(&list)?).context(list)?;
    for name in modules.values().flatten() {
        fetch(&format!("{proxy}/v1/{name}"))?;
    }
    Ok(())
}

/// The body of a response, which must not be empty. A byte that is not text is replaced.
fn fetch(url: &str) -> Result<String> {
    let request = minreq::get(url).with_timeout(LIMIT_SECONDS);
    let answer = request.send().with_context(|| url.to_owned())?;
    let status = answer.status_code;
    ensure!(status == 200, "{url}: the status is {status}");
    let body = String::from_utf8_lossy(answer.as_bytes()).into_owned();
    ensure!(!body.is_empty(), "{url} is empty");
    Ok(body)
}
