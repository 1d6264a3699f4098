//! The proxy and its alternatives.

use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;
use tender_programs::Postgres;

use crate::error::Error;
use crate::load::Load;
use crate::orders::{ORDER_KEY, Orders};
use crate::server::{self, Server, address};

/// The server between the load generator and the payment service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contender {
    /// None: the load goes to the service directly.
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
}

/// The request to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Tokens,
    /// The form as HTML, the same each time, which the proxy keeps.
    KeptForm,
    /// The form as HTML for another amount each time, which the proxy renders from the cached listing.
    NewForm,
    Create,
}

/// Paths of the programs.
pub(crate) struct Bench {
    /// The directory of Cargo's release binaries.
    pub(crate) binaries: PathBuf,
    /// The directory of the Node.js proxy, with its packages installed.
    pub(crate) peer: PathBuf,
    pub(crate) load: Load,
    pub(crate) orders: Orders,
}

/// A contender with a new service behind it. Dropping it stops both.
pub(crate) struct Setup {
    /// The URL to send the load to.
    pub(crate) url: String,
    /// The contender; without one, the service.
    pub(crate) server: Server,
    _service: Option<Server>,
    _postgres: Option<Postgres>,
    _folder: tempfile::TempDir,
}

impl Contender {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "the service itself",
            Self::Nginx => "nginx",
            Self::NodeInMemory => "Node.js, Fastify, nothing stored",
            Self::NodeDurable => "Node.js, Fastify, SQLite",
            Self::Tender => "tender-proxy, SQLite",
            Self::TenderPostgres => "tender-proxy, PostgreSQL",
        }
    }

    /// The directory of the request bodies for this contender.
    pub(crate) fn bodies(self, orders: &Orders) -> &Path {
        match self {
            Self::Nothing | Self::Nginx => &orders.plain,
            Self::NodeInMemory | Self::NodeDurable | Self::Tender | Self::TenderPostgres => {
                &orders.signed
            }
        }
    }
}

impl Task {
    const fn path(self) -> &'static str {
        match self {
            Self::Tokens => "/api/v1/rates/my-tokens",
            Self::KeptForm => "/v1/checkout.html?token=usdtt&locale=en&quantity=25.00",
            // The load generator completes the amount.
            Self::NewForm => "/v1/checkout.html?token=usdtt&locale=en&quantity=25.",
            Self::Create => "/api/v1/payment",
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Tokens => "token listing",
            Self::KeptForm => "form as HTML, kept",
            Self::NewForm => "form as HTML, rendered",
            Self::Create => "create",
        }
    }

    /// The rate that one instance must sustain, in requests per second. Latencies are measured at
    /// this rate.
    pub(crate) const fn rate(self) -> f64 {
        match self {
            Self::Tokens | Self::KeptForm => 20_000.0,
            Self::NewForm => 1_000.0,
            Self::Create => 500.0,
        }
    }

    /// The largest 99th percentile of the latency at that rate, in milliseconds, if there is a goal.
    pub(crate) const fn p99_limit(self) -> Option<f64> {
        match self {
            Self::Tokens => Some(5.0),
            Self::KeptForm | Self::NewForm => None,
            Self::Create => Some(100.0),
        }
    }
}

impl Bench {
    /// Starts a contender with a new service behind it.
    pub(crate) fn set_up(&self, contender: Contender, task: Task) -> Result<Setup, Error> {
        let folder = tempfile::tempdir()?;
        let (payments, rates) = (address()?, address()?);
        let sandbox = server::sandbox(&self.binaries, folder.path(), &payments, &rates)?;
        let service = match task {
            Task::Tokens | Task::KeptForm | Task::NewForm => &rates,
            Task::Create => &payments,
        };
        let listen = address()?;
        let health = format!("http://{listen}/healthz");
        let postgres = (contender == Contender::TenderPostgres).then(Postgres::start_durable);
        let database = match &postgres {
            Some(postgres) => postgres.new_database(),
            None => server::sqlite(folder.path()),
        };
        let mut command = match contender {
            Contender::Nothing => None,
            Contender::Nginx => Some(nginx(folder.path(), &listen, service)?),
            Contender::NodeInMemory => Some(self.node(&listen, service)),
            Contender::NodeDurable => {
                let mut command = self.node(&listen, service);
                command.env("DATABASE", folder.path().join("ledger.db"));
                Some(command)
            }
            Contender::Tender | Contender::TenderPostgres => {
                Some(self.tender(&database, &listen, &payments, &rates))
            }
        };
        let (server, service, host) = if let Some(command) = &mut command {
            let name = contender.name();
            let server = Server::start(name, command, folder.path(), &health)?;
            (server, Some(sandbox), &listen)
        } else {
            (sandbox, None, service)
        };
        Ok(Setup {
            url: format!("http://{host}{}", task.path()),
            server,
            _service: service,
            _postgres: postgres,
            _folder: folder,
        })
    }

    fn tender(&self, database: &str, listen: &str, payments: &str, rates: &str) -> Command {
        let program = self.binaries.join("tender-proxy");
        let mut command = server::proxy(&program, database, listen, payments, rates);
        command
            .args(["--upstream-header", "Authorization: Bearer credentials"])
            // All load comes from one address.
            .args(["--rate-limit-tokens", "0", "--rate-limit-create", "0"])
            .args(["--max-connections-per-address", "0"])
            // Requests wait rather than being refused, so latencies include the wait.
            .args(["--max-creates", "1000"]);
        command
    }

    fn node(&self, listen: &str, service: &str) -> Command {
        let mut command = Command::new("node");
        command
            .arg(self.peer.join("server.mjs"))
            .env("NODE_ENV", "production")
            .env("LISTEN", listen)
            .env("SERVICE", format!("http://{service}"))
            .env("ORDER_KEY", ORDER_KEY);
        command
    }
}

/// nginx with its recommended settings for a reverse proxy: keep-alive connections to the service,
/// no logging.
fn nginx(folder: &Path, listen: &str, service: &str) -> Result<Command, Error> {
    let config = folder.join("nginx.conf");
    let folder = folder.display();
    let text = format!(
        "worker_processes 2;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  proxy_cache_path {folder}/cache keys_zone=tokens:1m;
  upstream service {{ server {service}; keepalive 64; keepalive_requests 1000000; }}
  server {{
    listen {listen};
    proxy_http_version 1.1;
    proxy_set_header Connection \"\";
    proxy_set_header Authorization \"Bearer credentials\";
    location = /healthz {{ return 204; }}
    location = /api/v1/rates/my-tokens {{
      proxy_pass http://service;
      proxy_cache tokens;
      proxy_cache_valid 200 60s;
    }}
    location = /api/v1/payment {{ proxy_pass http://service; }}
  }}
}}
"
    );
    fs::write(&config, text)?;
    let mut command = Command::new("nginx");
    command.arg("-c").arg(config).args(["-g", "daemon off;"]);
    Ok(command)
}
