//! A small shop: serves the sample page and signs its orders, for the demo and the end-to-end tests.
//!
//! It does what a shop's backend does to take a payment with Tender, and nothing else: it decides
//! the price, signs it, and writes the signed order into the page.
//!
//! | module | what it holds |
//! |---|---|
//! | [`config`] | [`Config`]: flags, and the same as plain data for tests |
//! | [`order`] | the shop's prices, invoice numbers and signed orders |
//! | [`office`] | the back office: a login, and the merchant key that it adds |
//! | [`options`] | [`Options`]: what the address may say about the page |
//! | [`page`] | the templates and what fills them |
//! | [`routes`] | the routes and their security headers |

use std::io;
use std::net::SocketAddr;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub mod config;
pub mod office;
pub mod options;
pub mod order;
pub mod page;
pub mod routes;

pub use config::{Config, OrderKey, Origin};

use options::Options;
use order::Invoices;
use page::Pages;

/// Everything that answers a request.
#[derive(Debug)]
pub struct Shop {
    config: Config,
    invoices: Invoices,
    pages: Pages,
    office: office::Office,
}

/// A shop that answers at [`address`](Self::address) until this is dropped.
#[derive(Debug)]
pub struct Running {
    /// Where it listens, with the port that was taken if port 0 was asked for.
    pub address: SocketAddr,
    server: JoinHandle<io::Result<()>>,
}

/// Why the shop can't open.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The checkout page is missing, or it is not a template that the shop can fill.
    #[error(transparent)]
    Page(#[from] page::PageError),
    /// The address can't be listened on.
    #[error("can't listen on {address}: {source}; choose another one with --listen")]
    Listen {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
}

impl Shop {
    /// Opens the shop. The page is read, and made once as a test, before anyone can ask for it.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(config: Config) -> Result<Running, StartError> {
        let shop = Self {
            invoices: Invoices::starting_now(),
            pages: Pages::load(&config.dist)?,
            office: office::Office::default(),
            config,
        };
        let invoice = shop.invoices.next();
        shop.pages
            .checkout(&shop.config, &Options::default(), invoice)?;

        let address = shop.config.listen;
        let listen_error = |source| StartError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let server = tokio::spawn(axum::serve(listener, routes::router(shop)).into_future());
        Ok(Running { address, server })
    }
}

impl Running {
    /// Waits for the server to end, which it does only when it fails.
    ///
    /// # Errors
    /// What ended it.
    pub async fn finished(mut self) -> io::Result<()> {
        (&mut self.server).await?
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.server.abort();
    }
}
