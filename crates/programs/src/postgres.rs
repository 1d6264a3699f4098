//! A PostgreSQL server.
//!
//! It runs the installed PostgreSQL with a new, empty data directory and listens on a socket in that directory, so it uses
//! no port and does not affect other servers.

use std::env;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::unistd::{Uid, User};

/// A script that runs the server until its standard input closes. That happens when the test
/// process exits for any reason. The script then removes the data directory. Of a setting that is given twice, the last
/// value counts.
const RUN_SCRIPT: &str = r#"
program=$1
directory=$2
shift 2
"$program" -D "$directory/data" -k "$directory" -c listen_addresses= -c fsync=off -c max_connections=100 "$@" &
cat > "$directory/nothing"
kill -QUIT $!
wait $!
rm -rf "$directory"
"#;

/// Debian installs the server's programs here, in one directory per version, and not on `PATH`.
const DEBIAN: &str = "/usr/lib/postgresql";

const START_TIMEOUT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A running server. It stops when this value is dropped, or when the process exits.
pub struct Postgres {
    directory: PathBuf,
    /// The port, if it is not PostgreSQL's default.
    port: Option<String>,
    script: Child,
    user: Option<User>,
    databases: AtomicU32,
}

impl Postgres {
    /// The server that all tests of this process share.
    pub fn shared() -> &'static Self {
        static SERVER: OnceLock<Postgres> = OnceLock::new();
        SERVER.get_or_init(Self::start)
    }

    /// Creates a data directory and starts a server.
    pub fn start() -> Self {
        Self::start_with(&[], &[])
    }

    /// Starts a server whose transactions are durable, as in production. Tests need no such guarantee.
    pub fn start_durable() -> Self {
        Self::start_with(&[], &["fsync=on"])
    }

    /// Starts a server that also accepts TLS connections on this port of 127.0.0.1. The certificate
    /// and its key are in PEM.
    pub fn start_with_tls(certificate: &str, key: &str, port: u16) -> Self {
        let files = [("certificate.pem", certificate), ("key.pem", key)];
        let settings = [
            "listen_addresses=127.0.0.1",
            "ssl=on",
            "ssl_cert_file=../certificate.pem",
            "ssl_key_file=../key.pem",
            &format!("port={port}"),
        ];
        Self::start_with(&files, &settings)
    }

    /// Starts a server with these files in its directory and these settings.
    fn start_with(files: &[(&str, &str)], settings: &[&str]) -> Self {
        let user = unprivileged();
        let directory = tempfile::Builder::new()
            .prefix("tender-postgres-")
            .tempdir()
            .unwrap()
            .keep();
        let give = |path: &Path| {
            if let Some(user) = &user {
                chown(path, Some(user.uid.as_raw()), Some(user.gid.as_raw())).unwrap();
            }
        };
        give(&directory);
        for (name, content) in files {
            let path = directory.join(name);
            fs::write(&path, content).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            give(&path);
        }
        let mut initdb = command("initdb", user.as_ref());
        initdb
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
            .args(["--locale=C", "--no-sync", "--pgdata"])
            .arg(directory.join("data"));
        run(&mut initdb).unwrap();

        let mut script = as_user(Command::new("sh"), user.as_ref());
        script
            .args(["-c", RUN_SCRIPT, "sh"])
            .arg(program("postgres"))
            .arg(&directory)
            .args(settings.iter().flat_map(|setting| ["-c", *setting]))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // An interrupt of the tests must not reach the script, which still has to clean up.
            .process_group(0);
        let port = settings
            .iter()
            .find_map(|setting| setting.strip_prefix("port="));
        let server = Self {
            directory,
            port: port.map(str::to_owned),
            script: script.spawn().unwrap(),
            user,
            databases: AtomicU32::new(0),
        };
        server.wait_until_ready();
        server
    }

    /// The folder of its socket. The user `postgres` needs no password there.
    pub fn socket(&self) -> &Path {
        &self.directory
    }

    /// Creates an empty database and returns its URL.
    pub fn new_database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{number}");
        run(self
            .client("createdb")
            .args(["--template=template0", &name]))
        .unwrap();
        let socket = self.directory.to_string_lossy().replace('/', "%2F");
        format!("postgres://postgres@{socket}/{name}")
    }

    /// The same with these SQL statements run in it.
    pub fn new_database_with(&self, statements: &str) -> String {
        let url = self.new_database();
        let mut psql = self.client("psql");
        run(psql.args(["--quiet", "--command", statements, &url])).unwrap();
        url
    }

    fn wait_until_ready(&self) {
        let deadline = Instant::now() + START_TIMEOUT;
        while let Err(error) = run(self.client("psql").args(["--command=SELECT 1", "postgres"])) {
            assert!(Instant::now() < deadline, "{error}");
            sleep(POLL_INTERVAL);
        }
    }

    /// One of PostgreSQL's client programs, connected to this server.
    fn client(&self, name: &str) -> Command {
        let mut client = command(name, self.user.as_ref());
        client.args(["--username=postgres", "--host"]);
        client.arg(&self.directory);
        if let Some(port) = &self.port {
            client.args(["--port", port]);
        }
        client
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // The script waits for its input to close.
        drop(self.script.stdin.take());
        let _ = self.script.wait();
    }
}

/// The user to run the server as. PostgreSQL refuses to run as root.
fn unprivileged() -> Option<User> {
    let nobody = || User::from_name("nobody").unwrap();
    let is_root = Uid::effective().is_root();
    is_root.then(|| nobody().expect("there is a user `nobody`, as PostgreSQL can't run as root"))
}

fn command(name: &str, user: Option<&User>) -> Command {
    let mut command = as_user(Command::new(program(name)), user);
    command.stdin(Stdio::null());
    command
}

fn as_user(mut command: Command, user: Option<&User>) -> Command {
    // A directory that every user can access.
    command.current_dir(Path::new("/"));
    if let Some(user) = user {
        command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
    }
    command
}

/// Runs a program. Returns its messages if it fails.
fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    let failed = || format!("{command:?}: {messages}");
    output.status.success().then_some(()).ok_or_else(failed)
}

/// The path of one of PostgreSQL's programs: on `PATH`, or in the distribution's directory of the newest version.
fn program(name: &str) -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let version = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    let mut versions: Vec<_> = fs::read_dir(DEBIAN)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    versions.sort_by_key(version);
    let newest_first = versions.iter().rev().map(|folder| folder.join("bin"));
    env::split_paths(&path)
        .chain(newest_first)
        .map(|folder| folder.join(name))
        .find(|program| program.is_file())
        .unwrap_or_else(|| {
            panic!("PostgreSQL's `{name}` is not installed; `cargo xtask setup native` installs it")
        })
}
