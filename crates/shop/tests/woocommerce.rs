//! The gateway in `examples/shops/woocommerce`: its own test, with stand-ins for what it calls.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use tender_programs::left_out;

const SHOPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/shops");

/// The folder of the plugin as docs/shops.md installs it.
fn installed() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut files = vec![Path::new(SHOPS).join("php/tender.php")];
    for file in fs::read_dir(Path::new(SHOPS).join("woocommerce")).unwrap() {
        files.push(file.unwrap().path());
    }
    for file in files {
        fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
    }
    folder
}

fn php(folder: &Path, arguments: &[&str]) -> std::io::Result<Output> {
    let mut php = Command::new("php");
    php.args(["-d", "zend.assertions=1", "-d", "display_errors=stderr"]);
    php.args(arguments).current_dir(folder).output()
}

#[test]
fn a_paid_order_is_completed_once() {
    let folder = installed();
    let Ok(tested) = php(folder.path(), &["test.php"]) else {
        assert_eq!(std::env::var_os("SHOP_PHP"), None);
        left_out("PHP, for the gateway for WooCommerce,");
        return;
    };
    assert_eq!(String::from_utf8_lossy(&tested.stderr), "");
    assert_eq!(String::from_utf8_lossy(&tested.stdout), "all passed\n");
    assert!(tested.status.success());

    // The file that WordPress loads, which needs more of it.
    let checked = php(folder.path(), &["-l", "tender-gateway.php"]).unwrap();
    assert!(checked.status.success(), "{checked:?}");
}
