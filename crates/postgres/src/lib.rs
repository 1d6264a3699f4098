//! A PostgreSQL server for tests.
//!
//! It runs the installed PostgreSQL with a new, empty data directory and listens on a socket in
//! that directory, so it uses no port and does not affect other servers.

mod error;
mod programs;

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::unistd::{Uid, User};

pub use self::error::Error;
pub use self::programs::folders;
use self::programs::program;

/// A script that runs the server until its standard input closes. That happens when the test
/// process exits for any reason. The script then removes the data directory.
const RUN_SCRIPT: &str = r#"
program=$1
directory=$2
shift 2
"$program" -D "$directory/data" -k "$directory" -c fsync=off -c max_connections=100 "$@" &
cat > "$directory/nothing"
kill -QUIT $!
wait $!
rm -rf "$directory"
"#;

const START_TIMEOUT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A running server. It stops when this value is dropped, or when the process exits.
pub struct Server {
    directory: PathBuf,
    /// The port, if it is not PostgreSQL's default.
    port: Option<String>,
    script: Child,
    user: Option<User>,
    databases: AtomicU32,
}

impl Server {
    /// The server that all tests of this process share.
    ///
    /// # Panics
    /// If no server can be started, because the tests can't run without one.
    #[must_use]
    #[expect(clippy::panic, reason = "this is for tests")]
    pub fn shared() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| Self::start().unwrap_or_else(|error| panic!("{error}")))
    }

    /// Creates a data directory and starts a server.
    ///
    /// # Errors
    /// [`Error`].
    pub fn start() -> Result<Self, Error> {
        Self::start_with(&[], &["listen_addresses="])
    }

    /// Starts a server that also accepts TLS connections on this port of 127.0.0.1. The certificate
    /// and its key are in PEM.
    ///
    /// # Errors
    /// [`Error`].
    pub fn start_with_tls(certificate: &str, key: &str, port: u16) -> Result<Self, Error> {
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
    fn start_with(files: &[(&str, &str)], settings: &[&str]) -> Result<Self, Error> {
        let user = unprivileged()?;
        let directory = tempfile::Builder::new()
            .prefix("tender-postgres-")
            .tempdir();
        let directory = directory.map_err(Error::run("create a directory"))?.keep();
        if let Some(user) = &user {
            let (uid, gid) = (user.uid.as_raw(), user.gid.as_raw());
            chown(&directory, Some(uid), Some(gid))
                .map_err(Error::run("change the directory's owner"))?;
        }
        for (name, content) in files {
            let path = directory.join(name);
            let written = fs::write(&path, content).and_then(|()| {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
                user.as_ref().map_or(Ok(()), |user| {
                    chown(&path, Some(user.uid.as_raw()), Some(user.gid.as_raw()))
                })
            });
            written.map_err(Error::run("write a file"))?;
        }
        let mut initdb = command("initdb", user.as_ref())?;
        initdb
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
            .args(["--locale=C", "--no-sync", "--pgdata"])
            .arg(directory.join("data"));
        output(&mut initdb)?;

        let mut script = as_user(Command::new("sh"), user.as_ref());
        script
            .args(["-c", RUN_SCRIPT, "sh"])
            .arg(program("postgres")?)
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
            script: script.spawn().map_err(Error::run("start the server"))?,
            user,
            databases: AtomicU32::new(0),
        };
        server.wait_until_ready()?;
        Ok(server)
    }

    /// The folder of its socket. The user `postgres` needs no password there.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.directory
    }

    /// Creates an empty database and returns its URL.
    ///
    /// # Errors
    /// [`Error`].
    pub fn new_database(&self) -> Result<String, Error> {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{number}");
        let mut createdb = self.client("createdb")?;
        output(createdb.args(["--template=template0", &name]))?;
        let socket = self.directory.to_string_lossy().replace('/', "%2F");
        Ok(format!("postgres://postgres@{socket}/{name}"))
    }

    /// The same with these SQL statements run in it.
    ///
    /// # Errors
    /// [`Error`].
    pub fn new_database_with(&self, statements: &str) -> Result<String, Error> {
        let url = self.new_database()?;
        let mut psql = self.client("psql")?;
        output(psql.args(["--quiet", "--command", statements, &url]))?;
        Ok(url)
    }

    fn wait_until_ready(&self) -> Result<(), Error> {
        let deadline = Instant::now() + START_TIMEOUT;
        loop {
            let mut asked = self.client("psql")?;
            match output(asked.args(["--command=SELECT 1", "postgres"])) {
                Err(_) if Instant::now() < deadline => sleep(POLL_INTERVAL),
                answer => return answer,
            }
        }
    }

    /// One of PostgreSQL's client programs, connected to this server.
    fn client(&self, name: &'static str) -> Result<Command, Error> {
        let mut client = command(name, self.user.as_ref())?;
        client.args(["--username=postgres", "--host"]);
        client.arg(&self.directory);
        if let Some(port) = &self.port {
            client.args(["--port", port]);
        }
        Ok(client)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The script waits for its input to close.
        drop(self.script.stdin.take());
        let _ = self.script.wait();
    }
}

/// The user to run the server as. PostgreSQL refuses to run as root.
fn unprivileged() -> Result<Option<User>, Error> {
    if !Uid::effective().is_root() {
        return Ok(None);
    }
    let nobody = User::from_name("nobody").map_err(io::Error::from);
    nobody
        .map_err(Error::run("look up the user `nobody`"))?
        .map_or(Err(Error::NoUser), |user| Ok(Some(user)))
}

fn command(name: &'static str, user: Option<&User>) -> Result<Command, Error> {
    let mut command = as_user(Command::new(program(name)?), user);
    command.stdin(Stdio::null());
    Ok(command)
}

fn as_user(mut command: Command, user: Option<&User>) -> Command {
    // A directory that every user can access.
    command.current_dir(Path::new("/"));
    if let Some(user) = user {
        command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
    }
    command
}

/// Runs a program, which must succeed.
fn output(command: &mut Command) -> Result<(), Error> {
    let output = command.output().map_err(Error::run("run a program"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::Failed {
        program: command.get_program().to_string_lossy().into_owned(),
        reason: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}
