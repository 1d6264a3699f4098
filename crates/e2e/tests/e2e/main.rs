//! End-to-end tests: the built widget, the real proxy, the sandbox and the sample shop, over real HTTP.
//!
//! Each test starts its own servers on free ports and its own browser, and compares what the buyer sees with the data
//! of the service.
//!
//! | module | tests |
//! |---|---|
//! | `buy` | buying with each token, with exact amounts |
//! | `first_paint` | the form that the proxy renders, until the module takes over |
//! | `trouble` | a service that is down, slow, or sends invalid responses |
//! | `broken` | a widget that is missing, truncated, blocked, or crashes |
//! | `resume` | the same payment after a reload, a back navigation, and in another tab |
//! | `two_devices` | the payment of an order on another device |
//! | `fulfil` | the shop learns by notification that an order is paid |
//! | `scan` | QR codes, decoded from screenshots |
//! | `wallets` | browser wallets, on real local blockchains |
//! | `follow` | status updates, while proxies restart and stop |
//! | `test_mode` | the demo's walk in test mode: nothing to pay, and paid by the sandbox's page |
//! | `price` | pages that try to change the price |
//! | `hosted` | the proxy's payment page, without and with scripts |
//! | `hostile` | malicious token listings |
//! | `events` | the events that the page gets |
//! | `accessibility` | accessibility rules, sizes and themes, in every state of both elements |
//! | `keyboard` | both elements with the keyboard alone |
//! | `looks` | pages with hostile styles |
//! | `nginx` | the documented nginx configurations |
//! | `binary` | the release build of the proxy, which contains the widget |
//! | `pinned` | a release that the page pins by its hash |
//! | `playground` | the shop's page for trying attributes and custom properties |
//! | `release` | the archive of a release, and what its containers run |
//! | `payment_links` | a link that the merchant creates, and a buyer pays |
//! | `payments` | the dashboard: the shop's login, notifications, touch |
//! | `engines` | walks in Chromium, Firefox and WebKitGTK; all other tests run in Chromium |
//! | `types` | the TypeScript types of both elements |
//! | `npm` | the npm package: its contents, types, manifest and loader |
//! | `frameworks` | the example apps with Angular, Next.js, React, Svelte and Vue |
//! | `shops` | the example shops in Node.js, Python, PHP, Ruby and Go |
//! | `newcomer` | the demo, started by the README's command, on request |
//! | `quick_start` | the commands of docs/quick-start.md |
//! | `go_live` | the commands and settings of docs/go-live.md |
//! | `gallery` | screenshots of every state of both elements, on request |
//! | `support` | servers, browser, and helpers to use the elements |

#[cfg(test)]
mod accessibility;
#[cfg(test)]
mod arrival;
#[cfg(test)]
mod binary;
#[cfg(test)]
mod broken;
#[cfg(test)]
mod buy;
#[cfg(test)]
mod engines;
#[cfg(test)]
mod events;
#[cfg(test)]
mod first_paint;
#[cfg(test)]
mod follow;
#[cfg(test)]
mod frameworks;
#[cfg(test)]
mod fulfil;
#[cfg(test)]
mod gallery;
#[cfg(test)]
mod go_live;
#[cfg(test)]
mod hosted;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod keyboard;
#[cfg(test)]
mod looks;
#[cfg(test)]
mod newcomer;
#[cfg(test)]
mod nginx;
#[cfg(test)]
mod npm;
#[cfg(test)]
mod payment_links;
#[cfg(test)]
mod payments;
#[cfg(test)]
mod pinned;
#[cfg(test)]
mod playground;
#[cfg(test)]
mod price;
#[cfg(test)]
mod quick_start;
#[cfg(test)]
mod release;
#[cfg(test)]
mod resume;
#[cfg(test)]
mod scan;
#[cfg(test)]
mod shops;
#[cfg(test)]
mod support;
#[cfg(test)]
mod test_mode;
#[cfg(test)]
mod trouble;
#[cfg(test)]
mod two_devices;
#[cfg(test)]
mod types;
#[cfg(test)]
mod wallets;
