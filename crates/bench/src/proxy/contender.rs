//! The proxy and its alternatives.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use minijinja::context;
use tender_programs::Postgres;

use super::task::Task;
use crate::orders::ORDER_KEY;
use crate::server::{self, Sandbox, Server, address};

/// The Node.js proxy, with its packages installed beside it.
const NODE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peer/server.mjs");

const NGINX: &str = include_str!("../../nginx/proxy.conf");

/// What the service takes to create a payment, if no proxy verifies orders.
const UNSIGNED: &str =
    r#"{"token":"usdtt","quantity":25,"paymentToken":"btc","invoiceNumber":"INV-NUMBER"}"#;

/// The server between the load generator and the payment service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Contender {
    /// None: the load goes to the service directly.
    #[default]
    Nothing,
    /// nginx, which forwards requests and caches the token listing.
    Nginx,
    /// A small proxy on Node.js and Fastify, which verifies orders and creates each payment once. It stores nothing.
    NodeInMemory,
    /// The same proxy with a durable ledger in SQLite.
    NodeDurable,
    /// Tender's proxy, whose ledger in SQLite is durable, too.
    Tender,
    /// The same with its ledger in PostgreSQL.
    TenderPostgres,
    /// Another build of Tender's proxy, with SQLite.
    Other,
    /// The same with PostgreSQL.
    OtherPostgres,
}

/// A contender with a new service behind it. Dropping it stops both.
pub(super) struct Setup {
    /// The URL to send the load to.
    pub(super) url: String,
    /// `None` if the load goes to the service.
    contender: Option<Server>,
    service: Sandbox,
    _postgres: Option<Postgres>,
    _folder: tempfile::TempDir,
}

impl Contender {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "the service itself",
            Self::Nginx => "nginx",
            Self::NodeInMemory => "Node.js, Fastify, nothing stored",
            Self::NodeDurable => "Node.js, Fastify, SQLite",
            Self::Tender => "tender-proxy, SQLite",
            Self::TenderPostgres => "tender-proxy, PostgreSQL",
            Self::Other => "the other build, SQLite",
            Self::OtherPostgres => "the other build, PostgreSQL",
        }
    }

    /// The body of its creates, if it doesn't verify orders.
    pub(super) const fn unsigned(self) -> Option<&'static str> {
        match self {
            Self::Nothing | Self::Nginx => Some(UNSIGNED),
            Self::NodeInMemory
            | Self::NodeDurable
            | Self::Tender
            | Self::TenderPostgres
            | Self::Other
            | Self::OtherPostgres => None,
        }
    }

    /// Starts it with a new service behind it. `other` is the program of the other build.
    pub(super) fn set_up(self, task: &Task, other: Option<&Path>) -> Result<Setup> {
        let folder = tempfile::tempdir()?;
        let path = folder.path();
        let service = Sandbox::start(path)?;
        let upstream = if task.is_create {
            &service.payments
        } else {
            &service.rates
        };
        let listen = address();
        let is_on_postgres = matches!(self, Self::TenderPostgres | Self::OtherPostgres);
        let postgres = is_on_postgres.then(Postgres::start_durable);
        let new_database = || match &postgres {
            Some(postgres) => postgres.new_database(),
            None => server::sqlite(path),
        };
        let command = match self {
            Self::Nothing => None,
            Self::Nginx => {
                let context = context! { listen => &listen, service => upstream };
                Some(server::nginx(path, "worker_processes 2;", NGINX, context)?)
            }
            Self::NodeInMemory => Some(node(&listen, upstream)),
            Self::NodeDurable => {
                let mut command = node(&listen, upstream);
                command.env("DATABASE", path.join("ledger.db"));
                Some(command)
            }
            Self::Tender | Self::TenderPostgres => {
                let program = server::binary("tender-proxy")?;
                Some(tender(&program, &service, &new_database(), &listen))
            }
            Self::Other | Self::OtherPostgres => {
                let program = other.context("the path of the other build is missing")?;
                Some(tender(program, &service, &new_database(), &listen))
            }
        };
        let host = command.as_ref().map_or(upstream, |_| &listen);
        let url = format!("http://{host}{}", task.path);
        let health = format!("http://{listen}/healthz");
        let contender = command
            .map(|mut command| Server::start(self.name(), &mut command, path, &health))
            .transpose()?;
        Ok(Setup {
            url,
            contender,
            service,
            _postgres: postgres,
            _folder: folder,
        })
    }
}

impl Setup {
    /// The contender; without one, the service.
    pub(super) fn server(&self) -> &Server {
        self.contender.as_ref().unwrap_or(&self.service.server)
    }
}

fn tender(program: &Path, service: &Sandbox, database: &str, listen: &str) -> Command {
    let mut command = service.proxy(program, database, listen);
    command
        .args(["--max-connections-per-address", "0"])
        // Requests wait rather than being refused, so latencies include the wait.
        .args(["--max-creates", "1000"]);
    command
}

fn node(listen: &str, service: &str) -> Command {
    let mut command = Command::new("node");
    command
        .arg(NODE)
        .env("NODE_ENV", "production")
        .env("LISTEN", listen)
        .env("SERVICE", format!("http://{service}"))
        .env("ORDER_KEY", ORDER_KEY);
    command
}
