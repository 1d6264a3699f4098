//! An element that is open for days, and changes thousands of times.
//!
//! The module's bytes are counted one by one. Not one more was seen after the measured changes, in any run in Chromium, Firefox and
//! `WebKitGTK`.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::collector::Held;
use crate::support::proxy::Proxy;
use crate::support::stream::Stream;
use crate::support::wait::until;
use crate::support::{record, stream};

/// Changes until all buffers are as large as they become.
const WARM_UP: u32 = 100;

/// Changes that are measured: more than before them, so that a list with an entry for each change grows at least once meanwhile.
const CHANGES: u32 = 300;

#[wasm_bindgen_test]
async fn changes_of_the_status_leave_nothing_behind() {
    let proxy = Proxy::new();
    stream::offer(&proxy);
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let stream = stream::open_one(&proxy);
    change_status(&checkout, &stream, WARM_UP).await;
    let before = Held::below(&checkout.root()).await;
    change_status(&checkout, &stream, CHANGES).await;
    let after = Held::below(&checkout.root()).await;
    after.assert_as(&before, 0);
}

/// Changes the status again and again. Each text has the same length.
async fn change_status(checkout: &Checkout, stream: &Stream, changes: u32) {
    for number in 0..changes {
        let number = format!("{number:03}");
        let status = format!("Status {number}");
        stream.say(&record::with_status(&number, &status));
        until("the change is shown", || {
            checkout.text_of("status") == status
        })
        .await;
        checkout.clear_events();
    }
}
