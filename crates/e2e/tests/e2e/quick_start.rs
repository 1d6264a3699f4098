//! The commands of docs/quick-start.md, with the addresses and the folders of this test.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tender_programs::shops::NODE;
use tender_programs::{Server, free_address};

use crate::binary;
use crate::shops::pays_in;
use crate::support::Servers;

const PAGE: &str = include_str!("../../../../docs/quick-start.md");

/// A copy of what the commands use of the repository.
struct World {
    folder: TempDir,
    /// The folder of PostgreSQL's socket.
    socket: PathBuf,
    replacements: Vec<(&'static str, String)>,
}

impl World {
    fn new(servers: &Servers, proxy: SocketAddr, shop: SocketAddr) -> Self {
        let (service, rates) = servers.service_urls();
        let socket = tender_postgres::Server::shared().socket();
        let replacements = [
            ("http://127.0.0.1:8082", service),
            ("http://127.0.0.1:8083", rates),
            ("9081", proxy.port().to_string()),
            ("3000", shop.port().to_string()),
            ("/var/run/postgresql", socket.display().to_string()),
            (
                "target/debug/tender-proxy",
                format!("exec {}", binary::program().display()),
            ),
            // The libraries of the lock file, which are already here.
            ("npm install\n", format!("{}\n", NODE.prepare)),
            ("node shop.js", NODE.run.to_owned()),
        ];
        let folder = TempDir::new().unwrap();
        let copy = folder.path().join("examples/shops/node");
        fs::create_dir_all(&copy).unwrap();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shops");
        for file in ["orders.sql", "node/shop.js", "node/package.json"] {
            fs::copy(examples.join(file), copy.join("..").join(file)).unwrap();
        }
        Self {
            folder,
            socket: socket.to_owned(),
            replacements: replacements.into(),
        }
    }

    /// A command of the page. It says where PostgreSQL is by environment variables, because that is no server of the system.
    fn command(&self, block: &str) -> Command {
        let script = format!(
            "cd '{}'\n{}",
            self.folder.path().display(),
            self.replace(block)
        );
        let mut command = Command::new("sh");
        command.args(["-ec", &script]);
        command
            .env("PGHOST", &self.socket)
            .env("PGUSER", "postgres");
        command
    }

    /// In one pass: a free port can contain the digits of a port of the page.
    fn replace(&self, block: &str) -> String {
        let mut script = String::new();
        let mut rest = block;
        let next = |rest: &str| {
            let found = self.replacements.iter();
            let found = found.filter_map(|(from, to)| Some((rest.find(from)?, from.len(), to)));
            found.min_by_key(|(at, ..)| *at)
        };
        while let Some((at, length, to)) = next(rest) {
            script += &rest[..at];
            script += to;
            rest = &rest[at + length..];
        }
        script + rest
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_quick_start_leads_to_a_paid_order() {
    let blocks = PAGE.split("```sh\n").skip(1);
    let blocks: Vec<_> = blocks
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    let ["cargo xtask demo\n", settings, proxy, shop] = blocks[..] else {
        panic!("{blocks:?}");
    };
    let servers = Servers::open().await;
    let (proxy_address, shop_address) = (free_address(), free_address());
    let world = World::new(&servers, proxy_address, shop_address);
    assert!(world.command(settings).status().unwrap().success());
    let start = async |address, block| {
        Server::start(address, TempDir::new().unwrap(), &mut world.command(block)).await
    };
    let _proxy = start(proxy_address, proxy).await;
    let shop = start(shop_address, shop).await;
    pays_in(&shop, &servers, "Paid").await;
}
