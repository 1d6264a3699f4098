//! Tests of orders that are signed with libraries of other languages, by the programs in
//! docs/orders.md.
//!
//! Languages that are not installed are skipped with a message. `cargo xtask test` installs all.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::prelude::{BASE64_STANDARD, Engine};
use tempfile::TempDir;
use tender_programs::left_out;
use tender_proxy::OrderKey;
use tokio::task::JoinSet;

use crate::prelude::*;

const PAGE: &str = include_str!("../../../../docs/orders.md");

/// The `kid` in the page's programs.
const KID: &str = "2026-02";

/// The file with the private key, in the folder of a program.
const KEY_FILE: &str = "order-key.pem";

/// How to run programs of a language.
struct Language {
    name: &'static str,
    /// The file name of a program.
    file: &'static str,
    /// The environment variable with a directory of libraries, or with the program. `cargo xtask test` sets it; then the
    /// language must not be skipped.
    variable: &'static str,
    /// A shell script that finds the libraries.
    prepare: &'static str,
    /// A command that succeeds if the library is installed.
    probe: &'static str,
    /// The command that runs a program.
    run: &'static str,
}

const LANGUAGES: [Language; 5] = [
    Language {
        name: "Node.js",
        file: "order.mjs",
        variable: "TENDER_JOSE",
        // Imports are resolved in the directories above the program.
        prepare: r#"test -z "$TENDER_JOSE" || ln -sfn "$TENDER_JOSE" node_modules"#,
        probe: r#"node --input-type=module --eval "import 'jose'""#,
        run: "node order.mjs",
    },
    Language {
        name: "Python",
        file: "order.py",
        variable: "TENDER_PYJWT",
        prepare: r#"export PYTHONPATH="$TENDER_PYJWT""#,
        probe: "python3 -c 'import jwt, cryptography'",
        run: "python3 order.py",
    },
    Language {
        name: "Ruby",
        file: "order.rb",
        variable: "SHOP_RUBY",
        prepare: "",
        probe: r#"ruby -e "require 'jwt'; require 'rbnacl'""#,
        run: "ruby order.rb",
    },
    Language {
        name: "PHP",
        file: "order.php",
        variable: "SHOP_PHP",
        prepare: "",
        probe: r#"php -r "exit(extension_loaded('sodium') ? 0 : 1);""#,
        run: "php order.php",
    },
    // With Debian's package of the library (golang-github-golang-jwt-jwt-dev).
    Language {
        name: "Go",
        file: "main.go",
        variable: "SHOP_GO",
        prepare: "
            export GOFLAGS=-mod=mod GOPROXY=off GOCACHE=$PWD/cache GOPATH=$PWD/cache
            test -f go.mod || go mod init order
            go mod edit -go=1.18 -require=github.com/golang-jwt/jwt/v4@v4.0.0
            go mod edit -replace=github.com/golang-jwt/jwt/v4=/usr/share/gocode/src/github.com/golang-jwt/jwt",
        probe: "go list github.com/golang-jwt/jwt/v4",
        run: "go run .",
    },
];

impl Language {
    /// The programs in the language's section: the first one signs with HS256, the second one with
    /// EdDSA.
    fn programs(&self) -> [&'static str; 2] {
        let heading = format!("### {}", self.name);
        let (_, section) = PAGE.split_once(&heading).expect("the page has it");
        let section = section.split("\n#").next().unwrap();
        let mut blocks = section.split("```").skip(1).step_by(2).map(|block| {
            let (_language, program) = block.split_once('\n').unwrap();
            program
        });
        let programs = [blocks.next().unwrap(), blocks.next().unwrap()];
        assert_eq!(blocks.next(), None);
        programs
    }

    /// What a command of the shell prints, if it succeeds.
    fn printed_by(
        &self,
        command: &str,
        folder: &Path,
        order_key: &str,
        complaints: Stdio,
    ) -> Option<String> {
        let output = Command::new("sh")
            .args(["-ec", &format!("{}\n{command}", self.prepare)])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stderr(complaints)
            .env("ORDER_KEY", order_key)
            .env("ORDER_KEY_FILE", folder.join(KEY_FILE))
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        output.status.success().then_some(printed)
    }

    /// The output of the programs, HS256 first; `None` if the language is skipped.
    fn orders(&self, key: &str) -> Option<[String; 2]> {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        fs::write(folder.join(KEY_FILE), key).unwrap();
        let must_be_there = env::var_os(self.variable).is_some();
        let is_there = || self.printed_by(self.probe, folder, "", Stdio::null());
        if !must_be_there && is_there().is_none() {
            left_out(&format!("orders signed in {}", self.name));
            return None;
        }
        let order_key = format!("{KID}={ORDER_SECRET}");
        let [hs256, _] = self.programs();
        fs::write(folder.join(self.file), hs256).unwrap();
        // Anyone can sign with an empty secret.
        for unusable in ["", &order_key[..=KID.len()]] {
            let printed = self.printed_by(self.run, folder, unusable, Stdio::null());
            assert_eq!(printed, None, "{} signs with {unusable:?}", self.name);
        }
        Some(self.programs().map(|program| {
            fs::write(folder.join(self.file), program).unwrap();
            let printed = self.printed_by(self.run, folder, &order_key, Stdio::inherit());
            let printed = printed.unwrap_or_else(|| panic!("{}\n{program} fails", self.name));
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
    // Of the whole workspace, as this test: otherwise cargo builds all dependencies again, with other features.
    cargo.args(["build", "--quiet", "--workspace", "--example", "sign_order"]);
    assert!(cargo.status().unwrap().success());
    let program = Path::new(env!("CARGO_BIN_EXE_tender-proxy"));
    let mut program = Command::new(program.with_file_name("examples").join("sign_order"));
    program.env("ORDER_KEY", format!("{KID}={ORDER_SECRET}"));
    let output = program.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let order = String::from_utf8(output.stdout).unwrap();
    are_accepted(&[order.trim().to_owned()], &ed25519().1).await;
}
