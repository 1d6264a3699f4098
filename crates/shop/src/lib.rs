//! A sample shop for the demo and the end-to-end tests.
//!
//! It shows what a shop's backend has to do: set the price, sign the order, and write the signed order
//! into the page. And how it learns that an order is paid: by a notification of the proxy.
//!
//! | module | what it holds |
//! |---|---|
//! | [`config`] | [`Config`]: the command-line flags, or plain data in tests |
//! | `secrets` | the secrets that the shop shares with its proxy |
//! | `invoice` | invoice numbers |
//! | `order` | the shop's prices and signed orders |
//! | `office` | the back office: a login, and requests forwarded with the merchant key |
//! | `notifications` | receives the proxy's notifications; the order page |
//! | `options` | the query parameters of the checkout page |
//! | `orders` | the orders that were placed, and what paid them |
//! | `page` | the page templates |
//! | [`playground`] | languages, custom properties and presets that the playground offers |
//! | `response` | pages with their security headers, and failures |
//! | `routes` | the routes |
//! | `screens` | the playground's screens of a payment |

use std::io;
use std::net::SocketAddr;

use tokio::net::TcpListener;
use tokio::task::JoinSet;

pub mod config;
mod invoice;
mod notifications;
mod office;
mod options;
mod order;
mod orders;
mod page;
pub mod playground;
mod response;
mod routes;
mod screens;
mod secrets;

pub use config::{Config, OrderKey, Origin};
pub use secrets::{MerchantKey, NotifySecret};

use invoice::Invoices;
use options::Options;
use order::Order;
use orders::Orders;
use page::Pages;

/// The state shared by all request handlers.
pub struct Shop {
    config: Config,
    invoices: Invoices,
    orders: Orders,
    pages: Pages,
    office: office::Office,
}

/// A running server at [`address`](Self::address). Dropping it stops the server.
#[derive(Debug)]
pub struct Running {
    /// The address it listens on, with the actual port if port 0 was requested.
    pub address: SocketAddr,
    server: JoinSet<io::Result<()>>,
}

/// Why the server can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The checkout page is missing, or is not a valid template.
    #[error(transparent)]
    Page(#[from] page::PageError),
    /// Binding the address failed.
    #[error("can't listen on {address}: {source}; choose another one with --listen")]
    Listen {
        /// The requested address.
        address: SocketAddr,
        /// The error from the operating system.
        source: io::Error,
    },
}

impl Shop {
    /// Starts the server. Renders the checkout page once first, so that an invalid template fails at startup.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(mut config: Config) -> Result<Running, StartError> {
        let address = config.listen;
        let listen_error = |source| StartError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        if config.origin.is_none() {
            config.origin = Origin::local(address);
        }

        let shop = Self {
            invoices: Invoices::starting_now(),
            orders: Orders::default(),
            pages: Pages::load(&config.dist)?,
            office: office::Office::default(),
            config,
        };
        let order = Order::new(&Options::default(), shop.invoices.next());
        shop.pages
            .checkout(&shop.config, &Options::default(), &order)?;
        let mut server = JoinSet::new();
        server.spawn(axum::serve(listener, routes::router(shop)).into_future());
        Ok(Running { address, server })
    }
}

impl Running {
    /// Waits until the server ends, which it only does after a failure.
    ///
    /// # Errors
    /// The error that ended it.
    pub async fn finished(mut self) -> io::Result<()> {
        self.server.join_next().await.transpose()?.transpose()?;
        Ok(())
    }
}
