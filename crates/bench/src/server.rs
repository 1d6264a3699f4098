//! Server processes.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;
use minijinja::{Environment, UndefinedBehavior, Value};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use procfs::process::Process;
use tender_programs::free_address;

use crate::orders::ORDER_KEY;

const START_LIMIT: Duration = Duration::from_secs(20);
const STOP_LIMIT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A running server. Dropping it stops the process.
pub(crate) struct Server(Child);

impl Server {
    /// Starts a program with its output in a file in `folder`, and waits until `url` responds.
    pub(crate) fn start(
        program: &str,
        command: &mut Command,
        folder: &Path,
        url: &str,
    ) -> Result<Self> {
        let log = folder.join(format!("{program}.log"));
        let file = File::create(&log)?;
        let process = command
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .with_context(|| format!("can't run {program}; `cargo xtask bench` installs it"))?;
        let mut server = Self(process);
        let deadline = Instant::now() + START_LIMIT;
        // Any response will do; a contender is checked later.
        while minreq::get(url).with_timeout(1).send().is_err() {
            let output = || fs::read_to_string(&log).unwrap_or_default();
            ensure!(!server.has_ended(), "{program} exited:\n{}", output());
            let is_in_time = Instant::now() < deadline;
            ensure!(is_in_time, "{program} did not respond at {url} in time");
            thread::sleep(POLL_INTERVAL);
        }
        Ok(server)
    }

    /// The processor time of the process and of its children so far, in seconds.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52 ticks")]
    pub(crate) fn processor_time(&self) -> Result<f64> {
        let process = self.process()?;
        let children = process.task_main_thread()?.children()?;
        let mut ticks = 0;
        for id in [process.pid.cast_unsigned()].iter().chain(&children) {
            let stat = Process::new(id.cast_signed())?.stat()?;
            ticks += stat.utime + stat.stime;
        }
        Ok(ticks as f64 / procfs::ticks_per_second() as f64)
    }

    /// The memory of the process now, and the most that it has had so far, in KiB.
    pub(crate) fn memory(&self) -> Result<(u64, u64)> {
        let status = self.process()?.status()?;
        let resident = status.vmrss.zip(status.vmhwm);
        resident.context("the process has no memory")
    }

    fn process(&self) -> Result<Process> {
        Ok(Process::new(self.0.id().cast_signed())?)
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let id = Pid::from_raw(self.0.id().cast_signed());
        let is_asked = kill(id, Signal::SIGTERM).is_ok();
        let deadline = Instant::now() + STOP_LIMIT;
        while is_asked && !self.has_ended() && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        // If it did not stop in time.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A free address of this machine.
pub(crate) fn address() -> String {
    free_address().to_string()
}

/// The path of one of Cargo's release binaries, among which this program is.
pub(crate) fn binary(name: &str) -> Result<PathBuf> {
    Ok(env::current_exe()?.with_file_name(name))
}

/// The sandbox of the payment service.
pub(crate) struct Sandbox {
    /// The addresses of its payments and rates, as `host:port`.
    pub(crate) payments: String,
    pub(crate) rates: String,
    pub(crate) server: Server,
}

impl Sandbox {
    pub(crate) fn start(folder: &Path) -> Result<Self> {
        let (payments, rates) = (address(), address());
        let server = Server::start(
            "tender-sandbox",
            Command::new(binary("tender-sandbox")?)
                .args(["--listen", &payments, "--rates-listen", &rates])
                .env("RUST_LOG", "warn"),
            folder,
            &format!("http://{rates}/api/v1/rates/my-tokens"),
        )?;
        Ok(Self {
            payments,
            rates,
            server,
        })
    }

    /// The command of a proxy in front of it, with the database at this URL.
    pub(crate) fn proxy(&self, program: &Path, database: &str, listen: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(["--listen", listen, "--order-key", ORDER_KEY])
            .args(["--base-url", &format!("http://{}", self.payments)])
            .args(["--rates-base-url", &format!("http://{}", self.rates)])
            .args(["--database-url", database])
            .args(["--upstream-header", "Authorization: Bearer credentials"])
            // All load comes from this machine.
            .args(["--rate-limit-tokens", "0", "--rate-limit-create", "0"])
            .args(["--log-level", "warn"]);
        command
    }
}

/// The URL of an SQLite database in this folder.
pub(crate) fn sqlite(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("tender.db").display())
}

/// nginx with these main settings and this template of its configuration of HTTP. It writes to `folder` only, which
/// relative paths are relative to.
pub(crate) fn nginx(folder: &Path, settings: &str, http: &str, context: Value) -> Result<Command> {
    let http = render(http, context)?;
    let config = folder.join("nginx.conf");
    let text = format!(
        "daemon off;
{settings}
pid nginx.pid;
error_log stderr warn;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
{http}
}}
"
    );
    fs::write(&config, text)?;
    let mut command = Command::new("nginx");
    command.arg("-p").arg(folder).arg("-c").arg(config);
    Ok(command)
}

/// Fills in a template. Nothing is escaped.
pub(crate) fn render(template: &str, context: Value) -> Result<String> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    Ok(templates.render_str(template, context)?)
}
