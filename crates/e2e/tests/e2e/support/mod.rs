//! Servers for each test, and a browser.

mod browser;
mod chain;
mod checkout;
mod driver;
mod emulation;
mod engine;
mod focus;
mod input;
mod merchant;
mod network;
#[path = "../../../../proxy/tests/nginx/server.rs"]
mod nginx;
pub(crate) mod office;
mod program;
mod servers;
mod service;
mod stage;
mod states;
mod tls;
mod wait;

pub(crate) use browser::{Browser, recorder};
pub(crate) use chain::Chain;
pub(crate) use checkout::{Checkout, Role};
pub(crate) use emulation::{Emulation, Theme};
pub(crate) use engine::{Engine, Preference, in_each_engine};
pub(crate) use focus::Focus;
pub(crate) use nginx::{block, start_nginx};
pub(crate) use program::{named, output, proxy_binary, unpack};
pub(crate) use servers::{MERCHANT_KEY, NOTIFY_SECRET, OFFICE_PASSWORD, SHOP_NAME, Servers, dist};
pub(crate) use stage::{
    STATUS_CLOSED, STATUS_PAID, STATUS_PENDING, Scenery, Stage, map_statuses, publish,
};
pub(crate) use states::{STATES, State};
pub(crate) use tls::Tls;
pub(crate) use wait::until;
