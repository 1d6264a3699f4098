//! The example shops (`examples/shops`). All read the same environment variables, and serve the same routes.

use std::env;
use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::left_out;
use crate::postgres::Postgres;
use crate::server::Server;

/// A shop, or another program that receives notifications as shops do.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The language.
    pub name: &'static str,
    /// Its folder in the repository.
    pub folder: &'static str,
    /// The environment variable with the folder of its libraries, or the program of its language. `cargo xtask test`
    /// sets it; then the language must not be skipped.
    pub variable: &'static str,
    /// A shell script that finds the libraries.
    pub prepare: &'static str,
    /// A command that succeeds if the libraries are installed.
    pub probe: &'static str,
    /// The command that runs it.
    pub run: &'static str,
    /// The command that asks the proxy about its pending orders; none if it can't.
    pub reconcile: Option<&'static str>,
}

/// Express.
pub const NODE: Example = Example {
    name: "Node.js",
    folder: "examples/shops/node",
    variable: "SHOP_NODE",
    prepare: r#"test -z "$SHOP_NODE" || ln -sfn "$SHOP_NODE" node_modules"#,
    probe: r#"node --input-type=module --eval "import 'express'; import 'jose'; import 'pg'; import 'standardwebhooks'""#,
    run: "exec node shop.js",
    reconcile: Some("exec node reconcile.js"),
};

/// `FastAPI`.
pub const PYTHON: Example = Example {
    name: "Python",
    folder: "examples/shops/python",
    variable: "SHOP_PYTHON",
    prepare: r#"export PYTHONPATH="$SHOP_PYTHON""#,
    probe: "python3 -c 'import fastapi, jinja2, jwt, psycopg, standardwebhooks, uvicorn'",
    run: "exec python3 -m uvicorn shop:app --port $PORT",
    reconcile: Some("exec python3 reconcile.py"),
};

/// Without a framework.
pub const PHP: Example = Example {
    name: "PHP",
    folder: "examples/shops/php",
    variable: "SHOP_PHP",
    prepare: "",
    probe: "php -r \"exit(extension_loaded('pgsql') ? 0 : 1);\"",
    run: "exec php -S 127.0.0.1:$PORT shop.php",
    reconcile: Some("exec php reconcile.php"),
};

/// Sinatra.
pub const RUBY: Example = Example {
    name: "Ruby",
    folder: "examples/shops/ruby",
    variable: "SHOP_RUBY",
    prepare: "export APP_ENV=production",
    probe: r#"ruby -e "%w[erubi jwt pg puma sinatra/base].each { |name| require name }""#,
    run: "exec ruby shop.rb",
    reconcile: Some("exec ruby reconcile.rb"),
};

/// The standard library's server. Debian's packages of the libraries are used, if they are installed.
pub const GO: Example = Example {
    name: "Go",
    folder: "examples/shops/go",
    variable: "SHOP_GO",
    prepare: r"
        debian=/usr/share/gocode/src/github.com
        if test -d $debian/lib/pq; then
            export GOFLAGS=-mod=mod GOPROXY=off
            go mod edit -replace=github.com/lib/pq=$debian/lib/pq
            go mod edit -replace=github.com/golang-jwt/jwt/v4=$debian/golang-jwt/jwt
        else
            go mod tidy
        fi",
    probe: "go list github.com/lib/pq github.com/golang-jwt/jwt/v4",
    run: "go build -o shop . && exec ./shop",
    reconcile: Some("exec go run reconcile.go"),
};

/// All of them.
pub const ALL: [Example; 5] = [NODE, PYTHON, PHP, RUBY, GO];

/// What a shop shares with its proxy.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The origin of the proxy.
    pub proxy: String,
    /// The origin of the token logos.
    pub logos: String,
    /// The order key: `KID=SECRET`.
    pub order_key: String,
    /// The secret of notifications: `whsec_...`.
    pub notify_secret: String,
    /// The key with which it asks the proxy about its orders.
    pub merchant_key: String,
    /// Whether it fulfils orders that were paid in test mode.
    pub allow_test_mode: bool,
}

/// A running shop.
#[derive(Debug)]
pub struct Shop {
    /// Its program.
    pub server: Server,
    /// Its database, in a form that the clients of all languages read.
    pub database_url: String,
}

impl Settings {
    /// An empty order key is left out.
    fn variables(&self) -> Vec<(&'static str, &str)> {
        let mut variables = vec![
            ("PROXY", &*self.proxy),
            ("LOGOS", &self.logos),
            ("NOTIFY_SECRET", &self.notify_secret),
            ("MERCHANT_KEY", &self.merchant_key),
        ];
        if !self.order_key.is_empty() {
            variables.push(("ORDER_KEY", &self.order_key));
        }
        if self.allow_test_mode {
            variables.push(("ALLOW_TEST_MODE", "true"));
        }
        variables
    }
}

impl Example {
    /// Starts it at this address with an empty database. `None` with a message if the libraries are not installed.
    pub async fn start(&self, address: SocketAddr, settings: &Settings) -> Option<Shop> {
        let folder = self.installed()?;
        let database_url = database();
        let mut command = self.command(self.run);
        command
            .envs(settings.variables())
            .env("PORT", address.port().to_string())
            .env("ORIGIN", format!("http://{address}"))
            .env("DATABASE_URL", &database_url);
        Some(Shop {
            server: Server::start(address, folder, &mut command).await,
            database_url,
        })
    }

    /// Asks the proxy about the pending orders in this database. `None` like [`start`](Self::start), or if it can't.
    pub fn reconciles(&self, settings: &Settings, database_url: &str) -> Option<Output> {
        let (line, folder) = (self.reconcile?, self.installed()?);
        let more = [("DATABASE_URL", database_url)];
        Some(self.output(folder.path(), line, settings, &more))
    }

    /// What a script of the shell prints that gets this input and the proxy's address. `None` like [`start`](Self::start).
    pub fn printed_by(&self, script: &str, proxy: &str, input: &str) -> Option<String> {
        let folder = self.installed()?;
        let mut program = self
            .command(script)
            .env("PROXY", proxy)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = program.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let output = program.wait_with_output().unwrap();
        assert!(output.status.success(), "{}: {output:?}", self.name);
        Some(String::from_utf8(output.stdout).unwrap())
    }

    /// Runs it with each of these settings, which it refuses, until it ends. `None` like [`start`](Self::start).
    pub fn ends(&self, settings: &[Settings]) -> Option<Vec<Output>> {
        let folder = self.installed()?;
        // Should it start all the same, it ends when it can't listen.
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port().to_string();
        // PHP reads the settings for each request.
        let run = self.run.replace("-S 127.0.0.1:$PORT ", "");
        let more = [
            ("ORIGIN", "http://127.0.0.1"),
            ("DATABASE_URL", "none"),
            ("PORT", &port),
        ];
        let ended = |settings| self.output(folder.path(), &run, settings, &more);
        Some(settings.iter().map(ended).collect())
    }

    /// Runs a command of the shell in this folder until it ends.
    fn output(
        &self,
        folder: &Path,
        line: &str,
        settings: &Settings,
        more: &[(&str, &str)],
    ) -> Output {
        let mut command = self.command(line);
        command
            .envs(settings.variables())
            .envs(more.iter().copied())
            .current_dir(folder);
        command.output().unwrap()
    }

    /// A copy of its files, because some languages write beside them. `None` with a message if the libraries are not
    /// installed.
    fn installed(&self) -> Option<TempDir> {
        let folder = TempDir::new().unwrap();
        for file in fs::read_dir(Path::new(ROOT).join(self.folder)).unwrap() {
            let file = file.unwrap();
            if file.file_type().unwrap().is_file() {
                fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
            }
        }
        if self.is_here(folder.path()) {
            return Some(folder);
        }
        left_out(&format!("the example of {}", self.name));
        None
    }

    fn is_here(&self, folder: &Path) -> bool {
        let must_be_here = env::var_os(self.variable).is_some();
        let mut probe = self.command(self.probe);
        probe
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        if !must_be_here {
            probe.stderr(Stdio::null());
        }
        let is_here = probe.status().is_ok_and(|status| status.success());
        assert!(is_here || !must_be_here, "{} lacks libraries", self.name);
        is_here
    }

    /// A command of the shell with the libraries.
    fn command(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-ec", &format!("{}\n{line}", self.prepare)]);
        command
    }
}

/// The repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Makes the tables of the shops.
const SCHEMA: &str = include_str!("../../../examples/shops/orders.sql");

/// The address of a new database with the tables.
fn database() -> String {
    let server = Postgres::shared();
    let url = server.new_database_with(SCHEMA);
    let (_, name) = url.rsplit_once('/').unwrap();
    let socket = server.socket().display();
    format!("postgres:///{name}?host={socket}&user=postgres&sslmode=disable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_has_the_tested_commands() {
        let page = include_str!("../../../docs/shops.md");
        for example in ALL {
            for command in [Some(example.run), example.reconcile].into_iter().flatten() {
                let command = command.replace("exec ", "");
                assert!(page.contains(&command), "{}: {command}", example.name);
            }
        }
    }
}
