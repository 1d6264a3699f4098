//! Checks that a buyer's browser gets all that the checkout needs, at the addresses that the demo prints.

use std::collections::BTreeMap;

use super::Addresses;
use super::addresses::origin;
use crate::error::{Error, Result};

/// The proxy calls the token listing for the form.
const LIMIT_SECONDS: u64 = 20;

/// Where a shop's backend finds the names of the modules.
const MODULES: &str = "v1/checkout.preload.json";

/// Fetches the shop's page, the loader, the form, and the modules.
pub(super) fn check(addresses: &Addresses) -> Result<()> {
    let [shop, proxy] = [&addresses.shop, &addresses.proxy].map(origin);
    let page = fetch(&format!("{shop}/"))?;
    let loader = format!("{proxy}/v1/checkout.js");
    if !page.contains(&loader) {
        return Err(Error::NotServed {
            url: format!("{shop}/"),
            problem: format!("the page does not include {loader}"),
        });
    }
    fetch(&loader)?;
    fetch(&format!(
        "{proxy}/v1/checkout.html?token=usdtt&quantity=48.50"
    ))?;
    let list = format!("{proxy}/{MODULES}");
    let modules: BTreeMap<String, Vec<String>> =
        serde_json::from_str(&fetch(&list)?).map_err(|error| Error::NotServed {
            url: list,
            problem: error.to_string(),
        })?;
    for name in modules.values().flatten() {
        fetch(&format!("{proxy}/v1/{name}"))?;
    }
    Ok(())
}

/// The body of a response, which must not be empty. A byte that is not text is replaced.
fn fetch(url: &str) -> Result<String> {
    let failed = |problem: String| Error::NotServed {
        url: url.to_owned(),
        problem,
    };
    let answer = minreq::get(url)
        .with_timeout(LIMIT_SECONDS)
        .send()
        .map_err(|error| failed(error.to_string()))?;
    let body = String::from_utf8_lossy(answer.as_bytes()).into_owned();
    match answer.status_code {
        200 if body.is_empty() => Err(failed("it is empty".to_owned())),
        200 => Ok(body),
        status => Err(failed(format!("the status is {status}"))),
    }
}
