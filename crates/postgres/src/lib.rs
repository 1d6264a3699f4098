//! A PostgreSQL server that lives as long as a test.
//!
//! It is the machine's own PostgreSQL with a new, empty directory, reached through a socket in that
//! directory: no port is taken, and no other server is touched.

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

/// Serves until its input ends, which it does with the process that holds the other end, however
/// that ends; then leaves nothing behind.
const KEEPER: &str = r#"
program=$1
directory=$2
shift 2
"$program" -D "$directory/data" -k "$directory" -c fsync=off -c max_connections=100 "$@" &
cat > "$directory/nothing"
kill -QUIT $!
wait $!
rm -rf "$directory"
"#;

const PATIENCE: Duration = Duration::from_mins(1);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A running server; it ends when this is dropped, or with the process.
pub struct Server {
    directory: PathBuf,
    /// Where it is not PostgreSQL's own.
    port: Option<String>,
    keeper: Child,
    user: Option<User>,
    databases: AtomicU32,
}

impl Server {
    /// The one server of this process.
    ///
    /// # Panics
    /// Where there can be none: a test that needs one can't go on.
    #[must_use]
    #[expect(clippy::panic, reason = "this is for tests")]
    pub fn shared() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| Self::start().unwrap_or_else(|error| panic!("{error}")))
    }

    /// Makes a directory and starts a server in it.
    ///
    /// # Errors
    /// [`Error`].
    pub fn start() -> Result<Self, Error> {
        Self::start_with(&[], &["listen_addresses="])
    }

    /// The same with a certificate and its key in PEM, for connections over TLS to that port of 127.0.0.1.
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

    /// With files in its directory, and settings.
    fn start_with(files: &[(&str, &str)], settings: &[&str]) -> Result<Self, Error> {
        let user = unprivileged()?;
        let directory = tempfile::Builder::new()
            .prefix("tender-postgres-")
            .tempdir();
        let directory = directory.map_err(Error::run("make a directory"))?.keep();
        if let Some(user) = &user {
            let (uid, gid) = (user.uid.as_raw(), user.gid.as_raw());
            chown(&directory, Some(uid), Some(gid))
                .map_err(Error::run("give the directory away"))?;
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

        let mut keeper = as_user(Command::new("sh"), user.as_ref());
        keeper
            .args(["-c", KEEPER, "sh"])
            .arg(program("postgres")?)
            .arg(&directory)
            .args(settings.iter().flat_map(|setting| ["-c", *setting]))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // What interrupts the test must leave it the time to clean up.
            .process_group(0);
        let port = settings
            .iter()
            .find_map(|setting| setting.strip_prefix("port="));
        let server = Self {
            directory,
            port: port.map(str::to_owned),
            keeper: keeper.spawn().map_err(Error::run("start the server"))?,
            user,
            databases: AtomicU32::new(0),
        };
        server.wait_until_ready()?;
        Ok(server)
    }

    /// Makes an empty database, and gives its address.
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

    fn wait_until_ready(&self) -> Result<(), Error> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut asked = self.client("psql")?;
            match output(asked.args(["--command=SELECT 1", "postgres"])) {
                Err(_) if Instant::now() < deadline => sleep(LOOK_EVERY),
                answer => return answer,
            }
        }
    }

    /// One of PostgreSQL's own clients, told where the server is.
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
        // The end of its input is what the keeper waits for.
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// PostgreSQL refuses to run as root: then it runs as someone who may do nothing.
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
    // A directory that every user may be in.
    command.current_dir(Path::new("/"));
    if let Some(user) = user {
        command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
    }
    command
}

/// Runs a program to its end, which must be a good one.
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
