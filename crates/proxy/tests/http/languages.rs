//! Tests of orders that are signed with libraries of other languages, by the programs in
//! docs/orders.md.
//!
//! Languages that are not installed are skipped with a message. `cargo xtask test` installs all.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::prelude::{BASE64_STANDARD, Engine};
use tempfile::TempDir;
use tender_protocol::ProblemCode;
use tender_proxy::{OrderKey, Secret};
use tender_sandbox::Endpoint;
use tokio::task::JoinSet;

use crate::support::{ORDER_SECRET, World, paying};

const PAGE: &str = include_str!("../../../../docs/orders.md");

/// The `kid` in the page's programs.
const KID: &str = "2026-02";

/// The file with the private key, in the folder of a program.
const KEY_FILE: &str = "order-key.pem";

/// How to run programs of a language.
struct Language {
    heading: &'static str,
    /// The file name of a program.
    file: &'static str,
    command: &'static [&'static str],
    /// The arguments of a program that succeeds if the library is installed.
    probe: &'static [&'static str],
    /// The environment variable with a directory of libraries, or with the program. `cargo xtask test` sets it; then the
    /// language must not be skipped.
    variable: &'static str,
    /// Prepares the files and variables that the programs need.
    prepare: fn(&Path, Option<&Path>, &mut Command),
}

/// Debian's package of Go's library (golang-github-golang-jwt-jwt-dev) is installed here.
const GO_LIBRARY: &str = "/usr/share/gocode/src/github.com/golang-jwt/jwt";

const LANGUAGES: [Language; 5] = [
    Language {
        heading: "### Node.js",
        file: "order.mjs",
        command: &["node", "order.mjs"],
        probe: &["node", "--input-type=module", "--eval", "import 'jose'"],
        variable: "TENDER_JOSE",
        prepare: |folder, library, _| {
            // Imports are resolved in the directories above the program.
            if let Some(library) = library
                && !folder.join("node_modules").exists()
            {
                std::os::unix::fs::symlink(library, folder.join("node_modules")).unwrap();
            }
        },
    },
    Language {
        heading: "### Python",
        file: "order.py",
        command: &["python3", "order.py"],
        probe: &["python3", "-c", "import jwt, cryptography"],
        variable: "TENDER_PYJWT",
        prepare: |_, library, command| {
            if let Some(library) = library {
                command.env("PYTHONPATH", library);
            }
        },
    },
    Language {
        heading: "### Ruby",
        file: "order.rb",
        command: &["ruby", "order.rb"],
        probe: &["ruby", "-e", "require 'jwt'; require 'rbnacl'"],
        variable: "SHOP_RUBY",
        prepare: |_, _, _| {},
    },
    Language {
        heading: "### PHP",
        file: "order.php",
        command: &["php", "order.php"],
        probe: &["php", "-r", "exit(extension_loaded('sodium') ? 0 : 1);"],
        variable: "SHOP_PHP",
        prepare: |_, _, _| {},
    },
    Language {
        heading: "### Go",
        file: "main.go",
        command: &["go", "run", "."],
        probe: &["go", "list", "github.com/golang-jwt/jwt/v4"],
        variable: "SHOP_GO",
        prepare: |folder, _, command| {
            let module = format!(
                "module order\n\ngo 1.18\n\nrequire github.com/golang-jwt/jwt/v4 v4.0.0\n\n\
                 replace github.com/golang-jwt/jwt/v4 => {GO_LIBRARY}\n"
            );
            fs::write(folder.join("go.mod"), module).unwrap();
            let caches = folder.join("cache");
            command.env("GOFLAGS", "-mod=mod").env("GOPROXY", "off");
            command.env("GOCACHE", &caches).env("GOPATH", caches);
        },
    },
];

impl Language {
    /// The programs in the language's section: the first one signs with HS256, the second one with
    /// EdDSA.
    fn programs(&self) -> [&'static str; 2] {
        let (_, section) = PAGE.split_once(self.heading).expect("the page has it");
        let section = section.split("\n#").next().unwrap();
        let mut blocks = section.split("```").skip(1).step_by(2).map(|block| {
            let (_language, program) = block.split_once('\n').unwrap();
            program
        });
        let programs = [blocks.next().unwrap(), blocks.next().unwrap()];
        assert_eq!(blocks.next(), None);
        programs
    }

    fn run(&self, words: &[&str], folder: &Path, complaints: Stdio) -> Option<String> {
        let library = env::var_os(self.variable).map(PathBuf::from);
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stderr(complaints)
            .env("ORDER_KEY", format!("{KID}={ORDER_SECRET}"))
            .env("ORDER_KEY_FILE", folder.join(KEY_FILE));
        (self.prepare)(folder, library.as_deref(), &mut command);
        let output = command.output().ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8(output.stdout).unwrap())
    }

    /// The output of the programs, HS256 first; `None` if the language is skipped.
    fn orders(&self, key: &str) -> Option<[String; 2]> {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(KEY_FILE), key).unwrap();
        let must_be_there = env::var_os(self.variable).is_some();
        let is_there = || self.run(self.probe, folder.path(), Stdio::null()).is_some();
        if !must_be_there && !is_there() {
            // Written directly, because the test harness captures the output of `println!`.
            let heading = self.heading.trim_start_matches("### ");
            let left_out = format!("LEFT OUT: orders signed in {heading}, which is not here\n");
            std::io::stderr().write_all(left_out.as_bytes()).unwrap();
            return None;
        }
        Some(self.programs().map(|program| {
            fs::write(folder.path().join(self.file), program).unwrap();
            let printed = self.run(self.command, folder.path(), Stdio::inherit());
            let printed = printed.unwrap_or_else(|| panic!("{}\n{program} fails", self.heading));
            printed.trim().to_owned()
        }))
    }
}

/// A proxy with the keys of the page, under this name.
async fn world(kid: &str, public_key: &str) -> World {
    let kid = || Some(kid.to_owned());
    let keys = vec![
        OrderKey::hs256(kid(), &Secret::from(ORDER_SECRET)),
        OrderKey::ed25519(kid(), public_key).unwrap(),
    ];
    World::with(|config| config.orders.keys = keys).await
}

/// The proxy accepts all orders and creates a payment for the page's order.
async fn are_accepted(orders: &[String], public_key: &str) {
    for order in orders {
        let page = world(KID, public_key).await;
        let payment = page.create(&paying(order)).await.payment();
        assert_eq!(payment.quantity, "25.00".parse().unwrap());
        assert_eq!(payment.token, "USDTT");
        assert_eq!(payment.invoice_number.as_deref(), Some("INV-1042"));

        // With other key names, the order is refused.
        let other = world("2026-03", public_key).await;
        let refused = other.create(&paying(order)).await;
        refused.is_refused_as(ProblemCode::OrderKeyUnknown);
        assert_eq!(other.calls(Endpoint::Create), 0);
    }
}

/// An Ed25519 key: the private key in PKCS #8 (DER), the public key as `openssl pkey -pubout`
/// writes it.
fn ed25519() -> (Vec<u8>, String) {
    let pair = Ed25519KeyPair::generate().unwrap();
    let public: PublicKeyX509Der<'_> = pair.public_key().as_der().unwrap();
    let private = pair.to_pkcs8v1().unwrap();
    (
        private.as_ref().to_vec(),
        pem("PUBLIC KEY", public.as_ref()),
    )
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(der);
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}

#[tokio::test]
async fn orders_signed_in_each_language_are_accepted() {
    let (private, public) = ed25519();
    let key = pem("PRIVATE KEY", &private);
    let mut languages = JoinSet::new();
    for language in LANGUAGES {
        let key = key.clone();
        languages.spawn_blocking(move || language.orders(&key));
    }
    for orders in languages.join_all().await.into_iter().flatten() {
        are_accepted(&orders, &public).await;
    }
}

/// The page's program is an example of this crate.
#[tokio::test]
async fn orders_signed_in_rust_are_accepted() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--example", "sign_order"]);
    let cargo = cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.env("ORDER_KEY", format!("{KID}={ORDER_SECRET}"));
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let order = String::from_utf8(output.stdout).unwrap();
    are_accepted(&[order.trim().to_owned()], &ed25519().1).await;
}
