//! Tests of the program: settings, log, shutdown.

#[cfg(test)]
mod audit;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod escaping;
#[cfg(test)]
mod files;
#[cfg(test)]
mod health;
#[cfg(test)]
mod log;
#[cfg(test)]
mod notifications;
#[cfg(test)]
mod order;
#[cfg(test)]
mod payments;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod reload;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod settings;
#[cfg(test)]
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../http/shop.rs"]
mod shop;
#[cfg(test)]
mod start;
#[cfg(test)]
mod stop;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tls;
#[cfg(test)]
mod warnings;
