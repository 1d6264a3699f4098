//! An instance of the proxy in its own process, which can be killed and suspended.

use std::process::{Command, Stdio};

use tender_sandbox::Sandbox;

use crate::support::Process;

/// The key that the shop signs its orders with.
pub(crate) const ORDER_KEY: &str = "an order key of the tests, 32 characters or more";

/// The key that the merchant cancels payments with.
pub(crate) const MERCHANT_KEY: &str = "a-merchant-key-of-the-tests-32-characters-or-more";

/// The status of a paid payment.
pub(crate) const PAID: &str = "Paid";

pub(crate) struct Instance {
    pub(crate) address: String,
    program: Command,
    process: Process,
}

impl Instance {
    pub(crate) fn start(sandbox: &Sandbox, database: &str) -> Self {
        let listen = tender_programs::free_address().to_string();
        let settings = [
            ("LISTEN", listen.clone()),
            ("BASE_URL", sandbox.base_url().to_owned()),
            ("RATES_BASE_URL", sandbox.rates_base_url().to_owned()),
            ("ORDER_KEY", ORDER_KEY.to_owned()),
            ("MERCHANT_KEY", MERCHANT_KEY.to_owned()),
            ("STATUS_PAID", PAID.to_owned()),
            ("DATABASE_URL", database.to_owned()),
            ("UPSTREAM_CONNECT_TIMEOUT_SECONDS", "1".to_owned()),
            ("UPSTREAM_TIMEOUT_SECONDS", "1".to_owned()),
            ("UPSTREAM_SETTLE_SECONDS", "1".to_owned()),
            // All buyers have one address.
            ("RATE_LIMIT_CREATE", "0".to_owned()),
            ("MAX_CONNECTIONS_PER_ADDRESS", "0".to_owned()),
        ];
        let mut program = ends_with_the_test(env!("CARGO_BIN_EXE_tender-proxy"));
        program
            .env_clear()
            .envs(settings.map(|(name, value)| (format!("TENDER_{name}"), value)))
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        Self {
            address: format!("http://{listen}"),
            process: Process(program.spawn().unwrap()),
            program,
        }
    }

    /// SIGKILL: the process ends without any cleanup.
    pub(crate) fn kill(&mut self) {
        self.process.0.kill().unwrap();
        self.process.0.wait().unwrap();
    }

    pub(crate) fn start_again(&mut self) {
        self.process = Process(self.program.spawn().unwrap());
    }

    /// SIGSTOP: the process is suspended while the time goes on.
    pub(crate) fn freeze(&self) {
        self.process.signal("-STOP");
    }

    pub(crate) fn thaw(&self) {
        self.process.signal("-CONT");
    }
}

/// A process that ends with the thread that started it, even if the test is killed, because nothing
/// else would end a suspended process.
fn ends_with_the_test(program: &str) -> Command {
    if cfg!(target_os = "linux") {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", program]);
        command
    } else {
        Command::new(program)
    }
}
