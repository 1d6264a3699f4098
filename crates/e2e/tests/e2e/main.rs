//! End-to-end tests: the built widget, the real proxy, the sandbox and the sample shop, over real HTTP.
//!
//! Each test starts its own servers on free ports and its own browser, and compares what the buyer sees with the data
//! of the service.
//!
//! | module | what it is about |
//! |---|---|
//! | `buy` | each token, to the last digit |
//! | `form` | what a buyer is offered, and may say |
//! | `trouble` | a service that is down, slow, or talks nonsense |
//! | `broken` | a widget that is missing, cut off, forbidden, or crashes |
//! | `once` | one payment, however often it is asked for |
//! | `resume` | a reload, another tab, the way back: the same payment |
//! | `cancel` | a buyer who thinks better of it, or takes another token |
//! | `scan` | the QR code, read from the pixels of the screen |
//! | `wallets` | money that moves, on chains of this machine |
//! | `follow` | the transaction, the explorer, the status |
//! | `price` | pages that try to set it |
//! | `hostile` | listings that mean harm |
//! | `embed` | ways to embed the checkout, events, policy, fallback |
//! | `accessibility` | rules, sizes and themes, in every state of both elements |
//! | `keyboard` | with nothing but a keyboard, the buyer and the merchant |
//! | `looks` | pages with hostile styles |
//! | `nginx` | what the documentation has an nginx do: the smallest other proxy, the back office behind a login |
//! | `binary` | the release proxy with the widget inside |
//! | `payments` | the merchant's element: pages, key, cancelling, search, events |
//! | `types` | what a shop's TypeScript may say of both |
//! | `gallery` | pictures of every state of both, taken on request |
//! | `support` | the servers, the browser, and a checkout as a buyer meets it |

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
mod cancel;
#[cfg(test)]
mod embed;
#[cfg(test)]
mod follow;
#[cfg(test)]
mod form;
#[cfg(test)]
mod gallery;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod keyboard;
#[cfg(test)]
mod looks;
#[cfg(test)]
mod nginx;
#[cfg(test)]
mod once;
#[cfg(test)]
mod payments;
#[cfg(test)]
mod price;
#[cfg(test)]
mod resume;
#[cfg(test)]
mod scan;
#[cfg(test)]
mod support;
#[cfg(test)]
mod trouble;
#[cfg(test)]
mod types;
#[cfg(test)]
mod wallets;
