//! End-to-end tests: the built widget, the real proxy, the sandbox and the sample shop, over real HTTP.
//!
//! Each test starts its own servers on free ports and its own browser, and compares what the buyer sees with the data
//! of the service.
//!
//! | module | tests |
//! |---|---|
//! | `buy` | buying, with exact amounts |
//! | `first_paint` | the form that the proxy renders, until the module takes over |
//! | `broken` | pages whose policy or origin keeps the checkout from running |
//! | `two_devices` | the payment of an order on another device |
//! | `scan` | QR codes, decoded from screenshots |
//! | `wallets` | browser wallets, on real local blockchains |
//! | `follow` | status updates, while the proxy restarts and while the browser pauses the page |
//! | `test_mode` | the demo's walk in test mode: nothing to pay, and paid by the sandbox's page |
//! | `hosted` | the proxy's payment page, without and with scripts |
//! | `accessibility` | accessibility rules, sizes and themes, in every state of both elements |
//! | `keyboard` | both elements with the keyboard alone |
//! | `looks` | pages with hostile styles |
//! | `nginx` | the documented nginx configurations |
//! | `pinned` | a release that the page pins by its hash |
//! | `playground` | the shop's page for trying attributes and custom properties |
//! | `release` | the archive of a release, and what its containers run |
//! | `engines` | walks in Chromium, Firefox and WebKitGTK; all other tests run in Chromium |
//! | `npm` | the npm package: its contents, types, manifest and loader; the types that the proxy serves |
//! | `frameworks` | the example apps with Angular, Next.js, React, Svelte, SvelteKit and Vue |
//! | `shops` | the example shops in Node.js, Python, PHP, Ruby and Go |
//! | `newcomer` | the demo, started by the README's command, on request |
//! | `quick_start` | the commands of docs/quick-start.md |
//! | `go_live` | the commands and settings of docs/go-live.md |
//! | `gallery` | screenshots of every state of both elements, on request |
//! | `support` | servers, browser, and helpers to use the elements |

#![cfg(test)]

/// A test of each name, which calls a function with its argument.
macro_rules! tests_with {
    ($function:ident: $($name:ident = $argument:expr),+ $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                $function($argument).await;
            }
        )+
    };
}

mod accessibility;
mod broken;
mod buy;
mod engines;
mod first_paint;
mod follow;
mod frameworks;
mod gallery;
mod go_live;
mod hosted;
mod in_page;
mod keyboard;
mod looks;
mod newcomer;
mod nginx;
mod npm;
mod pinned;
mod playground;
mod quick_start;
mod release;
mod scan;
mod shops;
mod support;
mod test_mode;
mod two_devices;
mod wallets;
