//! Waiting for something to be so, or for everything under way to be done.

use gloo_timers::future::TimeoutFuture;
use js_sys::Date;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// How long [`until`] looks, in milliseconds: far longer than anything takes, as only a failure
/// gets there.
pub const PATIENCE: f64 = 20_000.0;

/// Looks until `is_so`; `what` says in a failure what was waited for.
pub async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Date::now();
    while !is_so() {
        assert!(
            Date::now() - start < PATIENCE,
            "waited in vain until {what}"
        );
        TimeoutFuture::new(2).await;
    }
}

/// Lets everything finish that the page has begun and that needs nobody: promises, the reading of
/// bodies, renderings. Say what did not happen only after this.
pub async fn settled() {
    for _ in 0..5 {
        tick().await;
        TimeoutFuture::new(0).await;
    }
}

/// Lets the effects of a change run. A body that is read after the others is there after the others.
pub async fn tick() {
    let body = Response::new_with_opt_str(Some("last"))
        .and_then(|last| last.text())
        .unwrap();
    JsFuture::from(body).await.unwrap();
}
